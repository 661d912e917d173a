"""laelo conformance: the rules' vectors pass, wrong answers are named, bad files refused."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
import pytest_asyncio
from laelo.rules.v1 import rules_pb2 as pb
from laelo_tools.cli import main
from laelo_tools.commands.conformance import run_all
from laelo_tools.conformance.compare import differences
from laelo_tools.conformance.files import read_file
from laelo_tools.conformance.from_wire import lay
from laelo_tools.conformance.operations import OPERATIONS, Judge
from laelo_tools.conformance.rules_service import own_rules, rules_at

VECTORS = Path(__file__).resolve().parents[2] / "tests" / "vectors" / "rules.json"


@pytest.mark.integration
def test_the_vectors_pass(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["conformance", str(VECTORS)]) == 0
    assert capsys.readouterr().out == "76 passed, 0 failed\n"


def changed(tmp_path: Path, case_id: str, path: list[Any], value: Any) -> Path:
    """The vectors with one value changed."""
    file = json.loads(VECTORS.read_text())
    part = next(case for case in file["cases"] if case["id"] == case_id)
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = value
    out = tmp_path / "changed.json"
    out.write_text(json.dumps(file))
    return out


@pytest.mark.integration
@pytest.mark.parametrize(
    ("case_id", "path", "value", "line"),
    [
        ("rules-001", ["expect", "after", "turn"], 3, "after.turn: expected 3, came 2"),
        ("rules-007", ["expect", "error"], "X", 'error: expected "X", came "INVALID_DEAL"'),
        ("rules-012", ["expect", "can_pass"], False, "can_pass: expected false, came true"),
        ("rules-013", ["expect", "after", "chain"], [], "after.chain: expected [], came [[2, 3]"),
        ("rules-013", ["expect", "calls"], [], "calls: expected [], came"),
        ("rules-064", ["expect", "seconds"], 15, "seconds: expected 15, came 3"),
        ("rules-070", ["expect", "move", "end"], "right", 'expected "right", came "left"'),
        ("rules-075", ["expect", "match_end", "team"], 1, "match_end.team: expected 1, came 0"),
    ],
)
async def test_a_wrong_answer_is_named(
    tmp_path: Path, case_id: str, path: list[Any], value: Any, line: str, rules: str
) -> None:
    lines: list[str] = []
    cases = read_file(changed(tmp_path, case_id, path, value))
    failed = await run_all(cases, rules, lines.append)
    assert failed == 1
    assert lines[0].startswith(f"{case_id}: ")
    assert line in lines[0]
    assert len(lines) == 1


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def rules() -> Any:
    async with own_rules() as address:
        yield address


@pytest.mark.integration
async def test_a_request_without_sense_is_an_answer(rules: str) -> None:
    async with rules_at(rules) as judge:
        answer = await judge(pb.JudgeRequest())
    assert answer.refusal == pb.REFUSAL_BAD_REQUEST
    assert answer.reason


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "no file of cases"),
        ("[]", "no file of cases"),
        ('{"version": 2, "cases": []}', "version 2"),
        ('{"version": 1}', "`cases`"),
        (
            '{"version": 1, "cases": [{"id": "a", "op": "juggle", "title": "", "given": {},'
            ' "expect": {}}]}',
            "operations not known in this version: juggle (1); known are deal",
        ),
        (
            '{"version": 1, "cases": [{"id": "a", "op": "legal", "title": "", "given": {},'
            ' "expect": {}}]}',
            "case a: given: Object missing required field `state`",
        ),
        (
            '{"version": 1, "cases": [{"id": "a", "op": "replay", "title": "", "given":'
            ' {"hands": [{"order": [], "moves": [["play", 1]]}]}, "expect": {}}]}',
            "is no move of a replay",
        ),
    ],
)
def test_a_bad_file_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, words: str
) -> None:
    path = tmp_path / "cases.json"
    path.write_text(text)
    assert main(["conformance", str(path)]) == 2
    said = capsys.readouterr()
    assert words in said.err
    assert str(path) in said.err
    assert "passed" not in said.out


def test_a_missing_file_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["conformance", "no/such/file.json"]) == 2
    assert "no/such/file.json can't be read: No such file" in capsys.readouterr().err


def test_nobody_at_the_address(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["conformance", str(VECTORS), "--rules", "127.0.0.1:1"]) == 1
    assert "The rules service at 127.0.0.1:1 does not answer" in capsys.readouterr().err


def test_hands_are_sets_and_chains_are_not() -> None:
    hands = {"hands": [[[0, 1], [1, 1]], []]}
    assert not differences(hands, {"hands": [[[1, 1], [0, 1]], []]})
    assert differences({"chain": [[0, 1], [1, 1]]}, {"chain": [[1, 1], [0, 1]]})
    assert differences({"a": 1}, {}) == ["a: expected 1, came nothing"]
    assert differences({}, {"a": None}) == ["a: expected nothing, came null"]
    assert differences({"a": 1}, {"a": True})


def test_a_chain_grows_at_both_ends() -> None:
    played = pb.JudgeResponse(act=pb.ACT_PLAY, tile=4)  # 1|2
    assert lay([], played) == [(1, 2)]
    played.end = pb.END_LEFT
    assert lay([(2, 3)], played) == [(1, 2), (2, 3)]
    played.end = pb.END_RIGHT
    assert lay([(3, 2)], played) == [(3, 2), (2, 1)]
    assert lay([(3, 2)], pb.JudgeResponse(act=pb.ACT_PASS)) == [(3, 2)]


async def test_a_refusal_in_a_replay_is_what_came() -> None:
    async def refuse(request: pb.JudgeRequest) -> pb.JudgeResponse:
        refusal = pb.REFUSAL_CANNOT_PASS if request.act == pb.ACT_PASS else 0
        return pb.JudgeResponse(refusal=pb.Refusal.ValueType(refusal), after=request.state)

    judge: Judge = refuse
    operation = OPERATIONS["replay"]
    given = msgspec.convert({"hands": [{"order": [], "moves": [["pass", 1]]}]}, operation.given)
    assert await operation.run(judge, given) == {
        "ok": False,
        "error": "CANNOT_PASS",
        "hand": 1,
        "turn": 1,
    }
