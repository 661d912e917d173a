"""laelo conformance on championships: the vectors pass and a wrong answer is named, both without
a rules service.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from laelo_tools.cli import main

VECTORS = Path(__file__).resolve().parents[2] / "tests" / "vectors"
NOBODY = "127.0.0.1:1"
"""No rules service is there: whoever asked it would fail."""


@pytest.mark.parametrize(
    ("file", "words"),
    [("bracket.json", "12 passed, 0 failed\n"), ("league.json", "11 passed, 0 failed\n")],
)
def test_the_vectors_pass(capsys: pytest.CaptureFixture[str], file: str, words: str) -> None:
    assert main(["conformance", str(VECTORS / file), "--rules", NOBODY]) == 0
    assert capsys.readouterr().out == words


@pytest.mark.parametrize(
    ("case_id", "path", "value", "line"),
    [
        ("bracket-005", ["matches", "L2-1"], [1, 4], "matches.L2-1: expected [1, 4], came [4, 1]"),
        ("bracket-005", ["results", "F1"], [4, 3], "results.F1: expected [4, 3], came [3, 4]"),
        ("bracket-005", ["placed", "2"], [3, 3, 2], "placed.2: expected [3, 3, 2], came [4, 4, 1]"),
        ("bracket-005", ["champion"], None, "champion: expected null, came 3"),
        ("bracket-005", ["over"], False, "over: expected false, came true"),
        ("bracket-005", ["open"], ["F1"], 'open: expected ["F1"], came []'),
        ("bracket-009", ["error"], "NOT_READY", 'expected "NOT_READY", came "UNKNOWN_MATCH"'),
        ("league-003", ["look_again_at"], None, "look_again_at: expected null, came 187.0"),
        ("league-006", ["left"], [], 'left: expected [], came ["a", "p1"'),
        ("league-005", ["start"], [], 'start: expected [], came [{"name": "bronze"'),
        ("league-009", ["monday"], "2024-06-10", 'expected "2024-06-10", came "2024-06-03"'),
        ("league-011", ["rows"], [], 'rows: expected [], came [[1, "ana", 8]'),
    ],
)
def test_a_wrong_answer_is_named(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    case_id: str,
    path: list[str],
    value: Any,
    line: str,
) -> None:
    file = json.loads((VECTORS / f"{case_id.partition('-')[0]}.json").read_text())
    (case,) = [case for case in file["cases"] if case["id"] == case_id]
    part = case["expect"]
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = value
    said = run(tmp_path, capsys, [case], 1)
    assert said.startswith(f"{case_id}: ")
    assert line in said
    assert said.endswith("0 passed, 1 failed\n")


def test_open_matches_are_a_set(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = json.loads((VECTORS / "bracket.json").read_text())
    (case,) = [case for case in file["cases"] if case["id"] == "bracket-008"]
    case["expect"]["open"].reverse()
    assert run(tmp_path, capsys, [case], 0) == "1 passed, 0 failed\n"


@pytest.mark.parametrize(
    ("size", "report", "expect", "status"),
    [
        (5, None, "BAD_SIZE", 0),
        (5, ["W1-1", 1], "BAD_SIZE", 0),
        (8, None, "BAD_SIZE", 1),
        (8, ["W1-1", 1], "NOT_READY", 1),
    ],
)
def test_a_bracket_that_cannot_be_made(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    size: int,
    report: list[Any] | None,
    expect: str,
    status: int,
) -> None:
    given = {"size": size, "results": [], "report": report}
    case = {"id": "x", "op": "bracket_error", "title": "a size", "given": given}
    said = run(tmp_path, capsys, [{**case, "expect": {"error": expect}}], status)
    if status:
        assert f'error: expected "{expect}", came null' in said


def test_a_result_that_cannot_be_is_what_came(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = {"size": 4, "results": [["W1-1", 3]]}
    case = {"id": "x", "op": "bracket", "title": "", "given": given, "expect": {"over": False}}
    assert 'error: expected nothing, came "NOT_IN_MATCH"' in run(tmp_path, capsys, [case], 1)


def test_an_instant_needs_its_zone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case = {"id": "x", "op": "week", "title": "", "expect": {}}
    given = {"instant": "2024-06-10T00:00:00"}
    path = written(tmp_path, [{**case, "given": given}])
    assert main(["conformance", str(path)]) == 2
    assert "case x: given: Expected `datetime` with a timezone" in capsys.readouterr().err


def run(tmp_path: Path, capsys: pytest.CaptureFixture[str], cases: list[Any], status: int) -> str:
    """What is said about some cases."""
    assert main(["conformance", str(written(tmp_path, cases)), "--rules", NOBODY]) == status
    return capsys.readouterr().out


def written(tmp_path: Path, cases: list[Any]) -> Path:
    path = tmp_path / "cases.json"
    path.write_text(json.dumps({"version": 1, "cases": cases}))
    return path
