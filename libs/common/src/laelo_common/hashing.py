"""Where something is at home among replicas: rendezvous hashing.

Each id orders the replicas in its own way. Whoever knows the same replicas finds the same
order, and when a replica comes or goes only the ids that it is first for move.
"""

from functools import lru_cache
from hashlib import blake2b

_CACHED = 65_536


@lru_cache(maxsize=_CACHED)
def home_order(key: str, replicas: frozenset[str]) -> tuple[str, ...]:
    """The replicas in the order in which they are to be asked about `key`, its home first."""
    return tuple(sorted(replicas, key=lambda replica: (_score(key, replica), replica)))


def home(key: str, replicas: frozenset[str]) -> str | None:
    """The replica where `key` is at home; None if there is none."""
    order = home_order(key, replicas)
    return order[0] if order else None


def _score(key: str, replica: str) -> bytes:
    """The same in every process and version of Python, unlike `hash`."""
    return blake2b(key.encode(), key=_short(replica), digest_size=8).digest()


@lru_cache(maxsize=1024)
def _short(replica: str) -> bytes:
    """A replica's name as a key of fixed length, however long its address is."""
    return blake2b(replica.encode(), digest_size=16).digest()
