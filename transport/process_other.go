//go:build !linux

package transport

// spawner starts processes; only Linux needs a thread for it.
type spawner struct{}

func newSpawner() *spawner     { return &spawner{} }
func (s *spawner) do(f func()) { f() }
func (s *spawner) close()      {}

// awaitExit would wait for a process without reaping it; false: it does not here.
func awaitExit(int) bool { return false }

// processTree would list descendants outside the group; only Linux tells them.
type processTree []struct{}

func (x *process) descendants() processTree { return nil }
func (t processTree) kill()                 {}
