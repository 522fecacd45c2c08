package value

import "unicode"

// isSpace reports whether r is WhiteSpace or a LineTerminator (§12.2, §12.3).
func isSpace(r rune) bool {
	switch r {
	case ' ', '\t', '\n', '\v', '\f', '\r', 0xA0, 0xFEFF, 0x2028, 0x2029:
		return true
	}
	return r > 0xFF && unicode.Is(unicode.Zs, r)
}

// Trim is String.prototype.trim (§22.1.3.32).
func Trim(s string) string { return TrimStart(TrimEnd(s)) }

// TrimStart is String.prototype.trimStart (§22.1.3.34).
func TrimStart(s string) string {
	for i := 0; i < len(s); {
		r, size := decode(s, i)
		if !isSpace(r) {
			return s[i:]
		}
		i += size
	}
	return ""
}

// TrimEnd is String.prototype.trimEnd (§22.1.3.33).
func TrimEnd(s string) string {
	for end := len(s); end > 0; {
		start := end - 1
		for start > 0 && s[start]&0xC0 == 0x80 {
			start--
		}
		if r, _ := decode(s, start); !isSpace(r) {
			return s[:end]
		}
		end = start
	}
	return ""
}
