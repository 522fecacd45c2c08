package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var shellBlock = regexp.MustCompile("(?ms)^```sh\n(.*?)^```$")

// TestReadme: every command that the README shows in a block marked sh works, in this repository.
func TestReadme(t *testing.T) {
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(root, ".git")); err != nil {
		t.Skip("not in a clone: the demonstration asks git")
	}
	text, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	blocks := shellBlock.FindAllStringSubmatch(string(text), -1)
	if len(blocks) == 0 {
		t.Fatalf("the README has %d blocks of commands", len(blocks))
	}
	for _, block := range blocks {
		for line := range strings.Lines(block[1]) {
			t.Run(strings.TrimSpace(line), func(t *testing.T) {
				cmd := exec.Command("sh", "-c", line)
				cmd.Dir = root
				cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(binary)+string(os.PathListSeparator)+os.Getenv("PATH"),
					"PML_WORKSPACE="+root)
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Errorf("%v\n%s", err, out)
				}
			})
		}
	}
}
