"""One child process: start, readiness, output, stop."""

import asyncio
import contextlib
import os
import shutil
import signal
from asyncio import subprocess
from collections import deque
from collections.abc import Callable

from laelo_tools.errors import LaeloError
from laelo_tools.supervisor.program import Program

Echo = Callable[[str, str], None]
POLL_SECONDS = 0.03
START_SECONDS = 60.0
STOP_SECONDS = 10.0
KEPT_LINES = 200
LONGEST_LINE = 1 << 20
DROPPED = {"PYTHONDONTWRITEBYTECODE"}


class Child:
    """A program that runs, ran, or will run; the same object over restarts."""

    def __init__(self, program: Program, echo: Echo | None = None) -> None:
        self.program = program
        self.tail: deque[str] = deque(maxlen=KEPT_LINES)
        self.wanted = False  # False while its end is no surprise
        self._echo = echo
        self._process: subprocess.Process | None = None
        self._reader: asyncio.Task[None] | None = None
        self._said_ready = asyncio.Event()
        self._broken = False

    @property
    def name(self) -> str:
        """Its name in prefixes and in `Platform.kill`."""
        return self.program.name

    @property
    def pid(self) -> int:
        """Its process id. Raises LookupError if it doesn't run."""
        if self._process is None or not self.running:
            raise LookupError(f"{self.name} does not run")
        return self._process.pid

    @property
    def running(self) -> bool:
        """Whether the process is alive."""
        return self._process is not None and self._process.returncode is None

    async def launch(self) -> None:
        """Start the process without waiting until it is ready."""
        self.tail.clear()
        self._said_ready.clear()
        self._broken = False
        program = self.program
        identity: dict[str, object] = {}
        if program.user is not None:
            identity = {"user": program.user, "group": program.user, "extra_groups": []}
        self.wanted = True
        try:
            self._process = await subprocess.create_subprocess_exec(
                *ends_with_parent(program.stop_signal),
                *program.argv,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                cwd=program.cwd,
                env=child_environment(program),
                start_new_session=True,  # Ctrl-C shall reach only the supervisor
                limit=LONGEST_LINE,
                **identity,  # type: ignore[arg-type]
            )
        except OSError as error:
            raise LaeloError(f"{self.name} could not be started: {error}.") from error
        self._reader = asyncio.create_task(self._read(self._process))

    async def wait_ready(self, within_s: float = START_SECONDS) -> None:
        """Return when it is ready. Raises LaeloError if it ends, is broken, or takes too long."""
        try:
            async with asyncio.timeout(within_s):
                while not await self._is_ready():
                    if self._broken:
                        raise LaeloError(self.program.broken_sentence + self._last_lines())
                    if not self.running:
                        raise LaeloError(await self._obituary())
                    await asyncio.sleep(POLL_SECONDS)
        except TimeoutError:
            raise LaeloError(
                f"{self.name} was not ready after {within_s:.0f} s: look at what it said last."
                f"{self._last_lines()}"
            ) from None

    async def wait(self) -> int:
        """Wait for the end of the process and of its output; its exit code (-9 for SIGKILL)."""
        if self._process is None:
            raise LookupError(f"{self.name} never ran")
        code = await self._process.wait()
        if self._reader is not None:
            await asyncio.wait([self._reader])  # which a cancelled waiter must not cancel
        return code

    async def stop(self, within_s: float = STOP_SECONDS) -> int | None:
        """Ask it to end, insist after `within_s` seconds; its exit code, None if it never ran."""
        self.wanted = False
        if self._process is None:
            return None
        self.send(self.program.stop_signal)
        try:
            async with asyncio.timeout(within_s):
                return await self.wait()
        except TimeoutError:
            return await self.kill()

    async def kill(self, number: signal.Signals = signal.SIGKILL) -> int:
        """Send a signal, by default the one that can't be caught, and wait for the end."""
        self.send(number)
        return await self.wait()

    def send(self, number: signal.Signals) -> None:
        """Send a signal, if it runs."""
        if self.running and self._process is not None:
            with contextlib.suppress(ProcessLookupError):  # it ended a moment ago
                self._process.send_signal(number)

    async def _is_ready(self) -> bool:
        if not self.running or self._broken:
            return False
        if self.program.ready_line is not None and not self._said_ready.is_set():
            return False
        return await self.program.ready()

    async def _read(self, process: subprocess.Process) -> None:
        while process.stdout and (line := await read_line(process.stdout)):
            text = line.decode(errors="replace").rstrip("\r\n")
            self.tail.append(text)
            self._look_at(text)
            if self._echo is not None and self.program.echo(text):
                self._echo(self.name, text)

    def _look_at(self, text: str) -> None:
        program = self.program
        if self._said_ready.is_set():
            return
        if program.broken is not None and program.broken.search(text):
            self._broken = True
        if program.ready_line is not None and program.ready_line in text:
            self._said_ready.set()

    async def _obituary(self) -> str:
        code = await self.wait()
        if self._broken:
            return self.program.broken_sentence + self._last_lines()
        how = f"exit status {code}" if code >= 0 else f"signal {-code}"
        return f"{self.name} did not start ({how}); it said last:{self._last_lines()}"

    def _last_lines(self) -> str:
        lines = list(self.tail)[-8:] or ["(nothing)"]
        return "".join(f"\n    {line}" for line in lines)


async def read_line(stream: asyncio.StreamReader) -> bytes:
    """One line; a longer one than the limit is cut, so that its writer never blocks."""
    try:
        return await stream.readuntil()
    except asyncio.IncompleteReadError as end:
        return end.partial
    except asyncio.LimitOverrunError as overrun:
        return await stream.read(overrun.consumed)


def ends_with_parent(number: signal.Signals) -> tuple[str, ...]:
    """What makes the kernel stop the child when the supervisor dies, where there is such a thing.

    A program of its own does it between fork and exec: Python code there could deadlock.
    """
    setpriv = shutil.which("setpriv")
    return () if setpriv is None else (setpriv, "--pdeathsig", number.name[3:], "--")


def child_environment(program: Program) -> dict[str, str]:
    """Ours and the program's. Children may keep compiled bytecode: it halves their start."""
    inherited = {key: value for key, value in os.environ.items() if key not in DROPPED}
    return {**inherited, "PYTHONUNBUFFERED": "1", **program.env}
