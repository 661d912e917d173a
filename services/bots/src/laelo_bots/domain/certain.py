"""When everything is known: the one world that a view leaves, if there is only one.

Hard knowledge only: what is seen, what passes exclude, how many tiles each seat holds, and that
every double higher than the one that had to open sleeps, or its holder would have opened (R4).
"""

from typing import Final

from laelo_rules.engine.state import Hands
from laelo_rules.engine.tiles import DOUBLES, SEATS, TILE_COUNT, mask_of

from .position import Position
from .view import NO_TILE, Opening

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
