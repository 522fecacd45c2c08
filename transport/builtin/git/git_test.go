package git_test

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/matryer/is"

	"github.com/casys-ai/pml/transport/builtin/git"
	"github.com/casys-ai/pml/transport/builtin/internal/pipetest"
	"github.com/casys-ai/pml/transport/builtin/internal/root"
	"github.com/casys-ai/pml/transport/builtin/internal/tool"
)

type o = map[string]any

// repo is a workspace with a repository of two commits and a served client.
type repo struct {
	*is.I
	t  *testing.T
	ws string
	c  *pipetest.Client
}

func newRepo(t *testing.T) *repo {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("SKIPPED: there is no git in PATH")
	}
	parent, err := filepath.EvalSymlinks(t.TempDir())
	r := &repo{I: is.New(t), t: t, ws: filepath.Join(parent, "ws")}
	r.NoErr(err)
	r.NoErr(os.MkdirAll(filepath.Join(r.ws, "sub"), 0o755))
	r.git("init", "-q", "-b", "main")
	r.write("a.txt", "one\ntwo\nthree\n")
	r.write("été 日本.txt", "x\n")
	r.write("sub/s.txt", "s\n")
	r.git("add", ".")
	r.git("commit", "-q", "-m", "First\n\nBody of it.\nMore: ünï.")
	r.write("a.txt", "one\nTWO\nthree\n")
	r.git("commit", "-q", "-a", "-m", "Second")
	r.serve(r.ws)
	return r
}

// serve starts the server with another folder as its workspace.
func (r *repo) serve(ws string) {
	r.t.Helper()
	roots, err := root.Open(ws, nil, nil)
	r.NoErr(err)
	r.t.Cleanup(func() { _ = roots.Close() })
	r.c = pipetest.Serve(r.t, func(in io.Reader, out io.Writer) error {
		return tool.Serve(context.Background(), "git", git.Tools(roots), in, out, io.Discard)
	})
}

func (r *repo) write(name, text string) {
	r.t.Helper()
	r.NoErr(os.WriteFile(filepath.Join(r.ws, name), []byte(text), 0o644))
}

func (r *repo) git(args ...string) string {
	r.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = r.ws
	cmd.Env = append(os.Environ(), "GIT_AUTHOR_NAME=Zoë", "GIT_AUTHOR_EMAIL=z@example.org", "GIT_COMMITTER_NAME=C",
		"GIT_COMMITTER_EMAIL=c@example.org", "GIT_AUTHOR_DATE=2026-01-02T03:04:05+01:00",
		"GIT_COMMITTER_DATE=2026-01-02T03:04:05+01:00", "GIT_CONFIG_GLOBAL="+os.DevNull)
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return string(out)
}

func (r *repo) fails(tool string, args o, text string) {
	r.t.Helper()
	answer := r.c.Call(tool, args)
	if !answer.IsError || !strings.Contains(answer.Text, text) {
		r.t.Errorf("%s %v: want an error with %q, got %s", tool, args, text, answer.Raw)
	}
}

func TestStatus(t *testing.T) {
	r := newRepo(t)
	answer := r.c.Call("status", o{})
	r.Equal(answer.Structured, o{"branch": "main", "ahead": 0.0, "behind": 0.0, "files": []any{}, "clean": true})
	r.git("mv", "été 日本.txt", "neu è.txt")
	r.write("a.txt", "changed\n")
	r.write("new \"q\".txt", "n\n")
	answer = r.c.Call("status", o{"repo_path": "sub"})
	r.Equal(answer.Structured["files"], []any{
		o{"path": "a.txt", "index": "", "worktree": "M"},
		o{"path": "neu è.txt", "index": "R", "worktree": "", "original_path": "été 日本.txt"},
		o{"path": "new \"q\".txt", "index": "?", "worktree": "?"}})
	r.Equal(answer.Text, "## main\n M a.txt\nR  été 日本.txt -> neu è.txt\n?? new \"q\".txt")
}

func TestUpstream(t *testing.T) {
	r := newRepo(t)
	r.git("branch", "base", "HEAD~1")
	r.git("branch", "--set-upstream-to=base")
	answer := r.c.Call("status", o{})
	r.Equal(answer.Structured["upstream"], "base")
	r.Equal(answer.Structured["ahead"], 1.0)
	list := r.c.Call("branch", o{})
	r.Equal(list.Structured["current"], "main")
	branches := list.Structured["branches"].([]any)
	r.Equal(len(branches), 2)
	r.Equal(branches[1].(o)["upstream"], "base")
	r.True(strings.Contains(list.Text, "* main "))
	r.git("checkout", "-q", "--detach")
	r.Equal(r.c.Call("branch", o{"type": "all"}).Structured["current"], "")
	r.Equal(r.c.Call("branch", o{"type": "remote"}).Structured["branches"], []any{})
	r.fails("branch", o{"type": "odd"}, `expected one of "local"|"remote"|"all"`)
}

