package nodes

import (
	"fmt"
	"strings"

	"github.com/casys-ai/pml/nodes/ast"
)

// ErrorCode is the stable name of a cause of failure, the same in the CLI, over MCP and at the gateway.
type ErrorCode string

// The codes.
const (
	ParseError            ErrorCode = "PARSE_ERROR"
	EmptyCode             ErrorCode = "EMPTY_CODE"
	UnknownTool           ErrorCode = "UNKNOWN_TOOL"
	InvalidArguments      ErrorCode = "INVALID_ARGUMENTS"
	CodeError             ErrorCode = "CODE_ERROR"
	ToolError             ErrorCode = "TOOL_ERROR"
	ServerError           ErrorCode = "SERVER_ERROR"
	ExecutionTimeout      ErrorCode = "EXECUTION_TIMEOUT"
	RPCTimeout            ErrorCode = "RPC_TIMEOUT"
	PermissionDenied      ErrorCode = "PERMISSION_DENIED"
	ApprovalRequired      ErrorCode = "APPROVAL_REQUIRED"
	ApprovalDenied        ErrorCode = "APPROVAL_DENIED"
	MissingAPIKey         ErrorCode = "MISSING_API_KEY"
	CloudUnavailable      ErrorCode = "CLOUD_UNAVAILABLE"
	WorkerTerminated      ErrorCode = "WORKER_TERMINATED"
	LimitExceeded         ErrorCode = "LIMIT_EXCEEDED"
	PathOutsideWorkspace  ErrorCode = "PATH_OUTSIDE_WORKSPACE"
	IntegrityMismatch     ErrorCode = "INTEGRITY_MISMATCH"
	ReplayDiverged        ErrorCode = "REPLAY_DIVERGED"
	UnknownRun            ErrorCode = "UNKNOWN_RUN"
	RunBusy               ErrorCode = "RUN_BUSY"
	Cancelled             ErrorCode = "CANCELLED"
	ConfigError           ErrorCode = "CONFIG_ERROR"
	InternalError         ErrorCode = "INTERNAL_ERROR"
	ClientToolsNeedClient ErrorCode = "CLIENT_TOOLS_REQUIRE_PACKAGE"
)

// Severity ranks a Diagnostic.
type Severity uint8

// The severities. A program with an Error diagnostic does not run.
const (
	SeverityError Severity = iota
	SeverityWarning
	SeverityNote
)

// String returns "error", "warning" or "note".
func (s Severity) String() string { return [...]string{"error", "warning", "note"}[s] }

// Diagnostic is one thing that the planner has to say about a program before it runs.
type Diagnostic struct {
	Code     ErrorCode
	Severity Severity
	Message  string
	// Hint says how to mend it; may be empty.
	Hint string
	Pos  ast.Pos
	// Length is how many UTF-16 code units the caret underlines; 0 counts as 1.
	Length int
	// Tool is the tool it is about, if any.
	Tool ToolID
}

// Render writes d for people: code, position, the line with a caret, the hint.
//
//	error UNKNOWN_TOOL 3:22: server "fs" has no tool "raed_file"
//	   3 | const a = await mcp.fs.raed_file({ path });
//	     |                        ^^^^^^^^^
//	  hint: did you mean `read_file`?
func (d Diagnostic) Render(source string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s", d.Severity, d.Code)
	if d.Pos.IsValid() {
		fmt.Fprintf(&b, " %d:%d", d.Pos.Line, d.Pos.Column)
	}
	fmt.Fprintf(&b, ": %s\n", d.Message)
	if d.Pos.IsValid() {
		b.WriteString(Caret(source, d.Pos, d.Length))
	}
	if d.Hint != "" {
		fmt.Fprintf(&b, "  hint: %s\n", d.Hint)
	}
	return b.String()
}

// Caret shows the line of source at pos with length code units underlined; "" if the source has no such line. Tabs
// before the caret are kept so that it stands where an editor would put it.
func Caret(source string, pos ast.Pos, length int) string {
	lines := strings.Split(source, "\n")
	if pos.Line < 1 || pos.Line > len(lines) {
		return ""
	}
	line := strings.TrimSuffix(lines[pos.Line-1], "\r")
	pad := make([]rune, 0, len(line))
	col := 1
	for _, r := range line {
		if col >= pos.Column {
			break
		}
		if r == '\t' {
			pad = append(pad, '\t')
		} else {
			pad = append(pad, ' ')
		}
		if col++; r > 0xffff {
			col++
		}
	}
	return fmt.Sprintf("%4d | %s\n     | %s%s\n", pos.Line, line, string(pad), strings.Repeat("^", max(1, length)))
}
