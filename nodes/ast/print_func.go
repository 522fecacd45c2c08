package ast

import "strings"

func unique(s *Symbol) string {
	if s.Unique == "" {
		return s.Name
	}
	return s.Unique
}

// function writes a function, an arrow or a declaration.
func (p *printer) function(f *Func) {
	if f.Async {
		p.put("async ")
	}
	if f.Arrow {
		p.params(f.Params)
		p.put(" => ")
		p.arrowBody(f)
		return
	}
	p.put("function")
	if f.Generator {
		p.put("*")
	}
	p.put(" ")
	if f.Name != nil {
		p.mark(f.Name.Pos)
		p.put(unique(f.Name.Sym))
	}
	p.params(f.Params)
	p.put(" ")
	p.block(f.Body)
}

func (p *printer) arrowBody(f *Func) {
	if f.ExprBody && len(f.Body) == 1 {
		if ret, ok := f.Body[0].(*Return); ok && ret.X != nil {
			p.arrowStart = len(p.out)
			p.expr(ret.X, precAssign)
			p.arrowStart = -1
			return
		}
	}
	p.block(f.Body)
}

func (p *printer) params(list []Param) {
	p.put("(")
	for i, param := range list {
		if i > 0 {
			p.put(", ")
		}
		if param.Rest {
			p.put("...")
		}
		p.withDefault(param.Target, param.Default)
	}
	p.put(")")
}

func (p *printer) withDefault(target Pattern, def Expr) {
	p.pattern(target)
	if def != nil {
		p.put(" = ")
		p.expr(def, precAssign)
	}
}

// pattern writes what a declaration, parameter or assignment binds.
func (p *printer) pattern(target Pattern) {
	switch t := target.(type) {
	case *Ident:
		p.mark(t.Pos)
		p.put(unique(t.Sym))
	case *Member:
		p.expr(t, precCall)
	case *Index:
		p.expr(t, precCall)
	case *ArrayPattern:
		p.mark(t.Pos)
		p.arrayPattern(t)
	case *ObjectPattern:
		p.mark(t.Pos)
		p.objectPattern(t)
	}
}

func (p *printer) arrayPattern(t *ArrayPattern) {
	p.put("[")
	for i, elem := range t.Elems {
		if i > 0 {
			p.put(", ")
		}
		if elem.Target == nil {
			if i == len(t.Elems)-1 {
				p.put(",")
			}
			continue
		}
		if elem.Rest {
			p.put("...")
		}
		p.withDefault(elem.Target, elem.Default)
	}
	p.put("]")
}

func (p *printer) objectPattern(t *ObjectPattern) {
	if len(t.Props) == 0 {
		p.put("{}")
		return
	}
	p.put("{ ")
	for i, prop := range t.Props {
		if i > 0 {
			p.put(", ")
		}
		if prop.Rest {
			p.put("...")
		} else if id, ok := prop.Target.(*Ident); !ok || prop.Computed || !sameName(prop.Key, id) {
			p.key(prop.Key, prop.Computed, false)
			p.put(": ")
		}
		p.withDefault(prop.Target, prop.Default)
	}
	p.put(" }")
}

// sameName reports that key: id can be written as the shorthand id.
func sameName(key Expr, id *Ident) bool {
	name, ok := key.(*String)
	return ok && name.Value == unique(id.Sym) && name.Value != "__proto__"
}

func (p *printer) array(e *Array) {
	p.put("[")
	for i, x := range e.Elems {
		if i > 0 {
			p.put(", ")
		}
		if x != nil {
			p.expr(x, precAssign)
		} else if i == len(e.Elems)-1 {
			p.put(",")
		}
	}
	p.put("]")
}

func (p *printer) template(e *Template) {
	p.put("`")
	for i, quasi := range e.Quasis {
		if i > 0 {
			p.put("${")
			p.expr(e.Exprs[i-1], precSequence)
			p.put("}")
		}
		p.raw(string(appendTemplate(nil, quasi)))
	}
	p.put("`")
}

func (p *printer) tagged(e *TaggedTemplate) {
	p.chained(e.Tag, NoChain)
	p.put("`")
	for i, raw := range e.Raws {
		if i > 0 {
			p.put("${")
			p.expr(e.Exprs[i-1], precSequence)
			p.put("}")
		}
		p.raw(strings.ReplaceAll(raw, "\r", ""))
	}
	p.put("`")
}
