"""The alphabet of ids, and ids of digests: pure, so that domains may use it."""

from typing import Final

ALPHABET: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's base 32: no I, L, O, U."""

_LENGTH: Final = 26


def derived(digest: bytes) -> str:
    """An id of the first 16 bytes of a digest: for what has to get the same id each time.

    It looks like a ULID and is as unique as the digest, but its time means nothing.
    """
    if len(digest) < 16:
        raise ValueError(f"at least 16 bytes are wanted, not {len(digest)}")
    number = int.from_bytes(digest[:16])
    return "".join(ALPHABET[number >> shift & 31] for shift in range(5 * (_LENGTH - 1), -1, -5))
