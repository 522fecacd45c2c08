package git

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/casys-ai/pml/transport/builtin/internal/root"
	"github.com/casys-ai/pml/transport/builtin/internal/run"
	"github.com/casys-ai/pml/transport/builtin/internal/tool"
)

const (
	timeLimit   = 25 * time.Second
	outputLimit = 8 << 20
)

var errTimeout = fmt.Errorf("git took longer than %s", timeLimit)

// repository is a checked repository: the folder to work in and the options that keep git from executing anything
// the repository configures.
type repository struct {
	roots *root.Roots
	dir   string
	safe  []string
}

// open finds the repository of a call, and refuses one whose data or files are outside the roots.
func (r *repositories) open(ctx context.Context, args tool.Args) (*repository, error) {
	place, err := r.roots.Resolve(args.String("repo_path"), root.Read)
	if err != nil {
		return nil, err
	}
	info, err := place.Dir.Stat(place.Rel)
	if err != nil {
		return nil, root.Explain("open", err, place.Abs)
	}
	if !info.IsDir() {
		return nil, &root.NodeError{Code: "ENOTDIR", Message: "not a directory", Op: "open", Paths: []string{place.Abs}}
	}
	repo := &repository{roots: r.roots, dir: place.Abs}
	if err := repo.confine(ctx); err != nil {
		return nil, err
	}
	return repo, repo.disarm(ctx)
}

// confine checks where the repository keeps its data (a .git file may point anywhere) and its files.
func (r *repository) confine(ctx context.Context) error {
	found, err := r.git(ctx, "rev-parse", "--absolute-git-dir", "--git-common-dir")
	if err != nil {
		return fmt.Errorf("'%s' is not a Git repository in the workspace: %w", r.dir, err)
	}
	places := strings.Split(strings.TrimSpace(found), "\n")
	for i, path := range places {
		if path = filepath.FromSlash(path); !filepath.IsAbs(path) {
			path = filepath.Join(r.dir, path)
		}
		places[i] = path
	}
	if top, err := r.git(ctx, "rev-parse", "--show-toplevel"); err == nil {
		top = filepath.FromSlash(strings.TrimSpace(top))
		if len(places) == 2 && isWorktree(top, places[0], places[1]) {
			places = nil
		}
		places = append(places, top)
	}
	for _, path := range places {
		if _, err := r.roots.Resolve(path, root.Read); err != nil {
			return err
		}
	}
	return nil
}

// isWorktree reports whether the folder top is a linked worktree (gitrepository-layout(5)) of the repository at common,
// with its own data at data. Only that repository itself can say so: data names top as its worktree, and whoever can
// only write to top cannot make it.
func isWorktree(top, data, common string) bool {
	back, err := os.ReadFile(filepath.Join(data, "gitdir"))
	if err != nil || filepath.Dir(data) != filepath.Join(common, "worktrees") {
		return false
	}
	named, err := os.Stat(strings.TrimSuffix(string(back), "\n"))
	if err != nil {
		return false
	}
	own, err := os.Stat(filepath.Join(top, ".git"))
	return err == nil && os.SameFile(named, own)
}

// disarm overrides the filter programs that the repository itself configures; they would run on every file that
// git compares. Filters of the user's own configuration (Git LFS) are trusted.
func (r *repository) disarm(ctx context.Context) error {
	names, err := r.git(ctx, "config", "-z", "--show-scope", "--name-only", "--includes", "--get-regexp",
		`^filter\..*\.(clean|smudge|process|required)$`)
	if err != nil {
		return nil //nolint:nilerr // git config fails when nothing matches
	}
	fields := strings.Split(strings.TrimSuffix(names, "\x00"), "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		if scope, name := fields[i], fields[i+1]; scope == "local" || scope == "worktree" {
			if strings.Contains(name, "=") {
				return fmt.Errorf("the repository configures a filter with a strange name: %q", name)
			}
			r.safe = append(r.safe, "-c", name+"=")
		}
	}
	return nil
}

// options keep git from running programs, asking questions and colouring its output.
var options = []string{
	"--no-pager", "--no-optional-locks",
	"-c", "core.fsmonitor=false", "-c", "core.hooksPath=" + os.DevNull, "-c", "core.quotePath=false",
	"-c", "core.untrackedCache=false", "-c", "diff.external=", "-c", "diff.noprefix=false",
	"-c", "diff.mnemonicPrefix=false", "-c", "log.showSignature=false", "-c", "color.ui=false",
	"-c", "submodule.recurse=false", "-c", "status.submoduleSummary=false",
}

// git runs a git command and gives its standard output.
func (r *repository) git(ctx context.Context, args ...string) (string, error) {
	program, err := exec.LookPath("git")
	if err != nil {
		return "", errors.New("git is not installed: no program 'git' in PATH; install Git to use this server")
	}
	ctx, cancel := context.WithTimeoutCause(ctx, timeLimit, errTimeout)
	defer cancel()
	all := append(append(append([]string{}, options...), r.safe...), args...)
	spec := run.Spec{Command: program, Args: all, Dir: r.dir, Env: r.environment(), Limit: outputLimit}
	outcome, err := run.Run(ctx, spec)
	if err != nil {
		return "", err
	}
	if outcome.Code != 0 {
		return "", fmt.Errorf("git %s: %s", args[0], complaint(outcome))
	}
	return outcome.Stdout, nil
}

// environment drops every GIT_ variable and sets those that make git safe; it does not look above the workspace.
func (r *repository) environment() []string {
	var env []string
	for _, variable := range os.Environ() {
		if !strings.HasPrefix(strings.ToUpper(variable), "GIT_") {
			env = append(env, variable)
		}
	}
	ceilings := []string{}
	for _, name := range r.roots.Names() {
		ceilings = append(ceilings, filepath.Dir(name))
	}
	return append(env, "GIT_CONFIG_NOSYSTEM=1", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "GIT_PAGER=",
		"GIT_ATTR_NOSYSTEM=1", "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none", "GIT_ASKPASS=", "SSH_ASKPASS=",
		"LC_ALL=C.UTF-8", "LANGUAGE=",
		"GIT_CEILING_DIRECTORIES="+strings.Join(ceilings, string(filepath.ListSeparator)))
}

func complaint(outcome run.Outcome) string {
	if text := strings.TrimSpace(outcome.Stderr); text != "" {
		return text
	}
	return fmt.Sprintf("exit code %d", outcome.Code)
}

// ref refuses a revision that git could take for an option.
func ref(name, value string) error {
	if strings.HasPrefix(value, "-") || strings.ContainsAny(value, "\x00\n") {
		return fmt.Errorf("%s must be a revision, not %q", name, value)
	}
	return nil
}

// pathspecs are the paths of a call after "--".
func pathspecs(args tool.Args) ([]string, error) {
	paths := args.Strings("paths")
	for _, path := range paths {
		if path == "" || strings.ContainsRune(path, 0) {
			return nil, errors.New("paths must not be empty")
		}
	}
	return append([]string{"--"}, paths...), nil
}
