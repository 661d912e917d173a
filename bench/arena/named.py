"""Players by name: `strong:worlds=250`, `strong:ms=200,python=1`, `vote:worlds=10`, `heaviest`,
`program:./bot --fast`.
"""

import shlex
from collections.abc import Callable
from typing import Final

from laelo_bots.domain.levels import Level

from .levels import LevelPlayer, Limits
from .players import Heaviest, Player, PlayerError
from .program import Program
from .vote import WORLDS, Vote

_PROGRAM: Final = "program:"
Maker = Callable[[], Player]


def maker_of(name: str) -> Maker:
    """What makes a player of this name. Raises PlayerError if there is none."""
    if name.startswith(_PROGRAM):
        command = shlex.split(name.removeprefix(_PROGRAM))
        if not command:
            raise PlayerError('a program is named by its command: "program:./bot --fast"')
        return lambda: Program(command)
    kind, _, text = name.partition(":")
    options = _options(name, text)
    if kind == "heaviest":
        _only(name, options, ())
        return Heaviest
    if kind == "vote":
        _only(name, options, ("worlds",))
        worlds = options.get("worlds", WORLDS)
        return lambda: Vote(worlds)
    level = {level.name.lower(): level for level in Level}.get(kind)
    if level is None:
        raise PlayerError(f"there is no player {kind!r}: {', '.join(names())} are there")
    _only(name, options, ("worlds", "ms", "python"))
    limits = Limits(options.get("worlds", 0), options.get("ms", 0), "python" in options)
    return lambda: LevelPlayer(level, limits)


def names() -> list[str]:
    """All kinds of players."""
    return [*(level.name.lower() for level in Level), "heaviest", "vote", "program:COMMAND"]


def _options(name: str, text: str) -> dict[str, int]:
    found: dict[str, int] = {}
    for part in filter(None, text.split(",")):
        key, _, value = part.partition("=")
        if not value.isdecimal() or not int(value):
            raise PlayerError(f"{name}: an option is like worlds=250, not {part!r}")
        found[key] = int(value)
    return found


def _only(name: str, options: dict[str, int], allowed: tuple[str, ...]) -> None:
    for key in options:
        if key not in allowed:
            can = ", ".join(allowed) or "no options"
            raise PlayerError(f"{name}: {key!r} means nothing here, {can} can be given")
