package chart

import "math"

// bounds are the lowest and highest values of the y axis: whole powers of ten on a logarithmic one, else 0 and a round
// number.
func bounds(c Chart) (low, high float64) {
	low, high = math.Inf(1), 0
	for _, s := range c.Series {
		for _, y := range s.Y {
			if !math.IsNaN(y) {
				low, high = min(low, y), max(high, y)
			}
		}
	}
	if high <= 0 {
		return 0.1, 1
	}
	if !c.Log {
		step := round(high / 5)
		return 0, step * math.Ceil(high/step)
	}
	low = math.Pow(10, math.Floor(math.Log10(max(low, high/1e6))))
	return low, math.Pow(10, math.Ceil(math.Log10(high*1.01)))
}

// round makes x 1, 2 or 5 times a power of ten, not less than x.
func round(x float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(x)))
	for _, f := range []float64{1, 2, 5} {
		if f*power >= x {
			return f * power
		}
	}
	return 10 * power
}

// ticks are the values that the axis names.
func ticks(low, high float64, log bool) (list []float64) {
	if log {
		for y := low; y <= high*1.001; y *= 10 {
			list = append(list, y)
		}
		return list
	}
	step := round(high / 5)
	for y := low; y <= high+step/2; y += step {
		list = append(list, y)
	}
	return list
}
