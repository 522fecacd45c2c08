package cli

import (
	"context"
	"errors"
	"net"
	"net/http"
	"time"
)

// stopGrace is how long requests under way have to end.
const stopGrace = 5 * time.Second

// serveHTTP serves until ctx ends.
func serveHTTP(ctx context.Context, l net.Listener, s *http.Server) error {
	s.ReadHeaderTimeout, s.IdleTimeout = 10*time.Second, 2*time.Minute
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(l) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopGrace)
	defer cancel()
	if s.Shutdown(grace) != nil {
		s.Close()
	}
	if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
