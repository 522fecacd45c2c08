package planner

import "github.com/casys-ai/pml/nodes/ast"

// signature is where objects go that are handed to the functions of a region, and come from that they return. So what a
// function gives that is kept in a variable, a list or an object is known, whichever of them it is.
type signature struct {
	params []*region
	result *region
	// known says that there is a function of the program among them, opaque that not all of the functions are known: what goes in may be the function itself, and come out again.
	known, opaque bool
}

// param is where the i-th argument goes.
func (s *signature) param(i int) *region {
	for len(s.params) <= i {
		s.params = append(s.params, newRegion())
	}
	return s.params[i]
}

// known is the signature of r, if all functions of r are functions of the program.
func (r *region) known() *signature {
	if r == nil || r.find().calls == nil || r.find().calls.opaque || !r.find().calls.known {
		return nil
	}
	return r.find().calls
}

// addSignature makes r a region of the functions of s, too.
func (r *region) addSignature(s *signature) {
	if s == nil {
		return
	}
	own := r.calls
	if own == nil {
		r.calls = s
		return
	}
	mixed := own.opaque != s.opaque
	own.known = own.known || s.known
	n := max(len(own.params), len(s.params))
	var pairs [][2]*region
	for i := range n {
		pairs = append(pairs, [2]*region{own.param(i), s.param(i)})
	}
	result := [2]*region{own.result, s.result}
	for _, p := range append(pairs, result) {
		unify(p[0], p[1])
	}
	if mixed {
		r.find().hide()
	}
}

// hide says that a function of r may be one that is not known.
func (r *region) hide() *region {
	s := r.find().calls
	if s == nil {
		r.find().calls = &signature{opaque: true, result: r}
		return r.find()
	}
	s.opaque = true
	for _, p := range append(s.params[:len(s.params):len(s.params)], s.result) {
		unify(r, p)
	}
	return r.find()
}

// aFunction is a region of functions of which nothing is known.
func aFunction() *region { return exoticRegion("a function").hide() }

// function is the region of f alone.
func (a *analysis) function(f *ast.Func, params []*region) *region {
	r := exoticRegion("a function")
	if a.strange || f.UsesArguments || len(f.Params) > 0 && f.Params[len(f.Params)-1].Rest {
		return r.hide()
	}
	r.calls = &signature{params: params, result: a.returned(f), known: true}
	return r
}

// invoke passes arguments to the functions of a region.
func (a *analysis) invoke(s *signature, e *ast.Call) *region {
	for i, x := range e.Args {
		r := a.expr(x)
		if _, spread := x.(*ast.Spread); !spread {
			unify(s.param(i), r)
			continue
		}
		for k := i; k < max(i+1, len(s.params)); k++ {
			unify(s.param(k), a.iterate(r))
		}
	}
	return s.result.find()
}

// callValue follows objects through a call of a function that is the value of something.
func (a *analysis) callValue(r *region, e *ast.Call) *region {
	if r == nil || a.strange {
		return a.mix(e.Args, unify(newRegion(), r))
	}
	r = r.find()
	if r.calls == nil {
		r.calls = &signature{result: newRegion()}
	}
	result := a.invoke(r.calls, e)
	a.called = append(a.called, valueCall{r, result, e.Args})
	return result
}

// valueCall is a call of a function that is the value of something.
type valueCall struct {
	of, result *region
	args       []ast.Expr
}

// joinCalls mixes what goes through a call if no function of the program is known for it.
func (a *analysis) joinCalls() {
	for _, c := range a.called {
		if c.of.known() == nil {
			a.mixed(c.args, unify(c.result, c.of))
		}
	}
}

// ownMethod follows objects through o.name(…), where o is an object of the program with such a function; nil if it is not.
func (a *analysis) ownMethod(recv *region, name string, e *ast.Call) *region {
	if recv == nil || recv.find().exotic != "" {
		return nil
	}
	c := recv.find().holds.find()
	i, named := c.place(name)
	if !named || c.fields[i].known() == nil {
		return nil
	}
	r := a.invoke(c.fields[i].known(), e)
	a.owned = append(a.owned, valueCall{recv, r, e.Args})
	return r
}

// joinOwned mixes what goes through an object that turned out to be, perhaps, a Map or the like.
func (a *analysis) joinOwned() {
	for _, o := range a.owned {
		if o.of.find().exotic != "" {
			a.mixed(o.args, unify(o.of.anything(), o.result))
		}
	}
}
