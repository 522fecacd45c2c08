package config

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// EnvFile holds keys that are not in the environment.
const EnvFile = ".env"

// ReadEnv reads .env of a workspace: lines NAME=value, with an optional "export " before them, values in single or
// double quotes (in double ones \n, \" and \\ are escapes), comments after #. A missing file is an empty one.
func ReadEnv(workspace string) (map[string]string, error) {
	path := filepath.Join(workspace, EnvFile)
	text, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, &Error{path, err.Error(), ""}
	}
	vars := map[string]string{}
	for line := range strings.Lines(strings.TrimPrefix(string(text), "\ufeff")) {
		name, value, ok := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "export "), "=")
		if name = strings.TrimSpace(name); ok && name != "" && !strings.HasPrefix(name, "#") {
			vars[name] = envValue(strings.TrimSpace(value))
		}
	}
	return vars, nil
}

var escapes = strings.NewReplacer(`\n`, "\n", `\"`, `"`, `\\`, `\`)

// envValue is what stands behind the equals sign.
func envValue(text string) string {
	if text == "" {
		return ""
	}
	switch quote := text[0]; quote {
	case '\'':
		if end := strings.IndexByte(text[1:], quote); end >= 0 {
			return text[1 : end+1]
		}
	case '"':
		for i := 1; i < len(text); i++ {
			switch text[i] {
			case '\\':
				i++
			case quote:
				return escapes.Replace(text[1:i])
			}
		}
	}
	if i := strings.Index(text, " #"); i >= 0 {
		text = text[:i]
	}
	return strings.TrimSpace(text)
}
