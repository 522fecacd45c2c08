// The tools: mcp.server.tool(args) calls a tool and gives a promise.
(function ({ give, native, stringify }) {
  const { defineProperties } = Object

  // tools ------------------------------------------------------------------------------------------------------
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
    const fixed = (value) => ({ value, configurable: true })
    return defineProperties(call, { name: fixed(tool), length: fixed(1) })
  })))))
})
