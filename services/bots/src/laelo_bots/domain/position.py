"""What follows from a view: ends, who opened which number, who cannot hold what."""

from typing import Final, NamedTuple

from laelo_rules.engine import TILES, Phase, State, legal_plays
from laelo_rules.engine.tiles import DOUBLES, FITTING, HAND_SIZE, WHOLE_SET

from .view import NO_TILE, NOBODY, Nonsense, Opening, Turn, View, turns_of

_START: Final = (HAND_SIZE,) * 4


class Position(NamedTuple):
    """A view that makes sense, read."""

    view: View
    state: State
    """For the rules: the other hands are empty in it, since they are not known."""
    laid_by: tuple[int, int]
    """Which seat opened the number at the left and at the right end."""
    may_hold: tuple[int, int, int, int]
    """The tiles that each seat may still hold: not seen, and no pass speaks against them."""
    held: tuple[int, ...]
    """How many tiles each seat holds."""


def read(view: View) -> Position | Nonsense:
    """Read a view, or say what is wrong with it."""
    wrong = _wrong_at_sight(view)
    if wrong:
        return Nonsense(wrong)
    turns = turns_of(view)
    if isinstance(turns, Nonsense):
        return turns
    hand = _Hand(view, surely_asleep(view, turns))
    for number, turn in enumerate(turns, start=1):
        wrong = hand.follow(turn)
        if wrong:
            return Nonsense(f"turn {number}: {wrong}")
    wrong = hand.wrong_at_the_end()
    return Nonsense(wrong) if wrong else hand.position()


def _wrong_at_sight(view: View) -> str:
    checks = (
        (0 <= view.seat < NOBODY, f"seat {view.seat} is not 0-3"),
        (0 < view.hand <= WHOLE_SET, f"hand {view.hand} is not a mask of 28 tiles, or is empty"),
        (view.opening in tuple(Opening), f"opening {view.opening} is none of the three"),
        (0 <= view.opener <= NOBODY, f"opener {view.opener} is not 0-4"),
        (0 <= view.must_open <= NO_TILE, f"tile {view.must_open} that has to open is not 0-28"),
        (view.multiplier >= 1, f"a hand cannot count {view.multiplier} times"),
        (
            max(view.score_us, view.score_them) < view.target,
            f"{view.score_us} to {view.score_them} is no match to {view.target} that goes on",
        ),
        (
            view.opener != NOBODY or (view.opening == Opening.WON and not view.turns),
            "the opener is only to be chosen before the first turn, after a hand that was won",
        ),
    )
    return next((reason for right, reason in checks if not right), "")


