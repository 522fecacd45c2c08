package cli

import (
	"encoding/json"

	"github.com/casys-ai/pml/nodes"
)

// What `pml run --json` prints, the same shapes that an agent gets over MCP.
type (
	succeededJSON struct {
		Status          string          `json:"status"`
		Result          json.RawMessage `json:"result"`
		RunID           string          `json:"run_id"`
		ExecutedLocally bool            `json:"executed_locally"`
		ToolFailures    []toolFailure   `json:"tool_failures,omitempty"`
		Logs            []logJSON       `json:"logs,omitempty"`
	}
	failedJSON struct {
		Status      string           `json:"status"`
		Error       errorJSON        `json:"error"`
		Diagnostics []diagnosticJSON `json:"diagnostics,omitempty"`
		RunID       string           `json:"run_id,omitempty"`
		Logs        []logJSON        `json:"logs,omitempty"`
	}
	waitingJSON struct {
		Status     string         `json:"status"`
		WorkflowID string         `json:"workflow_id"`
		Approvals  []approvalJSON `json:"approvals"`
		Logs       []logJSON      `json:"logs,omitempty"`
	}
	errorJSON struct {
		Code    nodes.ErrorCode `json:"code"`
		Message string          `json:"message"`
		Tool    nodes.ToolID    `json:"tool,omitempty"`
		Node    string          `json:"node,omitempty"`
		Line    int             `json:"line,omitempty"`
		Column  int             `json:"column,omitempty"`
		Hint    string          `json:"hint,omitempty"`
	}
	diagnosticJSON struct {
		Code     nodes.ErrorCode `json:"code"`
		Severity string          `json:"severity"`
		Message  string          `json:"message"`
		Hint     string          `json:"hint,omitempty"`
		Line     int             `json:"line,omitempty"`
		Column   int             `json:"column,omitempty"`
		Tool     nodes.ToolID    `json:"tool,omitempty"`
	}
	approvalJSON struct {
		ID     string          `json:"id"`
		Tool   nodes.ToolID    `json:"tool"`
		Args   json.RawMessage `json:"args"`
		Reason string          `json:"reason"`
	}
	toolFailure struct {
		Tool    nodes.ToolID    `json:"tool"`
		Node    string          `json:"node"`
		Code    nodes.ErrorCode `json:"code,omitempty"`
		Message string          `json:"message"`
	}
	logJSON struct {
		Level string `json:"level"`
		Text  string `json:"text"`
	}
)

// diagnosticsJSON is never nil, so that it is written as a list.
func diagnosticsJSON(list []nodes.Diagnostic) []diagnosticJSON {
	out := []diagnosticJSON{}
	for _, d := range list {
		out = append(out, diagnosticJSON{Code: d.Code, Severity: d.Severity.String(), Message: d.Message, Hint: d.Hint,
			Line: d.Pos.Line, Column: d.Pos.Column, Tool: d.Tool})
	}
	return out
}

// planFailed is the envelope of a program that cannot be planned: its first error, and all diagnostics.
func planFailed(list []nodes.Diagnostic) failedJSON {
	out := failedJSON{Status: "error", Diagnostics: diagnosticsJSON(list)}
	for _, d := range list {
		if d.Severity == nodes.SeverityError {
			out.Error = errorJSON{Code: d.Code, Message: d.Message, Tool: d.Tool, Line: d.Pos.Line, Column: d.Pos.Column,
				Hint: d.Hint}
			break
		}
	}
	return out
}
