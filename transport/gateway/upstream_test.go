package gateway

import (
	"net/netip"
	"testing"

	"github.com/matryer/is"
)

// TestIsPublic: records lead to the public Internet only, however an address is written.
func TestIsPublic(t *testing.T) {
	is := is.New(t)
	for _, ip := range []string{"127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.0.1", "169.254.169.254", "100.100.100.200",
		"0.0.0.0", "0.1.2.3", "198.18.0.1", "192.0.0.8", "240.0.0.1", "255.255.255.255", "224.0.0.1", "::", "::1",
		"::ffff:10.0.0.1", "::ffff:169.254.169.254", "64:ff9b::a9fe:a9fe", "64:ff9b::7f00:1", "64:ff9b:1::1",
		"2002:a9fe:a9fe::1", "2001::1", "fe80::1", "fe80::1%eth0", "fc00::1", "fec0::1", "ff02::1"} {
		is.True(!isPublic(netip.MustParseAddr(ip))) // not an address of the public Internet
	}
	for _, ip := range []string{"1.1.1.1", "::ffff:8.8.8.8", "64:ff9b::808:808", "2606:4700::1111"} {
		is.True(isPublic(netip.MustParseAddr(ip)))
	}
}
