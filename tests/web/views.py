"""What a table, a bracket or a match of the past looks like on the wire, without any server.

Matches are really played, by the domain of the services and with chance of their own, until they
are where a picture of the page wants them.
"""

import json
import random
from collections.abc import Callable
from functools import cache
from typing import Any

import msgspec
from laelo.archive.v1 import archive_pb2
from laelo.rules.v1 import rules_pb2
from laelo_archive.domain import shown as archived
from laelo_archive.domain.judged import Judged, JudgementRow, asked
from laelo_archive.domain.judged import told as tell_judged
from laelo_archive.domain.project import Stream
from laelo_gateway.championships.domain.bracket import bracket_of
from laelo_gateway.replays.domain import shown as retold
from laelo_gateway.replays.domain.judged import judgement as retell_judged
from laelo_table.domain.commands import Gone
from laelo_table.domain.spell import TILES
from laelo_table.domain.state import Phase, Table, phase_of
from laelo_table.domain.view import snapshot
from laelo_tournament.domain.public import entries, public

from services.archive.tests.kit import rows_of
from services.archive.tests.test_archive_shown import parts
from services.table.tests.kit import PEOPLE, Game
from services.table.tests.kit import TABLE as PLAYED
from services.tournament.tests.championships import Story, names

Frame = dict[str, Any]
Wanted = Callable[[Table], bool]

NAMES = dict(zip(PEOPLE, ("Anna", "Maria da Conceição", "Zé Ramalho", "Dandara"), strict=True))
NICKNAMES = (
    *("Severino", "Maria da Conceição", "Zé", "Luzia", "Biu do Pina", "Dandara", "Marluce", "Nô"),
    *("Cida", "Tonho", "Rosa", "Chico", "Ivone", "Dedé", "Neide", "Juca", "Lia", "Carminha"),
)
SEEDS = 400
"""How many matches are tried until one comes where it is wanted."""
LATER_MS = 4_000
"""How long after its newest commit a table is seen."""


def playing(state: Table) -> bool:
    """The first seat has to play, in the midst of a hand."""
    begun = state.begun
    return (
        begun is not None
        and begun.seat == 0
        and not begun.choosing
        and not begun.must_pass
        and len(begun.plays) > 1
        and len(state.turns) >= 9
    )


def either_end(state: Table) -> bool:
    """The first seat has a tile that fits at both ends, which show different numbers."""
    return playing(state) and bool(_for_both_ends(state))


def knocking(state: Table) -> bool:
    """The first seat has nothing to lay."""
    begun = state.begun
    return begun is not None and begun.seat == 0 and begun.must_pass and len(state.turns) > 7


def choosing(state: Table) -> bool:
    """The first seat says who opens."""
    return phase_of(state) is Phase.CHOOSE and state.begun is not None and state.begun.seat == 0


def hand_won(state: Table) -> bool:
    """A hand is over: lá e lô, by the first pair."""
    if phase_of(state) is not Phase.PAUSE:
        return False
    end = state.hands[-1].end
    return end.reason == rules_pb2.REASON_LA_E_LO and end.team == 0


def hand_blocked(state: Table) -> bool:
    """A hand is over: blocked, and the other pair counted less."""
    if phase_of(state) is not Phase.PAUSE:
        return False
    end = state.hands[-1].end
    return end.reason == rules_pb2.REASON_COUNT and end.team == 1


def match_won(state: Table) -> bool:
    """The first pair has won, after a few hands."""
    return state.match_end is not None and state.match_end.team == 0 and len(state.hands) > 2


def match_to_nothing(state: Table) -> bool:
    """The other pair has won, and this one has not a point."""
    return state.match_end is not None and state.match_end.team == 1 and state.match_end.buchuda


@cache
def game(wanted: Wanted, people: int = 4, clock: int = 15) -> Game:
    """A table of friends where something is so."""
    for seed in range(SEEDS):
        found = Game(random.Random(seed)).open(people, move_seconds=clock).start()
        if _play_until(found, wanted):
            return found
    raise LookupError(wanted.__name__)


@cache
def official(wanted: Wanted) -> Game:
    """A championship's table where something is so."""
    for seed in range(SEEDS):
        found = Game(random.Random(seed)).open_match().begin_match()
        if _play_until(found, wanted):
            return found
    raise LookupError(wanted.__name__)


def lobby(people: int) -> Game:
    """A table of friends before the match."""
    return Game(random.Random(1)).open(people)


