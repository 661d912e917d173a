"""Migrations only add, and each has a way back to what was there, or says why not."""

import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, NamedTuple

import asyncpg
import pytest
import pytest_asyncio
from laelo_archive.migrate import MIGRATIONS as ARCHIVE
from laelo_common.postgres.migrations import LOSES, NO_WAY, Migration, Migrations, NoWayBackError
from laelo_gateway.migrate import MIGRATIONS as GATEWAY
from laelo_tools.embedded import Postgres
from laelo_tools.embedded.postgres import remove_data
from laelo_tools.ports import Ports
from laelo_tools.supervisor import OnExit, Supervisor
from laelo_tournament.migrate import MIGRATIONS as TOURNAMENT

SERVICES = (GATEWAY, TOURNAMENT, ARCHIVE)
EACH = [
    pytest.param(service, number, id=f"{service.service}-{number:04}")
    for service in SERVICES
    for number in range(1, len(service.listed()) + 1)
]
TAKES_AWAY = re.compile(
    r"\b(DROP|RENAME|TRUNCATE|DELETE FROM|SET NOT NULL|ALTER COLUMN|ADD CONSTRAINT)\b",
    re.IGNORECASE,
)
IN_FUNCTIONS = re.compile(r"\$\$.*?\$\$", re.DOTALL)
COLUMN = re.compile(r"ADD COLUMN\s+(.*?)(?:,\s*ADD COLUMN|;)", re.DOTALL)

SCHEMA = """
    SELECT 'column', table_name || '.' || column_name,
        concat_ws(' ', data_type, is_nullable, column_default)
    FROM information_schema.columns WHERE table_schema = 'public'
    UNION ALL
    SELECT 'index', indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'
    UNION ALL
    SELECT 'constraint', conrelid::regclass || '.' || conname, pg_get_constraintdef(oid)
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace
    UNION ALL
    SELECT 'view', viewname, definition FROM pg_views WHERE schemaname = 'public'
    UNION ALL
    SELECT 'trigger', tgname, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
    UNION ALL
    SELECT 'function', proname, prosrc FROM pg_proc WHERE pronamespace = 'public'::regnamespace
    ORDER BY 1, 2, 3
"""


