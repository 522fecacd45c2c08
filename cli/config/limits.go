package config

import (
	"fmt"
	"time"
)

// Limits are `limits` of .pml.json; zero means the default.
type Limits struct {
	// Run is how long a run may take, Call one tool call.
	Run, Call time.Duration
	// Calls is how many calls a run may make, Concurrency how many at once.
	Calls       int
	Concurrency int
	// Cloud is how many calls of all runs may be in the cloud at once; 0 for as many as come.
	Cloud int
	// MemoryMB is what a script may use.
	MemoryMB int
	// ResultKB is the longest result that an agent is given whole, DeclarationTokens the room for declarations.
	ResultKB, DeclarationTokens int
}

type limitsDocument struct {
	Run         string `json:"run"`
	Call        string `json:"call"`
	Calls       int    `json:"calls"`
	Concurrency int    `json:"concurrency"`
	Cloud       int    `json:"cloud"`
	MemoryMB    int    `json:"memoryMB"`
	ResultKB    int    `json:"resultKB"`
	Tokens      int    `json:"declarationTokens"`
}

func (c *Config) limits(path string, d *limitsDocument) error {
	if d == nil {
		return nil
	}
	for _, x := range []struct {
		name, text string
		to         *time.Duration
	}{{"run", d.Run, &c.Limits.Run}, {"call", d.Call, &c.Limits.Call}} {
		if x.text == "" {
			continue
		}
		v, err := time.ParseDuration(x.text)
		if err != nil || v <= 0 {
			return &Error{path, fmt.Sprintf("limits.%s is %q", x.name, x.text), `write a duration, such as "90s" or "5m"`}
		}
		*x.to = v
	}
	for _, x := range []struct {
		name string
		from int
		to   *int
	}{{"calls", d.Calls, &c.Limits.Calls}, {"concurrency", d.Concurrency, &c.Limits.Concurrency}, {"cloud", d.Cloud, &c.Limits.Cloud},
		{"memoryMB", d.MemoryMB, &c.Limits.MemoryMB}, {"resultKB", d.ResultKB, &c.Limits.ResultKB},
		{"declarationTokens", d.Tokens, &c.Limits.DeclarationTokens}} {
		if x.from < 0 {
			return &Error{path, fmt.Sprintf("limits.%s is negative", x.name), "leave it out for the default"}
		}
		*x.to = x.from
	}
	return nil
}
