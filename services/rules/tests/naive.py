"""The rules once more, written without looking at the engine: slow, plain, and independent.

Tiles are pairs, hands are lists of pairs, the table is the chain itself. Nothing is tabulated
and nothing is shared with the engine. The tests play both against each other.
"""

from collections.abc import Iterator, Sequence
from typing import Any

Tile = tuple[int, int]
Move = tuple[Any, ...]

POINTS = {"domino_simple": 1, "domino_double": 2, "la_e_lo": 3, "cruzada": 4, "count": 1, "tie": 0}


class Game:
    """One match, changed in place by the moves that are accepted."""

    def __init__(self) -> None:
        self.phase = "hand_over"
        self.hands: list[list[Tile]] = [[], [], [], []]
        self.chain: list[Tile] = []
        self.turn = -1
        self.must_open: Tile | None = None
        self.last_seat = -1
        self.scores = [0, 0]
        self.multiplier = 1
        self.led: int | None = None
        self.hand_end: dict[str, Any] | None = None
        self.match_end: dict[str, Any] | None = None

    def copy(self) -> "Game":
        other = Game()
        other.__dict__.update(self.__dict__)
        other.hands = [list(hand) for hand in self.hands]
        other.chain = list(self.chain)
        other.scores = list(self.scores)
        return other

    # Deal

    def deal(self, tiles: Sequence[Tile], winner: int | None = None, multiplier: int = 1) -> None:
        self.phase, self.chain, self.last_seat = "play", [], -1
        self.hand_end = None
        self.multiplier = multiplier
        self.hands = [list(tiles[0:6]), list(tiles[6:12]), list(tiles[12:18]), list(tiles[18:24])]
        if winner is not None:
            self.phase, self.turn, self.must_open = "choose_opener", winner, None
            return
        for n in (6, 5, 4, 3, 2, 1, 0):
            for seat in (0, 1, 2, 3):
                if (n, n) in self.hands[seat]:
                    self.turn, self.must_open = seat, (n, n)
                    return

    # What may be done

    def open_numbers(self) -> Tile:
        return self.chain[0][0], self.chain[-1][1]

    def fits(self, tile: Tile, end: str) -> bool:
        return self.open_numbers()[0 if end == "left" else 1] in tile

    def plays(self) -> list[tuple[Tile, str | None]]:
        """Every (tile, end) that the seat on turn may name; end None on the empty table."""
        hand = self.hands[self.turn]
        if not self.chain:
            return [(tile, None) for tile in hand if self.must_open in (None, tile)]
        return [(tile, end) for tile in hand for end in ("left", "right") if self.fits(tile, end)]

    def fault(self, move: Move) -> str | None:
        """The name of what is wrong with a move, or None."""
        kind, seat, *rest = move
        if self.phase == "match_over":
            return "MATCH_OVER"
        if self.phase == "hand_over":
            return "HAND_OVER"
        if self.phase == "choose_opener" and kind != "choose_opener":
            return "OPENER_NOT_CHOSEN"
        if self.phase == "play" and kind == "choose_opener":
            return "NO_OPENER_CHOICE"
        if seat != self.turn:
            return "NOT_YOUR_TURN"
        if kind == "choose_opener":
            return None if rest[0] in (seat, (seat + 2) % 4) else "INVALID_OPENER"
        if kind == "pass":
            return "CANNOT_PASS" if self.plays() else None
        return self.fault_of_tile(seat, *rest)

    def fault_of_tile(self, seat: int, tile: Tile, end: str | None) -> str | None:
        if tile[0] not in range(7) or tile[1] not in range(7):
            return "INVALID_TILE"
        if end not in (None, "left", "right"):
            return "INVALID_END"
        tile = (min(tile), max(tile))
        if tile not in self.hands[seat]:
            return "TILE_NOT_IN_HAND"
        if self.must_open and tile != self.must_open:
            return "MUST_OPEN_HIGHEST_DOUBLE"
        if not self.chain:
            return None
        fitting = [e for e in ("left", "right") if self.fits(tile, e)]
        if not fitting or (end is not None and end not in fitting):
            return "TILE_DOES_NOT_FIT"
        if end is None and len(fitting) == 2:
            return "END_REQUIRED"
        return None

    # What is done

    def move(self, move: Move) -> str | None:
        """Make a move; the name of what is wrong with it, or None."""
        fault = self.fault(move)
        if fault:
            return fault
        kind, seat, *rest = move
        if kind == "choose_opener":
            self.phase, self.turn = "play", rest[0]
        elif kind == "pass":
            self.turn = (seat + 1) % 4
        else:
            self.lay(seat, *rest)
        return None

    def lay(self, seat: int, tile: Tile, end: str | None) -> None:
        tile = (min(tile), max(tile))
        before = self.open_numbers() if self.chain else (-1, -1)
        self.hands[seat].remove(tile)
        if not self.chain:
            self.chain = [tile]
        elif end == "left" or (end is None and self.fits(tile, "left")):
            touching = self.chain[0][0]
            self.chain.insert(0, tile if tile[1] == touching else (tile[1], tile[0]))
        else:
            touching = self.chain[-1][1]
            self.chain.append(tile if tile[0] == touching else (tile[1], tile[0]))
        self.must_open, self.last_seat = None, seat
        self.turn = (seat + 1) % 4
        if not self.hands[seat]:
            self.finish(self.kind_of_domino(tile, before), seat)
        elif not any(self.fits(t, e) for h in self.hands for t in h for e in ("left", "right")):
            self.finish(*self.compare())

    def kind_of_domino(self, tile: Tile, before: Tile) -> str:
        if tile[0] == tile[1]:
            return "cruzada" if before == tile else "domino_double"
        return "la_e_lo" if set(before) == set(tile) else "domino_simple"

    def counts(self) -> list[int]:
        return [sum(a + b for a, b in hand) for hand in self.hands]

    def compare(self) -> tuple[str, int | None]:
        counts = self.counts()
        best = [seat for seat in range(4) if counts[seat] == min(counts)]
        if any(s % 2 == 0 for s in best) and any(s % 2 == 1 for s in best):
            return "tie", None
        seat = self.last_seat
        while seat not in best:
            seat = (seat + 1) % 4
        return "count", seat

    def finish(self, reason: str, winner: int | None) -> None:
        points = POINTS[reason] * self.multiplier
        if winner is not None:
            self.scores[winner % 2] += points
        for team in (0, 1):
            if self.scores[team] == 5 and self.scores[1 - team] == 0:
                self.led = team
        self.turn = -1
        self.phase = "match_over" if max(self.scores) > 5 else "hand_over"
        following = (winner, 1) if winner is not None else (None, self.multiplier + 1)
        self.hand_end = {
            "reason": reason,
            "winner": winner,
            "points": points,
            "counts": self.counts(),
            "next": following if self.phase == "hand_over" else None,
        }
        if self.phase == "match_over":
            team = 0 if self.scores[0] > self.scores[1] else 1
            self.match_end = {
                "team": team,
                "scores": list(self.scores),
                "buchuda": self.scores[1 - team] == 0,
                "buchuda_de_re": self.led == 1 - team,
            }


def perft(game: Game, depth: int) -> int:
    """How many sequences of so many moves there are from here."""
    if depth == 0:
        return 1
    return sum(perft(child, depth - 1) for child in children(game))


def children(game: Game) -> Iterator[Game]:
    moves: list[Move] = []
    if game.phase == "choose_opener":
        moves = [("choose_opener", game.turn, s) for s in (game.turn, (game.turn + 2) % 4)]
    elif game.phase == "play":
        moves = [("play", game.turn, *play) for play in game.plays()] or [("pass", game.turn)]
    for move in moves:
        child = game.copy()
        assert child.move(move) is None
        yield child
