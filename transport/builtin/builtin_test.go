package builtin_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/matryer/is"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/casys-ai/pml/transport/builtin"
	"github.com/casys-ai/pml/transport/builtin/internal/pipetest"
)

// TestMain lets the test binary stand in for "pml builtin NAME".
func TestMain(m *testing.M) {
	name := os.Getenv("PML_TEST_BUILTIN")
	if name == "" {
		os.Exit(m.Run())
	}
	options := builtin.Options{Workspace: os.Getenv("PML_TEST_WORKSPACE")}
	if err := builtin.Serve(context.Background(), name, options, os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func start(t *testing.T, name string) *pipetest.Client {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "PML_TEST_BUILTIN="+name, "PML_TEST_WORKSPACE="+t.TempDir())
	return pipetest.Command(t, cmd)
}

func TestNames(t *testing.T) {
	is := is.New(t)
	is.Equal(builtin.Names(), []string{"filesystem", "git", "shell", "sqlite"})
	err := builtin.Serve(t.Context(), "nope", builtin.Options{}, nil, nil)
	is.True(err != nil && strings.Contains(err.Error(), "there are: filesystem, git, shell, sqlite"))
	err = builtin.Serve(t.Context(), "git", builtin.Options{Workspace: "/no/such/folder"}, nil, nil)
	is.True(err != nil && strings.Contains(err.Error(), "root /no/such/folder cannot be used"))
}

// TestToolsAreComplete checks what every tool of every server must have, in real subprocesses.
func TestToolsAreComplete(t *testing.T) {
	for _, name := range builtin.Names() {
		t.Run(name, func(t *testing.T) {
			c := start(t, name)
			var list struct {
				Tools []struct {
					Name, Title, Description  string
					InputSchema, OutputSchema map[string]any
					Annotations               map[string]any
				}
			}
			is := is.New(t)
			is.NoErr(json.Unmarshal(c.Wait(c.Request("tools/list", map[string]any{})).Raw, &list))
			is.True(len(list.Tools) > 0)
			for _, tool := range list.Tools {
				is.True(tool.Title != "" && len(tool.Description) > 20) // tool.Name
				is.Equal(len(tool.Annotations), 4)                      // tool.Name
				compiles(t, tool.InputSchema)
				compiles(t, tool.OutputSchema)
				properties, _ := tool.InputSchema["properties"].(map[string]any)
				for property, schema := range properties {
					if schema.(map[string]any)["description"] == nil {
						t.Errorf("%s: property %s has no description", tool.Name, property)
					}
				}
			}
			is.True(strings.Contains(c.Call("nope", map[string]any{}).Error, "not found"))
		})
	}
}

func compiles(t *testing.T, schema map[string]any) {
	t.Helper()
	if schema == nil {
		return
	}
	compiler := jsonschema.NewCompiler()
	is := is.New(t)
	is.NoErr(compiler.AddResource("tool.json", any(schema)))
	_, err := compiler.Compile("tool.json")
	is.NoErr(err)
}

// TestResultsFitTheirSchemas runs one call of each kind and validates its structured content.
func TestResultsFitTheirSchemas(t *testing.T) {
	type o = map[string]any
	for name, calls := range map[string][]struct {
		tool string
		args o
	}{
		"filesystem": {{"write_file", o{"path": "a.png", "content": "x"}}, {"read_media_file", o{"path": "a.png"}},
			{"write_file", o{"path": "a", "content": "x"}}, {"read_media_file", o{"path": "a"}},
			{"list_directory", o{"path": "."}}},
		"shell": {{"exec", o{"command": "git init -q .; echo a"}}},
		"sqlite": {
			{"execute", o{"database": "d", "sql": "CREATE TABLE t(a PRIMARY KEY, b); INSERT INTO t VALUES (9e99, x'00')"}},
			{"query", o{"database": "d", "sql": "SELECT *, 1<<60 FROM t"}}, {"schema", o{"database": "d"}}},
	} {
		t.Run(name, func(t *testing.T) {
			c := start(t, name)
			outputs := outputSchemas(t, c)
			for _, call := range calls {
				answer := c.Call(call.tool, call.args)
				is := is.New(t)
				is.True(!answer.IsError) // answer.Text
				is.NoErr(outputs[call.tool].Validate(any(answer.Structured)))
			}
		})
	}
}

func outputSchemas(t *testing.T, c *pipetest.Client) map[string]*jsonschema.Schema {
	t.Helper()
	var list struct {
		Tools []struct {
			Name         string
			OutputSchema map[string]any
		}
	}
	is := is.New(t)
	is.NoErr(json.Unmarshal(c.Wait(c.Request("tools/list", map[string]any{})).Raw, &list))
	out := map[string]*jsonschema.Schema{}
	for _, tool := range list.Tools {
		if tool.OutputSchema == nil {
			continue
		}
		compiler := jsonschema.NewCompiler()
		is.NoErr(compiler.AddResource(tool.Name, any(tool.OutputSchema)))
		schema, err := compiler.Compile(tool.Name)
		is.NoErr(err)
		out[tool.Name] = schema
	}
	return out
}
