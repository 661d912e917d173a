"""From the commits of a table to the rows of its matches, hands and people."""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from laelo.rules.v1 import rules_pb2
from laelo.table.v1 import events_pb2
from laelo_common.upcast import newest
from msgspec.structs import replace

from laelo_archive.domain import turns
from laelo_archive.domain.rows import HandRow, MatchRow, PersonRow, Row
from laelo_archive.domain.table import (
    NO_TABLE,
    NOBODY,
    Deal,
    End,
    Hand,
    Match,
    Person,
    Seat,
    Table,
)

_LONGEST_MS: Final = 2**31 - 1
ALL_TILES: Final = list(range(turns.NO_TILE))


class UnknownEventError(Exception):
    """A commit of a newer version: nobody here can tell what follows from it."""


class Moment(NamedTuple):
    """A commit's circumstances, and the hands that end in it."""

    table: str
    time_ms: int
    actor: int
    ended: list[HandRow]


def fold(before: Table, commit: events_pb2.Commit) -> tuple[Table, list[Row]]:
    """The table after a commit, and the rows that are new or changed.

    Raises UnknownEventError; what else is raised means that the commit does not follow.
    """
    head = commit.head
    moment = Moment(head.aggregate, head.time_ms, head.actor, [])
    after = before
    is_closed = False
    for event in commit.events:
        kind, told = newest(event)
        if kind is None:
            raise UnknownEventError(f"commit {head.version}")
        step = _STEPS.get(kind)
        if step is not None:
            after = step(after, told, moment)
        is_closed = is_closed or kind == "table_closed"
    rows: list[Row] = [*moment.ended]
    if after.match is not before.match or after.seats is not before.seats:
        after = _with_people(after)
        rows += _changed(moment.table, before, after)
    return NO_TABLE if is_closed else after, rows


def _with_people(state: Table) -> Table:
    """Remember who sits, for as long as the match is played."""
    match = state.match
    if match is None or match.end is not None:
        return state
    people = {person.player: person for person in match.people}
    for number, seat in enumerate(state.seats):
        if seat.player:
            known = people.get(seat.player)
            opposite = state.seats[number ^ 2].player
            partner = opposite or (known.partner if known else "")
            people[seat.player] = Person(seat.player, number, partner, seat.name, seat.guest)
    return replace(state, match=replace(match, people=tuple(people.values())))


def _changed(table: str, before: Table, after: Table) -> list[Row]:
    """The rows of the match and its people, as far as they are not what they were."""
    match = after.match
    if match is None:
        return []
    then = before.match if before.match and before.match.number == match.number else None
    if then is not None and then.end is not None:
        return []  # who comes and goes after a match has no part in it
    known = set(then.people) if then else set()
    rows: list[Row] = [_match_row(table, after, match)]
    rows += [
        PersonRow(
            player=person.player,
            table_id=table,
            match=match.number,
            started_ms=match.started_ms,
            seat=person.seat,
            partner=person.partner,
            championship=after.championship,
            name=person.name,
            guest=person.guest,
        )
        for person in match.people
        if person not in known
    ]
    return rows


def _match_row(table: str, state: Table, match: Match) -> MatchRow:
    end = match.end or End(0)
    return MatchRow(
        table_id=table,
        match=match.number,
        championship=state.championship,
        official=state.official,
        spectators=state.spectators,
        public=state.public,
        move_seconds=state.move_seconds,
        started_ms=match.started_ms,
        ended_ms=end.ended_ms,
        closing=end.closing,
        hands=match.hands,
        players=[seat.player for seat in state.seats],
        bots=[seat.bot for seat in state.seats],
        animals=[seat.animal for seat in state.seats],
        winner=end.winner,
        score_0=match.scores[0],
        score_1=match.scores[1],
        buchuda=end.buchuda,
        buchuda_de_re=end.buchuda_de_re,
    )


