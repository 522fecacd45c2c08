// Package call makes one tool call: it decides whether the call is permitted, checks the arguments, finds the way,
// sends it, and turns the answer into a value.
//
//	arguments ─▶ JSON ─▶ rules ─▶ schema ─▶ route ─▶ question ─▶ transport ─▶ unwrap ─▶ value or ToolError
//
// Everything that the program may handle comes back as a *value.Throw with a ToolError; any other error is
// fatal for the run.
package call
