// What a host gives programs: timers, bytes, randomness, the clock, the locale en-US.
(function ({ hide, give, native, then, stringify, apply, DOMException }) {
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

  const { parse } = JSON

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
  // localeCompare and Intl.Collator (ECMA-402 §10); an option that is not there is refused, not ignored. All English
  // locales have the same order.
  const option = (what, options, name, fallback, values, available = values) => {
    const raw = options[name]
    if (raw === undefined) return fallback
    const value = String(raw)
    if (!values.includes(value)) {
      throw new RangeError(`Value ${value} out of range for ${what} options property ${name}`)
    }
    if (!available.includes(value)) throw new RangeError(`${what}: the ${name} "${value}" is not available`)
    return value
  }
  const collation = (locales, options, what) => {
    const l = Array.isArray(locales) ? locales[0] : locales
    if (typeof l !== 'string' || !/^en(-[a-z]{4})?(-([a-z]{2}|[0-9]{3}))?$/i.test(l)) english(locales, what)
    if (options === undefined) return ''
    if (options === null) throw new TypeError('Cannot convert undefined or null to object')
    option(what, options, 'usage', 'sort', ['sort', 'search'], ['sort'])
    option(what, options, 'localeMatcher', '', ['lookup', 'best fit'])
    const numeric = Boolean(options.numeric)
    option(what, options, 'caseFirst', 'false', ['upper', 'lower', 'false'], ['false'])
    const sensitivity = option(what, options, 'sensitivity', 'variant', ['base', 'accent', 'case', 'variant'])
    if (options.ignorePunctuation) throw new RangeError(`${what}: the option ignorePunctuation is not available`)
    return stringify({ numeric, sensitivity })
  }
  hide(String.prototype, 'localeCompare', {
    localeCompare(other, locales, options) {
      return native.compare(String(this), String(other), collation(locales, options, 'String.prototype.localeCompare'))
    },
  }.localeCompare)
  hide(String.prototype.localeCompare, 'length', 1)
  const intl = {
    NumberFormat: function NumberFormat(locales, options) {
      english(locales, 'Intl.NumberFormat')
      num(0, options)
      return { format: (n) => num(Number(n), options), __proto__: NumberFormat.prototype }
    },
    Collator: function Collator(locales, options) {
      const how = collation(locales, options, 'Intl.Collator')
      const { numeric = false, sensitivity = 'variant' } = how === '' ? {} : parse(how)
      const resolved = { locale: 'en-US', usage: 'sort', sensitivity, ignorePunctuation: false, collation: 'default',
        numeric, caseFirst: 'false' }
      return { compare: (a, b) => native.compare(String(a), String(b), how), resolvedOptions: () => ({ ...resolved }),
        __proto__: Collator.prototype }
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
})
