package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"unicode/utf8"

	"github.com/spf13/cobra"
)

// maxSource is the longest program, in bytes.
const maxSource = 1 << 20

// sourceFlags are the flags that say which program is meant.
type sourceFlags struct{ eval string }

func (s *sourceFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVarP(&s.eval, "eval", "e", "", "the program itself, instead of a file")
	cmd.Args = cobra.MaximumNArgs(1)
}

// read returns the program: of -e, of a file, or of standard input for "-" and where it is no terminal.
func (s *sourceFlags) read(a *App, cmd *cobra.Command, args []string) (string, error) {
	given := cmd.Flags().Changed("eval")
	switch {
	case given && len(args) > 0:
		return "", usage("give a file or -e, not both")
	case given:
		return checkSource([]byte(s.eval))
	case len(args) == 1 && args[0] != "-":
		text, err := readFile(a.Dir, args[0])
		if err != nil {
			return "", &exitError{exitUsage, err.Error()}
		}
		return checkSource(text)
	case len(args) == 0 && a.InTerminal:
		return "", usage("which program? Give a file, - for standard input, or -e 'code'")
	}
	text, err := io.ReadAll(io.LimitReader(a.In, maxSource+1))
	if err != nil {
		return "", &exitError{exitUsage, "standard input: " + err.Error()}
	}
	return checkSource(text)
}

func readFile(dir, name string) ([]byte, error) {
	if !filepath.IsAbs(name) {
		name = filepath.Join(dir, name)
	}
	return os.ReadFile(name)
}

func checkSource(text []byte) (string, error) {
	if len(text) > maxSource {
		return "", &exitError{exitUsage, fmt.Sprintf("LIMIT_EXCEEDED: the program is longer than %d KB", maxSource>>10)}
	}
	if !utf8.Valid(text) {
		return "", &exitError{exitUsage, "PARSE_ERROR: the program is not valid UTF-8"}
	}
	return string(text), nil
}

func usage(message string) error { return &exitError{exitUsage, message} }
