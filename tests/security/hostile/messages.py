"""Messages of any proto, made from nothing but its description."""

from random import Random
from typing import Any, Final

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

DEEPEST: Final = 5
_IDS: Final = (
    "01ARZ3NDEKTSV4RRFFQ69G5FAV",
    "01BX5ZZKBKACTAV9WEVGEMMVRZ",
    "7ZZZZZZZZZZZZZZZZZZZZZZZZZ",
)
_TEXTS: Final = (
    "", "x", *_IDS, *_IDS, "ABCDEF", "W1-1", "2026-11-30", "hello", "c-1", "clock-1", "bot-1",
    "a.b", "*", ">", "tbl.>", "a b", "a\0b", "\u202e", "é" * 90, "Z" * 70_000, "../..", "%s%n", "🁣",
)  # fmt: skip
_UNSIGNED: Final = (0, 0, 1, 1, 2, 3, 4, 5, 7, 28, 63, 255, 2**16, 2**31, 2**32 - 1)
_BOUNDS: Final = {
    FieldDescriptor.CPPTYPE_INT32: (-(2**31), 2**31 - 1),
    FieldDescriptor.CPPTYPE_INT64: (-(2**63), 2**63 - 1),
    FieldDescriptor.CPPTYPE_UINT32: (0, 2**32 - 1),
    FieldDescriptor.CPPTYPE_UINT64: (0, 2**64 - 1),
}


def filled(message: Message, chance: Random, depth: int = 0) -> Message:
    """The message with anything in some of its fields."""
    share = chance.choice((0.3, 0.7, 1.0))
    for field in message.DESCRIPTOR.fields:
        if chance.random() < share:
            _fill(message, field, chance, depth)
    return message


def spoilt(message: Message, chance: Random) -> Message:
    """A copy of which one or two fields, at any depth, are something else."""
    made = type(message)()
    made.CopyFrom(message)
    for _ in range(chance.randint(1, 2)):
        inner: Message = made
        while True:
            fields = list(inner.DESCRIPTOR.fields)
            if not fields:
                return made
            field: Any = chance.choice(fields)
            whole = field.message_type is not None and not field.is_repeated
            if not whole or chance.random() < 0.3:
                break
            inner = getattr(inner, field.name)
        inner.ClearField(field.name)
        if chance.random() < 0.8:
            _fill(inner, field, chance, DEEPEST - 1)
    return made


def _fill(message: Message, field: Any, chance: Random, depth: int) -> None:
    if field.message_type is not None:
        if depth >= DEEPEST:
            return
        if not field.is_repeated:
            getattr(message, field.name).SetInParent()
            filled(getattr(message, field.name), chance, depth + 1)
            return
        for _ in range(chance.choice((0, 1, 2, 9))):
            filled(getattr(message, field.name).add(), chance, depth + 1)
    elif field.is_repeated:
        many = chance.choice((0, 1, 4, 8, 16, 64))
        getattr(message, field.name).extend(_value(field, chance) for _ in range(many))
    else:
        setattr(message, field.name, _value(field, chance))


def _value(field: Any, chance: Random) -> Any:
    kind = field.cpp_type
    if kind == FieldDescriptor.CPPTYPE_STRING:
        if field.type == FieldDescriptor.TYPE_BYTES:
            return chance.randbytes(chance.choice((0, 1, 16, 28, 32, 33, 300)))
        return chance.choice(_TEXTS)
    if kind == FieldDescriptor.CPPTYPE_BOOL:
        return chance.random() < 0.5
    if kind == FieldDescriptor.CPPTYPE_ENUM:
        known = [value.number for value in field.enum_type.values]
        return chance.choice([*known, *known, 99, -1, 2**31 - 1])
    if kind in _BOUNDS:
        low, high = _BOUNDS[kind]
        number = chance.choice((*_UNSIGNED, -1, -(2**31), low, high, chance.getrandbits(28)))
        return max(low, min(high, number))
    return chance.choice((0.0, -1.0, 1e308, float("inf"), float("nan")))
