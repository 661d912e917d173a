"""A folder with a certificate, its key and its authority, as cert-manager mounts them."""

import ssl
from pathlib import Path
from typing import Final, NamedTuple

CERTIFICATE, KEY, AUTHORITY = "tls.crt", "tls.key", "ca.crt"
FILES: Final = (CERTIFICATE, KEY, AUTHORITY)
_NEWEST: Final = "..data"
"""A volume of Kubernetes is this link, which moves to a new folder when a secret changes."""

Stamp = tuple[tuple[int, int, int], ...]
"""Changes whenever a file is written or replaced."""


class TlsError(Exception):
    """Files that cannot be used: one sentence with the cause and the way out."""


class Pems(NamedTuple):
    """What the files say."""

    certificate: bytes
    key: bytes
    authority: bytes
    ends: float = 0.0
    """When the certificate runs out (Unix time)."""


def stamp(folder: Path) -> Stamp:
    """Of the files as they are now. Raises TlsError."""
    found = []
    for name in FILES:
        try:
            seen = (folder / name).stat()
        except OSError as error:
            raise TlsError(_unreadable(folder / name, error)) from error
        found.append((seen.st_mtime_ns, seen.st_ino, seen.st_size))
    return tuple(found)


def read(folder: Path, name: str) -> Pems:
    """The files, if they are good for the service `name`. Raises TlsError."""
    now = _settled(folder)
    pems = _contents(now)
    ends = _try_out(now, pems, name)
    if _contents(now) != pems:
        raise TlsError(f"the files in {folder} changed while they were read: try again")
    return pems._replace(ends=ends)


def _contents(folder: Path) -> Pems:
    parts = []
    for file in FILES:
        try:
            parts.append((folder / file).read_bytes())
        except OSError as error:
            raise TlsError(_unreadable(folder / file, error)) from error
    certificate, key, authority = parts
    return Pems(certificate, key, authority)


def _settled(folder: Path) -> Path:
    """Where the three of them belong together, even if they are replaced meanwhile."""
    newest = folder / _NEWEST
    return newest.resolve() if newest.is_symlink() else folder


def _unreadable(file: Path, error: OSError) -> str:
    wanted = f"the folder needs {CERTIFICATE}, {KEY} and {AUTHORITY}, readable by this user"
    return f"{file} cannot be read ({error.strerror}): {wanted}"


def _try_out(folder: Path, pems: Pems, name: str) -> float:
    """Have the certificate shake hands with itself, as server and as client: so key, authority,
    dates, both usages and the name are known to be right before anybody depends on them. When it
    runs out.
    """
    theirs = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    ours = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    theirs.verify_mode = ssl.CERT_REQUIRED
    for context in (theirs, ours):
        try:
            context.load_verify_locations(cadata=pems.authority.decode("ascii"))
        except (ssl.SSLError, ValueError) as error:
            raise TlsError(f"{folder / AUTHORITY} holds no certificate of an authority") from error
        try:
            # Without any password OpenSSL would ask for it on the terminal.
            context.load_cert_chain(folder / CERTIFICATE, folder / KEY, password="")
        except (ssl.SSLError, OSError) as error:
            raise TlsError(
                f"{folder / CERTIFICATE} and {KEY} are no certificate and its key ({error})"
            ) from error
    try:
        return _shake_hands(theirs, ours, name)
    except ssl.SSLError as error:
        reason = getattr(error, "verify_message", "") or error.reason or str(error)
        raise TlsError(
            f"{folder / CERTIFICATE} is no certificate of {AUTHORITY} for {name!r} ({reason}): it"
            f" needs the DNS name {name!r}, and the usages server auth and client auth"
        ) from error


def _shake_hands(theirs: ssl.SSLContext, ours: ssl.SSLContext, name: str) -> float:
    """A handshake in memory; the end of the server's certificate. Raises SSLError."""
    up, down = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = ours.wrap_bio(down, up, server_hostname=name)
    server = theirs.wrap_bio(up, down, server_side=True)
    waiting = [client, server]
    while waiting:
        side = waiting.pop(0)
        try:
            side.do_handshake()
        except ssl.SSLWantReadError:
            waiting.append(side)
    seen = client.getpeercert() or {}
    return ssl.cert_time_to_seconds(str(seen["notAfter"]))
