package git

import (
	"context"
	"fmt"
	"strings"

	"github.com/casys-ai/pml/transport/builtin/internal/tool"
)

// commit is one entry of log.
type commit struct {
	Hash    string `json:"hash"`
	Author  string `json:"author"`
	Email   string `json:"email"`
	Date    string `json:"date"`
	Subject string `json:"subject"`
	Body    string `json:"body"`
}

// logFormat writes the six fields of a commit, each ended by a zero byte.
const logFormat = "--format=tformat:%H%x00%an%x00%ae%x00%aI%x00%s%x00%b"

func (r *repositories) log(ctx context.Context, args tool.Args) (*tool.Result, error) {
	command, err := logCommand(args)
	if err != nil {
		return nil, err
	}
	repo, err := r.open(ctx, args)
	if err != nil {
		return nil, err
	}
	out, err := repo.git(ctx, command...)
	if err != nil {
		return nil, err
	}
	commits := parseLog(out)
	return tool.Structured(map[string]any{"commits": commits}, logText(commits)), nil
}

func logCommand(args tool.Args) ([]string, error) {
	command := []string{"log", "-z", "--no-color", "--no-show-signature", "--no-notes", "--no-mailmap",
		"--encoding=UTF-8", "--no-patch", logFormat, fmt.Sprintf("--max-count=%d", int(args.Number("max_count", 10)))}
	for _, filter := range []string{"since", "until", "author", "grep"} {
		if value := args.String(filter); value != "" {
			command = append(command, "--"+filter+"="+value)
		}
	}
	from := args.String("ref")
	if err := ref("ref", from); err != nil {
		return nil, err
	}
	if from != "" {
		command = append(command, "--end-of-options", from)
	}
	paths, err := pathspecs(args)
	if err != nil {
		return nil, err
	}
	return append(command, paths...), nil
}

func parseLog(out string) []commit {
	commits := []commit{}
	fields := strings.Split(out, "\x00")
	for ; len(fields) >= 6; fields = fields[6:] {
		commits = append(commits, commit{fields[0], fields[1], fields[2], fields[3], fields[4],
			strings.TrimRight(fields[5], "\n")})
	}
	return commits
}

// logText writes commits as git log does.
func logText(commits []commit) string {
	if len(commits) == 0 {
		return "No commits"
	}
	var out strings.Builder
	for i, c := range commits {
		if i > 0 {
			out.WriteByte('\n')
		}
		fmt.Fprintf(&out, "commit %s\nAuthor: %s <%s>\nDate:   %s\n\n    %s\n", c.Hash, c.Author, c.Email, c.Date, c.Subject)
		if c.Body != "" {
			out.WriteString("\n    " + strings.ReplaceAll(c.Body, "\n", "\n    ") + "\n")
		}
	}
	return out.String()
}
