package runtime

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/transport"
)

// lockFile pins the servers of a project and the definitions of their tools, as they were when they were first used.
const lockFile = "mcp.lock"

// What stands in the lock file.
type (
	lockJSON struct {
		Version int                    `json:"version"`
		Servers map[string]*lockServer `json:"servers"`
	}
	lockServer struct {
		// Command starts the server; URL leads to a remote one. Package and PackageVersion are what it calls itself.
		Command        string `json:"command,omitempty"`
		URL            string `json:"url,omitempty"`
		Package        string `json:"package,omitempty"`
		PackageVersion string `json:"packageVersion,omitempty"`
		// Path is what the server is made of, Integrity its hash, and Stamp tells whether it must be read again.
		Path      string              `json:"path,omitempty"`
		Integrity string              `json:"integrity,omitempty"`
		Stamp     string              `json:"stamp,omitempty"`
		Tools     map[string]lockTool `json:"tools"`
		// Changed are the tools that are not what they were, as they are now, until a person approves a call.
		Changed map[string]lockTool `json:"changed,omitempty"`
	}
	// lockTool is a definition with its hash.
	lockTool struct {
		Integrity  string     `json:"integrity"`
		Definition definition `json:"definition"`
	}
	// definition is what a tool says of itself that a person or a program relies on.
	definition struct {
		Description string          `json:"description,omitempty"`
		Input       json.RawMessage `json:"input,omitempty"`
		Output      json.RawMessage `json:"output,omitempty"`
		ReadOnly    *bool           `json:"readOnly,omitempty"`
		Idempotent  *bool           `json:"idempotent,omitempty"`
	}
)

// pins is the lock file of a project. The zero value pins nothing.
type pins struct {
	dir string

	turn     sync.Mutex // held while the file is: whoever else waits for the file looks at it only now and then
	mu       sync.Mutex
	accepted map[string]bool // by integrity and tool id
}

func defined(info transport.ToolInfo) lockTool {
	d := definition{info.Description, info.InputSchema, info.OutputSchema, info.Annotations.ReadOnlyHint,
		info.Annotations.IdempotentHint}
	text, _ := json.Marshal(d)
	sum := sha256.Sum256(text)
	return lockTool{"sha256-" + base64.StdEncoding.EncodeToString(sum[:]), d}
}

// check compares the tools of a server with what is pinned, pins what is new, and says of each tool that has changed
// what is different.
func (p *pins) check(e ServerEntry, info transport.ServerInfo, tools []transport.ToolInfo) (changed map[string]string, err error) {
	changed = map[string]string{}
	if p.dir == "" || e.BuiltIn {
		return changed, nil
	}
	err = p.change(func(lock *lockJSON) bool {
		server := lock.Servers[e.Name]
		if server == nil {
			server = &lockServer{Command: strings.Join(append([]string{e.Command}, e.Args...), " "), URL: e.URL,
				Package: info.Name, PackageVersion: info.Version, Tools: map[string]lockTool{}}
			lock.Servers[e.Name] = server
		}
		grown := server.Package == ""
		if grown {
			server.Package, server.PackageVersion = info.Name, info.Version
		}
		for _, tool := range tools {
			now := defined(tool)
			pinned, known := server.Tools[tool.Name]
			switch {
			case !known:
				server.Tools[tool.Name], grown = now, true
			case pinned.Integrity != now.Integrity:
				changed[tool.Name] = difference(server, info, pinned.Definition, now.Definition)
				grown = grown || server.Changed[tool.Name].Integrity != now.Integrity
				server.changed(tool.Name, now)
			}
		}
		return grown
	})
	return changed, err
}

func (s *lockServer) changed(tool string, now lockTool) {
	if s.Changed == nil {
		s.Changed = map[string]lockTool{}
	}
	s.Changed[tool] = now
}

// accept pins a tool as it was shown, once. One that has changed again since is left for the next question.
func (p *pins) accept(id nodes.ToolID, shown string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	key := shown + " " + string(id)
	if p.accepted[key] || p.dir == "" {
		return nil
	}
	err := p.change(func(lock *lockJSON) bool {
		s := lock.Servers[id.Server()]
		if s == nil || shown == "" || s.Changed[id.Name()].Integrity != shown {
			return false
		}
		s.Tools[id.Name()] = s.Changed[id.Name()]
		delete(s.Changed, id.Name())
		return true
	})
	if err != nil {
		return err
	}
	if p.accepted == nil {
		p.accepted = map[string]bool{}
	}
	p.accepted[key] = true
	return nil
}

// change reads the lock file, and writes it again if do says so. Other processes wait meanwhile.
func (p *pins) change(do func(lock *lockJSON) bool) error {
	if err := os.MkdirAll(p.dir, 0o700); err != nil {
		return err
	}
	p.turn.Lock()
	defer p.turn.Unlock()
	held := flock.New(filepath.Join(p.dir, lockFile+".held"), flock.SetPermissions(0o600))
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if _, err := held.TryLockContext(ctx, 5*time.Millisecond); err != nil {
		return err
	}
	defer func() { _ = held.Unlock() }()
	path := filepath.Join(p.dir, lockFile)
	lock := &lockJSON{Version: 1, Servers: map[string]*lockServer{}}
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, lock)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: %w", path, err)
	}
	if !do(lock) {
		return nil
	}
	if text, err = json.MarshalIndent(lock, "", "  "); err != nil {
		return err
	}
	return replaceFile(path, append(text, '\n'))
}

// replaceFile writes a file in one step.
func replaceFile(path string, text []byte) error {
	fresh := path + ".new"
	if err := os.WriteFile(fresh, text, 0o600); err != nil {
		return err
	}
	return os.Rename(fresh, path)
}

// mostChanges is how many lines of a difference are shown.
const mostChanges = 12

// difference words how a tool has changed: the lines that are gone with a minus, those that are new with a plus.
func difference(server *lockServer, info transport.ServerInfo, before, now definition) string {
	lines := func(d definition) []string {
		text, _ := json.MarshalIndent(d, "", "  ")
		return strings.Split(string(text), "\n")
	}
	var list []string
	list = append(list, missing("- ", lines(before), lines(now))...)
	list = append(list, missing("+ ", lines(now), lines(before))...)
	if over := len(list) - mostChanges; over > 0 {
		list = append(list[:mostChanges], fmt.Sprintf("… and %d lines more", over))
	}
	text := "its definition has changed since it was first used"
	if server.PackageVersion != info.Version {
		text += fmt.Sprintf(" (%s %s, now %s)", server.Package, server.PackageVersion, info.Version)
	}
	return text + ":\n" + strings.Join(list, "\n")
}

// missing lists the lines of a that b has not, each with a mark.
func missing(mark string, a, b []string) (list []string) {
	there := map[string]int{}
	for _, line := range b {
		there[strings.TrimSuffix(line, ",")]++
	}
	for _, line := range a {
		line = strings.TrimSuffix(line, ",")
		if there[line]--; there[line] < 0 {
			list = append(list, mark+strings.TrimSpace(line))
		}
	}
	return list
}
