package cli

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/casys-ai/pml/engine/journal"
	"github.com/casys-ai/pml/engine/trace"
	"github.com/casys-ai/pml/nodes"
)

// runTrace is a run as a tree of spans, cleaned of what a trace does not keep.
type runTrace struct {
	RunID      string         `json:"run_id"`
	Status     journal.Status `json:"status"`
	Created    time.Time      `json:"created"`
	DurationMs float64        `json:"duration_ms"`
	Spans      []traceSpan    `json:"spans"`
	Logs       []string       `json:"logs,omitempty"`
	Error      string         `json:"error,omitempty"`
}

// traceSpan is one task. The times are after the beginning of the run.
type traceSpan struct {
	Node   string       `json:"node"`
	Parent string       `json:"parent,omitempty"`
	Tool   nodes.ToolID `json:"tool,omitempty"`
	// StartMs is when it could begin, SentMs when the call left (after an answer, say), EndMs when it had ended.
	StartMs float64  `json:"start_ms"`
	SentMs  *float64 `json:"sent_ms,omitempty"`
	EndMs   *float64 `json:"end_ms,omitempty"`
	// State is "done", "failed", "sent" or "started".
	State string `json:"state"`
	Error string `json:"error,omitempty"`
}

var traceFormats = []string{"text", "json", "html"}

func (a *App) traceCommand() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "trace RUN",
		Short: "Show one run as a timeline",
		Long: `Show what a run did when: a line for each task, with a bar from where it could begin to where it ended. Light
is the time before its call left: waiting for its turn, or for an answer.

Keys, bearer tokens, mail addresses and phone numbers are left out, long texts cut.`,
		Example: `  pml trace run_01ab
  pml trace --format html run_01ab > run.html`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !slices.Contains(traceFormats, format) {
				return usage(fmt.Sprintf("there is no format %q", format), "there are "+strings.Join(traceFormats, ", "))
			}
			return a.withRuns(cmd, func(s *journal.Store) error { return a.showTrace(s, args[0], format) })
		},
	}
	cmd.Flags().StringVar(&format, "format", "text", "how to show it: "+strings.Join(traceFormats, ", "))
	return cmd
}

func (a *App) showTrace(s *journal.Store, id, format string) error {
	info, err := s.Read(id)
	if err != nil {
		return err
	}
	t := newTrace(info)
	switch format {
	case "json":
		return a.printJSON(t)
	case "html":
		page, err := t.html()
		if err == nil {
			_, err = a.Out.Write(page)
		}
		return err
	}
	_, err = fmt.Fprint(a.Out, t.text())
	return err
}

func newTrace(i journal.Info) *runTrace {
	t := &runTrace{RunID: i.ID, Status: i.Status, Created: i.Created, Spans: []traceSpan{}}
	for _, step := range i.Steps {
		span := traceSpan{Node: step.Path, Parent: trace.Parent(step.Path), Tool: step.Tool, StartMs: inMs(step.Started),
			SentMs: moment(step.Left), EndMs: moment(step.Finished), State: state(step),
			Error: trace.Clean(i.Thrown(step.Path))}
		t.Spans = append(t.Spans, span)
		t.DurationMs = max(t.DurationMs, inMs(max(step.Started, step.Left, step.Finished)))
	}
	for _, l := range i.Lines {
		t.Logs = append(t.Logs, trace.Clean(l.Text))
	}
	if i.End != nil && i.End.Code != "" {
		t.Error = trace.Clean(fmt.Sprintf("%s: %s", i.End.Code, i.End.Message))
	}
	return t
}

// moment is a time that may not have come.
func moment(d time.Duration) *float64 {
	if d < 0 {
		return nil
	}
	ms := inMs(d)
	return &ms
}

// state is how far a task has come.
func state(s *journal.Step) string {
	switch {
	case s.Finished >= 0 && s.Failed:
		return "failed"
	case s.Finished >= 0:
		return "done"
	case s.Left >= 0:
		return "sent"
	}
	return "started"
}

// bar is where a span lies on the timeline, in parts of its whole: from, the part before its call left, and the rest.
type bar struct{ From, Waits, Works float64 }

func (t *runTrace) bar(s traceSpan) bar {
	end, left := t.DurationMs, s.StartMs
	if s.EndMs != nil {
		end = *s.EndMs
	}
	if s.SentMs != nil {
		left = *s.SentMs
	}
	if end < left { // taken up again: what it waited for has no end
		left = s.StartMs
	}
	whole := max(t.DurationMs, 0.001)
	return bar{s.StartMs / whole, (left - s.StartMs) / whole, max(end-left, 0) / whole}
}

// barWidth is how many characters a timeline has.
const barWidth = 40

func (t *runTrace) text() string {
	var rows columns
	for _, s := range t.Spans {
		b := t.bar(s)
		from, waits := int(b.From*barWidth), int(b.Waits*barWidth)
		works := max(1, int(b.Works*barWidth+0.5))
		line := strings.Repeat(" ", min(from, barWidth-1)) + strings.Repeat("░", waits) + strings.Repeat("█", works)
		took := "…"
		if s.EndMs != nil {
			took = fmt.Sprintf("%.1fms", *s.EndMs-s.StartMs)
		}
		rows.add(s.Node, string(s.Tool), fmt.Sprintf("%.1f", s.StartMs), "│"+fit(line, barWidth)+"│", took, s.State,
			clip(s.Error, 60))
	}
	out := fmt.Sprintf("%s  %s  %.1fms\n\n%s", t.RunID, t.Status, t.DurationMs, rows.text(""))
	if t.Error != "" {
		out += "\nerror " + t.Error + "\n"
	}
	return out
}

// fit makes a text n characters long.
func fit(text string, n int) string {
	r := []rune(text)
	if len(r) > n {
		return string(r[:n])
	}
	return text + strings.Repeat(" ", n-len(r))
}

// tracePage is the page of `pml trace --format html`. It is complete in itself: it loads nothing.
//
//go:embed trace_page.html
var tracePage string

var traceTemplate = template.Must(template.New("trace").Funcs(template.FuncMap{
	"percent": func(part float64) string { return fmt.Sprintf("%.3f%%", part*100) },
}).Parse(tracePage))

func (t *runTrace) html() ([]byte, error) {
	type row struct {
		traceSpan
		bar
		Took string
	}
	data := struct {
		*runTrace
		Rows []row
	}{runTrace: t}
	for _, s := range t.Spans {
		r := row{traceSpan: s, bar: t.bar(s), Took: "…"}
		if s.EndMs != nil {
			r.Took = fmt.Sprintf("%.1f ms", *s.EndMs-s.StartMs)
		}
		data.Rows = append(data.Rows, r)
	}
	var page bytes.Buffer
	err := traceTemplate.Execute(&page, data)
	return page.Bytes(), err
}
