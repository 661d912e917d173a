"""The log: the only truth, and the one module that knows NATS."""

from laelo_common.log.append_once import Stale, Stored, append_once
from laelo_common.log.board import JetStreamBoard
from laelo_common.log.clocks import JetStreamClocks
from laelo_common.log.connection import Connection, Counters, NatsSettings, connect
from laelo_common.log.jetstream import JetStreamLog
from laelo_common.log.lives import JetStreamLives, Life
from laelo_common.log.memory import MemoryLog
from laelo_common.log.memory_board import MemoryBoard
from laelo_common.log.memory_clocks import MemoryClocks
from laelo_common.log.pages import read_pages
from laelo_common.log.port import (
    Aggregate,
    Append,
    Board,
    Clocks,
    Conflict,
    Due,
    Duplicate,
    Following,
    Kind,
    Loaded,
    Log,
    LogError,
    Recorded,
    Refused,
    Running,
    Snapshot,
    Subscription,
    Unavailable,
)
from laelo_common.log.reach import Gap, Reach
from laelo_common.log.refill import Refill
from laelo_common.log.shown import show_log
from laelo_common.log.streams import ensure_streams

__all__ = [
    "Aggregate",
    "Append",
    "Board",
    "Clocks",
    "Conflict",
    "Connection",
    "Counters",
    "Due",
    "Duplicate",
    "Following",
    "Gap",
    "JetStreamBoard",
    "JetStreamClocks",
    "JetStreamLives",
    "JetStreamLog",
    "Kind",
    "Life",
    "Loaded",
    "Log",
    "LogError",
    "MemoryBoard",
    "MemoryClocks",
    "MemoryLog",
    "NatsSettings",
    "Reach",
    "Recorded",
    "Refill",
    "Refused",
    "Running",
    "Snapshot",
    "Stale",
    "Stored",
    "Subscription",
    "Unavailable",
    "append_once",
    "connect",
    "ensure_streams",
    "read_pages",
    "show_log",
]
