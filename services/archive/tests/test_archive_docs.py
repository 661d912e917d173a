"""The pages name all that there is: columns, settings, metrics."""

import re
from pathlib import Path

import pytest
from laelo_archive import main
from laelo_archive.adapters.writing import READ_MODELS
from laelo_archive.domain import rows
from laelo_archive.settings import ArchiveSettings
from laelo_common.postgres import Database
from laelo_common.settings import ServiceSettings, variables

ROOT = Path(__file__).resolve().parents[3]
README = (ROOT / "services/archive/README.md").read_text(encoding="utf-8")
PAGE = (ROOT / "docs/archive.md").read_text(encoding="utf-8")
TABLES = dict(re.findall(r"^\| `archive_(\w+)` \| (.*) \|$", PAGE, re.MULTILINE))


def test_every_setting_is_named() -> None:
    common = {one.name for one in variables(ServiceSettings, "archive")}
    for one in variables(ArchiveSettings, "archive"):
        name = one.name.removeprefix("LAELO_ARCHIVE_")
        assert one.name in common or f"`{name}`" in README


def test_every_metric_is_named() -> None:
    source = Path(str(main.__file__)).read_text(encoding="utf-8")
    metrics = re.findall(r'"laelo_archive_(\w+)"', source)
    assert len(metrics) > 5
    for metric in metrics:
        assert f"`{metric}`" in README


def test_every_row_is_a_table_with_its_columns() -> None:
    models: dict[str, tuple[str, ...]] = {
        "matches": rows.MatchRow._fields,
        "hands": rows.HandRow._fields,
        "people": rows.PersonRow._fields,
        "championships": rows.ChampionshipRow._fields,
        "entries": rows.EntryRow._fields,
    }
    for table, columns in models.items():
        for column in columns:
            assert f"`{column}`" in TABLES[table], (table, column)
    assert set(READ_MODELS) <= set(TABLES)


@pytest.mark.integration
async def test_the_database_has_these_tables_and_columns(database: Database) -> None:
    async with database.connection() as connection:
        found = await connection.fetch(
            "SELECT table_name, column_name FROM information_schema.columns"
            " WHERE table_name LIKE 'archive\\_%' AND table_name <> 'archive_migrations'"
        )
    assert {table.removeprefix("archive_") for table, _ in found} == set(TABLES)
    for table, column in found:
        assert f"`{column}`" in TABLES[table.removeprefix("archive_")], (table, column)
