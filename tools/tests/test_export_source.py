"""An export finds its database: of a platform that runs, and of one that is stopped."""

import asyncio
import json
from pathlib import Path

import pytest
from laelo_archive.migrate import MIGRATIONS
from laelo_tools import cli, stopped
from laelo_tools.embedded import Postgres
from laelo_tools.embedded.postgres import remove_data
from laelo_tools.errors import LaeloError
from laelo_tools.export import source
from laelo_tools.export.sets import SETS
from laelo_tools.ports import Ports
from laelo_tools.state import LOCK_FILE, PLATFORM_FILE, Running, StateFolder
from laelo_tools.supervisor import OnExit, Supervisor

pytestmark = pytest.mark.integration


def exported(folder: Path) -> dict[str, int]:
    """Export what the command finds by itself; how many rows."""
    assert cli.main(["export", "--format", "csv", "--out", str(folder)]) == 0
    rows: dict[str, int] = json.loads((folder / "export.json").read_text())["rows"]
    assert {file.stem for file in folder.glob("*.csv")} == {one.name for one in SETS} == {*rows}
    return rows


async def run_for_a_while(state: Path, out: Path) -> None:
    """A platform of which only the database runs: an export before and after its migration."""
    ports, supervisor = Ports(), Supervisor(OnExit.LEAVE)
    server = Postgres(state / "postgres", ports.free(), durable=False)
    folder = StateFolder(state)
    assert folder.acquire()
    await supervisor.start(server.prepare())
    try:
        folder.write(Running(1, "", "", server.dsn, {}, {}))
        assert await asyncio.to_thread(cli.main, ["export", "--out", str(out)]) == 1
        await MIGRATIONS.run(server.dsn)
        await asyncio.to_thread(exported, out)
    finally:
        await supervisor.stop()
        ports.release()
        folder.release()


def test_a_platform_is_found_running_and_stopped(tmp_path: Path, monkeypatch, capsys) -> None:
    state = tmp_path / "state"
    monkeypatch.setattr(stopped, "folders", lambda: [state])
    monkeypatch.setattr(source, "find_running", lambda: running(state))
    assert cli.main(["export", "--out", str(tmp_path / "none")]) == 1
    assert "nothing was played" in capsys.readouterr().err
    try:
        asyncio.run(run_for_a_while(state, tmp_path / "running"))
        assert "start the platform once" in capsys.readouterr().err
        assert exported(tmp_path / "stopped") == dict.fromkeys([one.name for one in SETS], 0)
    finally:
        remove_data(state / "postgres")


def running(state: Path) -> Running:
    """As `find_running`, of one folder."""
    if not (state / PLATFORM_FILE).is_file():
        raise LaeloError("Nothing runs.")
    assert (state / LOCK_FILE).is_file()
    return Running(**json.loads((state / PLATFORM_FILE).read_text()))
