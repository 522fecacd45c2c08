package journal

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"github.com/casys-ai/pml/nodes"
)

// Store is the runs of one project, a folder with a file for each. To make a file may take longer than to write it, so there
// is only one.
//
//	runs/run_0123…        what has happened; locked by the process that works on it
//	catalogs/0123….json   tools as they were, shared by runs
type Store struct {
	dir     string
	limits  Limits
	secrets func() []Secret
}

// Limits bound what a Store keeps; 0 is the default.
type Limits struct {
	// Runs is how many runs that have ended are kept: 100. Age is how long any run is: 30 days.
	Runs int
	Age  time.Duration
	// Total is how many bytes all runs that have ended may have: 1 GB.
	Total int64
	// Journal is how many bytes the journal of one run may have: 256 MB.
	Journal int64
}

// NewStore makes a Store of a folder, which is made when something is to be written. secrets gives the keys whose values
// are never written; nil for none.
func NewStore(dir string, l Limits, secrets func() []Secret) *Store {
	if l.Runs <= 0 {
		l.Runs = 100
	}
	if l.Age <= 0 {
		l.Age = 30 * 24 * time.Hour
	}
	if l.Total <= 0 {
		l.Total = 1 << 30
	}
	if l.Journal <= 0 {
		l.Journal = 256 << 20
	}
	if secrets == nil {
		secrets = func() []Secret { return nil }
	}
	return &Store{dir, l, secrets}
}

// Error is why a run cannot be had. Its Code is UNKNOWN_RUN, RUN_BUSY, INTEGRITY_MISMATCH or INTERNAL_ERROR.
type Error struct {
	Code          nodes.ErrorCode
	Message, Hint string
	Err           error
}

// Error implements error.
func (e *Error) Error() string { return e.Message }

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

func (s *Store) file(id string) string { return filepath.Join(s.dir, "runs", id) }

// Create begins the journal of a new run.
func (s *Store) Create(id string, b Begin) (*Run, error) {
	if !valid(id) {
		return nil, &Error{Code: nodes.InvalidArguments, Message: fmt.Sprintf("%q is no id for a run", id)}
	}
	for _, path := range []string{s.file(id), s.lockOf(id)} {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return nil, err
		}
	}
	lock, err := s.hold(id, true)
	if err != nil {
		return nil, err
	}
	l, err := create(s.file(id), s.limits.Journal)
	if err != nil {
		_ = lock.Unlock()
		return nil, err
	}
	r := &Run{ID: id, State: *newState(), log: l, lock: lock, secrets: s.secrets, opened: time.Now()}
	r.before = r.opened.Sub(b.Created)
	r.Begin = b
	if err := r.write(kindBegin, now, func(e *encoder) { e.begin(&b) }); err != nil {
		return nil, r.close(err, false)
	}
	return r, nil
}

// Open takes a run up again. What was torn when its process ended is mended.
func (s *Store) Open(id string) (*Run, error) {
	if !s.has(id) {
		return nil, unknown(id)
	}
	lock, err := s.hold(id, false)
	if err != nil {
		return nil, err
	}
	state, whole, err := s.load(id)
	if err != nil {
		_ = lock.Unlock()
		return nil, err
	}
	r := &Run{ID: id, State: *state, lock: lock, secrets: s.secrets, opened: time.Now()}
	r.before = r.opened.Sub(state.Created)
	if r.log, err = reopen(s.file(id), whole, s.limits.Journal); err != nil {
		_ = lock.Unlock()
		return nil, err
	}
	return r, nil
}

// lockPatience is how long a lock is waited for: whoever looks whether a run is being worked on holds it for a moment.
const lockPatience = 100 * time.Millisecond

// lock is the lock of a run, which is there unless it is new.
func (s *Store) lock(id string, fresh bool) *flock.Flock {
	flag := os.O_RDONLY
	if fresh || separateLock {
		flag |= os.O_CREATE
	}
	return flock.New(s.lockOf(id), flock.SetPermissions(0o600), flock.SetFlag(flag))
}