class _Hand:
    """Follows a hand turn by turn, with the eyes of one seat."""

    def __init__(self, view: View, asleep: int) -> None:
        self.view = view
        self.asleep = asleep
        self.ends: tuple[int, int] | None = None
        self.laid_by = (NOBODY, NOBODY)
        self.held = list(_START)
        self.table = 0
        self.laid = [0, 0, 0, 0]
        self.cannot = [0, 0, 0, 0]

    def follow(self, turn: Turn) -> str:
        """Take one turn over; what is wrong with it, or nothing."""
        if not all(self.held):
            return "the hand was over before"
        if turn.tile is None:
            return self._passed(turn.seat)
        bit = 1 << turn.tile
        if self.table & bit:
            return f"tile {turn.tile} was laid before"
        if self.view.hand & bit:
            return f"tile {turn.tile} is said to be laid, and in the hand"
        if self.cannot[turn.seat] & bit:
            return f"seat {turn.seat} lays tile {turn.tile}, which fitted when it passed"
        wrong = self._lay(turn.seat, turn.tile, turn.end)
        self.table |= bit
        self.laid[turn.seat] |= bit
        self.held[turn.seat] -= 1
        return wrong

    def _passed(self, seat: int) -> str:
        if self.ends is None:
            return "the opener never passes"
        left, right = self.ends
        self.cannot[seat] |= FITTING[left][right]
        return ""

    def _lay(self, seat: int, tile: int, end: int) -> str:
        low, high = TILES[tile]
        if self.ends is None:
            self.ends, self.laid_by = (low, high), (seat, seat)
            return _wrong_opening(self.view, tile, end)
        left, right = self.ends
        if end == 1 and left in (low, high):
            self.ends, self.laid_by = (low + high - left, right), (seat, self.laid_by[1])
        elif end == 2 and right in (low, high):
            self.ends, self.laid_by = (left, low + high - right), (self.laid_by[0], seat)
        else:
            return f"tile {tile} does not fit there"
        return ""

    def wrong_at_the_end(self) -> str:
        """What is wrong with the view as a whole."""
        seat, hand = self.view.seat, self.view.hand
        if hand.bit_count() != self.held[seat]:
            return f"seat {seat} must hold {self.held[seat]} tiles, not {hand.bit_count()}"
        if self.cannot[seat] & hand:
            return "the hand holds a tile that fitted when the seat passed"
        if self.view.opener != NOBODY and (self.view.opener + len(self.view.turns)) & 3 != seat:
            return f"seat {seat} is not on turn"
        wrong = self._wrong_to_open() if self.ends is None else self._wrong_to_go_on(self.ends)
        if wrong or self._has_world():
            return wrong
        return "no hands of the others fit what they laid and passed on"

    def _wrong_to_go_on(self, ends: tuple[int, int]) -> str:
        if not all(self.held):
            return "the hand is over"
        left, right = ends
        if not any(held & FITTING[left][right] for held in self._may_hold()):
            return "nothing fits any more, so the hand is over"
        return ""

    def _has_world(self) -> bool:
        """Whether the hands of the others can be dealt: no two or three of them, nor one alone,
        need more tiles than they may hold together, which is enough (Hall's theorem).
        """
        may_hold, awake = self._may_hold(), ~self.asleep
        (a, of_a), (b, of_b), (c, of_c) = (
            (may_hold[seat] & awake, self.held[seat])
            for seat in range(NOBODY)
            if seat != self.view.seat
        )
        return (
            a.bit_count() >= of_a
            and b.bit_count() >= of_b
            and c.bit_count() >= of_c
            and (a | b).bit_count() >= of_a + of_b
            and (a | c).bit_count() >= of_a + of_c
            and (b | c).bit_count() >= of_b + of_c
            and (a | b | c).bit_count() >= of_a + of_b + of_c
        )

    def _wrong_to_open(self) -> str:
        must_open, hand = self.view.must_open, self.view.hand
        if self.view.opening == Opening.WON:
            return "" if must_open == NO_TILE else "any tile may open after a hand that was won"
        doubles = [double for double in DOUBLES if hand >> double & 1]
        if not doubles or must_open != doubles[-1]:
            return "the highest double of the opener has to open"
        return ""

    def _may_hold(self) -> tuple[int, int, int, int]:
        unseen = WHOLE_SET & ~(self.table | self.view.hand)
        others = [unseen & ~self.cannot[seat] for seat in range(NOBODY)]
        others[self.view.seat] = self.view.hand
        return others[0], others[1], others[2], others[3]

    def position(self) -> Position:
        """All of it, read to the end."""
        view = self.view
        own = [0, 0, 0, 0]
        own[view.seat] = view.hand
        choosing = view.opener == NOBODY
        must_open = view.must_open if self.ends is None and view.must_open != NO_TILE else None
        state = State(
            phase=Phase.CHOOSE_OPENER if choosing else Phase.PLAY,
            hands=(own[0], own[1], own[2], own[3]),
            ends=self.ends,
            turn=view.seat,
            must_open=must_open,
            last_seat=None,
            scores=(0, 0),
            multiplier=view.multiplier,
            led_5_0=None,
        )
        return Position(view, state, self.laid_by, self._may_hold(), tuple(self.held))


def _wrong_opening(view: View, tile: int, end: int) -> str:
    if end:
        return "the opening tile has no end"
    if view.opening != Opening.WON and tile not in DOUBLES:
        return "the highest double has to open"
    if view.must_open not in (tile, NO_TILE):
        return f"tile {view.must_open} had to open"
    return ""


def surely_asleep(view: View, turns: list[Turn]) -> int:
    """Where the highest double had to open (R4), all higher ones sleep."""
    if view.opening == Opening.WON:
        return 0
    opened = turns[0].tile if turns else view.must_open
    return sum(1 << double for double in DOUBLES if opened is not None and double > opened)


def placements(position: Position) -> list[tuple[int, int]]:
    """Every tile that may be laid with each end that it may be laid at (0 on the empty table)."""
    return [(tile, int(end)) for tile, ends in legal_plays(position.state) for end in ends]
