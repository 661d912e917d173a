"""A championship as it is shown: names and ids only where R40 allows them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import msgspec
from laelo.tournament.v1 import tournament_pb2
from laelo_common.wire import championship as wire
from laelo_common.wire import server

TIERS: Final[dict[int, wire.Tier]] = {
    tournament_pb2.TIER_BRONZE: "bronze",
    tournament_pb2.TIER_SILVER: "silver",
    tournament_pb2.TIER_GOLD: "gold",
}
STAGES: Final[dict[int, wire.Stage]] = {
    tournament_pb2.STAGE_RUNNING: "running",
    tournament_pb2.STAGE_OVER: "over",
    tournament_pb2.STAGE_CANCELLED: "cancelled",
}
NO_NAMES: Final[Mapping[str, str]] = {}
_encode: Final = msgspec.json.encode
_END: Final = b"}}"


def is_running(championship: tournament_pb2.Championship) -> bool:
    """Whether it goes on: until then nobody learns the seed, nor who is in it."""
    return championship.stage not in (
        tournament_pb2.STAGE_OVER,
        tournament_pb2.STAGE_CANCELLED,
    )


def is_placed(team: tournament_pb2.Team) -> bool:
    """Whether a team is out or champion, so that all may know who it was (R40)."""
    return team.best > 0


def shown_players(championship: tournament_pb2.Championship) -> tuple[str, ...]:
    """The ids whose names are shown: players of teams that are out or champion."""
    return tuple(p for team in championship.teams if is_placed(team) for p in team.players)


def bracket_of(
    championship: tournament_pb2.Championship,
    entries: Iterable[tournament_pb2.Entry],
    names: Mapping[str, str],
    now: int,
    own: wire.Mine | None = None,
) -> wire.Bracket:
    """The bracket for everybody or, with `own`, for one who is in it. `entries` are looked at
    only when it runs no more; `names` has a name, "" of who is no more, for each id that could
    be looked up.
    """
    ended = not is_running(championship)
    return wire.Bracket(
        id=championship.id,
        version=championship.version,
        tier=TIERS[championship.tier],
        stage=STAGES[championship.stage],
        started=championship.started_ms,
        commitment=championship.commitment.hex(),
        teams=tuple(_team(team, names) for team in championship.teams),
        matches=tuple(_match(match, now) for match in championship.matches),
        champion=championship.champion or None,
        ended=championship.ended_ms if ended else None,
        reason=championship.reason,
        seed=championship.seed.hex() if ended else "",
        players=tuple(championship.players) if ended else (),
        drawn=_drawn(entries) if ended else (),
        mine=own,
    )


def mine(entry: tournament_pb2.Entry) -> wire.Mine:
    """Who the viewer is: for nobody else."""
    return wire.Mine(entry.team, entry.animal)


def frame_of(bracket: wire.Bracket, now: int) -> bytes:
    """The frame for everybody, without `mine`."""
    return _encode(server.BracketFrame(now=now, d=bracket))


def with_mine(frame: bytes, own: wire.Mine) -> bytes:
    """The same frame for one who is in it: `mine` is the last of its fields."""
    return b'%b,"mine":%b}}' % (frame.removesuffix(_END), _encode(own))


def _team(team: tournament_pb2.Team, names: Mapping[str, str]) -> wire.Team:
    first, second = team.animals
    if not is_placed(team):
        return wire.Team(team.number, (first, second))
    known = [names[player] for player in team.players if player in names]
    return wire.Team(
        team.number,
        (first, second),
        names=(known[0], known[1]) if len(known) == 2 else None,
        place=(team.best, team.worst),
        points=team.points,
    )


def _match(match: tournament_pb2.Match, now: int) -> wire.Match:
    waits = match.starts_ms > now and not match.winner
    return wire.Match(
        match.id,
        (match.team_a or None, match.team_b or None),
        table=match.table,
        ms=match.starts_ms - now if waits else None,
        winner=match.winner or None,
        scores=(match.score_a, match.score_b) if match.winner else None,
    )


def _drawn(entries: Iterable[tournament_pb2.Entry]) -> tuple[tuple[str, str], ...]:
    """The ids by team; nothing if they are not known in full."""
    teams: dict[int, dict[int, str]] = {}
    for entry in entries:
        teams.setdefault(entry.team, {})[entry.place] = entry.player
    pairs: Sequence[dict[int, str]] = [teams[number] for number in sorted(teams)]
    if any(pair.keys() != {0, 1} for pair in pairs):
        return ()
    return tuple((pair[0], pair[1]) for pair in pairs)
