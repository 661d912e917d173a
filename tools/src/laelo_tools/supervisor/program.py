"""What a child process is, before it runs."""

import re
import signal
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path


def always(_line: str) -> bool:
    """Every line is passed on."""
    return True


async def at_once() -> bool:
    """Ready as soon as it runs."""
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """A command line, when it counts as ready, and how it is stopped.

    It is ready once it has written `ready_line` (if any) and `ready()` says so. A line that
    matches `broken` before that ends the start with `broken_sentence`. `echo` chooses the
    lines that a person gets to see. `user` is the id to become, None for our own.
    """

    name: str
    argv: tuple[str, ...]
    env: Mapping[str, str] = field(default_factory=dict)
    cwd: Path | None = None
    ready: Callable[[], Awaitable[bool]] = at_once
    ready_line: str | None = None
    broken: re.Pattern[str] | None = None
    broken_sentence: str = ""
    stop_signal: signal.Signals = signal.SIGTERM
    user: int | None = None
    echo: Callable[[str], bool] = always
