// Package answer says what came of a program: the shapes that `pml run --json` prints and that agents get over MCP.
package answer

import (
	"encoding/json"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/call"
)

// The shapes.
type (
	Success struct {
		Status          string          `json:"status"`
		Result          json.RawMessage `json:"result"`
		RunID           string          `json:"run_id"`
		ExecutedLocally bool            `json:"executed_locally"`
		ToolFailures    []ToolFailure   `json:"tool_failures,omitempty"`
		Logs            []Log           `json:"logs,omitempty"`
	}
	Failure struct {
		Status      string       `json:"status"`
		Error       Error        `json:"error"`
		Diagnostics []Diagnostic `json:"diagnostics,omitempty"`
		// Done is what had been done when the run ended; nil if nothing was started.
		Done  *Done  `json:"done,omitempty"`
		RunID string `json:"run_id,omitempty"`
		Logs  []Log  `json:"logs,omitempty"`
	}
	Waiting struct {
		Status     string     `json:"status"`
		WorkflowID string     `json:"workflow_id"`
		Approvals  []Approval `json:"approvals"`
		Logs       []Log      `json:"logs,omitempty"`
	}
	Error struct {
		Code    nodes.ErrorCode `json:"code"`
		Message string          `json:"message"`
		Tool    nodes.ToolID    `json:"tool,omitempty"`
		Node    string          `json:"node,omitempty"`
		Line    int             `json:"line,omitempty"`
		Column  int             `json:"column,omitempty"`
		// Source is the line of the program, with a caret below the column.
		Source string `json:"source,omitempty"`
		Hint   string `json:"hint,omitempty"`
	}
	Diagnostic struct {
		Code     nodes.ErrorCode `json:"code"`
		Severity string          `json:"severity"`
		Message  string          `json:"message"`
		Hint     string          `json:"hint,omitempty"`
		Line     int             `json:"line,omitempty"`
		Column   int             `json:"column,omitempty"`
		Source   string          `json:"source,omitempty"`
		Tool     nodes.ToolID    `json:"tool,omitempty"`
	}
	Approval struct {
		ID     string          `json:"id"`
		Tool   nodes.ToolID    `json:"tool"`
		Args   json.RawMessage `json:"args"`
		Reason string          `json:"reason"`
		// Kind is what is asked, Decisions what may be answered.
		Kind      call.Kind      `json:"kind"`
		Decisions []call.Verdict `json:"decisions"`
	}
	ToolFailure struct {
		Tool    nodes.ToolID    `json:"tool"`
		Node    string          `json:"node"`
		Code    nodes.ErrorCode `json:"code,omitempty"`
		Message string          `json:"message"`
	}
	// Done is the calls that had succeeded; what was written stays written.
	Done struct {
		Calls  int     `json:"calls"`
		Writes []Write `json:"writes,omitempty"`
	}
	Write struct {
		Tool nodes.ToolID `json:"tool"`
		Node string       `json:"node"`
	}
	Log struct {
		Level string `json:"level"`
		Text  string `json:"text"`
	}
)
