package script

import (
	"fmt"
	"regexp"
	"time"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/value"
)

// Exception is a JavaScript exception that left a fragment.
type Exception struct {
	// Throw is what was thrown.
	Throw *value.Throw
	// Line and Column count from 1, columns in UTF-16 code units, in the JavaScript that was given: where the Error was
	// made, or another value thrown. 0 if that is not known.
	Line, Column int
	// Hint says what to do instead, for names that programs do not have; may be empty.
	Hint string
}

// Error implements error.
func (e *Exception) Error() string { return e.Throw.Error() }

// Unwrap gives the *value.Throw.
func (e *Exception) Unwrap() error { return e.Throw }

// NotPlain is the error for a fragment whose result cannot be copied out of its realm.
type NotPlain struct {
	// What names it: "a Map". Where is the way to it: "result.items[3]".
	What, Where string
}

// Error implements error.
func (e *NotPlain) Error() string {
	return fmt.Sprintf("%s cannot leave its script: %s is no plain data", e.Where, e.What)
}

// Error is the end of a fragment, and of its Realm, that the program cannot catch: a limit, the death of the child, or
// JavaScript that the engine does not know.
type Error struct {
	// Code is EXECUTION_TIMEOUT, WORKER_TERMINATED, LIMIT_EXCEEDED, PARSE_ERROR or CODE_ERROR.
	Code nodes.ErrorCode
	// Message says what happened, in one line.
	Message string
	// Line and Column are set for PARSE_ERROR, if known.
	Line, Column int
}

// Error implements error.
func (e *Error) Error() string { return e.Message }

// The hints, for names that programs do not have.
const (
	noNetwork = "programs have no network: call a tool"
	noModules = "programs have no modules: call a tool"
	noSystem  = "programs have no access to the system: call a tool"
	noFiles   = "programs have no files: call a tool"
	noBuffer  = "use Uint8Array, TextEncoder, atob and btoa instead of Buffer"
	missing   = "this is missing from the script engine"
)

// hints says what to do instead of using a name that programs do not have.
var hints = map[string]string{
	"fetch": noNetwork, "XMLHttpRequest": noNetwork, "WebSocket": noNetwork, "Request": noNetwork,
	"Response": noNetwork, "Headers": noNetwork, "EventSource": noNetwork,
	"require": noModules, "module": noModules, "exports": noModules, "importScripts": noModules,
	"process": noSystem, "Deno": noSystem, "Bun": noSystem, "os": noSystem,
	"fs": noFiles, "path": noFiles, "__dirname": noFiles, "__filename": noFiles,
	"Buffer":  noBuffer,
	"WeakRef": missing, "FinalizationRegistry": missing, "AbortController": missing, "AbortSignal": missing,
	"Event": missing, "EventTarget": missing, "Blob": missing, "File": missing, "FormData": missing,
	"WebAssembly": missing, "SharedArrayBuffer": missing, "Atomics": missing, "ReadableStream": missing,
	"MessageChannel": missing, "Worker": missing,
}

var notDefined = regexp.MustCompile(`^(\w+) is not defined$`)

// hintFor gives the hint for a thrown value, if there is one.
func hintFor(v value.Value) string {
	e, ok := v.(*value.Error)
	if !ok || e.Name != "ReferenceError" {
		return ""
	}
	if m := notDefined.FindStringSubmatch(e.Message); m != nil {
		return hints[m[1]]
	}
	return ""
}

// limitError is the error for a limit, by the kind that the child reports.
func limitError(kind string, l Limits) *Error {
	switch kind {
	case kindMemory:
		return &Error{Code: nodes.WorkerTerminated,
			Message: fmt.Sprintf("the script was ended: memory limit of %d MB", l.Memory>>20)}
	case kindCPU:
		return &Error{Code: nodes.ExecutionTimeout,
			Message: fmt.Sprintf("the script was ended: CPU limit of %s", l.CPU)}
	case kindOutput:
		return &Error{Code: nodes.LimitExceeded,
			Message: fmt.Sprintf("the script was ended: output limit of %s", sizeText(l.Output))}
	}
	return nil
}

func sizeText(n int) string {
	if n >= 1<<20 {
		return fmt.Sprintf("%d MB", n>>20)
	}
	return fmt.Sprintf("%d bytes", n)
}

func wallError(d time.Duration) *Error {
	return &Error{Code: nodes.ExecutionTimeout, Message: fmt.Sprintf("the script was ended: it ran for over %s", d)}
}
