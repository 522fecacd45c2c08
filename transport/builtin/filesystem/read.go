package filesystem

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/casys-ai/pml/transport/builtin/internal/root"
	"github.com/casys-ai/pml/transport/builtin/internal/tool"
)

func (f *files) readText(ctx context.Context, args tool.Args) (*tool.Result, error) {
	head, tail := args.Number("head", 0), args.Number("tail", 0)
	if head != 0 && tail != 0 {
		return nil, errors.New("Cannot specify both head and tail parameters simultaneously")
	}
	text, err := f.text(args.String("path"), head, tail)
	if err != nil {
		return nil, err
	}
	return say(text), nil
}

// text reads a file whole, or its first or last lines; zero means no such limit.
func (f *files) text(path string, head, tail float64) (string, error) {
	place, err := f.roots.Resolve(path, root.Read)
	if err != nil {
		return "", err
	}
	file, size, err := open(place)
	if err != nil {
		return "", err
	}
	defer file.Close()
	switch {
	case tail != 0:
		return lastLines(file, size, int(tail), place)
	case head != 0:
		return firstLines(file, head, place)
	}
	data, err := readAll(file, size, place)
	return tool.Decode(data), err
}

func (f *files) readMany(ctx context.Context, args tool.Args) (*tool.Result, error) {
	var parts []string
	total := 0
	for _, path := range args.Strings("paths") {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		text, err := f.text(path, 0, 0)
		if total += len(text); total > Limit {
			return nil, fmt.Errorf("EFBIG: file too large, the files together exceed the limit of %d bytes", Limit)
		}
		if err != nil {
			parts = append(parts, path+": Error - "+err.Error())
			continue
		}
		parts = append(parts, path+":\n"+text+"\n")
	}
	return say(strings.Join(parts, "\n---\n")), nil
}

// open opens a regular file for reading. A folder is reported as Node does, when it is read; devices and pipes are
// refused, since reading them may never end.
func open(place root.Place) (*os.File, int64, error) {
	file, err := place.Dir.OpenFile(place.Rel, os.O_RDONLY|nonBlocking, 0)
	if err != nil {
		return nil, 0, root.Explain("open", err, place.Abs)
	}
	info, err := file.Stat()
	switch {
	case err != nil:
		err = root.Explain("fstat", err)
	case info.IsDir():
		err = &root.NodeError{Code: "EISDIR", Message: "illegal operation on a directory", Op: "read"}
	case !info.Mode().IsRegular():
		err = &root.NodeError{Code: "EINVAL", Message: "not a regular file", Op: "read", Paths: []string{place.Abs}}
	default:
		return file, info.Size(), nil
	}
	_ = file.Close()
	return nil, 0, err
}

// readAll reads a whole file up to Limit.
func readAll(file io.Reader, size int64, place root.Place) ([]byte, error) {
	if size > Limit {
		return nil, tooBig(place, size)
	}
	data := make([]byte, 0, size+1)
	for {
		n, err := file.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		if errors.Is(err, io.EOF) {
			return data, nil
		}
		if err != nil {
			return nil, root.Explain("read", err)
		}
		if len(data) > Limit {
			return nil, tooBig(place, int64(len(data)))
		}
		if len(data) == cap(data) {
			data = append(data, 0)[:len(data)]
		}
	}
}

func tooBig(place root.Place, size int64) error {
	return fmt.Errorf("EFBIG: file too large, read '%s' (%d bytes, the limit is %d; use head or tail)",
		place.Abs, size, Limit)
}
