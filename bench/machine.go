package bench

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// Machine is what the figures depend on.
type Machine struct {
	CPU     string `json:"cpu"`
	Cores   int    `json:"cores"`
	Memory  string `json:"memory"`
	System  string `json:"system"`
	Go      string `json:"go"`
	Node    string `json:"node,omitempty"`
	Date    string `json:"date"`
	Load    string `json:"load"` // the load averages when the run began: above 0.5 the figures are not worth much
	Version string `json:"version,omitempty"`
}

func thisMachine(ctx context.Context) Machine {
	return Machine{
		CPU: field("/proc/cpuinfo", "model name"), Cores: runtime.NumCPU(), Memory: field("/proc/meminfo", "MemTotal"),
		System: runtime.GOOS + "/" + runtime.GOARCH + " " + word(read("/proc/sys/kernel/osrelease"), 0),
		Go:     runtime.Version(), Node: output(ctx, "node", "--version"),
		Date: time.Now().UTC().Format("2006-01-02 15:04 UTC"), Load: load(),
		Version: output(ctx, "git", "rev-parse", "--short", "HEAD"),
	}
}

func read(path string) string {
	text, _ := os.ReadFile(path)
	return string(text)
}

// field reads "name : value" of a file in /proc.
func field(path, name string) string {
	for line := range strings.Lines(read(path)) {
		if k, v, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(k) == name {
			return strings.TrimSpace(v)
		}
	}
	return "unknown"
}

func word(s string, i int) string {
	if words := strings.Fields(s); i < len(words) {
		return words[i]
	}
	return ""
}

func load() string {
	text := read("/proc/loadavg")
	return strings.Join([]string{word(text, 0), word(text, 1), word(text, 2)}, " ")
}

func output(ctx context.Context, name string, args ...string) string {
	out, err := exec.CommandContext(ctx, name, args...).Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

// BuildPeers builds the program of the peers' module, whose folder is dir, into the folder to.
func BuildPeers(ctx context.Context, dir, to string) (string, error) {
	program := filepath.Join(to, "peers")
	cmd := exec.CommandContext(ctx, "go", "build", "-o", program, ".")
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	cmd.Env = append(os.Environ(), "GOWORK=off")
	return program, cmd.Run()
}
