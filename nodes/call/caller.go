package call

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/policy"
	"github.com/casys-ai/pml/nodes/value"
)

// DefaultTimeout is how long one call may take unless Options say otherwise.
const DefaultTimeout = 30 * time.Second

// Transport carries calls to where they are executed. args is the JSON text of an object, which is not changed any
// more; sent is called once, when the request has left. An error that is no *Fault becomes one with the code
// SERVER_ERROR.
type Transport interface {
	Call(ctx context.Context, server, tool string, args []byte, sent func()) (Reply, error)
}

// NoCloud says why a tool of the cloud cannot be called without a key.
const NoCloud = "Cloud mode requires PML_API_KEY"

// Fault is why a call had no result.
type Fault struct {
	Code    nodes.ErrorCode
	Message string
}

// Error implements error.
func (f *Fault) Error() string { return f.Message }

// Options are what all calls of a Caller have in common.
type Options struct {
	Rules     policy.Rules
	Transport Transport
	// Timeout is for one call, questions not counted; 0 means DefaultTimeout.
	Timeout time.Duration
	// Warn is told once about each tool whose input schema cannot be used; nil for nobody.
	Warn func(tool nodes.ToolID, message string)
}

// Caller makes tool calls. It is safe for concurrent use.
type Caller struct {
	options Options
	tools   sync.Map // *nodes.Tool → *prepared
}

// New makes a Caller.
func New(o Options) *Caller {
	if o.Timeout <= 0 {
		o.Timeout = DefaultTimeout
	}
	return &Caller{options: o}
}

// Request is one call.
type Request struct {
	Tool *nodes.Tool
	// Path identifies the call in its run; see engine.Task.
	Path string
	// Args is the argument as the program gave it; nil and Undefined stand for {}.
	Args value.Value
	// Asker puts questions to a person; nil if there is nobody to ask.
	Asker Asker
	// Book is where calls are written down; it may be nil.
	Book Book
	// Cloud carries the call if its tool has the route server; nil if there is no cloud.
	Cloud Transport
	// Audit is told what was decided about the call, and by which rule or whom; it may be nil.
	Audit func(args []byte, decision, by string)
	// Turn waits until the call may leave; it may be nil. What was dispatched earlier leaves earlier.
	Turn func(ctx context.Context) error
	// Sent is called at most once, when the request has left; it may be nil.
	Sent func()
	// Received is told what the tool answered, before anything is made of it; it may be nil.
	Received func(Reply)
}

// prepared is what is found out about a tool once.
type prepared struct {
	tool   *nodes.Tool
	static policy.Decision
	schema schema
}

// Call makes one call and returns what the program sees of its result. A *value.Throw is an exception that the program
// can catch; other errors are fatal: *ApprovalRequired, what the Asker returned, or that of ctx.
func (c *Caller) Call(ctx context.Context, r Request) (value.Value, error) {
	p := c.prepare(r.Tool)
	text, err := argumentText(r)
	if err != nil {
		return nil, err
	}
	if v, settled, err := whatHappened(ctx, r, text); settled || err != nil {
		return v, err
	}
	d := c.decide(p, r.Args)
	if d.Permission != nodes.Ask {
		r.decided(text, d.Permission.String(), d.Rule)
	}
	if d.Permission == nodes.Deny {
		return nil, Throw(r.Tool.ID, nodes.PermissionDenied, fmt.Sprintf("%s is forbidden by the rule %q", r.Tool.ID, d.Rule))
	}
	if wrong := p.check(c, r.Args, text); wrong != "" {
		return nil, Throw(r.Tool.ID, nodes.InvalidArguments, fmt.Sprintf("invalid arguments for %s: %s", r.Tool.ID, wrong))
	}
	way, fault := c.way(r)
	if fault != nil {
		return nil, Throw(r.Tool.ID, fault.Code, fault.Message)
	}
	if d.Permission == nodes.Ask {
		if err := mayCall(ctx, r, text, d); err != nil {
			return nil, err
		}
	}
	return c.send(ctx, way, r, text)
}