// hold takes the lock of a run.
func (s *Store) hold(id string, fresh bool) (*flock.Flock, error) {
	lock := s.lock(id, fresh)
	ctx, cancel := context.WithTimeout(context.Background(), lockPatience)
	defer cancel()
	switch got, err := lock.TryLockContext(ctx, lockPatience/20); {
	case err != nil && !errors.Is(err, context.DeadlineExceeded):
		return nil, err
	case !got:
		return nil, &Error{Code: nodes.RunBusy, Message: id + " is being worked on", Hint: "wait until it has ended or waits"}
	}
	return lock, nil
}

// Reread reads what earlier attempts have written once more: keys that have become known since then stand where only their
// names were.
func (r *Run) Reread() error {
	path := r.log.file.Name()
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	state, secrets := newState(), r.secrets()
	if _, err := scan(path, data, func(body []byte) error { return state.read(body, secrets) }); err != nil {
		return err
	}
	r.State = *state
	return nil
}

func unknown(id string) error {
	return &Error{Code: nodes.UnknownRun, Message: "there is no run " + id, Hint: "pml runs list shows those there are"}
}

// has reports whether there is such a run.
func (s *Store) has(id string) bool {
	if !valid(id) {
		return false
	}
	_, err := os.Stat(s.file(id))
	return err == nil
}

func valid(id string) bool {
	return id != "" && !strings.ContainsAny(id, `/\:`) && !strings.HasPrefix(id, ".")
}

// load reads a journal.
func (s *Store) load(id string) (*State, int, error) {
	path := s.file(id)
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, 0, err
	}
	state, secrets := newState(), s.secrets()
	if len(data) == 0 {
		return nil, 0, unknown(id) // whoever made it was killed before it began
	}
	whole, err := scan(path, data, func(body []byte) error { return state.read(body, secrets) })
	if err == nil && state.Created.IsZero() {
		return nil, 0, unknown(id)
	}
	if err != nil {
		return nil, 0, &Error{Code: nodes.IntegrityMismatch, Message: err.Error(), Err: err,
			Hint: "the run cannot be taken up again; pml runs prune " + id + " removes it"}
	}
	return state, whole, nil
}

// Info is one run as it is listed.
type Info struct {
	ID     string
	Status Status
	// Size is how many bytes the journal has.
	Size int64
	*State
}

// Read reads a run that somebody else may be working on.
func (s *Store) Read(id string) (Info, error) {
	if !s.has(id) {
		return Info{}, unknown(id)
	}
	state, size, err := s.load(id)
	for again := 0; err != nil && again < 10 && s.busy(id); again++ { // it was being written while it was read
		time.Sleep(time.Millisecond)
		state, size, err = s.load(id)
	}
	if err != nil {
		return Info{}, err
	}
	info := Info{id, state.status(), int64(size), state}
	if state.End == nil && s.busy(id) {
		info.Status = Running
	}
	return info, nil
}

func (s *Store) busy(id string) bool {
	lock := s.lock(id, false)
	got, err := lock.TryLock()
	if got {
		_ = lock.Unlock()
	}
	return err == nil && !got
}

// List reads all runs, the newest first. What cannot be read is left out.
func (s *Store) List() ([]Info, error) {
	entries, err := os.ReadDir(filepath.Join(s.dir, "runs"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var list []Info
	for _, e := range entries {
		if info, err := s.Read(e.Name()); err == nil {
			list = append(list, info)
		}
	}
	slices.SortFunc(list, func(a, b Info) int { return b.Created.Compare(a.Created) })
	return list, err
}

// Remove forgets a run that nobody is working on.
func (s *Store) Remove(id string) error {
	if !s.has(id) {
		return unknown(id)
	}
	lock, err := s.hold(id, false)
	if err != nil {
		return err
	}
	err = os.Remove(s.file(id))
	_ = lock.Unlock()
	if separateLock {
		_ = os.Remove(s.lockOf(id))
	}
	return err
}
