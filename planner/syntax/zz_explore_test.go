package syntax

import (
	"fmt"
	"os"
	"testing"

	"github.com/casys-ai/pml/nodes/ast"
	"github.com/dop251/goja"
	"golang.org/x/tools/txtar"
)

func TestExplore(t *testing.T) {
	file := os.Getenv("F")
	archive, _ := txtar.ParseFile("testdata/" + file)
	var cases [][]string
	for _, f := range archive.Files {
		js, err := StripTypes(string(f.Data))
		if err != nil {
			fmt.Println(f.Name, "STRIP", err)
		}
		cases = append(cases, []string{js})
	}
	out := node(t, cases)
	for i, f := range archive.Files {
		p, d := Parse(string(f.Data))
		if len(d) > 0 {
			fmt.Println(f.Name, "PARSE", d)
			continue
		}
		_, err := goja.Compile("x", "(async function(mcp,args){"+ast.PrintStmts(p.Body)+"})", true)
		js, _, _ := Lower(string(f.Data))
		_, err2 := goja.Compile("x", "(async function(mcp,args){"+js+"})", true)
		fmt.Printf("%-40s %v | lowered %v | node %s\n", f.Name, err, err2, out[i][0])
	}
}
