package gateway

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"sync/atomic"
	"time"

	"github.com/casys-ai/pml/nodes"
)

// heldBodies is how many of the longest requests may be held by those that have no seat yet.
const heldBodies = 32

// errFull says that the requests without a seat hold as much as they may.
var errFull = errors.New("too much is waiting")

// held reads a request's body, and counts what it holds until it has a seat.
type held struct {
	from  io.Reader
	own   int64
	total *atomic.Int64
	most  int64
}

// Read implements io.Reader.
func (h *held) Read(p []byte) (int, error) {
	n, err := h.from.Read(p)
	h.own += int64(n)
	if h.total.Add(int64(n)) > h.most {
		return n, errFull
	}
	return n, err
}

func (h *held) release() {
	h.total.Add(-h.own)
	h.own = 0
}

// body reads a request that is not too large and comes in time. Whoever sends slowly has no seat meanwhile, holds no more
// than what has come, and is not waited for. When false, it is answered; release h when the request has a seat.
func (g *Gateway) body(w http.ResponseWriter, r *http.Request) (body []byte, h *held, ok bool) {
	connection := http.NewResponseController(w)
	_ = connection.SetReadDeadline(time.Now().Add(g.limits.Arrive)) // what is no connection has no slow sender
	h = &held{from: http.MaxBytesReader(w, r.Body, g.limits.Body), total: &g.held, most: heldBodies * g.limits.Body}
	body, err := io.ReadAll(h)
	var large *http.MaxBytesError
	switch {
	case err == nil:
		_ = connection.SetReadDeadline(time.Time{}) // it would end the request's context
		return body, h, true
	case errors.As(err, &large):
		refuse(w, http.StatusRequestEntityTooLarge, nodes.LimitExceeded,
			fmt.Sprintf("the request is longer than %d bytes", g.limits.Body), "send less at once")
	case errors.Is(err, os.ErrDeadlineExceeded):
		w.Header().Set("Connection", "close")
		refuse(w, http.StatusRequestTimeout, nodes.LimitExceeded,
			fmt.Sprintf("the request did not arrive within %s", g.limits.Arrive), "send less at once, or over a faster line")
	case errors.Is(err, errFull):
		w.Header().Set("Connection", "close")
		g.busy(w)
	}
	h.release()
	return nil, nil, false
}

// busy answers a request that cannot be worked on now.
func (g *Gateway) busy(w http.ResponseWriter) {
	w.Header().Set("Retry-After", "5")
	refuse(w, http.StatusServiceUnavailable, nodes.LimitExceeded, "the gateway is busy", "try again later")
}

// patient is an answer for whose reader one waits so long, and then no more: it has a seat.
type patient struct {
	http.ResponseWriter
	wait time.Duration
}

// Write implements http.ResponseWriter.
func (p patient) Write(b []byte) (int, error) {
	p.extend()
	return p.ResponseWriter.Write(b)
}

// Flush implements http.Flusher.
func (p patient) Flush() {
	p.extend()
	_ = http.NewResponseController(p.ResponseWriter).Flush()
}

// Unwrap is for http.ResponseController.
func (p patient) Unwrap() http.ResponseWriter { return p.ResponseWriter }

// extend gives the reader its time from now on.
func (p patient) extend() {
	_ = http.NewResponseController(p.ResponseWriter).SetWriteDeadline(time.Now().Add(p.wait))
}
