package filesystem_test

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/casys-ai/pml/transport/builtin/filesystem"
	"github.com/casys-ai/pml/transport/builtin/internal/pipetest"
	"github.com/casys-ai/pml/transport/builtin/internal/root"
	"github.com/casys-ai/pml/transport/builtin/internal/tool"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func serve(t *testing.T, workspace string) *pipetest.Client {
	t.Helper()
	roots, err := root.Open(workspace, nil, nil)
	must(t, err)
	t.Cleanup(func() { _ = roots.Close() })
	return pipetest.Serve(t, func(in io.Reader, out io.Writer) error {
		return tool.Serve(context.Background(), "filesystem", filesystem.Tools(roots), in, out, io.Discard)
	})
}

// sample makes a workspace with all kinds of files beside a folder that is outside of it.
func sample(t *testing.T) string {
	t.Helper()
	parent, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	ws, outside := filepath.Join(parent, "ws"), filepath.Join(parent, "outside")
	for _, dir := range []string{"d/e", "empty", ".hid", "été/日本"} {
		must(t, os.MkdirAll(filepath.Join(ws, dir), 0o755))
	}
	must(t, os.MkdirAll(outside, 0o755))
	must(t, os.WriteFile(filepath.Join(outside, "secret"), []byte("secret"), 0o644))
	for name, text := range map[string]string{
		"a.txt": "one\ntwo\nthree\n", "d/n.txt": "no newline", "crlf.txt": "l1\r\nl2\r\nl3", "zero": "",
		"bad.bin": "h\xff\xfe\xc3(\xe2\x82x\xf0\x9f\x98\x80\xf0\x80\x80\xed\xa0\x80\xf4\x90é\xe2\x82",
		"bom.txt": "\ufeffbom", "é ü.txt": "x", "p.png": "\x89PNG", "x.JPG": "j", "v.svg": "v", "x.bin": "b", "s.mp3": "s",
		"d/e/deep.ts": "n", ".hid/f.ts": "q", "top.ts": "k", "été/日本/ü.txt": "日本",
		"k2": strings.Repeat("\x00", 2000), "m1": strings.Repeat("\x00", 1_500_000),
		"long.txt": strings.Repeat("line é\n", 9000),
	} {
		must(t, os.WriteFile(filepath.Join(ws, name), []byte(text), 0o644))
	}
	for name, target := range map[string]string{
		"in": "a.txt", "ind": "d", "out": "../outside/secret", "outd": "../outside",
		"outabs": filepath.Join(outside, "secret"), "inabs": filepath.Join(ws, "a.txt"),
	} {
		must(t, os.Symlink(target, filepath.Join(ws, name)))
	}
	return ws
}

type call struct {
	tool string
	args map[string]any
}

type o = map[string]any

