"""Traces, metrics and logs of the whole house, all of it switched on, while people play.

One test, so that one house is enough for all that is looked at.
"""

import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import NamedTuple

import httpx
import pytest
from laelo.table.v1 import events_pb2
from laelo_tools.history.source import histories
from laelo_tools.platform import SERVICES, Options, Platform

from tests.metrics_page import Instrument, documented

from .collector import Collector, Span, collecting
from .crowd import Crowd, join_in_turn
from .player import Player

pytestmark = pytest.mark.integration

SCALE = 0.02
LARGE = 10_000_000


class Seen(NamedTuple):
    """A platform, and all that can be seen of it from outside."""

    platform: Platform
    collector: Collector
    logs: list[str]
    """Lines of all services, at level debug."""
    secrets: set[str]
    """Names, tokens and cookies of those who played."""


@asynccontextmanager
async def watched() -> AsyncIterator[Seen]:
    """A house of which everything is told."""
    logs: list[str] = []

    def note(name: str, line: str) -> None:
        if name.rpartition("-")[0] in SERVICES:
            logs.append(line)

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
            consoles=1,
            clock_scale=SCALE,
            env=env,
        )
        async with Platform(options, echo=note) as platform:
            yield Seen(platform, collector, logs, set())


async def test_what_is_seen_of_a_house_from_outside() -> None:
    async with watched() as seen:
        await a_move_is_one_trace_from_the_browsers_command_to_the_archive(seen)
        await a_match_of_a_championship_is_followed_to_its_result_and_the_archive(seen)
        await the_page_of_metrics_tells_of_all_there_are_and_of_no_other(seen)
        await nothing_that_is_seen_tells_a_tile_a_name_or_a_secret(seen)


async def a_move_is_one_trace_from_the_browsers_command_to_the_archive(seen: Seen) -> None:
    """No clock runs at this table: what its person does is done by the person's command alone."""
    collector = seen.collector
    async with Player(seen.platform.url, "Anacleta") as player:
        table = await player.create()
        await player.start()
        await player.played(1)
        seen.secrets.update((player.name, str(player.token)))

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
    # On a crowded machine the rules are asked twice now and then.
    rules, *_ = collector.below(table_span, "rules.judge")
    append, *_ = collector.below(table_span, "log.append")
    assert rules.service == "laelo-rules"
    assert (append.service, append.attributes["stream"]) == ("laelo-table", "TBL")
    assert (archive.service, archive.attributes["stream"]) == ("laelo-archive", "TBL")
    assert {span.trace for span in (archive, rules, append, gateway)} == {table_span.trace}
    for outer, inner in ((gateway, table_span), (table_span, append)):
        assert outer.begin_ns <= inner.begin_ns <= inner.end_ns <= outer.end_ns
    assert table_span.begin_ns <= rules.begin_ns
    assert append.begin_ns <= archive.end_ns
    assert not any(span.fault for span in (archive, rules, append, table_span, gateway))


async def a_match_of_a_championship_is_followed_to_its_result_and_the_archive(seen: Seen) -> None:
    """What ends a match is a person's move, or the clock's where somebody was too slow."""
    collector = seen.collector
    async with Crowd(seen.platform, "Vista") as crowd:
        people = await crowd.come(8)
        for member in people:
            seen.secrets.update((member.name, member.subject, member.cookie.partition("=")[2]))
        await join_in_turn(people)

        def archived() -> list[Span]:
            return [
                span
                for span in collector.spans.values()
                if span.name == "archive.commits" and span.attributes["stream"] == "TRN"
                for result, at_table in zip(
                    collector.way_up(span)[1:], collector.way_up(span)[2:3], strict=False
                )
                if result.name == "tournament.result"
                and collector.below(result, "log.append")
                and collector.below(at_table, "log.append")
                and collector.below(at_table, "rules.judge")
                and collector.way_up(span)[-1].parent == b""
            ]

        archive, *_ = await collector.until(archived)
    _, result, at_table, *gateway = collector.way_up(archive)
    assert result.service == "laelo-tournament"
    assert result.attributes["match"]
    assert {one.attributes["stream"] for one in collector.below(result, "log.append")} == {"TRN"}
    assert {one.trace for one in collector.below(at_table, "rules.judge")} == {archive.trace}
    names = (at_table.name, *(span.name for span in gateway))
    assert names in (("table.turn",), ("table.command", "gateway.command"))
    assert result.begin_ns >= at_table.begin_ns


