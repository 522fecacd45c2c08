package runtime

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/casys-ai/pml/engine"
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/ast"
	"github.com/casys-ai/pml/nodes/call"
	"github.com/casys-ai/pml/nodes/expr"
	"github.com/casys-ai/pml/nodes/script"
	"github.com/casys-ai/pml/nodes/value"
)

// realm is a realm of a run. The one of its script nodes is acquired at the start if one may need it; computations that
// are given up natively have another: the engine waits for them, so they must not wait for a script.
type realm struct {
	mu        sync.Mutex
	used      *script.Realm
	preparing sync.WaitGroup
}

// prepare acquires the realm beside the run, so that its child starts while the first tools are at work.
func (m *realm) prepare(ctx context.Context, pool *script.Pool) {
	m.preparing.Go(func() { _, _ = m.get(ctx, pool) }) // whoever needs it tries again and reports the error
}

func (m *realm) get(ctx context.Context, pool *script.Pool) (*script.Realm, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.used != nil {
		return m.used, nil
	}
	used, err := pool.Acquire(ctx)
	m.used = used
	return used, err
}

func (m *realm) close() {
	m.preparing.Wait()
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.used != nil {
		m.used.Close()
	}
}

// script executes a script node.
func (r *runner) script(ctx context.Context, t engine.Task) ([]value.Value, error) {
	return r.piece(ctx, t, t.Node.Code, &r.realm)
}

// piece executes code in a realm and gives its outputs.
func (r *runner) piece(ctx context.Context, t engine.Task, code *nodes.Code, in *realm) ([]value.Value, error) {
	f, err := r.code.fragment(r.planned.Graph, code)
	if err != nil {
		return nil, err
	}
	used, err := in.get(ctx, r.session.scripts)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		message := "the script child cannot be started: " + err.Error()
		return nil, &engine.Failure{Code: nodes.WorkerTerminated, Message: message, Hint: "see pml doctor", Err: err}
	}
	told, err := r.book.told(t.Path)
	if err != nil {
		return nil, err
	}
	var rich func(value.Parts) value.Value
	if code.Rich {
		rich = expr.Rich
	}
	done, err := used.Execute(ctx, script.Fragment{
		JS: f.js, Params: f.params, In: t.In, Program: f.program, Call: r.bridge(t, used), Told: told,
		Clock: r.book.clock(t.Path), Timer: r.book.timer(t.Path), Rich: rich, Resting: t.Resting,
		Log: func(level, text string) { r.logs.add(t.Path, level, text) },
	})
	if err != nil {
		return nil, r.scriptFailed(ctx, t.Node, f, err)
	}
	return f.outputs(done.Value)
}

// outputs takes a result apart.
func (f *fragment) outputs(v value.Value) ([]value.Value, error) {
	if f.program {
		return []value.Value{v}, nil
	}
	list, ok := value.Force(v).(*value.Array)
	if !ok || f.returns && list.Len() != 2 {
		return nil, fmt.Errorf("runtime: a script gave %s instead of its outputs", value.Inspect(v))
	}
	if !f.returns {
		return list.Elems, nil
	}
	if value.ToBoolean(list.At(0)) {
		return nil, &engine.Return{Value: list.At(1)}
	}
	if list, ok = value.Force(list.At(1)).(*value.Array); !ok {
		return nil, fmt.Errorf("runtime: a script gave no outputs")
	}
	return list.Elems, nil
}

// bridge lets a script call tools: each call is one nested task, made as any other.
func (r *runner) bridge(t engine.Task, used *script.Realm) func(context.Context, int, string, string, []byte) (value.Value, error) {
	if t.Nested == nil {
		return nil
	}
	pending := &nestedWork{clock: r.clock}
	var asked, sent line // calls come in, and leave, in the order in which the script made them
	return func(ctx context.Context, k int, server, name string, text []byte) (value.Value, error) {
		pending.change(1)
		defer pending.change(-1)
		entry, place := asked.at(k), sent.at(k)
		defer entry.pass()
		defer place.pass()
		if err := entry.wait(ctx); err != nil {
			return nil, err
		}
		n, err := r.nestedCall(t.Path+"#"+strconv.Itoa(k), nodes.ToolID(server+":"+name), text)
		if err != nil {
			return nil, err
		}
		return t.Nested(ctx, k, n.id, func(ctx context.Context, path string) (value.Value, error) {
			entry.pass()
			v, err := r.nested(ctx, n, path, place)
			if err == engine.ErrSuspended {
				_ = used.Report() // a child that is gone says so itself
			}
			return v, err
		})
	}
}

// nested makes a tool call of a script.
func (r *runner) nested(ctx context.Context, n nestedCall, path string, place turn) (value.Value, error) {
	if n.tool == nil {
		return nil, call.Throw(n.id, nodes.UnknownTool, r.planned.Catalog.unknown(n.id))
	}
	return r.tool(ctx, call.Request{Tool: n.tool, Path: path, Args: n.args}, place)
}

// nestedCall is a tool call that a script asks for.
type nestedCall struct {
	id   nodes.ToolID
	tool *nodes.Tool // nil if there is none
	args value.Value
}

// nestedCall reads what a script asks for; text is the argument as JSON, nil for undefined. The error says that it is
// not the call that the script made in an earlier attempt.
func (r *runner) nestedCall(path string, id nodes.ToolID, text []byte) (n nestedCall, err error) {
	n = nestedCall{id, r.planned.Catalog.Tool(id), value.Undefined{}}
	if text != nil {
		if n.args, err = value.FromJSON(text); err != nil {
			return n, err
		}
	}
	if n.tool == nil {
		return n, nil
	}
	sent, err := call.ArgumentText(n.tool, n.args)
	if err != nil {
		return n, nil // the call will throw it
	}
	return n, r.book.same(path, id, sent)
}

// scriptFailed makes the engine's error of one of a realm, with its place in the source.
func (r *runner) scriptFailed(ctx context.Context, n *nodes.Node, f *fragment, err error) error {
	var ex *script.Exception
	var odd *script.NotPlain
	var broken *script.Error
	switch {
	case errors.As(err, &ex):
		r.places.note(n, ex.Throw.Value, place{pos: f.lookup(ex.Line, ex.Column), hint: ex.Hint})
		return ex.Throw
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &odd):
		return &engine.Failure{Code: nodes.InternalError, Message: odd.Error(), Hint: scriptHint, Err: err}
	case errors.As(err, &broken):
		pos := f.lookup(broken.Line, broken.Column)
		r.places.note(n, nil, place{pos: pos})
		return &engine.Failure{Code: broken.Code, Message: broken.Message, Err: err}
	}
	return err
}

// lookup leads from the JavaScript of the fragment, columns in UTF-16 code units, to the source.
func (f *fragment) lookup(line, column int) ast.Pos {
	if line < 1 {
		return ast.Pos{}
	}
	return f.mapping.Lookup(line, byteColumn(f.js, line, column))
}

// byteColumn turns a column in UTF-16 code units into one in bytes, both from 1.
func byteColumn(text string, line, column int) int {
	for ; line > 1; line-- {
		_, text, _ = strings.Cut(text, "\n")
	}
	text, _, _ = strings.Cut(text, "\n")
	at := 0
	for units := column - 1; units > 0 && at < len(text); units-- {
		c, size := utf8.DecodeRuneInString(text[at:])
		if at += size; c > 0xffff {
			units--
		}
	}
	return at + 1
}
