"""The set-up script: digests, and the sentences for what a machine lacks."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def bootstrap(monkeypatch, tmp_path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("bootstrap", ROOT / "tools/bootstrap.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "ROOT", tmp_path)
    monkeypatch.setattr(module, "LOCAL", tmp_path / ".local")
    monkeypatch.setattr(module, "TOOL_LOCKS", tmp_path)
    (tmp_path / "uv.txt").touch()
    return module


def program(folder: Path, name: str, body: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return path


def test_a_digest_follows_names_and_contents(bootstrap, tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.write_text("a")
    two.write_text("b")
    before = bootstrap.digest([one, two])
    assert bootstrap.digest([two, one]) == before
    one.touch()
    assert bootstrap.digest([one, two]) == before
    assert bootstrap.digest([one, two], "3.12") != before
    one.write_text("b")
    two.write_text("a")
    assert bootstrap.digest([one, two]) != before


def test_without_uv_and_venv_it_says_what_to_install(bootstrap, monkeypatch) -> None:
    monkeypatch.setattr(bootstrap.shutil, "which", lambda _name: None)
    monkeypatch.setattr(bootstrap.importlib.util, "find_spec", lambda _name: None)
    with pytest.raises(bootstrap.SetupError, match="apt-get install python3-venv"):
        bootstrap.uv()


def test_a_uv_on_the_path_is_used_if_it_is_new_enough(bootstrap, monkeypatch, tmp_path) -> None:
    found = program(tmp_path / "bin", "uv", "echo uv 0.13.9")
    monkeypatch.setenv("PATH", str(found.parent), prepend=os.pathsep)
    assert bootstrap.uv() == [str(found)]
    program(tmp_path / "bin", "uv", "echo uv 0.4.1")
    monkeypatch.setattr(bootstrap.importlib.util, "find_spec", lambda _name: None)
    with pytest.raises(bootstrap.SetupError):
        bootstrap.uv()


@pytest.mark.parametrize(
    ("said", "version"),
    [("echo v20.19.0", (20, 19, 0)), ("echo broken", ()), ("echo v1.2.3; exit 1", ())],
)
def test_versions_are_read(bootstrap, tmp_path: Path, said: str, version: tuple[int, ...]) -> None:
    assert bootstrap.version_of(program(tmp_path, "tool", said)) == version


def test_a_program_that_is_not_there_has_no_version(bootstrap) -> None:
    assert bootstrap.version_of("/no/such/program") == ()


def test_a_missing_network_is_one_sentence(bootstrap) -> None:
    failing = [sys.executable, "-c", "print('dns error: no such host'); raise SystemExit(2)"]
    with pytest.raises(bootstrap.SetupError, match="fetching it failed because the network"):
        bootstrap.run("fetching it", failing)


def test_another_failure_keeps_what_was_said(bootstrap) -> None:
    failing = [sys.executable, "-c", "print('disk full'); raise SystemExit(2)"]
    with pytest.raises(bootstrap.SetupError, match=r"building it failed:\n    disk full"):
        bootstrap.run("building it", failing)


def test_an_unknown_step_shows_the_known_ones() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "tools/bootstrap.py", "everything"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert "lock-check" in done.stderr
