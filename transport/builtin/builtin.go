// Package builtin holds the MCP servers that are part of the pml binary. Each runs as a subprocess,
// "pml builtin NAME", and speaks MCP on its standard input and output like any other server.
package builtin

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/casys-ai/pml/transport/builtin/filesystem"
	"github.com/casys-ai/pml/transport/builtin/git"
	"github.com/casys-ai/pml/transport/builtin/internal/root"
	"github.com/casys-ai/pml/transport/builtin/internal/tool"
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

// Names lists the built-in servers in order.
func Names() []string {
	names := make([]string, 0, len(servers))
	for name := range servers {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Serve runs a built-in server until stdin ends or ctx is done. Only one may run in a process at a time. Nothing but
// protocol is written to stdout; complaints go to the process's standard error.
func Serve(ctx context.Context, name string, options Options, stdin io.Reader, stdout io.Writer) error {
	tools, known := servers[name]
	if !known {
		return fmt.Errorf("there is no built-in server %q; there are: %s", name, strings.Join(Names(), ", "))
	}
	roots, err := root.Open(options.Workspace, options.Read, options.Write)
	if err != nil {
		return fmt.Errorf("built-in server %s: %w", name, err)
	}
	defer roots.Close()
	return tool.Serve(ctx, name, tools(roots), stdin, stdout, os.Stderr)
}
