"""The load processes, from the side of who runs them."""

import asyncio
import contextlib
import json
import signal
import sys
from asyncio import subprocess
from collections.abc import Sequence
from types import TracebackType
from typing import Any, Self

import msgspec

from laelo_tools.errors import LaeloError
from laelo_tools.load.crowd import Order
from laelo_tools.load.player import Setting
from laelo_tools.load.table import Plan
from laelo_tools.supervisor.child import ends_with_parent

_LONGEST_LINE = 1 << 28
_ANSWER_SECONDS = 600.0


class Told:
    """Several processes that are told the same words. Nothing of them stays behind."""

    def __init__(self, commands: Sequence[Sequence[str]]) -> None:
        self._commands = commands
        self._processes: list[subprocess.Process] = []

    async def __aenter__(self) -> Self:
        for command in self._commands:
            process = await subprocess.create_subprocess_exec(
                *ends_with_parent(signal.SIGKILL),
                *command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                start_new_session=True,  # Ctrl-C shall reach only who runs it
                limit=_LONGEST_LINE,
            )
            self._processes.append(process)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for process in self._processes:
            with contextlib.suppress(ProcessLookupError):  # it ended by itself
                process.kill()
            await process.wait()

    @property
    def pids(self) -> dict[str, int]:
        """Process ids of the clients."""
        return {f"clients-{n}": process.pid for n, process in enumerate(self._processes, start=1)}

    async def tell(self, word: str) -> list[dict[str, Any]]:
        """Tell all of them, and wait for their answers. Raises LaeloError."""
        return await asyncio.gather(*(self._tell(process, word) for process in self._processes))

    async def _tell(self, process: subprocess.Process, word: str) -> dict[str, Any]:
        if process.stdin is None or process.stdout is None:
            raise LaeloError("A load process has no pipes.")
        try:
            async with asyncio.timeout(_ANSWER_SECONDS):
                process.stdin.write(f"{word}\n".encode())
                await process.stdin.drain()
                line = await process.stdout.readline()
        except TimeoutError as error:
            raise LaeloError(f"A load process did not {word} in {_ANSWER_SECONDS:g} s.") from error
        except ConnectionError as error:
            raise LaeloError("A load process has ended; its last words are above.") from error
        if not line:
            raise LaeloError("A load process has ended; its last words are above.")
        answer: dict[str, Any] = json.loads(line)
        if "failed" in answer:
            raise LaeloError(f"The clients could not {word}: {answer['failed']}.")
        return answer


def shares(tables: int, parts: int) -> list[int]:
    """Tables, shared out as evenly as can be."""
    return [tables // parts + (n < tables % parts) for n in range(parts)]


def command(order: Order) -> tuple[str, ...]:
    """The command line of one crowd."""
    return (
        *(sys.executable, "-m", "laelo_tools.load.crowd"),
        msgspec.json.encode(order).decode(),
    )


class Crowds(Told):
    """The tables of a run, shared out over processes full of clients."""

    def __init__(self, plan: Plan, setting: Setting, tables: int, processes: int) -> None:
        parts = shares(tables, processes)
        firsts = [sum(parts[:n]) for n in range(processes)]
        super().__init__(
            [
                command(Order(plan, setting, part, first))
                for part, first in zip(parts, firsts, strict=True)
                if part
            ]
        )
