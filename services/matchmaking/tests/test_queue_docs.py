"""The reference pages name everything there is."""

import re
from pathlib import Path

from laelo.matchmaking.v1 import events_pb2
from laelo_common.settings import ServiceSettings, variables
from laelo_matchmaking.domain.commands import (
    Call,
    HandOver,
    Join,
    MarkAway,
    MarkBack,
    Release,
    TakeOut,
)
from laelo_matchmaking.settings import MatchmakingSettings

ROOT = Path(__file__).resolve().parents[3]
EVENTS = (ROOT / "docs" / "events-queue.md").read_text()
README = (ROOT / "services" / "matchmaking" / "README.md").read_text()
MAIN = (ROOT / "services/matchmaking/src/laelo_matchmaking/main.py").read_text()


def test_every_event_is_documented_with_its_fields() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", EVENTS, re.MULTILINE))
    events = events_pb2.Event.DESCRIPTOR.oneofs[0].fields
    assert sorted(rows) == sorted(event.name for event in events)
    for event in events:
        for field in event.message_type.fields:
            assert f"`{field.name}`" in rows[event.name], (event.name, field.name)


def test_every_command_is_documented() -> None:
    for command in (
        Join("<player>", "<id>"),
        MarkAway("<version>", ()),  # type: ignore[arg-type]
        MarkBack("<version>", ()),  # type: ignore[arg-type]
        TakeOut("<version>", ()),  # type: ignore[arg-type]
        Call("<version>"),  # type: ignore[arg-type]
        HandOver("<championship>"),
        Release("<championship>", "<version>", 0, None),  # type: ignore[arg-type]
    ):
        assert f"`{command.command}`" in EVENTS, command


def test_every_setting_is_in_the_readme() -> None:
    common = {variable.name for variable in variables(ServiceSettings, "matchmaking")}
    for variable in variables(MatchmakingSettings, "matchmaking"):
        if variable.name not in common:
            name = variable.name.removeprefix("LAELO_MATCHMAKING_")
            assert f"`{name}`" in README, variable.name


def test_every_metric_is_in_the_readme() -> None:
    names = re.findall(r'"laelo_matchmaking_(\w+)"', MAIN)
    assert len(names) > 8
    for name in names:
        assert f"`{name}`" in README, name


def test_the_readme_fits_on_a_page() -> None:
    assert len(README.splitlines()) <= 40
