// Package policy makes the pure decisions about tools: where a call is executed, what it does to the world, and whether
// it is permitted. It does no I/O and keeps no state.
//
//	facts (server, annotations, configuration) ── Classify ──▶ nodes.Tool   once, when the tools are listed
//	nodes.Tool + arguments ── Rules.Decide ──▶ Decision                      at every call
package policy
