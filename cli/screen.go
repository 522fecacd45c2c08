package cli

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"unicode"
)

// screen is standard error: lines that stay, and while a program runs a region below them that is redrawn. Its methods
// may be called from several goroutines.
type screen struct {
	mu       sync.Mutex
	out      io.Writer
	terminal bool
	width    int
	region   []string // what is drawn now
	paused   bool
}

// write writes text that stays.
func (s *screen) write(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	region := s.region
	s.erase()
	if s.terminal {
		text = visible(text)
	}
	io.WriteString(s.out, text)
	if !s.paused {
		s.paint(region)
	}
}

// Write implements io.Writer.
func (s *screen) Write(text []byte) (int, error) {
	s.write(string(text))
	return len(text), nil
}

// draw replaces the region.
func (s *screen) draw(lines []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.paused {
		return
	}
	s.erase()
	s.paint(lines)
}

// pause takes the region away until resume, for a question.
func (s *screen) pause() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.erase()
	s.paused = true
}

func (s *screen) resume() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.paused = false
}

// erase moves to the first line of the region and clears everything from there.
func (s *screen) erase() {
	if len(s.region) > 0 {
		fmt.Fprintf(s.out, "\r\x1b[%dA\x1b[J", len(s.region))
		s.region = nil
	}
}

// paint writes the region; lines that would wrap are cut, since erase counts them.
func (s *screen) paint(lines []string) {
	if len(lines) == 0 {
		return
	}
	width := s.width
	if width <= 0 {
		width = 80
	}
	var b strings.Builder
	for _, line := range lines {
		b.WriteString(cut(line, width-1) + "\n")
	}
	io.WriteString(s.out, b.String())
	s.region = lines
}

// visible replaces control characters, so that what a tool or a program says cannot play tricks with the terminal.
func visible(text string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && unicode.IsControl(r) {
			return '\ufffd'
		}
		return r
	}, text)
}

// cut shortens a line; unlike clip it keeps its spaces.
func cut(line string, n int) string {
	if r := []rune(line); len(r) > n {
		return string(r[:max(n-1, 0)]) + "…"
	}
	return line
}
