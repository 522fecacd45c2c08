// What goja lacks and programs use: the global functions. Runs once per realm, before the program.
(function (native) {
  const { stringify } = JSON
  const { apply } = Reflect
  const { defineProperty, defineProperties, getPrototypeOf, getOwnPropertyDescriptor } = Object
  const hide = (target, name, value) =>
    defineProperty(target, name, { value, writable: true, configurable: true, enumerable: false })
  const give = (name, value) => hide(globalThis, name, value)

  // --- errors -----------------------------------------------------------------------------------------------------
  class ToolError extends Error {
    constructor(message, options) {
      super(message)
      this.code = options && options.code
      this.tool = options && options.tool
    }
  }
  hide(ToolError.prototype, 'name', 'ToolError')
  give('ToolError', ToolError)

  class DOMException extends Error {
    #name
    constructor(message = '', name = 'Error') {
      super(message)
      this.#name = name
    }
    get name() { return this.#name }
    get code() { return this.#name === 'DataCloneError' ? 25 : this.#name === 'InvalidCharacterError' ? 5 : 0 }
  }
  give('DOMException', DOMException)

  // A rejection handler sees an engine's error with V8's wording, as a catch clause does.
  const { then } = Promise.prototype
  hide(Promise.prototype, 'then', {
    then(onFulfilled, onRejected) {
      if (typeof onRejected !== 'function') return apply(then, this, [onFulfilled, onRejected])
      return apply(then, this, [onFulfilled, (e) => onRejected(native.mend(e))])
    },
  }.then)

  // --- no code from strings ---------------------------------------------------------------------------------------
  const off = (what) => { throw new EvalError(what + ' is not available') }
  give('eval', { eval(code) { return typeof code === 'string' ? off('eval') : code } }.eval)
  const offConstructor = (sample, name) => {
    const proto = getPrototypeOf(sample)
    const stub = { [name]: function (..._code) { off(name === 'Function' ? 'new Function' : name) } }[name]
    stub.prototype = proto
    defineProperty(stub, 'prototype', { writable: false })
    defineProperty(proto, 'constructor', { value: stub, writable: name === 'Function', configurable: true })
    return stub
  }
  give('Function', offConstructor(function () {}, 'Function'))
  offConstructor(async function () {}, 'AsyncFunction')
  offConstructor(function* () {}, 'GeneratorFunction')

  // --- JSON -------------------------------------------------------------------------------------------------------
  const revive = (holder, key, reviver) => {
    const val = holder[key]
    if (typeof val === 'object' && val !== null) {
      const keys = Array.isArray(val) ? Array.from(val, (_, i) => String(i)) : Object.keys(val)
      for (const k of keys) {
        const next = revive(val, k, reviver)
        if (next === undefined) delete val[k]
        else defineProperty(val, k, { value: next, writable: true, enumerable: true, configurable: true })
      }
    }
    return apply(reviver, holder, [key, val])
  }
  hide(JSON, 'parse', {
    parse(text, reviver) {
      const value = native.parseJSON(String(text))
      return typeof reviver === 'function' ? revive({ '': value }, '', reviver) : value
    },
  }.parse)
  hide(JSON, 'stringify', {
    stringify(value, replacer, space) {
      try {
        return stringify(value, replacer, space)
      } catch (e) {
        throw native.circular(e, value)
      }
    },
  }.stringify)

  // --- strings ----------------------------------------------------------------------------------------------------
  const maxLength = 2 ** 29 - 24
  const bounded = (name, grow) => {
    const original = String.prototype[name]
    hide(String.prototype, name, {
      [name](n, fill) {
        if (typeof this === 'string' && n > 0 && grow(this, n, fill) > maxLength) {
          throw new RangeError('Invalid string length')
        }
        if (name === 'repeat' && (n < 0 || n === Infinity)) throw new RangeError('Invalid count value: ' + n)
        return apply(original, this, fill === undefined ? [n] : [n, fill])
      },
    }[name])
    hide(String.prototype[name], 'length', original.length)
  }
  bounded('repeat', (s, n) => s.length * Math.trunc(n))
  bounded('padStart', (s, n, fill) => (fill === '' ? 0 : n))
  bounded('padEnd', (s, n, fill) => (fill === '' ? 0 : n))
  if (!String.prototype.isWellFormed) {
    hide(String.prototype, 'isWellFormed', { isWellFormed() { return native.wellFormed(String(this), true) } }.isWellFormed)
    hide(String.prototype, 'toWellFormed', { toWellFormed() { return native.wellFormed(String(this), false) } }.toWellFormed)
  }

  // --- regular expressions ----------------------------------------------------------------------------------------
  const RegExp0 = RegExp
  const mendArgs = (args) => {
    const [pattern, flags] = args
    const text = flags === undefined ? (pattern instanceof RegExp0 ? pattern.flags : '') : String(flags)
    if (pattern instanceof RegExp0 && flags === undefined) return args
    const source = pattern instanceof RegExp0 ? pattern.source : pattern === undefined ? undefined : String(pattern)
    return source === undefined ? args : [native.pattern(source, text), flags]
  }
  const guarded = (pattern, make) => {
    try {
      return make()
    } catch (e) {
      throw native.badPattern(e, String(pattern instanceof RegExp0 ? pattern.source : pattern))
    }
  }
  const RegExp1 = function RegExp(pattern, flags) {
    if (new.target === undefined && pattern instanceof RegExp0 && flags === undefined) return pattern
    const target = new.target === undefined || new.target === RegExp1 ? RegExp0 : new.target
    return native.regex(guarded(pattern, () => Reflect.construct(RegExp0, mendArgs([pattern, flags]), target)))
  }
  RegExp1.prototype = RegExp0.prototype
  defineProperty(RegExp1, 'prototype', { writable: false })
  defineProperty(RegExp1, Symbol.species, { get() { return this }, configurable: true })
  const source = getOwnPropertyDescriptor(RegExp0.prototype, 'source').get
  defineProperty(RegExp0.prototype, 'source', {
    get() { return apply(source, this, []).replaceAll('\\u002f', '\\/') },
  })
  hide(RegExp0.prototype, 'toString', { toString() { return `/${this.source}/${this.flags}` } }.toString)
  hide(RegExp0.prototype, 'constructor', RegExp1)
  give('RegExp', RegExp1)

  // --- numbers and dates ------------------------------------------------------------------------------------------
  hide(Math, 'pow', { pow(a, b) { return native.pow(Number(a), Number(b)) } }.pow)
  for (const name of ['toString', 'toTimeString']) {
    const original = Date.prototype[name]
    hide(Date.prototype, name, {
      [name]() { return apply(original, this, []).replace('(UTC)', '(Coordinated Universal Time)') },
    }[name])
  }

  // --- timers -----------------------------------------------------------------------------------------------------
  const callback = (fn) => {
    if (typeof fn === 'function') return fn
    const e = new TypeError(`The "callback" argument must be of type function. Received ${native.received(fn)}`)
    e.code = 'ERR_INVALID_ARG_TYPE'
    throw e
  }
  class Timeout {
    #id; #fn; #ms; #repeat
    constructor(fn, ms, repeat) {
      this.#fn = fn
      this.#ms = ms
      this.#repeat = repeat
      this.#id = native.setTimer(fn, ms, repeat)
    }
    static clear(t) { native.clearTimer(t.#id) }
    static is(t) { return typeof t === 'object' && t !== null && #id in t }
    ref() { return this }
    unref() { return this }
    hasRef() { return true }
    refresh() {
      native.clearTimer(this.#id)
      this.#id = native.setTimer(this.#fn, this.#ms, this.#repeat)
      return this
    }
    close() { native.clearTimer(this.#id) }
    [Symbol.toPrimitive]() { return this.#id }
  }
  class Immediate {
    #id
    constructor(fn) { this.#id = native.setImmediate(fn) }
    static clear(t) { if (typeof t === 'object' && t !== null && #id in t) native.clearTimer(t.#id) }
  }
  const bind = (fn, args) => (args.length ? () => fn(...args) : fn)
  const clear = (t) => {
    if (Timeout.is(t)) Timeout.clear(t)
    else if (typeof t === 'number' || typeof t === 'string') native.clearTimer(Number(t))
  }
  give('setTimeout', function setTimeout(fn, ms, ...args) {
    callback(fn)
    return new Timeout(bind(fn, args), Number(ms), false)
  })
  give('setInterval', function setInterval(fn, ms, ...args) {
    callback(fn)
    return new Timeout(bind(fn, args), Number(ms), true)
  })
  give('setImmediate', function setImmediate(fn, ...args) {
    callback(fn)
    return new Immediate(bind(fn, args))
  })
  give('clearTimeout', function clearTimeout(t) { clear(t) })
  give('clearInterval', function clearInterval(t) { clear(t) })
  give('clearImmediate', function clearImmediate(t) { Immediate.clear(t) })
  const resolved = Promise.resolve()
  give('queueMicrotask', function queueMicrotask(fn) {
    callback(fn)
    apply(then, resolved, [() => {
      try { fn() } catch (e) { native.uncaught(e) }
    }])
  })

  // --- bytes ------------------------------------------------------------------------------------------------------
  const bytesOf = (data) => {
    if (data === undefined) return new Uint8Array(0)
    if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    if (data instanceof ArrayBuffer) return new Uint8Array(data)
    throw new TypeError('The "list" argument must be an instance of SharedArrayBuffer, ArrayBuffer or ArrayBufferView.')
  }
  give('TextEncoder', class TextEncoder {
    get encoding() { return 'utf-8' }
    encode(text = '') { return new Uint8Array(native.utf8(String(text))) }
    encodeInto(text, target) {
      let read = 0
      let written = 0
      for (const c of String(text)) {
        const b = this.encode(c)
        if (written + b.length > target.length) break
        target.set(b, written)
        read += c.length
        written += b.length
      }
      return { read, written }
    }
  })
  give('TextDecoder', class TextDecoder {
    #fatal; #bom
    constructor(label = 'utf-8', options = {}) {
      if (!/^(utf-?8|unicode-1-1-utf-8)$/i.test(String(label).trim())) {
        throw new RangeError(`The "${label}" encoding is not supported`)
      }
      this.#fatal = Boolean(options.fatal)
      this.#bom = Boolean(options.ignoreBOM)
    }
    get encoding() { return 'utf-8' }
    get fatal() { return this.#fatal }
    get ignoreBOM() { return this.#bom }
    decode(data) {
      const b = bytesOf(data)
      const text = native.fromUTF8(b.buffer.slice(b.byteOffset, b.byteOffset + b.byteLength), this.#fatal)
      if (text === undefined) {
        const e = new TypeError('The encoded data was not valid for encoding utf-8')
        e.code = 'ERR_ENCODING_INVALID_ENCODED_DATA'
        throw e
      }
      return !this.#bom && text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
    }
  })
  give('btoa', function btoa(text) {
    const b64 = native.btoa(String(text))
    if (b64 === undefined) throw new DOMException('Invalid character', 'InvalidCharacterError')
    return b64
  })
  give('atob', function atob(text) {
    const s = native.atob(String(text))
    if (s === undefined) {
      const alien = /[^A-Za-z0-9+/=\s]/.test(String(text))
      throw new DOMException(alien ? 'Invalid character' : 'The string to be decoded is not correctly encoded.',
        'InvalidCharacterError')
    }
    return s
  })

  // --- crypto, performance ----------------------------------------------------------------------------------------
  give('crypto', {
    randomUUID: () => native.uuid(),
    getRandomValues(view) {
      new Uint8Array(view.buffer, view.byteOffset, view.byteLength).set(new Uint8Array(native.random(view.byteLength)))
      return view
    },
  })
  give('performance', { now: () => native.uptime(), timeOrigin: Date.now() })

  // --- locale -----------------------------------------------------------------------------------------------------
  const english = (locales, what) => {
    const l = Array.isArray(locales) ? locales[0] : locales
    if (l === undefined || l === 'en-US' || l === 'en') return
    throw new RangeError(`${what}: only the locale en-US is available, not ${String(l)}`)
  }
  const toLocale = (proto, name, format) => hide(proto, name, {
    [name](locales, options) {
      english(locales, name)
      return format(this, options)
    },
  }[name])
  const num = (n, o) => native.number(n, o === undefined ? '' : stringify(o))
  toLocale(Number.prototype, 'toLocaleString', (n, o) => num(Number(n), o))
  toLocale(BigInt.prototype, 'toLocaleString', (n) => String(n).replace(/\B(?=(\d{3})+$)/g, ','))
  const date = (d, o, parts) => native.date(Date.prototype.getTime.call(d), o === undefined ? '' : stringify(o), parts)
  toLocale(Date.prototype, 'toLocaleString', (d, o) => date(d, o, 'any'))
  toLocale(Date.prototype, 'toLocaleDateString', (d, o) => date(d, o, 'date'))
  toLocale(Date.prototype, 'toLocaleTimeString', (d, o) => date(d, o, 'time'))
  const intl = {
    NumberFormat: function NumberFormat(locales, options) {
      english(locales, 'Intl.NumberFormat')
      num(0, options)
      return { format: (n) => num(Number(n), options), __proto__: NumberFormat.prototype }
    },
    DateTimeFormat: function DateTimeFormat(locales, options) {
      english(locales, 'Intl.DateTimeFormat')
      const format = (d = new Date()) => date(typeof d === 'number' ? new Date(d) : d, options, 'date')
      const timeZone = (options && options.timeZone) || native.zone()
      return { format, resolvedOptions: () => ({ locale: 'en-US', timeZone }), __proto__: DateTimeFormat.prototype }
    },
  }
  give('Intl', new Proxy(intl, {
    get(target, key) {
      if (key in target || typeof key === 'symbol') return target[key]
      throw new Error(`Intl.${key} is not available`)
    },
  }))

  // --- tools ------------------------------------------------------------------------------------------------------
  const readOnly = (what) => () => { throw new TypeError(what + ' is read-only') }
  const inherited = Object.create(null)
  for (const key of ['constructor', 'hasOwnProperty', 'isPrototypeOf', 'propertyIsEnumerable', 'toLocaleString',
    'toString', 'valueOf', '__proto__']) inherited[key] = Object.prototype[key]
  const traps = (what, make) => {
    const known = new Map()
    return {
      get(target, key) {
        if (key === Symbol.toStringTag) return what
        if (typeof key === 'symbol' || key === 'then' || key === 'toJSON') return undefined
        if (key in inherited) return inherited[key]
        if (!known.has(key)) known.set(key, make(key))
        return known.get(key)
      },
      has: (target, key) => typeof key === 'string' && key !== 'then' && key !== 'toJSON',
      set: readOnly(what),
      defineProperty: readOnly(what),
      deleteProperty: readOnly(what),
    }
  }
  give('mcp', new Proxy({}, traps('mcp', (server) => new Proxy({}, traps('mcp.' + server, (tool) => {
    const call = (args) => {
      let text
      try { text = stringify(args) } catch (e) { throw native.circular(e, args) }
      return native.call(server, tool, text)
    }
    return defineProperties(call, { name: { value: tool, configurable: true }, length: { value: 1, configurable: true } })
  })))))

  return { hide, give, native, DOMException, stringify, getOwnPropertyDescriptor }
})
