package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/tailscale/hujson"
)

// Remember adds a rule for a tool to the list, allow or deny, of the permissions in .pml.json, which is made if there is
// none. Comments and order stay. The error is an *Error.
func Remember(workspace, list, tool string) error {
	path := filepath.Join(workspace, File)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		text, err = []byte("{}\n"), nil
	}
	if err != nil {
		return &Error{path, err.Error(), ""}
	}
	changed, err := withRule(text, list, tool)
	if err != nil {
		return &Error{path, err.Error(), fmt.Sprintf(`add %q to permissions.%s yourself`, tool, list)}
	}
	if err := replace(path, changed); err != nil {
		return &Error{path, err.Error(), ""}
	}
	return nil
}

// withRule adds a rule to the text of a configuration, unless it is there.
func withRule(text []byte, list, tool string) ([]byte, error) {
	v, err := hujson.Parse(text)
	if err != nil {
		return nil, err
	}
	if rules := v.Find("/permissions/" + list); rules != nil {
		var there []json.RawMessage
		standard := rules.Clone()
		standard.Standardize()
		if err := json.Unmarshal(standard.Pack(), &there); err != nil {
			return nil, err
		}
		for _, rule := range there {
			var pattern string
			if json.Unmarshal(rule, &pattern) == nil && pattern == tool {
				return text, nil
			}
		}
	}
	quoted, err := json.Marshal(tool)
	if err != nil {
		return nil, err
	}
	patch := fmt.Sprintf(`[{"op": "add", "path": "/permissions/%s/-", "value": %s}]`, list, quoted)
	for _, part := range []struct{ path, empty string }{{"/permissions", "{}"}, {"/permissions/" + list, "[]"}} {
		if v.Find(part.path) != nil {
			continue
		}
		add := fmt.Sprintf(`[{"op": "add", "path": %q, "value": %s}]`, part.path, part.empty)
		if err := v.Patch([]byte(add)); err != nil {
			return nil, err
		}
	}
	if err := v.Patch([]byte(patch)); err != nil {
		return nil, err
	}
	return v.Pack(), nil
}

// replace writes a file in one step, so that nobody ever sees half of it.
func replace(path string, text []byte) error {
	mode := fs.FileMode(0o644)
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
	}
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(text)
	if err == nil {
		err = f.Chmod(mode)
	}
	if failed := f.Close(); err == nil {
		err = failed
	}
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
