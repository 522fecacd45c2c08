// Package git is the built-in server that reads Git repositories in the workspace through the git program. It
// changes nothing, and nothing that a repository says (hooks, filters, external diffs, a file system monitor) is
// executed.
package git

import (
	"github.com/casys-ai/pml/transport/builtin/internal/root"
	"github.com/casys-ai/pml/transport/builtin/internal/tool"
)

type repositories struct{ roots *root.Roots }

// Tools lists the tools of the server over the given roots.
func Tools(roots *root.Roots) []tool.Tool {
	r := &repositories{roots}
	repo := tool.Opt("repo_path", tool.String("Path of the repository in the workspace (default: the workspace)"))
	paths := tool.Opt("paths", tool.Array("Only these files and directories, relative to repo_path",
		tool.String("Path, or a glob pattern as git has them")))
	kinds := tool.String("Which branches").Or("local")
	kinds.Enum = []string{"local", "remote", "all"}
	return []tool.Tool{
		{Name: "status", Title: "Git Status", Hints: tool.Reads, Run: r.status, Output: statusOutput(),
			Description: "Show the branch and the changed files of the working tree.",
			Input:       tool.Object(repo)},
		{Name: "diff", Title: "Git Diff", Hints: tool.Reads, Run: r.diff,
			Description: "Show changes as a diff: of the working tree against the index, of the index against the last " +
				"commit ('staged'), or against 'target'.",
			Input: tool.Object(repo,
				tool.Opt("staged", tool.Boolean("Compare what is staged with the last commit, or with 'target'").Or(false)),
				tool.Opt("target", tool.String("Commit, branch or range (main, HEAD~1, main...topic) to compare with")),
				paths, tool.Opt("context_lines", tool.Integer("Unchanged lines around each change", 0).Or(3)))},
		{Name: "log", Title: "Git Log", Hints: tool.Reads, Run: r.log, Output: logOutput(),
			Description: "List commits, newest first.",
			Input: tool.Object(repo,
				tool.Opt("max_count", tool.Integer("At most this many commits", 1).Or(10)),
				tool.Opt("ref", tool.String("Branch, tag, commit or range to start from (default: HEAD)")), paths,
				tool.Opt("since", tool.String("Only commits after this date (2026-01-31, \"2 weeks ago\")")),
				tool.Opt("until", tool.String("Only commits before this date")),
				tool.Opt("author", tool.String("Only commits whose author matches this regular expression")),
				tool.Opt("grep", tool.String("Only commits whose message matches this regular expression")))},
		{Name: "show", Title: "Git Show", Hints: tool.Reads, Run: r.show,
			Description: "Show a commit with its diff, or a file as it was: 'HEAD~1:path/of/file'.",
			Input: tool.Object(repo,
				tool.Req("revision", tool.String("Commit, tag, branch, or revision:path")),
				tool.Opt("stat", tool.Boolean("Show a summary of the changed files instead of the diff").Or(false)))},
		{Name: "branch", Title: "Git Branch", Hints: tool.Reads, Run: r.branch, Output: branchOutput(),
			Description: "List branches and the current one.",
			Input:       tool.Object(repo, tool.Opt("type", kinds))},
	}
}

func statusOutput() *tool.Schema {
	text := tool.Schema{Type: "string"}
	file := tool.Closed(
		tool.Req("path", tool.String("Path from the top of the repository")),
		tool.Req("index", tool.String("Staged change: M, A, D, R, C, T, U, ? when untracked, or empty")),
		tool.Req("worktree", tool.String("Change that is not staged, with the same letters")),
		tool.Opt("original_path", tool.String("Where a renamed or copied file came from")))
	schema := tool.Closed(
		tool.Req("branch", tool.String("Current branch, or (detached)")),
		tool.Opt("upstream", text),
		tool.Req("ahead", tool.Schema{Type: "integer", Description: "Commits the upstream does not have"}),
		tool.Req("behind", tool.Schema{Type: "integer", Description: "Commits only the upstream has"}),
		tool.Req("files", tool.Array("Changed and untracked files", file)),
		tool.Req("clean", tool.Boolean("True when there are none")))
	return &schema
}

func logOutput() *tool.Schema {
	text := tool.Schema{Type: "string"}
	commit := tool.Closed(tool.Req("hash", text), tool.Req("author", text), tool.Req("email", text),
		tool.Req("date", tool.String("When it was written, ISO 8601")),
		tool.Req("subject", text), tool.Req("body", text))
	schema := tool.Closed(tool.Req("commits", tool.Array("Commits, newest first", commit)))
	return &schema
}

func branchOutput() *tool.Schema {
	text := tool.Schema{Type: "string"}
	branch := tool.Closed(tool.Req("name", text), tool.Req("remote", tool.Schema{Type: "boolean"}),
		tool.Req("commit", tool.String("Hash of its last commit")),
		tool.Req("subject", tool.String("First line of its last commit")), tool.Opt("upstream", text))
	schema := tool.Closed(
		tool.Req("current", tool.String("Current branch, or empty when HEAD is detached")),
		tool.Req("branches", tool.Array("Branches by name", branch)))
	return &schema
}
