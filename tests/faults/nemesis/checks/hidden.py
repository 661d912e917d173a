"""hidden: no frame names a tile, a seed or a person that its reader may not know.

This looks with its own eyes: it knows who holds what from the deals in the log, and looks at
everything in a frame that could be a tile.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

from laelo.table.v1 import events_pb2
from laelo_rules.engine import TILES
from laelo_table.domain.state import seat_of

from tests.faults.nemesis.checks.finding import Finding
from tests.faults.nemesis.history import Frame, History
from tests.faults.nemesis.logs import Log, TableLog

NO_TILES: Final = frozenset(("scores", "ends", "seats", "fences"))
"""Keys whose pairs of numbers are no tiles."""
NUMBERS: Final = {pair: number for number, pair in enumerate(TILES)}
NOBODY: Final = 4
NO_TIME: Final = 1 << 17
"""Numbers below may be milliseconds as well as the bits of a hand."""


class Known(NamedTuple):
    """What may be known after a commit, by the tiles' bits."""

    hands: tuple[int, int, int, int] = (0, 0, 0, 0)
    """As they were dealt."""
    laid: int = 0
    over: int = 0
    """All that was shown at the end of the newest hand that is over."""
    seeds: frozenset[str] = frozenset()
    """Which nobody may know, in hex."""

    def tiles(self, seat: int) -> int:
        """Those that a seat may know."""
        own = self.hands[seat] if seat < NOBODY else 0
        return own | self.laid | self.over


def known_after(before: Known, commit: events_pb2.Commit) -> Known:
    """What may be known after one commit more."""
    known = before
    for event in commit.events:
        match event.WhichOneof("event"):
            case "deal_committed":
                known = known._replace(seeds=known.seeds | {event.deal_committed.seed.hex()})
            case "dealt":
                after = event.dealt.after
                hands = (after.hand_0, after.hand_1, after.hand_2, after.hand_3)
                known = known._replace(hands=hands, laid=0, over=0)
            case "played":
                known = known._replace(laid=known.laid | 1 << event.played.tile)
            case "hand_ended":
                a, b, c, d = known.hands
                seeds = known.seeds - {event.hand_ended.seed.hex()}
                known = known._replace(over=a | b | c | d, seeds=seeds)
    return known


def check_hidden(history: History, log: Log) -> list[Finding]:
    """Every frame of a table that anybody was sent."""
    known = {name: _known(table) for name, table in log.tables.items()}
    found: list[Finding] = []
    for who, player in history.people.items():
        for heard in history.frames(who):
            frame = heard.frame
            table = log.tables.get(frame.get("table", ""))
            if table is None or not 0 < frame.get("seq", 0) < len(table.states):
                continue
            seq = frame["seq"]
            seat = seat_of(table.states[seq], player)
            found += [
                Finding("hidden", f"{who} {words}", table.id, (seq, seq), (who,))
                for words in told_too_much(frame, known[table.id][seq], seat)
            ]
    return found


def _known(table: TableLog) -> list[Known]:
    known = [Known()]
    for commit in table.commits:
        known.append(known_after(known[-1], commit))
    return known


def told_too_much(frame: Frame, known: Known, seat: int) -> Iterator[str]:
    """What in a frame its reader may not know, in words."""
    for tile in tiles_in(frame.get("d", {})):
        if not known.tiles(seat) >> tile & 1:
            yield f"was told of the tile {TILES[tile]}"
    text = json.dumps(frame)
    for seed in known.seeds:
        if seed in text:
            yield "was told of a seed"
    numbers = set(numbers_in(frame.get("d", {})))
    for other, hand in enumerate(known.hands):
        left = hand & ~known.laid
        if other != seat and left > NO_TIME and not known.over and left in numbers:
            yield f"was told of the hand of seat {other}"


def numbers_in(part: Any) -> Iterator[int]:
    """All numbers in a frame."""
    if isinstance(part, dict):
        part = list(part.values())
    if isinstance(part, list):
        for value in part:
            yield from numbers_in(value)
    elif type(part) is int:
        yield part


def tiles_in(part: Any) -> Iterator[int]:
    """All that could be tiles."""
    if isinstance(part, dict):
        for key, value in part.items():
            if key not in NO_TILES:
                yield from tiles_in(value)
    elif isinstance(part, list):
        if len(part) == 2 and all(type(number) is int for number in part):
            pair = (min(part), max(part))
            if pair in NUMBERS:
                yield NUMBERS[pair]
        else:
            for value in part:
                yield from tiles_in(value)


def check_names(history: History, log: Log, names: Iterable[str]) -> list[Finding]:
    """At championships' tables people are animals, and in brackets until their team is out."""
    official = {name for name, table in log.tables.items() if table.last.championship}
    everybody = set(names)
    found: list[Finding] = []
    for who, player in history.people.items():
        others = everybody - {who} | set(history.people.values()) - {player}
        for heard in history.frames(who):
            frame = heard.frame
            if frame.get("table") in official:
                shown: Any = frame
            elif frame["t"] == "bracket" and frame["d"]["stage"] == "running":
                shown = [team for team in frame["d"]["teams"] if "place" not in team]
            else:
                continue
            text = json.dumps(shown, ensure_ascii=False)
            told = [name for name in others if name in text]
            if told:
                seq = frame.get("seq", 0)
                words = f"{who} was told of {told[0]} where an animal is to be seen"
                found.append(Finding("names", words, frame.get("table", ""), (seq, seq), (who,)))
    return found
