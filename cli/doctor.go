package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/casys-ai/pml/cli/config"
	"github.com/casys-ai/pml/cli/setup"
	"github.com/casys-ai/pml/transport"
)

// checkStatus is the outcome of a check; its text is what --json prints.
type checkStatus string

const (
	checkOK      checkStatus = "ok"
	checkWarning checkStatus = "warning"
	checkFailed  checkStatus = "failed"
)

var checkMarks = map[checkStatus]string{checkOK: "✓", checkWarning: "!", checkFailed: "✗"}

// check is one line of the doctor's report.
type check struct {
	Name    string      `json:"name"`
	Status  checkStatus `json:"status"`
	Message string      `json:"message"`
	// Hint says how to mend it.
	Hint string `json:"hint,omitempty"`
}

func (a *App) doctorCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check the set-up, and say how to mend it",
		Long: `Check the workspace, the configuration, git, the state folder, the cloud key, the script sandbox, and that each
server starts and lists its tools. ✓ is fine, ! may not be, ✗ is broken: the exit code is then 1.`,
		Example: "  pml doctor\n  pml doctor --json",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.doctor(cmd, asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON object: ok, and the checks with name, status, message, hint")
	return cmd
}

func (a *App) doctor(cmd *cobra.Command, asJSON bool) error {
	var all []check
	note := func(list ...check) {
		all = append(all, list...)
		for _, c := range list {
			if !asJSON {
				a.printCheck(c)
			}
		}
	}
	a.checkAll(cmd, note)
	if err := cmd.Context().Err(); err != nil {
		return &exitError{exit: exitInterrupted, message: "interrupted"}
	}
	broken := slices.ContainsFunc(all, func(c check) bool { return c.Status == checkFailed })
	if asJSON {
		if err := a.encode(struct {
			OK     bool    `json:"ok"`
			Checks []check `json:"checks"`
		}{!broken, all}, "  "); err != nil {
			return err
		}
	}
	if broken {
		return said(exitProgram)
	}
	return nil
}

func (a *App) printCheck(c check) {
	fmt.Fprintf(a.Out, "%s %-22s %s\n", checkMarks[c.Status], c.Name, c.Message)
	if c.Hint != "" {
		fmt.Fprintf(a.Out, "  %-22s → %s\n", "", c.Hint)
	}
}

// checkAll makes the checks in order; what needs a workspace or a configuration is left out where there is none.
func (a *App) checkAll(cmd *cobra.Command, note func(...check)) {
	ctx := cmd.Context()
	ws, err := config.FindWorkspace(a.Dir, a.getenv("PML_WORKSPACE"))
	if err != nil {
		note(check{"workspace", checkFailed, err.Error(), "PML_WORKSPACE must name a folder that exists"})
		return
	}
	note(checkWorkspace(ws), a.checkGit(ctx), checkState(ws.Path), a.checkKey(ws.Path), a.checkScript(ctx))
	c, err := config.Load(ws.Path, a.getenv)
	p := &project{Workspace: ws, Config: c, log: a.logger(cmd)}
	if err == nil {
		err = p.checkBuiltIn()
	}
	if err != nil {
		note(configBroken(err))
		return
	}
	note(checkConfig(c)...)
	note(checkConfined(c)...)
	note(checkClient(ws.Path)...)
	a.checkServers(ctx, p, note)
}

func checkWorkspace(ws config.Workspace) check {
	if w := ws.Warning(); w != "" {
		return check{"workspace", checkWarning, ws.Path + " (no project found)", "an empty .pml.json marks the folder"}
	}
	return check{"workspace", checkOK, fmt.Sprintf("%s (because of %s)", ws.Path, ws.Marker), ""}
}

func configBroken(err error) check {
	c := check{"configuration", checkFailed, err.Error(), ""}
	var conf *config.Error
	if errors.As(err, &conf) {
		c.Hint = conf.Hint
	}
	return c
}

func checkConfig(c *config.Config) []check {
	var list []check
	for _, path := range c.Files {
		list = append(list, check{"configuration", checkOK, path, ""})
	}
	if len(c.Files) == 0 {
		list = append(list, check{"configuration", checkOK, "none: the built-in servers, and every call is asked about", ""})
	}
	for _, w := range c.Warnings {
		list = append(list, check{"configuration", checkWarning, w, ""})
	}
	return list
}

// checkConfined says which servers are kept within the workspace and off the network, and which are not.
func checkConfined(c *config.Config) []check {
	var free []string
	confined := 0
	for _, s := range c.Servers {
		switch {
		case s.Command == "":
		case s.Confined():
			confined++
		default:
			free = append(free, s.Name)
		}
	}
	var list []check
	if lacking := transport.Confinable(); lacking != "" && confined > 0 {
		list = append(list, check{"confinement", checkWarning, lacking, "run only servers that you trust"})
	} else if confined > 0 {
		list = append(list, check{"confinement", checkOK,
			plural(confined, "server") + " kept to the workspace, and off the network unless it says \"network\": true", ""})
	}
	if len(free) > 0 {
		list = append(list, check{"confinement", checkWarning, "not confined: " + strings.Join(free, ", "),
			`"confine": false lets them do whatever you may; "paths" and "network" allow what they need`})
	}
	return list
}

// checkClient looks at what MCP clients are told about pml.
func checkClient(workspace string) []check {
	found := setup.Check(workspace)
	if len(found) == 0 {
		return []check{{"client", checkOK, ".mcp.json lets clients use pml", ""}}
	}
	var list []check
	for _, f := range found {
		status := checkWarning
		if f.Broken {
			status = checkFailed
		}
		list = append(list, check{"client", status, f.Message, f.Hint})
	}
	return list
}

func (a *App) checkKey(workspace string) check {
	key, address := a.cloudAccess(workspace)
	if key == "" {
		return check{"cloud", checkOK, "no PML_API_KEY: local only", ""}
	}
	if w := cloudWarning(key, address); w != "" {
		return check{"cloud", checkWarning, w, "give it the address of a gateway behind TLS"}
	}
	return check{"cloud", checkOK, "PML_API_KEY is set", ""}
}

// checkServers starts every server at once and reports them in order.
func (a *App) checkServers(ctx context.Context, p *project, note func(...check)) {
	pool := a.serverPool(p)
	defer pool.Close()
	entries := p.servers()
	results := make([]chan check, len(entries))
	for i, e := range entries {
		results[i] = make(chan check, 1)
		go func() { results[i] <- checkServer(ctx, pool, e.Name) }()
	}
	for _, r := range results {
		note(<-r)
	}
}
