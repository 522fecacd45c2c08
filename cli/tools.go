package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/casys-ai/pml/cli/find"
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/transport"
)

func (a *App) toolsCommand() *cobra.Command {
	var asJSON bool
	var accept string
	cmd := &cobra.Command{
		Use:   "tools [QUERY]",
		Short: "List the tools that a program can call",
		Long: `List the tools of all servers with their effect on the world (read, write, pure), where they run (client: this
machine, server: the cloud), what the permissions say (allow, ask, deny) and where they come from. QUERY keeps the
tools that have to do with it, the best first: full-text search over names, descriptions and schemas.

A server that fails is reported, the others are listed. One whose program or package is not what it was when it was first
used is not started until --accept names it.`,
		Example: `  pml tools
  pml tools file
  pml tools --json git      with the full descriptions and schemas`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.tools(cmd, strings.Join(args, " "), accept, asJSON)
		},
	}
	cmd.Flags().StringVar(&accept, "accept", "", "pin a `server` as it is now, after its program or package has changed")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON object: tools, with descriptions and schemas, and failures")
	return cmd
}

func (a *App) tools(cmd *cobra.Command, query, accept string, asJSON bool) error {
	l, err := a.listTools(cmd, query, accept)
	if err != nil {
		return err
	}
	a.explainServers(l.failures)
	if asJSON {
		if err := a.encode(toolsJSON{toolList(l.found), failureTexts(l.failures)}, "  "); err != nil {
			return err
		}
	} else {
		a.toolTable(l.found, query, l.all)
	}
	return l.err()
}

// listing is the tools of a project, and what a query found among them.
type listing struct {
	project  *project
	all      int // how many there are
	found    []*nodes.Tool
	failures map[string]error
}

// listTools pins the server that is accepted anew, if any, starts all servers, lists their tools, and finds those that have to do with a query, the best first.
func (a *App) listTools(cmd *cobra.Command, query, accept string) (*listing, error) {
	p, err := a.project(cmd)
	if err != nil {
		return nil, err
	}
	s, err := a.open(cmd.Context(), p)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	if accept != "" {
		if err := s.Accept(accept); err != nil {
			return nil, usage(err.Error(), "pml tools lists the servers")
		}
	}
	all, failures := s.Tools(cmd.Context())
	if err := cmd.Context().Err(); err != nil {
		return nil, interrupted(cmd.Context(), err)
	}
	index, err := find.New(all)
	if err != nil {
		return nil, err
	}
	defer index.Close()
	found, err := index.Find(query)
	return &listing{p, len(all), found, failures}, err
}

// byID puts what was found in the order of servers and names.
func (l *listing) byID() {
	slices.SortFunc(l.found, func(x, y *nodes.Tool) int { return strings.Compare(string(x.ID), string(y.ID)) })
}

// err ends the command with an exit code if no server works.
func (l *listing) err() error {
	if len(l.failures) > 0 && len(l.failures) == len(l.project.servers()) {
		return said(exitProgram)
	}
	return nil
}

// explainServers reports the servers that failed.
func (a *App) explainServers(failures map[string]error) {
	for _, name := range slices.Sorted(maps.Keys(failures)) {
		a.explainServer(name, failures[name])
	}
}

// explainServer reports a server that failed: what happened, what it last said, how to mend it.
func (a *App) explainServer(name string, err error) {
	fmt.Fprintf(a.Err, "pml: server %s: %v\n", name, err)
	var failure *transport.Error
	if !errors.As(err, &failure) {
		return
	}
	if last := lastLines(failure.Stderr, 5); len(last) > 1 || len(last) == 1 && !strings.Contains(err.Error(), last[0]) {
		fmt.Fprintf(a.Err, "    | %s\n", strings.Join(last, "\n    | "))
	}
	if failure.Hint != "" {
		fmt.Fprintf(a.Err, "  hint: %s\n", failure.Hint)
	}
}

func lastLines(text string, n int) []string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if lines[0] == "" {
		return nil
	}
	return lines[max(0, len(lines)-n):]
}

func (a *App) toolTable(found []*nodes.Tool, query string, all int) {
	if len(found) == 0 {
		if all > 0 {
			fmt.Fprintf(a.Err, "none of the %s matches %q\n", plural(all, "tool"), query)
		} else {
			fmt.Fprintln(a.Err, "there are no tools: add servers to mcpServers in .pml.json")
		}
		return
	}
	var c columns
	c.add("TOOL", "EFFECT", "ROUTE", "PERMISSION", "ORIGIN", "DESCRIPTION")
	for _, t := range found {
		c.add(string(t.ID), t.Effect.String(), t.Route.String(), t.Permission.String(), t.Origin, clip(firstSentence(t), 60))
	}
	fmt.Fprint(a.Out, c.text(""))
}

func firstSentence(t *nodes.Tool) string {
	text := t.Description
	if text == "" {
		text = t.Title
	}
	if sentence, _, more := strings.Cut(text, ". "); more {
		return sentence
	}
	return text
}

// The JSON of tools.
type (
	toolsJSON struct {
		Tools    []toolJSON        `json:"tools"`
		Failures map[string]string `json:"failures,omitempty"`
	}
	toolJSON struct {
		ID           nodes.ToolID    `json:"id"`
		Title        string          `json:"title,omitempty"`
		Description  string          `json:"description,omitempty"`
		Effect       string          `json:"effect"`
		Route        string          `json:"route"`
		Permission   string          `json:"permission"`
		Origin       string          `json:"origin"`
		Idempotent   bool            `json:"idempotent"`
		Scopes       []string        `json:"scopes,omitempty"`
		InputSchema  json.RawMessage `json:"input_schema,omitempty"`
		OutputSchema json.RawMessage `json:"output_schema,omitempty"`
	}
)

// toolList is never nil, so that it is written as a list.
func toolList(tools []*nodes.Tool) []toolJSON {
	out := []toolJSON{}
	for _, t := range tools {
		out = append(out, toolJSON{t.ID, t.Title, t.Description, t.Effect.String(), t.Route.String(), t.Permission.String(),
			t.Origin, t.Idempotent, t.Scopes, t.InputSchema, t.OutputSchema})
	}
	return out
}

func failureTexts(failures map[string]error) map[string]string {
	out := map[string]string{}
	for name, err := range failures {
		out[name] = err.Error()
	}
	return out
}
