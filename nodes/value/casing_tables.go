package value

import "unicode"

// longUpper are the code points whose upper case is several (SpecialCasing.txt).
var longUpper = map[rune]string{
	0x00DF: "\u0053\u0053", 0x0149: "\u02BC\u004E", 0x01F0: "\u004A\u030C", 0x0390: "\u0399\u0308\u0301",
	0x03B0: "\u03A5\u0308\u0301", 0x0587: "\u0535\u0552", 0x1E96: "\u0048\u0331", 0x1E97: "\u0054\u0308",
	0x1E98: "\u0057\u030A", 0x1E99: "\u0059\u030A", 0x1E9A: "\u0041\u02BE", 0x1F50: "\u03A5\u0313",
	0x1F52: "\u03A5\u0313\u0300", 0x1F54: "\u03A5\u0313\u0301", 0x1F56: "\u03A5\u0313\u0342", 0x1F80: "\u1F08\u0399",
	0x1F81: "\u1F09\u0399", 0x1F82: "\u1F0A\u0399", 0x1F83: "\u1F0B\u0399", 0x1F84: "\u1F0C\u0399",
	0x1F85: "\u1F0D\u0399", 0x1F86: "\u1F0E\u0399", 0x1F87: "\u1F0F\u0399", 0x1F88: "\u1F08\u0399",
	0x1F89: "\u1F09\u0399", 0x1F8A: "\u1F0A\u0399", 0x1F8B: "\u1F0B\u0399", 0x1F8C: "\u1F0C\u0399",
	0x1F8D: "\u1F0D\u0399", 0x1F8E: "\u1F0E\u0399", 0x1F8F: "\u1F0F\u0399", 0x1F90: "\u1F28\u0399",
	0x1F91: "\u1F29\u0399", 0x1F92: "\u1F2A\u0399", 0x1F93: "\u1F2B\u0399", 0x1F94: "\u1F2C\u0399",
	0x1F95: "\u1F2D\u0399", 0x1F96: "\u1F2E\u0399", 0x1F97: "\u1F2F\u0399", 0x1F98: "\u1F28\u0399",
	0x1F99: "\u1F29\u0399", 0x1F9A: "\u1F2A\u0399", 0x1F9B: "\u1F2B\u0399", 0x1F9C: "\u1F2C\u0399",
	0x1F9D: "\u1F2D\u0399", 0x1F9E: "\u1F2E\u0399", 0x1F9F: "\u1F2F\u0399", 0x1FA0: "\u1F68\u0399",
	0x1FA1: "\u1F69\u0399", 0x1FA2: "\u1F6A\u0399", 0x1FA3: "\u1F6B\u0399", 0x1FA4: "\u1F6C\u0399",
	0x1FA5: "\u1F6D\u0399", 0x1FA6: "\u1F6E\u0399", 0x1FA7: "\u1F6F\u0399", 0x1FA8: "\u1F68\u0399",
	0x1FA9: "\u1F69\u0399", 0x1FAA: "\u1F6A\u0399", 0x1FAB: "\u1F6B\u0399", 0x1FAC: "\u1F6C\u0399",
	0x1FAD: "\u1F6D\u0399", 0x1FAE: "\u1F6E\u0399", 0x1FAF: "\u1F6F\u0399", 0x1FB2: "\u1FBA\u0399",
	0x1FB3: "\u0391\u0399", 0x1FB4: "\u0386\u0399", 0x1FB6: "\u0391\u0342", 0x1FB7: "\u0391\u0342\u0399",
	0x1FBC: "\u0391\u0399", 0x1FC2: "\u1FCA\u0399", 0x1FC3: "\u0397\u0399", 0x1FC4: "\u0389\u0399",
	0x1FC6: "\u0397\u0342", 0x1FC7: "\u0397\u0342\u0399", 0x1FCC: "\u0397\u0399", 0x1FD2: "\u0399\u0308\u0300",
	0x1FD3: "\u0399\u0308\u0301", 0x1FD6: "\u0399\u0342", 0x1FD7: "\u0399\u0308\u0342", 0x1FE2: "\u03A5\u0308\u0300",
	0x1FE3: "\u03A5\u0308\u0301", 0x1FE4: "\u03A1\u0313", 0x1FE6: "\u03A5\u0342", 0x1FE7: "\u03A5\u0308\u0342",
	0x1FF2: "\u1FFA\u0399", 0x1FF3: "\u03A9\u0399", 0x1FF4: "\u038F\u0399", 0x1FF6: "\u03A9\u0342",
	0x1FF7: "\u03A9\u0342\u0399", 0x1FFC: "\u03A9\u0399", 0xFB00: "\u0046\u0046", 0xFB01: "\u0046\u0049",
	0xFB02: "\u0046\u004C", 0xFB03: "\u0046\u0046\u0049", 0xFB04: "\u0046\u0046\u004C", 0xFB05: "\u0053\u0054",
	0xFB06: "\u0053\u0054", 0xFB13: "\u0544\u0546", 0xFB14: "\u0544\u0535", 0xFB15: "\u0544\u053B",
	0xFB16: "\u054E\u0546", 0xFB17: "\u0544\u053D",
}

