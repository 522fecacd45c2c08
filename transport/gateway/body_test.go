package gateway

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"

	"github.com/casys-ai/pml/transport"
)

// lazy is an Executor that takes its time, as long as it is let, or answers at length.
type lazy struct {
	Executor
	takes time.Duration
	says  int
}

func (lazy) Tools(context.Context) ([]transport.CloudTool, error) { return nil, nil }

func (l lazy) Execute(ctx context.Context, _ Caller, _ []byte) *transport.Result {
	select {
	case <-time.After(l.takes):
		return transport.TextResult(strings.Repeat("x", l.says) + "done")
	case <-ctx.Done():
		return transport.TextResult("cut short")
	}
}

// line is a real gateway with one seat, and connections to it by hand.
type line struct {
	t    *testing.T
	g    *Gateway
	web  *httptest.Server
	head string // of a request, but for its length
}

func newLine(t *testing.T, e Executor, l Limits) *line {
	t.Helper()
	s := openStore(t)
	_, key, err := s.CreateKey(t.Context(), "a.b")
	if err != nil {
		t.Fatal(err)
	}
	g, err := New(t.Context(), Options{Store: s, Executor: e, Limits: l})
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(g)
	t.Cleanup(web.Close)
	return &line{t, g, web, "POST /mcp HTTP/1.1\r\nHost: x\r\nX-Api-Key: " + key + "\r\nContent-Type: application/json\r\nContent-Length: "}
}

const lazyCall = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"execute","arguments":{"code":"return 1"}}}`

// begin sends a request's head, and what of its body has come so far.
func (l *line) begin(length int, body string) net.Conn {
	l.t.Helper()
	c, err := net.Dial("tcp", l.web.Listener.Addr().String())
	if err != nil {
		l.t.Fatal(err)
	}
	l.t.Cleanup(func() { c.Close() })
	if _, err := fmt.Fprintf(c, "%s%d\r\n\r\n%s", l.head, length, body); err != nil {
		l.t.Fatal(err)
	}
	return c
}

// answer reads what came back.
func (l *line) answer(c net.Conn) (status int, text string) {
	l.t.Helper()
	r, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		l.t.Fatal(err)
	}
	body, _ := io.ReadAll(r.Body)
	return r.StatusCode, string(body)
}

// call sends a whole request.
func (l *line) call() (int, string) { return l.answer(l.begin(len(lazyCall), lazyCall)) }

// Who sends slowly has no seat, and is not waited for; others are served meanwhile.
func TestSlowSender(t *testing.T) {
	is := is.New(t)
	l := newLine(t, lazy{}, Limits{InFlight: 1, Arrive: time.Second})
	slow := l.begin(len(lazyCall), lazyCall[:10])
	status, text := l.call()
	is.Equal(status, http.StatusOK)
	is.True(strings.Contains(text, "done"))
	go func() {
		for _, b := range []byte(lazyCall[10:]) {
			if _, err := slow.Write([]byte{b}); err != nil {
				return
			}
			time.Sleep(100 * time.Millisecond)
		}
	}()
	status, text = l.answer(slow)
	is.Equal(status, http.StatusRequestTimeout)
	is.True(strings.Contains(text, "LIMIT_EXCEEDED") && strings.Contains(text, "did not arrive within 1s"))
	is.Equal(l.g.held.Load(), int64(0))
}

// A request that has arrived may take longer than it may arrive.
func TestSlowCall(t *testing.T) {
	is := is.New(t)
	l := newLine(t, lazy{takes: 400 * time.Millisecond}, Limits{Arrive: 100 * time.Millisecond})
	status, text := l.call()
	is.Equal(status, http.StatusOK)
	is.True(strings.Contains(text, "done"))
}

// Who does not take the answer loses the seat.
func TestSlowReader(t *testing.T) {
	is := is.New(t)
	l := newLine(t, lazy{says: 32 << 20}, Limits{InFlight: 1, Arrive: 200 * time.Millisecond, Wait: time.Minute})
	l.begin(len(lazyCall), lazyCall) // and reads nothing
	for len(l.g.seats) == 0 {
		time.Sleep(time.Millisecond)
	}
	status, text := l.call()
	is.Equal(status, http.StatusOK)
	is.True(strings.Contains(text, "done"))
}

// What requests without a seat hold is bounded, however many they are.
func TestManySlowSenders(t *testing.T) {
	is := is.New(t)
	l := newLine(t, lazy{}, Limits{Body: 1000, Arrive: time.Minute})
	for range heldBodies {
		l.begin(1000, strings.Repeat("x", 999))
	}
	for l.g.held.Load() < heldBodies*999 {
		time.Sleep(time.Millisecond)
	}
	status, text := l.call()
	is.Equal(status, http.StatusServiceUnavailable)
	is.True(strings.Contains(text, "busy"))
	is.Equal(l.g.held.Load(), int64(heldBodies*999))
}
