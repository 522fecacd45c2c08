package filesystem

import (
	"context"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"

	"github.com/casys-ai/pml/transport/builtin/internal/root"
	"github.com/casys-ai/pml/transport/builtin/internal/tool"
)

func (f *files) list(ctx context.Context, args tool.Args) (*tool.Result, error) {
	_, entries, err := f.folder(args.String("path"))
	if err != nil {
		return nil, err
	}
	lines := make([]string, len(entries))
	for i, entry := range entries {
		lines[i] = label(entry.IsDir()) + name(entry)
	}
	return say(strings.Join(lines, "\n")), nil
}

func (f *files) allowed(ctx context.Context, args tool.Args) (*tool.Result, error) {
	return say("Allowed directories:\n" + strings.Join(f.roots.Names(), "\n")), nil
}

// folder resolves a directory and reads its entries in byte order, as Node does.
func (f *files) folder(path string) (root.Place, []fs.DirEntry, error) {
	place, err := f.roots.Resolve(path, root.Read)
	if err != nil {
		return place, nil, err
	}
	entries, err := entriesOf(place)
	return place, entries, err
}

func entriesOf(place root.Place) ([]fs.DirEntry, error) {
	info, err := place.Dir.Stat(place.Rel)
	if err != nil {
		return nil, root.Explain("scandir", err, place.Abs)
	}
	if !info.IsDir() {
		return nil, &root.NodeError{Code: "ENOTDIR", Message: "not a directory", Op: "scandir",
			Paths: []string{place.Abs}}
	}
	dir, err := place.Dir.Open(place.Rel)
	if err != nil {
		return nil, root.Explain("scandir", err, place.Abs)
	}
	defer dir.Close()
	entries, err := dir.ReadDir(-1)
	if err != nil {
		return nil, root.Explain("scandir", err, place.Abs)
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, nil
}

// sized is one line of list_directory_with_sizes.
type sized struct {
	name  string
	size  int64
	isDir bool
}

func (f *files) listSizes(ctx context.Context, args tool.Args) (*tool.Result, error) {
	place, entries, err := f.folder(args.String("path"))
	if err != nil {
		return nil, err
	}
	rows := make([]sized, len(entries))
	for i, entry := range entries {
		rows[i] = sized{name(entry), f.size(place, entry), entry.IsDir()}
	}
	order(rows, args.String("sortBy"))
	return say(table(rows)), nil
}

// size is what stat says through links, or 0 where it says nothing or the link leads outside.
func (f *files) size(parent root.Place, entry fs.DirEntry) int64 {
	if entry.Type()&fs.ModeSymlink == 0 {
		if info, err := entry.Info(); err == nil {
			return info.Size()
		}
		return 0
	}
	place, err := f.roots.Resolve(filepath.Join(parent.Abs, entry.Name()), root.Read)
	if err != nil {
		return 0
	}
	info, err := place.Dir.Stat(place.Rel)
	if err != nil {
		return 0
	}
	return info.Size()
}

// order sorts by size, largest first, or by name as people sort names in any language.
func order(rows []sized, by string) {
	if by == "size" {
		slices.SortStableFunc(rows, func(a, b sized) int { return int(max(-1, min(1, b.size-a.size))) })
		return
	}
	collator := collate.New(language.Und)
	slices.SortStableFunc(rows, func(a, b sized) int { return collator.CompareString(a.name, b.name) })
}

func table(rows []sized) string {
	lines := make([]string, 0, len(rows)+3)
	var total int64
	folders := 0
	for _, row := range rows {
		amount := ""
		if row.isDir {
			folders++
		} else {
			total += row.size
			amount = fmt.Sprintf("%10s", formatSize(row.size))
		}
		lines = append(lines, label(row.isDir)+pad(row.name, 30)+" "+amount)
	}
	return strings.Join(append(lines, "",
		fmt.Sprintf("Total: %d files, %d directories", len(rows)-folders, folders),
		"Combined size: "+formatSize(total)), "\n")
}

func label(isDir bool) string {
	if isDir {
		return "[DIR] "
	}
	return "[FILE] "
}

// name is an entry's name as text; the system may hold names that are not UTF-8.
func name(entry fs.DirEntry) string { return tool.Decode([]byte(entry.Name())) }

// pad fills a text to a width in UTF-16 units, as String.prototype.padEnd counts.
func pad(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-len(utf16.Encode([]rune(text)))))
}

func formatSize(bytes int64) string {
	units := []string{"B", "KB", "MB", "GB", "TB"}
	if bytes < 1024 {
		return strconv.FormatInt(bytes, 10) + " B"
	}
	power := min(len(units)-1, int(math.Log(float64(bytes))/math.Log(1024)))
	return strconv.FormatFloat(float64(bytes)/math.Pow(1024, float64(power)), 'f', 2, 64) + " " + units[power]
}
