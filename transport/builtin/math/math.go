// Package math is the built-in server for numbers. It runs at a gateway; it reads and changes nothing.
package math

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/expr-lang/expr"

	"github.com/casys-ai/pml/transport/builtin/internal/tool"
)

// Tools lists the tools of the server.
func Tools() []tool.Tool {
	list := tool.Req("numbers", tool.Array("The numbers", tool.Schema{Type: "number"}))
	return []tool.Tool{
		{Name: "evaluate", Title: "Evaluate", Hints: tool.Reads, Run: evaluate, Output: one("value"),
			Description: "Compute an arithmetic expression, such as (a + 2) * sqrt(b): + - * / % **, comparisons, ?:, and the " +
				"functions abs, ceil, floor, round, sqrt, exp, log, log10, sin, cos, tan, pow, min, max.",
			Input: tool.Object(tool.Req("expression", tool.String("The expression")),
				tool.Opt("variables", tool.MapOf("What its names stand for", tool.Schema{Type: "number"})))},
		{Name: "sum", Title: "Sum", Hints: tool.Reads, Run: sum, Output: one("value"),
			Description: "Add numbers up without losing small ones beside large ones.", Input: tool.Object(list)},
		{Name: "round", Title: "Round", Hints: tool.Reads, Run: round, Output: one("value"),
			Description: "Round a number to so many decimals, halves away from zero.",
			Input: tool.Object(tool.Req("number", tool.Number("The number")),
				tool.Opt("decimals", tool.Integer("How many decimals", 0).Or(0)))},
		{Name: "statistics", Title: "Statistics", Hints: tool.Reads, Run: statistics,
			Output: one("count", "sum", "mean", "median", "min", "max", "variance", "stddev"),
			Description: "Describe a list of numbers: count, sum, mean, median, min, max, variance and standard deviation of " +
				"the population.",
			Input: tool.Object(list)},
	}
}

// one is the schema of an object of numbers.
func one(names ...string) *tool.Schema {
	var props tool.Props
	for _, n := range names {
		props = append(props, tool.Req(n, tool.Schema{Type: "number"}))
	}
	s := tool.Closed(props...)
	return &s
}

// numeric is a function of one number.
func numeric(f func(float64) float64) func(...any) (any, error) {
	return func(args ...any) (any, error) {
		if len(args) != 1 {
			return nil, errors.New("takes one number")
		}
		x, ok := number(args[0])
		if !ok {
			return nil, fmt.Errorf("takes a number, not %v", args[0])
		}
		return f(x), nil
	}
}

var functions = map[string]func(float64) float64{"sqrt": math.Sqrt, "exp": math.Exp, "log": math.Log, "log10": math.Log10,
	"sin": math.Sin, "cos": math.Cos, "tan": math.Tan}

func evaluate(_ context.Context, args tool.Args) (*tool.Result, error) {
	env := map[string]any{"pi": math.Pi, "e": math.E}
	if named, ok := args["variables"].(map[string]any); ok {
		for name, v := range named {
			env[name] = v
		}
	}
	options := []expr.Option{expr.Env(env), expr.Function("pow", func(a ...any) (any, error) {
		x, isX := number(a[0])
		y, isY := number(a[1])
		if !isX || !isY {
			return nil, errors.New("pow takes two numbers")
		}
		return math.Pow(x, y), nil
	}, new(func(any, any) float64))}
	for name, f := range functions {
		options = append(options, expr.Function(name, numeric(f), new(func(any) float64)))
	}
	program, err := expr.Compile(args.String("expression"), options...)
	if err != nil {
		return nil, fmt.Errorf("the expression cannot be read: %w", err)
	}
	v, err := expr.Run(program, env)
	if err != nil {
		return nil, fmt.Errorf("the expression cannot be computed: %w", err)
	}
	if b, ok := v.(bool); ok {
		return value(map[bool]float64{true: 1}[b])
	}
	x, ok := number(v)
	if !ok {
		return nil, fmt.Errorf("the expression gives %v, which is no number", v)
	}
	return value(x)
}

func number(v any) (float64, bool) {
	switch v := v.(type) {
	case float64:
		return v, true
	case int:
		return float64(v), true
	}
	return 0, false
}

// value is the result of a tool that gives one number. What is no finite number has no JSON.
func value(x float64) (*tool.Result, error) {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil, fmt.Errorf("the result is %v", x)
	}
	return tool.Data(map[string]float64{"value": x})
}

func numbers(args tool.Args) ([]float64, error) {
	list, _ := args["numbers"].([]any)
	out := make([]float64, 0, len(list))
	for _, v := range list {
		x, _ := number(v)
		out = append(out, x)
	}
	if len(out) == 0 {
		return nil, errors.New("the list is empty")
	}
	return out, nil
}

func sum(_ context.Context, args tool.Args) (*tool.Result, error) {
	list, _ := args["numbers"].([]any)
	if len(list) == 0 {
		return value(0)
	}
	xs, err := numbers(args)
	if err != nil {
		return nil, err
	}
	return value(total(xs))
}

// total adds up as Neumaier does: what is lost of each addition is kept and added in the end.
func total(xs []float64) float64 {
	s, lost := 0.0, 0.0
	for _, x := range xs {
		t := s + x
		if math.Abs(s) >= math.Abs(x) {
			lost += (s - t) + x
		} else {
			lost += (x - t) + s
		}
		s = t
	}
	return s + lost
}

func round(_ context.Context, args tool.Args) (*tool.Result, error) {
	shift := math.Pow(10, args.Number("decimals", 0))
	return value(math.Round(args.Number("number", 0)*shift) / shift)
}

func statistics(_ context.Context, args tool.Args) (*tool.Result, error) {
	xs, err := numbers(args)
	if err != nil {
		return nil, err
	}
	slices.Sort(xs)
	n := float64(len(xs))
	s := total(xs)
	mean := s / n
	squares := make([]float64, len(xs))
	for i, x := range xs {
		squares[i] = (x - mean) * (x - mean)
	}
	middle := len(xs) / 2
	median := xs[middle]
	if len(xs)%2 == 0 {
		median = (xs[middle-1] + xs[middle]) / 2
	}
	variance := total(squares) / n
	return tool.Data(map[string]float64{"count": n, "sum": s, "mean": mean, "median": median, "min": xs[0],
		"max": xs[len(xs)-1], "variance": variance, "stddev": math.Sqrt(variance)})
}
