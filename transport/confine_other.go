//go:build !linux

package transport

// Confinable says what of a Confinement this system cannot enforce.
func Confinable() string {
	return "this system has no Landlock: servers can read and write what you can, and use the network"
}

// startConfined starts a command as any other.
func (p *Pool) startConfined(x *process, _ ServerConfig, _ []string) (err error) {
	p.spawner.do(func() { err = x.cmd.Start() })
	return err
}
