package transport

import "bytes"

// The scanner finds the ends of JSON values without decoding them. It trusts the server to send JSON: a value that is
// balanced but wrong inside is found out by whoever decodes it.

// skipSpace returns the offset of the first byte at or after i that is no white space.
func skipSpace(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\n' || b[i] == '\t' || b[i] == '\r') {
		i++
	}
	return i
}

// skipString returns the offset behind the string literal that starts at i, or -1.
func skipString(b []byte, i int) int {
	for start := i + 1; ; {
		n := bytes.IndexByte(b[i+1:], '"')
		if n < 0 {
			return -1
		}
		i += n + 1
		backslashes := 0
		for j := i - 1; j >= start && b[j] == '\\'; j-- {
			backslashes++
		}
		if backslashes%2 == 0 {
			return i + 1
		}
	}
}

// skipValue returns the offset behind the value that starts at i, or -1.
func skipValue(b []byte, i int) int {
	if i >= len(b) {
		return -1
	}
	switch b[i] {
	case '"':
		return skipString(b, i)
	case '{', '[':
		return skipNested(b, i)
	}
	start := i
	for i < len(b) && !isDelimiter(b[i]) {
		i++
	}
	if i == start {
		return -1
	}
	return i
}

func isDelimiter(c byte) bool {
	switch c {
	case ',', '}', ']', ':', '"', '{', '[', ' ', '\n', '\t', '\r':
		return true
	}
	return false
}

func skipNested(b []byte, i int) int {
	for depth := 0; i < len(b); i++ {
		switch b[i] {
		case '"':
			if i = skipString(b, i); i < 0 {
				return -1
			}
			i--
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}

// scanObject calls field for each field of the object at i, with the key as it is written and the offset of the value.
// field returns the offset behind the value, or -1. So does scanObject for the object.
func scanObject(b []byte, i int, field func(key []byte, at int) int) int {
	return scanList(b, i, '{', '}', func(at int) int {
		if b[at] != '"' {
			return -1
		}
		end := skipString(b, at)
		if end < 0 {
			return -1
		}
		colon := skipSpace(b, end)
		if colon >= len(b) || b[colon] != ':' {
			return -1
		}
		return field(b[at+1:end-1], skipSpace(b, colon+1))
	})
}

// scanArray calls element with the offset of each element of the array at i; offsets as in scanObject.
func scanArray(b []byte, i int, element func(at int) int) int {
	return scanList(b, i, '[', ']', element)
}

func scanList(b []byte, i int, open, end byte, item func(at int) int) int {
	if i >= len(b) || b[i] != open {
		return -1
	}
	if i = skipSpace(b, i+1); i < len(b) && b[i] == end {
		return i + 1
	}
	for i < len(b) {
		if i = item(i); i < 0 {
			return -1
		}
		if i = skipSpace(b, i); i >= len(b) {
			return -1
		}
		switch b[i] {
		case end:
			return i + 1
		case ',':
			i = skipSpace(b, i+1)
		default:
			return -1
		}
	}
	return -1
}

// field returns the raw value of one field of the object raw; nil if there is none.
func field(raw []byte, name string) []byte {
	var found []byte
	scanObject(raw, skipSpace(raw, 0), func(key []byte, at int) int {
		end := skipValue(raw, at)
		if end > 0 && string(key) == name {
			found = raw[at:end:end]
		}
		return end
	})
	return found
}

// isObject reports whether raw is one balanced JSON object and nothing else.
func isObject(raw []byte) bool {
	i := skipSpace(raw, 0)
	if i >= len(raw) || raw[i] != '{' {
		return false
	}
	end := scanObject(raw, i, func(_ []byte, at int) int { return skipValue(raw, at) })
	return end > 0 && skipSpace(raw, end) == len(raw)
}