// calls answer alike on the npm server.
var calls = []call{
	{"read_text_file", o{"path": "a.txt"}},
	{"read_file", o{"path": "a.txt", "head": 1}},
	{"read_text_file", o{"path": "a.txt", "head": 2}},
	{"read_text_file", o{"path": "a.txt", "head": 9}},
	{"read_text_file", o{"path": "a.txt", "head": 0}},
	{"read_text_file", o{"path": "a.txt", "head": -1}},
	{"read_text_file", o{"path": "a.txt", "head": 1.5}},
	{"read_text_file", o{"path": "a.txt", "tail": 2}},
	{"read_text_file", o{"path": "a.txt", "tail": 9}},
	{"read_text_file", o{"path": "a.txt", "tail": -1}},
	{"read_text_file", o{"path": "a.txt", "tail": 1.5}},
	{"read_text_file", o{"path": "a.txt", "head": 1, "tail": 1}},
	{"read_text_file", o{"path": "a.txt", "head": "x"}},
	{"read_text_file", o{"path": "crlf.txt", "head": 2}},
	{"read_text_file", o{"path": "crlf.txt", "tail": 2}},
	{"read_text_file", o{"path": "crlf.txt"}},
	{"read_text_file", o{"path": "zero"}},
	{"read_text_file", o{"path": "zero", "head": 1}},
	{"read_text_file", o{"path": "zero", "tail": 1}},
	{"read_text_file", o{"path": "d/n.txt", "tail": 1}},
	{"read_text_file", o{"path": "d/n.txt", "head": 1}},
	{"read_text_file", o{"path": "bad.bin"}},
	{"read_text_file", o{"path": "bom.txt"}},
	{"read_text_file", o{"path": "é ü.txt"}},
	{"read_text_file", o{"path": "été/日本/ü.txt"}},
	{"read_text_file", o{"path": "nope"}},
	{"read_text_file", o{"path": "nope/x"}},
	{"read_text_file", o{"path": "ind/nope"}},
	{"read_text_file", o{"path": "d"}},
	{"read_text_file", o{"path": "d", "head": 1}},
	{"read_text_file", o{"path": "a.txt/x"}},
	{"read_text_file", o{"path": "a.txt/"}},
	{"read_text_file", o{"path": "./d/../a.txt"}},
	{"read_text_file", o{"path": "../x"}},
	{"read_text_file", o{"path": "/etc/passwd"}},
	{"read_text_file", o{"path": "out"}},
	{"read_text_file", o{"path": "outabs"}},
	{"read_text_file", o{"path": "outd/secret"}},
	{"read_text_file", o{"path": "in"}},
	{"read_text_file", o{"path": "inabs"}},
	{"read_text_file", o{"path": "ind/n.txt"}},
	{"read_text_file", o{"path": ""}},
	{"read_text_file", o{}},
	{"read_text_file", o{"path": 3}},
	{"read_text_file", o{"path": []any{"a"}}},
	{"read_text_file", o{"path": nil}},
	{"read_text_file", o{"path": "a.txt", "more": true}},
	{"read_text_file", o{"path": "a\x00b"}},
	{"read_media_file", o{"path": "p.png"}},
	{"read_media_file", o{"path": "x.JPG"}},
	{"read_media_file", o{"path": "s.mp3"}},
	{"read_media_file", o{"path": "x.bin"}},
	{"read_media_file", o{"path": "é ü.txt"}},
	{"read_media_file", o{"path": "zero"}},
	{"read_media_file", o{"path": "d"}},
	{"read_multiple_files", o{"paths": []any{"a.txt", "nope", "d", "../x", "zero", "bom.txt"}}},
	{"read_multiple_files", o{"paths": []any{}}},
	{"read_multiple_files", o{"paths": []any{"a", 3, nil}}},
	{"read_multiple_files", o{}},
	{"list_directory", o{"path": "."}},
	{"list_directory", o{"path": "empty"}},
	{"list_directory", o{"path": "a.txt"}},
	{"list_directory", o{"path": "nope"}},
	{"list_directory", o{"path": "outd"}},
	{"list_directory", o{"path": "ind"}},
	{"list_directory_with_sizes", o{"path": "d"}},
	{"list_directory_with_sizes", o{"path": "empty"}},
	{"list_directory_with_sizes", o{"path": ".", "sortBy": "date"}},
	{"directory_tree", o{"path": "."}},
	{"directory_tree", o{"path": "empty"}},
	{"directory_tree", o{"path": "a.txt"}},
	{"directory_tree", o{"path": ".", "excludePatterns": []any{"e", "*.txt", "outd"}}},
	{"search_files", o{"path": ".", "pattern": "**"}},
	{"search_files", o{"path": ".", "pattern": "**/*.ts", "excludePatterns": []any{"d"}}},
	{"search_files", o{"path": "ind", "pattern": "**/*.ts"}},
	{"search_files", o{"path": "nope", "pattern": "*"}},
	{"search_files", o{"path": "a.txt", "pattern": "*"}},
	{"search_files", o{"path": "."}},
	{"search_files", o{"path": ".", "pattern": "*.txt"}},
	{"search_files", o{"path": ".", "pattern": "**/*.{ts,txt}"}},
	{"search_files", o{"path": ".", "pattern": "@(a|bom).txt"}},
	{"search_files", o{"path": ".", "pattern": "!a.txt"}},
	{"search_files", o{"path": ".", "pattern": "[a-c]*"}},
	{"search_files", o{"path": ".", "pattern": "d/**"}},
	{"search_files", o{"path": ".", "pattern": "?.txt"}},
	{"search_files", o{"path": ".", "pattern": "+(a|d)*"}},
	{"search_files", o{"path": ".", "pattern": "a/../top.ts"}},
	{"search_files", o{"path": ".", "pattern": "**/e/*"}},
	{"search_files", o{"path": ".", "pattern": "{a"}},
	{"get_file_info", o{"path": "nope"}},
	{"list_allowed_directories", o{}},
	{"write_file", o{"path": "w/x.txt", "content": "a"}},
	{"write_file", o{"path": "w.txt", "content": "héllo\n"}},
	{"write_file", o{"path": "w.txt", "content": ""}},
	{"write_file", o{"path": "out", "content": "x"}},
	{"write_file", o{"path": "outd/new", "content": "x"}},
	{"write_file", o{"path": "in", "content": "one\ntwo\n"}},
	{"read_text_file", o{"path": "a.txt"}},
	{"write_file", o{"path": "../x", "content": "x"}},
	{"write_file", o{"path": "a.txt/x", "content": "x"}},
	{"write_file", o{"path": "w.txt"}},
	{"edit_file", o{"path": "a.txt", "edits": []any{o{"oldText": "two", "newText": "TWO"}}, "dryRun": true}},
	{"edit_file", o{"path": "a.txt", "edits": []any{o{"oldText": "zzz", "newText": "TWO"}}}},
	{"edit_file", o{"path": "a.txt", "edits": []any{o{"oldText": "z\r\nz", "newText": "TWO"}}}},
	{"edit_file", o{"path": "a.txt", "edits": []any{o{"oldText": "", "newText": "```$&"}}}},
	{"edit_file", o{"path": "ind/n.txt", "edits": []any{}}},
	{"edit_file", o{"path": "d", "edits": []any{}}},
	{"edit_file", o{"path": "nope", "edits": []any{}}},
	{"edit_file", o{"path": "a.txt", "edits": []any{o{"oldText": 1}}, "dryRun": "yes"}},
	{"edit_file", o{"path": "../x", "edits": []any{}}},
	{"write_file", o{"path": "fit.txt", "content": "    a\n      b\n    c\n  d\n"}},
	{"edit_file", o{"path": "fit.txt", "edits": []any{o{"oldText": "a\n  b\nc", "newText": "A\n    B\nC\n  D"}}}},
	{"edit_file", o{"path": "fit.txt", "edits": []any{o{"oldText": " d", "newText": "e\nf"}}}},
	{"read_text_file", o{"path": "fit.txt"}},
	{"create_directory", o{"path": "nd/x/y"}},
	{"create_directory", o{"path": "nd"}},
	{"create_directory", o{"path": "a.txt"}},
	{"create_directory", o{"path": "a.txt/z"}},
	{"create_directory", o{"path": "../zz"}},
	{"create_directory", o{"path": "outd/zz"}},
	{"create_directory", o{"path": "."}},
	{"move_file", o{"source": "w.txt", "destination": "w2.txt"}},
	{"move_file", o{"source": "w2.txt", "destination": "top.ts"}},
	{"move_file", o{"source": "nope", "destination": "n2"}},
	{"move_file", o{"source": "w2.txt", "destination": "no/such/dir"}},
	{"move_file", o{"source": "w2.txt", "destination": "../o"}},
	{"move_file", o{"source": "../o", "destination": "w3"}},
	{"move_file", o{"source": "nd", "destination": "nd2"}},
	{"move_file", o{"source": "nd2", "destination": "nd2/sub"}},
	{"list_directory", o{"path": "."}},
}