def with_somebody_gone(found: Game) -> Game:
    """The same table, whose second person has just lost the connection."""
    left = Game(found.chance, state=found.state, now_ms=found.now_ms, digest=found.digest)
    seat = left.state.seats[1]
    left.must(Gone(seat.player, 1, seat.fence))
    return left


def _play_until(found: Game, wanted: Wanted) -> bool:
    while not wanted(found.state):
        if found.state.match_end is not None:
            return False
        found.step()
    return True


def tile_for_both_ends(found: Game) -> tuple[int, int]:
    """The tile that the first seat may lay at either end."""
    return TILES[_for_both_ends(found.state)[0] & 31]


def _for_both_ends(state: Table) -> list[int]:
    return [] if state.begun is None else [play for play in state.begun.plays if play >> 5 == 3]


def seen(found: Game, table: str, seat: int = 0) -> Frame:
    """The table as a seat sees it, 4 for who has none, under an id of the test's own."""
    frame = json.loads(snapshot(found.state, seat, found.now_ms + LATER_MS).frame)
    del frame["now"]
    frame["table"] = table
    for who in frame["d"]["seats"]:
        if "name" in who:
            who["name"] = NAMES[who["name"].lower()]
    return dict(frame)


def replayed() -> Frame:
    """A whole match of friends, as one of them is told of it."""
    rows, _ = rows_of(Stream.TABLES, PLAYED, game(match_won).stored)
    match, people, hands = parts(rows)
    told = archived.replay(match, people, (), hands, PEOPLE[0])
    return _plain(retold.replay(told, PEOPLE[0], NAMES))


def replayed_in_a_championship(is_revealed: bool) -> Frame:
    """A whole match of a championship, as one of them is told of it before and after it may be
    known who was who (R40).
    """
    rows, _ = rows_of(Stream.TABLES, PLAYED, official(match_won).stored)
    match, people, hands = parts(rows)
    named = PEOPLE if is_revealed else ()
    told = archived.replay(match, people, named, hands, PEOPLE[0])
    return _plain(retold.replay(told, "" if is_revealed else PEOPLE[0], NAMES))


def judged() -> Frame:
    """What is thought of the same match, by a judge that says each word in turn."""
    rows, _ = rows_of(Stream.TABLES, PLAYED, game(match_won).stored)
    match, people, hands = parts(rows)
    found = []
    for number, one in enumerate(asked(hands)):
        best, lost = 0.3 + number % 40 / 100, number % 4 / 50
        row = JudgementRow(
            table_id=PLAYED,
            match=match.match,
            hand=one.hand,
            turn=one.turn,
            seat=one.seat,
            word=1 + number % 4,
            best_tile=27,
            best_laid=2,
            equity_best=best,
            equity_played=best - lost,
            points_best=1.0,
            points_played=1.0 - lost,
            standard_error=0.02,
            worlds=4000,
            engine="c-2",
        )
        found.append(row)
    told = tell_judged(Judged(match, people, (), hands, found), PEOPLE[0])
    return _plain(retell_judged(told, PEOPLE[0], NAMES))


def remembered() -> Frame:
    """The history of one who has played three matches."""
    rows = []
    for wanted in (match_won, match_to_nothing):
        known, _ = rows_of(Stream.TABLES, PLAYED, game(wanted).stored)
        match, people, _ = parts(known)
        rows.append(archived.history_row(match, people, (), PEOPLE[0]))
    told = archive_pb2.HistoryResponse(rows=rows)
    return _plain(retold.history(told, PEOPLE[0], NAMES))


@cache
def championship(players: int, moves: int | None = None) -> Story:
    """A championship after so many matches, or at its end."""
    story = Story().start(names(players))
    for number, _ in enumerate(story.rounds(random.Random(5)), 1):
        if number == moves:
            break
    return story


def bracket(story: Story, team: int | None = None) -> Frame:
    """Its bracket, for everybody or for one of a team."""
    told = public(story.state)
    known = {
        player: NICKNAMES[number % len(NICKNAMES)]
        for number, player in enumerate(told.players or names(32))
    }
    drawn = bracket_of(told, entries(story.state), known, story.now_ms)
    body = _plain(drawn)
    if team is not None:
        body["mine"] = {"team": team, "animal": body["teams"][team - 1]["animals"][0]}
    return {"t": "bracket", "d": body}


def _plain(value: object) -> Frame:
    return dict(msgspec.json.decode(msgspec.json.encode(value)))
