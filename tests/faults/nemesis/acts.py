"""Faults as they are done to a platform, and how everything is mended."""

import asyncio
import json
import os
import signal
from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from signal import SIGCONT, SIGKILL, SIGSTOP
from typing import Final

from laelo_tools.errors import LaeloError
from laelo_tools.load.processes import family
from laelo_tools.platform import Platform
from laelo_tools.supervisor.child import Child

from tests.faults.nemesis.disks import Disks
from tests.faults.nemesis.fronts import Fronts
from tests.faults.nemesis.history import History
from tests.faults.nemesis.plan import PROCESS, WIRE, Fault, Kind, Targets

AGAIN_SECONDS: Final = 0.3


class Nemesis:
    """Does what a plan says. Two faults of one process come one after the other."""

    def __init__(self, platform: Platform, fronts: Fronts, disks: Disks, history: History) -> None:
        self.platform = platform
        self.done: list[Fault] = []
        self._fronts = fronts
        self._disks = disks
        self._history = history
        self._locks: dict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._unasked: list[str] = []

    @property
    def targets(self) -> Targets:
        """What there is."""
        return Targets.of([child.name for child in self.platform.supervisor.children])

    async def follow(self, faults: Sequence[Fault]) -> None:
        """Do all of it; each is over and mended when this returns."""
        loop = asyncio.get_running_loop()
        begin = loop.time()
        async with asyncio.TaskGroup() as group:
            for fault in faults:
                await asyncio.sleep(begin + fault.after - loop.time())
                group.create_task(self._do(fault))

    async def mend(self) -> list[str]:
        """See to it that everything runs; the parts that had ended unasked."""
        self._fronts.mend_all()
        for name, pid in self.platform.pids.items():
            _signal(pid, SIGCONT)
            if name in self.targets.disks:
                self._disks.empty(name, pid)
        for child in self.platform.supervisor.children:
            if not child.running:
                await self._note_end(child)
                await self._start(child.name)
        self._history.did("all is mended")
        return self._unasked

    async def _do(self, fault: Fault) -> None:
        async with self._locks[fault.target]:
            self._history.did(f"{fault.number}. {fault.words}")
            if fault.kind in WIRE:
                self._fronts.disturb(fault.target, fault.other, fault.kind)
                await asyncio.sleep(fault.seconds)
                self._fronts.mend(fault.target, fault.other)
            elif fault.kind in PROCESS:
                await self._on_process(fault)
            else:
                await self._on_disk(fault)
            self._history.did(f"{fault.number}. {fault.kind} {fault.target} is over")
            self.done.append(fault)

    async def _on_process(self, fault: Fault) -> None:
        child = self.platform.supervisor.child(fault.target)
        if not child.running:
            await self._note_end(child)
        elif fault.kind is Kind.STOP:
            _signal(child.pid, SIGSTOP)
            await asyncio.sleep(fault.seconds)
            _signal(child.pid, SIGCONT)
            return
        elif fault.kind is Kind.KILL:
            _signal(child.pid, SIGKILL)
            await child.wait()
        else:
            await child.stop()
        await asyncio.sleep(fault.seconds)
        await self._start(fault.target)

    async def _note_end(self, child: Child) -> None:
        """A process has ended that nobody had asked to."""
        words = f"{child.name} ended with {await child.wait()}"
        self._history.did(words)
        why = [line for line in child.tail if '"level": "error"' in line] or list(child.tail)
        self._unasked.append(f"{words}, and said last: {'; '.join(map(_told, why[-3:]))}")

    async def _on_disk(self, fault: Fault) -> None:
        child = self.platform.supervisor.child(fault.target)
        if not child.running:
            return
        self._disks.fill(fault.target, child.pid)
        await asyncio.sleep(fault.seconds)
        self._disks.empty(fault.target, child.pid if child.running else None)
        # A server that ran out of room stores nothing more until it is started anew.
        await self._start(fault.target)

    async def _start(self, name: str) -> None:
        """As whoever watches over processes does it: again and again, until it is ready."""
        while True:
            try:
                await self.platform.restart(name)
            except LaeloError as error:
                self._history.did(f"{name} does not start yet: {str(error)[:200]}")
                await asyncio.sleep(AGAIN_SECONDS)
            else:
                return


def _told(line: str) -> str:
    """What a line of a log tells: its message and the last line of its error, without the places
    in the code, which are this machine's.
    """
    try:
        entry = json.loads(line)
        error = entry.get("error", "").strip().rpartition("\n")[2]
        return f"{entry['message']} {error}".strip()
    except (ValueError, TypeError, KeyError, AttributeError):  # no line of a service
        return line


def _signal(pid: int, number: signal.Signals) -> None:
    """To a process and all that it has started."""
    for one in family(pid):
        with suppress(ProcessLookupError):  # it has ended meanwhile
            os.kill(one, number)
