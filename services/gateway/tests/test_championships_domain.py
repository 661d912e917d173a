"""What may be told of queue and championships: nothing by which a hidden player is known (R40)."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec
from hypothesis import given
from hypothesis import strategies as st
from laelo.matchmaking.v1 import matchmaking_pb2
from laelo.tournament.v1 import tournament_pb2
from laelo_common.wire import championship as wire
from laelo_common.wire import server
from laelo_gateway.championships.domain import bracket, calls, line
from laelo_gateway.testing.tournament import SEED, Told, drawn

NOW = 1_700_000_000_000
CUP = "01HF7YAT00CHAMP10NSH1P0000"
SIZES = (8, 16, 32)


def people(count: int) -> list[str]:
    return [f"01HF7YAT00P1AYER0000000{number:03d}" for number in range(count)]


def nicknames(players: list[str]) -> dict[str, str]:
    return {player: f"nick-of-{player[-3:]}" for player in players}


class Seen(NamedTuple):
    """A state, and who looks at it."""

    told: Told
    players: list[str]
    viewer: int
    """Index of the viewer among the players, in the order of the draw."""
    placed: frozenset[int]
    starts: int


@st.composite
def running(draw: st.DrawFn) -> Seen:
    """A championship that runs, in any state; the tournament service tells too much of it: ids
    of every team, the seed and the list. The gateway must not depend on its tact.
    """
    players = people(draw(st.sampled_from(SIZES)))
    teams = range(1, len(players) // 2 + 1)
    viewer = draw(st.integers(0, len(players) - 1))
    placed = draw(st.frozensets(st.sampled_from(teams)))
    starts = NOW + draw(st.integers(-20_000, 20_000))
    told = drawn(CUP, players, starts)
    for match in draw(st.lists(st.sampled_from(told.championship.matches), max_size=6)):
        if match.table:
            match.winner = draw(st.sampled_from((match.team_a, match.team_b)))
            match.score_a, match.score_b = 6, draw(st.integers(0, 5))
    overshare(told, players, placed)
    return Seen(told, players, viewer, placed, starts)


def overshare(told: Told, players: list[str], placed: frozenset[int]) -> None:
    for team in told.championship.teams:
        pair = [entry for entry in told.entries if entry.team == team.number]
        team.players[:] = [entry.player for entry in sorted(pair, key=lambda entry: entry.place)]
        if team.number in placed:
            team.best, team.worst, team.points = 5, 6, 8
    told.championship.seed = SEED
    told.championship.players[:] = players


def exchanged(seen: Seen, order: list[int]) -> Told:
    """The same championship with other people in the teams that are hidden from the viewer."""
    hidden = [
        index
        for index in range(len(seen.players))
        if index // 2 + 1 not in seen.placed and index != seen.viewer
    ]
    mixed = list(seen.players)
    shuffled = [hidden[i] for i in order if i < len(hidden)]
    for place, index in zip(hidden, shuffled, strict=True):
        mixed[place] = seen.players[index]
    told = Told(tournament_pb2.Championship(), [])
    told.championship.CopyFrom(seen.told.championship)
    for entry in seen.told.entries:
        copied = tournament_pb2.Entry()
        copied.CopyFrom(entry)
        copied.player = mixed[2 * (entry.team - 1) + entry.place]
        told.entries.append(copied)
    # Nor may the order in which the entries come tell anything.
    told.entries.sort(key=lambda entry: order[(entry.team * 2 + entry.place) % len(order)])
    overshare(told, mixed, seen.placed)
    return told


def all_bytes(told: Told, names: Mapping[str, str], player: str, now: int) -> bytes:
    """Everything that one viewer can be sent of a championship; "" = who is not in it."""
    entry = next((entry for entry in told.entries if entry.player == player), None)
    championship, entries = told
    public = bracket.frame_of(bracket.bracket_of(championship, entries, names, now), now)
    if entry is None:
        return public
    own = bracket.mine(entry)
    text = bracket.with_mine(public, own)
    page = msgspec.json.encode(bracket.bracket_of(championship, entries, names, now, own))
    call = calls.call_of(championship, entry, now)
    return b"\n".join([text, page, calls.frame_of(call, now) if call is not None else b"none"])


@given(running(), st.data())
def test_states_that_differ_in_hidden_players_give_everybody_else_the_same_bytes(
    seen: Seen, data: st.DataObject
) -> None:
    order = data.draw(st.permutations(range(len(seen.players))))
    other = exchanged(seen, order)
    names = nicknames(seen.players)
    viewer = seen.players[seen.viewer]
    for player in (viewer, ""):
        assert all_bytes(seen.told, names, player, NOW) == all_bytes(other, names, player, NOW)


@given(running())
def test_no_id_nickname_or_seed_of_who_is_hidden_is_in_what_anybody_is_sent(seen: Seen) -> None:
    names = nicknames(seen.players)
    hidden = [player for i, player in enumerate(seen.players) if i // 2 + 1 not in seen.placed]
    for player in (*seen.players, ""):
        sent = all_bytes(seen.told, names, player, NOW)
        # Not even one's own id is needed: it is in no frame, so it can be searched for too.
        assert not any(p.encode() in sent or names[p].encode() in sent for p in hidden)
        assert not any(p.encode() in sent for p in seen.players)
        assert SEED.hex().encode() not in sent


@given(running())
def test_names_are_shown_of_placed_teams_and_of_no_other(seen: Seen) -> None:
    names = nicknames(seen.players)
    shown = bracket.bracket_of(seen.told.championship, seen.told.entries, names, NOW)
    for team in shown.teams:
        pair = seen.players[2 * team.number - 2 : 2 * team.number]
        if team.number in seen.placed:
            assert team.names == (names[pair[0]], names[pair[1]])
            assert (team.place, team.points) == ((5, 6), 8)
        else:
            assert (team.names, team.place, team.points) == (None, None, 0)


@given(running())
def test_own_part_in_the_shared_frame_is_what_a_frame_for_one_would_be(seen: Seen) -> None:
    names = nicknames(seen.players)
    entry = seen.told.entries[seen.viewer]
    own = bracket.mine(entry)
    championship, entries = seen.told
    public = bracket.frame_of(bracket.bracket_of(championship, entries, names, NOW), NOW)
    full = bracket.frame_of(bracket.bracket_of(championship, entries, names, NOW, own), NOW)
    assert bracket.with_mine(public, own) == full
    assert msgspec.json.decode(full, type=server.BracketFrame).d.mine == own


@given(running())
def test_a_call_names_the_open_match_and_ones_own_seat_at_it(seen: Seen) -> None:
    for entry in seen.told.entries:
        found = [
            match
            for match in seen.told.championship.matches
            if entry.team in (match.team_a, match.team_b) and match.table and not match.winner
        ]
        call = calls.call_of(seen.told.championship, entry, NOW)
        if not found:
            assert call is None
            continue
        assert call is not None
        assert (call.match, call.table) == (found[0].id, found[0].table)
        assert call.seat % 2 == (entry.team == found[0].team_b)
        assert call.seat // 2 == entry.place
        assert call.ms == max(0, seen.starts - NOW)


def test_partner_and_rivals_are_called_to_the_four_seats() -> None:
    told = drawn(CUP, people(8), NOW)
    seats = []
    for entry in told.entries[:4]:
        call = calls.call_of(told.championship, entry, NOW)
        assert call is not None
        seats.append(call.seat)
    assert seats == [0, 2, 1, 3]


def test_ids_and_seed_are_shown_when_it_is_over_and_when_it_was_cancelled() -> None:
    players = people(8)
    for stage in (tournament_pb2.STAGE_OVER, tournament_pb2.STAGE_CANCELLED):
        told = drawn(CUP, players, NOW)
        told.place(1, 4, 4)
        told.end(stage, NOW + 1, "rain")
        championship, entries = told
        shown = bracket.bracket_of(championship, reversed(entries), nicknames(players), NOW)
        assert shown.seed == SEED.hex()
        assert shown.players == tuple(sorted(players))
        assert shown.drawn == tuple(zip(players[::2], players[1::2], strict=True))
        assert (shown.ended, shown.reason) == (NOW + 1, "rain")
        # Who was not out yet when it was cancelled gets no name: nobody has seen them placed.
        assert [team.names is not None for team in shown.teams] == [True, False, False, False]
        assert calls.call_of(championship, entries[7], NOW) is None
        assert not calls.is_in(championship, entries[7])


def test_whose_account_is_no_more_has_an_empty_name_and_unknown_is_none() -> None:
    players = people(8)
    told = drawn(CUP, players, NOW)
    told.place(1, 4, 4)
    championship, entries = told
    names = {players[0]: "Ana", players[1]: ""}
    assert bracket.bracket_of(championship, entries, names, NOW).teams[0].names == ("Ana", "")
    del names[players[1]]
    unknown = bracket.bracket_of(championship, entries, names, NOW).teams[0]
    assert (unknown.names, unknown.place) == (None, (4, 4))


def test_one_is_in_a_championship_until_the_own_team_is_placed() -> None:
    told = drawn(CUP, people(8), NOW)
    first, other = told.entries[0], told.entries[7]
    assert calls.is_in(told.championship, first)
    told.place(1, 4, 4)
    assert not calls.is_in(told.championship, first)
    assert calls.is_in(told.championship, other)
    assert not calls.is_in(told.championship, None)


# The queue.


@st.composite
def queues(draw: st.DrawFn) -> tuple[matchmaking_pb2.Queue, int]:
    players = draw(st.permutations(people(draw(st.integers(1, 40)))))
    places = [
        matchmaking_pb2.Place(player=p, joined_ms=NOW - i, away_ms=draw(st.sampled_from((0, NOW))))
        for i, p in enumerate(players)
    ]
    queue = matchmaking_pb2.Queue(version=draw(st.integers(1, 99)), places=places, wait_ms=180_000)
    if draw(st.booleans()):
        queue.next_tier = tournament_pb2.TIER_SILVER
        queue.next_ms = NOW + draw(st.integers(-5000, 5000))
    return queue, draw(st.integers(0, len(players) - 1))


def told_of(queue: matchmaking_pb2.Queue, player: str, left: wire.Leaving | None = None) -> bytes:
    return line.frame_of(line.queue_of(line.line_of(queue), player, left, NOW), NOW)


@given(queues(), st.data())
def test_who_else_waits_and_who_is_away_changes_no_byte(
    found: tuple[matchmaking_pb2.Queue, int], data: st.DataObject
) -> None:
    queue, viewer = found
    player = queue.places[viewer].player
    other = matchmaking_pb2.Queue()
    other.CopyFrom(queue)
    for i, place in enumerate(other.places):
        if i != viewer:
            place.player = f"{place.player[:-4]}{data.draw(st.integers(1, 9))}{i:03d}"
            place.away_ms = data.draw(st.sampled_from((0, NOW - 7)))
            place.joined_ms = NOW + data.draw(st.integers(-99, 99))
    for looker in (player, ""):
        sent = told_of(queue, looker)
        assert sent == told_of(other, looker)
        assert not any(place.player.encode() in sent for place in queue.places)


@given(queues())
def test_everybody_is_told_how_many_are_before_them(
    found: tuple[matchmaking_pb2.Queue, int],
) -> None:
    queue, _ = found
    for i, place in enumerate(queue.places):
        seen = queue_in(told_of(queue, place.player))
        assert (seen["count"], seen["ahead"]) == (len(queue.places), i)
    assert "ahead" not in queue_in(told_of(queue, ""))


def queue_in(frame: bytes) -> dict[str, Any]:
    decoded = msgspec.json.decode(frame, type=server.QueueFrame)
    assert decoded.now == NOW
    data: dict[str, Any] = msgspec.json.decode(frame)["d"]
    return data


def test_what_starts_next_is_told_and_never_a_time_that_is_over() -> None:
    places = [matchmaking_pb2.Place(player=player) for player in people(9)]
    queue = matchmaking_pb2.Queue(version=1, places=places, wait_ms=5)
    assert "next" not in queue_in(told_of(queue, ""))
    queue.next_tier, queue.next_ms = tournament_pb2.TIER_BRONZE, NOW + 250
    assert queue_in(told_of(queue, ""))["next"] == {"tier": "bronze", "ms": 250}
    queue.next_ms = NOW - 250
    assert queue_in(told_of(queue, ""))["next"] == {"tier": "bronze", "ms": 0}
    assert queue_in(told_of(queue, "", "gone"))["left"] == "gone"
