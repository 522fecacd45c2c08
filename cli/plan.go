package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/casys-ai/pml/cli/runtime"
	"github.com/casys-ai/pml/nodes"
)

// planFlags are the flags of `pml plan`.
type planFlags struct {
	source  sourceFlags
	format  string
	explain bool
	output  string
}

var planFormats = []string{"text", "json", "mermaid", "dot"}

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
  pml plan --format dot report.ts | dot -Tsvg > plan.svg
  pml plan -e 'return await mcp.filesystem.read_file({ path: "README.md" })'`,
		RunE: func(cmd *cobra.Command, args []string) error { return a.plan(cmd, args, &f) },
	}
	f.source.add(cmd)
	cmd.Flags().StringVar(&f.format, "format", "text", "how to show it: "+strings.Join(planFormats, ", "))
	cmd.Flags().BoolVar(&f.explain, "explain", false, "with text: give the reason for each edge and each script")
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
	return a.showPlan(planned, f)
}

// showPlan writes the plan, or what is wrong with the program.
func (a *App) showPlan(planned *runtime.Planned, f *planFlags) error {
	var text bytes.Buffer
	if planned.Graph == nil {
		if f.format == "json" {
			return a.writePlan(f, mustIndent(struct {
				Diagnostics []diagnosticJSON `json:"diagnostics"`
			}{diagnosticsJSON(planned.Diagnostics)}), said(exitUsage))
		}
		renderDiagnostics(a.Err, planned.Source, planned.Diagnostics)
		return said(exitUsage)
	}
	v := newPlanView(planned)
	switch f.format {
	case "text":
		text.WriteString(planText(v, f.explain))
	case "json":
		out, err := v.json()
		if err != nil {
			return err
		}
		return a.writePlan(f, out, nil)
	case "mermaid":
		text.WriteString(v.graph.Mermaid())
	case "dot":
		text.WriteString(v.graph.DOT())
	}
	renderDiagnostics(a.Err, planned.Source, planned.Diagnostics)
	return a.writePlan(f, text.Bytes(), nil)
}

// writePlan writes to standard output or to the file of -o, and then returns what the command is to end with.
func (a *App) writePlan(f *planFlags, text []byte, end error) error {
	if f.output == "" {
		if _, err := a.Out.Write(text); err != nil {
			return usage(err.Error(), "")
		}
		return end
	}
	path := f.output
	if !filepath.IsAbs(path) {
		path = filepath.Join(a.Dir, path)
	}
	if err := os.WriteFile(path, text, 0o644); err != nil {
		return usage(err.Error(), "-o must name a file in a folder that exists")
	}
	return end
}

// renderDiagnostics writes them all, with their lines and carets.
func renderDiagnostics(w io.Writer, source string, list []nodes.Diagnostic) {
	for _, d := range list {
		io.WriteString(w, d.Render(source))
	}
}

// planView is a plan as it is shown.
type planView struct {
	graph   *nodes.Graph
	diags   []nodes.Diagnostic
	tools   []*nodes.Tool // those that the program names, sorted by id
	summary summary
}

func newPlanView(p *runtime.Planned) *planView {
	v := &planView{graph: p.Graph, diags: p.Diagnostics, summary: summarise(p.Graph, p.Catalog.Tool)}
	seen := map[nodes.ToolID]bool{}
	use := func(id nodes.ToolID) {
		if t := p.Catalog.Tool(id); t != nil && !seen[id] {
			seen[id] = true
			v.tools = append(v.tools, t)
		}
	}
	p.Graph.Root.Walk(func(n *nodes.Node) {
		switch n.Kind {
		case nodes.KindCall:
			use(n.Call.Tool)
		case nodes.KindScript:
			for _, id := range n.Code.Tools {
				use(id)
			}
		}
	})
	slices.SortFunc(v.tools, func(x, y *nodes.Tool) int { return strings.Compare(string(x.ID), string(y.ID)) })
	return v
}

// servers lists the servers of the tools, sorted.
func (v *planView) servers() []string {
	var names []string
	for _, t := range v.tools {
		names = append(names, t.ID.Server())
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// json is the graph's own object with diagnostics, tools and summary added.
func (v *planView) json() ([]byte, error) {
	text, err := json.Marshal(v.graph)
	if err != nil {
		return nil, err
	}
	extra := mustIndent(struct {
		Diagnostics []diagnosticJSON `json:"diagnostics"`
		Tools       []toolJSON       `json:"tools"`
		Summary     summary          `json:"summary"`
	}{diagnosticsJSON(v.diags), toolList(v.tools), v.summary})
	whole := append(bytes.TrimSuffix(text, []byte("}")), ',')
	whole = append(whole, bytes.TrimPrefix(extra, []byte("{"))...)
	var out bytes.Buffer
	err = json.Indent(&out, bytes.TrimSpace(whole), "", "  ")
	return append(out.Bytes(), '\n'), err
}

// mustIndent is v as JSON; v must be plain data.
func mustIndent(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		panic(err)
	}
	return b.Bytes()
}
