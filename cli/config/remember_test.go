package config_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/matryer/is"

	"github.com/casys-ai/pml/cli/config"
)

// TestRemember: what is written goes where it belongs; comments, order and unknown keys stay.
func TestRemember(t *testing.T) {
	for _, c := range []struct{ name, before, after string }{
		{"no file", "", `{"permissions":{"allow":["s:t"]}}` + "\n"},
		{"no permissions", "{\n  // mine\n  \"x\": 1,\n}\n", "{\n  // mine\n  \"x\": 1,\"permissions\":{\"allow\":[\"s:t\"]}\n}\n"},
		{"after the others", `{"permissions": {"deny": ["a"], /* b */ "allow": ["b:*", // why
  {"tool": "c", "when": "true"}]}, "z": 0}`, `{"permissions": {"deny": ["a"], /* b */ "allow": ["b:*", // why
  {"tool": "c", "when": "true"},"s:t"]}, "z": 0}`},
		{"already there", `{"permissions": {"allow": ["s:t"]}}`, `{"permissions": {"allow": ["s:t"]}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			is := is.New(t)
			dir := t.TempDir()
			path := filepath.Join(dir, config.File)
			if c.before != "" {
				is.NoErr(os.WriteFile(path, []byte(c.before), 0o600))
			}
			is.NoErr(config.Remember(dir, "allow", "s:t"))
			got, err := os.ReadFile(path)
			is.NoErr(err)
			is.Equal(string(got), c.after)
			_, err = config.Load(dir, os.Getenv)
			is.NoErr(err)
		})
	}
}

func TestReadEnv(t *testing.T) {
	is := is.New(t)
	dir := t.TempDir()
	none, err := config.ReadEnv(dir)
	is.NoErr(err)
	is.Equal(len(none), 0)
	is.NoErr(os.WriteFile(filepath.Join(dir, ".env"), []byte("\ufeff# keys\nA=1\nexport B = two words # why\n"+
		"C='a # \\n'\nD=\"x\\n\\\"y\\\"\" # z\nE=\nnonsense\nF=a#b\r\n"), 0o600))
	got, err := config.ReadEnv(dir)
	is.NoErr(err)
	is.Equal(got, map[string]string{"A": "1", "B": "two words", "C": "a # \\n", "D": "x\n\"y\"", "E": "", "F": "a#b"})
}
