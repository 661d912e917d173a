"""`laelo up` as a person sees it, with real servers and stand-ins for the services."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.integration


class Run:
    """One `laelo up`."""

    def __init__(self, stand_ins: Path, local: Path, *args: str, **environment: str) -> None:
        inherited = {k: v for k, v in os.environ.items() if not k.startswith("LAELO_")}
        self.log = (local.parent / f"log-{time.monotonic_ns()}").open("w+")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "laelo_tools.cli", "up", "--local", str(local), *args],
            env={**inherited, "PYTHONPATH": str(stand_ins), **environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=self.log,
            text=True,
            start_new_session=True,
        )

    def ready(self) -> str:
        """The address that it says, once it says so."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = re.fullmatch(r"Lá e Lô is ready: (http://127\.0\.0\.1:\d+)\n", line)
        assert found, (line, self.said())
        return found[1]

    def said(self) -> str:
        self.log.flush()
        return Path(self.log.name).read_text()

    def end(self, number: signal.Signals = signal.SIGINT) -> int:
        self.process.send_signal(number)
        return self.process.wait(60)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(60)
        if self.process.stdout is not None:
            self.process.stdout.close()
        self.log.close()


@pytest.fixture
def up(tmp_path: Path, stand_ins: Path) -> Iterator[Callable[..., Run]]:
    runs: list[Run] = []

    def start(*args: str, local: Path = tmp_path / "local", **environment: str) -> Run:
        runs.append(Run(stand_ins, local, *args, **environment))
        return runs[-1]

    yield start
    for run in runs:
        run.close()


def described(tmp_path: Path, state: str = "state") -> Any:
    return json.loads((tmp_path / "local" / state / "platform.json").read_text())


def gone(pids: dict[str, int]) -> bool:
    return not any(Path(f"/proc/{pid}").exists() for pid in pids.values())


def started_with(path: Path) -> list[str]:
    """The processes whose environment names a path: all of a run."""
    found = []
    for place in Path("/proc").glob("[0-9]*/environ"):
        try:
            if os.fsencode(path) in place.read_bytes():
                found.append(place.parent.name)
        except OSError:
            continue
    return found


def eventually(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_starts_describes_itself_and_leaves_nothing_behind(up, tmp_path: Path, number) -> None:
    run = up()
    url = run.ready()
    seen = described(tmp_path)
    assert seen["url"] == url
    names = {"postgres", "nats", "rules-1", "bots-1", "table-1", "table-2", "gateway-1"}
    names |= {"matchmaking-1", "tournament-1", "archive-1", "console-1"}
    assert set(seen["pids"]) == names
    assert set(seen["metrics"]) == names - {"postgres", "nats"}
    # The players' address comes first: whoever waits for one takes the first.
    eventually(lambda: f"console at http://{seen['addresses']['console-1']}" in run.said())
    assert run.end(number) == 0
    assert gone(seen["pids"])
    assert not (tmp_path / "local/state/platform.json").exists()


def test_it_starts_as_many_as_it_is_told(up, tmp_path: Path) -> None:
    run = up("--matchmaking", "2", "--tournaments", "2", "--gateways", "2", "--tables", "1",
             "--archives", "2")  # fmt: skip
    run.ready()
    many = {f"{name}-2" for name in ("matchmaking", "tournament", "archive", "gateway", "table")}
    assert many & set(described(tmp_path)["pids"]) == many - {"table-2"}
    assert run.end() == 0


def test_a_request_that_arrives_twice_is_still_an_orderly_stop(up) -> None:
    run = up()
    run.ready()
    run.process.send_signal(signal.SIGTERM)
    assert run.end(signal.SIGTERM) == 0
    assert "unexpected" not in run.said()


def test_a_second_run_at_once_takes_another_folder_and_port(up, tmp_path: Path) -> None:
    first, second = up(), up()
    urls = {first.ready(), second.ready()}
    assert len(urls) == 2
    states = {described(tmp_path, "state")["url"], described(tmp_path, "state-2")["url"]}
    assert states == urls
    assert [first.end(), second.end()] == [0, 0]


def test_a_taken_port_that_was_asked_for_is_one_sentence(up, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        run = up(LAELO_GATEWAY_HTTP_PORT=str(port))
        assert run.process.wait(60) == 1
    assert re.fullmatch(rf"laelo: Port {port} is taken .*\n", run.said())


def test_broken_data_is_one_sentence_and_stays(up, tmp_path: Path) -> None:
    broken = tmp_path / "local/state/postgres"
    broken.mkdir(parents=True)
    (broken / "PG_VERSION").write_text("garbage")
    run = up()
    assert run.process.wait(60) == 1
    assert re.fullmatch(r"laelo: The PostgreSQL data in .* `make clean-data` .*\n", run.said())
    assert (broken / "PG_VERSION").read_text() == "garbage"


def test_a_part_that_does_not_start_takes_the_others_with_it(up, tmp_path: Path) -> None:
    main = tmp_path / "stand-ins/laelo_table/main.py"
    main.write_text("raise SystemExit('no such setting')")
    run = up()
    assert run.process.wait(60) == 1
    assert re.search(r"laelo: table-\d did not start \(exit status 1\)", run.said())
    assert "no such setting" in run.said()
    assert started_with(tmp_path / "stand-ins") == []


def test_a_killed_part_comes_back(up, tmp_path: Path) -> None:
    run = up()
    run.ready()
    pids = described(tmp_path)["pids"]
    os.kill(pids["table-1"], signal.SIGKILL)
    eventually(
        lambda: described(tmp_path)["pids"].get("table-1", pids["table-1"]) != pids["table-1"]
    )
    assert run.end() == 0


def test_without_restarts_the_run_ends_with_the_parts_code(up, tmp_path: Path) -> None:
    run = up("--no-restart")
    run.ready()
    pids = described(tmp_path)["pids"]
    os.kill(pids["rules-1"], signal.SIGKILL)
    assert run.process.wait(60) == 128 + signal.SIGKILL
    assert gone(pids)


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel of Linux does this")
def test_nothing_survives_a_killed_supervisor(up, tmp_path: Path) -> None:
    run = up()
    run.ready()
    pids = described(tmp_path)["pids"]
    run.end(signal.SIGKILL)
    eventually(lambda: gone(pids))
    again = up()
    assert again.ready()
    assert again.end() == 0


def test_a_signal_during_the_start_stops_it(up, tmp_path: Path) -> None:
    run = up()
    eventually((tmp_path / "local/state/lock").exists)
    eventually((tmp_path / "local/state/nats").exists)
    assert run.end() == 0
    assert not (tmp_path / "local/state/platform.json").exists()
