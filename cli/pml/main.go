// Command pml plans and executes the programs that AI agents write. See the README.
package main

import (
	"os"

	"github.com/casys-ai/pml/cli"
)

func main() {
	os.Exit(cli.Main(os.Args[1:]))
}
