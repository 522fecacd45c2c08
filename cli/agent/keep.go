package agent

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/casys-ai/pml/transport/serve"
)

// truncated says that a result was cut, and how to get the rest.
type truncated struct {
	// Bytes is how long the result is, Shown how much of it is in the answer.
	Bytes int `json:"bytes"`
	Shown int `json:"shown"`
	// Resource is the URI of the whole, File the file in which it is kept, from the workspace.
	Resource string `json:"resource"`
	File     string `json:"file"`
	Hint     string `json:"hint"`
}

// resultResources are the results that were kept. from and length are in bytes.
var resultResources = serve.Resources{
	Template: "pml://results/{run_id}{?from,length}", Name: "long results",
	Description: "A result that was too long to be handed over whole, in pieces: from and length are in bytes.",
}

// shorten cuts a result that is too long and keeps the whole. What is cut is the text of a string, or the JSON of anything
// else; the answer then holds its beginning as a string.
func (a *Agent) shorten(run string, result json.RawMessage) (json.RawMessage, *truncated) {
	most := a.config.Settings.ResultBytes
	if len(result) <= most {
		return result, nil
	}
	whole := string(result)
	if result[0] == '"' {
		_ = json.Unmarshal(result, &whole)
	}
	head := wholeRunes(whole, most)
	t := &truncated{Bytes: len(whole), Shown: len(head), Resource: "pml://results/" + run, File: ".pml/results/" + run,
		Hint: fmt.Sprintf("the result was cut: return less, or read the rest: resource pml://results/%s?from=%d, or in a "+
			"program the file .pml/results/%s", run, len(head), run)}
	if err := a.kept.put(run, whole); err != nil {
		a.log.Warn("a long result could not be kept: " + err.Error())
		t.Resource, t.File, t.Hint = "", "", "the result was cut, and could not be kept: return less"
	}
	return encode(head), t
}

// kept are the long results of a project, the newest ones, each in a file.
type kept struct {
	dir string
	mu  sync.Mutex
}

// mostKept is how many results are kept.
const mostKept = 20

func (k *kept) put(run, text string) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if err := writeWhole(filepath.Join(k.dir, run), text); err != nil {
		return err
	}
	return k.forget()
}

// forget removes the oldest results.
func (k *kept) forget() error {
	entries, err := os.ReadDir(k.dir)
	if err != nil {
		return err
	}
	var files []fs.FileInfo
	for _, e := range entries {
		if info, err := e.Info(); err == nil && runName.MatchString(e.Name()) {
			files = append(files, info)
		}
	}
	slices.SortFunc(files, func(x, y fs.FileInfo) int { return y.ModTime().Compare(x.ModTime()) })
	for _, old := range files[min(mostKept, len(files)):] {
		if err := os.Remove(filepath.Join(k.dir, old.Name())); err != nil {
			return err
		}
	}
	return nil
}

var runName = regexp.MustCompile(`^run_[0-9a-f]+$`)

// Read implements serve.Handler: a piece of a result that was kept.
func (a *Agent) Read(_ context.Context, uri string) (serve.Text, error) {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "pml" || u.Host != "results" {
		return serve.Text{}, fmt.Errorf("there is no resource %q: they look like pml://results/run_…?from=0&length=65536", uri)
	}
	run := strings.TrimPrefix(u.Path, "/")
	if !runName.MatchString(run) {
		return serve.Text{}, fmt.Errorf("%q is no run", run)
	}
	text, err := os.ReadFile(filepath.Join(a.kept.dir, run))
	if errors.Is(err, fs.ErrNotExist) {
		return serve.Text{}, fmt.Errorf("no result of %s is kept: only the newest %d are", run, mostKept)
	}
	if err != nil {
		return serve.Text{}, err
	}
	from, err1 := number(u.Query().Get("from"), 0)
	length, err2 := number(u.Query().Get("length"), a.config.Settings.ResultBytes)
	if err := cmp.Or(err1, err2); err != nil {
		return serve.Text{}, err
	}
	from = min(from, len(text))
	return serve.Text{MIMEType: "text/plain", Text: wholeRunes(string(text[from:]), length)}, nil
}

func number(text string, otherwise int) (int, error) {
	if text == "" {
		return otherwise, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("%q is no number of bytes", text)
	}
	return n, nil
}
