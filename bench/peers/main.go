// Command peers measures other engines on the graphs of pml's benchmarks. It is a module of its own, so that they never
// enter the product's go.mod. The harness starts it: a job on standard input, a result on standard output.
package main

import (
	"fmt"
	"os"

	"github.com/casys-ai/pml/bench/harness"
)

// engines are the peers by name.
func engines() map[string]harness.Engine {
	return map[string]harness.Engine{
		"go-taskflow": goTaskflow,
		"errgroup":    errGroup,
		"conc":        concPool,
		"pond":        pondPool,
		"heimdalr":    heimdalr,
		"gonum":       gonum,
	}
}

func main() {
	if err := harness.Serve(os.Stdin, os.Stdout, engines()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
