package cloud

import (
	"fmt"
	"strings"

	"github.com/casys-ai/pml/bench/table"
)

// Report is what was found.
type Report struct {
	Results []Result `json:"results"`
}

const says = `Programs with tools of a gateway, over a network that takes 100 ms there and back: a TCP relay between the two delays
each direction by 50 ms. The tools themselves take no time, and the connections stand. Call by call is the program as
one script, whose calls are forwarded as it comes to them.
`

// Text is the report as Markdown that reads well in a terminal.
func (r *Report) Text() string {
	t := &table.Table{Head: []string{"program", "run as", "requests", "time", "in round trips"}}
	for _, x := range r.Results {
		t.Add(x.Program, x.Way, fmt.Sprint(x.Requests), table.Milliseconds(x.Time, 1), fmt.Sprintf("%.2f", x.Trips()))
	}
	var b strings.Builder
	b.WriteString("\n## A gateway 100 ms away\n\n" + says + "\n" + t.String())
	return b.String()
}
