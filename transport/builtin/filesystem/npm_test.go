package filesystem_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/casys-ai/pml/transport/builtin/internal/pipetest"
)

const npmServer = "fixtures/npm/node_modules/@modelcontextprotocol/server-filesystem/dist/index.js"

// findNPM finds the npm server upward from this folder, or where PML_NPM_FILESYSTEM says.
func findNPM(t *testing.T) string {
	t.Helper()
	if path := os.Getenv("PML_NPM_FILESYSTEM"); path != "" {
		return path
	}
	folder, err := os.Getwd()
	for err == nil {
		candidate := filepath.Join(folder, filepath.FromSlash(npmServer))
		if _, missing := os.Stat(candidate); missing == nil {
			return candidate
		}
		if filepath.Dir(folder) == folder {
			break
		}
		folder = filepath.Dir(folder)
	}
	t.Skipf("SKIPPED, NOT COMPARED WITH NPM: no %s above this folder and PML_NPM_FILESYSTEM is not set", npmServer)
	return ""
}

// pair is the same workspace twice, one served by the npm package and one by us.
type pair struct {
	t                *testing.T
	npm, ours        *pipetest.Client
	npmRoot, oursRot string
}

func newPair(t *testing.T) *pair {
	t.Helper()
	script := findNPM(t)
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("SKIPPED, NOT COMPARED WITH NPM: there is no node in PATH")
	}
	p := &pair{t: t, npmRoot: sample(t), oursRot: sample(t)}
	command := exec.Command(node, script, p.npmRoot)
	command.Dir = p.npmRoot
	p.npm, p.ours = pipetest.Command(t, command), serve(t, p.oursRot)
	return p
}

var (
	dates   = regexp.MustCompile(`(created|modified|accessed): .*`)
	ourCode = regexp.MustCompile(`PATH_OUTSIDE_WORKSPACE: `)
)

// normal removes what must differ: the workspace's path, our error code, times to the second.
func normal(raw json.RawMessage, root string) string {
	var value struct {
		Content           any
		StructuredContent any
		IsError           bool
	}
	if err := json.Unmarshal(raw, &value); err != nil {
		return "not a result: " + string(raw)
	}
	out, _ := json.MarshalIndent(value, "", " ")
	text := strings.ReplaceAll(string(out), root, "/WS")
	text = strings.ReplaceAll(text, filepath.Dir(root), "/PARENT")
	return ourCode.ReplaceAllString(dates.ReplaceAllString(text, "$1: T"), "")
}

// same makes a call on both servers and compares the whole answers.
func (p *pair) same(tool string, args map[string]any) {
	p.t.Helper()
	a, b := p.npm.Call(tool, args), p.ours.Call(tool, args)
	want, got := normal(a.Raw, p.npmRoot), normal(b.Raw, p.oursRot)
	if want != got {
		call, _ := json.Marshal(args)
		p.t.Errorf("%s %s\nnpm:  %s\nours: %s", tool, call, want, got)
	}
}

func TestSameAsNPM(t *testing.T) {
	p := newPair(t)
	for _, call := range calls {
		p.same(call.tool, call.args)
	}
	p.same("read_text_file", o{"path": "long.txt", "head": 5000})
	p.same("read_text_file", o{"path": "long.txt", "tail": 50})
	p.same("get_file_info", o{"path": "a.txt"})
	p.same("get_file_info", o{"path": "d"})
}

var update = flag.Bool("update", false, "write testdata/npm.golden anew from the npm server")

// TestAnswersOfNPM compares with answers of the npm server that were written down, so that it needs no Node.
func TestAnswersOfNPM(t *testing.T) {
	const golden = "testdata/npm.golden"
	if runtime.GOOS == "windows" {
		t.Skip("the answers were written down on Unix: their paths and error texts are its own")
	}
	if *update {
		p := newPair(t)
		must(t, os.WriteFile(golden, []byte(answers(p.npm, p.npmRoot)), 0o644))
	}
	want, err := os.ReadFile(golden)
	must(t, err)
	ws := sample(t)
	got := strings.Split(answers(serve(t, ws), ws), "\n\n")
	for i, block := range strings.Split(string(want), "\n\n") {
		if i >= len(got) || got[i] != block {
			t.Fatalf("npm answers\n%s\nwe answer\n%s", block, strings.Join(got[min(i, len(got)):min(i+1, len(got))], ""))
		}
	}
}

// answers makes every call of the list and writes calls and answers down.
func answers(c *pipetest.Client, root string) string {
	var out strings.Builder
	for _, call := range calls {
		args, _ := json.Marshal(call.args)
		var answer struct {
			Content           any
			StructuredContent any
			IsError           bool
		}
		_ = json.Unmarshal([]byte(normal(c.Call(call.tool, call.args).Raw, root)), &answer)
		text, _ := json.Marshal(answer)
		fmt.Fprintf(&out, "%s %s\n%s\n\n", call.tool, args, text)
	}
	return out.String()
}

