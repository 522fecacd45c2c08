package journal

import (
	"time"

	"github.com/casys-ai/pml/engine"
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/value"
)

// kind is what a record tells.
type kind byte

const (
	kindBegin    kind = 'B' // Begin
	kindStarted  kind = 's' // path: a task that is no call was given to a worker
	kindLeaving  kind = 'l' // path, tool, digest: a call is about to leave this process
	kindFinished kind = 'f' // path, seq, how, values
	kindAsked    kind = 'q' // Question
	kindDecided  kind = 'd' // Decision
	kindLine     kind = 'c' // path, level, text: the program's console
	kindTold     kind = 't' // path, seed: a script begins
	kindClock    kind = 'k' // path, readings: a script has read the clock
	kindFired    kind = 'w' // path, firings: a timer of a script fires
	kindParked   kind = 'p' // how long the run has worked, in ms
	kindEnded    kind = 'e' // End
	kindLost     kind = 'x' // path: what its call came to is not known, whatever was written
)

// how an outcome ends a task.
const (
	howOut = iota
	howThrow
	howReturn
)

// Begin is what a run is made of: everything that its graph and its course depend on.
type Begin struct {
	Created time.Time
	// Source is the program, Args what it sees as args.
	Source string
	Args   value.Value
	// Script and NoSpeculation are how it was planned; Concurrency and Limit, the time that it has, how it is run.
	Script, NoSpeculation bool
	Concurrency           int
	Limit                 time.Duration
	// Catalog is the digest of the tools as they were, Graph that of the graph.
	Catalog, Graph string
	// Version is that of pml.
	Version string
	// Yes says that every call that would be asked about is approved.
	Yes bool
}

// Question is a call that waits for a person.
type Question struct {
	// ID names exactly this question: path, tool, arguments and what is asked.
	ID, Path string
	Tool     nodes.ToolID
	// Args is the JSON text of the arguments, Reason why it is asked.
	Args, Reason string
	// Kind says what is asked; see call.Question.
	Kind string
}

// Decision is an answer.
type Decision struct {
	// ID is the question's; Tool what it is about.
	ID   string
	Tool nodes.ToolID
	// Verdict is what was decided; Result the JSON text of a result that a person has found out.
	Verdict, Result string
	// Remember is "", "run" or "project"; By who has decided: "terminal", "resume", ….
	Remember, By string
}

// End is how a run ended.
type End struct {
	// Status is "success", "error" or "cancelled".
	Status string
	// Result is set after a success.
	Result value.Value
	// The rest is set after an error.
	Code                nodes.ErrorCode
	Message, Hint, Path string
	Tool                nodes.ToolID
	Line, Column        int
}

func (e *encoder) strings(list ...string) {
	for _, s := range list {
		e.string(s)
	}
}

func (d *decoder) strings(into ...*string) {
	for _, s := range into {
		*s = d.string()
	}
}

func (e *encoder) begin(b *Begin) {
	e.number(int(b.Created.UnixMilli()))
	e.strings(b.Source, b.Catalog, b.Graph, b.Version)
	e.value(value.Bool(b.Script))
	e.value(value.Bool(b.NoSpeculation))
	e.number(b.Concurrency)
	e.number(int(b.Limit.Milliseconds()))
	e.value(b.Args)
	e.value(value.Bool(b.Yes))
}

func (d *decoder) begin() (b Begin) {
	b.Created = time.UnixMilli(d.big())
	d.strings(&b.Source, &b.Catalog, &b.Graph, &b.Version)
	b.Script = d.value() == value.Bool(true)
	b.NoSpeculation = d.value() == value.Bool(true)
	b.Concurrency = d.number()
	b.Limit = time.Duration(d.number()) * time.Millisecond
	b.Args = d.value()
	if len(d.buf) > 0 { // older journals end here
		b.Yes = d.value() == value.Bool(true)
	}
	return b
}

func (e *encoder) question(q *Question) {
	e.strings(q.ID, q.Path, string(q.Tool), q.Args, q.Reason, q.Kind)
}

func (d *decoder) question() (q Question) {
	d.strings(&q.ID, &q.Path, (*string)(&q.Tool), &q.Args, &q.Reason, &q.Kind)
	return q
}

func (e *encoder) decision(x *Decision) {
	e.strings(x.ID, string(x.Tool), x.Verdict, x.Result, x.Remember, x.By)
}

func (d *decoder) decision() (x Decision) {
	d.strings(&x.ID, (*string)(&x.Tool), &x.Verdict, &x.Result, &x.Remember, &x.By)
	return x
}

func (e *encoder) end(x *End) {
	e.strings(x.Status, string(x.Code), x.Message, x.Hint, x.Path, string(x.Tool))
	e.number(x.Line)
	e.number(x.Column)
	e.value(x.Result)
}

func (d *decoder) end() (x End) {
	d.strings(&x.Status, (*string)(&x.Code), &x.Message, &x.Hint, &x.Path, (*string)(&x.Tool))
	x.Line, x.Column = d.number(), d.number()
	x.Result = d.value()
	return x
}

func (e *encoder) outcome(o *engine.Outcome) {
	e.number(o.Seq)
	switch {
	case o.Throw != nil:
		e.number(howThrow)
		e.value(o.Throw.Value)
	case o.Return != nil:
		e.number(howReturn)
		e.value(o.Return.Value)
	default:
		e.number(howOut)
		e.values(o.Out)
	}
}

func (d *decoder) outcome() (o engine.Outcome) {
	o.Seq = d.number()
	switch d.number() {
	case howThrow:
		o.Throw = &value.Throw{Value: d.value()}
	case howReturn:
		o.Return = &engine.Return{Value: d.value()}
	default:
		o.Out = d.values()
	}
	return o
}
