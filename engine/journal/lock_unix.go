//go:build unix

package journal

// lockOf is the file that whoever works on a run holds: the journal itself. A lock hinders nobody from reading.
func (s *Store) lockOf(id string) string { return s.file(id) }

const separateLock = false
