package runtime_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"github.com/casys-ai/pml/cli/runtime"
	"github.com/casys-ai/pml/fixtures/testserver"
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/policy"
	"github.com/casys-ai/pml/nodes/script"
	"github.com/casys-ai/pml/nodes/value"
	"github.com/casys-ai/pml/transport"
	"github.com/casys-ai/pml/transport/builtin"
)

// TestMain makes the test binary what pml is: it starts itself as built-in server, script child and test server.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "builtin":
			dir, _ := os.Getwd()
			exit(builtin.Serve(context.Background(), os.Args[2], builtin.Options{Workspace: dir}, os.Stdin, os.Stdout))
		case "script-child":
			exit(script.Serve(os.Stdin, os.Stdout))
		case "testserver":
			os.Exit(testserver.Main(os.Args[2:]))
		}
	}
	os.Exit(m.Run())
}

func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// open makes a session with the test servers of a configuration.
func open(tb testing.TB, tools string, change ...func(*runtime.Config)) *runtime.Session {
	tb.Helper()
	self, err := os.Executable()
	if err != nil {
		tb.Fatal(err)
	}
	file := filepath.Join(tb.TempDir(), "tools.json")
	if err := os.WriteFile(file, []byte(tools), 0o600); err != nil {
		tb.Fatal(err)
	}
	c := runtime.Config{Workspace: tb.TempDir(), SelfCommand: []string{self}, Environ: os.Environ(), Rules: allowAll()}
	parsed, err := testserver.ParseConfig([]byte(tools))
	if err != nil {
		tb.Fatal(err)
	}
	for name, server := range parsed.Servers {
		e := runtime.ServerEntry{ServerConfig: transport.ServerConfig{
			Name: name, Command: self, Args: []string{"testserver", "-config", file, "-server", name},
		}}
		for _, t := range server.Tools {
			if t.Result == "text" {
				e.Text = append(e.Text, t.Name)
			}
			c.Rules = withTool(c.Rules, name+":"+t.Name, t)
		}
		c.Servers = append(c.Servers, e)
	}
	sort.Slice(c.Servers, func(i, j int) bool { return c.Servers[i].Name < c.Servers[j].Name })
	for _, f := range change {
		f(&c)
	}
	s, err := runtime.Open(tb.Context(), c)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(s.Close)
	return s
}

func allowAll() policy.Rules {
	all, _ := policy.NewRule("*", "")
	return policy.Rules{Allow: []policy.Rule{all}}
}

// withTool adds what the configuration of a test tool says about effects and permissions.
func withTool(r policy.Rules, id string, t testserver.Tool) policy.Rules {
	e := policy.EffectRule{Tool: id, Scopes: t.Scopes}
	if t.Effect == "pure" {
		pure := nodes.Pure
		e.Effect = &pure
	}
	if e.Scopes != nil || e.Effect != nil {
		r.Effects = append(r.Effects, e)
	}
	return r
}

// execute plans and runs a program and renders what came of it.
func execute(tb testing.TB, s *runtime.Session, source, args string, o runtime.PlanOptions) (string, *runtime.Outcome) {
	tb.Helper()
	p, err := s.Plan(tb.Context(), source, o)
	if err != nil {
		tb.Fatal(err)
	}
	var in value.Value
	if args != "" {
		if in, err = value.ParseJSON(args); err != nil {
			tb.Fatal(err)
		}
	}
	out := s.Run(tb.Context(), p, in, runtime.RunOptions{})
	return render(out), out
}

// render is the result as JSON, or the error as the fixtures have it.
func render(out *runtime.Outcome) string {
	if out.Err == nil {
		text, ok, err := value.Stringify(out.Value)
		if err != nil {
			return "stringify: " + err.Error()
		}
		if !ok {
			return "undefined"
		}
		var b bytes.Buffer
		if json.Indent(&b, []byte(text), "", "  ") != nil {
			return text
		}
		return b.String()
	}
	f := out.Err
	if f.Thrown == nil {
		return string(f.Code) + ": " + f.Message
	}
	return strings.TrimSpace(thrownText(f.Thrown))
}

func thrownText(v value.Value) string {
	e, ok := v.(*value.Error)
	if !ok {
		text, _, _ := value.Stringify(v)
		return "thrown: " + text
	}
	text := e.Name + ": " + e.Message + "\n"
	for _, key := range []string{"code", "tool"} {
		if e.Props == nil {
			break
		}
		if s, ok := e.Props.Get(key); ok && s.Kind() == value.KindString {
			text += key + ": " + string(s.(value.String)) + "\n"
		}
	}
	return text
}
