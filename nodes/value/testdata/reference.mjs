// Reads one call per line, "op<TAB>argument<TAB>…", and writes what Node makes of it, one line per line.
// Values: n + 16 hex digits of the double, s + hex of UTF-16 code units, j + the same of JSON text,
// t f z u for true false null undefined, e + hex of "Name: message" for an exception.
import { readFileSync, writeSync } from 'node:fs'

const view = new DataView(new ArrayBuffer(8))
const hex = s => { let h = ''; for (let i = 0; i < s.length; i++) h += s.charCodeAt(i).toString(16).padStart(4, '0'); return h }
const unhex = h => { const u = []; for (let i = 0; i < h.length; i += 4) u.push(parseInt(h.slice(i, i + 4), 16))
  let s = ''; for (let i = 0; i < u.length; i += 4096) s += String.fromCharCode(...u.slice(i, i + 4096)); return s }
const decode = a => {
  switch (a[0]) {
    case 'n': view.setBigUint64(0, BigInt('0x' + a.slice(1))); return view.getFloat64(0)
    case 's': return unhex(a.slice(1))
    case 'j': return JSON.parse(unhex(a.slice(1)))
    case 't': return true
    case 'f': return false
    case 'z': return null
  }
  return undefined
}
const encode = v => {
  switch (typeof v) {
    case 'number':
      if (v !== v) return 'n7ff8000000000001'
      view.setFloat64(0, v); return 'n' + view.getBigUint64(0).toString(16).padStart(16, '0')
    case 'string': return 's' + hex(v)
    case 'boolean': return v ? 't' : 'f'
    case 'undefined': return 'u'
  }
  return v === null ? 'z' : 'j' + hex(JSON.stringify(v))
}
const ops = {
  '+': (a, b) => a + b, '-': (a, b) => a - b, '*': (a, b) => a * b, '/': (a, b) => a / b, '%': (a, b) => a % b,
  '**': (a, b) => a ** b, '&': (a, b) => a & b, '|': (a, b) => a | b, '^': (a, b) => a ^ b, '<<': (a, b) => a << b,
  '>>': (a, b) => a >> b, '>>>': (a, b) => a >>> b, '<': (a, b) => a < b, '>': (a, b) => a > b, '<=': (a, b) => a <= b,
  '>=': (a, b) => a >= b, '==': (a, b) => a == b, '===': (a, b) => a === b, is: Object.is,
  neg: a => -a, bitnot: a => ~a, typeof: a => typeof a, bool: a => !!a, number: a => Number(a), string: a => `${a}`,
  toFixed: (a, n) => a.toFixed(n), toPrecision: (a, n) => a.toPrecision(n), toExponential: (a, n) => a.toExponential(n),
  radix: (a, n) => a.toString(n), parseFloat: a => parseFloat(a), parseInt: (a, n) => parseInt(a, n),
  length: s => s.length, charCodeAt: (s, i) => s.charCodeAt(i), codePointAt: (s, i) => s.codePointAt(i),
  substring: (s, a, b) => s.substring(a, b), indexOf: (s, t, i) => s.indexOf(t, i), lastIndexOf: (s, t, i) => s.lastIndexOf(t, i),
  concat: (...s) => s.join(''), wellFormed: s => s.isWellFormed(), toWellFormed: s => s.toWellFormed(),
  trim: s => s.trim(), trimStart: s => s.trimStart(), trimEnd: s => s.trimEnd(),
  upper: s => s.toUpperCase(), lower: s => s.toLowerCase(), points: s => [...s].join('|'),
  join: (a, s) => a.join(s), reparse: s => JSON.stringify(JSON.parse(s)), stringify: v => JSON.stringify(v),
  indent: (v, gap, allow) => JSON.stringify(v, allow, gap), int32: a => a | 0, keys: v => Object.keys(v).join('|'),
  utf8: h => new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.from(h, 'latin1')),
  errorString: (n, m) => { const e = new Error(m); Object.defineProperty(e, 'name', { value: n }); return String(e) },
  errorJSON: (n, m, p, allow) => { const e = Object.assign(new Error(m), p); Object.defineProperty(e, 'name', { value: n, enumerable: false }); return JSON.stringify(e, allow) },
}
const out = []
for (const line of readFileSync(0, 'latin1').split('\n')) {
  if (!line) continue
  const [op, ...args] = line.split('\t')
  try { out.push(encode(ops[op](...args.map(decode)))) } catch (e) { out.push('e' + hex(`${e.name}: ${e.message}`)) }
}
let rest = Buffer.from(out.join('\n') + '\n', 'latin1')
while (rest.length) {
  try { rest = rest.subarray(writeSync(1, rest)) } catch (e) { if (e.code !== 'EAGAIN') throw e }
}
