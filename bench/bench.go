// Package bench measures pml beside its peers, in one run on one machine, and writes what it finds as text, JSON and
// charts. `make bench` and `pml bench` are it.
//
//	suite ─ sections of jobs ─▶ a process a job (harness) ─▶ Report ─▶ text, JSON, README.md with charts
//
// The peers are built from bench/peers, a module of its own; where there is no source tree or no Go they are left out.
package bench

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/casys-ai/pml/bench/engines"
	"github.com/casys-ai/pml/bench/harness"
)

// Options say what to measure.
type Options struct {
	// Self starts this program so that it calls Child: each job is measured in a process of its own.
	Self []string
	// Peers is the program that bench/peers builds; "" leaves the peers out.
	Peers string
	// MaxNodes is the largest graph, Runs of how many runs each figure is the median.
	MaxNodes, Runs int
	// Only keeps the jobs whose names have all its words; the first may be the id of a section. "" keeps all.
	Only string
}

// Child measures one job that a parent asks for.
func Child(in io.Reader, out io.Writer) error { return harness.Serve(in, out, engines.All()) }

// Report is what a run of the suite found.
type Report struct {
	Machine  Machine    `json:"machine"`
	Command  string     `json:"command"`
	Sections []*Section `json:"sections"`
	// Programs is what the second harness found, package programs; nil if it was not asked.
	Programs interface{ Text() string } `json:"programs,omitempty"`
	// Cloud is what package cloud found; nil if it was not asked.
	Cloud interface{ Text() string } `json:"cloud,omitempty"`
}

// Section is one question with its answers.
type Section struct {
	ID      string           `json:"id"`
	Title   string           `json:"title"`
	Says    string           `json:"says"`
	Results []harness.Result `json:"results"`

	unit  unit
	chart drawing
}

// Run measures the suite. progress is told of every job before it starts.
func Run(ctx context.Context, o Options, progress func(string)) (*Report, error) {
	r := &Report{Machine: thisMachine(ctx)}
	for _, s := range suite(o) {
		out := &Section{ID: s.id, Title: s.title, Says: s.says, unit: s.unit, chart: s.chart}
		for _, j := range o.chosen(s) {
			progress(s.id + ": " + j.String())
			result, err := o.measure(ctx, j)
			if err != nil {
				return nil, err
			}
			out.Results = append(out.Results, result)
		}
		if len(out.Results) > 0 {
			r.Sections = append(r.Sections, out)
		}
	}
	return r, nil
}

// Wants says whether the options ask for something of a section. A first word that is a section's id asks for that one
// alone.
func (o Options) Wants(section, name string) bool {
	words := strings.Fields(o.Only)
	if len(words) > 0 && slices.Contains(ids(), words[0]) {
		if words[0] != section {
			return false
		}
		words = words[1:]
	}
	return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(name, w) })
}

// The other harnesses, as if they were sections.
const (
	ProgramsID = "programs"
	JournalID  = "journal"
	CloudID    = "cloud"
)

func ids() []string { return append(Sections(), ProgramsID, JournalID, CloudID) }

// Sections lists the ids of the sections.
func Sections() (list []string) {
	for _, s := range suite(Options{}) {
		list = append(list, s.id)
	}
	return list
}

// chosen lists the jobs of a section that the options ask for and this program can measure.
func (o Options) chosen(s section) []harness.Job {
	return slices.DeleteFunc(s.jobs, func(j harness.Job) bool {
		_, own := engines.All()[j.Engine]
		return !o.Wants(s.id, j.String()) || !own && o.Peers == ""
	})
}

func (o Options) measure(ctx context.Context, j harness.Job) (harness.Result, error) {
	argv := o.Self
	if _, own := engines.All()[j.Engine]; !own {
		argv = []string{o.Peers}
	}
	r, err := harness.Spawn(ctx, argv, j)
	if err != nil {
		return r, fmt.Errorf("bench: %w", err)
	}
	return r, nil
}
