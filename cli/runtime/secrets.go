package runtime

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/casys-ai/pml/engine/journal"
	"github.com/casys-ai/pml/nodes/call"
	"github.com/casys-ai/pml/nodes/value"
	"github.com/casys-ai/pml/transport"
)

// secrets are the values that must not get anywhere but to the server that they are for. Whatever a server says is
// cleaned of all of them where it comes in: results, errors, log lines, descriptions of tools. So nothing behind that,
// be it the program, its result, the journal, a trace or another server, ever sees one.
type secrets struct {
	mu      sync.RWMutex
	list    []journal.Secret
	added   []journal.Secret // those of the list that set does not take away
	written []journal.Secret // the same, in every form in which a text can hold them
}

// shortSecret is the length from which a value is taken for something to keep quiet about.
const shortSecret = 6

// secretName tells which variables of a server's environment hold something secret.
var secretName = regexp.MustCompile(`(?i)key|token|secret|passw|credential|auth`)

// set replaces the list, but for what was added.
func (s *secrets) set(list []journal.Secret) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.replace(list)
}

// add keeps quiet about one more, for as long as the Session lives: what holds it may still be under way.
func (s *secrets) add(x journal.Secret) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !slices.Contains(s.added, x) {
		s.added = append(s.added, x)
		s.replace(s.list)
	}
}

// replace sets the list; the longest come first, so that one inside another hides nothing.
func (s *secrets) replace(list []journal.Secret) {
	list = slices.Concat(list, s.added)
	list = slices.DeleteFunc(list, func(x journal.Secret) bool { return len(x.Value) < shortSecret })
	longestFirst := func(a, b journal.Secret) int {
		return cmp.Or(len(b.Value)-len(a.Value), strings.Compare(a.Name+a.Value, b.Name+b.Value))
	}
	slices.SortFunc(list, longestFirst)
	list = slices.Compact(list)
	var written []journal.Secret
	for _, x := range list {
		for _, form := range forms(x.Value) {
			written = append(written, journal.Secret{Name: x.Name, Value: form})
		}
	}
	slices.SortFunc(written, longestFirst)
	s.list, s.written = list, written
}

// forms are the ways in which a text can hold a value: as it is, and as JavaScript and Go write it in JSON, also in JSON
// that is itself in JSON.
func forms(value string) []string {
	list := []string{value}
	for depth := 0; depth < 2; depth++ {
		for _, text := range slices.Clone(list) {
			html, _ := json.Marshal(text)
			list = append(list, inJSON(text), string(html[1:len(html)-1]))
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// inJSON is a text as JSON.stringify writes it, without the quotes.
func inJSON(text string) string {
	quoted, _, _ := value.Stringify(value.String(text))
	return quoted[1 : len(quoted)-1]
}

// all are the secrets themselves.
func (s *secrets) all() []journal.Secret {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.list
}

func (s *secrets) forms() []journal.Secret {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.written
}

// hidden stands where a secret was.
func hidden(x journal.Secret) string { return "[" + x.Name + "]" }

// text cleans a text.
func (s *secrets) text(t string) string {
	for _, x := range s.forms() {
		t = strings.ReplaceAll(t, x.Value, hidden(x))
	}
	return t
}

// bytes cleans a JSON text.
func (s *secrets) bytes(t []byte) []byte {
	for _, x := range s.forms() {
		if bytes.Contains(t, []byte(x.Value)) {
			t = bytes.ReplaceAll(t, []byte(x.Value), []byte(hidden(x)))
		}
	}
	return t
}

// answer cleans what a transport gave.
func (s *secrets) answer(r call.Reply, err error) (call.Reply, error) {
	if len(s.forms()) == 0 {
		return r, err
	}
	var fault *call.Fault
	if errors.As(err, &fault) {
		return r, &call.Fault{Code: fault.Code, Message: s.text(fault.Message)}
	}
	r.Structured, r.Meta = s.bytes(r.Structured), s.bytes(r.Meta)
	for i := range r.Content {
		b := &r.Content[i]
		b.Text, b.Raw = s.text(b.Text), s.bytes(b.Raw)
	}
	return r, err
}

// result cleans what a server gave.
func (s *secrets) result(r *transport.Result, err error) (*transport.Result, error) {
	var failure *transport.Error
	switch {
	case errors.As(err, &failure):
		return nil, s.failure(failure)
	case r == nil || len(s.forms()) == 0:
		return r, err
	}
	clean := &transport.Result{Structured: s.bytes(r.Structured), Meta: s.bytes(r.Meta), IsError: r.IsError}
	for _, c := range r.Content {
		clean.Content = append(clean.Content, transport.Content{Type: c.Type, Text: s.text(c.Text), Raw: s.bytes(c.Raw)})
	}
	return clean, err
}

// failure cleans what a server failed with.
func (s *secrets) failure(e *transport.Error) *transport.Error {
	clean := *e
	clean.Message, clean.Hint, clean.Stderr, clean.Data = s.text(e.Message), s.text(e.Hint), s.text(e.Stderr), s.bytes(e.Data)
	return &clean
}

// Clean takes the values of keys, by name, out of what a server gave.
func Clean(keys map[string]string, r *transport.Result, err error) (*transport.Result, error) {
	var own secrets
	for name, value := range keys {
		own.add(journal.Secret{Name: name, Value: value})
	}
	return own.result(r, err)
}

// Quiet takes the values of keys out of what a server tells a person, be it text or JSON.
func (s *Session) Quiet(text string) string { return s.secrets.text(text) }

// quietLog is a slog.Handler that cleans what it passes on.
type quietLog struct {
	slog.Handler
	secrets *secrets
}

// Handle implements slog.Handler.
func (q quietLog) Handle(ctx context.Context, r slog.Record) error {
	clean := slog.NewRecord(r.Time, r.Level, q.secrets.text(r.Message), r.PC)
	r.Attrs(func(a slog.Attr) bool {
		clean.AddAttrs(q.attr(a))
		return true
	})
	return q.Handler.Handle(ctx, clean)
}

func (q quietLog) attr(a slog.Attr) slog.Attr {
	switch v := a.Value.Resolve(); v.Kind() {
	case slog.KindString, slog.KindAny:
		return slog.String(a.Key, q.secrets.text(v.String()))
	default:
		return a
	}
}

// WithAttrs implements slog.Handler.
func (q quietLog) WithAttrs(list []slog.Attr) slog.Handler {
	return quietLog{q.Handler.WithAttrs(list), q.secrets}
}

// WithGroup implements slog.Handler.
func (q quietLog) WithGroup(name string) slog.Handler {
	return quietLog{q.Handler.WithGroup(name), q.secrets}
}
