package transport

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/casys-ai/pml/fixtures/testserver"
)

// TestMain makes the test binary the test server, or a parent that is killed, when it is started with their flags.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "-config", "-sleep":
			os.Exit(testserver.Main(os.Args[1:]))
		case "-parent":
			parent(os.Args[2])
		}
	}
	os.Exit(m.Run())
}

// parent is a process that uses a server and is killed: TestKilledParent.
func parent(config string) {
	exe, _ := os.Executable()
	p := NewPool([]ServerConfig{{Name: "s", Command: exe, Args: []string{"-config", config}}}, PoolOptions{})
	if _, err := p.Tools(context.Background(), "s"); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println(p.Status("s").PID)
	time.Sleep(time.Hour)
}

// bench is a Pool with one test server, "s", and its event log.
type bench struct {
	*Pool
	config ServerConfig
	log    string
	out    *syncBuffer
}

// newBench starts nothing yet; tweak may be nil.
func newBench(t testing.TB, config string, tweak func(*PoolOptions)) *bench {
	t.Helper()
	b := &bench{config: testServer(t, config), out: &syncBuffer{}}
	b.log = b.config.Args[3]
	opts := PoolOptions{
		Logger:  slog.New(slog.NewTextHandler(b.out, &slog.HandlerOptions{Level: slog.LevelDebug})),
		Environ: []string{"PATH=/usr/bin:/bin", "HOME=/h", "PML_API_KEY=secret", "LC_ALL=C"},
	}
	if tweak != nil {
		tweak(&opts)
	}
	b.Pool = NewPool([]ServerConfig{b.config, {Name: "gone", Command: "no-such-command"}}, opts)
	before := runtime.NumGoroutine() - 2 // the pool has two now
	t.Cleanup(func() { b.Close(); noMoreGoroutines(t, before) })
	return b
}

func testServer(t testing.TB, config string) ServerConfig {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "config.json")
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return ServerConfig{
		Name: "s", Command: exe, Args: []string{"-config", file, "-log", filepath.Join(dir, "log.jsonl")},
		Env: map[string]string{"OWN": "1", "GORACE": "atexit_sleep_ms=0"}, Dir: dir,
	}
}

func noMoreGoroutines(t testing.TB, before int) {
	t.Helper()
	var n int
	for range 100 {
		if n = runtime.NumGoroutine(); n <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	stacks := make([]byte, 1<<16)
	t.Errorf("%d goroutines, %d before:\n%s", n, before, stacks[:runtime.Stack(stacks, true)])
}

// logged is a line of the test server's event log.
type logged struct {
	T     int64
	Event string
	ID    int64
	Tool  string
	Args  json.RawMessage
	Pid   int
}

// logged reads the server's log: those with the name event, or all.
func (b *bench) logged(t testing.TB, event string) []logged {
	t.Helper()
	data, err := os.ReadFile(b.log)
	if err != nil {
		t.Fatal(err)
	}
	var out []logged
	for lines := bufio.NewScanner(bytes.NewReader(data)); lines.Scan(); {
		var e logged
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			t.Fatal(err)
		}
		if event == "" || e.Event == event {
			out = append(out, e)
		}
	}
	return out
}

// eventually waits for a condition.
func eventually(t testing.TB, what string, ok func() bool) {
	t.Helper()
	for range 300 {
		if ok() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("never happened: %s", what)
}

// syncBuffer is a bytes.Buffer for several goroutines.
type syncBuffer struct {
	mu sync.Mutex
	b  strings.Builder
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}
