//go:build !linux

package journal

import "os"

// window is what Linux has; elsewhere records are written to the file.
type window struct{}

func newWindow(*os.File, int64) *window { return nil }

func (*window) put([]byte) error { return nil }

func (*window) close() error { return nil }
