package setup

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/casys-ai/pml/cli/config"
)

// ownName is what pml is called among the client's servers.
const ownName = "pml"

// entry is a server in the client's configuration.
type entry struct {
	name string
	raw  json.RawMessage
}

// movable reports whether pml can take the server over: any but itself, and but those on the transport that is gone.
func (e entry) movable() bool {
	var s struct{ Command, URL, Type string }
	err := json.Unmarshal(e.raw, &s)
	return err == nil && e.name != ownName && s.Type != "sse" && (s.Command != "" || s.URL != "") && !strings.Contains(e.name, ":")
}

// listServers lists the servers of a configuration, sorted by name.
func listServers(text []byte) ([]entry, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		return nil, nil
	}
	standard, err := hujson.Standardize(bytes.Clone(text))
	if err != nil {
		return nil, broken(err)
	}
	var d struct{ MCPServers map[string]json.RawMessage }
	if err := json.Unmarshal(standard, &d); err != nil {
		return nil, broken(err)
	}
	var list []entry
	for _, name := range slices.Sorted(maps.Keys(d.MCPServers)) {
		list = append(list, entry{name, d.MCPServers[name]})
	}
	return list, nil
}

func broken(err error) error {
	return fmt.Errorf("%s is not valid: %s; mend it first, nothing was changed", clientFile,
		strings.TrimPrefix(strings.TrimPrefix(err.Error(), "hujson: "), "json: "))
}

// planClient makes pml a server of the client, and takes out those that it takes over.
func planClient(workspace string, before []byte, w Wishes, known, moved []entry) (Change, error) {
	c := Change{Path: filepath.Join(workspace, clientFile), Before: before, Backup: before != nil,
		Why: "let the client start pml"}
	if w.URL != "" {
		c.Why = "let the client find pml at " + w.URL
	}
	var edits []edit
	if own := w.entry(known); own != nil {
		edits = append(edits, edit{ownName, own})
	}
	var names []string
	for _, e := range moved {
		edits = append(edits, edit{name: e.name})
		names = append(names, e.name)
	}
	if len(names) > 0 {
		c.Why += "; no longer " + strings.Join(names, ", ") + ": pml does"
	}
	var err error
	c.After, err = editServers(before, edits)
	return c, err
}

// entry is what the client is to be told about pml; nil if it has been told so that it works.
func (w Wishes) entry(known []entry) any {
	var have struct{ Command, URL string }
	if i := slices.IndexFunc(known, func(e entry) bool { return e.name == ownName }); i >= 0 {
		_ = json.Unmarshal(known[i].raw, &have) // what cannot be read is replaced
	}
	if w.URL != "" {
		if have.URL == w.URL {
			return nil
		}
		return struct {
			Type string `json:"type"`
			URL  string `json:"url"`
		}{"http", w.URL}
	}
	if _, err := exec.LookPath(have.Command); have.Command != "" && err == nil {
		return nil // the user's own way to start it
	}
	return struct {
		Command string   `json:"command"`
		Args    []string `json:"args"`
	}{w.Command, w.Args}
}

// fresh is the configuration of a project that has none.
const fresh = `// What pml may do in this project; the README explains every key.
{
  "permissions": {
    // What is not allowed here is asked about.
    "allow": ["filesystem:read_*", "filesystem:list_*", "filesystem:search_*", "filesystem:get_*", "filesystem:directory_tree",
      "git:status", "git:diff", "git:log", "git:show", "git:branch"]
  },
  "mcpServers": {}
}
`

// planConfig gives pml the servers that it takes over.
func planConfig(workspace string, moved []entry) (Change, error) {
	before, err := read(workspace, config.File)
	if err != nil {
		return Change{}, err
	}
	c := Change{Path: filepath.Join(workspace, config.File), Before: before, Backup: before != nil, Why: "say what pml may do"}
	text := before
	if text == nil {
		text = []byte(fresh)
	}
	known, err := listServers(text)
	if err != nil {
		return c, err
	}
	var edits []edit
	var names []string
	for _, e := range moved {
		if !slices.ContainsFunc(known, func(k entry) bool { return k.name == e.name }) {
			edits = append(edits, edit{e.name, e.raw})
			names = append(names, e.name)
		}
	}
	if len(names) > 0 {
		c.Why += "; take over " + strings.Join(names, ", ")
	}
	if len(edits) == 0 {
		c.After = text
		return c, nil
	}
	c.After, err = editServers(text, edits)
	return c, err
}

