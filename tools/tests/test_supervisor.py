"""The supervisor with small children of its own."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from laelo_tools.errors import LaeloError
from laelo_tools.supervisor import OnExit, Program, Supervisor
from laelo_tools.supervisor import supervisor as supervisor_module

SLEEPER = "import signal, sys; print('up', flush=True); signal.pause()"
POLITE = """
import pathlib, signal, sys
def leave(*_):
    with pathlib.Path(sys.argv[1]).open("a") as diary:
        diary.write(sys.argv[2] + "\\n")
    sys.exit(0)
signal.signal(signal.SIGTERM, leave)
print("up", flush=True)
while True:
    signal.pause()
"""
WEAK = """
import pathlib, signal, sys
mark = pathlib.Path(sys.argv[1])
print("up", flush=True)
if mark.exists():
    sys.exit(3)
mark.touch()
signal.pause()
"""
STUBBORN = """
import signal
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print("up", flush=True)
while True:
    signal.pause()
"""


def python(name: str, code: str, *args: str, ready_line: str | None = "up") -> Program:
    return Program(name=name, argv=(sys.executable, "-c", code, *args), ready_line=ready_line)


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(30):
        while not condition():  # noqa: ASYNC110
            await asyncio.sleep(0.01)


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.fixture
async def supervisors() -> AsyncIterator[Callable[..., Supervisor]]:
    made: list[Supervisor] = []

    def make(
        on_exit: OnExit = OnExit.LEAVE, heard: list[tuple[str, str]] | None = None
    ) -> Supervisor:
        echo = None if heard is None else (lambda name, line: heard.append((name, line)))
        made.append(Supervisor(on_exit, echo))
        return made[-1]

    yield make
    for supervisor in made:
        await supervisor.stop()


async def test_output_carries_the_name_of_its_child(supervisors) -> None:
    heard: list[tuple[str, str]] = []
    supervisor = supervisors(heard=heard)
    await supervisor.start(python("one", SLEEPER), python("two", SLEEPER))
    assert sorted(heard) == [("one", "up"), ("two", "up")]


async def test_a_line_longer_than_the_limit_blocks_nobody(supervisors) -> None:
    code = "import signal; print('x' * 5_000_000); print('up', flush=True); signal.pause()"
    supervisor = supervisors()
    await supervisor.start(python("wordy", code))
    assert supervisor.child("wordy").running


async def test_groups_stop_in_the_reverse_order_of_their_start(supervisors, tmp_path: Path) -> None:
    diary = tmp_path / "diary"
    supervisor = supervisors()
    for name in ("nats", "table", "gateway"):
        await supervisor.start(python(name, POLITE, str(diary), name))
    await supervisor.stop()
    assert diary.read_text().split() == ["gateway", "table", "nats"]


async def test_a_child_that_ignores_the_request_is_killed(supervisors) -> None:
    supervisor = supervisors()
    await supervisor.start(python("stubborn", STUBBORN))
    assert await supervisor.child("stubborn").stop(within_s=0.2) == -signal.SIGKILL


async def test_a_child_that_dies_while_starting_is_named_with_its_last_words(supervisors) -> None:
    supervisor = supervisors()
    dying = python("rules-1", "print('the disk is full'); raise SystemExit(7)", ready_line="never")
    with pytest.raises(
        LaeloError, match=r"rules-1 did not start \(exit status 7\)[^$]*disk is full"
    ):
        await supervisor.start(python("nats", SLEEPER), dying)
    pid = supervisor.child("nats").pid
    await supervisor.stop()
    assert not alive(pid)


async def test_a_missing_program_is_named(supervisors) -> None:
    with pytest.raises(LaeloError, match="ghost could not be started"):
        await supervisors().start(
            Program(name="ghost", argv=("/no/such/program",), cwd=Path("/no"))
        )


async def test_a_killed_child_runs_again(supervisors) -> None:
    heard: list[tuple[str, str]] = []
    supervisor = supervisors(OnExit.RESTART, heard)
    await supervisor.start(python("table-1", SLEEPER))
    before = supervisor.child("table-1").pid
    os.kill(before, signal.SIGKILL)
    await until(lambda: ("table-1", "(runs again)") in heard)
    assert supervisor.child("table-1").pid != before
    assert ("table-1", "(ended unasked with -9)") in heard


async def test_a_child_that_keeps_dying_ends_the_run(
    supervisors, monkeypatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(supervisor_module, "FIRST_PAUSE_SECONDS", 0.001)
    heard: list[tuple[str, str]] = []
    supervisor = supervisors(OnExit.RESTART, heard)
    await supervisor.start(python("weak", WEAK, str(tmp_path / "started")))
    os.kill(supervisor.child("weak").pid, signal.SIGKILL)
    assert await supervisor.failed() == 3
    ends = [line for _, line in heard if line.startswith("(ended unasked")]
    assert len(ends) == 1 + supervisor_module.RESTARTS


async def test_without_restarts_the_first_end_ends_the_run(supervisors) -> None:
    supervisor = supervisors(OnExit.END)
    await supervisor.start(python("table-1", SLEEPER))
    os.kill(supervisor.child("table-1").pid, signal.SIGKILL)
    assert await supervisor.failed() == 128 + signal.SIGKILL


async def test_a_test_may_kill_and_restart(supervisors) -> None:
    supervisor = supervisors()
    await supervisor.start(python("table-1", SLEEPER))
    assert await supervisor.child("table-1").kill() == -signal.SIGKILL
    assert not supervisor.child("table-1").running
    with pytest.raises(LookupError):
        supervisor.child("table-1").pid  # noqa: B018
    await supervisor.restart("table-1")
    assert supervisor.child("table-1").running


async def test_an_unknown_name_lists_the_known_ones(supervisors) -> None:
    supervisor = supervisors()
    await supervisor.start(python("one", SLEEPER))
    with pytest.raises(LookupError, match="one"):
        supervisor.child("two")


PARENT = """
import asyncio, signal, sys
from laelo_tools.supervisor import Program, Supervisor
async def main():
    supervisor = Supervisor()
    code = "import signal; print('up', flush=True); signal.pause()"
    await supervisor.start(Program(name="c", argv=(sys.executable, "-c", code), ready_line="up"))
    print(supervisor.child("c").pid, flush=True)
    signal.pause()
asyncio.run(main())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel of Linux does this")
async def test_children_end_when_the_supervisor_is_killed() -> None:
    parent = await asyncio.create_subprocess_exec(
        sys.executable, "-c", PARENT, stdout=asyncio.subprocess.PIPE
    )
    assert parent.stdout is not None
    child = int(await parent.stdout.readline())
    parent.kill()
    await parent.wait()
    await until(lambda: not alive(child))
