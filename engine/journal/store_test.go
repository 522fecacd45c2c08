package journal

import (
	"errors"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"

	"github.com/casys-ai/pml/engine"
	"github.com/casys-ai/pml/nodes"
	"github.com/casys-ai/pml/nodes/value"
)

func begin() Begin {
	args := value.NewObject(0)
	args.Set("n", value.Number(7))
	return Begin{Created: time.Now().Truncate(time.Millisecond), Source: "return 1", Args: args, Concurrency: 3,
		Limit: time.Minute, Catalog: "c", Graph: "g", Version: "v", Script: true}
}

var call = &nodes.Node{ID: 1, Kind: nodes.KindCall}

// write makes the journal of a run that has called, asked and been answered.
func write(t *testing.T, s *Store, id string) *Run {
	t.Helper()
	is := is.New(t)
	r, err := s.Create(id, begin())
	is.NoErr(err)
	is.NoErr(r.Started("n1", call, nil))
	is.NoErr(r.Leaving("n1", "s:t", Digest([]byte("{}")), false))
	is.NoErr(r.Finished("n1", nil, engine.Outcome{Seq: 1, Out: []value.Value{value.String("x")}}))
	is.NoErr(r.Asked(Question{ID: "q1", Path: "n2", Tool: "s:u", Args: "{}", Reason: "why", Kind: "approve"}))
	is.NoErr(r.Asked(Question{ID: "q2", Path: "n3", Tool: "s:u", Args: "{}", Reason: "why", Kind: "approve"}))
	is.NoErr(r.Decided(Decision{ID: "q1", Tool: "s:u", Verdict: "approve", Remember: "run", By: "terminal"}))
	is.NoErr(r.Leaving("n2", "s:u", Digest([]byte(`{"a":1}`)), false))
	is.NoErr(r.Line("n4", "log", "hello"))
	return r
}

func TestStore(t *testing.T) {
	is := is.New(t)
	s := NewStore(t.TempDir(), Limits{}, nil)
	r := write(t, s, "run_1")
	is.NoErr(r.Park(3 * time.Second))

	info, err := s.Read("run_1")
	is.NoErr(err)
	is.Equal(info.Status, Waiting)
	is.Equal(info.Source, "return 1")
	is.Equal(value.Inspect(info.Args), "{ n: 7 }")
	is.Equal(info.Worked, 3*time.Second)
	is.Equal(len(info.Open()), 1)
	is.Equal(info.Open()[0].ID, "q2")
	is.Equal(info.Lines, []Line{{"n4", "log", "hello"}})

	r, err = s.Open("run_1")
	is.NoErr(err)
	is.True(r.Uncertain("n2") && !r.Uncertain("n1") && !r.Uncertain("n9"))
	is.True(r.Same("n2", "s:u", []byte(`{"a":1}`)) && !r.Same("n2", "s:u", []byte(`{"a":2}`)))
	is.Equal(r.Recorded(), []int{1})
	o, ok := r.Recall("n1", nil)
	is.True(ok)
	is.Equal(o.Out, []value.Value{value.String("x")})
	is.NoErr(r.Conclude(End{Status: string(Succeeded), Result: value.Number(1)}))
	info, err = s.Read("run_1")
	is.NoErr(err)
	is.Equal(info.Status, Succeeded)
	is.Equal(info.End.Result, value.Number(1))
}

// TestOneProcessAtATime: whoever comes second is told so; to look is always possible.
func TestOneProcessAtATime(t *testing.T) {
	is := is.New(t)
	dir := t.TempDir()
	s, other := NewStore(dir, Limits{}, nil), NewStore(dir, Limits{}, nil)
	r := write(t, s, "run_1")
	_, err := other.Open("run_1")
	var busy *Error
	is.True(errors.As(err, &busy))
	is.Equal(busy.Code, nodes.RunBusy)
	is.True(other.Remove("run_1") != nil)
	info, err := other.Read("run_1")
	is.NoErr(err)
	is.Equal(info.Status, Running)
	is.NoErr(r.Close())
	info, err = other.Read("run_1")
	is.NoErr(err)
	is.Equal(info.Status, Interrupted)
	for _, id := range []string{"", "run_2", "../run_1", ".", "a/b"} {
		_, err := other.Open(id)
		is.True(errors.As(err, &busy))
		is.Equal(busy.Code, nodes.UnknownRun)
	}
}

