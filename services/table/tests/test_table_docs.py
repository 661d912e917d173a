"""The reference pages name everything there is."""

import re
from pathlib import Path

from laelo.table.v1 import events_pb2
from laelo_common.settings import ServiceSettings, variables
from laelo_table.settings import TableSettings

ROOT = Path(__file__).resolve().parents[3]
EVENTS = (ROOT / "docs" / "events.md").read_text()
README = (ROOT / "services" / "table" / "README.md").read_text()


def test_every_event_is_documented_with_its_fields() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", EVENTS, re.MULTILINE))
    events = events_pb2.Event.DESCRIPTOR.oneofs[0].fields
    assert sorted(rows) == sorted(event.name for event in events)
    for event in events:
        for field in event.message_type.fields:
            assert f"`{field.name}`" in rows[event.name], (event.name, field.name)


def test_every_field_of_the_head_is_documented() -> None:
    head = events_pb2.Commit.DESCRIPTOR.fields_by_name["head"].message_type
    for field in head.fields:
        assert f"`{field.name}`" in EVENTS, field.name


def test_every_setting_is_in_the_readme() -> None:
    common = {variable.name for variable in variables(ServiceSettings, "table")}
    for variable in variables(TableSettings, "table"):
        if variable.name not in common:
            assert f"`{variable.name.removeprefix('LAELO_TABLE_')}`" in README, variable.name


def test_the_readme_fits_on_a_page() -> None:
    assert len(README.splitlines()) <= 40
