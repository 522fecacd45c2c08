package cli_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/matryer/is"

	"github.com/casys-ai/pml/fixtures/relay"
)

// Over a network of 100 ms there and back: a chain of 8 server calls is one round trip, six calls in two groups are two
// requests in one, and what a program in a sandbox does, call by call, is as many round trips as calls.
func TestRoundTrips(t *testing.T) {
	c := startCloud(t, `{"servers": {}}`, "")
	network, err := relay.New(c.between.Listener.Addr().String(), 50*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(network.Close)
	w := newWorkspace(t, `{"servers": {}}`, `"permissions": {"allow": ["math:*", "crypto:*", "filesystem:*"]}`)
	w.write("secret.txt", "7 unsent words")
	w.env = append(w.env, "PML_API_KEY="+c.key, "PML_CLOUD_URL=http://"+network.Addr())
	for _, x := range []struct {
		name, mode, program, want string
		requests, trips           int
	}{
		{"a chain of 8", "native", chain(8), "576", 1, 1},
		{"a chain of 8, call by call", "script", chain(8), "576", 8, 8},
		{"6 in 2 groups", "native", twoGroups, "[5,88]", 2, 1},
		{"6 in 2 groups, call by call", "script", twoGroups, "[5,88]", 6, 6},
	} {
		t.Run(x.name, func(t *testing.T) {
			is := is.New(t)
			var m tripMeter
			m.together.need(x.requests / x.trips)
			c.mu.Lock()
			c.pass = m.pass
			c.mu.Unlock()
			got := w.pml("", "run", "--mode", x.mode, "-e", x.program)
			is.Equal(got.stderr, "")
			is.Equal(strings.Join(strings.Fields(got.stdout), ""), x.want)
			is.Equal([]int{len(c.sent()), m.trips}, []int{x.requests, x.trips})
		})
	}
}

// tripMeter counts round trips: a request that comes while no other is under way begins one. The first are answered
// when as many are there as should come together, so that a busy machine has its time.
type tripMeter struct {
	together barrier
	mu       sync.Mutex
	open     int
	trips    int
}

func (m *tripMeter) pass(_ int, w http.ResponseWriter, r *http.Request, next http.Handler) {
	m.add(1)
	defer m.add(-1)
	m.together.wait()
	next.ServeHTTP(w, r)
}

func (m *tripMeter) add(n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if n > 0 && m.open == 0 {
		m.trips++
	}
	m.open += n
}
