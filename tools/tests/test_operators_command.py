"""`laelo admin` and `laelo audit`: they find the database, and hand on what is asked."""

import sys
from typing import Any

import pytest
from laelo_tools import operators
from laelo_tools.cli import main
from laelo_tools.commands import admin
from laelo_tools.errors import LaeloError
from laelo_tools.state import Running

RUNNING = Running(
    pid=1,
    url="http://127.0.0.1:1",
    nats_url="nats://127.0.0.1:2",
    pg_dsn="postgresql://postgres@127.0.0.1:3/laelo",
    addresses={"console-1": "127.0.0.1:4"},
    pids={},
)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, list[str]]]:
    """What the gateway's own program was asked, and of which database."""
    asked: list[tuple[str, list[str]]] = []

    class Done:
        returncode = 0

    def run(argv: list[str], env: dict[str, str]) -> Any:
        assert argv[:3] == [sys.executable, "-m", operators.PROGRAM]
        asked.append((env["LAELO_GATEWAY_PG_DSN"], argv[3:]))
        return Done()

    monkeypatch.setattr("laelo_tools.operators.subprocess.run", run)
    for module in (operators, admin):
        monkeypatch.setattr(module, "find_running", lambda: RUNNING)
    return asked


@pytest.mark.parametrize(
    ("argv", "handed_on"),
    [
        (["admin", "grant", "Ana"], ["grant", "Ana", "--reason="]),
        (["admin", "revoke", "Ana", "--reason", "gone"], ["revoke", "Ana", "--reason=gone"]),
        (["admin", "list"], ["list"]),
        (["admin"], ["list"]),
        (["audit"], ["audit", "--limit=50"]),
        (["audit", "--limit", "3", "--json"], ["audit", "--limit=3", "--json"]),
        (["audit", "--verify"], ["audit", "--limit=50", "--verify"]),
    ],
)
def test_the_platform_of_this_checkout_is_asked(
    asked: list[tuple[str, list[str]]], argv: list[str], handed_on: list[str]
) -> None:
    assert main(argv) == 0
    assert asked == [(RUNNING.pg_dsn, handed_on)]


def test_another_database_can_be_named(asked: list[tuple[str, list[str]]]) -> None:
    assert main(["admin", "list", "--pg", "postgresql://else/gateway"]) == 0
    assert asked == [("postgresql://else/gateway", ["list"])]


def test_the_console_of_this_checkout_is_told(
    asked: list[tuple[str, list[str]]], capfd: pytest.CaptureFixture[str]
) -> None:
    main(["admin"])
    assert capfd.readouterr().out == "The console is at http://127.0.0.1:4\n"


def test_where_nothing_runs_it_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def nothing() -> Running:
        raise LaeloError("Nothing runs in this checkout: start it with `make run`.")

    monkeypatch.setattr(operators, "find_running", nothing)
    assert main(["audit"]) == 1
    assert "make run" in capfd.readouterr().err


def test_a_database_that_does_not_answer_is_one_sentence(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", "--pg", "postgresql://postgres@127.0.0.1:1/none"]) == 2
    assert "the database cannot be asked" in capfd.readouterr().err
