// group by
const groups = {};
for (const it of items) {
  const k = it.cat;
  if (!groups[k]) groups[k] = [];
  groups[k].push(it.name);
}
return groups;
// ---
const byCat = items.reduce((acc, it) => { (acc[it.cat] ??= []).push(it); return acc; }, {});
return Object.entries(byCat).map(([cat, list]) => ({ cat, count: list.length, total: list.reduce((s, x) => s + x.price * x.qty, 0) }));
// ---
const sorted = [...items].sort((a, b) => b.price - a.price || a.name.localeCompare(b.name));
return sorted.slice(0, 3).map((x) => x.name);
// ---
const sorted = [...items].sort((a, b) => b.price - a.price || (a.name < b.name ? -1 : 1));
return sorted.slice(0, 3).map((x) => `${x.name}: $${x.price.toFixed(2)}`).join("\n");
// ---
return [...new Set(words.map((w) => w.toLowerCase()))];
// ---
const seen = new Set();
return users.filter((u) => { if (seen.has(u.age)) return false; seen.add(u.age); return true; }).map((u) => u.name);
// ---
const header = ["id", "name", "price"];
const rows = items.map((i) => header.map((h) => String(i[h])));
const widths = header.map((h, c) => Math.max(h.length, ...rows.map((r) => r[c].length)));
const line = (r) => "| " + r.map((x, c) => x.padEnd(widths[c])).join(" | ") + " |";
return [line(header), "|" + widths.map((w) => "-".repeat(w + 2)).join("|") + "|", ...rows.map(line)].join("\n");
// ---
function parseLine(s) {
  const out = [];
  let cur = "", quoted = false;
  for (let i = 0; i < s.length; i++) {
    const ch = s[i];
    if (quoted) {
      if (ch === '"' && s[i + 1] === '"') { cur += '"'; i++; }
      else if (ch === '"') quoted = false;
      else cur += ch;
    } else if (ch === '"') quoted = true;
    else if (ch === ",") { out.push(cur.trim()); cur = ""; }
    else cur += ch;
  }
  out.push(cur.trim());
  return out;
}
return lines.split("\n").filter((l) => l.trim()).map(parseLine);
// ---
const re = /^(\S+) (ERROR|WARN|INFO) \[(\w+)\] (.*)$/;
return log.split("\n").filter(Boolean).map((l) => {
  const m = l.match(re);
  if (!m) return null;
  const [, at, level, source, message] = m;
  return { at, level, source, message };
});
// ---
const counts = {};
for (const m of log.matchAll(/\b(ERROR|WARN|INFO)\b/g)) counts[m[1]] = (counts[m[1]] || 0) + 1;
return counts;
// ---
const re = /(?<code>\d{3}) (?<ms>\d+)ms/g;
let m, out = [];
while ((m = re.exec(log)) !== null) out.push({ code: Number(m.groups.code), ms: +m.groups.ms, at: m.index });
return out;
// ---
const errs = log.split("\n").filter((l) => l.includes("ERROR"));
let report = `# Report\n\n${errs.length} error${errs.length === 1 ? "" : "s"}\n`;
errs.forEach((e, i) => { report += `${i + 1}. ${e.slice(21)}\n`; });
return report;
// ---
return items.map((i) => new Date(i.at).toISOString().slice(0, 10));
// ---
const day = 24 * 60 * 60 * 1000;
return items.map((i) => Math.floor((Date.UTC(2024, 2, 10) - new Date(i.at).getTime()) / day));
// ---
return items.filter((i) => new Date(i.at) >= new Date("2024-02-01")).map((i) => i.id);
// ---
const ts = items.map((i) => Date.parse(i.at));
return { min: new Date(Math.min(...ts)).toISOString(), max: new Date(Math.max(...ts)).toISOString() };
// ---
const params = { q: "a b&c", page: 2, empty: undefined, tag: "é" };
return "/search?" + Object.entries(params).filter(([, v]) => v !== undefined).map(([k, v]) => `${encodeURIComponent(k)}=${encodeURIComponent(v)}`).join("&");
// ---
const wrap = (s, n) => {
  const out = [];
  let line = "";
  for (const w of s.split(" ")) {
    if ((line + " " + w).trim().length > n) { out.push(line); line = w; }
    else line = (line + " " + w).trim();
  }
  if (line) out.push(line);
  return out;
};
return wrap(text, 12);
// ---
const freq = new Map();
for (const ch of text.toLowerCase().replace(/[^a-z]/g, "")) freq.set(ch, (freq.get(ch) ?? 0) + 1);
return [...freq.entries()].sort((a, b) => b[1] - a[1] || a[0].charCodeAt(0) - b[0].charCodeAt(0)).slice(0, 5);
// ---
const { total, perPage } = page;
const pages = Math.ceil(total / perPage);
return Array.from({ length: pages }, (_, i) => ({ offset: i * perPage, limit: Math.min(perPage, total - i * perPage) }));
// ---
const chunk = (a, n) => a.length ? [a.slice(0, n), ...chunk(a.slice(n), n)] : [];
return chunk(nums, 2);
// ---
const chunks = [];
for (let i = 0; i < nums.length; i += 2) chunks.push(nums.slice(i, i + 2));
return chunks;
// ---
return users.map(({ name, email, address: { city } = {} }) => ({ name, email: email ?? "n/a", city }));
// ---
return users.map((u) => u?.address?.city?.toUpperCase() ?? "unknown");
// ---
return users.filter((u) => u.roles.includes("dev") && u.age < 30).map((u) => u.name);
// ---
const total = items.reduce((s, i) => s + i.price * i.qty, 0);
return { total: Math.round(total * 100) / 100, avg: total / items.length };
// ---
const flat = {};
const walk = (o, p) => {
  for (const [k, v] of Object.entries(o)) {
    const key = p ? `${p}.${k}` : k;
    if (v && typeof v === "object" && !Array.isArray(v)) walk(v, key);
    else flat[key] = v;
  }
};
walk(obj, "");
return flat;
// ---
const get = (o, path) => path.split(".").reduce((x, k) => (x == null ? undefined : x[k]), o);
return [get(obj, "nested.x.2.y"), get(obj, "nope.a.b"), get(obj, "nil.x")];
// ---
const idx = Object.fromEntries(items.map((i) => [i.id, i]));
return Object.keys(idx).map((k) => idx[k].name);
// ---
const tags = [...new Set(items.flatMap((i) => i.tags))].sort();
return tags.map((t) => ({ tag: t, n: items.filter((i) => i.tags.includes(t)).length }));
// ---
try { return JSON.parse(json); } catch (e) { return { error: e.message }; }
// ---
let parsed = null;
try { parsed = JSON.parse(text); } catch (e) { parsed = { error: e.message, name: e.name, ok: e instanceof SyntaxError }; }
return parsed;
// ---
const parts = text.split(/\s+/);
return { words: parts.length, longest: parts.reduce((a, b) => (b.length > a.length ? b : a), ""), initials: parts.map((p) => p[0].toUpperCase()).join("") };
// ---
const title = text.toLowerCase().split(" ").map((w) => w.charAt(0).toUpperCase() + w.slice(1)).join(" ");
const slug = title.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
const camel = slug.replace(/-([a-z])/g, (_, c) => c.toUpperCase());
return { title, slug, camel };
// ---
const truncate = (s, n) => (s.length > n ? s.slice(0, n - 1) + "…" : s);
return [truncate(text, 10), truncate("short", 10)];
// ---
const matrix = [[1, 2, 3], [4, 5, 6]];
return matrix[0].map((_, c) => matrix.map((r) => r[c]));
// ---
const fib = (n) => (n < 2 ? n : fib(n - 1) + fib(n - 2));
return fib(15);
// ---
const memo = {};
const fib = (n) => memo[n] ?? (memo[n] = n < 2 ? n : fib(n - 1) + fib(n - 2));
return [fib(50), Object.keys(memo).length];
// ---
const median = (a) => { const s = [...a].sort((x, y) => x - y), m = s.length >> 1; return s.length % 2 ? s[m] : (s[m - 1] + s[m]) / 2; };
const mean = nums.reduce((a, b) => a + b) / nums.length;
const sd = Math.sqrt(nums.reduce((s, x) => s + (x - mean) ** 2, 0) / nums.length);
return { median: median(nums), mean, sd };
// ---
const prices = items.map((i) => i.price);
const pct = (p) => { const s = prices.slice().sort((a, b) => a - b); return s[Math.min(s.length - 1, Math.floor(p / 100 * s.length))]; };
return [50, 90, 99].map(pct);
// ---
const merged = { ...obj, a: 99, extra: { ...obj.nested } };
delete merged.nil;
return merged;
// ---
const diff = (a, b) => ({ added: b.filter((x) => !a.includes(x)), removed: a.filter((x) => !b.includes(x)) });
return diff([1, 2, 3], [2, 3, 4]);
// ---
const stack = [];
const pairs = { ")": "(", "]": "[", "}": "{" };
for (const c of "([{}])(") {
  if ("([{".includes(c)) stack.push(c);
  else if (stack.pop() !== pairs[c]) return "unbalanced";
}
return stack.length === 0 ? "ok" : `open: ${stack}`;
// ---
const stack = [];
const pairs = { ")": "(", "]": "[", "}": "{" };
let ok = true;
for (const c of "([{}])") {
  if ("([{".includes(c)) stack.push(c);
  else if (stack.pop() !== pairs[c]) { ok = false; break; }
}
return ok && stack.length === 0;
// ---
const queue = [[0, nested]];
const depths = [];
while (queue.length) {
  const [d, x] = queue.shift();
  for (const y of x) Array.isArray(y) ? queue.push([d + 1, y]) : depths.push([y, d]);
}
return depths;
// ---
const edges = { a: ["b", "c"], b: ["d"], c: ["d"], d: [] };
const order = [], mark = new Set();
const visit = (n) => { if (mark.has(n)) return; mark.add(n); edges[n].forEach(visit); order.unshift(n); };
Object.keys(edges).forEach(visit);
return order;
// ---
const rows = lines.trim().split("\n").filter((l) => l).map((l) => l.split(","));
const keys = ["name", "n", "note"];
return rows.map((r) => Object.fromEntries(keys.map((k, i) => [k, r[i] ?? null])));
// ---
const esc = (v) => { const s = String(v ?? ""); return /[",\n]/.test(s) ? `"${s.replace(/"/g, '""')}"` : s; };
return users.map((u) => [u.name, u.email, u.roles.join(";")].map(esc).join(",")).join("\n");
// ---
const html = "<p>Hello <b>world</b> &amp; co</p>";
return html.replace(/<[^>]+>/g, "").replace(/&amp;/g, "&").trim();
// ---
const md = "# Title\n\nSome [link](http://x.y/z) and [other](https://a.b).\n## Sub";
return { links: [...md.matchAll(/\[([^\]]+)\]\((https?:\/\/[^)]+)\)/g)].map(([, t, u]) => ({ t, u })), heads: md.split("\n").filter((l) => /^#+ /.test(l)).map((l) => l.replace(/^#+\s*/, "")) };
// ---
const emails = (users.map((u) => u.email).join(" ").match(/[\w.+-]+@[\w-]+\.[\w.]+/g) || []).map((e) => e.split("@")[1]);
return emails;
// ---
const url = "https://api.example.com:8080/v1/items?x=1&y=two%20words#frag";
const m = /^(https?):\/\/([^:/]+)(?::(\d+))?([^?#]*)(?:\?([^#]*))?/.exec(url);
const query = Object.fromEntries(m[5].split("&").map((p) => p.split("=").map(decodeURIComponent)));
return { scheme: m[1], host: m[2], port: Number(m[3]), path: m[4], query };
// ---
const version = (s) => s.split(".").map(Number);
const cmp = (a, b) => { const x = version(a), y = version(b); for (let i = 0; i < 3; i++) if (x[i] !== y[i]) return x[i] - y[i]; return 0; };
return ["1.10.0", "1.2.3", "1.2.10"].sort(cmp);
// ---
const bytes = (n) => { const u = ["B", "KB", "MB", "GB"]; let i = 0; while (n >= 1024 && i < u.length - 1) { n /= 1024; i++; } return `${n.toFixed(i ? 1 : 0)} ${u[i]}`; };
return [0, 512, 2048, 5242880, 1e12].map(bytes);
// ---
const dur = (ms) => { const s = Math.floor(ms / 1000); return `${Math.floor(s / 3600)}h ${Math.floor(s % 3600 / 60)}m ${s % 60}s`; };
return [3723000, 59999, 0].map(dur);
// ---
const commas = (n) => n.toString().replace(/\B(?=(\d{3})+(?!\d))/g, ",");
return [1, 1234, 1234567, 12345678].map(commas);
// ---
const hist = nums.map((n) => `${n} ${"█".repeat(n)}`).join("\n");
return hist;
// ---
let i = 0, out = [];
outer: for (const a of nums) {
  for (const b of nums) {
    if (a === b) continue;
    if (a + b === 7) { out.push([a, b]); continue outer; }
    if (++i > 20) break outer;
  }
}
return { i, out };
// ---
const kind = (x) => { switch (typeof x) { case "number": return x > 2 ? "big" : "small"; case "string": return "text"; case "object": if (x === null) return "null"; default: return "other"; } };
return mixed.map(kind);
// ---
let s = "";
switch (nums.length) { case 4: s += "four"; case 5: s += "five"; case 6: s += "six"; break; default: s = "none"; }
return s;
// ---
const fns = [];
for (let i = 0; i < 3; i++) fns.push(() => i * 10);
return fns.map((f) => f());
// ---
const compose = (...fs) => (x) => fs.reduceRight((v, f) => f(v), x);
return compose((x) => x + 1, (x) => x * 2)(5);
// ---
const pick = (o, ...keys) => Object.fromEntries(keys.filter((k) => k in o).map((k) => [k, o[k]]));
const omit = (o, ...keys) => Object.fromEntries(Object.entries(o).filter(([k]) => !keys.includes(k)));
return [pick(obj, "a", "zz", "10"), omit(obj, "nested")];
// ---
const deepEqual = (a, b) => a === b || (typeof a === "object" && typeof b === "object" && a && b && Object.keys(a).length === Object.keys(b).length && Object.keys(a).every((k) => deepEqual(a[k], b[k])));
return [deepEqual(obj, JSON.parse(JSON.stringify(obj))), deepEqual({ a: [1] }, { a: [1] }), deepEqual({ a: 1 }, { a: 2 })];
// ---
const tree = [{ id: 1, p: null }, { id: 2, p: 1 }, { id: 3, p: 1 }, { id: 4, p: 2 }];
const build = (p) => tree.filter((n) => n.p === p).map((n) => ({ id: n.id, kids: build(n.id) }));
return build(null);
// ---
const nodes = [{ id: 1, p: null }, { id: 2, p: 1 }, { id: 3, p: 1 }].map((n) => ({ ...n, kids: [] }));
const byId = new Map(nodes.map((n) => [n.id, n]));
const roots = [];
for (const n of nodes) (n.p === null ? roots : byId.get(n.p).kids).push(n);
return roots;
// ---
const { items: list, next, ...rest } = page;
return { list, hasNext: !!next, rest };
// ---
const [first, , third = "d", ...others] = nums;
let a = 1, b = 2;
[a, b] = [b, a];
return { first, third, others, a, b };
// ---
const inventory = items.map((i) => ({ ...i, status: i.qty === 0 ? "out" : i.qty < 5 ? "low" : "ok" }));
return inventory.filter((i) => i.status !== "ok").map(({ name, status }) => `${name} (${status})`);
// ---
if (!Array.isArray(items) || items.length === 0) throw new Error("no items");
const bad = items.find((i) => i.qty < 0);
if (bad) throw new RangeError(`negative quantity for ${bad.name}`);
return "valid";
// ---
const missing = ["name", "email"].filter((k) => users.some((u) => u[k] == null));
if (missing.length) throw new Error(`missing: ${missing.join(", ")}`, { cause: { missing } });
return "fine";
// ---
const results = [];
for (const u of users) {
  try {
    results.push(u.address.city.toUpperCase());
  } catch (e) {
    results.push(`${e.name}: ${e.message}`);
  } finally {
    results.push("-");
  }
}
return results;
// ---
const retry = (f, n) => { for (let i = 0; ; i++) { try { return f(i); } catch (e) { if (i >= n) throw e; } } };
return retry((i) => { if (i < 2) throw new Error("try " + i); return "got " + i; }, 5);
// ---
const out = {};
for (const k in obj) if (typeof obj[k] === "number") out[k] = obj[k] * 2;
return out;
// ---
const bins = Array(5).fill(0);
for (const u of users) bins[Math.min(4, Math.floor(u.age / 10))]++;
return bins;
// ---
const grid = Array.from({ length: 3 }, () => new Array(3).fill("."));
grid[1][1] = "#";
return grid.map((r) => r.join("")).join("\n");
// ---
const a = "kitten", b = "sitting";
const d = Array.from({ length: a.length + 1 }, (_, i) => [i, ...Array(b.length).fill(0)]);
for (let j = 1; j <= b.length; j++) d[0][j] = j;
for (let i = 1; i <= a.length; i++) for (let j = 1; j <= b.length; j++) d[i][j] = Math.min(d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
return d[a.length][b.length];
// ---
const tf = {};
text.toLowerCase().split(/\W+/).forEach((w) => { tf[w] = (tf[w] || 0) + 1; });
return Object.entries(tf).sort(([, x], [, y]) => y - x).slice(0, 2);
// ---
let hash = 0;
for (let i = 0; i < text.length; i++) hash = ((hash << 5) - hash + text.charCodeAt(i)) | 0;
return (hash >>> 0).toString(16).padStart(8, "0");
// ---
const bin = (n) => n.toString(2).padStart(8, "0");
return [5, 255, 128].map(bin).concat(parseInt("ff", 16));
// ---
const primes = [];
for (let n = 2; primes.length < 15; n++) if (primes.every((p) => n % p)) primes.push(n);
return primes;
// ---
let csv = "id,name,total\n";
let sum = 0;
for (const { id, name, price, qty } of items) { const t = +(price * qty).toFixed(2); sum += t; csv += [id, name, t].join(",") + "\n"; }
csv += `,,${sum.toFixed(2)}`;
return csv;
// ---
const keyed = new Map();
for (const i of items) { const k = `${i.cat}|${i.price > 20}`; if (!keyed.has(k)) keyed.set(k, { k, ids: [] }); keyed.get(k).ids.push(i.id); }
return [...keyed.values()];
// ---
const interval = [[1, 3], [2, 6], [8, 10], [9, 12]];
const merged = interval.sort((a, b) => a[0] - b[0]).reduce((acc, [s, e]) => { const last = acc[acc.length - 1]; if (last && s <= last[1]) last[1] = Math.max(last[1], e); else acc.push([s, e]); return acc; }, []);
return merged;
// ---
const msg = users.length > 1 ? `${users.slice(0, -1).map((u) => u.name).join(", ")} and ${users.at(-1).name}` : users[0]?.name;
return msg;
// ---
const env = "A=1\n# c\nB = two words \nC=\"q\"\n\nbad";
return Object.fromEntries(env.split("\n").map((l) => l.trim()).filter((l) => l && !l.startsWith("#") && l.includes("=")).map((l) => { const i = l.indexOf("="); return [l.slice(0, i).trim(), l.slice(i + 1).trim().replace(/^"(.*)"$/, "$1")]; }));
// ---
const tmpl = "Hi {{name}}, you owe {{ amount }} {{x}}";
const vars = { name: "Ann", amount: 3.5 };
return tmpl.replace(/\{\{\s*(\w+)\s*\}\}/g, (all, k) => (k in vars ? String(vars[k]) : all));
// ---
const body = JSON.stringify({ model: "m", messages: users.map((u) => ({ role: "user", content: `Hello ${u.name}` })), opts: { t: 0.7, n: undefined } }, null, 2);
return body;
// ---
const patch = "@@ -1,3 +1,4 @@\n a\n-b\n+c\n+d\n";
const add = (patch.match(/^\+/gm) || []).length, del = (patch.match(/^-/gm) || []).length;
return { add, del };
// ---
const snake = (s) => s.replace(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase();
return ["userName", "HTTPServer", "aB1C"].map(snake);
// ---
const keys = new Set(users.flatMap((u) => Object.keys(u)));
return [...keys].every((k) => typeof k === "string") && keys.size;
// ---
const zip = (...as) => as[0].map((_, i) => as.map((a) => a[i]));
return zip([1, 2], ["a", "b"], [true, false]);
// ---
const range = (a, b, s = 1) => Array.from({ length: Math.ceil((b - a) / s) }, (_, i) => a + i * s);
return range(0, 10, 3).concat(range(5, 7));
// ---
const cart = { items: [{ p: 10, q: 2 }, { p: 5.5, q: 1 }], coupon: null };
const subtotal = cart.items.reduce((t, { p, q }) => t + p * q, 0);
const discount = cart.coupon?.pct ?? 0;
return { subtotal, discount, total: subtotal * (1 - discount / 100), tax: Number((subtotal * 0.0825).toFixed(2)) };
// ---
const bySize = (a, b) => a.length - b.length;
const ws = text.split(" ");
ws.sort(bySize).reverse();
return ws;
// ---
items.sort((a, b) => a.qty - b.qty);
items[0].name = "first";
return items.map((i) => i.name);
// ---
users.push({ name: "Eve" });
users.forEach((u, i) => { u.index = i; delete u.roles; });
return users;
// ---
const last = nums.pop();
nums.unshift(last);
nums.length = 3;
return nums;
// ---
const h = new Date("2024-03-01T10:00:00Z");
return [h.getUTCFullYear(), h.getUTCMonth() + 1, h.getUTCDay(), h.toJSON(), h.toUTCString(), h - new Date(0), +h];
// ---
const months = ["Jan", "Feb", "Mar"];
const at = new Date(items[0].at);
return `${at.getUTCDate()} ${months[at.getUTCMonth()]} ${at.getUTCFullYear()}`;
// ---
const week = (s) => { const d = new Date(s); const day = d.getUTCDay() || 7; return new Date(d.getTime() + (4 - day) * 864e5).toISOString().slice(0, 10); };
return items.map((i) => week(i.at));
// ---
const now = new Date("2024-03-10T00:00:00Z");
return items.map((i) => new Date(i.at).getFullYear() === now.getFullYear());
