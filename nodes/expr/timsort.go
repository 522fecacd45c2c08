package expr

import "github.com/casys-ai/pml/nodes/value"

// timSorter is V8's sort (third_party/v8/builtins/array-sort.tq, after Tim Peters' listsort): a comparator that
// contradicts itself, such as (a, b) => a > b, shows which elements are compared and in which order.
type timSorter struct {
	m         *machine
	work      []value.Value
	cmp       func(a, b value.Value) int
	minGallop int
	runs      []run
}

type run struct{ base, length int }

func (m *machine) timSort(list []value.Value, cmp func(a, b value.Value) int) {
	if len(list) < 2 {
		return
	}
	s := &timSorter{m: m, work: list, cmp: cmp, minGallop: 7}
	low, remaining := 0, len(list)
	least := minRun(remaining)
	for remaining > 0 {
		n := s.countRun(low, low+remaining)
		if n < least {
			forced := min(least, remaining)
			s.insertion(low, low+n, low+forced)
			n = forced
		}
		s.runs = append(s.runs, run{low, n})
		s.collapse()
		low, remaining = low+n, remaining-n
	}
	for len(s.runs) > 1 {
		n := len(s.runs) - 2
		if n > 0 && s.runs[n-1].length < s.runs[n+1].length {
			n--
		}
		s.mergeAt(n)
	}
}

func minRun(n int) int {
	r := 0
	for n >= 64 {
		r |= n & 1
		n >>= 1
	}
	return n + r
}

// countRun finds the run at low and makes it ascending.
func (s *timSorter) countRun(low, high int) int {
	if low+1 == high {
		return 1
	}
	n := 2
	descending := s.cmp(s.work[low+1], s.work[low]) < 0
	for i := low + 2; i < high; i++ {
		if (s.cmp(s.work[i], s.work[i-1]) < 0) != descending {
			break
		}
		n++
	}
	if descending {
		for i, j := low, low+n-1; i < j; i, j = i+1, j-1 {
			s.work[i], s.work[j] = s.work[j], s.work[i]
		}
	}
	return n
}

// insertion sorts low..high-1 of which low..start-1 is in order.
func (s *timSorter) insertion(low, start, high int) {
	if start == low {
		start++
	}
	for ; start < high; start++ {
		left, right, pivot := low, start, s.work[start]
		for left < right {
			mid := left + (right-left)>>1
			if s.cmp(pivot, s.work[mid]) < 0 {
				right = mid
			} else {
				left = mid + 1
			}
		}
		copy(s.work[left+1:start+1], s.work[left:start])
		s.work[left] = pivot
	}
}

func (s *timSorter) established(n int) bool {
	return n < 2 || s.runs[n-2].length > s.runs[n-1].length+s.runs[n].length
}

func (s *timSorter) collapse() {
	for len(s.runs) > 1 {
		n := len(s.runs) - 2
		switch {
		case !s.established(n+1) || !s.established(n):
			if s.runs[n-1].length < s.runs[n+1].length {
				n--
			}
			s.mergeAt(n)
		case s.runs[n].length <= s.runs[n+1].length:
			s.mergeAt(n)
		default:
			return
		}
	}
}

func (s *timSorter) mergeAt(i int) {
	a, b := s.runs[i], s.runs[i+1]
	s.runs[i].length = a.length + b.length
	s.runs = append(s.runs[:i+1], s.runs[i+2:]...)
	k := s.gallopRight(s.work, s.work[b.base], a.base, a.length, 0)
	a.base, a.length = a.base+k, a.length-k
	if a.length == 0 {
		return
	}
	b.length = s.gallopLeft(s.work, s.work[a.base+a.length-1], b.base, b.length, b.length-1)
	if b.length == 0 {
		return
	}
	if a.length <= b.length {
		s.mergeLow(a, b)
	} else {
		s.mergeHigh(a, b)
	}
}

// gallopLeft finds where key belongs in list[base:base+length], left of its equals, starting at hint.
func (s *timSorter) gallopLeft(list []value.Value, key value.Value, base, length, hint int) int {
	last, offset := 0, 1
	if s.cmp(list[base+hint], key) < 0 {
		most := length - hint
		for offset < most && s.cmp(list[base+hint+offset], key) < 0 {
			last, offset = offset, offset<<1+1
		}
		offset = min(offset, most)
		last, offset = last+hint, offset+hint
	} else {
		most := hint + 1
		for offset < most && s.cmp(list[base+hint-offset], key) >= 0 {
			last, offset = offset, offset<<1+1
		}
		offset = min(offset, most)
		last, offset = hint-offset, hint-last
	}
	for last++; last < offset; {
		mid := last + (offset-last)>>1
		if s.cmp(list[base+mid], key) < 0 {
			last = mid + 1
		} else {
			offset = mid
		}
	}
	return offset
}

// gallopRight is gallopLeft, right of the equals.
func (s *timSorter) gallopRight(list []value.Value, key value.Value, base, length, hint int) int {
	last, offset := 0, 1
	if s.cmp(key, list[base+hint]) < 0 {
		most := hint + 1
		for offset < most && s.cmp(key, list[base+hint-offset]) < 0 {
			last, offset = offset, offset<<1+1
		}
		offset = min(offset, most)
		last, offset = hint-offset, hint-last
	} else {
		most := length - hint
		for offset < most && s.cmp(key, list[base+hint+offset]) >= 0 {
			last, offset = offset, offset<<1+1
		}
		offset = min(offset, most)
		last, offset = last+hint, offset+hint
	}
	for last++; last < offset; {
		mid := last + (offset-last)>>1
		if s.cmp(key, list[base+mid]) < 0 {
			offset = mid
		} else {
			last = mid + 1
		}
	}
	return offset
}

