package ast

// key writes the name of a property.
func (p *printer) key(key Expr, computed, private bool) {
	p.mark(key.Position())
	switch k := key.(type) {
	case *String:
		if private {
			p.put("#" + k.Value)
			return
		}
		if !computed {
			p.keyName(k.Value)
			return
		}
	case *Number:
		if !computed && !negative(k.Value) && k.Value-k.Value == 0 {
			p.put(number(k.Value))
			return
		}
	}
	p.put("[")
	p.expr(key, precAssign)
	p.put("]")
}

func (p *printer) keyName(name string) {
	if IsIdentifierName(name) {
		p.put(name)
		return
	}
	p.out = appendQuoted(p.out, name)
}

func (p *printer) object(e *Object) {
	if len(e.Props) == 0 {
		p.put("{}")
		return
	}
	p.put("{ ")
	for i := range e.Props {
		if i > 0 {
			p.put(", ")
		}
		p.property(&e.Props[i])
	}
	p.put(" }")
}

func (p *printer) property(prop *Property) {
	p.mark(prop.Pos)
	if prop.Kind == PropSpread {
		p.put("...")
		p.expr(prop.Value, precAssign)
		return
	}
	if fn, ok := prop.Value.(*FunctionExpr); ok && (prop.Method || prop.Kind != PropInit) {
		p.method(prop, fn.Func)
		return
	}
	if id, ok := prop.Value.(*Ident); ok && !prop.Computed && sameName(prop.Key, id) {
		p.mark(id.Pos)
		p.put(unique(id.Sym))
		return
	}
	p.key(prop.Key, prop.Computed, false)
	p.put(": ")
	p.expr(prop.Value, precAssign)
}

// method writes a method, getter or setter.
func (p *printer) method(prop *Property, f *Func) {
	switch {
	case prop.Kind == PropGet:
		p.put("get ")
	case prop.Kind == PropSet:
		p.put("set ")
	case f.Async && f.Generator:
		p.put("async *")
	case f.Async:
		p.put("async ")
	case f.Generator:
		p.put("*")
	}
	p.key(prop.Key, prop.Computed, prop.Private)
	p.params(f.Params)
	p.put(" ")
	p.block(f.Body)
}

func (p *printer) class(c *ClassBody) {
	p.decorators(c.Decorators)
	p.put("class ")
	if c.Name != nil {
		p.mark(c.Name.Pos)
		p.put(unique(c.Name.Sym) + " ")
	}
	if c.Extends != nil {
		p.put("extends ")
		p.expr(c.Extends, precCall)
		p.put(" ")
	}
	if len(c.Members) == 0 {
		p.put("{}")
		return
	}
	p.put("{")
	p.newline()
	p.indent++
	for i := range c.Members {
		p.startLine()
		p.classMember(&c.Members[i])
		p.newline()
	}
	p.indent--
	p.startLine()
	p.put("}")
}

func (p *printer) decorators(list []Expr) {
	for _, d := range list {
		p.put("@")
		p.parens(d)
		p.put(" ")
	}
}

func (p *printer) classMember(m *Property) {
	p.mark(m.Pos)
	p.decorators(m.Decorators)
	if m.Static {
		p.put("static ")
	}
	fn, _ := m.Value.(*FunctionExpr)
	switch {
	case m.Kind == PropStaticBlock:
		p.block(fn.Body)
	case fn != nil && m.Kind != PropField:
		p.method(m, fn.Func)
	default:
		if m.Accessor {
			p.put("accessor ")
		}
		p.key(m.Key, m.Computed, m.Private)
		if m.Value != nil {
			p.put(" = ")
			p.expr(m.Value, precAssign)
		}
		p.put(";")
	}
}
