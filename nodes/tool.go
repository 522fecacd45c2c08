package nodes

import "strings"

// Effect is what a tool does to the world. It decides what may run beside what.
type Effect uint8

// The effects. The zero value is Write: what nothing is known about may do anything.
const (
	Write Effect = iota
	Read
	Pure
)

// String returns "write", "read" or "pure".
func (e Effect) String() string { return [...]string{"write", "read", "pure"}[e] }

// Route is where a call is executed.
type Route uint8

// The routes. The zero value is Client: what nothing is known about stays on this machine.
const (
	Client Route = iota
	Server
)

// String returns "client" or "server".
func (r Route) String() string { return [...]string{"client", "server"}[r] }

// Permission is what the rules say about a call.
type Permission uint8

// The permissions. The zero value is Ask, the default.
const (
	Ask Permission = iota
	Allow
	Deny
)

// String returns "ask", "allow" or "deny".
func (p Permission) String() string { return [...]string{"ask", "allow", "deny"}[p] }

// World is the scope of a tool of which nothing is known: it conflicts with every scope.
const World = "world"

// Workspace is the scope shared by all local servers unless a rule says otherwise.
const Workspace = "workspace"

// ToolID names a tool as "server:tool".
type ToolID string

// Server is the part before the first colon.
func (id ToolID) Server() string { s, _, _ := strings.Cut(string(id), ":"); return s }

// Name is the part after the first colon.
func (id ToolID) Name() string { _, t, _ := strings.Cut(string(id), ":"); return t }

// Tool is one tool as the planner, the policy and the agent see it.
type Tool struct {
	ID          ToolID `json:"id"`
	Title       string `json:"title,omitempty"`
	Description string `json:"description,omitempty"`
	// InputSchema and OutputSchema are JSON Schema texts as the server sent them; OutputSchema may be empty.
	InputSchema  []byte `json:"-"`
	OutputSchema []byte `json:"-"`

	Effect     Effect     `json:"-"`
	Idempotent bool       `json:"-"`
	Route      Route      `json:"-"`
	Permission Permission `json:"-"`
	// Scopes are the named resources that the tool touches; World, or none, conflicts with everything.
	Scopes []string `json:"-"`
	// TextResult says that text is handed over as it is, even where it looks like JSON (ARCHITECTURE.md, results).
	TextResult bool `json:"-"`
	// Keys are the variables that hold the user's own keys for the tool; they are sent with its calls and nothing else.
	Keys []string `json:"keys,omitempty"`
	// Changed says how its definition differs from the one that was pinned when it was first used; "" if it does not. Such a
	// tool is asked about.
	Changed string `json:"-"`
	// Integrity is the hash of the definition that this was made of, as the lock file has it; "" if it is not pinned.
	Integrity string `json:"-"`
	// Origin is "built-in", "custom" or "registry".
	Origin string `json:"-"`
}

// Conflicts reports whether two calls must keep their program order: unless both are read, or one is pure, or their
// scopes are disjoint (ARCHITECTURE.md, rule 2).
func Conflicts(a, b *Tool) bool {
	if a.Effect == Pure || b.Effect == Pure || a.Effect == Read && b.Effect == Read {
		return false
	}
	return shareScope(a.Scopes, b.Scopes)
}
