package runtime

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"hash"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/transport"
)

// launchers start programs that are not their own: what counts is what they start.
var launchers = regexp.MustCompile(`^(node|nodejs|deno|bun|bunx|npx|npm|pnpm|yarn|tsx|python[0-9.]*|uv|uvx|pipx|docker|podman|java|ruby|php|perl|go|sh|bash|zsh|env)(\.exe|\.cmd)?$`)

// What is looked at of a package is bounded: whoever has more is looked at in part.
const (
	mostPackageFiles = 5000
	mostPackageBytes = 64 << 20
)

// substance is what a server is made of, beyond its command line: a program, a package, or what npx has installed.
type substance struct {
	// path is the file or folder, files those of its that count.
	path  string
	files []string
}

// substanceOf finds out what a server is made of; nil if nothing of it can be told from the rest of the machine. What lies
// in the workspace is the user's own work.
func substanceOf(c transport.ServerConfig, command, workspace, home string) *substance {
	name := filepath.Base(command)
	switch {
	case len(transport.NpxPackages(name, c.Args)) > 0:
		return npxSubstance(transport.NpxPackages(name, c.Args), home)
	case !launchers.MatchString(name):
		return outside(workspace, command)
	}
	for _, arg := range c.Args {
		if !filepath.IsAbs(arg) {
			arg = filepath.Join(c.Dir, arg)
		}
		if info, err := os.Stat(arg); err == nil && info.Mode().IsRegular() {
			return outside(workspace, arg)
		}
	}
	return nil
}

// outside is a program, or the package of npm that a script belongs to.
func outside(workspace, file string) *substance {
	real, err := filepath.EvalSymlinks(file)
	if err != nil {
		return nil
	}
	if root, err := filepath.EvalSymlinks(workspace); err == nil && strings.HasPrefix(real, root+string(filepath.Separator)) {
		return nil
	}
	if modules := strings.LastIndex(real, "/node_modules/"); modules >= 0 {
		parts := strings.SplitN(real[modules+len("/node_modules/"):], "/", 3)
		depth := 1
		if strings.HasPrefix(parts[0], "@") {
			depth = 2
		}
		if len(parts) > depth {
			root := filepath.Join(append([]string{real[:modules], "node_modules"}, parts[:depth]...)...)
			return &substance{root, packageFiles(root)}
		}
	}
	return &substance{real, []string{real}}
}

// packageFiles are the files of a package without what it depends on.
func packageFiles(root string) (files []string) {
	_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || len(files) == mostPackageFiles:
			return fs.SkipAll
		case d.IsDir() && d.Name() == "node_modules" && path != root:
			return fs.SkipDir
		case d.Type().IsRegular():
			files = append(files, path)
		}
		return nil
	})
	return files
}

// npxSubstance is the list of what npx has installed for packages, each with the hash that the registry gave.
func npxSubstance(packages []string, home string) *substance {
	found, _ := filepath.Glob(filepath.Join(home, ".npm", "_npx", "*", "package.json"))
	for _, file := range found {
		var p struct {
			NPX struct{ Packages []string } `json:"_npx"`
		}
		text, err := os.ReadFile(file)
		if err != nil || json.Unmarshal(text, &p) != nil || !slices.Equal(p.NPX.Packages, packages) {
			continue
		}
		list := filepath.Join(filepath.Dir(file), "package-lock.json")
		return &substance{list, []string{list}}
	}
	return nil
}

// stamp tells without reading them whether files may have changed.
func (x *substance) stamp() string {
	sum := sha256.New()
	for _, file := range x.files {
		if info, err := os.Stat(file); err == nil {
			fmt.Fprintln(sum, file, info.Size(), info.ModTime().UnixNano(), changeTime(info))
		}
	}
	return digestText(sum)
}

// integrity is the hash of all files.
func (x *substance) integrity() string {
	sum := sha256.New()
	left := int64(mostPackageBytes)
	for _, file := range x.files {
		name, _ := filepath.Rel(x.path, file)
		text, err := os.ReadFile(file)
		if left -= int64(len(text)); err != nil || left < 0 && len(x.files) > 1 {
			break
		}
		fmt.Fprintf(sum, "%s %d\n", filepath.ToSlash(name), len(text))
		sum.Write(text)
	}
	return digestText(sum)
}

func digestText(sum hash.Hash) string {
	return "sha256-" + base64.StdEncoding.EncodeToString(sum.Sum(nil))
}

// verify compares what a server is made of with what is pinned, before it is started; what is new is pinned.
func (p *pins) verify(e ServerEntry, x *substance) error {
	if p.dir == "" || x == nil {
		return nil
	}
	var mismatch error
	err := p.change(func(lock *lockJSON) bool {
		line := strings.Join(append([]string{e.Command}, e.Args...), " ")
		s := lock.Servers[e.Name]
		if s == nil {
			s = &lockServer{Command: line, Tools: map[string]lockTool{}}
			lock.Servers[e.Name] = s
		}
		stamp := x.stamp()
		if s.Command == line && s.Path == x.path && s.Stamp == stamp {
			return false
		}
		now := x.integrity()
		if s.Command == line && s.Path == x.path && s.Integrity != "" && s.Integrity != now {
			mismatch = mismatched(e.Name, x.path, s.Integrity, now)
			return false
		}
		s.Command, s.Path, s.Integrity, s.Stamp = line, x.path, now, stamp
		return true
	})
	if mismatch != nil {
		return mismatch
	}
	return err
}

func mismatched(name, path, before, now string) error {
	return &transport.Error{Code: nodes.IntegrityMismatch, Server: name,
		Message: fmt.Sprintf("server %q is not started: %s is not what it was when it was first used (%s, now %s)", name, path,
			before, now),
		Hint: fmt.Sprintf("if you have updated it, pml tools --accept %s pins it as it is now; else find out who has changed it", name)}
}

// Accept pins what a server is made of as it will be found when it is started next.
func (s *Session) Accept(name string) error {
	if s.servers[name] == nil {
		return fmt.Errorf("there is no server %q", name)
	}
	return s.pins.change(func(lock *lockJSON) bool {
		if lock.Servers[name] == nil {
			return false
		}
		lock.Servers[name].Integrity, lock.Servers[name].Stamp = "", ""
		return true
	})
}
