"""Which packages of the lock the services need: the lock holds those of tests and tools too."""

import re
from collections.abc import Iterable, Iterator
from importlib.metadata import requires
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

MEMBERS = ("common", "rules", "bots", "table", "matchmaking", "tournament", "archive", "gateway")
_ENTRY = re.compile(r"^(?P<name>[\w.-]+)==", re.MULTILINE)


def needed(members: Iterable[str] = MEMBERS) -> set[str]:
    """Names of all that the members need, and of what those need, as installed in this Python."""
    found: set[str] = set()
    waiting = [(f"laelo-{member}", frozenset[str]()) for member in members]
    seen = set(waiting)
    while waiting:
        name, extras = waiting.pop()
        found.add(name)
        for requirement in _requirements(name, extras):
            key = (canonicalize_name(requirement.name), frozenset(requirement.extras))
            if key not in seen:
                seen.add(key)
                waiting.append(key)
    return {name for name in found if not name.startswith("laelo-")}


def _requirements(name: str, extras: frozenset[str]) -> Iterator[Requirement]:
    for text in requires(name) or ():
        requirement = Requirement(text)
        marker = requirement.marker
        if marker is None or any(marker.evaluate({"extra": extra}) for extra in (*extras, "")):
            yield requirement


def part_of(lock: Path, names: set[str]) -> str:
    """The entries of a lock for these packages. Raises KeyError for one that is not locked."""
    entries = re.split(r"^(?=\S)", lock.read_text(), flags=re.MULTILINE)[1:]
    locked = {canonicalize_name(match["name"]): e for e in entries if (match := _ENTRY.match(e))}
    return "".join(locked[canonicalize_name(name)] for name in sorted(names))