func TestSchemasSameAsNPM(t *testing.T) {
	p := newPair(t)
	want := schemas(t, p.npm)
	got := schemas(t, p.ours)
	for name, schema := range want {
		if got[name] != schema {
			t.Errorf("%s\nnpm:  %s\nours: %s", name, schema, got[name])
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d tools, npm has %d", len(got), len(want))
	}
}

// schemas gives each tool's schemas and title without descriptions.
func schemas(t *testing.T, c *pipetest.Client) map[string]string {
	var list struct {
		Tools []struct {
			Name, Title               string
			InputSchema, OutputSchema map[string]any
		}
	}
	if err := json.Unmarshal(c.Wait(c.Request("tools/list", map[string]any{})).Raw, &list); err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, tool := range list.Tools {
		strip(tool.InputSchema)
		text, _ := json.Marshal([]any{tool.Title, tool.InputSchema, tool.OutputSchema})
		out[tool.Name] = string(text)
	}
	return out
}

func strip(value any) {
	switch v := value.(type) {
	case map[string]any:
		if _, text := v["description"].(string); text {
			delete(v, "description")
		}
		for _, inner := range v {
			strip(inner)
		}
	case []any:
		for _, inner := range v {
			strip(inner)
		}
	}
}

func TestRandomEditsSameAsNPM(t *testing.T) {
	p := newPair(t)
	random := rand.New(rand.NewSource(seed()))
	for range 60 {
		text := lines(random, 1+random.Intn(30))
		p.same("write_file", map[string]any{"path": "edit.txt", "content": text})
		edits := []any{}
		for range 1 + random.Intn(3) {
			old := part(random, text)
			edits = append(edits, map[string]any{"oldText": old, "newText": lines(random, random.Intn(4))})
		}
		p.same("edit_file", map[string]any{"path": "edit.txt", "edits": edits})
		p.same("read_text_file", map[string]any{"path": "edit.txt"})
		p.same("read_text_file", map[string]any{"path": "edit.txt", "tail": 1 + random.Intn(6)})
		p.same("read_text_file", map[string]any{"path": "edit.txt", "head": 1 + random.Intn(6)})
	}
}

func lines(random *rand.Rand, count int) string {
	var out strings.Builder
	for range count {
		indent := strings.Repeat([]string{" ", "\t"}[random.Intn(2)], random.Intn(4))
		out.WriteString(indent + string(rune('a'+random.Intn(5))) + []string{"", "", " "}[random.Intn(3)])
		out.WriteString([]string{"\n", "\n", "\n", "\r\n"}[random.Intn(4)])
	}
	return strings.TrimSuffix(out.String(), []string{"\n", "x"}[random.Intn(2)])
}

// part takes some whole lines of a text, sometimes with other indentation.
func part(random *rand.Rand, text string) string {
	all := strings.SplitAfter(text, "\n")
	from := random.Intn(len(all))
	some := all[from:min(len(all), from+1+random.Intn(4))]
	if random.Intn(2) == 0 {
		return strings.Join(some, "")
	}
	var out []string
	for _, line := range some {
		out = append(out, strings.Repeat(" ", random.Intn(3))+strings.TrimSpace(line))
	}
	return strings.Join(out, "\n")
}

func TestRandomGlobsSameAsNPM(t *testing.T) {
	p := newPair(t)
	random := rand.New(rand.NewSource(seed()))
	pieces := []string{"*", "**", "?", "a", "b", "d", "e", "/", "/", ".", "ts", "txt", "[a-d]", "[!a]", "{a,d}",
		"{1..3}", "@(a|d)", "+(a|b)", "?(x)", "*(e)", "!(a)", "\\*", "é", "deep", "**/", "/**", "[", "{", "!", "..",
		"[[:alpha:]]"}
	for range 150 {
		var pattern strings.Builder
		for range 1 + random.Intn(4) {
			pattern.WriteString(pieces[random.Intn(len(pieces))])
		}
		p.same("search_files", map[string]any{"path": ".", "pattern": pattern.String()})
		p.same("directory_tree", map[string]any{"path": ".", "excludePatterns": []any{pattern.String()}})
	}
}

func TestRandomNamesSortSameAsNPM(t *testing.T) {
	p := newPair(t)
	random := rand.New(rand.NewSource(seed()))
	letters := []rune("aAbBzZéÉüñßø019_-.~ +#$&()[]{}@'=,;日本ж!%^`")
	for i := range 150 {
		var name []rune
		for range 1 + random.Intn(5) {
			name = append(name, letters[random.Intn(len(letters))])
		}
		file := fmt.Sprintf("names/%sx", string(name))
		for _, root := range []string{p.npmRoot, p.oursRot} {
			must(t, os.MkdirAll(filepath.Join(root, "names"), 0o755))
			must(t, os.WriteFile(filepath.Join(root, file), make([]byte, i*37%3000), 0o644))
		}
	}
	p.same("list_directory", map[string]any{"path": "names"})
	p.same("list_directory_with_sizes", map[string]any{"path": "names"})
	p.same("list_directory_with_sizes", map[string]any{"path": "names", "sortBy": "size"})
	p.same("search_files", map[string]any{"path": "names", "pattern": "*"})
}

// seed is fixed unless PML_TEST_SEED asks for other random calls.
func seed() int64 {
	number, err := strconv.ParseInt(os.Getenv("PML_TEST_SEED"), 10, 64)
	if err != nil {
		return 1
	}
	return number
}
