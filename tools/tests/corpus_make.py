"""Adds matches to the corpus until it has all that can happen: `python -m tools.tests.corpus_make`.

Those that are in it stay as they are: they were recorded. Nobody needs this who has not changed
what can happen.
"""

import json
import lzma
from collections.abc import Iterator
from itertools import count
from random import Random
from typing import Any

from laelo.table.v1 import events_pb2
from laelo_table.domain.commands import Empty, Gone
from laelo_table.domain.hosting import OLDEST_MS

from .corpus import FOLDER, MANIFEST, MATCHES, described, kinds, manifest, packed, recorded
from .played import kit

WANTED = (
    *(f"hand: {reason}" for reason in range(1, 7)),
    *(f"closed: {closing}" for closing in (1, 2, 3, 4, 5)),
    *("match: won", "match: buchuda", "match: buchuda de re", "official", "friendly"),
    *("seat_left", "seat_held", "person_gone", "person_back", "bot_stands_in", "seats_swapped"),
    *("bytes_added", "deadline_moved", "opener_chosen"),
)
LEAST = 16
MOST_TRIED = 3000


def candidates() -> Iterator[list[bytes]]:
    """Matches of all kinds, without end."""
    for ended in (_cancelled, _deserted, _old):
        yield ended().stored
    for seed in count(1):
        yield kit().random_match(seed, 1 + seed % 4, (0, 2, 15)[seed % 3]).stored
        yield kit().lively_match(seed, 1 + seed % 4, (0, 15)[seed % 2]).stored
        yield kit().drawn_match(seed).stored


def _cancelled() -> Any:
    """A championship's match whose table is closed in the midst of a hand."""
    game = kit().Game(Random(1)).open_match().begin_match()
    for _ in range(60):
        game.step()
    cancel = kit().match_command(kind=kit().table_pb2.KIND_CANCEL, command="cancel", people=[])
    game.must(cancel)
    return game


def _deserted() -> Any:
    """A table that everybody has left, and that is closed for it."""
    game = kit().Game(Random(2)).open(2, move_seconds=15).start()
    for _ in range(40):
        game.step()
    for seat, player in enumerate(("ana", "bia")):
        game.must(Gone(player, seat, game.state.seats[seat].fence))
    since_ms = game.state.empty_ms
    game.now_ms = since_ms + 1000
    game.must(Empty(since_ms, 1000))
    return game


def _old() -> Any:
    """A table that is closed for its age."""
    game = kit().Game(Random(3)).open(1)
    game.start().play_on()
    game.now_ms += OLDEST_MS
    game.do(game.ask(kit().table_pb2.KIND_START, "ana"))
    return game


def main() -> None:
    """Add what is missing."""
    matches, told = (recorded(), manifest()) if MATCHES.exists() else ([], [])
    has = {kind for match in told for kind in match["has"]}
    for number, stored in enumerate(candidates()):
        if stored in matches:
            continue
        missing = set(WANTED) - has
        if number > MOST_TRIED or (not missing and len(matches) >= LEAST):
            break
        found = set(kinds([events_pb2.Commit.FromString(data) for data in stored]))
        if missing & found or len(matches) < LEAST // 2:
            matches.append(stored)
            told.append(described(stored))
            has |= found
    FOLDER.mkdir(exist_ok=True)
    MATCHES.write_bytes(lzma.compress(b"".join(map(packed, matches)), preset=9))
    MANIFEST.write_text(json.dumps(told, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    print(f"{len(matches)} matches, {MATCHES.stat().st_size} bytes; missing: {set(WANTED) - has}")


if __name__ == "__main__":
    main()