// newCased are the code points that became Cased in Unicode 16 and 17.
var newCased = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x1C89, 0x1C8A, 1}, {0xA7CB, 0xA7CF, 1}, {0xA7D2, 0xA7D2, 1}, {0xA7D4, 0xA7D4, 1}, {0xA7DA, 0xA7DC, 1},
		{0xA7F1, 0xA7F1, 1},
	},
	R32: []unicode.Range32{
		{0x10D50, 0x10D65, 1}, {0x10D70, 0x10D85, 1}, {0x16EA0, 0x16EB8, 1}, {0x16EBB, 0x16ED3, 1},
	},
}

// moreIgnorable are Case_Ignorable by their word break property, or since Unicode 16 and 17.
var moreIgnorable = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x27, 0x27, 1}, {0x2E, 0x2E, 1}, {0x3A, 0x3A, 1}, {0xB7, 0xB7, 1}, {0x387, 0x387, 1}, {0x55F, 0x55F, 1},
		{0x5F4, 0x5F4, 1}, {0x897, 0x897, 1}, {0x1ACF, 0x1ADD, 1}, {0x1AE0, 0x1AEB, 1}, {0x2018, 0x2019, 1},
		{0x2024, 0x2024, 1}, {0x2027, 0x2027, 1}, {0xA7F1, 0xA7F1, 1}, {0xFE13, 0xFE13, 1}, {0xFE52, 0xFE52, 1},
		{0xFE55, 0xFE55, 1}, {0xFF07, 0xFF07, 1}, {0xFF0E, 0xFF0E, 1}, {0xFF1A, 0xFF1A, 1},
	},
	R32: []unicode.Range32{
		{0x10D4E, 0x10D4E, 1}, {0x10D69, 0x10D6D, 1}, {0x10D6F, 0x10D6F, 1}, {0x10EC5, 0x10EC5, 1},
		{0x10EFA, 0x10EFC, 1}, {0x113BB, 0x113C0, 1}, {0x113CE, 0x113CE, 1}, {0x113D0, 0x113D0, 1},
		{0x113D2, 0x113D2, 1}, {0x113E1, 0x113E2, 1}, {0x11B60, 0x11B60, 1}, {0x11B62, 0x11B64, 1},
		{0x11B66, 0x11B66, 1}, {0x11DD9, 0x11DD9, 1}, {0x11F5A, 0x11F5A, 1}, {0x1611E, 0x16129, 1},
		{0x1612D, 0x1612F, 1}, {0x16D40, 0x16D42, 1}, {0x16D6B, 0x16D6C, 1}, {0x16FF2, 0x16FF3, 1},
		{0x1E5EE, 0x1E5EF, 1}, {0x1E6E3, 0x1E6E3, 1}, {0x1E6E6, 0x1E6E6, 1}, {0x1E6EE, 0x1E6EF, 1},
		{0x1E6F5, 0x1E6F5, 1}, {0x1E6FF, 0x1E6FF, 1},
	},
}