// edit is one server that is to be set, or, without a value, taken out.
type edit struct {
	name  string
	value any
}

// editServers changes mcpServers in a configuration and leaves the rest as it is, to the byte.
func editServers(text []byte, edits []edit) ([]byte, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		text = []byte("{}\n")
	}
	v, err := hujson.Parse(bytes.Clone(text))
	if err != nil {
		return nil, broken(err)
	}
	top, ok := v.Value.(*hujson.Object)
	if !ok {
		return nil, broken(fmt.Errorf("it must be an object"))
	}
	servers, ok := member(top, "mcpServers", "\n  ").Value.(*hujson.Object)
	if !ok {
		return nil, broken(fmt.Errorf("mcpServers must be an object"))
	}
	for _, e := range edits {
		if e.value == nil {
			servers.Members = slices.DeleteFunc(servers.Members, func(m hujson.ObjectMember) bool { return named(m, e.name) })
			continue
		}
		if err := set(servers, e); err != nil {
			return nil, err
		}
	}
	return v.Pack(), nil
}

func named(m hujson.ObjectMember, name string) bool {
	literal, ok := m.Name.Value.(hujson.Literal)
	return ok && literal.String() == name
}

// member is the value of a member, which becomes an empty object if it is not there.
func member(o *hujson.Object, name, indent string) *hujson.Value {
	if i := slices.IndexFunc(o.Members, func(m hujson.ObjectMember) bool { return named(m, name) }); i >= 0 {
		return &o.Members[i].Value
	}
	if len(o.Members) > 0 {
		if first := string(o.Members[0].Name.BeforeExtra); first != "" && strings.TrimSpace(first) == "" {
			indent = first // as the others are
		}
	}
	comment := ""
	if extra := string(o.AfterExtra); strings.TrimSpace(extra) != "" { // it belongs to the member before
		end := strings.LastIndex(extra, "\n") + 1
		comment = strings.TrimSuffix(extra[:end], "\n")
		o.AfterExtra = []byte("\n" + extra[end:])
	}
	o.Members = append(o.Members, hujson.ObjectMember{
		Name:  hujson.Value{BeforeExtra: []byte(comment + indent), Value: hujson.String(name)},
		Value: hujson.Value{BeforeExtra: []byte(" "), Value: &hujson.Object{}},
	})
	if len(o.AfterExtra) == 0 {
		o.AfterExtra = []byte(strings.TrimSuffix(indent, "  "))
	}
	return &o.Members[len(o.Members)-1].Value
}

// set gives a server its value, if it has not got it.
func set(servers *hujson.Object, e edit) error {
	want, err := json.Marshal(e.value)
	if err != nil {
		return err
	}
	at := member(servers, e.name, "\n    ")
	if same(at, want) {
		return nil
	}
	prefix, step := "    ", "  "
	if bytes.Contains(servers.Members[0].Name.BeforeExtra, []byte("\t")) {
		prefix, step = "\t\t", "\t"
	}
	var text bytes.Buffer
	if err := json.Indent(&text, want, prefix, step); err != nil {
		return err
	}
	v, err := hujson.Parse(text.Bytes())
	if err != nil {
		return err
	}
	at.Value = v.Value
	return nil
}

// same reports whether a value is what is wanted, however it is written.
func same(v *hujson.Value, want []byte) bool {
	have := v.Clone()
	have.Minimize()
	minimal, err := hujson.Minimize(want)
	var x, y any
	return err == nil && json.Unmarshal(have.Pack(), &x) == nil && json.Unmarshal(minimal, &y) == nil && reflect.DeepEqual(x, y)
}
