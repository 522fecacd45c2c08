// Package filesystem is the built-in file server. Its tools have the names, arguments and result texts of the npm
// package @modelcontextprotocol/server-filesystem 2026.8.31, so that programs run unchanged on either.
package filesystem

import (
	"github.com/casys-ai/pml/transport/builtin/internal/root"
	"github.com/casys-ai/pml/transport/builtin/internal/tool"
)

// Limit is the largest file that is read or written whole, in bytes.
const Limit = 64 << 20

const onlyAllowed = " Only works within allowed directories."

// files is the server: the tools are its methods.
type files struct{ roots *root.Roots }

// Tools lists the tools of the server over the given roots.
func Tools(roots *root.Roots) []tool.Tool {
	f := &files{roots}
	return append(f.readers(), append(f.listers(), f.writers()...)...)
}

func (f *files) readers() []tool.Tool {
	text := tool.Object(
		tool.Req("path", tool.String("Path of the file, relative to the workspace or absolute within it")),
		tool.Opt("tail", tool.Number("If provided, returns only the last N lines of the file")),
		tool.Opt("head", tool.Number("If provided, returns only the first N lines of the file")))
	return []tool.Tool{
		{Name: "read_file", Title: "Read File (Deprecated)", Input: text, Output: content(), Hints: tool.Reads,
			Description: "Read the complete contents of a file as text. DEPRECATED: Use read_text_file instead.",
			Run:         f.readText},
		{Name: "read_text_file", Title: "Read Text File", Input: text, Output: content(), Hints: tool.Reads,
			Description: "Read the complete contents of a file as text. Bytes that are not UTF-8 become U+FFFD. Use " +
				"'head' to read only the first N lines, or 'tail' to read only the last N lines." + onlyAllowed,
			Run: f.readText},
		{Name: "read_media_file", Title: "Read Media File", Input: onePath("Path of the file"), Output: media(),
			Hints: tool.Reads,
			Description: "Read a file as a base64 content block with its MIME type: image and audio files as image or " +
				"audio content, any other file as an embedded resource." + onlyAllowed,
			Run: f.readMedia},
		{Name: "read_multiple_files", Title: "Read Multiple Files", Output: content(), Hints: tool.Reads,
			Input: tool.Object(tool.Req("paths", atLeastOne(tool.Array(
				"Array of file paths to read. Each path must be a string pointing to a valid file within "+
					"allowed directories.", tool.String("Path of one file"))))),
			Description: "Read the contents of several files at once. Each file's content is returned with its path; " +
				"a file that cannot be read does not stop the others." + onlyAllowed,
			Run: f.readMany},
	}
}

func (f *files) listers() []tool.Tool {
	folder := "Path of the directory"
	exclude := tool.Array("Glob patterns, relative to the path, to leave out", tool.String("Glob pattern"))
	sortBy := tool.String("Sort entries by name or size").Or("name")
	sortBy.Enum = []string{"name", "size"}
	return []tool.Tool{
		{Name: "list_directory", Title: "List Directory", Input: onePath(folder), Output: content(), Hints: tool.Reads,
			Description: "List the files and directories in a path, each with a [FILE] or [DIR] prefix." +
				onlyAllowed,
			Run: f.list},
		{Name: "list_directory_with_sizes", Title: "List Directory with Sizes", Output: content(), Hints: tool.Reads,
			Input: tool.Object(tool.Req("path", tool.String(folder)), tool.Opt("sortBy", sortBy)),
			Description: "List the files and directories in a path, each with a [FILE] or [DIR] prefix, files with " +
				"their sizes, and a summary." + onlyAllowed,
			Run: f.listSizes},
		{Name: "directory_tree", Title: "Directory Tree", Output: content(), Hints: tool.Reads,
			Input: tool.Object(tool.Req("path", tool.String(folder)),
				tool.Opt("excludePatterns", exclude.Or([]string{}))),
			Description: "Get a recursive tree of files and directories as JSON with 2-space indentation. Each entry " +
				"has 'name', 'type' (file/directory), and directories always have 'children'." + onlyAllowed,
			Run: f.tree},
		{Name: "search_files", Title: "Search Files", Output: content(), Hints: tool.Reads,
			Input: tool.Object(tool.Req("path", tool.String("Directory to search in")),
				tool.Req("pattern", tool.String("Glob pattern, matched against paths relative to the directory")),
				tool.Opt("excludePatterns", exclude.Or([]string{}))),
			Description: "Recursively search for files and directories that match a glob pattern: '*.ext' matches in " +
				"the directory itself, '**/*.ext' in all subdirectories. Returns full paths." + onlyAllowed,
			Run: f.search},
		{Name: "get_file_info", Title: "Get File Info", Output: content(), Hints: tool.Reads,
			Input: onePath("Path of the file or directory"),
			Description: "Get size, times of creation, modification and access, type and permissions of a file or " +
				"directory." + onlyAllowed,
			Run: f.info},
		{Name: "list_allowed_directories", Title: "List Allowed Directories", Input: tool.Object(), Output: content(),
			Hints:       tool.Reads,
			Description: "List the directories that this server may access; their subdirectories are accessible too.",
			Run:         f.allowed},
	}
}