// mergeLow merges neighbouring runs where a is the shorter one.
func (s *timSorter) mergeLow(a, b run) {
	tmp := append([]value.Value(nil), s.work[a.base:a.base+a.length]...)
	w, dest, cursorT, cursorB := s.work, a.base, 0, b.base
	lenA, lenB := a.length, b.length
	take := func() { w[dest] = w[cursorB]; dest++; cursorB++; lenB-- }
	finish := func() { copy(w[dest:], tmp[cursorT:cursorT+lenA]) }
	last := func() { // the one element left of a comes after all of b
		copy(w[dest:], w[cursorB:cursorB+lenB])
		w[dest+lenB] = tmp[cursorT]
	}
	if take(); lenB == 0 {
		finish()
		return
	}
	if lenA == 1 {
		last()
		return
	}
	gallop := s.minGallop
	for {
		winsA, winsB := 0, 0
		for {
			if s.cmp(w[cursorB], tmp[cursorT]) < 0 {
				take()
				winsA, winsB = 0, winsB+1
				if lenB == 0 {
					finish()
					return
				}
				if winsB >= gallop {
					break
				}
				continue
			}
			w[dest] = tmp[cursorT]
			dest, cursorT, lenA = dest+1, cursorT+1, lenA-1
			winsA, winsB = winsA+1, 0
			if lenA == 1 {
				last()
				return
			}
			if winsA >= gallop {
				break
			}
		}
		gallop++
		for first := true; winsA >= 7 || winsB >= 7 || first; first = false {
			gallop = max(1, gallop-1)
			s.minGallop = gallop
			winsA = s.gallopRight(tmp, w[cursorB], cursorT, lenA, 0)
			if winsA > 0 {
				copy(w[dest:], tmp[cursorT:cursorT+winsA])
				dest, cursorT, lenA = dest+winsA, cursorT+winsA, lenA-winsA
				if lenA == 1 {
					last()
					return
				}
				if lenA == 0 {
					finish()
					return
				}
			}
			if take(); lenB == 0 {
				finish()
				return
			}
			winsB = s.gallopLeft(w, tmp[cursorT], cursorB, lenB, 0)
			if winsB > 0 {
				copy(w[dest:], w[cursorB:cursorB+winsB])
				dest, cursorB, lenB = dest+winsB, cursorB+winsB, lenB-winsB
				if lenB == 0 {
					finish()
					return
				}
			}
			w[dest] = tmp[cursorT]
			dest, cursorT, lenA = dest+1, cursorT+1, lenA-1
			if lenA == 1 {
				last()
				return
			}
		}
		gallop++
		s.minGallop = gallop
	}
}

// mergeHigh merges neighbouring runs where b is the shorter one, from the right.
func (s *timSorter) mergeHigh(a, b run) {
	tmp := append([]value.Value(nil), s.work[b.base:b.base+b.length]...)
	w, lenA, lenB := s.work, a.length, b.length
	dest, cursorT, cursorA := b.base+b.length-1, b.length-1, a.base+a.length-1
	take := func() { w[dest] = w[cursorA]; dest--; cursorA--; lenA-- }
	finish := func() { copy(w[dest-lenB+1:dest+1], tmp[:lenB]) }
	last := func() { // the one element left of b comes before all of a
		dest, cursorA = dest-lenA, cursorA-lenA
		copy(w[dest+1:dest+1+lenA], w[cursorA+1:cursorA+1+lenA])
		w[dest] = tmp[cursorT]
	}
	if take(); lenA == 0 {
		finish()
		return
	}
	if lenB == 1 {
		last()
		return
	}
	gallop := s.minGallop
	for {
		winsA, winsB := 0, 0
		for {
			if s.cmp(tmp[cursorT], w[cursorA]) < 0 {
				take()
				winsA, winsB = winsA+1, 0
				if lenA == 0 {
					finish()
					return
				}
				if winsA >= gallop {
					break
				}
				continue
			}
			w[dest] = tmp[cursorT]
			dest, cursorT, lenB = dest-1, cursorT-1, lenB-1
			winsA, winsB = 0, winsB+1
			if lenB == 1 {
				last()
				return
			}
			if winsB >= gallop {
				break
			}
		}
		gallop++
		for first := true; winsA >= 7 || winsB >= 7 || first; first = false {
			gallop = max(1, gallop-1)
			s.minGallop = gallop
			winsA = lenA - s.gallopRight(w, tmp[cursorT], a.base, lenA, lenA-1)
			if winsA > 0 {
				dest, cursorA = dest-winsA, cursorA-winsA
				copy(w[dest+1:dest+1+winsA], w[cursorA+1:cursorA+1+winsA])
				if lenA -= winsA; lenA == 0 {
					finish()
					return
				}
			}
			w[dest] = tmp[cursorT]
			dest, cursorT, lenB = dest-1, cursorT-1, lenB-1
			if lenB == 1 {
				last()
				return
			}
			winsB = lenB - s.gallopLeft(tmp, w[cursorA], 0, lenB, lenB-1)
			if winsB > 0 {
				dest, cursorT = dest-winsB, cursorT-winsB
				copy(w[dest+1:dest+1+winsB], tmp[cursorT+1:cursorT+1+winsB])
				if lenB -= winsB; lenB == 1 {
					last()
					return
				}
				if lenB == 0 {
					finish()
					return
				}
			}
			if take(); lenA == 0 {
				finish()
				return
			}
		}
		gallop++
		s.minGallop = gallop
	}
}
