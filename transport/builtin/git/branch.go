package git

import (
	"context"
	"strings"

	"github.com/casys-ai/pml/transport/builtin/internal/tool"
)

// branches is the structured content of branch.
type branches struct {
	Current  string   `json:"current"`
	Branches []branch `json:"branches"`
}

type branch struct {
	Name     string `json:"name"`
	Remote   bool   `json:"remote"`
	Commit   string `json:"commit"`
	Subject  string `json:"subject"`
	Upstream string `json:"upstream,omitempty"`
}

const branchFormat = "--format=%(refname)%00%(objectname)%00%(contents:subject)%00%(upstream:short)%00%(symref)"

func (r *repositories) branch(ctx context.Context, args tool.Args) (*tool.Result, error) {
	repo, err := r.open(ctx, args)
	if err != nil {
		return nil, err
	}
	command := []string{"for-each-ref", branchFormat}
	switch args.String("type") {
	case "remote":
		command = append(command, "refs/remotes")
	case "all":
		command = append(command, "refs/heads", "refs/remotes")
	default:
		command = append(command, "refs/heads")
	}
	out, err := repo.git(ctx, command...)
	if err != nil {
		return nil, err
	}
	list := branches{Branches: parseBranches(out)}
	if head, err := repo.git(ctx, "symbolic-ref", "--quiet", "HEAD"); err == nil { // fails when HEAD is detached
		list.Current = strings.TrimPrefix(strings.TrimSpace(head), "refs/heads/")
	}
	return tool.Structured(list, list.text()), nil
}

func parseBranches(out string) []branch {
	all := []branch{}
	for _, line := range strings.Split(out, "\n") {
		fields := strings.Split(line, "\x00")
		if len(fields) < 5 || fields[4] != "" { // a symbolic one, such as origin/HEAD, is no branch
			continue
		}
		name, remote := strings.CutPrefix(fields[0], "refs/remotes/")
		name = strings.TrimPrefix(name, "refs/heads/")
		all = append(all, branch{name, remote, fields[1], fields[2], fields[3]})
	}
	return all
}

// text writes the branches as git branch -vv does.
func (b branches) text() string {
	if b.Current == "" {
		b.Current = "(detached)"
	}
	lines := []string{"current: " + b.Current}
	for _, one := range b.Branches {
		mark := "  "
		if one.Name == b.Current && !one.Remote {
			mark = "* "
		}
		if one.Remote {
			one.Name = "remotes/" + one.Name
		}
		if one.Upstream != "" {
			one.Subject = "[" + one.Upstream + "] " + one.Subject
		}
		lines = append(lines, mark+one.Name+" "+one.Commit+" "+one.Subject)
	}
	return strings.Join(lines, "\n")
}
