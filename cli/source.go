package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/casys-ai/pml/nodes"
)

// maxSource is the longest program, in bytes.
const maxSource = 1 << 20

// sourceFlags are the flags that say which program is meant.
type sourceFlags struct{ eval string }

func (s *sourceFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVarP(&s.eval, "eval", "e", "", "the program itself, instead of a file")
	cmd.Args = func(_ *cobra.Command, args []string) error {
		if len(args) > 1 {
			return usage(fmt.Sprintf("one program at a time: %q and %q were given", args[0], args[1]),
				"parameters for the program go into --args '{…}'")
		}
		return nil
	}
}

// read returns the program: of -e, of a file, or of standard input for "-" and where it is no terminal.
func (s *sourceFlags) read(a *App, cmd *cobra.Command, args []string) (string, error) {
	given := cmd.Flags().Changed("eval")
	switch {
	case given && len(args) > 0:
		return "", usage("give a file or -e, not both", "")
	case given:
		return checkSource([]byte(s.eval))
	case len(args) == 1 && args[0] != "-":
		text, err := a.readFile(args[0])
		if err != nil {
			return "", err
		}
		return checkSource(text)
	case len(args) == 0 && a.InTerminal:
		how := fmt.Sprintf("pml %s FILE, pml %[1]s - for standard input, or pml %[1]s -e 'code'", cmd.Name())
		return "", usage("which program?", how)
	}
	text, err := io.ReadAll(io.LimitReader(a.In, maxSource+1))
	if err != nil {
		return "", usage("standard input: "+err.Error(), "")
	}
	return checkSource(text)
}

// readFile reads a file that the command line names, relative to the working directory.
func (a *App) readFile(name string) ([]byte, error) {
	path := name
	if !filepath.IsAbs(path) {
		path = filepath.Join(a.Dir, name)
	}
	text, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, usage("there is no file "+name, "to give the program itself, write -e 'code'")
	case err != nil:
		return nil, usage(err.Error(), "")
	}
	return text, nil
}

func checkSource(text []byte) (string, error) {
	switch {
	case len(text) > maxSource:
		return "", &exitError{exitUsage, nodes.LimitExceeded, fmt.Sprintf("the program is longer than %d KB", maxSource>>10),
			"pass data with --args, or let the program read it with a tool"}
	case !utf8.Valid(text):
		return "", &exitError{exitUsage, nodes.ParseError, "the program is not valid UTF-8", "save it as UTF-8"}
	}
	return string(text), nil
}
