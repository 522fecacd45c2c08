// Writes unicode.txt: the tables behind \p{…}, as this Node has them. Run by go generate, with Node 20 or later.
//
// A line is a table: its kind and names, then base-36 numbers, by turns how many code points are out and how many in.
import { writeFileSync } from 'node:fs'

const binary = `ASCII ASCII_Hex_Digit,AHex Alphabetic,Alpha Any Assigned Bidi_Control,Bidi_C Bidi_Mirrored,Bidi_M
  Case_Ignorable,CI Cased Changes_When_Casefolded,CWCF Changes_When_Casemapped,CWCM Changes_When_Lowercased,CWL
  Changes_When_NFKC_Casefolded,CWKCF Changes_When_Titlecased,CWT Changes_When_Uppercased,CWU Dash
  Default_Ignorable_Code_Point,DI Deprecated,Dep Diacritic,Dia Emoji Emoji_Component,EComp Emoji_Modifier,EMod
  Emoji_Modifier_Base,EBase Emoji_Presentation,EPres Extended_Pictographic,ExtPict Extender,Ext Grapheme_Base,Gr_Base
  Grapheme_Extend,Gr_Ext Hex_Digit,Hex IDS_Binary_Operator,IDSB IDS_Trinary_Operator,IDST ID_Continue,IDC ID_Start,IDS
  Ideographic,Ideo Join_Control,Join_C Logical_Order_Exception,LOE Lowercase,Lower Math Noncharacter_Code_Point,NChar
  Pattern_Syntax,Pat_Syn Pattern_White_Space,Pat_WS Quotation_Mark,QMark Radical Regional_Indicator,RI
  Sentence_Terminal,STerm Soft_Dotted,SD Terminal_Punctuation,Term Unified_Ideograph,UIdeo Uppercase,Upper
  Variation_Selector,VS White_Space,space XID_Continue,XIDC XID_Start,XIDS`

const categories = `Cased_Letter,LC Close_Punctuation,Pe Connector_Punctuation,Pc Control,Cc,cntrl Currency_Symbol,Sc
  Dash_Punctuation,Pd Decimal_Number,Nd,digit Enclosing_Mark,Me Final_Punctuation,Pf Format,Cf Initial_Punctuation,Pi
  Letter,L Letter_Number,Nl Line_Separator,Zl Lowercase_Letter,Ll Mark,M,Combining_Mark Math_Symbol,Sm
  Modifier_Letter,Lm Modifier_Symbol,Sk Nonspacing_Mark,Mn Number,N Open_Punctuation,Ps Other,C Other_Letter,Lo
  Other_Number,No Other_Punctuation,Po Other_Symbol,So Paragraph_Separator,Zp Private_Use,Co Punctuation,P,punct
  Separator,Z Space_Separator,Zs Spacing_Mark,Mc Surrogate,Cs Symbol,S Titlecase_Letter,Lt Unassigned,Cn
  Uppercase_Letter,Lu`

// The short names of scripts are found by trying.
const scripts = `
  Adlam Ahom Anatolian_Hieroglyphs Arabic Armenian Avestan Balinese Bamum Bassa_Vah Batak Bengali Beria_Erfe
  Bhaiksuki Bopomofo Brahmi Braille Buginese Buhid Canadian_Aboriginal Carian Caucasian_Albanian Chakma Cham
  Cherokee Chorasmian Common Coptic Cuneiform Cypriot Cypro_Minoan Cyrillic Deseret Devanagari Dives_Akuru Dogra
  Duployan Egyptian_Hieroglyphs Elbasan Elymaic Ethiopic Garay Georgian Glagolitic Gothic Grantha Greek Gujarati
  Gunjala_Gondi Gurmukhi Gurung_Khema Han Hangul Hanifi_Rohingya Hanunoo Hatran Hebrew Hiragana Imperial_Aramaic
  Inherited Inscriptional_Pahlavi Inscriptional_Parthian Javanese Kaithi Kannada Katakana Kawi Kayah_Li Kharoshthi
  Khitan_Small_Script Khmer Khojki Khudawadi Kirat_Rai Lao Latin Lepcha Limbu Linear_A Linear_B Lisu Lycian Lydian
  Mahajani Makasar Malayalam Mandaic Manichaean Marchen Masaram_Gondi Medefaidrin Meetei_Mayek Mende_Kikakui
  Meroitic_Cursive Meroitic_Hieroglyphs Miao Modi Mongolian Mro Multani Myanmar Nabataean Nag_Mundari Nandinagari
  New_Tai_Lue Newa Nko Nushu Nyiakeng_Puachue_Hmong Ogham Ol_Chiki Ol_Onal Old_Hungarian Old_Italic
  Old_North_Arabian Old_Permic Old_Persian Old_Sogdian Old_South_Arabian Old_Turkic Old_Uyghur Oriya Osage Osmanya
  Pahawh_Hmong Palmyrene Pau_Cin_Hau Phags_Pa Phoenician Psalter_Pahlavi Rejang Runic Samaritan Saurashtra Sharada
  Shavian Siddham Sidetic SignWriting Sinhala Sogdian Sora_Sompeng Soyombo Sundanese Sunuwar Syloti_Nagri Syriac
  Tagalog Tagbanwa Tai_Le Tai_Tham Tai_Viet Tai_Yo Takri Tamil Tangsa Tangut Telugu Thaana Thai Tibetan Tifinagh
  Tirhuta Todhri Tolong_Siki Toto Tulu_Tigalari Ugaritic Unknown Vai Vithkuqi Wancho Warang_Citi Yezidi Yi
  Zanabazar_Square`

const points = Array.from({ length: 0x110000 }, (_, i) => String.fromCodePoint(i))

const table = (expression) => {
  const re = new RegExp(`^\\p{${expression}}$`, 'u')
  const runs = []
  let inside = false
  let length = 0
  for (const p of points) {
    if (re.test(p) !== inside) {
      runs.push(length)
      inside = !inside
      length = 0
    }
    length++
  }
  if (inside) runs.push(length)
  return runs.map((n) => n.toString(36)).join(' ')
}

const known = (expression) => {
  try { return new RegExp(`\\p{${expression}}`, 'u') } catch { return undefined }
}

const words = (text) => text.trim().split(/\s+/)
const lines = []
const add = (kind, names, prefix) => {
  const list = names.split(',').filter((n) => known(prefix + n))
  if (list.length) lines.push(`${kind}:${list.join(',')} ${table(prefix + list[0])}`.trim())
}
for (const names of words(binary)) add('bin', names, '')
for (const names of words(categories)) add('gc', names, 'gc=')

const letters = 'abcdefghijklmnopqrstuvwxyz'
const byTable = new Map()
const script = (name) => {
  if (!known('sc=' + name)) return
  const key = table('sc=' + name)
  byTable.set(key, [...(byTable.get(key) ?? []), name])
}
for (const name of words(scripts)) script(name)
for (const w of letters.toUpperCase()) {
  for (const x of letters) for (const y of letters) for (const z of letters) script(w + x + y + z)
}
for (const [key, names] of byTable) {
  const list = [...new Set(names)].join(',')
  lines.push(`sc:${list} ${key}`.trim())
  const wide = table('scx=' + names[0])
  if (wide !== key) lines.push(`scx:${list} ${wide}`.trim())
}
writeFileSync(new URL('unicode.txt', import.meta.url), lines.sort().join('\n') + '\n')
