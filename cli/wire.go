package cli

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/casys-ai/pml/cli/config"
	"github.com/casys-ai/pml/cli/runtime"
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/call"
	"github.com/casys-ai/pml/nodes/script"
	"github.com/casys-ai/pml/transport"
	"github.com/casys-ai/pml/transport/builtin"
	"github.com/casys-ai/pml/transport/serve"
)

// project is the workspace that a command works in, with its configuration.
type project struct {
	config.Workspace
	*config.Config
	// deps are the servers that were taken from the registry.
	deps map[string]config.Dep
	log  *slog.Logger
}

// project finds the workspace and reads its configuration.
func (a *App) project(cmd *cobra.Command) (*project, error) {
	ws, err := config.FindWorkspace(a.Dir, a.getenv("PML_WORKSPACE"))
	if err != nil {
		return nil, usage(err.Error(), "PML_WORKSPACE must name a folder that exists")
	}
	vars, err := a.variables(ws.Path)
	if err != nil {
		return nil, err
	}
	c, err := config.Load(ws.Path, func(name string) string { return vars[name] })
	if err != nil {
		return nil, err
	}
	deps, err := config.LoadDeps(ws.Path)
	if err != nil {
		return nil, err
	}
	p := &project{ws, c, deps, a.logger(cmd)}
	if w := cloudWarning(a.cloudAccess(ws.Path)); w != "" {
		p.Warnings = append(p.Warnings, w)
	}
	if err := p.checkBuiltIn(); err != nil {
		return nil, err
	}
	return p, nil
}

// variables are those of the environment, and of .env where the environment has none of the name.
func (a *App) variables(workspace string) (map[string]string, error) {
	vars, err := config.ReadEnv(workspace)
	if vars == nil {
		vars = map[string]string{}
	}
	for _, kv := range a.Environ {
		if name, v, ok := strings.Cut(kv, "="); ok && name != "" {
			vars[name] = v
		}
	}
	return vars, err
}

// keys reads the variables again; what cannot be read is left out.
func (a *App) keys(p *project) func() map[string]string {
	return func() map[string]string {
		vars, err := a.variables(p.Path)
		if err != nil {
			p.log.Warn(err.Error())
		}
		return vars
	}
}

// remember keeps an answer in the project's configuration.
func (p *project) remember(tool nodes.ToolID, v call.Verdict) error {
	list := "deny"
	if v == call.Approve {
		list = "allow"
	}
	return config.Remember(p.Path, list, string(tool))
}

// warn says what is doubtful about workspace and configuration.
func (a *App) warn(p *project) {
	list := p.Warnings
	if w := p.Warning(); w != "" {
		list = append([]string{w}, list...)
	}
	for _, w := range list {
		fmt.Fprintln(a.Err, "pml: warning:", w)
	}
}

func (p *project) checkBuiltIn() error {
	for _, name := range p.BuiltIn {
		if !slices.Contains(builtin.Names(), name) {
			return &config.Error{File: filepath.Join(p.Path, config.File),
				Message: fmt.Sprintf("builtin: there is no built-in server %q", name),
				Hint:    "there are " + strings.Join(builtin.Names(), ", ")}
		}
	}
	return nil
}

// servers are those of the configuration and the built-in ones; the user's own wins over a built-in one of its name.
func (p *project) servers() []runtime.ServerEntry {
	var list []runtime.ServerEntry
	own := map[string]bool{}
	for _, s := range p.Servers {
		own[s.Name] = true
		list = append(list, runtime.ServerEntry{
			ServerConfig: transport.ServerConfig{Name: s.Name, Command: s.Command, Args: s.Args, Env: s.Env, Dir: p.dir(s),
				URL: s.URL, Headers: s.Headers, Confine: p.confinement(s)},
			Untrusted: s.Trust != nil && !*s.Trust, Route: s.Route, Text: s.Text, Keys: s.Keys, InFlight: s.Concurrency,
		})
	}
	for _, name := range slices.Sorted(maps.Keys(p.deps)) {
		if d := p.deps[name]; !own[name] {
			own[name] = true
			list = append(list, runtime.ServerEntry{Registry: true, Keys: map[string][]string{"*": d.Env},
				ServerConfig: transport.ServerConfig{Name: name, Command: d.Command, Args: d.Args,
					Confine: &transport.Confinement{Write: []string{p.Path}}}})
		}
	}
	for _, name := range builtin.Names() {
		if !own[name] && (p.BuiltIn == nil || slices.Contains(p.BuiltIn, name)) {
			list = append(list, runtime.ServerEntry{BuiltIn: true,
				ServerConfig: transport.ServerConfig{Name: name, Args: []string{"--workspace", p.Path}}})
		}
	}
	return list
}

