package script

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/casys-ai/pml/nodes/value"
)

// childArg makes the test binary a script child.
const childArg = "pml-script-child"

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == childArg {
		if err := Serve(os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, deathPrefix+err.Error())
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// newPool makes a pool of children of the test binary, closed when the test ends.
func newPool(t testing.TB, l Limits, warm int) *Pool {
	t.Helper()
	p := NewPool(Options{Command: []string{os.Args[0], childArg}, Limits: l, Warm: warm, TZ: "UTC"})
	t.Cleanup(p.Close)
	return p
}

// acquire gives a realm that is closed when the test ends.
func acquire(t testing.TB, p *Pool) *Realm {
	t.Helper()
	r, err := p.Acquire(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

// within is a context that ends the test's work after d.
func within(t testing.TB, d time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), d)
	t.Cleanup(cancel)
	return ctx
}

// echo is a tool server: mcp.t.echo(x) gives x, mcp.t.fail(x) a ToolError, mcp.t.slow({ms}) waits.
func echo(ctx context.Context, _ int, server, tool string, args []byte) (value.Value, error) {
	switch tool {
	case "fail":
		e := value.NewError("ToolError", "it failed")
		e.Props = value.NewObject(2)
		e.Props.Set("code", value.String("TOOL_ERROR"))
		e.Props.Set("tool", value.String(server+":"+tool))
		return nil, &value.Throw{Value: e}
	case "slow":
		v, _ := value.ParseJSON(string(args))
		ms, _ := v.(*value.Object).Get("ms")
		select {
		case <-time.After(time.Duration(ms.(value.Number)) * time.Millisecond):
			return v, nil
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	case "fatal":
		return nil, fmt.Errorf("the engine gives up")
	}
	if args == nil {
		return value.Undefined{}, nil
	}
	return value.FromJSON(args)
}
