"""How much of what one person, or one address, may ask for.

People who come back are never counted by their address: a gateway that is lost sends all
its clients to another one at once, perhaps all of them from one address.
"""

from collections import Counter
from typing import Final, NamedTuple

from laelo_common.errors import Code, LaeloError

from laelo_gateway.domain.bucket import Bucket, Buckets

FINDS: Final = (0.5, 20.0)
"""Codes that one person may look up: a second, and at once."""
SEEKS: Final = (0.2, 5.0)
"""Quick plays of one person."""
ACCOUNTS: Final = (20.0, 1000.0)
"""Requests about accounts from one address."""
OPENS: Final = (0.2, 30.0)
"""Tables that one person may open."""
GUESSES: Final = (2.0, 300.0)
"""Tokens and cookies from one address that are nobody's: each costs a look into the database."""
PERSON_SOCKETS: Final = 100
"""Sockets that one person may have: windows, and some that are gone and not yet known to be."""


class Limits(NamedTuple):
    """Rates a second, and how many at once."""

    rate: float = 200.0
    burst: float = 400.0
    guest_rate: float = 20.0
    guest_burst: float = 3000.0
    code_rate: float = 2.0
    code_burst: float = 300.0
    sign_in_rate: float = 2.0
    sign_in_burst: float = 300.0
    sockets: int = 20_000
    address_sockets: int = 5_000


class Room:
    """How many may be in at the same time: `most` of all, `each` of one key."""

    def __init__(self, most: int, each: int) -> None:
        self._most = most
        self._each = each
        self._inside: Counter[str] = Counter()
        self._all = 0

    def enter(self, key: str) -> bool:
        """Let one more in, if there is room."""
        if self._all >= self._most or self._inside[key] >= self._each:
            return False
        self._inside[key] += 1
        self._all += 1
        return True

    def leave(self, key: str) -> None:
        """One who was let in has left."""
        self._all -= 1
        self._inside[key] -= 1
        if not self._inside[key]:
            del self._inside[key]


class Guesses:
    """Tokens that come from one address: those that are nobody's count, the others don't."""

    def __init__(self, kept: Buckets, address: str, now: float) -> None:
        self._kept = kept
        self._address = address
        self._now = now

    def check(self) -> None:
        """May one more be looked for? Raises LaeloError with TOO_FAST."""
        if self._kept.is_spent(self._address, self._now):
            words = "too many tokens from this address are nobody's: wait a moment"
            raise LaeloError(Code.TOO_FAST, words)

    def missed(self) -> None:
        """It was nobody's."""
        self._kept.take(self._address, self._now)


class Limiters:
    """The buckets behind the limits."""

    def __init__(self, limits: Limits) -> None:
        self.of = limits
        self.frames = Buckets(limits.rate, limits.burst)
        """By person: all frames of all their connections."""
        self.guests = Buckets(limits.guest_rate, limits.guest_burst)
        """By address: guests that are new."""
        self.codes = Buckets(limits.code_rate, limits.code_burst)
        """By address: codes that are looked up, as there are only so many."""
        self.sign_ins = Buckets(limits.sign_in_rate, limits.sign_in_burst)
        """By address: each sign-in is two steps."""
        self.accounts = Buckets(*ACCOUNTS)
        """By address."""
        self.guesses = Buckets(*GUESSES)
        """By address: tokens that are nobody's. Who comes with a good one is not counted."""
        self.addresses = Room(limits.sockets, limits.address_sockets)
        """Sockets by address."""
        self.windows = Room(limits.sockets, PERSON_SOCKETS)
        """Sockets by person."""
        self.opens = Buckets(*OPENS)
        """By person: tables that are opened."""
        self.finds = Buckets(*FINDS)
        """By person."""
        self.seeks = Buckets(*SEEKS)
        """By person."""

    def looks(self, address: str, now: float) -> Guesses:
        """For a connection that comes with a token or a cookie."""
        return Guesses(self.guesses, address, now)

    def stranger(self, now: float) -> Bucket:
        """For a connection that has not said yet whose it is."""
        return Bucket(self.of.rate, self.of.burst, now)
