"""Worker processes for what takes long, so that the event loop never does.

Questions wait in one line, those that somebody waits for at the table before all others. A worker
that dies, or does not answer in time, is replaced, and its question is asked once more.
"""

import asyncio
import itertools
import logging
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable
from typing import Final, NamedTuple

from laelo_bots.frames import FAILED, HEAD, framed

_log = logging.getLogger(__name__)

ROOM: Final = 64
"""Questions that may wait for each worker."""

_TRIES: Final = 2
_COMMAND: Final = (sys.executable, "-m", "laelo_bots.worker")
_FAULTS: Final = (OSError, EOFError, TimeoutError)

Payload = Callable[[], bytes]
"""The question, made when its turn has come: by then some of its time is gone."""


class CrowdedError(Exception):
    """So many questions wait that this one would not be answered in time."""


class UnansweredError(Exception):
    """Worker after worker failed at this question; the text says how."""


class _Job(NamedTuple):
    """A question that waits; compared by what stands first."""

    later: bool
    number: int
    kind: int
    payload: Payload
    patience: float
    answer: "asyncio.Future[bytes]"


class Workers:
    """So many processes that think, each begun with its first question: where nobody plays with
    a strong bot there are none. `close` at the end.
    """

    def __init__(self, number: int, command: tuple[str, ...] = _COMMAND) -> None:
        self._command = command
        self._jobs: asyncio.PriorityQueue[_Job] = asyncio.PriorityQueue(number * ROOM)
        self._numbers = itertools.count()
        self.processes: list[Process | None] = [None] * number
        self._tasks = [
            asyncio.create_task(self._work(index), name=f"bots-worker-{index}")
            for index in range(number)
        ]
        self.replaced = 0

    @property
    def waiting(self) -> int:
        """Questions that no worker has begun with."""
        return self._jobs.qsize()

    @property
    def alive(self) -> int:
        """Workers that can be asked."""
        return sum(one is not None and one.returncode is None for one in self.processes)

    async def close(self) -> None:
        """End the processes; what is still waiting is given up."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for index in range(len(self.processes)):
            await self._end(index)
        while not self._jobs.empty():
            self._jobs.get_nowait().answer.cancel()

    async def ask(
        self, kind: int, payload: Payload, patience: float, *, later: bool = False
    ) -> bytes:
        """The answer to a question. `patience`: seconds after which a worker that has begun with
        it is taken for dead. `later`: behind all others. Raises CrowdedError, UnansweredError.
        """
        answer: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        job = _Job(later, next(self._numbers), kind, payload, patience, answer)
        try:
            self._jobs.put_nowait(job)
        except asyncio.QueueFull:
            raise CrowdedError(f"{self.waiting} questions are waiting already") from None
        return await answer

    async def _work(self, index: int) -> None:
        while True:
            job = await self._jobs.get()
            if job.answer.done():
                continue
            try:
                await self._settle(index, job)
            finally:
                # Closed in the middle of it.
                job.answer.cancel()

    async def _settle(self, index: int, job: _Job) -> None:
        """Ask until there is an answer, or enough workers have failed."""
        reason = ""
        for _ in range(_TRIES):
            try:
                process = await self._process(index)
                answer = await asyncio.wait_for(_asked(process, job), job.patience)
            except _FAULTS as error:
                reason = f"{type(error).__name__} {error}".strip()
                _log.warning("worker %d is replaced: %s", index, reason)
                self.replaced += 1
                await self._end(index)
                continue
            except ValueError as error:
                reason = str(error)
                break
            if not job.answer.done():
                job.answer.set_result(answer)
            return
        if not job.answer.done():
            job.answer.set_exception(UnansweredError(reason))

    async def _process(self, index: int) -> Process:
        """The worker's process; a new one if there is none, or it has died. Raises OSError."""
        process = self.processes[index]
        if process is not None and process.returncode is None:
            return process
        process = await asyncio.create_subprocess_exec(*self._command, stdin=PIPE, stdout=PIPE)
        self.processes[index] = process
        return process

    async def _end(self, index: int) -> None:
        process, self.processes[index] = self.processes[index], None
        if process is None:
            return
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def _asked(process: Process, job: _Job) -> bytes:
    """Raises OSError or EOFError when the process is gone, ValueError when it failed."""
    assert process.stdin is not None and process.stdout is not None  # noqa: S101, PT018 - piped
    process.stdin.write(framed(job.kind, job.payload()))
    await process.stdin.drain()
    kind, length = HEAD.unpack(await process.stdout.readexactly(HEAD.size))
    answer = await process.stdout.readexactly(length)
    if kind == FAILED:
        raise ValueError(answer.decode())
    return answer
