"""What a seat has seen of the hand that is played, as a bot's view needs it."""

from typing import Any, Final

from laelo_bots.domain.view import NO_TILE, NOBODY, PASS, Opening, View
from laelo_rules.engine import TILES

_NUMBERS: Final = {pair: tile for tile, pair in enumerate(TILES)}
_ENDS: Final = {None: 0, "left": 32, "right": 64}
_OPENINGS: Final = {"first": Opening.FIRST, "tie": Opening.TIE, "won": Opening.WON}

Part = dict[str, Any]


def tile_of(pair: list[int]) -> int:
    """The number of a tile that is written as two of them."""
    low, high = sorted(pair)
    return _NUMBERS[low, high]


class Memory:
    """Follows one seat's frames. Who comes in the middle of a hand does not know the order of
    its turns: then there is no view until the next deal.
    """

    def __init__(self) -> None:
        self._seat = 0
        self._hand = 0
        self._opening = Opening.FIRST
        self._opener = NOBODY
        self._turns: bytearray | None = None
        self._scores = (0, 0)
        self._multiplier = 1

    def snapshot(self, view: Part) -> None:
        """Begin anew with all that is seen of the table now."""
        self._seat = view.get("me", 0)
        self._hand = _mask(view.get("tiles", ()))
        self._scores, self._multiplier = tuple(view["scores"]), view["multiplier"]
        self._opener = NOBODY
        self._turns = None if view.get("chain") else bytearray()
        if view["hand"] == 1:
            self._opening = Opening.FIRST
        else:
            self._opening = Opening.TIE if self._multiplier > 1 else Opening.WON

    def event(self, event: Part) -> None:
        """Take over what happened."""
        match event["k"]:
            case "dealt":
                self._dealt(event)
            case "opener_chosen":
                self._opener = event["opener"]
            case "played":
                self._played(event)
            case "passed":
                self._turned(event["seat"], PASS)

    def view(self, turn: Part) -> View | None:
        """What the seat sees as its turn begins."""
        if self._turns is None:
            return None
        opener = self._opener
        if opener == NOBODY and not turn.get("choosing"):
            opener = self._seat
        forced = not self._turns and self._opening != Opening.WON
        team = self._seat % 2
        return View(
            seat=self._seat,
            hand=self._hand,
            opener=opener,
            opening=self._opening,
            turns=bytes(self._turns),
            must_open=tile_of(turn["plays"][0]["tile"]) if forced else NO_TILE,
            score_us=self._scores[team],
            score_them=self._scores[1 - team],
            multiplier=self._multiplier,
        )

    def _dealt(self, event: Part) -> None:
        self._hand = _mask(event.get("tiles", ()))
        self._opening = _OPENINGS[event["opening"]]
        self._opener = NOBODY
        self._turns = bytearray()
        self._scores, self._multiplier = tuple(event["scores"]), event["multiplier"]

    def _played(self, event: Part) -> None:
        tile = tile_of(event["tile"])
        if event["seat"] == self._seat:
            self._hand &= ~(1 << tile)
        self._turned(event["seat"], tile + _ENDS[event.get("end")])

    def _turned(self, seat: int, code: int) -> None:
        if self._turns is not None:
            if not self._turns:
                self._opener = seat
            self._turns.append(code)


def _mask(tiles: list[list[int]]) -> int:
    return sum(1 << tile_of(tile) for tile in tiles)
