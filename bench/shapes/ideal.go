package shapes

import (
	"math/rand/v2"
	"time"
)

// Ideal is a time below which no schedule can come: the longest path, or all work shared by limit workers, whichever is
// longer (Graham 1966).
func (g *DAG) Ideal(cost []time.Duration, limit int) time.Duration {
	return max(g.CriticalPath(cost), Sum(cost)/time.Duration(max(limit, 1)))
}

// CriticalPath is the cost of the most expensive path.
func (g *DAG) CriticalPath(cost []time.Duration) time.Duration {
	begin := make([]time.Duration, g.Len())
	longest := time.Duration(0)
	for i := range int32(g.Len()) {
		end := begin[i] + cost[i]
		longest = max(longest, end)
		for _, to := range g.After(i) {
			begin[to] = max(begin[to], end)
		}
	}
	return longest
}

// Sum adds costs up.
func Sum(cost []time.Duration) (all time.Duration) {
	for _, c := range cost {
		all += c
	}
	return all
}

// Latencies are n latencies around mean: all equal, or, if skewed, nine of ten half of it and one of ten eleven halves.
func Latencies(n int, mean time.Duration, skewed bool, seed uint64) []time.Duration {
	r := rand.New(rand.NewPCG(seed, 2))
	list := make([]time.Duration, n)
	for i := range list {
		switch {
		case !skewed:
			list[i] = mean
		case r.IntN(10) == 0:
			list[i] = 11 * mean / 2
		default:
			list[i] = mean / 2
		}
	}
	return list
}

// Levels groups the tasks by the length of the longest path to them: what a level-barrier executor runs together.
func (g *DAG) Levels() [][]int32 {
	level, deepest := make([]int32, g.Len()), int32(0)
	for i := range int32(g.Len()) {
		for _, to := range g.After(i) {
			level[to] = max(level[to], level[i]+1)
			deepest = max(deepest, level[to])
		}
	}
	groups := make([][]int32, deepest+1)
	for i, l := range level {
		groups[l] = append(groups[l], int32(i))
	}
	return groups
}
