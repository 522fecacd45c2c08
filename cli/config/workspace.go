// Package config finds the workspace and reads the project's configuration: .pml.json and .mcp-servers.json. It is the
// only package that does.
package config

import (
	"fmt"
	"os"
	"path/filepath"
)

// StateDir is the folder of a project's state.
const StateDir = ".pml"

// markers are the files whose folder is a project.
var markers = []string{".pml.json", ".git", "go.mod", "package.json", "deno.json", "pyproject.toml", "Cargo.toml"}

// Workspace is the folder that a run may work in.
type Workspace struct {
	Path string
	// Marker is what decided: "PML_WORKSPACE", the name of a file, or "" where nothing was found.
	Marker string
}

// Warning says what is doubtful about the choice; "" if nothing is.
func (w Workspace) Warning() string {
	if w.Marker != "" {
		return ""
	}
	return fmt.Sprintf("no project found in or above %s: using it as the workspace (an empty .pml.json marks one)", w.Path)
}

// FindWorkspace takes PML_WORKSPACE, given as env, else the nearest parent of dir that holds a project's marker, else
// dir itself.
func FindWorkspace(dir, env string) (Workspace, error) {
	if env != "" {
		path, err := existing(env)
		if err != nil {
			err = fmt.Errorf("PML_WORKSPACE: %w", err)
		}
		return Workspace{path, "PML_WORKSPACE"}, err
	}
	dir, err := existing(dir)
	if err != nil {
		return Workspace{}, err
	}
	for at := dir; ; {
		for _, m := range markers {
			if _, err := os.Lstat(filepath.Join(at, m)); err == nil {
				return Workspace{at, m}, nil
			}
		}
		up := filepath.Dir(at)
		if up == at {
			return Workspace{dir, ""}, nil
		}
		at = up
	}
}

// existing is the absolute path of a folder that exists, with symbolic links resolved.
func existing(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	if abs, err = filepath.EvalSymlinks(abs); err != nil {
		return "", err
	}
	info, err := os.Stat(abs)
	if err != nil {
		return "", err
	}
	if !info.IsDir() {
		return "", fmt.Errorf("%s is not a folder", abs)
	}
	return abs, nil
}