func TestLog(t *testing.T) {
	r := newRepo(t)
	answer := r.c.Call("log", o{})
	commits := answer.Structured["commits"].([]any)
	r.Equal(len(commits), 2)
	first := commits[1].(o)
	r.Equal(len(first["hash"].(string)), 40)
	delete(first, "hash")
	r.Equal(first, o{"author": "Zoë", "email": "z@example.org", "date": "2026-01-02T03:04:05+01:00",
		"subject": "First", "body": "Body of it.\nMore: ünï."})
	r.True(strings.Contains(answer.Text, "Author: Zoë <z@example.org>"))
	count := func(args o) int { return len(r.c.Call("log", args).Structured["commits"].([]any)) }
	r.Equal(count(o{"max_count": 1}), 1)
	r.Equal(count(o{"ref": "HEAD~1"}), 1)
	r.Equal(count(o{"ref": "HEAD~1..HEAD", "paths": []any{"a.txt"}}), 1)
	r.Equal(count(o{"paths": []any{"été 日本.txt"}}), 1)
	r.Equal(count(o{"repo_path": "sub", "paths": []any{"s.txt"}}), 1)
	r.Equal(count(o{"author": "nobody"}), 0)
	r.Equal(count(o{"grep": "Second"}), 1)
	r.Equal(count(o{"since": "2027-01-01"}), 0)
	r.Equal(count(o{"until": "2027-01-01"}), 2)
	r.fails("log", o{"ref": "--output=x"}, "ref must be a revision")
	r.fails("log", o{"ref": "nope"}, "nope")
	r.fails("log", o{"paths": []any{"../../x"}}, "outside repository")
	r.fails("log", o{"max_count": 0}, "Too small")
}

func TestDiffAndShow(t *testing.T) {
	r := newRepo(t)
	r.Equal(r.c.Call("diff", o{}).Text, "")
	r.write("a.txt", "one\nTWO\nTHREE\n")
	r.True(strings.Contains(r.c.Call("diff", o{}).Text, "-three\n+THREE\n"))
	r.True(strings.Contains(r.c.Call("diff", o{"context_lines": 0}).Text, "@@ -3 +3 @@"))
	r.Equal(r.c.Call("diff", o{"staged": true}).Text, "")
	r.True(strings.Contains(r.c.Call("diff", o{"staged": true, "target": "HEAD~1"}).Text, "+TWO"))
	r.True(strings.Contains(r.c.Call("diff", o{"target": "HEAD~1..HEAD"}).Text, "-two\n+TWO\n three"))
	r.Equal(r.c.Call("diff", o{"paths": []any{"sub"}}).Text, "")
	r.write("été 日本.txt", "y\n")
	r.True(strings.Contains(r.c.Call("diff", o{"paths": []any{"été 日本.txt"}}).Text, "+++ b/été 日本.txt"))
	r.fails("diff", o{"target": "--output=/tmp/x"}, "target must be a revision")
	r.fails("diff", o{"target": "nope"}, "nope")
	r.fails("diff", o{"paths": "a"}, "expected array, received string at paths")

	text := r.c.Call("show", o{"revision": "HEAD"}).Text
	r.True(strings.Contains(text, "Author: Zoë") && strings.Contains(text, "+TWO"))
	text = r.c.Call("show", o{"revision": "HEAD", "stat": true}).Text
	r.True(strings.Contains(text, "a.txt | 2 +-") && !strings.Contains(text, "+TWO"))
	r.Equal(r.c.Call("show", o{"revision": "HEAD~1:a.txt"}).Text, "one\ntwo\nthree\n")
	r.fails("show", o{}, "expected string, received undefined at revision")
	r.fails("show", o{"revision": ""}, "revision is empty")
	r.fails("show", o{"revision": "-p"}, "revision must be a revision")
}

