package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/casys-ai/pml/cli/config"
	"github.com/casys-ai/pml/cli/runtime"
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/planner"
	"github.com/casys-ai/pml/transport"
)

func (a *App) capabilityCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "capability",
		Short: "Keep programs under a name, and call them like tools",
		Long: `A capability is a stored program with a name. A program calls it as mcp.namespace.action(args), and its graph becomes
part of the caller's: its calls are planned, permitted and routed like any other.

Those of the project are files in .pml/capabilities. With PML_API_KEY, those that were published can be called too.`,
		Example: `  pml capability save notes:titles titles.ts --description "The titles of all notes"
  pml run -e 'return await mcp.notes.titles({ folder: "." })'
  pml capability publish notes:titles`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.capabilitySaveCommand(), a.capabilityListCommand(), a.capabilityShowCommand(), a.capabilityPublishCommand())
	return cmd
}

// capabilityDir is where the capabilities of a project are.
func (p *project) capabilityDir() string {
	return filepath.Join(p.Path, config.StateDir, "capabilities")
}

// capabilityFile is the file of one.
func (p *project) capabilityFile(id nodes.ToolID) string {
	return filepath.Join(p.capabilityDir(), strings.Replace(string(id), ":", ".", 1)+".json")
}

// capabilities reads those of the project, sorted by name. What cannot be read is told of and passed over.
func (a *App) capabilities(p *project) []runtime.Capability {
	files, _ := filepath.Glob(filepath.Join(p.capabilityDir(), "*.json"))
	slices.Sort(files)
	var list []runtime.Capability
	for _, file := range files {
		var c runtime.Capability
		text, err := os.ReadFile(file)
		if err == nil {
			err = json.Unmarshal(text, &c)
		}
		if err != nil {
			fmt.Fprintf(a.Err, "pml: warning: %s is passed over: %v\n", file, err)
			continue
		}
		list = append(list, c)
	}
	return list
}

var capabilityName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}:[A-Za-z0-9_-]{1,64}$`)

func (a *App) capabilitySaveCommand() *cobra.Command {
	var source sourceFlags
	var description string
	cmd := &cobra.Command{
		Use:   "save NAMESPACE:ACTION [FILE | - | -e CODE]",
		Short: "Keep a program as a capability of the project",
		RunE: func(cmd *cobra.Command, args []string) error {
			if !capabilityName.MatchString(args[0]) {
				return usage(fmt.Sprintf("%q is no name for a capability", args[0]), "write namespace:action, for example notes:titles")
			}
			code, err := source.read(a, cmd, args[1:])
			if err != nil {
				return err
			}
			p, err := a.project(cmd)
			if err != nil {
				return err
			}
			return a.saveCapability(p, nodes.ToolID(args[0]), code, description)
		},
	}
	source.add(cmd)
	cmd.Args = cobra.RangeArgs(1, 2)
	cmd.Flags().StringVar(&description, "description", "", "what it does, for those who look for it")
	return cmd
}

// saveCapability writes a capability, without what wraps the program.
func (a *App) saveCapability(p *project, id nodes.ToolID, code, description string) error {
	body, diags := planner.Body(code)
	if planner.Failed(diags) {
		renderDiagnostics(a.Err, code, diags)
		return said(exitUsage)
	}
	c := runtime.Capability{ID: id, Description: description, Code: body, Parameters: planner.Parameters(code),
		ToolsUsed: planner.Parse(code).Tools()}
	text, err := json.MarshalIndent(c, "", "  ")
	if err == nil {
		err = os.MkdirAll(p.capabilityDir(), 0o700)
	}
	if err == nil {
		err = os.WriteFile(p.capabilityFile(id), append(text, '\n'), 0o600)
	}
	if err != nil {
		return usage(err.Error(), "the project's folder must be writable")
	}
	fmt.Fprintf(a.Err, "saved %s; a program calls it as mcp.%s(%s)\n", id, strings.Replace(string(id), ":", ".", 1), parameterText(c))
	return nil
}

func parameterText(c runtime.Capability) string {
	if len(c.Parameters) == 0 {
		return ""
	}
	return "{ " + strings.Join(c.Parameters, ", ") + " }"
}

func (a *App) capabilityListCommand() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the capabilities of the project", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			p, err := a.project(cmd)
			if err != nil {
				return err
			}
			list := a.capabilities(p)
			if len(list) == 0 {
				fmt.Fprintln(a.Err, "there are no capabilities: pml capability save makes one")
				return nil
			}
			var c columns
			c.add("CAPABILITY", "TAKES", "DESCRIPTION")
			for _, x := range list {
				c.add(string(x.ID), parameterText(x), clip(x.Description, 60))
			}
			_, err = fmt.Fprint(a.Out, c.text(""))
			return err
		},
	}
}

// ownCapability finds a capability of the project.
func (a *App) ownCapability(cmd *cobra.Command, name string) (*project, *runtime.Capability, error) {
	p, err := a.project(cmd)
	if err != nil {
		return nil, nil, err
	}
	var names []string
	for _, c := range a.capabilities(p) {
		if string(c.ID) == name {
			return p, &c, nil
		}
		names = append(names, string(c.ID))
	}
	hint := "pml capability list shows those that there are"
	if near := nodes.Nearest(name, names); near != "" {
		hint = "did you mean " + near + "?"
	}
	return nil, nil, usage(fmt.Sprintf("there is no capability %q", name), hint)
}

func (a *App) capabilityShowCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "show NAMESPACE:ACTION", Short: "Show the code of a capability", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			_, c, err := a.ownCapability(cmd, args[0])
			if err != nil {
				return err
			}
			if asJSON {
				return a.encode(c, "  ")
			}
			_, err = fmt.Fprintln(a.Out, strings.TrimSpace(c.Code))
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print all that is known of it")
	return cmd
}

func (a *App) capabilityPublishCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "publish NAMESPACE:ACTION",
		Short: "Put a capability into the registry, under the scope of PML_API_KEY",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			p, c, err := a.ownCapability(cmd, args[0])
			if err != nil {
				return err
			}
			cloud := a.cloud(p)
			if cloud == nil {
				return &exitError{exit: exitUsage, code: nodes.MissingAPIKey, message: "publishing requires PML_API_KEY",
					hint: "pml gateway key create makes one for a gateway of your own"}
			}
			defer cloud.Close()
			r, err := cloud.Publish(cmd.Context(), transport.Record{Name: string(c.ID), Type: transport.RecordCapability,
				Description: c.Description, Code: c.Code, Parameters: c.Parameters, ToolsUsed: c.ToolsUsed})
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(a.Out, r.FQDN)
			return err
		},
	}
}
