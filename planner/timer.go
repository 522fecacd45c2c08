package planner

import (
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/ast"
)

// timer is a promise that settles when time has passed: new Promise((resolve, reject) => setTimeout(…, ms)).
type timer struct {
	at *ast.New
	ms ast.Expr
	// value is what it settles with, evaluated when the time has passed; nil for undefined.
	value   ast.Expr
	rejects bool
	// late says that value stands in a function of its own.
	late bool
}

// timerOf recognises a timer; nil if e is none.
func timerOf(e *ast.New) *timer {
	if globalName(e.Callee) != "Promise" || len(e.Args) != 1 {
		return nil
	}
	fn, ok := e.Args[0].(*ast.FunctionExpr)
	if !ok || fn.Async || fn.Generator || len(fn.Params) == 0 || len(fn.Params) > 2 {
		return nil
	}
	call := onlyCall(fn.Func)
	if call == nil || globalName(call.Callee) != "setTimeout" || len(call.Args) < 2 || len(call.Args) > 3 {
		return nil
	}
	t := &timer{at: e, ms: call.Args[1]}
	settle := call.Args[0]
	if len(call.Args) == 3 {
		t.value = call.Args[2]
	}
	if later, ok := settle.(*ast.FunctionExpr); ok {
		inner := onlyCall(later.Func)
		if inner == nil || later.Async || later.Generator || len(later.Params) > 0 || len(call.Args) > 2 || len(inner.Args) > 1 {
			return nil
		}
		settle, t.late = inner.Callee, true
		if len(inner.Args) == 1 {
			t.value = inner.Args[0]
		}
	}
	id, ok := settle.(*ast.Ident)
	if _, spread := t.value.(*ast.Spread); !ok || spread {
		return nil
	}
	for i, p := range fn.Params {
		if param, ok := p.Target.(*ast.Ident); ok && param.Sym == id.Sym && p.Default == nil && !p.Rest {
			t.rejects = i == 1
			return t
		}
	}
	return nil
}

// onlyCall is the call that is all fn does.
func onlyCall(fn *ast.Func) *ast.Call {
	if len(fn.Body) != 1 {
		return nil
	}
	var e ast.Expr
	switch s := fn.Body[0].(type) {
	case *ast.Return:
		e = s.X
	case *ast.ExprStmt:
		e = s.X
	}
	call, ok := e.(*ast.Call)
	if !ok || call.Chain != ast.NoChain {
		return nil
	}
	return call
}

// timer lifts the wait for t, and what it settles with.
func (l *lifter) timer(b *block, t *timer) val {
	ms := l.value(b, t.ms, "ms")
	var v val
	if t.value != nil && !t.late {
		v = l.value(b, t.value, "value")
	}
	slept := l.host(b, t.at.Pos, nodes.HostSleep, []val{ms})
	if t.value == nil {
		v = slept
	} else if t.late {
		v = l.awaited(b, t.value, "value")
	}
	if t.rejects {
		l.exit(b, t.at.Pos, nodes.ExitThrow, nil, []val{v})
	}
	return v
}

// startTimer starts a timer that the program waits for later, if ever.
func (l *lifter) startTimer(b *block, t *timer, w meanwhile) val {
	if vars := l.changed(b, t.at); len(vars) > 0 {
		refuse(t.at, "%s is changed where a promise is made", vars[0].Name)
	}
	if t.rejects && t.value != nil {
		l.refuseRich(t.value)
	}
	l.seesNoChange(b, t.at, t.at, w)
	return l.asyncScope(b, t.at.Pos, "timer", func(x *block, _ *target) val { return l.timer(x, t) })
}

// timer follows the value that a timer settles with.
func (a *analysis) timer(t *timer) *region {
	a.expr(t.ms)
	if t.value == nil {
		return promiseOf(newRegion())
	}
	if t.late {
		fn := t.at.Args[0].(*ast.FunctionExpr).Func
		a.current = append(a.current, fn)
		defer func() { a.current = a.current[:len(a.current)-1] }()
	}
	r := a.expr(t.value)
	if t.rejects {
		unify(a.thrown, r)
		return promiseOf(newRegion())
	}
	return promiseOf(settled(r))
}
