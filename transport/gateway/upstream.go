package gateway

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"syscall"
	"time"

	"github.com/casys-ai/pml/transport"
)

// NewUpstream makes the client that proxied servers are called with. Whoever publishes a record must not reach what only
// the gateway can reach: addresses of its own machine and network are refused, unless private allows them.
func NewUpstream(private bool) *http.Client {
	c := transport.NewHTTPClient()
	dialer := &net.Dialer{Timeout: 10 * time.Second, Control: func(_, address string, _ syscall.RawConn) error {
		at, err := netip.ParseAddrPort(address)
		if ip := at.Addr().Unmap(); err == nil && !private && (ip.IsPrivate() || ip.IsLoopback() || ip.IsLinkLocalUnicast() ||
			ip.IsUnspecified() || ip.IsMulticast()) {
			return fmt.Errorf("%s is an address of the gateway's own network", ip)
		}
		return err
	}}
	c.Transport.(*http.Transport).DialContext = dialer.DialContext
	c.Transport.(*http.Transport).Proxy = nil // whose address would be the one that is looked at
	return c
}
