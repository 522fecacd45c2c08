// Runs every [source] of the JSON list on stdin as a strict function and prints what it gives, encoded as text.
import { readFileSync } from 'node:fs';
const list = JSON.parse(readFileSync(0, 'utf8'));
const seen = [];
function enc(v) {
  if (v === undefined) return 'undefined';
  if (v === null) return 'null';
  switch (typeof v) {
    case 'number': return Object.is(v, -0) ? '-0' : String(v);
    case 'string': return JSON.stringify(v);
    case 'boolean': return String(v);
    case 'object': break;
    default: return typeof v;
  }
  if (seen.includes(v)) return '<cycle>';
  seen.push(v);
  try {
    if (Array.isArray(v)) {
      const out = [];
      for (let i = 0; i < v.length; i++) out.push(i in v ? enc(v[i]) : 'hole');
      const extra = Object.keys(v).length > v.length ? '<more>' : '';
      return '[' + out.join(',') + ']' + extra;
    }
    const props = Object.keys(v).map((k) => JSON.stringify(k) + ':' + enc(v[k])).join(',');
    if (v instanceof Error) {
      const cause = Object.hasOwn(v, 'cause') ? ' cause ' + enc(v.cause) : '';
      return 'Error<' + v.name + '|' + JSON.stringify(v.message) + '|' + props + cause + '>';
    }
    if (Object.getPrototypeOf(v) !== Object.prototype) return '<' + Object.prototype.toString.call(v) + '>';
    return '{' + props + '}';
  } finally {
    seen.pop();
  }
}
const out = list.map((src) => {
  try {
    return enc(new Function('"use strict";' + src)());
  } catch (e) {
    return 'throws ' + enc(e);
  }
});
process.stdout.write(JSON.stringify(out));
