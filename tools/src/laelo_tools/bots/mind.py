"""From a turn to the command that answers it."""

from random import Random
from typing import Any, Final

from laelo_bots.domain.levels import Level, choose
from laelo_bots.domain.position import Position, read
from laelo_bots.domain.view import View
from laelo_rules.engine import ChooseOpener, Pass, Play

LEVELS: Final = {level.name.lower(): level for level in Level if level is not Level.STRONG}
"""Those that need no search: a crowd of searching bots would leave no time for the platform."""
_ENDS: Final = {1: "left", 2: "right"}

Part = dict[str, Any]


def answer(turn: Part, view: View | None, level: Level, chance: Random) -> tuple[str, Part]:
    """Kind and data of a legal command, without turn and fence. Without a view, or with one that
    lacks something, any legal move is as good as another.
    """
    position = read(view) if view is not None else None
    if not isinstance(position, Position):
        return _any(turn, chance)
    move = choose(position, level, chance.getrandbits(32))
    match move:
        case ChooseOpener():
            return "choose_opener", {"opener": move.opener}
        case Pass():
            return "pass", {}
        case Play():
            end = {"end": _ENDS[move.end]} if move.end else {}
            return "play", {"tile": list(move.tile), **end}


def _any(turn: Part, chance: Random) -> tuple[str, Part]:
    if turn.get("choosing"):
        return "choose_opener", {"opener": chance.choice((turn["seat"], turn["seat"] ^ 2))}
    if turn.get("must_pass"):
        return "pass", {}
    play = chance.choice(turn["plays"])
    ends = play.get("ends")
    return "play", {"tile": play["tile"], **({"end": chance.choice(ends)} if ends else {})}
