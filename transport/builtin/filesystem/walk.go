package filesystem

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/casys-ai/pml/transport/builtin/internal/root"
	"github.com/casys-ai/pml/transport/builtin/internal/tool"
)

// maxEntries bounds what a tree or a search looks at.
const maxEntries = 500_000

// node is one entry of directory_tree; files have no children, folders always do.
type node struct {
	Name     string  `json:"name"`
	Type     string  `json:"type"`
	Children *[]node `json:"children,omitempty"`
}

// walk is one recursive visit of a folder: what to leave out and how much was seen.
type walk struct {
	ctx     context.Context
	files   *files
	exclude func(rel string) bool
	seen    int
}

func (f *files) tree(ctx context.Context, args tool.Args) (*tool.Result, error) {
	place, entries, err := f.folder(args.String("path"))
	if err != nil {
		return nil, err
	}
	w := &walk{ctx: ctx, files: f, exclude: treeExcludes(args.Strings("excludePatterns"))}
	nodes, err := w.nodes(place, entries, "")
	if err != nil {
		return nil, err
	}
	text, err := tool.JSON(nodes)
	if err != nil {
		return nil, err
	}
	return say(text), nil
}

func (w *walk) nodes(place root.Place, entries []fs.DirEntry, rel string) ([]node, error) {
	nodes := []node{}
	for _, entry := range entries {
		if err := w.step(); err != nil {
			return nil, err
		}
		here := slashJoin(rel, name(entry))
		if w.exclude(here) {
			continue
		}
		if !entry.IsDir() {
			nodes = append(nodes, node{Name: name(entry), Type: "file"})
			continue
		}
		inside := below(place, entry)
		listed, err := entriesOf(inside)
		if err != nil {
			return nil, err
		}
		children, err := w.nodes(inside, listed, here)
		if err != nil {
			return nil, err
		}
		nodes = append(nodes, node{name(entry), "directory", &children})
	}
	return nodes, nil
}

func (f *files) search(ctx context.Context, args tool.Args) (*tool.Result, error) {
	place, entries, err := f.folder(args.String("path"))
	if err != nil {
		return nil, err
	}
	w := &walk{ctx: ctx, files: f, exclude: searchExcludes(args.Strings("excludePatterns"))}
	found, err := w.find(place, entries, "", compileGlob(args.String("pattern")))
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return say("No matches found"), nil
	}
	return say(strings.Join(found, "\n")), nil
}

// find lists the matches below a folder, each before what it contains. Links that lead outside or nowhere and
// folders that cannot be read are passed over.
func (w *walk) find(place root.Place, entries []fs.DirEntry, rel string, pattern glob) ([]string, error) {
	var found []string
	for _, entry := range entries {
		if err := w.step(); err != nil {
			return nil, err
		}
		here := slashJoin(rel, name(entry))
		inside := below(place, entry)
		if w.exclude(here) || !w.reachable(inside, entry) {
			continue
		}
		if pattern.match(here) {
			found = append(found, tool.Decode([]byte(inside.Abs)))
		}
		if !entry.IsDir() {
			continue
		}
		listed, err := entriesOf(inside)
		if err != nil {
			continue
		}
		deeper, err := w.find(inside, listed, here, pattern)
		if err != nil {
			return nil, err
		}
		found = append(found, deeper...)
	}
	return found, nil
}

func (w *walk) step() error {
	if w.seen++; w.seen > maxEntries {
		return fmt.Errorf("LIMIT_EXCEEDED: more than %d entries; choose a smaller directory", maxEntries)
	}
	return w.ctx.Err()
}

func (w *walk) reachable(place root.Place, entry fs.DirEntry) bool {
	if entry.Type()&fs.ModeSymlink == 0 {
		return true
	}
	target, err := w.files.roots.Resolve(place.Abs, root.Read)
	if err != nil {
		return false
	}
	_, err = target.Dir.Stat(target.Rel)
	return err == nil
}

// below is the place of an entry of a folder.
func below(place root.Place, entry fs.DirEntry) root.Place {
	return root.Place{Dir: place.Dir, Rel: filepath.Join(place.Rel, entry.Name()),
		Abs: filepath.Join(place.Abs, entry.Name())}
}

func slashJoin(rel, name string) string {
	if rel == "" {
		return name
	}
	return rel + "/" + name
}

// treeExcludes leaves out what a pattern matches; one without '*' also matches at any depth, with all below it.
func treeExcludes(patterns []string) func(string) bool {
	var globs []glob
	for _, pattern := range patterns {
		globs = append(globs, compileGlob(pattern))
		if !strings.Contains(pattern, "*") {
			globs = append(globs, compileGlob("**/"+pattern), compileGlob("**/"+pattern+"/**"))
		}
	}
	return anyOf(globs)
}

func searchExcludes(patterns []string) func(string) bool {
	var globs []glob
	for _, pattern := range patterns {
		globs = append(globs, compileGlob(pattern))
	}
	return anyOf(globs)
}

func anyOf(globs []glob) func(string) bool {
	return func(rel string) bool {
		for _, g := range globs {
			if g.match(rel) {
				return true
			}
		}
		return false
	}
}
