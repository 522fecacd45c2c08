package transport

import (
	"testing"

	"github.com/matryer/is"
)

func TestNpxPackages(t *testing.T) {
	is := is.New(t)
	for _, c := range []struct {
		command string
		args    []string
		want    []string
	}{
		{"npx", []string{"-y", "@a/b@1", "--flag", "x"}, []string{"@a/b@1"}},
		{"/usr/bin/npx", []string{"a"}, []string{"a"}},
		{"npx", []string{"--yes", "-p", "a", "--package=b", "run", "c"}, []string{"a", "b"}},
		{"npx", []string{"--package", "a", "--", "run"}, []string{"a"}},
		{"npx", []string{"-y"}, nil},
		{"node", []string{"a.js"}, nil},
	} {
		is.Equal(NpxPackages(c.command, c.args), c.want)
	}
}
