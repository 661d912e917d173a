"""W3C traceparents: strings that travel with a command, and cheap looks at them."""

import contextvars
import re
from typing import Final, NamedTuple

current: contextvars.ContextVar[str] = contextvars.ContextVar("traceparent", default="")
"""The traceparent of the work at hand; empty when it is not traced. Logs show its trace id."""

_TRACEPARENT: Final = re.compile(r"00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})")
_LENGTH: Final = 55


class Trace(NamedTuple):
    """A traceparent, taken apart."""

    trace_id: int
    span_id: int
    flags: int


def parse(traceparent: str) -> Trace | None:
    """Take a traceparent apart; None if it is none."""
    match = _TRACEPARENT.fullmatch(traceparent)
    if match is None:
        return None
    trace = Trace(*(int(part, 16) for part in match.groups()))
    return trace if trace.trace_id and trace.span_id else None


def written(trace: Trace) -> str:
    """The traceparent of a trace."""
    return f"00-{trace.trace_id:032x}-{trace.span_id:016x}-{trace.flags:02x}"


def is_sampled(traceparent: str) -> bool:
    """Whether there is anything to trace: one look, made before every span."""
    return len(traceparent) == _LENGTH and traceparent[-1] in "13579bdf"