async def the_page_of_metrics_tells_of_all_there_are_and_of_no_other(seen: Seen) -> None:
    shown: dict[str, Instrument] = {}
    async with httpx.AsyncClient(trust_env=False) as browser:
        for service, port in ports(seen.logs).items():
            answer = await browser.get(f"http://127.0.0.1:{port}/metrics")
            for name, instrument in instruments(answer.text, service).items():
                known = shown.setdefault(name, instrument)
                shown[name] = merged(known, instrument)
    page = documented()
    assert sorted(shown) == sorted(page)
    assert shown == page
    exported = {
        f"laelo-{service}": {name for name, one in page.items() if service in one.services}
        for service in SERVICES
    }
    await seen.collector.until(lambda: seen.collector.metrics.keys() == exported.keys())
    assert seen.collector.metrics == exported


async def nothing_that_is_seen_tells_a_tile_a_name_or_a_secret(seen: Seen) -> None:
    """Of all that was played before: the lines of all logs, and the attributes of all spans."""
    secrets = set(seen.secrets)
    async with histories(seen.platform.nats_url) as log:
        for records in (await log.all()).values():
            for record in records:
                secrets |= secrets_in(events_pb2.Commit.FromString(record.data))
    assert len(secrets) > 20
    texts = [*seen.logs, *(str(span.attributes) for span in seen.collector.spans.values())]
    assert any('"level": "debug"' in line for line in seen.logs)
    for text in texts:
        told = [secret for secret in secrets if secret in text]
        assert not told, f"{told} in {text}"
        assert not TILES.search(text), text
    lines = [json.loads(line) for line in seen.logs]
    assert {line["service"] for line in lines} == set(SERVICES)


TILES = re.compile(
    r"""(?x)
    (?<![\w-])[0-6]\ ?[|-]\ ?[0-6](?![\w-])              # 5|3, 5-3
    | [\[(]\ ?[0-6],\ ?[0-6]\ ?[\])]                     # [5, 3]
    | \b(?:tiles?|tile_[ab]|hands?|hand_[0-3]|plays)["']?\ ?[=:]\ ?[\d\[({]   # tile=17
    """
)
"""What a tile looks like in the words and numbers of any of our messages."""


@pytest.mark.parametrize("text", ["the 5|3", "(6-6)", "[5, 0]", "'tile': 27", "hand_0=63"])
def test_a_tile_is_seen_where_there_is_one(text: str) -> None:
    assert TILES.search(text)


def ports(logs: list[str]) -> dict[str, int]:
    """Where each service shows its metrics, as it said when it was ready."""
    found = {}
    for line in map(json.loads, logs):
        if line["message"] == "ready":
            key = "port" if line["service"] in ("gateway", "console") else "http_port"
            found[line["service"]] = line[key]
    return found


def instruments(text: str, service: str) -> dict[str, Instrument]:
    """What Prometheus reads, as instruments."""
    found: dict[str, Instrument] = {}
    for line in text.splitlines():
        if line.startswith("# TYPE "):
            _, _, name, kind = line.split()
            base = name.removesuffix("_total")
            unit = {"seconds": "s", "bytes": "By"}.get(base.rpartition("_")[2], "1")
            found[name] = Instrument(kind, unit, frozenset((service,)), {})
        elif not line.startswith("#"):
            for key, value in re.findall(r'(\w+)="([^"]*)"', line):
                if key != "le":
                    values = found[name].attributes
                    values[key] = values.get(key, frozenset()) | {value}
    return found


def merged(one: Instrument, other: Instrument) -> Instrument:
    """An instrument that several services have."""
    assert (one.kind, one.unit) == (other.kind, other.unit)
    attributes = {
        key: one.attributes.get(key, frozenset()) | other.attributes.get(key, frozenset())
        for key in (*one.attributes, *other.attributes)
    }
    return Instrument(one.kind, one.unit, one.services | other.services, attributes)


def secrets_in(commit: events_pb2.Commit) -> set[str]:
    """What of a commit nobody may read elsewhere: seeds, the order of the tiles, hands."""
    found: set[str] = set()
    for event in commit.events:
        found |= {event.deal_committed.seed.hex(), event.dealt.order.hex()} - {""}
        after = event.dealt.after
        masks = (after.hand_0, after.hand_1, after.hand_2, after.hand_3)
        # A hand of low tiles alone is a small number, as many others are.
        found |= {str(mask) for mask in masks if mask >= LARGE}
    return found