// decided tells the audit log.
func (r *Request) decided(args []byte, decision, by string) {
	if r.Audit != nil {
		r.Audit(args, decision, by)
	}
}

func (c *Caller) prepare(t *nodes.Tool) *prepared {
	if p, ok := c.tools.Load(t); ok {
		return p.(*prepared)
	}
	p := &prepared{tool: t, static: c.options.Rules.Static(t), schema: schema{text: t.InputSchema}}
	p.schema.shape = newShape(t.InputSchema)
	known, _ := c.tools.LoadOrStore(t, p)
	return known.(*prepared)
}

// decide applies the rules; the arguments are only looked at where a condition needs them.
func (c *Caller) decide(p *prepared, args value.Value) policy.Decision {
	if !p.static.Depends {
		return p.static
	}
	plain, _ := plainData(args).(map[string]any)
	if plain == nil {
		plain = map[string]any{}
	}
	return c.options.Rules.Decide(p.tool, plain)
}

func (p *prepared) check(c *Caller, args value.Value, text []byte) string {
	return p.schema.check(args, text, func(why error) {
		if c.options.Warn != nil {
			c.options.Warn(p.tool.ID, fmt.Sprintf("arguments of %s are not checked: %v", p.tool.ID, why))
		}
	})
}

// way is where the tool's route leads.
func (c *Caller) way(r Request) (Transport, *Fault) {
	switch {
	case r.Tool.Route == nodes.Client:
		return c.options.Transport, nil
	case r.Cloud == nil:
		return nil, &Fault{nodes.MissingAPIKey, NoCloud}
	}
	return r.Cloud, nil
}

// send sends the call and waits for its result, at most as long as one call may take.
func (c *Caller) send(ctx context.Context, way Transport, r Request, text []byte) (value.Value, error) {
	sent := r.Sent
	if sent == nil {
		sent = func() {}
	}
	if r.Turn != nil {
		if err := r.Turn(ctx); err != nil {
			return nil, err
		}
	}
	limited, cancel := context.WithTimeout(ctx, c.options.Timeout)
	defer cancel()
	if r.Book != nil {
		if err := r.Book.Leaving(r.Path, r.Tool, text); err != nil {
			return nil, err
		}
	}
	reply, err := way.Call(limited, r.Tool.ID.Server(), r.Tool.ID.Name(), text, sent)
	switch {
	case err == nil:
		if r.Received != nil {
			r.Received(reply)
		}
		v, err := Unwrap(r.Tool, reply)
		if code(err) == nodes.PathOutsideWorkspace {
			r.decided(text, "refused", string(nodes.PathOutsideWorkspace))
		}
		return v, err
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case limited.Err() != nil:
		message := fmt.Sprintf("%s did not answer within %s", r.Tool.ID, c.options.Timeout)
		return nil, Throw(r.Tool.ID, nodes.RPCTimeout, message)
	}
	var f *Fault
	if !errors.As(err, &f) {
		f = &Fault{nodes.ServerError, err.Error()}
	}
	return nil, Throw(r.Tool.ID, f.Code, f.Message)
}

// Throw makes the exception that a failed call is to the program: a ToolError with code and tool.
func Throw(tool nodes.ToolID, code nodes.ErrorCode, message string) *value.Throw {
	props := value.NewObject(2)
	props.Set("code", value.String(code))
	props.Set("tool", value.String(tool))
	return &value.Throw{Value: &value.Error{Name: "ToolError", Message: message, Props: props}}
}

// code is the code of a ToolError; "" for any other error.
func code(err error) nodes.ErrorCode {
	thrown, _ := err.(*value.Throw)
	if thrown == nil {
		return ""
	}
	e, _ := thrown.Value.(*value.Error)
	if e == nil || e.Props == nil {
		return ""
	}
	v, _ := e.Props.Get("code")
	s, _ := v.(value.String)
	return nodes.ErrorCode(s)
}
