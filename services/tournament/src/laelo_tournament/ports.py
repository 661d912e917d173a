"""What the handlers need of the world outside."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from laelo.table.v1 import table_pb2
from laelo.tournament.v1 import tournament_pb2
from laelo_common.log import Log
from laelo_common.telemetry import OFF, Telemetry

from laelo_tournament.domain.ranking import Row
from laelo_tournament.domain.state import Championship


class Tables(Protocol):
    """The table service, whichever replica answers."""

    async def submit(self, command: table_pb2.Command) -> table_pb2.Update:
        """Give a command to its table. A refusal is an update with `code`.

        Raises LaeloError with TRY_LATER when nobody answers: it may have been done.
        """


class Ending(NamedTuple):
    """A championship that is over or cancelled, and where in the log that stands."""

    sequence: int
    state: Championship


class Batch(NamedTuple):
    """What stands in the log from one place to another, as far as it is to be recorded."""

    first: int
    last: int
    endings: Sequence[Ending]
    begins: bool
    """Whether `first` is the oldest commit that the log still has."""


class GapError(Exception):
    """Between what is recorded and what comes now, commits are missing."""

    def __init__(self, cursor: int, first: int) -> None:
        super().__init__(f"commits {cursor + 1} to {first - 1} of the log were not handed over")


def over_before(recorded: Iterable[str], endings: Iterable[Ending]) -> list[Ending]:
    """Those of championships that are recorded, or over further ahead among these."""
    known = set(recorded)
    again: list[Ending] = []
    for ending in endings:
        if ending.state.id in known:
            again.append(ending)
        known.add(ending.state.id)
    return again


class AgainError(Exception):
    """Championships that are recorded already were over once more, at these places of the log."""

    def __init__(self, endings: Sequence[Ending]) -> None:
        super().__init__(f"{len(endings)} championships were over more than once")
        self.endings = endings


class Record(NamedTuple):
    """A championship of the past: as anybody may see it, and who was who in it."""

    championship: tournament_pb2.Championship
    entries: Sequence[tournament_pb2.Entry]


class Standing(NamedTuple):
    """The ranking of a week (R44)."""

    rows: Sequence[Row]
    own: Row | None
    weeks: Sequence[str]
    """All weeks that have one, the newest first."""


class Records(Protocol):
    """Read models of what is over. Every method raises LaeloError, TRY_LATER while it is away."""

    async def write(self, batch: Batch) -> int:
        """Record what is not recorded yet, all or nothing; how far the log is recorded then.

        Raises GapError when something before the batch is missing, and AgainError.
        """

    async def clear(self) -> None:
        """Forget everything, so that it is recorded anew."""

    async def championship(self, championship: str) -> Record | None:
        """One championship; None if it is not recorded."""

    async def ended(
        self, limit: int, player: str, before_ms: int = 0
    ) -> Sequence[tournament_pb2.Championship]:
        """Those that began last, without matches; with a player only that one's, with a moment
        only those that began before it.
        """

    async def standing(self, week: str, limit: int, player: str) -> Standing:
        """The first rows of a week's ranking, and the player's own."""


@dataclass(frozen=True, slots=True)
class World:
    """Everything that the handlers do not do by themselves."""

    log: Log
    tables: Tables
    records: Records
    now_ms: Callable[[], int]
    seed: Callable[[], bytes]
    """32 fresh random bytes."""
    pause_ms: int
    """The rest between two matches (R41)."""
    read_seconds: float = 0.25
    """A table's log is read at most once in so long."""
    look_seconds: float = 5.0
    """It is read so often although nothing was heard."""
    telemetry: Telemetry = OFF
