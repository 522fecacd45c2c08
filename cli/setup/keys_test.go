package setup

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// TestCheckKeys: the doctor tells of keys that git may get, or has.
func TestCheckKeys(t *testing.T) {
	is := is.New(t)
	top := t.TempDir()
	dir := filepath.Join(top, "project")
	is.NoErr(os.Mkdir(dir, 0o700))
	git := func(args ...string) {
		t.Helper()
		if out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v %s", args, err, out)
		}
	}
	write := func(path, text string) { is.NoErr(os.WriteFile(path, []byte(text), 0o600)) }
	write(filepath.Join(dir, ".env"), "K=v\n")
	is.Equal(checkKeys(dir), nil) // no repository
	git("init", "--quiet", top)
	found := checkKeys(dir)
	is.Equal(len(found), 1)
	is.True(strings.Contains(found[0].Message, "may be committed") && !found[0].Broken)
	write(filepath.Join(top, ".gitignore"), ".e*\n") // however it is ignored
	is.Equal(checkKeys(dir), nil)
	git("add", "--force", ".env")
	found = checkKeys(dir)
	is.Equal(len(found), 1)
	is.True(found[0].Broken && strings.Contains(found[0].Hint, "git rm --cached .env"))
	is.NoErr(os.Remove(filepath.Join(dir, ".env")))
	is.Equal(checkKeys(dir), nil)
}
