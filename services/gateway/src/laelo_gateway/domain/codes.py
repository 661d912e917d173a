"""A table's code as people write it, and what one looks like."""

import re
from typing import Final

LENGTH: Final = 6
LOOKS_LIKE: Final = (
    f"a table's code has {LENGTH} characters, letters A-Z without O and I or digits 2-9,"
    " such as K7M2XQ; spaces, dashes and small letters do not matter"
)

_LEFT_OUT: Final = re.compile(r"[\s_\u00ad\u200b-\u200f\u2010-\u2015\u2060\u2212\ufeff-]+")
"""Spaces and dashes of all kinds, and what comes along unseen when a code is copied."""
_CODE: Final = re.compile(rf"[A-HJ-NP-Z2-9]{{{LENGTH}}}")


def table_code(written: str) -> str | None:
    """The code that was meant, or None if it is none: a wrong character is not guessed at."""
    code = _LEFT_OUT.sub("", written)
    return code.upper() if code.isascii() and _CODE.fullmatch(code.upper()) else None
