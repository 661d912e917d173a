"""Ids: ULIDs, ids derived from a digest in the same alphabet, and checks of command ids."""

import re
import secrets
import time
from typing import Final

from laelo_common.base32 import ALPHABET as ALPHABET
from laelo_common.base32 import derived as derived

_VALUES: Final = {letter: value for value, letter in enumerate(ALPHABET)}
_ULID: Final = re.compile(r"[0-7][0-9A-HJKMNP-TV-Z]{25}")
_COMMAND: Final = re.compile(r"[0-9A-Za-z_-]{1,64}")

HOUSE_COMMANDS: Final = ("clock-", "bot-", "deal-", "house-")
"""How ids of commands begin that the house gives itself; no client may choose such a one."""


def ulid(milliseconds: int, randomness: bytes) -> str:
    """A ULID from Unix time and 10 random bytes; sorts by time. Raises ValueError."""
    if not 0 <= milliseconds < 1 << 48:
        raise ValueError(f"{milliseconds} ms is no 48-bit time")
    if len(randomness) != 10:
        raise ValueError(f"10 random bytes are wanted, not {len(randomness)}")
    return derived(milliseconds.to_bytes(6) + randomness)


def new_id() -> str:
    """A fresh ULID. Only at the edges of a service: domains are given their ids."""
    return ulid(time.time_ns() // 1_000_000, secrets.token_bytes(10))


def is_id(text: str) -> bool:
    """Whether the text is an id as `ulid` and `derived` write them."""
    return _ULID.fullmatch(text) is not None


def time_of(text: str) -> int:
    """Milliseconds of Unix time in a ULID. Raises ValueError if it is none."""
    if not is_id(text):
        raise ValueError(f"{text!r} is no ULID")
    number = 0
    for letter in text[:10]:
        number = number * 32 + _VALUES[letter]
    return number


def is_command_id(text: str) -> bool:
    """Whether the text may be a command's id: 1-64 letters, digits, `-` and `_`."""
    return _COMMAND.fullmatch(text) is not None


def is_client_command_id(text: str) -> bool:
    """The same for a command from outside: the house's own ids are refused.

    Else somebody could send a command called `clock-<turn>` first, and the clock's own would
    count as done.
    """
    return is_command_id(text) and not text.startswith(HOUSE_COMMANDS)