def _opened(state: Table, event: events_pb2.TableOpened, _: Moment) -> Table:
    options = event.options
    return replace(
        state,
        spectators=options.spectators,
        public=options.public,
        move_seconds=options.move_seconds,
        championship=options.championship,
        official=options.match,
    )


def _seat_taken(state: Table, event: events_pb2.SeatTaken2, _: Moment) -> Table:
    person = event.person
    seat = Seat(
        player=person.player,
        name=person.guest_name,
        guest=person.HasField("guest_name"),
        level=event.bot,
        animal=person.animal,
    )
    return _seated(state, event.seat, seat)


def _seat_left(state: Table, event: events_pb2.SeatLeft, _: Moment) -> Table:
    return _seated(state, event.seat, Seat())


def _bot_stands_in(state: Table, event: events_pb2.BotStandsIn, _: Moment) -> Table:
    return _seated(state, event.seat, replace(state.seats[event.seat], stand_in=event.level))


def _person_back(state: Table, event: events_pb2.PersonBack, _: Moment) -> Table:
    if not state.seats[event.seat].stand_in:
        return state
    return _seated(state, event.seat, replace(state.seats[event.seat], stand_in=0))


def _seats_swapped(state: Table, event: events_pb2.SeatsSwapped, _: Moment) -> Table:
    one, other = state.seats[event.seat], state.seats[event.other]
    return _seated(_seated(state, event.seat, other), event.other, one)


def _seated(state: Table, number: int, seat: Seat) -> Table:
    a, b, c, d = (seat if n == number else old for n, old in enumerate(state.seats))
    return replace(state, seats=(a, b, c, d))


def _match_started(state: Table, event: events_pb2.MatchStarted, moment: Moment) -> Table:
    if state.match is not None and event.match <= state.match.number:
        raise ValueError("a match that was begun before")
    return replace(state, match=Match(event.match, moment.time_ms), hand=None, next_deal=None)


def _deal_committed(state: Table, event: events_pb2.DealCommitted, _: Moment) -> Table:
    return replace(state, next_deal=Deal(event.commitment, event.seed))


def _bytes_added(state: Table, event: events_pb2.BytesAdded, _: Moment) -> Table:
    deal = _there(state.next_deal)
    added = tuple(sorted((*deal.added, (event.seat, event.bytes))))
    return replace(state, next_deal=replace(deal, added=added))


def _dealt(state: Table, event: events_pb2.Dealt, moment: Moment) -> Table:
    if event.hand != _there(state.match).hands + 1:
        raise ValueError("a hand that is not the next one of its match")
    after = event.after
    chooses = after.phase == rules_pb2.PHASE_CHOOSE_OPENER
    hand = Hand(
        number=event.hand,
        deal=_there(state.next_deal),
        dealt_ms=moment.time_ms,
        opening=event.opening,
        chooser=after.turn if chooses else NOBODY,
        order=event.order,
        method=event.method,
        multiplier=after.multiplier,
        players=tuple(seat.player for seat in state.seats),
        bots=tuple(seat.bot for seat in state.seats),
        opener=NOBODY if chooses else after.turn,
        scores=(after.score_0, after.score_1),
    )
    return replace(state, hand=hand, next_deal=None)


def _opener_chosen(state: Table, event: events_pb2.OpenerChosen, moment: Moment) -> Table:
    hand = _there(state.hand)
    chosen = replace(
        hand,
        opener=event.opener,
        chosen_after_ms=min(max(moment.time_ms - hand.dealt_ms, 0), _LONGEST_MS),
        chosen_by=moment.actor,
    )
    return replace(state, hand=chosen)


def _turn_began(state: Table, event: events_pb2.TurnBegan, _: Moment) -> Table:
    hand = replace(_there(state.hand), choices=len(event.plays), short=event.short_clock)
    return replace(state, hand=hand)


def _played(state: Table, event: events_pb2.Played, moment: Moment) -> Table:
    if event.tile >= turns.NO_TILE:
        raise ValueError(f"there is no tile {event.tile}")
    return _turned(state, event, (event.tile, event.end), moment)


