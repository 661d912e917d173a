"""The streams of the log, and who makes them: the deploy step, never a service."""

import asyncio
from typing import Any

import msgspec
from nats import errors

from laelo_common.log.connection import Connection
from laelo_common.log.port import Refused, Unavailable

POLL_SECONDS = 0.3  # until the servers have chosen a leader there is no answer at all
DAY = 86_400
DUE_CONSUMER = "clock"
NOTICES = "WAIT"

_SECOND_NS = 1_000_000_000
_EXISTS_DIFFERENT = 10058
_NO_PEERS = 10005  # too few servers of the cluster are known yet
_LOG: dict[str, Any] = {
    "retention": "limits",
    "storage": "file",
    "deny_delete": True,
    "deny_purge": True,
    "allow_direct": True,
    "duplicate_window": 120 * _SECOND_NS,
}

STREAMS: dict[str, dict[str, Any]] = {
    "TBL": {
        **_LOG,
        "subjects": ["tbl.*.*.ev"],
        "max_age": 30 * DAY * _SECOND_NS,
    },
    "TRN": {**_LOG, "subjects": ["trn.*.ev"], "max_age": 30 * DAY * _SECOND_NS},
    "MMQ": {**_LOG, "subjects": ["mmq.*.ev"]},
    # Each table leaves a snapshot and a code behind, for longer than it can be loaded.
    "SNAP": {
        "subjects": ["snap.*.*"],
        "storage": "file",
        "max_msgs_per_subject": 1,
        "max_age": 60 * DAY * _SECOND_NS,
        "allow_direct": True,
    },
    NOTICES: {
        "subjects": ["wait.*"],
        "storage": "file",
        "max_msgs_per_subject": 1,
        "max_age": 3600 * _SECOND_NS,
        "allow_direct": True,
        "allow_msg_ttl": True,
    },
    "CLOCK": {
        "subjects": ["clk.set.*.*", "clk.due.*.*"],
        "storage": "file",
        "max_age": 3600 * _SECOND_NS,
        "allow_direct": True,
        "allow_msg_schedules": True,
        "allow_msg_ttl": True,
    },
}

_DUE: dict[str, Any] = {
    "durable_name": DUE_CONSUMER,
    "filter_subject": "clk.due.>",
    "deliver_policy": "all",
    "ack_policy": "explicit",
    "ack_wait": 2 * _SECOND_NS,
    "max_deliver": -1,
    "max_ack_pending": 10_000,
}


class _Error(msgspec.Struct):
    code: int
    description: str = ""
    err_code: int = 0


class _Answer(msgspec.Struct):
    error: _Error | None = None


async def ensure_streams(connection: Connection, replicas: int = 1, within_s: float = 20.0) -> None:
    """Make or bring up to date all streams and the consumer of the clocks.

    May run any number of times, also in several processes at once, and while the cluster
    comes together. Raises Unavailable when JetStream does not answer in time, Refused when it
    says no.
    """
    try:
        async with asyncio.timeout(within_s):
            for name, options in STREAMS.items():
                config = {"name": name, "num_replicas": replicas, **options}
                refusal = await _ask(connection, f"STREAM.CREATE.{name}", config)
                if refusal is not None and refusal.err_code == _EXISTS_DIFFERENT:
                    refusal = await _ask(connection, f"STREAM.UPDATE.{name}", config)
                _check(refusal, name)
            consumer = {"stream_name": "CLOCK", "config": {**_DUE, "num_replicas": replicas}}
            subject = f"CONSUMER.CREATE.CLOCK.{DUE_CONSUMER}.clk.due.>"
            _check(await _ask(connection, subject, consumer), DUE_CONSUMER)
    except TimeoutError as error:
        raise Unavailable(f"JetStream did not answer within {within_s:g} s") from error


async def _ask(connection: Connection, api: str, config: dict[str, Any]) -> _Error | None:
    body = msgspec.json.encode(config)
    while True:
        try:
            reply = await connection.wire.request(f"$JS.API.{api}", body, timeout=POLL_SECONDS)
        except (errors.TimeoutError, errors.NoRespondersError):
            await asyncio.sleep(POLL_SECONDS / 3)
            continue
        error = msgspec.json.decode(reply.data, type=_Answer).error
        if error is None or (error.code != 503 and error.err_code != _NO_PEERS):
            return error
        await asyncio.sleep(POLL_SECONDS / 3)


def _check(error: _Error | None, name: str) -> None:
    if error is not None:
        raise Refused(f"{name}: {error.description} ({error.err_code})")
