package script

import (
	"fmt"
	"strings"
	"testing"
)

// TestCompareLikeNode orders every pair of awkward strings with every option, here and in Node.
func TestCompareLikeNode(t *testing.T) {
	const sample = "const words = `a A b B á Á à ä Ä æ Æ AE ae o ö Ö ø Ø oe œ z Z ß ss SS ẞ ñ n Ñ é e É ê è ç c Ç " +
		"ł l Ł ı i I İ a1 a2 a10 a01 a001 1 2 10 01 001 00 0 1.5 1.10 - _ . , ; : ! ? ' \" ( [ { @ * / & # % ^ + < = > | ~ " +
		"$ € £ ° µ ½ ² ⅓ co-op coop co_op CO-OP re-sume resume résumé Resume Résumé RESUME cote coté côte côté Cote " +
		"file1 file10 file2 File1 FILE2 file-1 file_1 file.1 file1.txt file01.txt file10.txt img12.png Zoé adam " +
		"Émile Eve Öz Oscar émile naïve ﬁ fi Å A\u030a a\u0301 가 각 나 한 あ ア が カ 漢 字 中 一 日本 Α α ά Ω " +
		"А а я ё е א ب 😀 ☕ → • … – — ‘ ’ “ « \u00ad a\u00adb ab \u200b \u00a0 v1.2.10 v1.2.9 v1.10.0 -5 -10 5 + " +
		"१ ٣ ９ Ⅳ IV a-b a.b AB a,b a'b hello Hello héllo 12345678 123456789 012345679 1234567890123456789012 " +
		"1234567890123456789013`.split(' ')\n" +
		"words.push('', ' ', 'a b', 'a  b', 'ab c', 'de luge', 'black bird', 'x\\ny', 'x\\ty')\n"
	var programs []string
	for _, options := range []string{"undefined", "{}", "{ numeric: true }", "{ sensitivity: 'base' }",
		"{ sensitivity: 'accent' }", "{ sensitivity: 'case' }", "{ sensitivity: 'variant', numeric: 1 }",
		"{ numeric: true, sensitivity: 'base', usage: 'sort', caseFirst: 'false' }", "{ sensitivity: 'letter' }",
		"{ usage: 'find' }"} {
		for _, locale := range []string{"undefined", "'en'", "'en-GB'", "['en-US', 'fr']"} {
			if options != "{}" && locale != "'en'" {
				continue
			}
			if locale == "'en'" {
				programs = append(programs, fmt.Sprintf(`%[1]s
				const sign = (n) => '<=>'[Math.sign(n) + 1]
				return words.map((a) => a + ' ' + words.map((b) => sign(a.localeCompare(b, %[2]s, %[3]s))).join(''))`,
					sample, locale, options))
			}
			programs = append(programs, fmt.Sprintf(`%[1]s
				const c = new Intl.Collator(%[2]s, %[3]s)
				return [words.sort(c.compare).join(), 'x'.localeCompare.length]`, sample, locale, options))
		}
	}
	want := runNode(t, programs)
	p := newPool(t, Limits{}, 2)
	for i, js := range programs {
		got := runOurs(t, p, js)
		if got.Error != want[i].Error {
			t.Errorf("%s\n got %s\nwant %s", js[len(sample):], got.Error, want[i].Error)
		}
		ours, theirs := strings.Split(got.Result, `","`), strings.Split(want[i].Result, `","`)
		for k := range theirs {
			if k >= len(ours) || ours[k] != theirs[k] {
				t.Errorf("%s\n got %s\nwant %s", js[len(sample):], ours[min(k, len(ours)-1)], theirs[k])
			}
		}
	}
}
