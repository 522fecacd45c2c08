package expr

import (
	"slices"
	"sort"
)

// charSet is a set of characters: a bitmap for ASCII, sorted ranges for the rest.
type charSet struct {
	ascii  [2]uint64
	ranges []charRange
	negate bool
}

type charRange struct{ lo, hi rune }

func (s *charSet) add(lo, hi rune) {
	for c := lo; c <= hi && c < 128; c++ {
		s.ascii[c>>6] |= 1 << (c & 63)
	}
	if hi >= 128 {
		s.ranges = append(s.ranges, charRange{max(lo, 128), hi})
	}
}

// addSet adds another set, its negation included.
func (s *charSet) addSet(o *charSet) {
	if !o.negate {
		s.ascii[0] |= o.ascii[0]
		s.ascii[1] |= o.ascii[1]
		s.ranges = append(s.ranges, o.ranges...)
		return
	}
	s.ascii[0] |= ^o.ascii[0]
	s.ascii[1] |= ^o.ascii[1]
	o.finish()
	next := rune(128)
	for _, r := range o.ranges {
		if r.lo > next {
			s.ranges = append(s.ranges, charRange{next, r.lo - 1})
		}
		next = max(next, r.hi+1)
	}
	if next <= 0x10FFFF {
		s.ranges = append(s.ranges, charRange{next, 0x10FFFF})
	}
}

// finish sorts and merges the ranges.
func (s *charSet) finish() {
	slices.SortFunc(s.ranges, func(a, b charRange) int { return int(a.lo - b.lo) })
	out := s.ranges[:0]
	for _, r := range s.ranges {
		if n := len(out); n > 0 && r.lo <= out[n-1].hi+1 {
			out[n-1].hi = max(out[n-1].hi, r.hi)
			continue
		}
		out = append(out, r)
	}
	s.ranges = out
}

// has reports whether c is in the set.
func (s *charSet) has(c rune) bool {
	if c < 128 {
		return (s.ascii[c>>6]>>(c&63)&1 != 0) != s.negate
	}
	i := sort.Search(len(s.ranges), func(i int) bool { return s.ranges[i].hi >= c })
	return (i < len(s.ranges) && s.ranges[i].lo <= c) != s.negate
}

func (s *charSet) addLineEnds() {
	s.add('\n', '\n')
	s.add('\r', '\r')
	s.add(0x2028, 0x2029)
}

func (s *charSet) addWord() {
	s.add('a', 'z')
	s.add('A', 'Z')
	s.add('0', '9')
	s.add('_', '_')
}

func (s *charSet) addSpaces() {
	s.add('\t', '\r')
	s.add(' ', ' ')
	s.ranges = append(s.ranges, []charRange{{0xA0, 0xA0}, {0x1680, 0x1680}, {0x2000, 0x200A}, {0x2028, 0x2029},
		{0x202F, 0x202F}, {0x205F, 0x205F}, {0x3000, 0x3000}, {0xFEFF, 0xFEFF}}...)
}
