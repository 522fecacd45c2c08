// URL and URLSearchParams (WHATWG URL). Hosts that are not ASCII are refused: they need tables that are not here.
(function ({ give, native }) {
  const ports = { 'http:': '80', 'https:': '443', 'ws:': '80', 'wss:': '443', 'ftp:': '21', 'file:': '' }
  const special = (scheme) => Object.hasOwn(ports, scheme)
  const encoder = new TextEncoder()
  const sets = {
    c0: '', fragment: ' "<>`', query: ' "#<>', squery: ' "#<>\'', path: ' "#<>?`{}', userinfo: ' "#<>?`{}/:;=@[\\]^|',
  }
  const hexByte = (b) => '%' + b.toString(16).toUpperCase().padStart(2, '0')
  const percent = (s, set) => {
    let out = ''
    for (const c of s) {
      const code = c.codePointAt(0)
      if (code > 0x1f && code < 0x7f && !set.includes(c)) out += c
      else for (const b of encoder.encode(c)) out += hexByte(b)
    }
    return out
  }
  const unpercent = (s) => {
    if (!s.includes('%')) return s
    const b = encoder.encode(s)
    const out = []
    for (let i = 0; i < b.length; i++) {
      const h = b[i] === 0x25 ? String.fromCharCode(b[i + 1], b[i + 2]) : ''
      if (/^[0-9a-fA-F]{2}$/.test(h)) {
        out.push(parseInt(h, 16))
        i += 2
      } else out.push(b[i])
    }
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(new Uint8Array(out))
  }
  const fail = () => { throw null }

  const ipv4 = (host) => {
    const parts = host.split('.')
    if (parts.at(-1) === '' && parts.length > 1) parts.pop()
    if (!/^(0[xX][0-9a-fA-F]*|[0-9]+)$/.test(parts.at(-1))) return undefined
    if (parts.length > 4) fail()
    const nums = parts.map((p) => {
      if (/^0[xX][0-9a-fA-F]*$/.test(p)) return parseInt(p.slice(2) || '0', 16)
      if (/^0[0-7]*$/.test(p)) return parseInt(p, 8)
      return /^[0-9]+$/.test(p) && !/^0/.test(p) ? Number(p) : fail()
    })
    if (nums.slice(0, -1).some((n) => n > 255) || nums.at(-1) >= 256 ** (5 - nums.length)) fail()
    let n = nums.at(-1)
    nums.slice(0, -1).forEach((p, i) => { n += p * 256 ** (3 - i) })
    return [24, 16, 8, 0].map((s) => Math.floor(n / 2 ** s) % 256).join('.')
  }

  const ipv6 = (text) => {
    const halves = text.split('::')
    if (halves.length > 2) fail()
    const pieces = (s) => {
      if (s === '') return []
      const list = s.split(':')
      return list.flatMap((p, i) => {
        if (p.includes('.') && i === list.length - 1) {
          const b = p.split('.')
          if (b.length !== 4 || b.some((x) => !/^(0|[1-9][0-9]{0,2})$/.test(x) || x > 255)) fail()
          return [b[0] * 256 + Number(b[1]), b[2] * 256 + Number(b[3])]
        }
        return /^[0-9a-fA-F]{1,4}$/.test(p) ? [parseInt(p, 16)] : fail()
      })
    }
    const head = pieces(halves[0])
    const tail = halves.length === 2 ? pieces(halves[1]) : []
    const gap = 8 - head.length - tail.length
    if (halves.length === 2 ? gap < 1 : gap !== 0) fail()
    const all = [...head, ...new Array(halves.length === 2 ? gap : 0).fill(0), ...tail]
    let best = [-1, 1]
    for (let i = 0; i < 8; i++) {
      let n = 0
      while (i + n < 8 && all[i + n] === 0) n++
      if (n > best[1]) best = [i, n]
    }
    if (best[0] < 0) return all.map((x) => x.toString(16)).join(':')
    const hex = (list) => list.map((x) => x.toString(16)).join(':')
    return hex(all.slice(0, best[0])) + '::' + hex(all.slice(best[0] + best[1]))
  }

  const parseHost = (text, isSpecial) => {
    if (text.startsWith('[')) return text.endsWith(']') ? `[${ipv6(text.slice(1, -1))}]` : fail()
    if (!isSpecial) return /[\0\t\n\r #/:<>?@[\\\]^|]/.test(text) ? fail() : percent(text, '')
    const host = unpercent(text).toLowerCase()
    if (/[^\0-\x7f]/.test(host)) throw new Error('URL: hosts that are not ASCII are not available')
    if (host === '' || /[\0-\x20"#%/:<>?@[\\\]^`{|}\x7f]/.test(host)) fail()
    return ipv4(host) ?? host
  }

  const dots = (path, isSpecial, scheme) => {
    const out = []
    const segments = path.split(isSpecial ? /[/\\]/ : '/')
    segments.forEach((seg, i) => {
      const last = i === segments.length - 1
      const plain = seg.replace(/%2e/gi, '.')
      if (plain === '..') {
        if (!(scheme === 'file:' && out.length === 1 && /^[a-zA-Z]:$/.test(out[0]))) out.pop()
        if (last) out.push('')
      } else if (plain === '.') {
        if (last) out.push('')
      } else out.push(percent(seg, sets.path))
    })
    return '/' + out.join('/')
  }

  const parseAuthority = (u, text) => {
    const at = text.lastIndexOf('@')
    if (at >= 0) {
      const [, user, , pass] = /^([^:]*)(:([\s\S]*))?$/.exec(text.slice(0, at))
      u.username = percent(user, sets.userinfo)
      u.password = percent(pass ?? '', sets.userinfo)
      text = text.slice(at + 1)
      if (text === '') fail()
    }
    const m = /^(\[[^\]]*\]|[^:]*)(?::([0-9]*))?$/.exec(text) ?? fail()
    if (m[1] === '' && (special(u.protocol) && u.protocol !== 'file:' || m[2])) fail()
    u.hostname = m[1] === '' ? '' : parseHost(m[1], special(u.protocol))
    if (m[2]) {
      if (Number(m[2]) > 65535) fail()
      u.port = String(Number(m[2])) === ports[u.protocol] ? '' : String(Number(m[2]))
    }
    if (u.protocol === 'file:' && u.hostname === 'localhost') u.hostname = ''
  }

  const parse = (input, base) => {
    const u = { protocol: '', username: '', password: '', hostname: null, port: '', path: '', search: null, hash: null }
    let rest = input.replace(/^[\0-\x20]+|[\0-\x20]+$/g, '').replace(/[\t\n\r]/g, '')
    const hash = rest.indexOf('#')
    if (hash >= 0) {
      u.hash = percent(rest.slice(hash + 1), sets.fragment)
      rest = rest.slice(0, hash)
    }
    const m = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(rest)
    const scheme = m && m[1].toLowerCase() + ':'
    if (m && !(base && scheme === base.protocol && special(scheme) && !/^[/\\]{2}/.test(rest.slice(m[0].length)))) {
      u.protocol = scheme
      rest = rest.slice(m[0].length)
      return absolute(u, rest)
    }
    if (m) rest = rest.slice(m[0].length)
    if (!base) fail()
    return relative(u, rest, base)
  }

  const cutQuery = (u, rest) => {
    const q = rest.indexOf('?')
    if (q < 0) return rest
    u.search = percent(rest.slice(q + 1), special(u.protocol) ? sets.squery : sets.query)
    return rest.slice(0, q)
  }

  const absolute = (u, rest) => {
    rest = cutQuery(u, rest)
    const isSpecial = special(u.protocol)
    if (isSpecial && u.protocol !== 'file:') rest = '//' + rest.replace(/^[/\\]+/, '')
    if (isSpecial ? /^[/\\]{2}/.test(rest) : rest.startsWith('//')) {
      const end = rest.slice(2).search(isSpecial ? /[/\\]/ : /\//)
      const authority = end < 0 ? rest.slice(2) : rest.slice(2, end + 2)
      parseAuthority(u, authority)
      const path = end < 0 ? '' : rest.slice(end + 2)
      u.path = path === '' ? (isSpecial ? '/' : '') : dots(path.slice(1), isSpecial, u.protocol)
    } else if (isSpecial) {
      u.hostname = ''
      u.path = dots(rest.replace(/^[/\\]/, ''), true, u.protocol)
    } else if (rest.startsWith('/')) u.path = dots(rest.slice(1), false, u.protocol)
    else {
      u.opaque = true
      u.path = percent(rest, '')
    }
    return u
  }

  const relative = (u, rest, base) => {
    if (base.opaque && (rest !== '' || u.hash === null)) fail()
    u.protocol = base.protocol
    const isSpecial = special(u.protocol)
    if (isSpecial ? /^[/\\]{2}/.test(rest) : rest.startsWith('//')) return absolute(u, rest)
    Object.assign(u, { username: base.username, password: base.password, hostname: base.hostname, port: base.port })
    const bare = cutQuery(u, rest)
    if (bare === '') {
      u.path = base.path
      u.opaque = base.opaque
      if (u.search === null) u.search = base.search
    } else if (isSpecial ? /^[/\\]/.test(bare) : bare.startsWith('/')) {
      u.path = dots(bare.slice(1), isSpecial, u.protocol)
    } else u.path = dots(base.path.slice(1).replace(/[^/]*$/, '') + bare, isSpecial, u.protocol)
    return u
  }

  const serialize = (u) => {
    let s = u.protocol
    if (u.hostname !== null) {
      s += '//'
      if (u.username || u.password) s += u.username + (u.password ? ':' + u.password : '') + '@'
      s += u.hostname + (u.port === '' ? '' : ':' + u.port)
    } else if (!u.opaque && u.path.startsWith('//')) s += '/.'
    return s + u.path + (u.search === null ? '' : '?' + u.search) + (u.hash === null ? '' : '#' + u.hash)
  }

  const formEncode = (s) => {
    let out = ''
    for (const b of encoder.encode(s)) {
      const c = String.fromCharCode(b)
      out += c === ' ' ? '+' : /[A-Za-z0-9*._-]/.test(c) ? c : hexByte(b)
    }
    return out
  }
  const parseForm = (s) => s.split('&').filter((p) => p !== '').map((p) => {
    const i = p.indexOf('=')
    return (i < 0 ? [p, ''] : [p.slice(0, i), p.slice(i + 1)]).map((x) => unpercent(x.replaceAll('+', ' ')))
  })
  const wellFormed = (v) => String(v).toWellFormed()

  class URLSearchParams {
    #list = []
    #changed
    constructor(init = '') {
      if (typeof init === 'object' && init !== null) {
        const pairs = typeof init[Symbol.iterator] === 'function' ? [...init] : Object.entries(init)
        this.#list = pairs.map((p) => {
          const pair = [...p]
          if (pair.length !== 2) {
            const e = new TypeError('Each query pair must be an iterable [name, value] tuple')
            e.code = 'ERR_INVALID_TUPLE'
            throw e
          }
          return pair.map(wellFormed)
        })
      } else this.#list = parseForm(wellFormed(init).replace(/^\?/, ''))
    }
    static link(params, changed) { params.#changed = changed }
    static reset(params, text) { params.#list = parseForm(text) }
    #touch() { if (this.#changed) this.#changed(this.toString()) }
    get size() { return this.#list.length }
    append(k, v) {
      this.#list.push([wellFormed(k), wellFormed(v)])
      this.#touch()
    }
    delete(k, v) {
      this.#list = this.#list.filter((p) => !(p[0] === wellFormed(k) && (v === undefined || p[1] === wellFormed(v))))
      this.#touch()
    }
    get(k) { return this.#list.find((p) => p[0] === wellFormed(k))?.[1] ?? null }
    getAll(k) { return this.#list.filter((p) => p[0] === wellFormed(k)).map((p) => p[1]) }
    has(k, v) { return this.#list.some((p) => p[0] === wellFormed(k) && (v === undefined || p[1] === wellFormed(v))) }
    set(k, v) {
      const first = this.#list.find((p) => p[0] === wellFormed(k))
      if (first === undefined) this.#list.push([wellFormed(k), wellFormed(v)])
      else {
        first[1] = wellFormed(v)
        this.#list = this.#list.filter((p) => p === first || p[0] !== first[0])
      }
      this.#touch()
    }
    sort() {
      this.#list.sort((a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0))
      this.#touch()
    }
    forEach(fn, self) { for (const [k, v] of this.#list) Reflect.apply(fn, self, [v, k, this]) }
    *entries() { for (const p of this.#list) yield [...p] }
    *keys() { for (const p of this.#list) yield p[0] }
    *values() { for (const p of this.#list) yield p[1] }
    toString() { return this.#list.map((p) => p.map(formEncode).join('=')).join('&') }
    get [Symbol.toStringTag]() { return 'URLSearchParams' }
  }
  Object.defineProperty(URLSearchParams.prototype, Symbol.iterator,
    { value: URLSearchParams.prototype.entries, writable: true, configurable: true })
  const { link, reset } = URLSearchParams
  delete URLSearchParams.link
  delete URLSearchParams.reset

  class URL {
    #u
    #params
    constructor(url, base) {
      const input = wellFormed(url)
      try {
        this.#u = parse(input, base === undefined ? undefined : parse(wellFormed(base)))
      } catch (e) {
        if (e !== null) throw e
        const error = new TypeError('Invalid URL')
        error.code = 'ERR_INVALID_URL'
        error.input = input
        if (base !== undefined) error.base = wellFormed(base)
        throw error
      }
    }
    static canParse(url, base) {
      try {
        new URL(url, base)
        return true
      } catch {
        return false
      }
    }
    #try(fn) { try { fn() } catch (e) { if (e !== null) throw e } }
    get href() { return serialize(this.#u) }
    set href(v) {
      this.#u = new URL(v).#u
      if (this.#params) reset(this.#params, this.#u.search ?? '')
    }
    get origin() {
      return special(this.#u.protocol) && this.#u.protocol !== 'file:' ? `${this.#u.protocol}//${this.host}` : 'null'
    }
    get protocol() { return this.#u.protocol }
    set protocol(v) {
      const s = String(v).replace(/:[\s\S]*$/, '').toLowerCase() + ':'
      if (special(s) === special(this.#u.protocol)) this.#u.protocol = s
      if (this.#u.port === ports[s]) this.#u.port = ''
    }
    get username() { return this.#u.username }
    set username(v) { this.#u.username = percent(wellFormed(v), sets.userinfo) }
    get password() { return this.#u.password }
    set password(v) { this.#u.password = percent(wellFormed(v), sets.userinfo) }
    get host() { return (this.#u.hostname ?? '') + (this.#u.port === '' ? '' : ':' + this.#u.port) }
    set host(v) {
      this.#try(() => {
        const copy = { ...this.#u, port: this.#u.port }
        parseAuthority(copy, wellFormed(v).replace(/[/?#\\][\s\S]*$/, ''))
        this.#u.hostname = copy.hostname
        this.#u.port = copy.port
      })
    }
    get hostname() { return this.#u.hostname ?? '' }
    set hostname(v) { this.#try(() => { this.#u.hostname = parseHost(wellFormed(v), special(this.#u.protocol)) }) }
    get port() { return this.#u.port }
    set port(v) {
      const m = /^[0-9]*/.exec(String(v))[0]
      if (String(v) === '') this.#u.port = ''
      else if (m !== '' && Number(m) <= 65535) {
        this.#u.port = String(Number(m)) === ports[this.#u.protocol] ? '' : String(Number(m))
      }
    }
    get pathname() { return this.#u.path }
    set pathname(v) {
      if (this.#u.opaque) return
      const path = wellFormed(v)
      this.#u.path = dots(path.replace(special(this.#u.protocol) ? /^[/\\]/ : /^\//, ''), special(this.#u.protocol),
        this.#u.protocol)
    }
    get search() { return this.#u.search ? '?' + this.#u.search : '' }
    set search(v) {
      const s = wellFormed(v).replace(/^\?/, '')
      this.#u.search = s === '' ? null : percent(s, special(this.#u.protocol) ? sets.squery : sets.query)
      if (this.#params) reset(this.#params, this.#u.search ?? '')
    }
    get hash() { return this.#u.hash ? '#' + this.#u.hash : '' }
    set hash(v) {
      const s = wellFormed(v).replace(/^#/, '')
      this.#u.hash = s === '' ? null : percent(s, sets.fragment)
    }
    get searchParams() {
      if (!this.#params) {
        this.#params = new URLSearchParams(this.#u.search ?? '')
        link(this.#params, (text) => { this.#u.search = text === '' ? null : text })
      }
      return this.#params
    }
    toString() { return this.href }
    toJSON() { return this.href }
    get [Symbol.toStringTag]() { return 'URL' }
  }
  for (const name of ['href', 'origin', 'protocol', 'username', 'password', 'host', 'hostname', 'port', 'pathname',
    'search', 'searchParams', 'hash', 'toString', 'toJSON']) {
    Object.defineProperty(URL.prototype, name, { enumerable: true })
  }
  give('URL', URL)
  give('URLSearchParams', URLSearchParams)
})
