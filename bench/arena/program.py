"""An outside program as a player: it is asked on its standard input and answers on its output."""

import contextlib
import json
import os
import selectors
import subprocess
import time
from typing import Final

from laelo_bots.domain.view import View
from laelo_rules.engine import Move

from . import lines
from .players import PlayerError

START_SECONDS: Final = 20.0
ANSWER_SECONDS: Final = 20.0
STOP_SECONDS: Final = 5.0


class Program:
    """A program that runs for as long as the player plays."""

    def __init__(self, command: list[str], *, answer_seconds: float = ANSWER_SECONDS) -> None:
        self.name = command[0]
        self._answer_seconds = answer_seconds
        self._asked = 0
        self._rest = b""
        try:
            self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        except OSError as error:
            raise PlayerError(f"{self.name} cannot be started: {error}") from error
        try:
            self._say(lines.hello())
            self._hear(START_SECONDS)
        except PlayerError:
            self.close()
            raise

    def choose(self, view: View, seed: int) -> Move:
        """Ask the program. Raises PlayerError."""
        self._asked += 1
        self._say(lines.question(self._asked, view, seed))
        try:
            return lines.move_of(self._hear(self._answer_seconds), self._asked, view.seat)
        except PlayerError as error:
            raise PlayerError(f"{self.name}: {error}") from error

    def close(self) -> None:
        """Let it end by itself, and end it if it does not."""
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with contextlib.suppress(BrokenPipeError):
                    pipe.close()
        try:
            self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _say(self, line: lines.Line) -> None:
        pipe = self._process.stdin
        try:
            if pipe is not None:
                pipe.write(json.dumps(line).encode() + b"\n")
                pipe.flush()
        except (BrokenPipeError, ValueError) as error:
            raise PlayerError(f"{self.name} reads no more: {self._fate()}") from error

    def _hear(self, seconds: float) -> str:
        """The next line. Raises PlayerError if it does not come."""
        pipe = self._process.stdout
        if pipe is None:
            raise PlayerError(f"{self.name} cannot be heard")
        until = time.monotonic() + seconds
        with selectors.DefaultSelector() as selector:
            selector.register(pipe, selectors.EVENT_READ)
            while b"\n" not in self._rest:
                if not selector.select(max(0.0, until - time.monotonic())):
                    raise PlayerError(f"{self.name} gave no answer in {seconds:g} s")
                more = os.read(pipe.fileno(), 65536)
                if not more:
                    raise PlayerError(f"{self.name} says no more: {self._fate()}")
                self._rest += more
        line, self._rest = self._rest.split(b"\n", 1)
        return line.decode(errors="replace")

    def _fate(self) -> str:
        try:
            status = self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            return "but it still runs"
        return f"it ended with status {status}"
