// structuredClone (HTML §2.7) for what programs have: primitives, boxes, Date, RegExp, Map, Set, arrays, buffers,
// errors and plain objects, with cycles and shared references.
(function ({ give, native, DOMException }) {
  const errorTypes = { EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError }
  const tag = (v) => Object.prototype.toString.call(v).slice(8, -1)

  const refuse = (v) => { throw new DOMException(`${describe(v)} could not be cloned.`, 'DataCloneError') }
  const nameOf = (v) => (v.constructor && v.constructor.name) || 'Object'
  const describe = (v) => (typeof v === 'object' ? `#<${nameOf(v)}>` : String(v))

  const cloneError = (v) => {
    const Type = errorTypes[v.name] || Error
    const e = Object.create(Type.prototype)
    const copy = new Type(v.message)
    if (!Object.hasOwn(v, 'message')) delete copy.message
    return copy || e
  }

  const shell = (v) => {
    switch (true) {
      case v instanceof Date: return new Date(v.getTime())
      case v instanceof RegExp: return new RegExp(v.source, v.flags)
      case v instanceof Map: return new Map()
      case v instanceof Set: return new Set()
      case v instanceof Error: return cloneError(v)
      case v instanceof ArrayBuffer: return v.slice(0)
      case v instanceof Number || v instanceof String || v instanceof Boolean: return Object(v.valueOf())
      case Array.isArray(v): return new Array(v.length)
    }
    if (v instanceof Promise || v instanceof WeakMap || v instanceof WeakSet || tag(v) === 'Generator') refuse(v)
    return {}
  }

  const copy = (v, seen) => {
    if (typeof v === 'function' || typeof v === 'symbol') refuse(v)
    if (typeof v !== 'object' || v === null) return v
    if (seen.has(v)) return seen.get(v)
    if (ArrayBuffer.isView(v)) {
      const buffer = copy(v.buffer, seen)
      return v instanceof DataView
        ? new DataView(buffer, v.byteOffset, v.byteLength)
        : new v.constructor(buffer, v.byteOffset, v.length)
    }
    const out = shell(v)
    seen.set(v, out)
    if (v instanceof Map) for (const [k, x] of [...v]) out.set(copy(k, seen), copy(x, seen))
    else if (v instanceof Set) for (const x of [...v]) out.add(copy(x, seen))
    else if (v instanceof Error) {
      if (Object.hasOwn(v, 'cause')) native.hidden(out, 'cause', copy(v.cause, seen))
    } else if (out.constructor === Object || Array.isArray(out)) {
      for (const k of Object.keys(v)) native.define(out, k, copy(v[k], seen))
    }
    return out
  }

  give('structuredClone', function structuredClone(value) {
    if (arguments.length === 0) {
      const e = new TypeError('The value argument must be specified')
      e.code = 'ERR_MISSING_ARGS'
      throw e
    }
    return copy(value, new Map())
  })
})
