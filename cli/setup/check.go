package setup

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/casys-ai/pml/cli/config"
)

// Finding is something about a project's set-up that may be wrong. Broken says that it does not work so.
type Finding struct {
	Message, Hint string
	Broken        bool
}

// Check looks for the usual mistakes in how a client is to use pml here.
func Check(workspace string) []Finding {
	text, err := read(workspace, clientFile)
	if err != nil {
		return []Finding{{Message: err.Error(), Broken: true}}
	}
	if text == nil {
		return []Finding{{Message: "there is no .mcp.json: no client starts pml here", Hint: "pml init sets it up"}}
	}
	list, err := listServers(text)
	if err != nil {
		return []Finding{{Message: err.Error(), Broken: true}}
	}
	return slices.Concat(checkEntry(list), checkTwice(workspace, list), checkIgnored(workspace), checkKeys(workspace))
}

func checkEntry(list []entry) []Finding {
	i := slices.IndexFunc(list, func(e entry) bool { return e.name == ownName })
	if i < 0 {
		return []Finding{{Message: ".mcp.json has no entry for pml", Hint: "pml init adds it"}}
	}
	var e struct {
		Command, URL string
		Args         []string
	}
	if err := json.Unmarshal(list[i].raw, &e); err != nil {
		return []Finding{{Message: ".mcp.json: the entry of pml cannot be read", Hint: "remove it, and run pml init", Broken: true}}
	}
	switch {
	case e.URL != "":
		return checkURL(e.URL)
	case e.Command == "":
		return []Finding{{Message: ".mcp.json: the entry of pml has no command", Hint: "remove it, and run pml init", Broken: true}}
	}
	if _, err := exec.LookPath(e.Command); err != nil {
		return []Finding{{Message: ".mcp.json starts pml as " + e.Command + ", which is not there",
			Hint: "pml init mends it", Broken: true}}
	}
	if base := filepath.Base(e.Command); strings.HasPrefix(base, "pml") && !slices.Contains(e.Args, "stdio") {
		return []Finding{{Message: ".mcp.json starts pml without stdio", Hint: `its "args" should be ["stdio"]`, Broken: true}}
	}
	return nil
}

// checkURL looks whether somebody listens.
func checkURL(text string) []Finding {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" {
		return []Finding{{Message: ".mcp.json: the url of pml is no address",
			Hint: "for example http://localhost:3003/mcp", Broken: true}}
	}
	c, err := net.DialTimeout("tcp", u.Host, time.Second)
	if err != nil {
		return []Finding{{Message: "nobody listens at " + text,
			Hint: "start pml serve --port " + u.Port() + ", and leave it running", Broken: true}}
	}
	c.Close()
	return nil
}

// checkTwice looks for servers that the client and pml both start.
func checkTwice(workspace string, list []entry) (found []Finding) {
	text, err := read(workspace, config.File)
	if err != nil {
		return nil // the check of the configuration says so
	}
	own, err := listServers(text)
	if err != nil {
		return nil
	}
	for _, e := range list {
		if slices.ContainsFunc(own, func(o entry) bool { return o.name == e.name }) {
			found = append(found, Finding{Message: fmt.Sprintf("%s is in .mcp.json and in %s: it is started twice", e.name, config.File),
				Hint: "take it out of .mcp.json; pml init does"})
		}
	}
	return found
}

// checkKeys looks whether the file with the keys stays out of git.
func checkKeys(workspace string) []Finding {
	text, err := read(workspace, keyFile)
	if err != nil || text == nil || repository(workspace) == "" {
		return nil
	}
	git := func(args ...string) error {
		return exec.Command("git", append([]string{"-C", workspace}, args...)...).Run()
	}
	var exit *exec.ExitError
	switch err := git("check-ignore", "--quiet", keyFile); {
	case err == nil:
		return nil
	case !errors.As(err, &exit) || exit.ExitCode() != 1:
		return nil // there is no git, or no repository for it: nothing gets there
	case git("ls-files", "--error-unmatch", keyFile) == nil:
		return []Finding{{Message: keyFile + " is in git, with the keys that it holds", Broken: true,
			Hint: "git rm --cached " + keyFile + ", add the line " + keyFile + " to " + ignoreFile + ", and replace the keys"}}
	}
	return []Finding{{Message: keyFile + " is not ignored by git: the keys that it holds may be committed",
		Hint: "add the line " + keyFile + " to " + ignoreFile}}
}

// checkIgnored looks whether what is this machine's own stays out of git.
func checkIgnored(workspace string) []Finding {
	top := repository(workspace)
	if top == "" {
		return nil
	}
	for dir := workspace; ; dir = filepath.Dir(dir) {
		text, err := read(dir, ignoreFile)
		if err == nil && bytes.Contains(text, []byte(config.StateDir)) {
			return nil
		}
		if dir == top {
			break
		}
	}
	return []Finding{{Message: config.StateDir + "/ is not in .gitignore", Hint: "pml init adds the line"}}
}
