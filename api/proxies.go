package api

import (
	"fmt"
	"net/netip"
)

// proxies are the reverse proxies whose word is believed.
type proxies []netip.Prefix

func readProxies(list []string) (proxies, error) {
	var out proxies
	for _, p := range list {
		if a, err := netip.ParseAddr(p); err == nil {
			out = append(out, netip.PrefixFrom(a, a.BitLen()))
			continue
		}
		n, err := netip.ParsePrefix(p)
		if err != nil {
			return nil, fmt.Errorf("trusted proxies: %q is neither an address nor a network", p)
		}
		out = append(out, n)
	}
	return out, nil
}

func (p proxies) trusts(address string) bool {
	a, err := netip.ParseAddr(address)
	if err != nil {
		return false
	}
	for _, n := range p {
		if n.Contains(a.Unmap()) {
			return true
		}
	}
	return false
}
