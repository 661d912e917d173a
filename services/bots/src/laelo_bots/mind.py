"""What a process thinks with: the core if there is one, and a clock."""

from collections.abc import Callable
from time import perf_counter
from typing import Final

from laelo_bots import core
from laelo_bots.domain import playouts
from laelo_bots.domain.levels import Level, Thought, think
from laelo_bots.domain.position import Position
from laelo_bots.domain.search import Batch, Limits

WORLDS: Final = 1024
"""Enough for a strong move: more are worth hardly anything."""

_SECONDS_PER_WORLD: Final = {"c": 0.000_1, "python": 0.003}
"""What a world is thought to take before one was looked at: as at the start of a hand."""

_CAUTION: Final = 1.25
"""A batch may take so many times as long as those before it: other programs run, too."""

Clock = Callable[[], float]


class Mind:
    """Chooses moves within a time; one for each process, used by one thread at a time."""

    def __init__(self, batch: Batch | None = None, clock: Clock = perf_counter) -> None:
        found = core.load() if batch is None else None
        self.batch: Batch = batch or (found.batch if found else playouts.batch)
        self.language = "c" if found else "python"
        self._clock = clock

    @property
    def engine(self) -> str:
        """Which code thinks: the same version gives the same answers in either language."""
        return f"{self.language}-{core.VERSION}"

    def think(
        self, position: Position, level: Level, seed: int, worlds: int, budget: float
    ) -> Thought:
        """A move. `worlds` says how many to look at, and then time does not matter; with 0 it is
        as many as `budget` (seconds) allows.
        """
        limits = Limits(worlds) if worlds else Limits(WORLDS, self._in_time(budget))
        return think(position, level, seed, limits, self.batch)

    def _in_time(self, budget: float) -> Callable[[int, int], bool]:
        """Whether the next batch can be expected to end in time, going by those before it."""
        begin = self._clock()

        def in_time(done: int, more: int) -> bool:
            spent = self._clock() - begin
            each = spent / done if done else _SECONDS_PER_WORLD[self.language]
            return spent + each * more * _CAUTION <= budget

        return in_time
