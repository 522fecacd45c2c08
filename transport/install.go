package transport

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// installTime is how long the packages of a server may take to be fetched.
const installTime = 3 * time.Minute

// NpxPackages are the packages that a command line of npx fetches before it starts a server; nil if it is none.
func NpxPackages(command string, args []string) (packages []string) {
	if name := filepath.Base(command); name != "npx" && name != "npx.cmd" {
		return nil
	}
	for i := 0; i < len(args); i++ {
		switch arg := args[i]; {
		case (arg == "-p" || arg == "--package") && i+1 < len(args):
			i++
			packages = append(packages, args[i])
		case strings.HasPrefix(arg, "--package="):
			packages = append(packages, strings.TrimPrefix(arg, "--package="))
		case arg == "-c" || arg == "--call" || strings.HasPrefix(arg, "-") && arg != "--":
		case len(packages) > 0 || arg == "--": // the command of a package that was named
			return packages
		default:
			return []string{arg}
		}
	}
	return packages
}

// install fetches what a server without the network is started from, in a step of its own that has it, once; and gives the
// environment in which it is then found.
func (p *Pool) install(s ServerConfig, path string, env []string) ([]string, error) {
	packages := NpxPackages(s.Command, s.Args)
	if s.Confine == nil || s.Confine.Network || packages == nil || Confinable() != "" {
		return env, nil
	}
	sum := sha256.Sum256([]byte(strings.Join(packages, "\n")))
	done := filepath.Join(s.Installed, hex.EncodeToString(sum[:8]))
	offline := append(env, "npm_config_prefer_offline=true", "npm_config_update_notifier=false")
	if s.Installed != "" && exists(done) {
		return offline, nil
	}
	p.opts.Logger.Info("installing " + strings.Join(packages, " ") + " for the server " + s.Name)
	if err := p.fetch(s, path, packages, env); err != nil {
		return nil, err
	}
	if s.Installed != "" && os.MkdirAll(s.Installed, 0o700) == nil {
		_ = os.WriteFile(done, nil, 0o600) // without it they are looked for again
	}
	return offline, nil
}

// fetch lets npx fetch packages and start nothing of them.
func (p *Pool) fetch(s ServerConfig, path string, packages, env []string) error {
	ctx, cancel := context.WithTimeout(p.ctx, installTime)
	defer cancel()
	args := []string{"--yes"}
	for _, name := range packages {
		args = append(args, "--package="+name)
	}
	cmd := exec.CommandContext(ctx, path, append(args, "-c", "exit 0")...)
	var said bytes.Buffer
	cmd.Env, cmd.Dir, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = env, s.Dir, &said, &said, time.Second
	setAttributes(cmd, false)
	open := *s.Confine
	open.Network, s.Confine = true, &open
	x := &process{cmd: cmd, exited: make(chan struct{})}
	if err := p.startConfined(x, s, env); err != nil {
		return err
	}
	err := cmd.Wait()
	close(x.exited)
	if err != nil {
		return fmt.Errorf("%s could not be installed: %w\n%s", strings.Join(packages, " "), err, bytes.TrimSpace(said.Bytes()))
	}
	return nil
}
