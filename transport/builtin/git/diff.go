package git

import (
	"context"
	"errors"
	"fmt"

	"github.com/casys-ai/pml/transport/builtin/internal/tool"
)

// plain keeps diffs to git's own: no external programs, no conversions, no look into submodules.
var plain = []string{"--no-ext-diff", "--no-textconv", "--no-color", "--submodule=short", "--ignore-submodules=dirty"}

func (r *repositories) diff(ctx context.Context, args tool.Args) (*tool.Result, error) {
	repo, err := r.open(ctx, args)
	if err != nil {
		return nil, err
	}
	command := append([]string{"diff"}, plain...)
	command = append(command, fmt.Sprintf("--unified=%d", int(args.Number("context_lines", 3))))
	if args.Bool("staged") {
		command = append(command, "--cached")
	}
	target := args.String("target")
	if err := ref("target", target); err != nil {
		return nil, err
	}
	if target != "" {
		command = append(command, "--end-of-options", target)
	}
	paths, err := pathspecs(args)
	if err != nil {
		return nil, err
	}
	out, err := repo.git(ctx, append(command, paths...)...)
	if err != nil {
		return nil, err
	}
	return tool.Text(out), nil
}

func (r *repositories) show(ctx context.Context, args tool.Args) (*tool.Result, error) {
	revision := args.String("revision")
	if err := ref("revision", revision); err != nil {
		return nil, err
	}
	if revision == "" {
		return nil, errors.New("revision is empty")
	}
	repo, err := r.open(ctx, args)
	if err != nil {
		return nil, err
	}
	command := append([]string{"show", "--format=medium", "--date=iso-strict", "--encoding=UTF-8"}, plain...)
	if args.Bool("stat") {
		command = append(command, "--stat=200")
	}
	out, err := repo.git(ctx, append(command, "--end-of-options", revision, "--")...)
	if err != nil {
		return nil, err
	}
	return tool.Text(out), nil
}
