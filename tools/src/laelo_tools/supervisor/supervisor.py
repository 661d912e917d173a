"""Several children: ordered start, restarts with back-off, stop in reverse order."""

import asyncio
import contextlib
import signal
from collections import deque
from enum import Enum, auto

from laelo_tools.errors import LaeloError
from laelo_tools.supervisor.child import Child, Echo
from laelo_tools.supervisor.program import Program

RESTARTS = 5
WINDOW_SECONDS = 60.0
FIRST_PAUSE_SECONDS = 0.1


class OnExit(Enum):
    """What happens when a child ends that nobody asked to end."""

    RESTART = auto()  # start it again, up to RESTARTS times a minute
    END = auto()  # the run ends with its code
    LEAVE = auto()  # nothing: a test has killed it and looks at what follows


class Supervisor:
    """Starts groups of programs one after another and stops them in reverse order."""

    def __init__(self, on_exit: OnExit = OnExit.RESTART, echo: Echo | None = None) -> None:
        self._on_exit = on_exit
        self._echo = echo
        self._groups: list[list[Child]] = []
        self._watchers: dict[str, asyncio.Task[None]] = {}
        self._failed: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    @property
    def children(self) -> list[Child]:
        """All children, in the order of their start."""
        return [child for group in self._groups for child in group]

    def child(self, name: str) -> Child:
        """The child of this name. Raises LookupError."""
        for child in self.children:
            if child.name == name:
                return child
        raise LookupError(f"no child {name!r}, only {[child.name for child in self.children]}")

    async def start(self, *programs: Program) -> None:
        """Start a group at once and wait until all of it is ready. Raises LaeloError."""
        group = [Child(program, self._echo) for program in programs]
        self._groups.append(group)
        for child in group:
            await child.launch()
        waits = [asyncio.create_task(child.wait_ready()) for child in group]
        try:
            await asyncio.gather(*waits)
        finally:
            for wait in waits:
                wait.cancel()
            await asyncio.gather(*waits, return_exceptions=True)
        for child in group:
            self._watch(child)

    async def restart(self, name: str) -> None:
        """Stop the child if it runs, start it again, wait until it is ready."""
        child = self.child(name)
        await self._unwatch(child)
        await child.stop()
        await child.launch()
        await child.wait_ready()
        self._watch(child)

    def kill(self) -> None:
        """End all processes at once; `stop` then has nothing to wait for."""
        for child in self.children:
            child.wanted = False
            child.send(signal.SIGKILL)

    async def failed(self) -> int:
        """Wait for a child that ended for good: its exit code, never 0."""
        return await asyncio.shield(self._failed)

    async def stop(self) -> None:
        """Stop all groups, the last one first; each group at once."""
        for child in self.children:
            child.wanted = False
        for child in self.children:
            await self._unwatch(child)
        for group in reversed(self._groups):
            await asyncio.gather(*(child.stop() for child in group))
        self._groups.clear()

    def _watch(self, child: Child) -> None:
        task = asyncio.create_task(self._keep(child), name=f"watch-{child.name}")
        self._watchers[child.name] = task

    async def _unwatch(self, child: Child) -> None:
        task = self._watchers.pop(child.name, None)
        if task is not None:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task

    async def _keep(self, child: Child) -> None:
        """Wait for the end of a child, again and again, and act on it."""
        restarts: deque[float] = deque(maxlen=RESTARTS)
        while True:
            code = await child.wait()
            if not child.wanted or self._on_exit is OnExit.LEAVE:
                return
            self._say(child, f"ended unasked with {code}")
            now = asyncio.get_running_loop().time()
            exhausted = len(restarts) == RESTARTS and now - restarts[0] < WINDOW_SECONDS
            if self._on_exit is OnExit.END or exhausted:
                self._fail(code)
                return
            recent = sum(now - then < WINDOW_SECONDS for then in restarts)
            restarts.append(now)
            await asyncio.sleep(FIRST_PAUSE_SECONDS * 2**recent)
            try:
                await child.launch()
                await child.wait_ready()
            except LaeloError as error:
                self._say(child, str(error))
            else:
                self._say(child, "runs again")

    def _fail(self, code: int) -> None:
        if not self._failed.done():
            self._failed.set_result(128 - code if code < 0 else code or 1)

    def _say(self, child: Child, text: str) -> None:
        if self._echo is not None:
            self._echo(child.name, f"({text})")
