package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/casys-ai/pml/cli/runtime"
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/policy"
)

// planFlags are the flags of `pml plan`.
type planFlags struct {
	source  sourceFlags
	format  string
	explain bool
	output  string
}

var planFormats = []string{"text", "json", "mermaid", "dot", "svg", "html"}

func (a *App) planCommand() *cobra.Command {
	var f planFlags
	cmd := &cobra.Command{
		Use:   "plan [FILE | - | -e CODE]",
		Short: "Show what a program would do; nothing is called",
		Long: `Plan a program and show its task graph: what is called where, with which effect and permission, and what
waits for what. Servers are started to learn what tools they have; no tool is called.

All errors of the program are reported at once; the exit code is then 2.`,
		Example: `  pml plan report.ts
  pml plan --explain report.ts           why each node waits, and why something was not lifted
  pml plan --format mermaid report.ts    a drawing, for Markdown
  pml plan --format html -o plan.html report.ts    a page: program, graph and reasons side by side
  pml plan -e 'return await mcp.filesystem.read_file({ path: "README.md" })'`,
		RunE: func(cmd *cobra.Command, args []string) error { return a.plan(cmd, args, &f) },
	}
	f.source.add(cmd)
	cmd.Flags().StringVar(&f.format, "format", "text", "how to show it: "+strings.Join(planFormats, ", "))
	cmd.Flags().BoolVar(&f.explain, "explain", false, "with text: give the reason for each edge and each script, and the "+
		"time of the critical path once calls were measured")
	cmd.Flags().StringVarP(&f.output, "output", "o", "", "write the plan to a file instead of standard output")
	return cmd
}

func (a *App) plan(cmd *cobra.Command, args []string, f *planFlags) error {
	if !slices.Contains(planFormats, f.format) {
		return usage(fmt.Sprintf("there is no format %q", f.format), "there are "+strings.Join(planFormats, ", "))
	}
	source, err := f.source.read(a, cmd, args)
	if err != nil {
		return err
	}
	p, err := a.project(cmd)
	if err != nil {
		return err
	}
	s, err := a.open(cmd.Context(), p)
	if err != nil {
		return err
	}
	defer s.Close()
	planned, err := s.Plan(cmd.Context(), source, runtime.PlanOptions{NoSpeculation: p.NoSpeculation})
	if err != nil {
		return interrupted(cmd.Context(), err)
	}
	return a.showPlan(planned, p.Rules, f)
}

// showPlan writes the plan, or what is wrong with the program.
func (a *App) showPlan(planned *runtime.Planned, rules policy.Rules, f *planFlags) error {
	if f.format == "json" {
		text, err := planJSON(planned, rules)
		if err == nil {
			err = a.writePlan(f, text)
		}
		if err == nil && planned.Graph == nil {
			err = said(exitUsage)
		}
		return err
	}
	renderDiagnostics(a.Err, planned.Source, planned.Diagnostics)
	if planned.Graph == nil {
		return said(exitUsage)
	}
	switch f.format {
	case "mermaid":
		return a.writePlan(f, []byte(planned.Graph.Mermaid()))
	case "dot":
		return a.writePlan(f, []byte(planned.Graph.DOT()))
	case "svg":
		return a.writePlan(f, []byte(planned.Graph.SVG()))
	case "html":
		page, err := planPage(newPlanView(planned, rules))
		if err != nil {
			return err
		}
		return a.writePlan(f, page)
	}
	return a.writePlan(f, []byte(planText(newPlanView(planned, rules), f.explain)))
}

// writePlan writes to standard output or to the file of -o.
func (a *App) writePlan(f *planFlags, text []byte) error {
	if f.output == "" {
		_, err := a.Out.Write(text)
		return err
	}
	path := f.output
	if !filepath.IsAbs(path) {
		path = filepath.Join(a.Dir, path)
	}
	if err := os.WriteFile(path, text, 0o644); err != nil {
		return usage(err.Error(), "-o must name a file in a folder that exists")
	}
	return nil
}

// renderDiagnostics writes them all, with their lines and carets.
func renderDiagnostics(w io.Writer, source string, list []nodes.Diagnostic) {
	for _, d := range list {
		io.WriteString(w, d.Render(source))
	}
}
