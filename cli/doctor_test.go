package cli_test

import (
	"strings"
	"testing"

	"github.com/matryer/is"
)

type diagnosis struct {
	OK     bool
	Checks []struct{ Name, Status, Message, Hint string }
}

func (d diagnosis) find(name string) (status, message, hint string) {
	for _, c := range d.Checks {
		if c.Name == name {
			return c.Status, c.Message, c.Hint
		}
	}
	return "", "", ""
}

func TestDoctor(t *testing.T) {
	is := is.New(t)
	w := newWorkspace(t, shop, "")
	got := w.pml("", "doctor")
	is.Equal(got.code, 0)
	for _, want := range []string{"✓ workspace", "because of .pml.json", "local only", "✓ server shop", "5 tools",
		"✓ server filesystem"} {
		if !strings.Contains(got.stdout, want) {
			t.Errorf("no %q in:\n%s", want, got.stdout)
		}
	}
	var d diagnosis
	w.decode(w.pml("", "doctor", "--json"), &d)
	is.True(d.OK)
	status, _, _ := d.find("script sandbox")
	is.Equal(status, "ok")
}

func TestDoctorFindsFaults(t *testing.T) {
	is := is.New(t)
	w := newWorkspace(t, `{"servers": {"odd": {"tools": [{"name": "ok"}, {"name": "not a name!"}]}}}`, "")
	var odd diagnosis
	w.decode(w.pml("", "doctor", "--json"), &odd)
	status, message, _ := odd.find("server odd")
	is.True(status == "ok" || strings.Contains(message, "left out"))

	w.write(".pml.json", "{"+broken+"}")
	faulty := w.pml("", "doctor", "--json")
	is.Equal(faulty.code, 1)
	var d diagnosis
	w.decode(faulty, &d)
	is.True(!d.OK)
	status, message, hint := d.find("server dies")
	is.Equal(status, "failed")
	is.True(strings.Contains(message, "my last words"))
	is.True(hint != "")

	w.write(".pml.json", `{"mcpServers": {`)
	w.decode(w.pml("", "doctor", "--json"), &d)
	status, _, hint = d.find("configuration")
	is.Equal(status, "failed")
	is.True(hint != "")

	cmd := w.command("doctor")
	cmd.Env = append(cmd.Env, "PML_WORKSPACE=/no/such/folder")
	out, _ := cmd.Output()
	is.Equal(cmd.ProcessState.ExitCode(), 1)
	is.True(strings.HasPrefix(string(out), "✗ workspace"))
}

// TestConfigErrors: a configuration that cannot be read is said so by every command, with a hint.
func TestConfigErrors(t *testing.T) {
	is := is.New(t)
	w := newWorkspace(t, shop, "")
	w.write(".pml.json", `{"mcpServers": {"a": {"args": []}}}`)
	for _, command := range []string{"run", "plan", "tools"} {
		got := w.pml("return 1", command)
		is.Equal(got.code, 2)
		is.True(strings.Contains(got.stderr, "mcpServers.a has no command"))
		is.True(strings.Contains(got.stderr, "hint: "))
	}
	var envelope struct{ Error struct{ Code, Hint string } }
	w.decode(w.pml("return 1", "run", "--json"), &envelope)
	is.Equal(envelope.Error.Code, "CONFIG_ERROR")
	is.True(envelope.Error.Hint != "")
}

func TestUnknownCommand(t *testing.T) {
	is := is.New(t)
	w := newWorkspace(t, shop, "")
	got := w.pml("", "rnu", "x.ts")
	is.Equal(got.code, 2)
	is.Equal(got.stdout, "")
	is.True(strings.Contains(got.stderr, "did you mean pml run"))
	for _, command := range []string{"run", "plan", "tools", "types", "doctor", "init", "stdio", "serve", "runs", "builtin"} {
		help := w.pml("", command, "--help")
		is.Equal(help.code, 0)
		is.True(strings.Contains(help.stdout, "Examples:"))
	}
	is.True(strings.HasPrefix(w.pml("", "--version").stdout, "pml "))
	is.Equal(w.pml("", "builtin", "nope").code, 2)
}
