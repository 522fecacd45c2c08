package journal

import "path/filepath"

// lockOf is the file that whoever works on a run holds: one of its own, since what is locked cannot be read.
func (s *Store) lockOf(id string) string { return filepath.Join(s.dir, "locks", id) }

const separateLock = true
