// Package transport carries tool calls to where they are executed.
//
// This part talks to local MCP servers over stdio. A Pool owns the server processes:
//
//	Pool ── server (one a configured name: start once, restart, crash limit)
//	          └─ session (one a process: supervises it from start to last descendant)
//	               ├─ process  pipes, process group, stderr tail
//	               └─ conn     JSON-RPC: ids, one reader, one writer, calls in flight
//
// Results stay the bytes that arrived: one pass finds the message's fields, a second one those of a tool's result, and
// only text blocks are decoded.
package transport
