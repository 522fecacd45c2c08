package pml

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/casys-ai/pml/"

// rooms is the law of who may import what of our own: source → planner → graph → engine → nodes → transport, and no
// room imports one to its left. It is a statement of policy: a build that breaks it is to be changed, not the law.
//
// A line is "package: packages it may import"; "room/..." stands for the room and all below it.
const rooms = `
nodes/ast:
nodes/value:
nodes/layered:
nodes:                nodes/ast nodes/layered nodes/value
nodes/policy:         nodes nodes/value
nodes/expr:           nodes nodes/ast nodes/value
nodes/call:           nodes nodes/value nodes/policy
nodes/script:         nodes nodes/value
nodes/declare:        nodes nodes/value

planner:              nodes nodes/ast nodes/value nodes/expr planner/syntax
planner/syntax:       nodes nodes/ast
planner/parcel:       nodes nodes/ast planner/syntax

engine:               nodes nodes/ast nodes/value
engine/journal:       nodes nodes/value engine
engine/trace:         nodes nodes/value engine

transport:            nodes
transport/gateway:    nodes transport transport/serve
transport/serve:      transport
transport/builtin/...: transport/builtin/...

cli/config:           nodes nodes/policy
cli/...:              ...

fixtures/...:         fixtures/... nodes nodes/ast nodes/value planner/syntax
bench/...:            ...
`

// owners is who alone may import what from outside. What is not named here may be imported wherever rooms allow it.
const owners = `
github.com/ije/esbuild-internal:        planner/syntax
github.com/evanw/esbuild:               planner/syntax
github.com/dop251/goja:                 nodes/script
github.com/expr-lang/expr:              nodes/policy transport/builtin/...
github.com/itchyny/gojq:                transport/builtin/...
github.com/santhosh-tekuri/jsonschema:  nodes/call
github.com/mark3labs/mcp-go:            transport transport/serve transport/builtin/... transport/gateway bench/...
github.com/landlock-lsm/go-landlock:    nodes/script transport
github.com/sourcegraph/conc:            engine transport transport/gateway transport/serve bench/...
modernc.org/sqlite:                     transport/builtin/... transport/gateway cli/find
github.com/spf13/cobra:                 cli/...
go.opentelemetry.io:                    cli/telemetry
golang.org/x/term:                      cli/...
github.com/tailscale/hujson:            cli/...
github.com/gofrs/flock:                 engine/journal cli/runtime
github.com/heimdalr/dag:                bench/...
`

// pure is which packages of the standard library a room must do without: I/O, clocks, randomness.
const pure = `
nodes:          os os/exec net net/http time math/rand math/rand/v2 crypto/rand log/slog
nodes/ast:      os os/exec net net/http time math/rand math/rand/v2 crypto/rand log/slog
nodes/value:    os os/exec net net/http math/rand math/rand/v2 crypto/rand log/slog
nodes/policy:   os os/exec net net/http time math/rand math/rand/v2 crypto/rand log/slog
planner:        os os/exec net net/http time math/rand math/rand/v2 crypto/rand log/slog
planner/syntax: os os/exec net net/http time math/rand math/rand/v2 crypto/rand log/slog
engine:         os os/exec net net/http time math/rand math/rand/v2 crypto/rand log/slog
`

// surroundings is who may look at the process's arguments and environment. The built-in servers are processes of their
// own, and hand their environment on to the programs that they start.
const surroundings = `
os.Getenv os.LookupEnv os.Args flag: cli/... fixtures/... bench/...
os.Environ: cli/... fixtures/... bench/... transport/builtin/...
`

type listed struct {
	ImportPath, Dir string
	GoFiles         []string
	Imports         []string
}

func packages(t *testing.T) []listed {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Dir,GoFiles,Imports", "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	var all []listed
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		p.ImportPath = strings.TrimPrefix(p.ImportPath, module)
		all = append(all, p)
	}
}

// rule is one line of a law.
type rule struct {
	head  []string
	right []string
}

func read(law string) (rules []rule) {
	for line := range strings.Lines(law) {
		if head, right, ok := strings.Cut(line, ":"); ok {
			rules = append(rules, rule{strings.Fields(head), strings.Fields(right)})
		}
	}
	return rules
}

// covers reports whether one of the patterns means the package: its name, or "room/..." or "...".
func covers(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		room, below := strings.CutSuffix(p, "...")
		return p == name || below && strings.HasPrefix(name+"/", room)
	})
}

// lawOf is the first rule for a package.
func lawOf(rules []rule, name string) (rule, bool) {
	i := slices.IndexFunc(rules, func(r rule) bool { return covers(r.head, name) })
	if i < 0 {
		return rule{}, false
	}
	return rules[i], true
}

func TestImportLaw(t *testing.T) {
	ours, theirs, without := read(rooms), read(owners), read(pure)
	for _, p := range packages(t) {
		if p.ImportPath+"/" == module || len(p.GoFiles) == 0 {
			continue // the root has tests only
		}
		law, ok := lawOf(ours, p.ImportPath)
		if !ok {
			t.Errorf("%s has no place in the law: add it to rooms", p.ImportPath)
		}
		forbidden, _ := lawOf(without, p.ImportPath)
		for _, name := range p.Imports {
			if own, isOurs := strings.CutPrefix(name, module); isOurs && !covers(law.right, own) {
				t.Errorf("%s must not import %s", p.ImportPath, own)
			}
			if slices.Contains(forbidden.right, name) {
				t.Errorf("%s must do without %s", p.ImportPath, name)
			}
			for _, o := range theirs {
				if strings.HasPrefix(name+"/", o.head[0]+"/") && !covers(o.right, p.ImportPath) {
					t.Errorf("%s must not import %s: that is for %s", p.ImportPath, name, strings.Join(o.right, ", "))
				}
			}
		}
	}
}

// TestSurroundings: arguments, environment and flags are read in cli alone.
func TestSurroundings(t *testing.T) {
	rules := read(surroundings)
	for _, p := range packages(t) {
		for _, file := range p.GoFiles {
			for name, at := range uses(t, filepath.Join(p.Dir, file)) {
				for _, r := range rules {
					if slices.Contains(r.head, name) && !covers(r.right, p.ImportPath) {
						t.Errorf("%s uses %s: that is for %s", at, name, strings.Join(r.right, ", "))
					}
				}
			}
		}
	}
}

// uses lists what a file takes from package os, as "os.Getenv", and whether it imports flag.
func uses(t *testing.T, path string) map[string]token.Position {
	t.Helper()
	files := token.NewFileSet()
	f, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]token.Position{}
	for _, i := range f.Imports {
		found[strings.Trim(i.Path.Value, `"`)] = files.Position(i.Pos())
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok && x.Name == "os" {
				found["os."+s.Sel.Name] = files.Position(s.Pos())
			}
		}
		return true
	})
	return found
}
