package git

import (
	"context"
	"fmt"
	"strings"

	"github.com/casys-ai/pml/transport/builtin/internal/tool"
)

// state is the structured content of status.
type state struct {
	Branch   string `json:"branch"`
	Upstream string `json:"upstream,omitempty"`
	Ahead    int    `json:"ahead"`
	Behind   int    `json:"behind"`
	Files    []file `json:"files"`
	Clean    bool   `json:"clean"`
}

// file is one changed file; the letters are git's, empty for unchanged.
type file struct {
	Path     string `json:"path"`
	Index    string `json:"index"`
	Worktree string `json:"worktree"`
	Original string `json:"original_path,omitempty"`
}

func (r *repositories) status(ctx context.Context, args tool.Args) (*tool.Result, error) {
	repo, err := r.open(ctx, args)
	if err != nil {
		return nil, err
	}
	out, err := repo.git(ctx, "status", "--porcelain=v2", "--branch", "-z", "--untracked-files=all",
		"--ignore-submodules=dirty")
	if err != nil {
		return nil, err
	}
	s := parseStatus(out)
	return tool.Structured(s, s.text()), nil
}

// parseStatus reads git's porcelain format, version 2, with -z.
func parseStatus(out string) state {
	s := state{Files: []file{}}
	entries := strings.Split(strings.TrimSuffix(out, "\x00"), "\x00")
	for i := 0; i < len(entries); i++ {
		kind, rest, _ := strings.Cut(entries[i], " ")
		switch kind {
		case "#":
			s.header(rest)
		case "1":
			s.add(rest, 7, "")
		case "2":
			i++ // a rename's old path is an entry of its own
			if i < len(entries) {
				s.add(rest, 8, entries[i])
			}
		case "u":
			s.add(rest, 9, "")
		case "?":
			s.Files = append(s.Files, file{Path: rest, Index: "?", Worktree: "?"})
		}
	}
	s.Clean = len(s.Files) == 0
	return s
}

func (s *state) header(line string) {
	name, value, _ := strings.Cut(line, " ")
	switch name {
	case "branch.head":
		s.Branch = value
	case "branch.upstream":
		s.Upstream = value
	case "branch.ab":
		_, _ = fmt.Sscanf(value, "+%d -%d", &s.Ahead, &s.Behind)
	}
}

// add reads a changed entry whose path comes after the given number of fields; the first field is the letters.
func (s *state) add(rest string, fields int, original string) {
	parts := strings.SplitN(rest, " ", fields+1)
	if len(parts) <= fields || len(parts[0]) != 2 {
		return
	}
	s.Files = append(s.Files, file{parts[fields], letter(parts[0][:1]), letter(parts[0][1:]), original})
}

func letter(code string) string {
	if code == "." {
		return ""
	}
	return code
}

// text writes the state as git status --short --branch does.
func (s state) text() string {
	var out strings.Builder
	out.WriteString("## " + s.Branch)
	if s.Upstream != "" {
		fmt.Fprintf(&out, "...%s [ahead %d, behind %d]", s.Upstream, s.Ahead, s.Behind)
	}
	for _, f := range s.Files {
		fmt.Fprintf(&out, "\n%1s%1s ", f.Index, f.Worktree)
		if f.Original != "" {
			out.WriteString(f.Original + " -> ")
		}
		out.WriteString(f.Path)
	}
	if s.Clean {
		out.WriteString("\nnothing to commit, working tree clean")
	}
	return out.String()
}
