// console, with text as Node's util.format and util.inspect (lib/internal/util/inspect.js) give it for common values.
(function ({ give, native }) {
  const ident = /^[a-zA-Z_][a-zA-Z_0-9]*$/
  const breakLength = 80
  const errorName = Error.prototype.toString

  const hex = (code) => code.toString(16).toUpperCase()

  const quote = (s) => {
    let q = "'"
    if (s.includes("'")) {
      if (!s.includes('"')) q = '"'
      else if (!s.includes('`') && !s.includes('${')) q = '`'
    }
    const esc = {
      '\n': '\\n', '\r': '\\r', '\t': '\\t', '\b': '\\b', '\f': '\\f', '\v': '\\v', '\\': '\\\\', [q]: '\\' + q,
    }
    let out = q
    for (const c of s) {
      const code = c.charCodeAt(0)
      if (esc[c] !== undefined) out += esc[c]
      else if (code < 0x20 || (code >= 0x7f && code <= 0x9f)) out += '\\x' + hex(code).padStart(2, '0')
      else if (c.length === 1 && code >= 0xd800 && code <= 0xdfff) out += '\\u' + hex(code)
      else out += c
    }
    return out + q
  }

  const number = (n) => (Object.is(n, -0) ? '-0' : String(n))

  const primitive = (ctx, v) => {
    switch (typeof v) {
      case 'string': {
        if (v.length > 10000) return quote(v.slice(0, 10000)) + more(v.length - 10000, 'character')
        if (v.length > 16 && v.length > breakLength - ctx.indent - 4 && v.includes('\n')) {
          return v.split(/(?<=\n)/).map(quote).join(` +\n${' '.repeat(ctx.indent + 2)}`)
        }
        return quote(v)
      }
      case 'number': return number(v)
      case 'bigint': return v + 'n'
      case 'symbol': return v.toString()
      default: return String(v)
    }
  }

  const more = (n, what) => `... ${n} more ${what}${n > 1 ? 's' : ''}`

  const nameOf = (v) => {
    for (let o = v; o !== null && o !== undefined; o = Object.getPrototypeOf(o)) {
      const d = Object.getOwnPropertyDescriptor(o, 'constructor')
      if (d !== undefined && typeof d.value === 'function' && d.value.name !== '') return d.value.name
    }
    return null
  }

  const prefix = (name, fallback, size) => {
    const n = size === undefined ? '' : `(${size})`
    return name === null ? `[${fallback}${n}: null prototype] ` : `${name}${n} `
  }

  const funcBase = (v, name) => {
    const src = Function.prototype.toString.call(v)
    if (src.startsWith('class')) {
      const parent = Object.getPrototypeOf(v)
      const ext = parent && parent.name ? ` extends ${parent.name}` : ''
      return `[class ${v.name || '(anonymous)'}${ext}]`
    }
    const kind = { AsyncFunction: 'AsyncFunction', GeneratorFunction: 'GeneratorFunction' }[name] || 'Function'
    return v.name ? `[${kind}: ${v.name}]` : `[${kind} (anonymous)]`
  }

  const errorBase = (e) => {
    const text = String(apply(errorName, e))
    return text
  }
  const apply = (f, self) => Reflect.apply(f, self, [])

  const ownKeys = (v) => [
    ...Object.keys(v),
    ...Object.getOwnPropertySymbols(v).filter((s) => Object.prototype.propertyIsEnumerable.call(v, s)),
  ]

  // shape says how the object is written: braces, the entries before its own properties, or a base alone.
  const shape = (ctx, v, depth) => {
    const name = nameOf(v)
    const inner = (x) => inspect(ctx, x, depth + 1)
    const indented = (x) => {
      ctx.indent += 2
      try { return inner(x) } finally { ctx.indent -= 2 }
    }
    if (Array.isArray(v)) {
      const pre = name === 'Array' ? '' : prefix(name, 'Array', v.length)
      const keys = ownKeys(v).filter((k) => typeof k === 'symbol' || k >>> 0 !== Number(k))
      return { open: pre + '[', close: ']', array: true, keys,
        entries: () => elements(ctx, v, indented) }
    }
    if (v instanceof Set) {
      return { open: prefix(name, 'Set', v.size) + '{', close: '}', keys: ownKeys(v),
        entries: () => limited([...v], v.size, indented) }
    }
    if (v instanceof Map) {
      return { open: prefix(name, 'Map', v.size) + '{', close: '}', keys: ownKeys(v),
        entries: () => limited([...v], v.size, ([k, x]) => `${indented(k)} => ${indented(x)}`) }
    }
    if (ArrayBuffer.isView(v) && !(v instanceof DataView)) {
      return { open: prefix(name, 'TypedArray', v.length) + '[', close: ']', array: true, keys: [],
        entries: () => limited(Array.from(v.slice(0, 100)), v.length, (x) => primitive(ctx, x)) }
    }
    if (typeof v === 'function') return { base: funcBase(v, name), keys: ownKeys(v) }
    if (v instanceof RegExp) return { base: RegExp.prototype.toString.call(v), keys: ownKeys(v) }
    if (v instanceof Date) {
      return { base: isNaN(v.getTime()) ? 'Invalid Date' : v.toISOString(), keys: ownKeys(v) }
    }
    if (v instanceof Error) {
      const keys = ownKeys(v)
      if (Object.hasOwn(v, 'cause') && !keys.includes('cause')) keys.push('cause')
      if (Array.isArray(v.errors) && !keys.includes('errors')) keys.push('errors')
      return { base: errorBase(v), keys, hidden: true }
    }
    if (v instanceof Number || v instanceof String || v instanceof Boolean) {
      const type = v instanceof Number ? 'Number' : v instanceof String ? 'String' : 'Boolean'
      return { base: `[${type}: ${primitive({ indent: 0 }, v.valueOf())}]`, keys: type === 'String' ? [] : ownKeys(v) }
    }
    if (v instanceof Promise) {
      return { open: 'Promise {', close: '}', keys: ownKeys(v), entries: () => {
        const [state, x] = native.promise(v)
        return [state === 'pending' ? '<pending>' : state === 'rejected' ? `<rejected> ${indented(x)}` : indented(x)]
      } }
    }
    if (v instanceof WeakMap || v instanceof WeakSet) return { base: `${name} { <items unknown> }`, keys: [] }
    const tag = v[Symbol.toStringTag]
    let pre = name === 'Object' ? '' : prefix(name, 'Object')
    if (typeof tag === 'string' && tag !== '' && tag !== name) pre = `${prefix(name, 'Object').trim()} [${tag}] `
    return { open: pre + '{', close: '}', keys: ownKeys(v), entries: () => [] }
  }

  const limited = (list, size, each) => {
    const out = list.slice(0, 100).map(each)
    if (size > 100) out.push(more(size - 100, 'item'))
    return out
  }

  const elements = (ctx, v, each) => {
    const out = []
    for (let i = 0; i < v.length && out.length < 100; i++) {
      if (i in v) {
        out.push(each(v[i]))
        continue
      }
      let n = 1
      while (i + 1 < v.length && !(i + 1 in v)) {
        i++
        n++
      }
      out.push(`<${n} empty item${n > 1 ? 's' : ''}>`)
    }
    if (v.length > 100 && out.length === 100) out.push(more(v.length - 100, 'item'))
    return out
  }

  const property = (ctx, v, key, depth, isArray) => {
    const d = Object.getOwnPropertyDescriptor(v, key)
    let text
    if (d !== undefined && (d.get || d.set)) text = d.get ? (d.set ? '[Getter/Setter]' : '[Getter]') : '[Setter]'
    else {
      const diff = isArray ? 2 : 2
      ctx.indent += diff
      text = inspect(ctx, d === undefined ? v[key] : d.value, depth + 1)
      ctx.indent -= diff
    }
    let label
    if (typeof key === 'symbol') label = `[${key.toString()}]`
    else if (key === '__proto__') label = "['__proto__']"
    else if (d !== undefined && !d.enumerable) label = `[${key}]`
    else label = ident.test(key) ? key : quote(key)
    return `${label}: ${text}`
  }

  const inspect = (ctx, v, depth) => {
    if ((typeof v !== 'object' && typeof v !== 'function') || v === null) return primitive(ctx, v)
    if (ctx.seen.includes(v)) {
      if (!ctx.circular.has(v)) ctx.circular.set(v, ctx.circular.size + 1)
      return `[Circular *${ctx.circular.get(v)}]`
    }
    if (ctx.seen.length > 200) return '[...]'
    return object(ctx, v, depth)
  }

  const object = (ctx, v, depth) => {
    const s = shape(ctx, v, depth)
    if (s.base === undefined && isEmpty(v, s)) return s.open + s.close
    const nested = s.base === undefined
    if (nested && depth > 2 && !isEmpty(v, s)) {
      return Array.isArray(v) ? '[Array]' : `[${(nameOf(v) ?? 'Object: null prototype')}]`
    }
    if (s.keys.length === 0 && !nested) return s.base
    ctx.seen.push(v)
    ctx.current = depth
    const before = ctx.indent
    const entries = nested ? s.entries() : []
    for (const k of s.keys) entries.push(property(ctx, v, k, depth, s.array))
    ctx.indent = before
    ctx.seen.pop()
    let open = nested ? s.open : `{`
    if (ctx.circular.has(v)) {
      const mark = `<ref *${ctx.circular.get(v)}> `
      if (nested) open = mark + open
      else s.base = mark + s.base
    }
    if (entries.length === 0) return open + s.close
    const group = s.array && entries.length > 6
    return reduce(ctx, entries, nested ? undefined : s.base, open, s.close || '}', group, v, depth)
  }

  const isEmpty = (v, s) => Array.isArray(v) ? v.length === 0 && s.keys.length === 0
    : s.keys.length === 0 && !(v instanceof Map || v instanceof Set ? v.size : ArrayBuffer.isView(v) ? v.length
      : v instanceof Promise)

  // reduce is reduceToSingleString with compact = 3.
  const reduce = (ctx, output, base, open, close, group, v, depth) => {
    const entries = output.length
    if (group) output = columns(ctx, output, v)
    const pre = base ? `${base} ` : ''
    if (ctx.current - depth < 3 && entries === output.length) {
      const start = output.length + ctx.indent + open.length + (base ? base.length : 0) + 10
      const total = output.reduce((n, s) => n + s.length, 0) + output.length + start
      if (total <= breakLength && !output.some((s) => s.includes('\n')) && !(base && base.includes('\n'))) {
        return `${pre}${open} ${output.join(', ')} ${close}`
      }
    }
    const pad = `\n${' '.repeat(ctx.indent)}`
    return `${pre}${open}${pad}  ${output.join(`,${pad}  `)}${pad}${close}`
  }

  // columns is groupArrayElements.
  const columns = (ctx, output, v) => {
    let total = 0
    let maxLen = 0
    let i = 0
    const extra = Array.isArray(v) && v.length > 100 ? 1 : 0
    const count = output.length - extra
    const lens = new Array(count)
    for (; i < count; i++) {
      lens[i] = output[i].length
      total += lens[i] + 2
      if (maxLen < lens[i]) maxLen = lens[i]
    }
    const actual = maxLen + 2
    if (!(actual * 3 + ctx.indent < breakLength && (total / actual > 5 || maxLen <= 6))) return output
    const biasedMax = Math.max(actual - 3 - Math.sqrt(actual - total / output.length), 1)
    const cols = Math.min(
      Math.round(Math.sqrt(2.5 * biasedMax * count) / biasedMax),
      Math.floor((breakLength - ctx.indent) / actual), 12, 15)
    if (cols <= 1) return output
    const widths = []
    for (i = 0; i < cols; i++) {
      let w = 0
      for (let j = i; j < count; j += cols) if (lens[j] > w) w = lens[j]
      widths.push(w + 2)
    }
    const left = !(v !== undefined && [...v].every((x) => typeof x === 'number' || typeof x === 'bigint'))
    const rows = []
    for (i = 0; i < count; i += cols) {
      const max = Math.min(i + cols, count)
      let row = ''
      let j = i
      for (; j < max - 1; j++) {
        const cell = `${output[j]}, `
        row += left ? cell.padEnd(widths[j - i]) : cell.padStart(widths[j - i])
      }
      row += left ? output[j] : output[j].padStart(widths[j - i] - 2)
      rows.push(row)
    }
    if (extra) rows.push(output[count])
    return rows
  }

  const inspectTop = (v) => inspect({ indent: 0, seen: [], circular: new Map(), current: 0 }, v, 0)

  const format = (args) => {
    if (args.length === 0) return ''
    const first = args[0]
    let out = ''
    let next = 0
    if (typeof first === 'string') {
      next = 1
      if (args.length > 1) {
        out = first.replace(/%[sdifjoOc%]/g, (spec) => {
          if (spec === '%%') return '%'
          if (next >= args.length) return spec
          return directive(spec, args[next++])
        })
      } else out = first
    }
    for (; next < args.length; next++) {
      const v = args[next]
      out += (next > 0 ? ' ' : '') + (typeof v === 'string' ? v : inspectTop(v))
    }
    return out
  }

  const directive = (spec, v) => {
    switch (spec) {
      case '%s':
        if (typeof v === 'string') return v
        if (typeof v === 'number') return number(v)
        if (typeof v === 'bigint') return v + 'n'
        if (typeof v !== 'object' || v === null) return String(v)
        if (v instanceof Error) return String(v)
        return v.toString !== Object.prototype.toString && !Array.isArray(v) && nameOf(v) !== 'Date'
          ? String(v) : inspectTop(v)
      case '%d': return typeof v === 'bigint' ? v + 'n' : typeof v === 'object' ? 'NaN' : number(Number(v))
      case '%i': return typeof v === 'bigint' ? v + 'n' : typeof v === 'object' ? 'NaN' : number(parseInt(v))
      case '%f': return typeof v === 'symbol' ? 'NaN' : number(parseFloat(v))
      case '%j': try { return JSON.stringify(v) } catch { return '[Circular]' }
      case '%c': return ''
      default: return inspectTop(v)
    }
  }

  const console = {}
  for (const level of ['log', 'info', 'warn', 'error', 'debug']) {
    native.hidden(console, level, { [level](...args) { native.console(level, format(args)) } }[level])
  }
  const timers = new Map()
  native.hidden(console, 'trace', (...args) => native.console('error', 'Trace: ' + format(args)))
  native.hidden(console, 'dir', (v) => native.console('log', inspectTop(v)))
  native.hidden(console, 'table', (v) => native.console('log', inspectTop(v)))
  native.hidden(console, 'group', (...args) => { if (args.length) native.console('log', format(args)) })
  native.hidden(console, 'groupEnd', () => {})
  native.hidden(console, 'assert', (ok, ...args) => {
    if (!ok) native.console('error', args.length ? 'Assertion failed: ' + format(args) : 'Assertion failed')
  })
  native.hidden(console, 'time', (label = 'default') => { timers.set(label, native.uptime()) })
  native.hidden(console, 'timeEnd', (label = 'default') => {
    if (timers.has(label)) native.console('log', `${label}: ${(native.uptime() - timers.get(label)).toFixed(3)}ms`)
    timers.delete(label)
  })
  give('console', console)
  native.hidden(native, 'inspect', inspectTop)
})
