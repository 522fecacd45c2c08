// Package gateway is the shell of the cloud side: HTTP, keys, limits, the registry, and the memory that makes a repeated
// request do nothing twice. What tools and programs do is behind the Executor that cli wires; of a part of a program it
// sees bytes.
//
//	POST /mcp ─▶ key ─▶ size, rate ─▶ serve.Server (MCP, no sessions) ─▶ Executor
//	GET  /mcp/{name}   registry        GET /catalog   the tools, for clients that plan
//	PUT  /mcp/{name}   publish         GET /health, /metrics
//	POST /traces       what runs came to, by run and workflow
//
// A scope, org.project, is a tenant. Keys belong to a scope; what is remembered and published is kept by scope, and no
// request names another one.
package gateway