func TestOutsideAndNotARepository(t *testing.T) {
	r := newRepo(t)
	r.NoErr(os.MkdirAll(filepath.Join(r.ws, "plain"), 0o755))
	for _, tool := range []string{"status", "diff", "log", "branch"} {
		r.fails(tool, o{"repo_path": ".."}, "PATH_OUTSIDE_WORKSPACE: ")
		r.fails(tool, o{"repo_path": "/"}, "PATH_OUTSIDE_WORKSPACE: ")
		r.fails(tool, o{"repo_path": "nope"}, "ENOENT: ")
		r.fails(tool, o{"repo_path": "a.txt"}, "ENOTDIR: ")
	}
	r.NoErr(os.Rename(filepath.Join(r.ws, ".git"), filepath.Join(r.ws, "../.git")))
	r.fails("status", o{}, "is not a Git repository in the workspace: ") // not looked for above it
	r.write(".git", "gitdir: ../.git\n")
	r.fails("status", o{}, "PATH_OUTSIDE_WORKSPACE: ")
	r.NoErr(os.Remove(filepath.Join(r.ws, ".git")))
	r.NoErr(os.Rename(filepath.Join(r.ws, "../.git"), filepath.Join(r.ws, ".git")))
	r.git("config", "core.worktree", filepath.Dir(r.ws))
	r.fails("status", o{}, "PATH_OUTSIDE_WORKSPACE: ")
}

// TestLinkedWorktree: a worktree keeps its data in its repository, outside the workspace; that repository, and no other,
// may be read.
func TestLinkedWorktree(t *testing.T) {
	r := newRepo(t)
	tree := filepath.Join(filepath.Dir(r.ws), "tree")
	r.git("worktree", "add", "-q", "-b", "side", tree)
	r.serve(tree)
	r.Equal(r.c.Call("status", o{}).Structured["branch"], "side")
	r.True(strings.Contains(r.c.Call("log", o{}).Text, "Second"))

	other := filepath.Join(filepath.Dir(r.ws), "other")
	r.NoErr(os.MkdirAll(other, 0o755))
	data := filepath.Join(r.ws, ".git/worktrees/tree")
	r.NoErr(os.WriteFile(filepath.Join(other, ".git"), []byte("gitdir: "+data+"\n"), 0o644))
	r.serve(other) // it says that it is a worktree, but the repository knows another
	r.fails("status", o{}, "PATH_OUTSIDE_WORKSPACE: ")
}

func TestNothingOfTheRepositoryIsExecuted(t *testing.T) {
	r := newRepo(t)
	bad := filepath.Join(r.ws, "bad.sh")
	r.write("bad.sh", "#!/bin/sh\ntouch '"+r.ws+"/EXECUTED'\ncat\n")
	r.NoErr(os.Chmod(bad, 0o755))
	for _, name := range []string{"core.fsmonitor", "diff.external", "core.pager", "filter.bad.clean", "filter.bad.smudge",
		"filter.bad.process", "diff.bad.textconv", "diff.bad.command", "gpg.program", "core.sshCommand"} {
		r.git("config", name, bad)
	}
	r.git("config", "filter.bad.required", "true")
	r.git("config", "log.showSignature", "true")
	r.write(".gitattributes", "* filter=bad diff=bad\n")
	for _, hook := range []string{"post-index-change", "reference-transaction"} {
		r.NoErr(os.Symlink(bad, filepath.Join(r.ws, ".git/hooks", hook)))
	}
	r.write("a.txt", "one\nTWO\nfour\n")
	for tool, args := range map[string]o{"status": {}, "diff": {}, "log": {}, "show": {"revision": "HEAD"}, "branch": {}} {
		answer := r.c.Call(tool, args)
		r.True(!answer.IsError) // answer.Text
		_, err := os.Stat(filepath.Join(r.ws, "EXECUTED"))
		r.True(os.IsNotExist(err)) // something was executed
	}
	r.True(strings.Contains(r.c.Call("diff", o{}).Text, "+four"))
}

func TestEmptyRepository(t *testing.T) {
	r := newRepo(t)
	r.NoErr(os.MkdirAll(filepath.Join(r.ws, "empty"), 0o755))
	r.git("init", "-q", "-b", "main", "empty")
	answer := r.c.Call("status", o{"repo_path": "empty"})
	r.Equal(answer.Structured["branch"], "main")
	r.Equal(r.c.Call("branch", o{"repo_path": "empty"}).Structured, o{"current": "main", "branches": []any{}})
	r.fails("log", o{"repo_path": "empty"}, "does not have any commits yet")
}

func TestNoGit(t *testing.T) {
	r := newRepo(t)
	t.Setenv("PATH", r.ws)
	r.fails("status", o{}, "git is not installed: ")
}