func (f *files) writers() []tool.Tool {
	edit := tool.Object(
		tool.Req("oldText", tool.String("Text to search for - must match exactly")),
		tool.Req("newText", tool.String("Text to replace with")))
	return []tool.Tool{
		{Name: "write_file", Title: "Write File", Output: content(),
			Input: tool.Object(tool.Req("path", tool.String("Path of the file to create or overwrite")),
				tool.Req("content", tool.String("The whole new content of the file, as text"))),
			Hints: tool.Hints{Destructive: true, Idempotent: true},
			Description: "Create a new file or completely overwrite an existing one, without warning. The file is " +
				"replaced in one step, so nobody sees it half written." + onlyAllowed,
			Run: f.write},
		{Name: "edit_file", Title: "Edit File", Output: content(), Hints: tool.Hints{Destructive: true},
			Input: tool.Object(tool.Req("path", tool.String("Path of the text file to edit")),
				tool.Req("edits", tool.Array("Replacements, made one after the other", edit)),
				tool.Opt("dryRun", tool.Boolean("Preview changes using git-style diff format").Or(false))),
			Description: "Make line-based edits to a text file. Each edit replaces the first exact match of a text " +
				"(or of its lines, whitespace aside). Returns a git-style diff of the changes." + onlyAllowed,
			Run: f.edit},
		{Name: "create_directory", Title: "Create Directory", Input: onePath("Path of the directory to create"),
			Output: content(), Hints: tool.Hints{Idempotent: true},
			Description: "Create a directory, with its parents, or do nothing if it exists." + onlyAllowed,
			Run:         f.mkdir},
		{Name: "move_file", Title: "Move File", Output: content(), Hints: tool.Hints{Destructive: true},
			Input: tool.Object(tool.Req("source", tool.String("Path of the file or directory to move")),
				tool.Req("destination", tool.String("Its new path, which must not exist"))),
			Description: "Move or rename a file or directory. Fails if the destination exists." + onlyAllowed,
			Run:         f.move},
	}
}

func onePath(description string) tool.Schema {
	return tool.Object(tool.Req("path", tool.String(description)))
}

func atLeastOne(array tool.Schema) tool.Schema {
	array.MinItems = 1
	return array
}

// content is the output schema of every tool that answers with text.
func content() *tool.Schema {
	schema := tool.Closed(tool.Req("content", tool.Schema{Type: "string"}))
	return &schema
}

// media is the output schema of read_media_file.
func media() *tool.Schema {
	plain := tool.Schema{Type: "string"}
	kind := tool.Schema{Type: "string", Enum: []string{"image", "audio"}}
	blob := tool.Closed(tool.Req("uri", plain), tool.Opt("mimeType", plain), tool.Req("blob", plain))
	items := tool.Schema{AnyOf: []tool.Schema{
		tool.Closed(tool.Req("type", kind), tool.Req("data", plain), tool.Req("mimeType", plain)),
		tool.Closed(tool.Req("type", tool.Schema{Type: "string", Const: "resource"}), tool.Req("resource", blob)),
	}}
	schema := tool.Closed(tool.Req("content", tool.Array("", items)))
	return &schema
}

// say is the result of every text tool: the text, and {content: text}.
func say(text string) *tool.Result {
	return tool.Structured(map[string]string{"content": text}, text)
}
