"""Nicknames: which can be used, and what is shown for who gave none."""

import unicodedata

SHORTEST, LONGEST = 2, 20
MARKS = frozenset("-_.'’!&")
INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0")
"""Letters and marks that show as nothing, so that two names would look alike."""

WORD = {"pt": "Visita", "es": "Visita", "en": "Guest"}


class BadNickname(ValueError):  # noqa: N818 - reads as what it says
    """The name cannot be used; the text says why, for people."""


def nickname(wanted: str) -> str:
    """The name as it is shown: composed (NFC), single spaces. Raises BadNickname."""
    name = " ".join(unicodedata.normalize("NFC", wanted).split(" ")).strip()
    while "  " in name:
        name = name.replace("  ", " ")
    if not SHORTEST <= len(name) <= LONGEST:
        raise BadNickname(
            f"a nickname has {SHORTEST} to {LONGEST} characters, this one has {len(name)}"
        )
    for before, char in zip(" " + name, name, strict=False):
        _check(before, char)
    if not any(char.isalnum() for char in name):
        raise BadNickname("a nickname has at least one letter or digit")
    return name


def default_nickname(language: str, number: int) -> str:
    """A name for who gave none: `Visita 4821`; `number` is anything."""
    word = WORD.get(language[:2].lower(), WORD["pt"])
    return f"{word} {1000 + number % 9000}"


def _check(before: str, char: str) -> None:
    """Refuse what can't be seen, and what is no letter, digit, space or listed mark."""
    kind = unicodedata.category(char)
    if char in INVISIBLE or kind in ("Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"):
        raise BadNickname(f"U+{ord(char):04X} cannot be seen; leave it out")
    if char == " " or char in MARKS or kind[0] == "L" or kind == "Nd":
        return
    # A mark that has no composed form belongs to the letter before it; one is enough.
    if kind in ("Mn", "Mc") and unicodedata.category(before)[0] == "L":
        return
    allowed = " ".join(sorted(MARKS))
    raise BadNickname(f"“{char}” cannot be used: letters, digits, spaces and {allowed} can")
