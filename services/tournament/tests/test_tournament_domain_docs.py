"""The page of the events names all of them, each with its fields, and every command."""

import re
from pathlib import Path

from laelo.tournament.v1 import events_pb2, tournament_pb2
from laelo_tournament.domain.commands import Cancel, Result, Start

ROOT = Path(__file__).resolve().parents[3]
EVENTS = (ROOT / "docs" / "events-championship.md").read_text(encoding="utf-8")


def test_every_event_is_documented_with_its_fields() -> None:
    table = EVENTS.partition("Which events")[0]
    rows = dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", table, re.MULTILINE))
    events = events_pb2.Event.DESCRIPTOR.oneofs[0].fields
    assert sorted(rows) == sorted(event.name for event in events)
    for event in events:
        for field in event.message_type.fields:
            assert f"`{field.name}`" in rows[event.name], (event.name, field.name)


def test_every_command_is_documented() -> None:
    commands = (
        Start("", tournament_pb2.TIER_BRONZE, ()),
        Result("<match>", 1, 6, 0, 1),
        Cancel("", ""),
    )
    for command in commands:
        assert f"| `{command.command}`, by" in EVENTS
