package trace

import (
	"fmt"
	"regexp"
	"unicode/utf8"
)

// mostText is how much of a text a trace keeps.
const mostText = 10 << 10

// private are what a trace does not keep, and what stands in its place. Keys that pml knows of are cleaned where they come
// in; these are those that nobody has declared.
var private = []struct {
	what *regexp.Regexp
	put  string
}{
	{regexp.MustCompile(`(?i)\b(bearer|basic)\s+[A-Za-z0-9._~+/-]{8,}=*`), "$1 [token]"},
	{regexp.MustCompile(`\b(sk|pk|rk|ghp|gho|ghs|ghu|xox[abprs]|glpat|AKIA|AIza)[-_A-Za-z0-9]{12,}`), "[key]"},
	{regexp.MustCompile(`\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*`), "[token]"},
	{regexp.MustCompile(`(?i)\b(api[_-]?key|token|secret|password|passwd)(["']?\s*[:=]\s*["']?)[^\s"',;}]{4,}`), "$1$2[key]"},
	{regexp.MustCompile(`[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}`), "[mail]"},
	{regexp.MustCompile(`(^|[^\w.])(\+\d{1,3}[ .-]?|0)(\(?\d{1,4}\)?[ .-]?){2,5}\d{2,4}\b`), "$1[phone]"},
}

// Clean is a text as a trace keeps it: without keys, bearer tokens, mail addresses and phone numbers, cut at 10 KB with a
// mark that says how much is missing.
func Clean(text string) string {
	cut := ""
	if over := len(text) - mostText; over > 0 {
		text, cut = text[:mostText], fmt.Sprintf("… (%d bytes more)", over)
		for len(text) > 0 && !utf8.ValidString(text[max(0, len(text)-utf8.UTFMax):]) && len(text) > mostText-utf8.UTFMax {
			text = text[:len(text)-1]
		}
	}
	for _, p := range private {
		text = p.what.ReplaceAllString(text, p.put)
	}
	return text + cut
}
