"""Nicknames of accounts: each belongs to one person, and no two of them look alike.

They are written in Latin letters, so the table of what looks like what can be short and of our
own; a library would bring all of Unicode's, for letters that are refused here anyway. Names of
guests may be in any alphabet, so the table also knows the Greek and Cyrillic letters with which
they could be made to look like an account's.
"""

import unicodedata
from typing import Final

from laelo_gateway.domain.nickname import MARKS, BadNickname, nickname
from laelo_gateway.domain.refused_words import HOUSE, RUDE

SHORTEST_KEY: Final = 2
ANYWHERE: Final = 6
"""A refused word of so many letters is refused in the middle of others, too."""

_LETTERS: Final = {
    "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ł": "l", "ħ": "h", "ŋ": "n",
}  # fmt: skip
"""Latin letters that fall into no plain letter and mark."""

_CAPITALS: Final = str.maketrans("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "abezhikmnoptyx")
"""Greek capitals look like other letters than their small ones."""
_LOOKALIKES: Final = str.maketrans(
    # Cyrillic, Greek, and Latin ones that only look like others; all as small letters.
    "авекмнорстухѕіјгьзһԁԛԝ" "αβγεηικμνορτυχωϲ" "ıɑɡʟɪʀᴀ",
    "abekmhopctyxsijrb3hdqw" "abyenikuvoptuxwc" "iaglira",
)  # fmt: skip
_SHAPES: Final = str.maketrans({"0": "o", "1": "l", "i": "l"})
_PAIRS: Final = (("rn", "m"), ("vv", "w"))


def account_name(wanted: str) -> str:
    """The name as it is shown. Raises BadNickname."""
    name = nickname(wanted)
    for char in name:
        if not (char == " " or char in MARKS or is_plain(char)):
            raise BadNickname(
                f"“{char}” could be taken for another character, or cannot be read by all:"
                " Latin letters, with or without accents, and digits 0-9 can be used"
            )
    if len(name_key(name)) < SHORTEST_KEY:
        raise BadNickname(f"a nickname has at least {SHORTEST_KEY} letters or digits")
    if word := _refused(name):
        raise BadNickname(f"“{word}” is no part of a nickname here")
    return name


def name_key(name: str) -> str:
    """What names have in common that could be taken for each other; works for any text.

    Case, accents, spaces and marks make no difference, nor do letters that look alike.
    """
    folded = "".join(_plain(char) for char in _decomposed(name))
    folded = folded.translate(_LOOKALIKES).translate(_SHAPES)
    for pair, letter in _PAIRS:
        folded = folded.replace(pair, letter)
    return folded


def is_plain(char: str) -> bool:
    """Whether this is a digit 0-9, a letter a-z with or without accents, or `_LETTERS` has it."""
    if char.isascii():
        return char.isalnum()
    letter = char.lower()
    parts = unicodedata.normalize("NFD", letter)
    is_accented = len(parts) > 1 and parts[0].isascii() and parts[0].isalpha()
    return is_accented or letter in _LETTERS or letter == "ß"


def _decomposed(text: str) -> str:
    """Letters and marks apart, small, without what is only another form of the same."""
    apart = unicodedata.normalize("NFKD", text).translate(_CAPITALS)
    return unicodedata.normalize("NFKD", apart.casefold())


def _plain(char: str) -> str:
    if char in _LETTERS:
        return _LETTERS[char]
    if char.isdecimal():
        return str(unicodedata.decimal(char))
    return char if char.isalnum() else ""


def _refused(name: str) -> str:
    """The refused word in a name, if there is one: alone, beside others, or with digits."""
    spaced = "".join(char if char.isalnum() else " " for char in _decomposed_marks(name))
    parts = {name_key(part.strip("0123456789")) for part in spaced.split()}
    whole = name_key(name)
    for word in (*HOUSE, *RUDE):
        key = name_key(word)
        if (
            key in parts
            or key == whole
            or (word in RUDE and len(word) >= ANYWHERE and key in whole)
        ):
            return word
    return ""


def _decomposed_marks(name: str) -> str:
    """The name without accents, so that they do not part a word."""
    return "".join(char for char in _decomposed(name) if not unicodedata.combining(char))
