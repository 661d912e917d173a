"""Positions in which somebody can know all, and their worth by looking at every way to go on.

Both are found in other ways than the bots have, to be held against theirs.
"""

from collections.abc import Iterator
from random import Random
from typing import Final, NamedTuple

from laelo_bots.domain.levels import Level
from laelo_bots.domain.position import Position, placements, read
from laelo_bots.domain.view import NO_TILE, Opening
from laelo_rules.engine import TILES, Outcome, Pass, Play, State, judge, legal_plays, team_of
from laelo_rules.engine.state import Hands
from laelo_rules.engine.tiles import DOUBLES, SEATS, TILE_COUNT, mask_of

from .duel import Hand, begin, bot, play, view_of

ASLEEP: Final = 4
"""Where the sleeping tiles are, as if it were a seat."""

Room = tuple[int, ...]
_World = tuple[int, ...]
"""Where each of the unseen tiles is."""


def only_world(position: Position) -> Hands | None:
    """All four hands if the view leaves no doubt about them, otherwise None."""
    places = places_of(position)
    tiles = sorted(places, key=lambda tile: (len(places[tile]), tile))
    worlds = _Search([places[tile] for tile in tiles]).two(room_of(position))
    if not worlds or not _are_same(worlds):
        return None
    hands = list(position.state.hands)
    for tile, place in zip(tiles, worlds[0], strict=True):
        if place != ASLEEP:
            hands[place] |= 1 << tile
    return hands[0], hands[1], hands[2], hands[3]


def _are_same(worlds: list[_World]) -> bool:
    return all(world == worlds[0] for world in worlds)


def room_of(position: Position) -> Room:
    """How many unseen tiles each seat holds, and how many sleep."""
    held = [0 if seat == position.view.seat else position.held[seat] for seat in SEATS]
    unseen = sum(1 for _ in _unseen(position))
    return (*held, unseen - sum(held))


def _unseen(position: Position) -> tuple[int, ...]:
    seen = position.view.hand | _laid(position)
    return tuple(tile for tile in range(TILE_COUNT) if not seen >> tile & 1)


def _laid(position: Position) -> int:
    return mask_of(turn & 31 for turn in position.view.turns if turn & 31 < NO_TILE)


def places_of(position: Position) -> dict[int, tuple[int, ...]]:
    """For each unseen tile where it may be."""
    asleep = _surely_asleep(position)
    others = [seat for seat in SEATS if seat != position.view.seat]
    return {
        tile: (ASLEEP,)
        if tile in asleep
        else (*(seat for seat in others if position.may_hold[seat] >> tile & 1), ASLEEP)
        for tile in _unseen(position)
    }


def _surely_asleep(position: Position) -> frozenset[int]:
    view = position.view
    if view.opening == Opening.WON or not view.turns:
        return frozenset()
    return frozenset(double for double in DOUBLES if double > view.turns[0])


class _Search:
    """Gives the unseen tiles away one by one, the most bound ones first."""

    def __init__(self, places: list[tuple[int, ...]]) -> None:
        self._places = places
        self._dead: set[tuple[int, Room]] = set()

    def two(self, room: Room) -> list[_World]:
        """One world, or two if there are more."""
        found: list[_World] = []
        self._give((), room, found)
        return found

    def _give(self, given: _World, room: Room, found: list[_World]) -> None:
        if len(given) == len(self._places):
            found.append(given)
            return
        key = (len(given), room)
        if key in self._dead:
            return
        before = len(found)
        for place in self._places[len(given)]:
            if room[place]:
                left = tuple(n - (seat == place) for seat, n in enumerate(room))
                self._give((*given, place), left, found)
            if len(found) > 1:
                return
        if len(found) == before:
            self._dead.add(key)


class Known(NamedTuple):
    """A position with a real choice whose view leaves one world."""

    hand: Hand
    position: Position


def open_hands(seed: int, deals: int) -> Iterator[Hand]:
    """Positions of hands played at random in which the four highest doubles sleep: a first hand
    that is opened with 2|2 tells everybody which tiles these are, so passes can tell the rest.
    """
    chance = Random(seed)
    asleep = list(DOUBLES[3:])
    for _ in range(deals):
        rest = [tile for tile in range(28) if tile not in asleep]
        chance.shuffle(rest)
        hand = begin([*rest, *asleep], None, None, 1)
        over = None
        while over is None:
            yield hand
            hand, outcome = play(hand, bot(Level.RANDOM, chance)(view_of(hand)))
            over = outcome.hand_end


def certain(seed: int, wanted: int) -> list[Known]:
    """So many positions with a choice, each of which leaves one world."""
    found: list[Known] = []
    for hand in open_hands(seed, 5_000):
        if sum(held.bit_count() for held in hand.state.hands) > 12:
            continue
        position = read(view_of(hand))
        assert isinstance(position, Position)
        if len(placements(position)) > 1 and only_world(position) is not None:
            found.append(Known(hand, position))
        if len(found) == wanted:
            break
    return found


def worths(state: State) -> list[int]:
    """What each placement is worth to the team on turn in points of this hand, both teams
    seeing all hands: by the engine, without any shortcut.
    """
    seat = state.turn
    assert seat is not None
    moves = [(tile, end) for tile, ends in legal_plays(state) for end in ends]
    outcomes = [judge(state, Play(seat, TILES[tile], end)) for tile, end in moves]
    if not moves:
        outcomes = [judge(state, Pass(seat))]
    return [_worth(outcome, team_of(seat)) for outcome in outcomes]


def _worth(outcome: object, team: int) -> int:
    assert isinstance(outcome, Outcome)
    end = outcome.hand_end
    if end is not None:
        return end.points if end.team == team else -end.points
    best = max(worths(outcome.state))
    assert outcome.state.turn is not None
    return best if team_of(outcome.state.turn) == team else -best
