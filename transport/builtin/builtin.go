// Package builtin holds the MCP servers that are part of the pml binary. Each runs as a subprocess,
// "pml builtin NAME", and speaks MCP on its standard input and output like any other server.
package builtin

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/casys-ai/pml/transport/builtin/crypto"
	"github.com/casys-ai/pml/transport/builtin/datetime"
	"github.com/casys-ai/pml/transport/builtin/filesystem"
	"github.com/casys-ai/pml/transport/builtin/git"
	"github.com/casys-ai/pml/transport/builtin/internal/root"
	"github.com/casys-ai/pml/transport/builtin/internal/tool"
	"github.com/casys-ai/pml/transport/builtin/json"
	"github.com/casys-ai/pml/transport/builtin/math"
	"github.com/casys-ai/pml/transport/builtin/shell"
	"github.com/casys-ai/pml/transport/builtin/sqlite"
)

// Options say where a server may work. Workspace is the folder that relative paths start from; Read and Write are
// extra folders or files it may read, or read and write.
type Options struct {
	Workspace   string
	Read, Write []string
}

var servers = map[string]func(*root.Roots) []tool.Tool{
	"filesystem": filesystem.Tools,
	"git":        git.Tools,
	"shell":      shell.Tools,
	"sqlite":     sqlite.Tools,
}

// cloud are the servers that belong to a gateway: they need nothing of the machine they run on.
var cloud = map[string]func() []tool.Tool{
	"crypto":   crypto.Tools,
	"datetime": datetime.Tools,
	"json":     json.Tools,
	"math":     math.Tools,
}

// Names lists the built-in servers that work in a workspace, in order.
func Names() []string { return slices.Sorted(maps.Keys(servers)) }

// CloudNames lists the built-in servers that belong to a gateway, in order.
func CloudNames() []string { return slices.Sorted(maps.Keys(cloud)) }

// Serve runs a built-in server until stdin ends or ctx is done. Only one may run in a process at a time. Nothing but
// protocol is written to stdout; complaints go to the process's standard error.
func Serve(ctx context.Context, name string, options Options, stdin io.Reader, stdout io.Writer) error {
	if tools, ok := cloud[name]; ok {
		return tool.Serve(ctx, name, tools(), stdin, stdout, os.Stderr)
	}
	tools, known := servers[name]
	if !known {
		return fmt.Errorf("there is no built-in server %q; there are: %s", name,
			strings.Join(append(Names(), CloudNames()...), ", "))
	}
	roots, err := root.Open(options.Workspace, options.Read, options.Write)
	if err != nil {
		return fmt.Errorf("built-in server %s: %w", name, err)
	}
	defer roots.Close()
	return tool.Serve(ctx, name, tools(roots), stdin, stdout, os.Stderr)
}
