package programs

import (
	"context"
	"os"
	"path/filepath"

	"github.com/casys-ai/pml/cli/runtime"
	"github.com/casys-ai/pml/nodes/policy"
	"github.com/casys-ai/pml/transport"
)

// Options say what is measured with.
type Options struct {
	// Self starts this binary. "testserver" and its flags, or "script-child", are appended: see cmd/pmlbench.
	Self []string
	// Runs is of how many runs each figure is the median.
	Runs int
}

// place is a folder with the configuration of the test server.
type place struct {
	Options
	dir string
}

func newPlace(o Options) (*place, error) {
	dir, err := os.MkdirTemp("", "pml-bench")
	if err != nil {
		return nil, err
	}
	return &place{o, dir}, os.WriteFile(filepath.Join(dir, "tools.json"), []byte(tools), 0o600)
}

func (p *place) remove() { _ = os.RemoveAll(p.dir) }

// server is how the test server is started.
func (p *place) server() transport.ServerConfig {
	config := filepath.Join(p.dir, "tools.json")
	args := append(p.Self[1:len(p.Self):len(p.Self)], "testserver", "-config", config, "-server", "t")
	return transport.ServerConfig{Name: "t", Command: p.Self[0], Args: args}
}

// open makes a session as `pml run` does, with everything allowed, changed as asked.
func (p *place) open(ctx context.Context, change ...func(*runtime.Config)) (*runtime.Session, error) {
	all, err := policy.NewRule("*", "")
	if err != nil {
		return nil, err
	}
	c := runtime.Config{
		Workspace: p.dir, SelfCommand: p.Self, Environ: os.Environ(), Rules: policy.Rules{Allow: []policy.Rule{all}},
		Servers: []runtime.ServerEntry{{ServerConfig: p.server()}}, Limits: runtime.Limits{Calls: 10_000},
	}
	for _, f := range change {
		f(&c)
	}
	return runtime.Open(ctx, c)
}