// confinement is what the process of a server may do: all of the workspace, and what its entry adds.
func (p *project) confinement(s config.Server) *transport.Confinement {
	if !s.Confined() {
		return nil
	}
	c := &transport.Confinement{Network: s.Network, Write: []string{p.Path}}
	if dir := p.dir(s); dir != "" {
		c.Read = append(c.Read, dir)
	}
	for _, path := range s.Paths.Read {
		c.Read = append(c.Read, p.absolute(path))
	}
	for _, path := range s.Paths.Write {
		c.Write = append(c.Write, p.absolute(path))
	}
	return c
}

// absolute is a path of the configuration: from "~/", or relative to the workspace.
func (p *project) absolute(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			return filepath.Join(home, rest)
		}
	}
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(p.Path, path)
}

// dir is the working directory of a server: the workspace, or a folder relative to it.
func (p *project) dir(s config.Server) string {
	if s.Dir == "" || filepath.IsAbs(s.Dir) {
		return s.Dir
	}
	return filepath.Join(p.Path, s.Dir)
}

// runtimeConfig is what a Session is made of.
func (a *App) runtimeConfig(p *project) runtime.Config {
	cloud := a.cloud(p)
	return runtime.Config{
		Workspace: p.Path, Servers: p.servers(), Rules: p.Rules, Version: version(),
		Limits: runtime.Limits{Run: p.Limits.Run, Call: p.Limits.Call, Calls: p.Limits.Calls, InFlight: p.Limits.Concurrency,
			Script: script.Limits{Memory: int64(p.Limits.MemoryMB) << 20}},
		State: filepath.Join(p.Path, config.StateDir), SelfCommand: []string{a.Self}, Environ: a.Environ, Log: p.log,
		Cloud: cloud, InCloud: p.Limits.Cloud, Capabilities: a.capabilities(p),
		Keys: a.keys(p), Remember: p.remember, Reporter: a.reporter(p, cloud),
	}
}

// open opens the session of a project. The caller closes it.
func (a *App) open(ctx context.Context, p *project) (*runtime.Session, error) {
	a.warn(p)
	c := a.runtimeConfig(p)
	var s *runtime.Session
	if sampler, asked := a.sampled(p, nobody, func() *runtime.Session { return s }); sampler.Available() {
		c.Asked = asked
	}
	var err error
	if s, err = runtime.Open(ctx, c); err != nil {
		return nil, fmt.Errorf("cannot start: %w", err)
	}
	return s, nil
}

// cloudAccess is the key for the gateway, "" for local-only, and its address, "" for the public one: both from the
// environment, or else both from .env of the workspace, so that a project's file never decides where a key of the
// environment is sent.
func (a *App) cloudAccess(workspace string) (key, address string) {
	if key = a.getenv("PML_API_KEY"); key != "" {
		return key, a.getenv("PML_CLOUD_URL")
	}
	vars, err := a.variables(workspace)
	if err != nil {
		return "", "" // who reads the keys says so
	}
	return vars["PML_API_KEY"], vars["PML_CLOUD_URL"]
}

// cloudWarning is what is doubtful about the gateway's address: over plain HTTP everybody on the way reads the keys.
func cloudWarning(key, address string) string {
	u, err := url.Parse(address)
	if key == "" || err != nil || u.Scheme != "http" || serve.IsLoopback(u.Hostname()) {
		return ""
	}
	return fmt.Sprintf("PML_CLOUD_URL is http://%s: your keys and data go there unencrypted; use https", u.Host)
}

// publicCloud is the gateway that is used unless PML_CLOUD_URL names another.
const publicCloud = "https://pml.casys.ai"

// cloud is the client of the gateway; nil without a key.
func (a *App) cloud(p *project) *transport.Cloud {
	key, address := a.cloudAccess(p.Path)
	if key == "" {
		return nil
	}
	if address == "" {
		address = publicCloud
	}
	return transport.NewCloud(transport.CloudConfig{URL: address, Key: key, Cache: filepath.Join(p.Path, ".pml", "cloud.json")},
		transport.PoolOptions{Client: transport.Client{Name: "pml", Version: version()}, Logger: p.log,
			Limits: transport.Limits{CallTimeout: p.Limits.Call}})
}
