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

var sessionBlock = regexp.MustCompile("(?ms)^```session\n(.*?)^```$")

// What differs from one machine, or moment, to the next.
var (
	durations  = regexp.MustCompile(`\(\d+(\.\d+)?m?s\)`)
	gitVersion = regexp.MustCompile(`git version .*`)
)

// TestReadmeSession: the recorded session of the README happens again, to the letter.
func TestReadmeSession(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join("..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	block := sessionBlock.FindStringSubmatch(string(readme))
	if block == nil {
		t.Fatal("the README holds no session")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for line := range strings.Lines(block[1]) {
		command, ok := strings.CutPrefix(line, "$ ")
		if !ok {
			continue
		}
		cmd := exec.Command("sh", "-c", command)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(binary)+string(os.PathListSeparator)+os.Getenv("PATH"),
			"PML_WORKSPACE=", "PML_API_KEY=")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("%s%v", line, err)
		}
		got.WriteString(line + string(out))
	}
	same := func(text string) string {
		text = strings.ReplaceAll(text, dir, "/home/you/shop")
		return gitVersion.ReplaceAllString(durations.ReplaceAllString(text, "(1ms)"), "git version")
	}
	if got, want := same(got.String()), same(block[1]); got != want {
		t.Errorf("got\n%s\nthe README says\n%s", got, want)
	}
}

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
