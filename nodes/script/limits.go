package script

import "time"

// Limits bound a child, that is one run. A zero field means its default.
type Limits struct {
	// Memory in bytes is what a run may hold; default 512 MB.
	Memory int64 `json:"memory"`
	// CPU is the processor time of the whole run; default 60 s.
	CPU time.Duration `json:"cpu"`
	// Wall bounds one fragment by the clock, which stands still while tool calls are outstanding; default 5 min.
	Wall time.Duration `json:"wall"`
	// Output in bytes bounds what a run may send out: console, call arguments, results; default 64 MB.
	Output int `json:"output"`
	// Source in bytes bounds the JavaScript of one fragment; default 4 MB.
	Source int `json:"source"`
}

// withDefaults fills in what is zero.
func (l Limits) withDefaults() Limits {
	if l.Memory <= 0 {
		l.Memory = 512 << 20
	}
	if l.CPU <= 0 {
		l.CPU = 60 * time.Second
	}
	if l.Wall <= 0 {
		l.Wall = 5 * time.Minute
	}
	if l.Output <= 0 {
		l.Output = 64 << 20
	}
	if l.Source <= 0 {
		l.Source = 4 << 20
	}
	return l
}
