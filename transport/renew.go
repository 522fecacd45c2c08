package transport

// Renew gives a server other variables of its own, as ServerConfig.Env. If it runs, it is ended, calls in flight with
// it, and started anew when it is needed next. It does nothing if there is no such server.
func (p *Pool) Renew(name string, env map[string]string) {
	s := p.servers[name]
	if s == nil {
		return
	}
	s.mu.Lock()
	s.config.Env = env
	x := s.current
	s.current = nil
	s.mu.Unlock()
	if x != nil {
		x.stop()
	}
}
