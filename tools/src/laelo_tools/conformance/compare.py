"""What was expected beside what came, where they differ."""

import json
from collections.abc import Iterator
from typing import Any


def differences(expected: Any, came: Any) -> list[str]:
    """Each place that differs: `after.turn: expected 3, came 2`.

    Hands, what may be played and open matches are sets.
    """
    return list(_walk("", _in_order(expected), _in_order(came)))


def _in_order(value: Any, key: str = "") -> Any:
    if isinstance(value, dict):
        return {name: _in_order(part, name) for name, part in value.items()}
    if isinstance(value, list):
        if key == "hands":
            return [sorted(hand) for hand in value]
        return sorted(value, key=json.dumps) if key in ("boneyard", "plays", "open") else value
    return value


_MISSING = object()


def _walk(path: str, expected: Any, came: Any) -> Iterator[str]:
    if isinstance(expected, dict) and isinstance(came, dict):
        for key in [*expected, *(key for key in came if key not in expected)]:
            inner = f"{path}.{key}" if path else key
            yield from _walk(inner, expected.get(key, _MISSING), came.get(key, _MISSING))
    elif expected != came or type(expected) is not type(came):
        yield f"{path or 'all'}: expected {_show(expected)}, came {_show(came)}"


def _show(value: Any) -> str:
    return "nothing" if value is _MISSING else json.dumps(value, ensure_ascii=False)
