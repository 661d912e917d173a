"""State folders and ports: two runs of one checkout, two checkouts, a run that can be found."""

import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from laelo_tools.errors import LaeloError
from laelo_tools.platform import Options, Platform
from laelo_tools.ports import Ports
from laelo_tools.state import ROOT, Running, StateFolder, find_running

RUN = Running(
    pid=1,
    url="http://127.0.0.1:8080",
    nats_url="nats://127.0.0.1:1",
    pg_dsn="postgresql://127.0.0.1:2/laelo",
    addresses={"rules-1": "127.0.0.1:3"},
    pids={"rules-1": 4},
)


@pytest.fixture
def ports() -> Iterator[Ports]:
    pool = Ports()
    yield pool
    pool.release()


def test_a_second_run_takes_the_next_folder(tmp_path: Path) -> None:
    first, second = StateFolder.first_free(tmp_path), StateFolder.first_free(tmp_path)
    assert [first.path.name, second.path.name] == ["state", "state-2"]
    first.release()
    third = StateFolder.first_free(tmp_path)
    assert third.path.name == "state"
    second.release()
    third.release()


def test_a_folder_that_cant_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file in the way")
    with pytest.raises(LaeloError, match=r"state folder .*state can't be used"):
        StateFolder.first_free(tmp_path)


def test_a_run_is_found_while_it_is_up(tmp_path: Path) -> None:
    with pytest.raises(LaeloError, match="make run"):
        find_running(tmp_path)
    folder = StateFolder.first_free(tmp_path)
    folder.write(RUN)
    assert find_running(tmp_path) == RUN
    folder.release()
    with pytest.raises(LaeloError, match="Nothing runs"):
        find_running(tmp_path)


def test_what_a_killed_run_left_is_not_taken_for_a_run(tmp_path: Path) -> None:
    folder = StateFolder.first_free(tmp_path)
    folder.write(RUN)
    left = (folder.path / "platform.json").read_bytes()
    folder.release()
    (folder.path / "platform.json").write_bytes(left)
    with pytest.raises(LaeloError, match="Nothing runs"):
        find_running(tmp_path)


def test_no_port_is_given_twice(ports: Ports) -> None:
    other = Ports()
    given = [pool.free() for _ in range(20) for pool in (ports, other)]
    assert len(set(given)) == len(given)
    assert not other.claim(given[0])
    ports.release()
    assert other.claim(given[0])
    other.release()


def test_a_port_on_which_somebody_listens_is_taken(ports: Ports) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        assert not ports.claim(server.getsockname()[1])


async def test_an_asked_port_that_is_taken_is_an_error() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        with pytest.raises(LaeloError, match=f"Port {port} is taken"):
            async with Platform(Options(port=port)):
                pass


def test_clean_data_leaves_a_run_alone_and_follows_links(tmp_path: Path) -> None:
    script = tmp_path / "tools" / "clean_data.py"
    script.parent.mkdir()
    script.write_text((ROOT / "tools" / "clean_data.py").read_text())
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    folder = StateFolder.first_free(tmp_path / ".local")
    (folder.path / "postgres").symlink_to(elsewhere)
    refused = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert refused.returncode == 1
    assert "is in use" in refused.stderr
    folder.release()
    subprocess.run([sys.executable, script], check=True, capture_output=True)
    assert not folder.path.exists()
    assert not elsewhere.exists()
