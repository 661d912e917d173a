"""Ports: taken or not, said in one sentence before anything else begins."""

import errno
import socket

from laelo_common.runtime.service import SetupError


def check_free(host: str, port: int, variable: str) -> None:
    """Raise SetupError if nobody can listen there; `variable` is how to choose another."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except OSError as error:
        raise SetupError(f"{host!r} is no address to listen on ({error.strerror})") from error
    family, kind, protocol, _, address = found[0]
    with socket.socket(family, kind, protocol) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(address)
            probe.listen(1)
        except OSError as error:
            raise SetupError(sentence(error, host, port, variable)) from error


def sentence(error: OSError, host: str, port: int, variable: str) -> str:
    """What is wrong with a port, and the way out."""
    way_out = f"set {variable} to another one (0 = any free one)"
    if error.errno == errno.EADDRINUSE:
        return f"port {port} on {host} is taken by another program: stop that one, or {way_out}"
    if error.errno == errno.EACCES:
        return f"port {port} on {host} may not be used by this user: {way_out}"
    return f"port {port} on {host} cannot be used ({error.strerror}): {way_out}"


def target(host: str, port: int) -> str:
    """Host and port as gRPC writes them."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
