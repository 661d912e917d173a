"""No service opens a channel by itself: all go through the one place that knows of TLS."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MAKERS = ("insecure_channel(", "secure_channel(", "add_insecure_port(", "add_secure_port(")
PLACES = {
    "libs/common/src/laelo_common/stream/dial.py",
    "libs/common/src/laelo_common/tls/channel.py",
    "libs/common/src/laelo_common/runtime/service.py",
}


def test_channels_and_ports_are_made_in_one_place() -> None:
    found = set()
    for folder in (ROOT / "libs/common/src/laelo_common", *(ROOT / "services").glob("*/src")):
        for file in folder.rglob("*.py"):
            text = file.read_text(encoding="utf-8")
            if "testing" not in file.parts and any(maker in text for maker in MAKERS):
                found.add(file.relative_to(ROOT).as_posix())
    assert found == PLACES
