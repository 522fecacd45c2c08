package root

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
)

// OutsideError refuses a path that is not in any root. Its text starts with the code PATH_OUTSIDE_WORKSPACE and
// goes on as the npm filesystem server words it.
type OutsideError struct {
	Path  string
	Roots []string
	Link  bool // the path itself is inside, but a symbolic link leads out
}

func (e *OutsideError) Error() string {
	what := "path"
	if e.Link {
		what = "symlink target"
	}
	return fmt.Sprintf("PATH_OUTSIDE_WORKSPACE: Access denied - %s outside allowed directories: %s not in %s",
		what, e.Path, strings.Join(e.Roots, ", "))
}

// ReadOnlyError refuses to change something in a root that was opened for reading only.
type ReadOnlyError struct{ Path string }

func (e *ReadOnlyError) Error() string {
	return "PATH_OUTSIDE_WORKSPACE: Access denied - this path may be read but not written: " + e.Path
}

// NodeError is a file system error in the words of Node.js, which programs match on:
// "ENOENT: no such file or directory, open '/w/a.txt'".
type NodeError struct {
	Code, Message, Op string
	Paths             []string
	cause             error
}

func (e *NodeError) Error() string {
	text := e.Code + ": " + e.Message + ", " + e.Op
	for i, path := range e.Paths {
		if i > 0 {
			text += " ->"
		}
		text += " '" + path + "'"
	}
	return text
}

// Unwrap returns the system's own error.
func (e *NodeError) Unwrap() error { return e.cause }

// nodeCodes are libuv's codes and messages. Order matters: the first match wins.
var nodeCodes = []struct {
	err           error
	code, message string
}{
	{syscall.ENOTDIR, "ENOTDIR", "not a directory"},
	{syscall.EISDIR, "EISDIR", "illegal operation on a directory"},
	{syscall.ENOTEMPTY, "ENOTEMPTY", "directory not empty"},
	{syscall.EPERM, "EPERM", "operation not permitted"},
	{syscall.EXDEV, "EXDEV", "cross-device link not permitted"},
	{syscall.ELOOP, "ELOOP", "too many symbolic links encountered"},
	{syscall.ENAMETOOLONG, "ENAMETOOLONG", "name too long"},
	{syscall.ENOSPC, "ENOSPC", "no space left on device"},
	{syscall.EDQUOT, "EDQUOT", "disk quota exceeded"},
	{syscall.EROFS, "EROFS", "read-only file system"},
	{syscall.EMFILE, "EMFILE", "too many open files"},
	{syscall.EBUSY, "EBUSY", "resource busy or locked"},
	{syscall.ETXTBSY, "ETXTBSY", "text file is busy"},
	{syscall.EFBIG, "EFBIG", "file too large"},
	{syscall.EIO, "EIO", "i/o error"},
	{syscall.EINVAL, "EINVAL", "invalid argument"},
	{fs.ErrNotExist, "ENOENT", "no such file or directory"},
	{fs.ErrExist, "EEXIST", "file already exists"},
	{fs.ErrPermission, "EACCES", "permission denied"},
}

// Explain turns a system error into Node's words, naming the operation as Node does (open, read, scandir, stat,
// mkdir, rename, realpath). An error that is already explained is returned as it is.
func Explain(op string, err error, paths ...string) error {
	if err == nil || explained(err) {
		return err
	}
	if strings.Contains(err.Error(), "path escapes from parent") {
		return &OutsideError{Path: strings.Join(paths, " -> "), Roots: []string{"the workspace"}, Link: true}
	}
	for _, known := range nodeCodes {
		if errors.Is(err, known.err) {
			return &NodeError{known.code, known.message, op, paths, err}
		}
	}
	return &NodeError{"UNKNOWN", err.Error(), op, paths, err}
}

func explained(err error) bool {
	var node *NodeError
	var outside *OutsideError
	var readOnly *ReadOnlyError
	return errors.As(err, &node) || errors.As(err, &outside) || errors.As(err, &readOnly)
}
