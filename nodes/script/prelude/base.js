// What goja lacks in the language itself, or does otherwise than V8. Runs once per realm, before the program.
(function (native) {
  const { stringify } = JSON
  const { apply } = Reflect
  const { defineProperty, getPrototypeOf, getOwnPropertyDescriptor } = Object
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
  const gapOf = (space) => {
    if (space instanceof Number) space = Number(space)
    if (space instanceof String) space = String(space)
    if (typeof space === 'number') return ' '.repeat(Math.max(0, Math.min(10, Math.trunc(space) || 0)))
    return typeof space === 'string' ? space.slice(0, 10) : ''
  }
  hide(JSON, 'stringify', {
    stringify(value, replacer, space) {
      try {
        const gap = gapOf(space)
        const text = stringify(value, replacer)
        return gap === '' || text === undefined ? text : native.indent(text, gap)
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
    const { isWellFormed, toWellFormed } = {
      isWellFormed() { return native.wellFormed(String(this), true) },
      toWellFormed() { return native.wellFormed(String(this), false) },
    }
    hide(String.prototype, 'isWellFormed', isWellFormed)
    hide(String.prototype, 'toWellFormed', toWellFormed)
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
  const guarded = (pattern, flags, make) => {
    try {
      return make()
    } catch (e) {
      throw native.badPattern(e, String(pattern instanceof RegExp0 ? pattern.source : pattern),
        flags === undefined ? '' : String(flags))
    }
  }
  const RegExp1 = function RegExp(pattern, flags) {
    if (new.target === undefined && pattern instanceof RegExp0 && flags === undefined) return pattern
    const target = new.target === undefined || new.target === RegExp1 ? RegExp0 : new.target
    return native.regex(guarded(pattern, flags, () => Reflect.construct(RegExp0, mendArgs([pattern, flags]), target)))
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

  return { hide, give, native, then, stringify, apply, DOMException }
})
