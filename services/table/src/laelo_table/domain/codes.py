"""Codes of tables: short enough to be said aloud."""

import re
from hashlib import sha256
from typing import Final

ALPHABET: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
LENGTH: Final = 6
_CODE: Final = re.compile(f"[{ALPHABET}]{{{LENGTH}}}")


def code_of(table: str, attempt: int) -> str:
    """A table's code; another one at each attempt, always the same at the same one."""
    digest = sha256(f"{table} {attempt}".encode()).digest()
    return "".join(ALPHABET[byte % len(ALPHABET)] for byte in digest[:LENGTH])


def is_code(text: str) -> bool:
    """Whether a table can have this code."""
    return _CODE.fullmatch(text) is not None
