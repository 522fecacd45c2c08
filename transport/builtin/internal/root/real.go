package root

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// maxLinks bounds how many dangling links are followed, as the kernel bounds links it follows.
const maxLinks = 40

// realPath resolves every symbolic link of a path. Names that do not exist yet are kept below their nearest
// existing parent; a dangling link resolves to where it points, so that writing through it is judged there.
func realPath(path string) (real, existing string, err error) {
	rest := ""
	for links := 0; ; {
		real, err := filepath.EvalSymlinks(path)
		if err == nil {
			return filepath.Join(real, rest), real, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return "", "", err
		}
		target, dangling := linkTarget(path)
		if dangling {
			if links++; links > maxLinks {
				return "", "", syscall.ELOOP
			}
			path = target
			continue
		}
		parent := filepath.Dir(path)
		if parent == path {
			return filepath.Join(path, rest), path, nil
		}
		rest = filepath.Join(filepath.Base(path), rest)
		path = parent
	}
}

// linkTarget says where a link points, and whether the path is a link at all.
func linkTarget(path string) (string, bool) {
	target, err := os.Readlink(path)
	if err != nil {
		return "", false
	}
	if filepath.IsAbs(target) {
		return filepath.Clean(target), true
	}
	parent, err := filepath.EvalSymlinks(filepath.Dir(path))
	if err != nil {
		parent = filepath.Dir(path)
	}
	return filepath.Join(parent, target), true
}
