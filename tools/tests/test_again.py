"""What fails in the crowd is run again, alone, and counted as what it is."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

TOOLS = Path(__file__).resolve().parents[1]
FAILS = '<failure message="no">no</failure>'


def loaded(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, TOOLS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


again, summary = loaded("again"), loaded("summary")


def report(folder: Path, name: str, cases: list[str], failures: int) -> Path:
    """A report of test cases of `<folder>/test_one.py`."""
    file = folder / f"{name}.xml"
    inside = "".join(cases)
    file.write_text(
        f'<testsuites><testsuite errors="0" failures="{failures}" skipped="0"'
        f' tests="{len(cases)}">{inside}</testsuite></testsuites>'
    )
    return file


def case(file: str, classname: str, name: str, inside: str = "") -> str:
    return f'<testcase classname="{classname}" file="{file}" name="{name}">{inside}</testcase>'


def test_what_failed_is_named_as_pytest_takes_it(tmp_path: Path) -> None:
    cases = [
        case("a/test_one.py", "a.test_one", "test_x[1 -2]", FAILS),
        case("a/test_one.py", "a.test_one.TestAll", "test_y", "<error/>"),
        case("a/test_one.py", "a.test_one", "test_z"),
    ]
    assert list(again.failed(report(tmp_path, "test", cases, 1))) == [
        "a/test_one.py::test_x[1 -2]",
        "a/test_one.py::TestAll::test_y",
    ]


@pytest.mark.parametrize(("text", "status"), [("assert True", 0), ("assert False", 1)])
def test_it_has_to_pass_alone(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    text: str,
    status: int,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "test_one.py").write_text(f"def test_x():\n    {text}\n")
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    found = report(tmp_path, "test", [case("test_one.py", "test_one", "test_x", FAILS)] * 1, 1)
    assert again.main([str(found)]) == status
    assert ("UNSTEADY: test_one.py::test_x" in capsys.readouterr().out) == (status == 0)
    line = summary.closing_line(summary.totals(tmp_path), 1.0)
    assert ("1 unsteady" in line) == (status == 0)
    assert ("1 failed" in line) == (status == 1)
    assert "passed" not in line


def test_where_many_fail_nothing_is_run_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    many = [case("test_one.py", "test_one", f"test_{n}", FAILS) for n in range(again.MOST + 1)]
    assert again.main([str(report(tmp_path, "test", many, len(many)))]) == 1
    assert not (tmp_path / "again-test.xml").exists()
    assert "nothing is run again" in capsys.readouterr().err


def test_without_a_failed_test_the_run_failed_for_another_reason(tmp_path: Path) -> None:
    assert again.main([str(report(tmp_path, "test", [case("t.py", "t", "test_x")], 0))]) == 1
    assert again.main([str(tmp_path / "none.xml")]) == 1


def test_the_line_of_a_run_that_went_well(tmp_path: Path) -> None:
    report(tmp_path, "test", [case("t.py", "t", f"test_{n}") for n in range(3)], 0)
    assert " 3 passed in 2.00s " in summary.closing_line(summary.totals(tmp_path), 2.0)
