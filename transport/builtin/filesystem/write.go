package filesystem

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/casys-ai/pml/transport/builtin/internal/root"
	"github.com/casys-ai/pml/transport/builtin/internal/tool"
)

func (f *files) write(ctx context.Context, args tool.Args) (*tool.Result, error) {
	place, err := f.roots.Resolve(args.String("path"), root.Write)
	if err != nil {
		return nil, err
	}
	if err := replace(ctx, place, args.String("content")); err != nil {
		return nil, err
	}
	return say("Successfully wrote to " + args.String("path")), nil
}

// replace writes a file in one step: a temporary file beside it takes its name. An existing file keeps its
// permissions.
func replace(ctx context.Context, place root.Place, text string) error {
	if len(text) > Limit {
		return fmt.Errorf("EFBIG: file too large, write '%s' (%d bytes, the limit is %d)", place.Abs, len(text), Limit)
	}
	info, err := place.Dir.Stat(place.Rel)
	switch {
	case err == nil && info.IsDir():
		return &root.NodeError{Code: "EISDIR", Message: "illegal operation on a directory", Op: "open",
			Paths: []string{place.Abs}}
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return root.Explain("open", err, place.Abs)
	}
	temporary := place.Rel + "." + randomName() + ".tmp"
	if err := create(place.Dir, temporary, text, info); err != nil {
		_ = place.Dir.Remove(temporary)
		return root.Explain("open", err, place.Abs)
	}
	if err = ctx.Err(); err == nil {
		err = place.Dir.Rename(temporary, place.Rel)
	}
	if err != nil {
		_ = place.Dir.Remove(temporary)
		return root.Explain("rename", err, place.Abs)
	}
	return nil
}

func create(dir *os.Root, name, text string, like fs.FileInfo) error {
	file, err := dir.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = io.WriteString(file, text)
	if err == nil && like != nil {
		err = file.Chmod(like.Mode().Perm())
	}
	return errors.Join(err, file.Close())
}

func randomName() string {
	var random [8]byte
	_, _ = rand.Read(random[:])
	return hex.EncodeToString(random[:])
}

func (f *files) mkdir(ctx context.Context, args tool.Args) (*tool.Result, error) {
	place, err := f.roots.Resolve(args.String("path"), root.Write)
	if err != nil {
		return nil, err
	}
	if info, err := place.Dir.Stat(place.Rel); err == nil && !info.IsDir() {
		return nil, &root.NodeError{Code: "EEXIST", Message: "file already exists", Op: "mkdir",
			Paths: []string{place.Abs}}
	}
	if err := place.Dir.MkdirAll(place.Rel, 0o777); err != nil {
		return nil, root.Explain("mkdir", err, place.Abs)
	}
	return say("Successfully created directory " + args.String("path")), nil
}

func (f *files) move(ctx context.Context, args tool.Args) (*tool.Result, error) {
	from, err := f.roots.Resolve(args.String("source"), root.Write)
	if err != nil {
		return nil, err
	}
	to, err := f.roots.Resolve(args.String("destination"), root.Write)
	if err != nil {
		return nil, err
	}
	if _, err := to.Dir.Lstat(to.Rel); err == nil {
		return nil, errors.New("Destination already exists: " + to.Abs)
	}
	if from.Dir == to.Dir {
		err = from.Dir.Rename(from.Rel, to.Rel)
	} else {
		err = moveAcross(from, to)
	}
	if err != nil {
		return nil, root.Explain("rename", err, from.Abs, to.Abs)
	}
	return say("Successfully moved " + args.String("source") + " to " + args.String("destination")), nil
}

// moveAcross moves a regular file between two roots by copying it; folders stay in their root (EXDEV).
func moveAcross(from, to root.Place) error {
	source, _, err := open(from)
	var node *root.NodeError
	if errors.As(err, &node) && node.Code == "EISDIR" {
		return &root.NodeError{Code: "EXDEV", Message: "cross-device link not permitted", Op: "rename",
			Paths: []string{from.Abs, to.Abs}}
	}
	if err != nil {
		return err
	}
	defer source.Close()
	target, err := to.Dir.OpenFile(to.Rel, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = io.Copy(target, source)
	if err = errors.Join(err, target.Close()); err != nil {
		_ = to.Dir.Remove(to.Rel)
		return err
	}
	return from.Dir.Remove(from.Rel)
}
