"""Which tables a championship's matches are played at, and by whom."""

import hmac
from typing import NamedTuple

from laelo_common.base32 import derived

from laelo_tournament.domain.state import Championship, is_running


class Sitter(NamedTuple):
    """Who sits in a seat, and the animal that everybody sees there."""

    player: str
    animal: str


class Call(NamedTuple):
    """A match whose teams are known and that nobody has won yet."""

    match: str
    team_a: int
    team_b: int
    table: str
    starts_ms: int
    seats: tuple[Sitter, Sitter, Sitter, Sitter]
    """Seats 0 to 3: the first team in 0 and 2, the second in 1 and 3."""


def table_of(seed: bytes, championship: str, match: str) -> str:
    """The id of a match's table: always the same, and nobody without the seed can tell it."""
    return derived(hmac.digest(seed, f"{championship}/{match}".encode(), "sha256"))


def calls(state: Championship) -> list[Call]:
    """The matches that are to be played or being played, in the order of the bracket."""
    if not is_running(state):
        return []
    return [_call(state, match) for match in state.bracket.matches if _is_open(state, match)]


def open_tables(state: Championship) -> list[str]:
    """The tables of undecided matches, also of a cancelled championship: these are closed."""
    return [state.called[match].table for match in state.called if _is_open(state, match)]


def _is_open(state: Championship, match: str) -> bool:
    return match in state.called and match not in state.decided


def _call(state: Championship, match: str) -> Call:
    called = state.called[match]
    seats = (
        _sitter(state, called.team_a, 0),
        _sitter(state, called.team_b, 0),
        _sitter(state, called.team_a, 1),
        _sitter(state, called.team_b, 1),
    )
    return Call(match, called.team_a, called.team_b, called.table, called.starts_ms, seats)


def _sitter(state: Championship, number: int, place: int) -> Sitter:
    team = state.teams[number - 1]
    return Sitter(team.players[place], team.animals[place])
