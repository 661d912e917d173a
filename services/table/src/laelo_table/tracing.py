"""What is done for tables, as parts of traces: which table and what kind of thing, never a tile."""

from typing import Final

from laelo.table.v1 import table_pb2
from laelo_common.telemetry import Span, Telemetry, is_sampled

from laelo_table.domain.commands import AnyCommand

_KINDS: Final = {number: name for name, number in table_pb2.Kind.items()}
_NO_KIND: Final = "unknown"
"""Of a command that makes no sense, or of a newer release."""


def begin(telemetry: Telemetry, table: str, command: AnyCommand) -> Span | None:
    """A person's command is a part of the trace that came with it; what the house does by itself
    begins one. None if it is not traced.
    """
    if not isinstance(command, table_pb2.Command):
        return telemetry.begin_root("table.turn", table=table, kind=type(command).__name__)
    if not is_sampled(command.trace):
        return None
    kind = _KINDS.get(command.kind, _NO_KIND)
    return telemetry.begin("table.command", command.trace, table=table, kind=kind)
