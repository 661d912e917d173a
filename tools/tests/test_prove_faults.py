"""The runner that shows that tests of faults can fail, on a tree of its own."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

pytestmark = pytest.mark.faults  # each starts pytest anew, some seconds every time

ROOT = Path(__file__).resolve().parents[2]
GUARDED = "def add(a: int, b: int) -> int:\n    return a + b\n"
TEST = "from prove_sample import add\n\n\ndef test_add():\n    assert add(2, 3) == 5\n"
PATCH = """\
--- a/libs/sample/src/prove_sample.py
+++ b/libs/sample/src/prove_sample.py
@@ -1,2 +1,2 @@
 def add(a: int, b: int) -> int:
-    return a + b
+    return a - b
"""


@pytest.fixture(scope="module")
def prove() -> ModuleType:
    spec = importlib.util.spec_from_file_location("prove", ROOT / "tests/faults/prove.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    files = {
        "libs/sample/src/prove_sample.py": GUARDED,
        "tests/faults/test_wrong_sum.py": TEST,
        "tests/faults/mutants/wrong-sum.patch": PATCH,
        "pyproject.toml": '[tool.pytest.ini_options]\naddopts = "--import-mode=importlib"\n',
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_a_test_that_catches_its_mutant_is_proved(prove, tree: Path, capsys) -> None:
    assert prove.main([], tree) == 0
    assert "wrong-sum: fails as it should" in capsys.readouterr().out
    assert (tree / "libs/sample/src/prove_sample.py").read_text() == GUARDED


def test_a_test_that_passes_with_its_mutant_is_a_problem(prove, tree: Path, capsys) -> None:
    (tree / "tests/faults/test_wrong_sum.py").write_text("def test_nothing():\n    assert True\n")
    assert prove.main([], tree) == 1
    assert "passes although the protection is out" in capsys.readouterr().err


def test_a_test_that_fails_anyway_proves_nothing(prove, tree: Path, capsys) -> None:
    (tree / "tests/faults/test_wrong_sum.py").write_text("def test_no():\n    assert False\n")
    assert prove.main(["wrong-sum"], tree) == 1
    assert "does not pass without the patch" in capsys.readouterr().err


def test_a_patch_that_breaks_the_test_itself_proves_nothing(prove, tree: Path, capsys) -> None:
    broken = PATCH.replace("+    return a - b", "+    return (")
    (tree / "tests/faults/mutants/wrong-sum.patch").write_text(broken)
    assert prove.main([], tree) == 1
    assert "did not run with the patch" in capsys.readouterr().err


def test_a_patch_that_no_longer_applies_is_a_problem(prove, tree: Path, capsys) -> None:
    (tree / "libs/sample/src/prove_sample.py").write_text(GUARDED.replace("a + b", "b + a"))
    assert prove.main([], tree) == 1
    assert "does not apply" in capsys.readouterr().err


def test_a_test_of_a_fault_without_a_patch_is_a_problem(prove, tree: Path, capsys) -> None:
    (tree / "tests/faults/test_forgotten.py").write_text("")
    assert prove.main([], tree) == 1
    assert "test_forgotten.py has no patch" in capsys.readouterr().err


def test_tests_that_were_run_before_are_run_with_the_patch_only(prove, tree: Path, capsys) -> None:
    assert prove.main(["--passed", "--jobs", "2"], tree) == 0
    assert "fails as it should" in capsys.readouterr().out


@pytest.mark.parametrize(("turn", "number"), [("4/2", 1), ("1/2", 0)])
def test_another_part_is_proved_by_another_run(
    prove, tree: Path, capsys, turn: str, number: int
) -> None:
    assert prove.main(["--part", turn], tree) == 0
    assert f"{number} faults, 0 problems" in capsys.readouterr().out


def test_a_patch_of_another_part_still_has_to_apply(prove, tree: Path, capsys) -> None:
    (tree / "libs/sample/src/prove_sample.py").write_text(GUARDED.replace("a + b", "b + a"))
    assert prove.main(["--part", "1/2"], tree) == 1
    assert "does not apply" in capsys.readouterr().err


@pytest.mark.parametrize("nonsense", ["", "1", "1/0", "-1/3", "a/b"])
def test_a_part_that_is_none_is_refused(prove, tree: Path, capsys, nonsense: str) -> None:
    with pytest.raises(SystemExit):
        prove.main([f"--part={nonsense}"], tree)
    assert "is not K/N" in capsys.readouterr().err
