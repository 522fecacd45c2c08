package gateway

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
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
		if ip := at.Addr(); err == nil && !private && !isPublic(ip) {
			return fmt.Errorf("%s is an address of the gateway's own network", ip)
		}
		return err
	}}
	c.Transport.(*http.Transport).DialContext = dialer.DialContext
	c.Transport.(*http.Transport).Proxy = nil // whose address would be the one that is looked at
	return c
}

// special are networks that are not the public Internet (IANA, Special-Purpose Address Registries), besides those that
// netip.Addr knows.
var special = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"),      // this network
	netip.MustParsePrefix("100.64.0.0/10"),  // behind a carrier's NAT
	netip.MustParsePrefix("192.0.0.0/24"),   // protocol assignments
	netip.MustParsePrefix("198.18.0.0/15"),  // benchmarks
	netip.MustParsePrefix("240.0.0.0/4"),    // reserved, and broadcast
	netip.MustParsePrefix("::/96"),          // IPv4-compatible
	netip.MustParsePrefix("64:ff9b:1::/48"), // NAT64 of a network's own
	netip.MustParsePrefix("2001::/32"),      // Teredo
	netip.MustParsePrefix("2002::/16"),      // 6to4
	netip.MustParsePrefix("fec0::/10"),      // site-local
}

// nat64 is the well-known prefix of IPv4 addresses that are reached through a translator (RFC 6052).
var nat64 = netip.MustParsePrefix("64:ff9b::/96")

// isPublic reports whether an address is one of the public Internet. Of an IPv4 address in an IPv6 one, that is what
// counts.
func isPublic(ip netip.Addr) bool {
	ip = ip.Unmap().WithZone("")
	if nat64.Contains(ip) {
		b := ip.As16()
		ip = netip.AddrFrom4([4]byte(b[12:]))
	}
	within := func(p netip.Prefix) bool { return p.Contains(ip) }
	return ip.IsGlobalUnicast() && !ip.IsPrivate() && !slices.ContainsFunc(special, within)
}