// TestTorn: whatever byte a journal ends at, what was whole before it is read, and the run can be gone on with. A byte
// that is wrong before the end is an error.
func TestTorn(t *testing.T) {
	is := is.New(t)
	dir := t.TempDir()
	s := NewStore(dir, Limits{}, nil)
	is.NoErr(write(t, s, "run_1").Close())
	path := s.file("run_1")
	whole, err := os.ReadFile(path)
	is.NoErr(err)
	first := 0 // where the first record ends: before, there is no run
	_, first = record(whole, len(magic))
	for size := first; size <= len(whole); size++ {
		is.NoErr(os.WriteFile(path, append(whole[:size:size], make([]byte, size%3*5)...), 0o600)) // zeros behind, or none
		r, err := s.Open("run_1")
		is.NoErr(err)
		is.NoErr(r.Finished("n9", nil, engine.Outcome{Seq: 2}))
		is.NoErr(r.Close())
		info, err := s.Read("run_1")
		is.NoErr(err)
		is.True(info.done("n9"))
	}
	for range 50 {
		bad := append([]byte(nil), whole...)
		bad[first+headSize+rand.IntN(20)] ^= 0x55
		is.NoErr(os.WriteFile(path, bad, 0o600))
		_, err = s.Open("run_1")
		var damaged *Error
		is.True(errors.As(err, &damaged))
		is.Equal(damaged.Code, nodes.IntegrityMismatch)
	}
}

func TestLimits(t *testing.T) {
	is := is.New(t)
	dir := t.TempDir()
	s := NewStore(dir, Limits{Runs: 2, Journal: 600}, nil)
	for _, id := range []string{"run_1", "run_2", "run_3", "run_4"} {
		is.NoErr(s.SaveCatalog("c", []byte("{}")))
		r, err := s.Create(id, begin())
		is.NoErr(err)
		is.NoErr(r.Conclude(End{Status: string(Succeeded)}))
		time.Sleep(2 * time.Millisecond) // so that they have an order
	}
	waits, err := s.Create("run_5", begin())
	is.NoErr(err)
	is.NoErr(waits.Park(0))
	is.NoErr(s.Tidy())
	list, err := s.List()
	is.NoErr(err)
	is.Equal(len(list), 3) // one that waits and the two newest that have ended
	is.Equal(list[0].ID, "run_5")
	_, err = s.Catalog("c")
	is.NoErr(err)
	removed, err := s.Prune(nil, true)
	is.NoErr(err)
	is.Equal(len(removed), 2)

	r, err := s.Open("run_5")
	is.NoErr(err)
	err = nil
	for i := 0; err == nil && i < 100; i++ {
		err = r.Leaving("n1", "s:t", Digest(nil), true)
	}
	var long *TooLong
	is.True(errors.As(err, &long))
	_ = r.Close()
}

// TestLaterSecrets: a key that becomes known while a run is under way is not in its journal.
func TestLaterSecrets(t *testing.T) {
	is := is.New(t)
	var known []Secret
	s := NewStore(t.TempDir(), Limits{}, func() []Secret { return known })
	r := write(t, s, "run_1")
	known = []Secret{{"LATER", "later-value"}}
	is.NoErr(r.Finished("n9", nil, engine.Outcome{Seq: 2, Out: []value.Value{value.String("a later-value b")}}))
	is.NoErr(r.Park(0))
	text, err := os.ReadFile(s.file("run_1"))
	is.NoErr(err)
	is.True(!strings.Contains(string(text), "later-value"))
	r, err = s.Open("run_1")
	is.NoErr(err)
	o, ok := r.Recall("n9", nil)
	is.True(ok)
	is.Equal(o.Out, []value.Value{value.String("a later-value b")})
	is.NoErr(r.Close())
}
