package policy

import (
	"fmt"
	"strings"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/vm"

	"github.com/casys-ai/pml/nodes"
)

// The limits of one condition: its size when it is compiled, and what it may allocate while it runs.
const (
	maxConditionNodes = 1000
	conditionMemory   = 100_000
)

// condition is a compiled `when`.
type condition struct {
	program *vm.Program
}

// compileCondition compiles the text of a `when`. Its environment is tool, args, route and effect.
func compileCondition(when string) (*condition, error) {
	env := map[string]any{"tool": "", "args": map[string]any{}, "route": "", "effect": ""}
	program, err := expr.Compile(when, expr.Env(env), expr.AsBool(), expr.MaxNodes(maxConditionNodes),
		expr.DisableBuiltin("now"))
	if err != nil {
		return nil, fmt.Errorf("condition %q: %s", when, strings.TrimSpace(err.Error()))
	}
	return &condition{program}, nil
}

// holds evaluates the condition for a call. args must be plain data (maps, slices, scalars): expr could call any method
// of another value.
func (c *condition) holds(t *nodes.Tool, args any) (bool, error) {
	if c == nil {
		return false, fmt.Errorf("it was never compiled")
	}
	machine := vm.VM{MemoryBudget: conditionMemory}
	env := map[string]any{"tool": string(t.ID), "args": args, "route": t.Route.String(), "effect": t.Effect.String()}
	out, err := machine.Run(c.program, env)
	if err != nil {
		return false, fmt.Errorf("%s", firstLine(err.Error()))
	}
	yes, ok := out.(bool)
	if !ok {
		return false, fmt.Errorf("it gives %T, not true or false", out)
	}
	return yes, nil
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return strings.TrimSpace(line)
}
