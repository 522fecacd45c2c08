// Command pmlbench measures pml beside its peers and writes bench/README.md; see package bench. `make bench` is
//
//	go run ./bench/cmd/pmlbench -write bench
//
// and `make bench ONLY="noop pml"`, which prints a part and writes nothing,
//
//	go run ./bench/cmd/pmlbench -only "noop pml"
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"

	"github.com/casys-ai/pml/bench"
	"github.com/casys-ai/pml/bench/cloud"
	"github.com/casys-ai/pml/bench/programs"
	"github.com/casys-ai/pml/fixtures/testserver"
	"github.com/casys-ai/pml/nodes/script"
)

func main() {
	if len(os.Args) > 1 {
		switch os.Args[1] { // this program starts itself
		case "job":
			exit(bench.Child(os.Stdin, os.Stdout))
		case "testserver":
			os.Exit(testserver.Main(os.Args[2:]))
		case "script-child":
			exit(script.Serve(os.Stdin, os.Stdout))
		}
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	exit(run(ctx))
}

func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "pmlbench:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// settings are the flags.
type settings struct {
	max, runs          int
	only, peers, write string
	noPeers, asJSON    bool
}

func parse() settings {
	var s settings
	flag.IntVar(&s.max, "max", 1_000_000, "the largest graph, in `nodes`")
	flag.IntVar(&s.runs, "runs", 5, "of how many runs each figure is the median")
	flag.StringVar(&s.only, "only", "", "only what has all these `words` in its name, such as \"noop pml\"; programs, "+
		"journal and cloud are harnesses of their own")
	flag.StringVar(&s.peers, "peers", "bench/peers", "`folder` of the peers' module")
	flag.BoolVar(&s.noPeers, "no-peers", false, "leave the peers out")
	flag.StringVar(&s.write, "write", "", "write README.md, results.json and charts into this `folder`")
	flag.BoolVar(&s.asJSON, "json", false, "print JSON instead of text")
	flag.Parse()
	return s
}

func run(ctx context.Context) error {
	s := parse()
	if s.only != "" && s.write != "" {
		return errors.New("-only with -write would leave the rest out of the README")
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	o := bench.Options{Self: []string{self, "job"}, MaxNodes: s.max, Runs: s.runs, Only: s.only}
	if !s.noPeers {
		dir, err := os.MkdirTemp("", "pmlbench")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		if o.Peers, err = bench.BuildPeers(ctx, filepath.Clean(s.peers), dir); err != nil {
			return fmt.Errorf("the peers cannot be built (-no-peers leaves them out): %w", err)
		}
	}
	report, err := bench.Run(ctx, o, progress)
	if err != nil {
		return err
	}
	report.Command = "go run ./bench/cmd/pmlbench " + strings.Join(os.Args[1:], " ")
	wants := func(part string) bool { return o.Wants(part, part) }
	if p, err := programs.Run(ctx, programs.Options{Self: []string{self}, Runs: s.runs}, wants, progress); err != nil {
		return err
	} else if p != nil {
		report.Programs = p
	}
	if o.Wants(bench.CloudID, bench.CloudID) {
		o := cloud.Options{Self: []string{self}, Runs: s.runs}
		if report.Cloud, err = cloud.Run(ctx, o, progress); err != nil {
			return err
		}
	}
	return output(report, s)
}

func progress(what string) { fmt.Fprintln(os.Stderr, what) }

func output(r *bench.Report, s settings) error {
	if s.write != "" {
		if err := r.Write(s.write); err != nil {
			return err
		}
	}
	if s.asJSON {
		return r.JSON(os.Stdout)
	}
	fmt.Print(r.Text())
	return nil
}
