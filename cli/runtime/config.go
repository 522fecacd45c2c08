// Package runtime wires the rooms together for every command: servers, planner, engine, expressions, tool calls and
// scripts. It holds no logic of its own.
//
//	Open ── Session ── Plan ──▶ Planned ── Run ──▶ Outcome
//	           ├─ transport.Pool   local servers, started when a program names them
//	           ├─ call.Caller      every tool call, however it comes about
//	           └─ script.Pool      children for what is not lifted
package runtime

import (
	"context"
	"log/slog"
	"time"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/call"
	"github.com/casys-ai/pml/nodes/policy"
	"github.com/casys-ai/pml/nodes/script"
	"github.com/casys-ai/pml/transport"
)

// Config is what a Session is made of.
type Config struct {
	// Workspace is the absolute path of the project.
	Workspace string
	// Servers are the local servers, the built-in ones included.
	Servers []ServerEntry
	Rules   policy.Rules
	// Routes are the user's routes, by server name or tool id, beyond those of the servers' own entries.
	Routes map[string]string
	Limits Limits
	// Cloud is where the tools run that do not run here; nil for local-only. The Session closes it.
	Cloud *transport.Cloud
	// InCloud is how many calls of all runs may be there at once; 0 for as many as come.
	InCloud int
	// Capabilities are the project's own stored programs.
	Capabilities []Capability
	// SelfCommand starts this binary; "builtin NAME" and "script-child" are appended to it.
	SelfCommand []string
	// Environ is pml's own environment ("NAME=value").
	Environ []string
	// Keys gives the values of keys by name, as they are now; nil for none.
	Keys func() map[string]string
	// State is the folder in which the journals of runs are kept; "" for nowhere.
	State string
	// Remember keeps an answer for the project; nil if that cannot be done.
	Remember func(tool nodes.ToolID, v call.Verdict) error
	// Log gets warnings and what the servers say; nil for nowhere.
	Log *slog.Logger
	// ToolsChanged is told that a server's tools are no longer what they were, after the Session has noted it; nil for nobody.
	// It must not wait for the Session.
	ToolsChanged func(server string)
	// Asked answers what a server asks its client; see transport.Events. nil if nobody can.
	Asked func(ctx context.Context, server, method string, params []byte) ([]byte, error)
	// Version is pml's, as the servers are told.
	Version string
	// Reporter is told of runs that have ended; nil for nobody. The Session closes it.
	Reporter Reporter
	// Now tells how old runs are; nil for time.Now.
	Now func() time.Time
}

// Reporter is told of runs that have ended, by many goroutines at once. It must not wait for others.
type Reporter interface {
	Ended(*Outcome)
	// Close tells what is still to be told.
	Close()
}

// ServerEntry is one local server.
type ServerEntry struct {
	transport.ServerConfig
	// BuiltIn says that Name is that of a server in the binary; Command is not used then, and Args are its flags.
	BuiltIn bool
	// Pure says that what reads and is idempotent depends on nothing but its arguments.
	Pure bool
	// Registry says that it comes from the registry, not from the user's configuration.
	Registry bool
	// Untrusted says that its annotations are not believed.
	Untrusted bool
	// Route is "client" or "server"; "" is client: what is configured here runs here.
	Route string
	// InFlight is how many calls of all runs may be there at once; 0 for as many as come.
	InFlight int
	// Keys are the names of the keys that its tools need, by tool; those of "*" are for all. Their values are given to the
	// server when it starts, and to nobody else.
	Keys map[string][]string
	// Text names the tools whose texts are handed over as they are, with `*`.
	Text []string
}

// Limits bound runs; 0 is the default.
type Limits struct {
	// Run is the time for a whole run: 5 min. It stands still while nothing but questions is outstanding.
	Run time.Duration
	// Call is the time for one tool call: 30 s.
	Call time.Duration
	// Calls is how many tool calls a run may make: 1000.
	Calls int
	// InFlight is how many of them at once: 64.
	InFlight int
	// Script bounds the child of a run.
	Script script.Limits
}

func (l Limits) withDefaults() Limits {
	if l.Run <= 0 {
		l.Run = 5 * time.Minute
	}
	if l.Call <= 0 {
		l.Call = 30 * time.Second
	}
	if l.Calls <= 0 {
		l.Calls = 1000
	}
	if l.InFlight <= 0 {
		l.InFlight = 64
	}
	return l
}
