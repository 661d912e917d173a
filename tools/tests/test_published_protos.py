"""What was published of proto/ stays: buf finds what would not, and nothing stored is missing."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from google.protobuf import descriptor_pb2
from google.protobuf.descriptor import FileDescriptor
from laelo.log.v1 import log_pb2
from laelo.matchmaking.v1 import events_pb2 as queue_events
from laelo.table.v1 import events_pb2 as table_events
from laelo.tournament.v1 import events_pb2 as championship_events

PROTO = Path(__file__).resolve().parents[2] / "proto"
PUBLISHED = PROTO / "published.binpb"
EVENTS = "laelo/table/v1/events.proto"
STORED = (log_pb2, table_events, championship_events, queue_events)
CHANGES = {
    "another number": (EVENTS, "SeatTaken2 seat_taken_2 = 21;", "SeatTaken2 seat_taken_2 = 22;"),
    "another type": (EVENTS, "uint32 hand = 1;", "string hand = 1;"),
    "another name": (EVENTS, "string guest_name = 3;", "string name = 3;"),
    "an event less": (EVENTS, "    SeatTaken seat_taken = 2;\n", ""),
    "a word less": ("laelo/log/v1/log.proto", "  ACTOR_OPERATOR = 4;\n", ""),
}


def breaking(folder: Path) -> subprocess.CompletedProcess[str]:
    buf = str(Path(sys.executable).parent / "buf")
    command = [buf, "breaking", ".", "--against", str(PUBLISHED)]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def copy(folder: Path, file: str, old: str, new: str) -> Path:
    """proto/ with something changed."""
    shutil.copytree(PROTO, folder / "proto")
    changed = folder / "proto" / file
    text = changed.read_text(encoding="utf-8")
    assert old in text
    changed.write_text(text.replace(old, new), encoding="utf-8")
    return folder / "proto"


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_that_would_break_what_is_stored_is_found(change: str, tmp_path: Path) -> None:
    found = breaking(copy(tmp_path, *CHANGES[change]))
    assert found.returncode == 100, found.stdout + found.stderr
    assert CHANGES[change][0] in found.stdout


def test_what_is_added_breaks_nothing(tmp_path: Path) -> None:
    added = "  string window = 2;\n  bytes more = 9;\n"
    found = breaking(copy(tmp_path, EVENTS, "  string window = 2;\n", added))
    assert found.returncode == 0, found.stdout + found.stderr


@pytest.mark.parametrize("module", STORED, ids=lambda module: module.DESCRIPTOR.package)
def test_all_that_can_be_stored_is_published(module: object) -> None:
    """Otherwise `make proto-publish` was forgotten."""
    file: FileDescriptor = module.DESCRIPTOR  # type: ignore[attr-defined]
    kept = descriptor_pb2.FileDescriptorSet.FromString(PUBLISHED.read_bytes())
    (published,) = [one for one in kept.file if one.name == file.name]
    fields = {(one.name, field.name) for one in published.message_type for field in one.field}
    for message in file.message_types_by_name.values():
        for field in message.fields:
            assert (message.name, field.name) in fields
