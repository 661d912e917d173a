"""Possible worlds, each as likely as any other: what is seen and what passes exclude, no more."""

from functools import lru_cache
from random import Random

from laelo_bots.domain.certain import ASLEEP, places_of, room_of
from laelo_bots.domain.position import Position
from laelo_rules.engine.state import Hands

Room = tuple[int, ...]


class Worlds:
    """Draws worlds tile by tile, each place as often as there are ways to go on from it."""

    def __init__(self, position: Position) -> None:
        self._hands = position.state.hands
        places = places_of(position)
        self._tiles = sorted(places, key=lambda tile: (len(places[tile]), tile))
        self._places = [places[tile] for tile in self._tiles]
        self._room = room_of(position)
        self._ways = lru_cache(maxsize=None)(self._count)

    def draw(self, chance: Random) -> Hands:
        """The four hands of one world."""
        room, hands = self._room, list(self._hands)
        for index, tile in enumerate(self._tiles):
            possible = [place for place in self._places[index] if room[place]]
            ways = [self._ways(index + 1, _less(room, place)) for place in possible]
            (place,) = chance.choices(possible, ways)
            room = _less(room, place)
            if place != ASLEEP:
                hands[place] |= 1 << tile
        return hands[0], hands[1], hands[2], hands[3]

    def _count(self, index: int, room: Room) -> int:
        """In how many ways the tiles from here on can be given away."""
        if index == len(self._tiles):
            return 1
        return sum(
            self._ways(index + 1, _less(room, place))
            for place in self._places[index]
            if room[place]
        )


def _less(room: Room, place: int) -> Room:
    return tuple([left - (seat == place) for seat, left in enumerate(room)])
