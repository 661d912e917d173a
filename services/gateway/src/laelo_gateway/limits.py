"""How much of what one person, or one address, may ask for.

People who come back are never counted by their address: a gateway that is lost sends all
its clients to another one at once, perhaps all of them from one address.
"""

from typing import Final, NamedTuple

from laelo_gateway.domain.bucket import Bucket, Buckets

FINDS: Final = (0.5, 20.0)
"""Codes that one person may look up: a second, and at once."""
SEEKS: Final = (0.2, 5.0)
"""Quick plays of one person."""
ACCOUNTS: Final = (20.0, 1000.0)
"""Requests about accounts from one address."""


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
        self.finds = Buckets(*FINDS)
        """By person."""
        self.seeks = Buckets(*SEEKS)
        """By person."""

    def stranger(self, now: float) -> Bucket:
        """For a connection that has not said yet whose it is."""
        return Bucket(self.of.rate, self.of.burst, now)
