"""Who is at the other end of a connection, for limits that go by address."""

import ipaddress
from typing import Final

IPV6_PREFIX: Final = 64
"""One household has as many addresses as it likes within one of these networks."""


def peer_of(host: str, forwarded: str | None, proxies: int) -> str:
    """The client's address. `proxies` of our own stand before us, and each adds to
    X-Forwarded-For who came to it: what stands further left is hearsay.
    """
    hops = [hop.strip() for hop in forwarded.split(",")] if forwarded else []
    if proxies < 1 or not hops:
        return host
    return hops[-proxies] if proxies <= len(hops) else hops[0]


def limited_as(peer: str) -> str:
    """What addresses of the same household have in common."""
    try:
        address = ipaddress.ip_address(peer.partition("%")[0].strip("[]"))
    except ValueError:
        return peer
    if address.version == 4:
        return str(address)
    mapped = address.ipv4_mapped
    if mapped is not None:
        return str(mapped)
    return str(ipaddress.ip_network((address, IPV6_PREFIX), strict=False))
