"""What must not stand in a tracked file: addresses in locks, paths of one machine, hosts."""

import json
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LOCKS = [ROOT / "requirements.lock", *sorted((ROOT / "tools" / "locks").glob("*.txt"))]
HOSTS = re.compile(r"\b(pyp[i]|python[h]osted|npm[j]s|yarn[p]kg)\.(org|com)\b")
PATHS = re.compile(r"(?<![\w.])/(work|root|home/\w+|Users/\w+)/|\bfile:/")
HASHED = re.compile(r"(?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+")


def tracked() -> list[Path]:
    """All text files under version control; in an export without it, none."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    paths = (ROOT / name for name in listed.stdout.split("\0") if name)
    return [path for path in paths if path.is_file() and b"\0" not in path.read_bytes()[:4096]]


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_locks_name_versions_and_hashes_only(lock: Path) -> None:
    text = lock.read_text()
    assert "://" not in text
    assert "file:" not in text
    entries = re.split(r"^(?=\S)", text, flags=re.MULTILINE)[1:]
    assert entries
    for entry in entries:
        first, _, hashes = entry.partition("\n")
        assert re.fullmatch(r"[\w.-]+==[\w.]+( ; .+)? \\", first), first
        assert HASHED.fullmatch(hashes), first


@pytest.mark.parametrize("folder", ["web", "bench/peers"])
def test_locks_of_npm_name_no_addresses(folder: str) -> None:
    lock = ROOT / folder / "package-lock.json"
    packages = json.loads(lock.read_text())["packages"]
    assert not [name for name, entry in packages.items() if "resolved" in entry]
    assert not [n for n, entry in packages.items() if n and not entry.get("integrity")]


def test_no_tracked_file_names_a_registry_or_a_path_of_one_machine() -> None:
    found = []
    for path in tracked():
        for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
            if HOSTS.search(line) or PATHS.search(line):
                found.append(f"{path.relative_to(ROOT)}:{number}: {line.strip()[:80]}")
    assert found == []
