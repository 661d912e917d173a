"""A referee who has most moves looked at in C, many at once, and judges the others in Python."""

from collections.abc import Sequence
from typing import Final

from laelo_rules.engine import Phase, State
from laelo_rules.engine.tiles import SEATS
from laelo_table.domain.turns import clock_ms

from laelo_tools.history import spell
from laelo_tools.history.errors import WrongError
from laelo_tools.history.glance import MOST_NAME, Core, Name, Page, Table, load
from laelo_tools.history.quick import QuickReferee
from laelo_tools.history.stored import standing

_PLAY: Final = Phase.PLAY


def quickest(table: str) -> QuickReferee:
    """The quickest referee that there is here."""
    core = load()
    return QuickReferee(table) if core is None else GlancingReferee(table, core)


class GlancingReferee(QuickReferee):
    """Shows the table to the library while a hand is played."""

    def __init__(self, table: str, core: Core) -> None:
        super().__init__(table)
        self._core = core
        self._seen = Table()
        self._is_shown = False

    def follow_all(self, commits: Sequence[bytes]) -> None:
        """Take the next commits over. Raises WrongError and DecodeError."""
        page, place = Page(commits), 0
        while place < len(commits):
            if self._is_shown or self._show():
                place += self._glance(page, place)
            if place < len(commits):
                self.follow_stored(commits[place])
                place += 1

    def follow_stored(self, data: bytes) -> None:
        """Take the next commit over. Raises WrongError and DecodeError."""
        if self._is_shown:
            self._take_back()
        super().follow_stored(data)

    def _glance(self, page: Page, first: int) -> int:
        """Take over what the library takes for good; how many commits."""
        taken = self._core.take(self._seen, page, first)
        if not taken:
            return 0
        commands = page.commands(first, first + taken)
        before = len(self._commands)
        self._commands.update(commands)
        if len(self._commands) != before + taken:
            raise WrongError("a command of its turn was done before")
        self.moves += taken
        self._digest = page.digest(first + taken - 1)
        return taken

    def _show(self) -> bool:
        """Let the library see the table; whether it can."""
        game, seen = self._game, self._seen
        if game is None or game.turn is None or game.phase is not _PLAY or self._closed:
            return False
        seats = [self._seats[seat] for seat in SEATS]
        named = zip(seen.players, (seat.player for seat in seats), strict=True)
        if not all(_write(*one) for one in ((seen.id, self.table), *named)):
            return False
        seen.version, seen.turn, seen.deadline_ms = self.version, self._turn, self._deadline_ms
        seen.long_ms, seen.short_ms = self._clock_ms(short=False), self._clock_ms(short=True)
        seen.hands[:] = game.hands
        seen.left, seen.right = game.ends or (spell.NO_NUMBER, spell.NO_NUMBER)
        seen.on_turn = game.turn
        seen.must_open = spell.NO_TILE if game.must_open is None else game.must_open
        seen.last_seat = spell.NO_SEAT if game.last_seat is None else game.last_seat
        seen.is_bot[:] = [bool(seat.bot) for seat in seats]
        written = standing(game.scores, game.multiplier, game.led_5_0)
        seen.standing_size, seen.standing[: len(written)] = len(written), written
        seen.previous[:] = self._digest
        self._is_shown = True
        return True

    def _take_back(self) -> None:
        """The table as the library left it."""
        game, seen = self._game, self._seen
        assert game is not None  # noqa: S101 - it was shown
        self._is_shown = False
        self.version, self._turn, self._deadline_ms = seen.version, seen.turn, seen.deadline_ms
        a, b, c, d = seen.hands
        is_empty = seen.left == spell.NO_NUMBER
        self._game = State(
            _PLAY,
            (a, b, c, d),
            None if is_empty else (seen.left, seen.right),
            seen.on_turn,
            None if seen.must_open == spell.NO_TILE else seen.must_open,
            None if is_empty else seen.last_seat,
            game.scores,
            game.multiplier,
            game.led_5_0,
        )

    def _clock_ms(self, *, short: bool) -> int:
        return clock_ms(self._move_seconds, self._scale, short=short) if self._move_seconds else 0


def _write(into: Name, name: str) -> bool:
    """Whether there is room for a name."""
    text = name.encode()
    if len(text) > MOST_NAME:
        return False
    into.size, into.text[: len(text)] = len(text), text
    return True
