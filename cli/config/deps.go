package config

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// DepsFile holds the servers that were taken from the registry, in the state folder.
const DepsFile = "deps.json"

// Dep is a server that was taken from the registry: as it was when it was approved, whatever becomes of the record.
type Dep struct {
	FQDN    string   `json:"fqdn"`
	Command string   `json:"command"`
	Args    []string `json:"args,omitempty"`
	// Env are the variables that it needs.
	Env []string `json:"envRequired,omitempty"`
	// Integrity is the hash of the record.
	Integrity string `json:"integrity"`
}

// LoadDeps reads the servers of a workspace that come from the registry, by name; a missing file has none.
func LoadDeps(workspace string) (map[string]Dep, error) {
	path := filepath.Join(workspace, StateDir, DepsFile)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return map[string]Dep{}, nil
	}
	deps := map[string]Dep{}
	if err == nil {
		err = json.Unmarshal(text, &deps)
	}
	if err != nil {
		return nil, &Error{path, err.Error(), "pml install writes it; remove it to begin anew"}
	}
	return deps, nil
}

// SaveDeps writes them, whole or not at all.
func SaveDeps(workspace string, deps map[string]Dep) error {
	text, err := json.MarshalIndent(deps, "", "  ")
	if err != nil {
		return err
	}
	dir := filepath.Join(workspace, StateDir)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	path := filepath.Join(dir, DepsFile)
	if err := os.WriteFile(path+".new", append(text, '\n'), 0o600); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}
