package chart

import (
	"encoding/xml"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/matryer/is"
)

func TestPicturesAreXML(t *testing.T) {
	c := Chart{Title: "a < b & c", Unit: "ns", Labels: []string{"1k", "10k"}, Log: true,
		Series: []Series{{"one", []float64{30, 47}}, {"two", []float64{900, math.NaN()}}}}
	for _, draw := range []func(Chart) string{Lines, Bars} {
		is := is.New(t)
		svg := draw(c)
		for d := xml.NewDecoder(strings.NewReader(svg)); ; {
			if _, err := d.Token(); err == io.EOF {
				break
			} else {
				is.NoErr(err)
			}
		}
		is.True(strings.Contains(svg, "a &lt; b &amp; c"))
		is.True(!strings.Contains(svg, "NaN"))
	}
	is.New(t).True(strings.Contains(Lines(Chart{}), "</svg>")) // nothing measured
}

func TestAxis(t *testing.T) {
	is := is.New(t)
	low, high := bounds(Chart{Log: true, Series: []Series{{"", []float64{23, 1409}}}})
	is.Equal([]float64{low, high}, []float64{10, 10_000})
	is.Equal(ticks(low, high, true), []float64{10, 100, 1000, 10_000})
	low, high = bounds(Chart{Series: []Series{{"", []float64{23, 47}}}})
	is.Equal([]float64{low, high}, []float64{0, 50})
	is.Equal(ticks(low, high, false), []float64{0, 10, 20, 30, 40, 50})
}
