"""Whatever PostgreSQL says, it is an error of the house to whoever has asked."""

import asyncpg
import pytest
from laelo_common.errors import Code
from laelo_common.postgres.errors import meaning


def kinds(kind: type[asyncpg.PostgresError] = asyncpg.PostgresError) -> set[type]:
    """All kinds there are."""
    return {kind}.union(*(kinds(one) for one in kind.__subclasses__()))


KINDS = sorted(kinds(), key=lambda kind: kind.__name__)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_error_has_a_meaning(kind: type[asyncpg.PostgresError]) -> None:
    code = meaning(kind("words")).code
    assert code in {Code.TRY_LATER, Code.BAD_REQUEST, Code.INTERNAL}
    assert (code is Code.BAD_REQUEST) is issubclass(kind, asyncpg.DataError)


@pytest.mark.parametrize(
    "kind",
    [
        asyncpg.DiskFullError,
        asyncpg.OutOfMemoryError,
        asyncpg.TooManyConnectionsError,
        asyncpg.PostgresIOError,
        asyncpg.AdminShutdownError,
        asyncpg.CannotConnectNowError,
        asyncpg.ConnectionDoesNotExistError,
        asyncpg.DeadlockDetectedError,
        asyncpg.ReadOnlySQLTransactionError,
    ],
    ids=lambda kind: kind.__name__,
)
def test_what_passes_is_asked_again_later(kind: type[asyncpg.PostgresError]) -> None:
    assert meaning(kind("words")).code is Code.TRY_LATER


def test_a_question_that_makes_no_sense_is_our_fault(caplog: pytest.LogCaptureFixture) -> None:
    assert meaning(asyncpg.UndefinedTableError("no such table")).code is Code.INTERNAL
    assert "no such table" in caplog.text
