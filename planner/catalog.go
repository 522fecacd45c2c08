package planner

import "github.com/casys-ai/pml/nodes"

// Catalog is what the planner knows of the tools: a snapshot, so that a graph is a function of source, catalogue and
// policy alone.
type Catalog interface {
	// Servers lists the names of all servers, sorted.
	Servers() []string
	// Tools lists the tools of a server, sorted by id. An error says why the server cannot be asked; nil and no error
	// means that there is no such server.
	Tools(server string) ([]*nodes.Tool, error)
	// Tool returns one tool, or nil.
	Tool(id nodes.ToolID) *nodes.Tool
}

// Hinted is what an error of Catalog.Tools may be: one that says how to mend it.
type Hinted interface {
	error
	Hint() string
}

// Coded is what an error of Catalog.Tools may be: one that has a code of its own; others are SERVER_ERROR.
type Coded interface {
	error
	Code() nodes.ErrorCode
}
