// Package root confines the paths that tools are given to the workspace and to the extra folders of a server.
// A path is first resolved by name, so that refusals are clear, and then used through os.Root, which refuses to
// leave its folder whatever happens to the names in between.
package root

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// Access is what a caller wants to do with a path.
type Access int

const (
	// Read is for reading only: every root allows it.
	Read Access = iota
	// Write is for creating, changing or removing: the workspace and the write roots allow it.
	Write
)

// Roots is the set of folders (or single files) that may be used; the first one is the workspace.
type Roots struct{ dirs []dir }

// dir is one root. A root that is a file keeps its parent folder open and allows only the file itself.
type dir struct {
	given, real string
	base        string
	single      bool
	writable    bool
	handle      *os.Root
}

// Place is a resolved path: Dir and Rel open it, Abs names it in messages (symbolic links resolved).
type Place struct {
	Dir *os.Root
	Rel string
	Abs string
}

// Open opens the workspace and the extra roots; relative ones are taken from the workspace.
func Open(workspace string, read, write []string) (*Roots, error) {
	roots := &Roots{}
	if err := roots.add(workspace, true); err != nil {
		return nil, err
	}
	for _, path := range read {
		if err := roots.add(path, false); err != nil {
			return nil, closing(roots, err)
		}
	}
	for _, path := range write {
		if err := roots.add(path, true); err != nil {
			return nil, closing(roots, err)
		}
	}
	return roots, nil
}

func closing(roots *Roots, err error) error {
	_ = roots.Close()
	return err
}

func (r *Roots) add(path string, writable bool) error {
	given, err := filepath.Abs(path)
	if len(r.dirs) > 0 {
		given, err = r.absolute(path), nil
	}
	if err != nil {
		return fmt.Errorf("root %s: %w", path, err)
	}
	real, err := filepath.EvalSymlinks(given)
	if err != nil {
		return fmt.Errorf("root %s cannot be used: %w", path, err)
	}
	info, err := os.Stat(real)
	if err != nil {
		return fmt.Errorf("root %s cannot be used: %w", path, err)
	}
	base := real
	if !info.IsDir() {
		base = filepath.Dir(real)
	}
	handle, err := os.OpenRoot(base)
	if err != nil {
		return fmt.Errorf("root %s cannot be opened: %w", path, err)
	}
	r.dirs = append(r.dirs, dir{given, real, base, !info.IsDir(), writable, handle})
	return nil
}

// Close closes every root.
func (r *Roots) Close() error {
	var first error
	for _, d := range r.dirs {
		if err := d.handle.Close(); err != nil && first == nil {
			first = err
		}
	}
	return first
}

// Workspace is the real path of the workspace.
func (r *Roots) Workspace() string { return r.dirs[0].real }

// Names lists the roots as given, each followed by its real path where that differs.
func (r *Roots) Names() []string {
	var names []string
	for _, d := range r.dirs {
		names = append(names, d.given)
		if d.real != d.given {
			names = append(names, d.real)
		}
	}
	return names
}

// Resolve finds a path inside the roots. The errors are an *OutsideError for a path that leaves them, a
// *ReadOnlyError for one that may only be read, or a *NodeError when the system cannot follow the path.
// A path that does not exist yet resolves too, through its nearest existing parent.
func (r *Roots) Resolve(path string, access Access) (Place, error) {
	abs := r.absolute(path)
	if strings.ContainsRune(abs, 0) || !r.holds(abs) {
		return Place{}, &OutsideError{Path: abs, Roots: r.Names()}
	}
	real, existing, err := realPath(abs)
	if err != nil {
		return Place{}, Explain("realpath", err, abs)
	}
	place, readOnly, ok := r.find(real, access)
	if !ok && readOnly {
		return Place{}, &ReadOnlyError{Path: real}
	}
	if !ok {
		return Place{}, &OutsideError{Path: existing, Roots: r.Names(), Link: true}
	}
	return place, nil
}

// absolute makes a path absolute and clean without looking at the disk.
func (r *Roots) absolute(path string) string {
	path = filepath.FromSlash(path)
	if home, err := os.UserHomeDir(); err == nil {
		if path == "~" || strings.HasPrefix(path, "~"+string(filepath.Separator)) {
			path = home + path[1:]
		}
	}
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	workspace := r.Workspace()
	if runtime.GOOS == "windows" && strings.HasPrefix(path, `\`) {
		return filepath.Clean(filepath.VolumeName(workspace) + path)
	}
	return filepath.Join(workspace, path)
}

func (r *Roots) holds(abs string) bool {
	for _, d := range r.dirs {
		if d.contains(d.given, abs) || d.contains(d.real, abs) {
			return true
		}
	}
	return false
}

func (d dir) contains(base, path string) bool {
	rel, err := filepath.Rel(base, path)
	if err != nil || (d.single && rel != ".") {
		return false
	}
	return filepath.IsLocal(rel)
}

func (r *Roots) find(real string, access Access) (place Place, readOnly, ok bool) {
	for _, d := range r.dirs {
		if !d.contains(d.real, real) {
			continue
		}
		if access == Write && !d.writable {
			readOnly = true
			continue
		}
		rel, err := filepath.Rel(d.base, real)
		if err == nil {
			return Place{Dir: d.handle, Rel: rel, Abs: real}, false, true
		}
	}
	return Place{}, readOnly, false
}
