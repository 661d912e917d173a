"""Streams are made while a cluster comes together: who says "not yet" is asked again."""

import asyncio
import json
from typing import Any, cast

import pytest
from laelo_common.log.connection import Connection
from laelo_common.log.port import Refused, Unavailable
from laelo_common.log.streams import STREAMS, ensure_streams

NO_PEERS = {"code": 400, "err_code": 10005, "description": "no suitable peers for placement"}
NO_LEADER = {"code": 503, "err_code": 10008, "description": "system temporarily unavailable"}
NO_ROOM = {"code": 400, "err_code": 10047, "description": "insufficient storage resources"}


class Reply:
    """What JetStream answers."""

    def __init__(self, error: dict[str, Any] | None) -> None:
        self.data = json.dumps({"error": error} if error else {}).encode()


class Servers:
    """Answer with these errors, one after another, then with yes; the wire of a connection."""

    def __init__(self, *errors: dict[str, Any]) -> None:
        self.errors = list(errors)
        self.asked: list[str] = []
        self.wire = self

    async def request(self, subject: str, body: bytes, timeout: float) -> Reply:  # noqa: ASYNC109
        self.asked.append(subject)
        await asyncio.sleep(0)
        return Reply(self.errors.pop(0) if self.errors else None)


def connection(*errors: dict[str, Any]) -> tuple[Connection, Servers]:
    servers = Servers(*errors)
    return cast(Connection, servers), servers


@pytest.mark.parametrize("not_yet", [NO_PEERS, NO_LEADER])
async def test_a_cluster_that_is_not_whole_yet_is_asked_again(not_yet: dict[str, Any]) -> None:
    link, servers = connection(not_yet, not_yet)
    await ensure_streams(link, replicas=3)
    first = f"$JS.API.STREAM.CREATE.{next(iter(STREAMS))}"
    assert servers.asked.count(first) == 3
    assert len(servers.asked) == 2 + len(STREAMS) + 1


async def test_a_cluster_that_never_is_whole_is_out_of_reach() -> None:
    link, _ = connection(*[NO_PEERS] * 100)
    with pytest.raises(Unavailable):
        await ensure_streams(link, replicas=3, within_s=0.3)


async def test_another_no_is_final() -> None:
    link, servers = connection(NO_ROOM)
    with pytest.raises(Refused, match="insufficient storage"):
        await ensure_streams(link, replicas=3)
    assert len(servers.asked) == 1
