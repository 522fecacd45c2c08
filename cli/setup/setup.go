// Package setup says how the files of a project must change so that an MCP client uses pml in it. It changes what has to be
// changed and nothing else: comments, order and other entries stay, and a second time there is nothing to do.
package setup

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Wishes are what a project should become.
type Wishes struct {
	// Command and Args start pml; with URL set, it is reached there instead.
	Command string
	Args    []string
	URL     string
	// TakeOver moves the servers that the client starts itself to pml.
	TakeOver bool
	// APIKey is the cloud's key; "" to stay local.
	APIKey string
}

// Change is one file that must change.
type Change struct {
	// Path is the file's, Why what happens to it, in a few words.
	Path, Why string
	Before    []byte // nil if there is no such file
	After     []byte
	// Backup says that Before is to be kept beside it; Secret that nobody else may read it.
	Backup, Secret bool
}

// The files.
const (
	clientFile = ".mcp.json"
	ignoreFile = ".gitignore"
	keyFile    = ".env"
	keyName    = "PML_API_KEY"
)

// Plan gives the changes that a workspace needs. It writes nothing.
func Plan(workspace string, w Wishes) ([]Change, error) {
	client, err := read(workspace, clientFile)
	if err != nil {
		return nil, err
	}
	servers, err := listServers(client)
	if err != nil {
		return nil, err
	}
	var moved []entry
	for _, e := range servers {
		if w.TakeOver && e.movable() {
			moved = append(moved, e)
		}
	}
	var changes []Change
	for _, plan := range []func() (Change, error){
		func() (Change, error) { return planConfig(workspace, moved) },
		func() (Change, error) { return planClient(workspace, client, w, servers, moved) },
		func() (Change, error) { return planIgnore(workspace, w) },
		func() (Change, error) { return planKey(workspace, w.APIKey) },
	} {
		c, err := plan()
		if err != nil {
			return nil, err
		}
		if c.After != nil && string(c.After) != string(c.Before) {
			changes = append(changes, c)
		}
	}
	return changes, nil
}

// Movable are the names of the servers that TakeOver would move.
func Movable(workspace string) ([]string, error) {
	client, err := read(workspace, clientFile)
	if err != nil {
		return nil, err
	}
	servers, err := listServers(client)
	var names []string
	for _, e := range servers {
		if e.movable() {
			names = append(names, e.name)
		}
	}
	return names, err
}

// read reads a file of the workspace; nil if it is not there.
func read(workspace, name string) ([]byte, error) {
	text, err := os.ReadFile(filepath.Join(workspace, name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return text, err
}

// planIgnore leaves out of git what is this machine's own: where git is used, a .gitignore is there, or
// a key is written, for what is no repository yet may become one.
func planIgnore(workspace string, w Wishes) (Change, error) {
	before, err := read(workspace, ignoreFile)
	if err != nil {
		return Change{}, err
	}
	if repository(workspace) == "" && before == nil && w.APIKey == "" {
		return Change{}, nil
	}
	want := []string{".pml/", clientFile + ".backup"}
	if w.APIKey != "" {
		want = append(want, keyFile)
	}
	var missing []string
	for _, line := range want {
		if !hasLine(before, line) && !hasLine(before, "/"+line) && !hasLine(before, strings.TrimSuffix(line, "/")) {
			missing = append(missing, line)
		}
	}
	c := Change{Path: filepath.Join(workspace, ignoreFile), Before: before, Why: "leave out " + strings.Join(missing, ", ")}
	if c.After = before; len(missing) > 0 {
		c.After = appendLines(before, missing)
	}
	return c, nil
}

// repository is the folder of the git repository that a workspace lies in; "" if there is none.
func repository(workspace string) string {
	for dir := workspace; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
	}
}

func hasLine(text []byte, line string) bool {
	return slices.ContainsFunc(strings.Split(string(text), "\n"), func(l string) bool { return strings.TrimSpace(l) == line })
}

func appendLines(text []byte, lines []string) []byte {
	out := string(text)
	if out != "" && !strings.HasSuffix(out, "\n") {
		out += "\n"
	}
	return []byte(out + strings.Join(lines, "\n") + "\n")
}

// planKey puts the cloud's key where only this user and pml look for it.
func planKey(workspace, key string) (Change, error) {
	if key == "" {
		return Change{}, nil
	}
	if strings.ContainsAny(key, "\r\n\"'\\ \t") {
		return Change{}, fmt.Errorf("the API key holds a space or a quote: that is no key")
	}
	before, err := read(workspace, keyFile)
	if err != nil {
		return Change{}, err
	}
	c := Change{Path: filepath.Join(workspace, keyFile), Before: before, Secret: true, Why: "keep " + keyName}
	line := keyName + "=" + key
	lines := strings.Split(strings.TrimSuffix(string(before), "\n"), "\n")
	at := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(strings.TrimSpace(l), keyName+"=") })
	if at < 0 {
		c.After = appendLines(before, []string{line})
		return c, nil
	}
	lines[at] = line
	c.After = []byte(strings.Join(lines, "\n") + "\n")
	return c, nil
}