def _passed(state: Table, event: events_pb2.Passed, moment: Moment) -> Table:
    return _turned(state, event, (turns.NO_TILE, 0), moment)


def _turned(
    state: Table,
    event: events_pb2.Played | events_pb2.Passed,
    laid: tuple[int, int],
    moment: Moment,
) -> Table:
    hand, after = _there(state.hand), event.after
    turn = turns.Turn(
        event.seat,
        *laid,
        actor=moment.actor,
        short=hand.short,
        choices=hand.choices,
        left=after.left,
        right=after.right,
        after_ms=moment.time_ms - hand.dealt_ms,
        calls=(),
    )
    packed = hand.turns + turns.pack(turn, event.calls)
    scores = (after.score_0, after.score_1)
    return replace(state, hand=replace(hand, turns=packed, scores=scores, choices=0, short=False))


def _hand_ended(state: Table, event: events_pb2.HandEnded, moment: Moment) -> Table:
    hand, match, end = _there(state.hand), _there(state.match), event.end
    if not hand.turns or sorted(hand.order) != ALL_TILES:
        raise ValueError("a hand that nobody can have played")
    if end.team < len(hand.scores) and hand.scores[end.team] < end.points:
        raise ValueError("points that the team has not got")
    row = HandRow(
        table_id=moment.table,
        match=match.number,
        hand=hand.number,
        dealt_ms=hand.dealt_ms,
        ended_ms=moment.time_ms,
        opening=hand.opening,
        chooser=hand.chooser,
        chosen_after_ms=hand.chosen_after_ms,
        chosen_by=hand.chosen_by,
        opener=hand.opener,
        multiplier=event.multiplier,
        method=hand.method,
        tiles=hand.order,
        commitment=hand.deal.commitment,
        seed=hand.deal.seed,
        added=b"".join(bytes((seat,)) + added for seat, added in hand.deal.added),
        players=list(hand.players),
        bots=list(hand.bots),
        turns=hand.turns,
        reason=end.reason,
        winner=end.winner,
        team=end.team,
        points=end.points,
        counts=list(end.counts),
        next_opening=end.next_opening,
        next_multiplier=end.next_multiplier,
        score_0=hand.scores[0],
        score_1=hand.scores[1],
    )
    moment.ended.append(row)
    match = replace(match, hands=match.hands + 1, scores=hand.scores)
    return replace(state, hand=None, match=match)


def _match_ended(state: Table, event: events_pb2.MatchEnded, moment: Moment) -> Table:
    end = event.end
    ended = End(moment.time_ms, 0, end.team, end.buchuda, end.buchuda_de_re)
    scores = (end.score_0, end.score_1)
    return replace(state, match=replace(_there(state.match), end=ended, scores=scores))


def _table_closed(state: Table, event: events_pb2.TableClosed, moment: Moment) -> Table:
    match = state.match
    if match is None or match.end is not None:
        return state
    return replace(state, match=replace(match, end=End(moment.time_ms, event.closing)))


def _there(part: Any) -> Any:
    """What an event goes on with. Raises ValueError if it does not follow."""
    if part is None:
        raise ValueError("an event of a match that is not being played")
    return part


_STEPS: Final[dict[str, Callable[[Table, Any, Moment], Table]]] = {
    "opened": _opened,
    "seat_taken": _seat_taken,
    "seat_left": _seat_left,
    "bot_stands_in": _bot_stands_in,
    "person_back": _person_back,
    "seats_swapped": _seats_swapped,
    "match_started": _match_started,
    "deal_committed": _deal_committed,
    "bytes_added": _bytes_added,
    "dealt": _dealt,
    "opener_chosen": _opener_chosen,
    "turn_began": _turn_began,
    "played": _played,
    "passed": _passed,
    "hand_ended": _hand_ended,
    "match_ended": _match_ended,
    "table_closed": _table_closed,
}
"""What each event changes. Others say nothing that a row tells."""
