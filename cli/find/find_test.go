package find_test

import (
	"strings"
	"testing"

	"github.com/matryer/is"

	"github.com/casys-ai/pml/cli/find"
	"github.com/casys-ai/pml/nodes"
)

var tools = []*nodes.Tool{
	{ID: "filesystem:read_text_file", Description: "Read the complete contents of a file as text.",
		InputSchema: []byte(`{"properties":{"path":{"type":"string"},"head":{"description":"first lines"}}}`)},
	{ID: "filesystem:write_file", Description: "Create a file or overwrite it."},
	{ID: "git:log", Description: "The history of commits.",
		InputSchema: []byte(`{"properties":{"options":{"type":"array","items":{"properties":{"author":{}}}}}}`)},
	{ID: "crm:getCustomer", Title: "Customer", Description: "Looks up who buys."},
	{ID: "crm:search", Description: `Finds "anything" AND more OR less NEAR(it).`},
}

func TestFind(t *testing.T) {
	x, err := find.New(tools)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	for query, want := range map[string]string{
		"read a file":         "filesystem:read_text_file filesystem:write_file",
		"overwriting files":   "filesystem:write_file filesystem:read_text_file",
		"git":                 "git:log",
		"commit history":      "git:log",
		"author":              "git:log", // deep in its schema
		"CUSTOMER":            "crm:getCustomer",
		"crm:getCustomer":     "crm:getCustomer crm:search",
		"first lines":         "filesystem:read_text_file",
		`") OR anything; --`:  "crm:search",
		`NEAR(" * AND NOT ^`:  "crm:search",
		"nothing of the kind": "",
		"  ?! ":               "all",
	} {
		t.Run(query, func(t *testing.T) {
			is := is.New(t)
			found, err := x.Find(query)
			is.NoErr(err)
			var ids []string
			for _, tool := range found {
				ids = append(ids, string(tool.ID))
			}
			if want == "all" {
				is.Equal(len(ids), len(tools))
				return
			}
			is.Equal(strings.Join(ids, " "), want)
		})
	}
}
