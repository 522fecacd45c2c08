package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/casys-ai/pml/nodes"
)

// callerKey is where the context of a request holds its Caller.
type callerKey struct{}

func callerOf(ctx context.Context) Caller {
	c, _ := ctx.Value(callerKey{}).(Caller)
	return c
}

// admit lets requests in that bring a key, are not too large and not too many. The caller is in their context.
func (g *Gateway) admit(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		scope, err := g.store.Scope(r.Context(), keyOf(r))
		switch {
		case errors.Is(err, ErrNoKey):
			refuse(w, http.StatusUnauthorized, nodes.MissingAPIKey, "the request has no API key",
				"send it in the header x-api-key; pml reads it from PML_API_KEY")
			return
		case errors.Is(err, ErrBadKey):
			refuse(w, http.StatusUnauthorized, nodes.PermissionDenied, "the API key is not known here, or was revoked",
				"pml gateway key create makes a new one")
			return
		case err != nil:
			g.broke(w, err)
			return
		}
		if !g.rates.allow(scope) {
			w.Header().Set("Retry-After", "1")
			refuse(w, http.StatusTooManyRequests, nodes.LimitExceeded,
				fmt.Sprintf("%s makes more than %g requests a second", scope, g.limits.Rate), "send less at once")
			return
		}
		body, held, ok := g.body(w, r)
		if !ok {
			return
		}
		seated := g.seat(w, r)
		held.release()
		if !seated {
			return
		}
		defer func() { <-g.seats }()
		answer := patient{w, g.limits.Arrive}
		defer answer.extend() // what is left is written when this returns
		r = r.WithContext(context.WithValue(r.Context(), callerKey{},
			Caller{Scope: scope, Package: r.Header.Get("X-PML-Client") == "package"}))
		r.Body = io.NopCloser(bytes.NewReader(body))
		next.ServeHTTP(answer, r)
	})
}

// keyOf is the key of a request.
func keyOf(r *http.Request) string {
	if key := r.Header.Get("X-Api-Key"); key != "" {
		return key
	}
	key, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	return key
}

// seat waits until the request can be worked on.
func (g *Gateway) seat(w http.ResponseWriter, r *http.Request) bool {
	select {
	case g.seats <- struct{}{}:
		return true
	default:
	}
	late := time.NewTimer(g.limits.Wait)
	defer late.Stop()
	select {
	case g.seats <- struct{}{}:
		return true
	case <-r.Context().Done():
		return false
	case <-late.C:
		g.busy(w)
		return false
	}
}

// rates holds the rate of each scope.
type rates struct {
	perSecond float64
	mu        sync.Mutex
	byScope   map[string]*rate.Limiter
}

// burst is how many seconds' worth may come at once.
const burst = 2

func (r *rates) allow(scope string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.byScope == nil {
		r.byScope = map[string]*rate.Limiter{}
	}
	l := r.byScope[scope]
	if l == nil {
		l = rate.NewLimiter(rate.Limit(r.perSecond), int(burst*r.perSecond)+1)
		r.byScope[scope] = l
	}
	return l.Allow()
}

// refuse answers with an error that a client can read.
func refuse(w http.ResponseWriter, status int, code nodes.ErrorCode, message, hint string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{"error": map[string]any{"code": code, "message": message, "hint": hint}})
}

// broke answers a request that failed for no fault of its own.
func (g *Gateway) broke(w http.ResponseWriter, err error) {
	g.log.Error("request failed", "error", err)
	refuse(w, http.StatusInternalServerError, nodes.InternalError, "the gateway failed", "try again later")
}