class Cut(NamedTuple):
    """The migrations of a release that knew only the first ones."""

    whole: Migrations
    last: int

    def release(self) -> Migrations:
        """As that release has them."""
        listed = self.whole.listed()[: self.last]

        class Older(Migrations):
            def listed(self) -> list[Migration]:
                return listed

        return Older(self.whole.service)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def server(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[str]:
    folder: Path = tmp_path_factory.mktemp("migrations") / "postgres"
    ports, supervisor = Ports(), Supervisor(OnExit.LEAVE)
    postgres = Postgres(folder, ports.free(), durable=False)
    await supervisor.start(postgres.prepare())
    yield postgres.dsn
    await supervisor.stop()
    ports.release()
    remove_data(folder)


@pytest.fixture
async def connection(server: str) -> AsyncIterator[Any]:
    """A connection to a database with nothing in it."""
    connection = await asyncpg.connect(server)
    await connection.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
    yield connection
    await connection.close()


async def schema_of(connection: Any) -> list[tuple[str, ...]]:
    return [tuple(row) for row in await connection.fetch(SCHEMA)]


@pytest.mark.parametrize(("service", "number"), EACH)
def test_the_release_before_goes_on_with_the_new_tables(service: Migrations, number: int) -> None:
    """Nothing is taken away or made stricter that it reads and writes."""
    sql = IN_FUNCTIONS.sub("", service.listed()[number - 1].sql)
    plain = re.sub(r"--.*|ON DELETE \w+|(BEFORE|AFTER) [A-Z ]* ON", "", sql)
    assert not TAKES_AWAY.search(plain)
    for column in COLUMN.findall(plain):
        assert "NOT NULL" not in column or "DEFAULT" in column, column


@pytest.mark.integration
@pytest.mark.parametrize(("service", "number"), EACH)
async def test_each_has_a_way_back_or_says_why_not(
    connection: Any, service: Migrations, number: int
) -> None:
    await Cut(service, number - 1).release().apply(connection)
    before = await schema_of(connection)
    release = Cut(service, number).release()
    await release.apply(connection)
    after = await schema_of(connection)
    migration = service.listed()[number - 1]
    assert migration.back.startswith((LOSES, NO_WAY)), "add a file that ends with .back.sql"
    if migration.back.startswith(NO_WAY):
        with pytest.raises(NoWayBackError, match=re.escape(migration.name)):
            await release.take_back(connection, number - 1)
        assert await schema_of(connection) == after
        return
    assert await release.take_back(connection, number - 1) == [migration.name]
    assert await schema_of(connection) == before
    assert await release.apply(connection) == [migration.name]
    assert await schema_of(connection) == after


@pytest.mark.integration
async def test_what_is_kept_is_as_it_was(connection: Any) -> None:
    """Back over the settings and the bots, and forward again: people and accounts are the same."""
    release = Cut(GATEWAY, 4).release()
    await release.apply(connection)
    await connection.execute(
        "INSERT INTO accounts (id, issuer, subject, language, settings)"
        " VALUES ('a', 'i', 's', 'pt', '{\"sound\": 1}')"
    )
    await connection.execute(
        "INSERT INTO people (id, name, guest, language, owner)"
        " VALUES ('p', 'Ana', true, 'pt', NULL), ('b', 'Bot', true, 'pt', 'a')"
    )
    await release.take_back(connection, 2)
    await Cut(GATEWAY, 2).release().apply(connection)
    assert await release.apply(connection) == ["0003_settings.sql", "0004_bots.sql"]
    assert await connection.fetch("SELECT id FROM people") == [("p",)]
    assert await connection.fetch("SELECT id, settings FROM accounts") == [("a", "{}")]


@pytest.mark.integration
async def test_lives_of_a_restored_log_are_not_forgotten(connection: Any) -> None:
    release = Cut(ARCHIVE, 2).release()
    await release.apply(connection)
    await connection.execute("INSERT INTO archive_epochs VALUES ('TBL', 0, 'c', 1, 1, 1)")
    with pytest.raises(asyncpg.RaiseError, match="restored once"):
        await release.take_back(connection, 1)
    assert await connection.fetchval("SELECT count(*) FROM archive_epochs") == 1


@pytest.mark.integration
async def test_an_older_release_finds_newer_tables_and_leaves_them(connection: Any) -> None:
    await ARCHIVE.apply(connection)
    older = Cut(ARCHIVE, 1).release()
    assert await older.apply(connection) == []
    newer = len(ARCHIVE.listed()) - 1
    assert f"{newer} more, applied by a newer release" in await older.status(connection)
    with pytest.raises(NoWayBackError, match="with the release that has made them"):
        await older.take_back(connection, 0)


@pytest.mark.integration
@pytest.mark.usefixtures("connection")
def test_by_hand_it_goes_up_and_down_and_tells(
    server: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LAELO_ARCHIVE_PG_DSN", server)
    asked: tuple[list[str], ...]
    asked = (["status"], [], ["down", "2"], ["status"], ["up"], ["down", "0"])
    told = [(ARCHIVE.main(words), capsys.readouterr()) for words in asked]
    assert [status for status, _ in told] == [0, 0, 0, 0, 0, 1]
    assert "0003_judgements.sql          missing" in told[0][1].out
    leaving = [migration.name for migration in ARCHIVE.listed()[:1:-1]]
    assert told[2][1].out == "\n".join(leaving) + "\n"
    assert leaving[-1] == "0003_judgements.sql"
    assert "0002_lives.sql               applied; taken back it loses" in told[3][1].out
    assert "0001_archive.sql has no way back" in told[5][1].err
