"""JSON that no honest client sends: each of these has broken a server somewhere."""

import json
from random import Random
from typing import Any, Final

NUMBERS: Final = (
    "0", "-0", "-1", "1", "7", "28", "255", "2147483647", "2147483648", "-2147483649",
    "4294967295", "4294967296", "9007199254740991", "9007199254740993", "18446744073709551615",
    "18446744073709551616", "-9223372036854775809", "9" * 400, "9" * 4000, "0.5", "1e3", "1e308",
    "1e999", "-1e999", "1e-999", "0x10", "01", "+1", "NaN", "Infinity", "1_000",
)  # fmt: skip
TEXTS: Final = (
    '""', '"\\u0000"', '"a\\u0000b"', '"\\ud800"', '"\\udc00\\ud800"', '"\\u202eevil"', '"\\ufeff"',
    '"\ud83d\ude00"', '"a\\r\\nSet-Cookie: laelo_session=x"', '"\\u001b[31mred\\u0007"',
    '"../../../etc/passwd"', "\"'; DROP TABLE people; --\"", '"%n%s%x%99999d"', '"{0.__class__}"',
    '"${jndi:ldap://x}"', '"tbl.>"', '"*"', '"$JS.API.STREAM.DELETE.TBL"', '"clock-1"', '"deal-1"',
    '"<script>alert(1)</script>"', '"\\\\"', '"\\x41"', '"\\u12"', '"' + "a" * 300 + '"',
    '"' + "\\u00e9" * 200 + '"', '"' + "Z" * 26 + '"', '"' + "0" * 26 + '"',
)  # fmt: skip
DEEP: Final = ("[" * 1200, "[" * 1200 + "]" * 1200, '{"d":' * 600 + "1" + "}" * 600, '{"a":' * 800)
OTHERS: Final = (
    "null",
    "true",
    "false",
    "[]",
    "{}",
    "[[]]",
    "[null]",
    '{"":{}}',
    "[1,2,3]",
    "",
    " ",
)


def odd(chance: Random) -> str:
    """Any of them, as text that stands for a value."""
    kind = chance.random()
    if kind < 0.40:
        return chance.choice(NUMBERS)
    if kind < 0.75:
        return chance.choice(TEXTS)
    if kind < 0.97:
        return chance.choice(OTHERS)
    return chance.choice(DEEP)


def written(value: Any, chance: Random, spoilt: float = 0.0) -> str:
    """A value as JSON, each part of it replaced by an odd one with the chance `spoilt`; objects
    may lose a member, get a stranger, or have one twice.
    """
    if spoilt and chance.random() < spoilt:
        return odd(chance)
    if isinstance(value, dict):
        return _members(value, chance, spoilt)
    if isinstance(value, list | tuple):
        return "[" + ",".join(written(part, chance, spoilt) for part in value) + "]"
    return json.dumps(value)


def _members(value: dict[str, Any], chance: Random, spoilt: float) -> str:
    members = [(name, written(part, chance, spoilt)) for name, part in value.items()]
    if spoilt and members:
        if chance.random() < spoilt:
            del members[chance.randrange(len(members))]
        if members and chance.random() < spoilt:
            name, _ = chance.choice(members)
            members.append((name, odd(chance)))
        if chance.random() < spoilt:
            members.append(
                (chance.choice(("", "t", "d", "id", "__proto__", "constructor")), odd(chance))
            )
        if chance.random() < spoilt:
            chance.shuffle(members)
    return "{" + ",".join(f"{json.dumps(name)}:{part}" for name, part in members) + "}"


def damaged(text: bytes, chance: Random) -> bytes:
    """The text with some of its bytes gone, doubled or turned over."""
    made = bytearray(text)
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(made) + 1)
        what = chance.randrange(5)
        if what == 0:
            del made[at:]
        elif what == 1 and at < len(made):
            made[at] ^= 1 << chance.randrange(8)
        elif what == 2:
            made[at:at] = chance.randbytes(chance.randint(1, 8))
        elif what == 3:
            made[at:at] = made[at : at + chance.randint(1, 40)]
        else:
            del made[at : at + chance.randint(1, 8)]
    return bytes(made)
