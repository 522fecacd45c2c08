// Package config finds the workspace and reads the project's configuration: .pml.json, .mcp-servers.json and the
// environment. It is the only package that does.
package config

import (
	"fmt"
	"os"
	"path/filepath"
)

// markers are the files whose folder is a project (SPEC §7).
var markers = []string{".pml.json", ".git", "go.mod", "package.json", "deno.json", "pyproject.toml", "Cargo.toml"}

// Workspace is the folder that a run may work in: PML_WORKSPACE, else the nearest parent of dir that holds a project's
// marker, else dir itself with a warning.
func Workspace(dir, env string) (path, warning string, err error) {
	if env != "" {
		path, err = existing(env)
		if err != nil {
			err = fmt.Errorf("PML_WORKSPACE: %w", err)
		}
		return path, "", err
	}
	if dir, err = existing(dir); err != nil {
		return "", "", err
	}
	for at := dir; ; {
		for _, m := range markers {
			if _, err := os.Lstat(filepath.Join(at, m)); err == nil {
				return at, "", nil
			}
		}
		up := filepath.Dir(at)
		if up == at {
			return dir, fmt.Sprintf("no project found above %s: using it as the workspace (set PML_WORKSPACE, or run pml init)", dir), nil
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
