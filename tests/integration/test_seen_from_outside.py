"""Traces, metrics and logs of the whole house, all of it switched on, while people play."""

import json
from collections.abc import AsyncIterator
from typing import Any, NamedTuple

import pytest
import pytest_asyncio
from laelo_tools.platform import SERVICES, Options, Platform

from .collector import Collector, Span, collecting
from .crowd import Crowd, join_in_turn
from .player import Player

pytestmark = [pytest.mark.integration, pytest.mark.asyncio(loop_scope="module")]

SCALE = 0.02


class Seen(NamedTuple):
    """A platform, and all that can be seen of it from outside."""

    platform: Platform
    collector: Collector
    logs: list[dict[str, Any]]
    """Lines of all services, at level debug."""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def seen() -> AsyncIterator[Seen]:
    logs: list[dict[str, Any]] = []

    def note(_name: str, line: str) -> None:
        if line.startswith("{"):
            logs.append(json.loads(line))

    async with collecting() as collector:
        exported = {
            "OTEL_EXPORTER_OTLP_ENDPOINT": collector.address,
            "OTEL_BSP_SCHEDULE_DELAY": "100",
            "OTEL_METRIC_EXPORT_INTERVAL": "1000",
        }
        env = {
            service: {
                f"LAELO_{service.upper()}_LOG_LEVEL": "debug",
                f"LAELO_{service.upper()}_LOG_FORMAT": "json",
                **exported,
            }
            for service in SERVICES
        }
        options = Options(
            port=0,
            sync="default",
            pause_ms=0,
            bot_delay_ms="0",
            tournaments=1,
            matchmaking=1,
            archives=1,
            clock_scale=SCALE,
            env=env,
        )
        async with Platform(options, echo=note) as platform:
            yield Seen(platform, collector, logs)


async def test_a_move_is_one_trace_from_the_browsers_command_to_the_archive(seen: Seen) -> None:
    """No clock runs at this table: what its person does is done by the person's command alone."""
    collector = seen.collector
    async with Player(seen.platform.url, "Ana") as player:
        table = await player.create()
        await player.start()
        await player.played(1)

    def archived() -> list[Span]:
        return [
            span
            for span in collector.spans.values()
            if span.name == "archive.commits"
            for above in collector.way_up(span)
            if above.attributes.get("table") == table
            and above.attributes.get("kind") in ("KIND_PLAY", "KIND_PASS")
            and len(collector.way_up(above)) == 2
            and collector.below(above, "rules.judge")
            and collector.below(above, "log.append")
        ]

    archive, *_ = await collector.until(archived)
    _, table_span, gateway = collector.way_up(archive)
    assert (gateway.name, gateway.service) == ("gateway.command", "laelo-gateway")
    assert gateway.attributes["frame"] in ("PlayFrame", "PassFrame")
    assert gateway.parent == b""
    assert (table_span.name, table_span.service) == ("table.command", "laelo-table")
    (rules,) = collector.below(table_span, "rules.judge")
    (append,) = collector.below(table_span, "log.append")
    assert rules.service == "laelo-rules"
    assert (append.service, append.attributes["stream"]) == ("laelo-table", "TBL")
    assert (archive.service, archive.attributes["stream"]) == ("laelo-archive", "TBL")
    assert {span.trace for span in (archive, rules, append, gateway)} == {table_span.trace}
    for outer, inner in ((gateway, table_span), (table_span, rules), (table_span, append)):
        assert outer.begin_ns <= inner.begin_ns <= inner.end_ns <= outer.end_ns
    assert append.end_ns <= archive.end_ns
    assert not any(span.fault for span in (archive, rules, append, table_span, gateway))


async def test_a_match_of_a_championship_is_followed_to_its_result_and_the_archive(
    seen: Seen,
) -> None:
    """What ends a match is a person's move, or the clock's where somebody was too slow."""
    collector = seen.collector
    async with Crowd(seen.platform, "Vista") as crowd:
        people = await crowd.come(8)
        await join_in_turn(people)

        def archived() -> list[Span]:
            return [
                span
                for span in collector.spans.values()
                if span.name == "archive.commits" and span.attributes["stream"] == "TRN"
                for above in collector.way_up(span)[1:2]
                if above.name == "tournament.result"
                and collector.below(above, "log.append")
                and len(collector.way_up(span)) >= 3
                and collector.way_up(span)[-1].parent == b""
            ]

        archive, *_ = await collector.until(archived)
    _, result, at_table, *gateway = collector.way_up(archive)
    assert result.service == "laelo-tournament"
    assert result.attributes["match"]
    (append,) = collector.below(result, "log.append")
    assert append.attributes["stream"] == "TRN"
    assert collector.below(at_table, "rules.judge")
    assert collector.below(at_table, "log.append")
    names = (at_table.name, *(span.name for span in gateway))
    assert names in (("table.turn",), ("table.command", "gateway.command"))
    assert result.begin_ns >= at_table.begin_ns
