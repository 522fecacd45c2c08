package cli

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/casys-ai/pml/cli/answer"
	"github.com/casys-ai/pml/cli/config"
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/transport"
)

// The exit codes; the README lists them.
const (
	exitOK          = 0
	exitProgram     = 1
	exitUsage       = 2
	exitApproval    = 3
	exitDenied      = 4
	exitTimeout     = 5
	exitInterrupted = 130
)

// usageError is the code of a command line that makes no sense.
const usageError nodes.ErrorCode = "USAGE_ERROR"

// exitCode is the exit code for the cause that a run ended with.
func exitCode(code nodes.ErrorCode) int {
	switch code {
	case nodes.Cancelled:
		return exitInterrupted
	case nodes.ApprovalRequired:
		return exitApproval
	case nodes.PermissionDenied, nodes.ApprovalDenied:
		return exitDenied
	case nodes.ExecutionTimeout, nodes.RPCTimeout:
		return exitTimeout
	case usageError, nodes.ConfigError, nodes.EmptyCode:
		return exitUsage
	}
	return exitProgram
}

// exitError ends the command. With an empty message everything has been said.
type exitError struct {
	exit          int
	code          nodes.ErrorCode
	message, hint string
}

// Error implements error.
func (e *exitError) Error() string { return e.message }

// said ends the command with a code when everything has been said.
func said(exit int) error { return &exitError{exit: exit} }

// usage is the error of a wrong command line.
func usage(message, hint string) error {
	return &exitError{exit: exitUsage, code: usageError, message: message, hint: hint}
}

// asExit makes of any error one with an exit code; what is not otherwise known is a wrong command line.
func asExit(err error) *exitError {
	var exit *exitError
	var conf *config.Error
	var remote *transport.Error
	switch {
	case errors.As(err, &exit):
		return exit
	case errors.As(err, &conf):
		return &exitError{exit: exitUsage, code: nodes.ConfigError, message: conf.Error(), hint: conf.Hint}
	case errors.As(err, &remote):
		return &exitError{exit: exitProgram, code: remote.Code, message: remote.Message, hint: remote.Hint}
	}
	return &exitError{exit: exitUsage, code: usageError, message: err.Error()}
}

// complain reports an error: on standard error, and with asJSON as the error envelope on standard output.
func (a *App) complain(e *exitError, asJSON bool) {
	switch {
	case e.message == "":
	case asJSON:
		a.printJSON(answer.Failure{Status: "error", Error: answer.Error{Code: e.code, Message: e.message, Hint: e.hint}})
	default:
		fmt.Fprintf(a.Err, "pml: %s\n", e.message)
		if e.hint != "" {
			fmt.Fprintf(a.Err, "  hint: %s\n", e.hint)
		}
	}
}

// printJSON writes v to standard output as one line of JSON.
func (a *App) printJSON(v any) error { return a.encode(v, "") }

func (a *App) encode(v any, indent string) error {
	enc := json.NewEncoder(a.Out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	return enc.Encode(v)
}
