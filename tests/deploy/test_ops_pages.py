"""The pages of docs/operations name what there is: commands, options, targets, files, metrics."""

import re
import shlex
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from laelo_common.postgres.migrations import parser as migrations_parser
from laelo_tools.cli import parser_for

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs/operations"
PAGES = {str(page.relative_to(FOLDER)): page.read_text() for page in FOLDER.rglob("*.md")}

CODE = re.compile(r"`([^`]+)`")
LINK = re.compile(r"\]\(([^)#:]+\.md)\)")
PLACES = ("", "deploy/k8s")
"""Where a path in a page may begin."""


def lines(pattern: str) -> Iterator[tuple[str, str]]:
    """Page, and what follows a beginning in its indented lines, continued ones in one piece."""
    for name, text in PAGES.items():
        for line in text.replace("\\\n", " ").splitlines():
            match = re.match(rf"\s{{4,}}{pattern}", line)
            if match is not None:
                yield name, line[match.end() :].split("  #")[0]


def words(pattern: str) -> Iterator[tuple[str, str]]:
    """The same of what stands as code in sentences."""
    for name, text in PAGES.items():
        for code in CODE.findall(text):
            match = re.match(pattern, code)
            if match is not None:
                yield name, code[match.end() :].replace("\n", " ")


@cache
def sources() -> str:
    """All source code of services, tools and manifests."""
    folders = ("services", "libs", "tools", "deploy")
    kinds = (".py", ".yaml", ".conf")
    files = (file for folder in folders for file in (ROOT / folder).rglob("*"))
    return "\n".join(file.read_text(encoding="utf-8") for file in files if file.suffix in kinds)


def test_commands_can_be_given_like_that() -> None:
    found = 0
    for page, line in lines(r"(?:\.venv/bin/)?laelo (?=[a-z])"):
        argv = shlex.split(line.replace("…", "x"))
        try:
            parser_for(argv).parse_args(argv)
        except SystemExit:
            pytest.fail(f"{page}: laelo {line}")
        found += 1
    assert found > 5


def test_commands_in_sentences_exist(capsys: pytest.CaptureFixture[str]) -> None:
    for page, code in words(r"laelo (?=[a-z])"):
        argv = re.match(r"(?:[a-z]+ ?)*", code)
        assert argv is not None
        asked = [*argv[0].split(), "--help"]
        with pytest.raises(SystemExit) as ended:
            parser_for(asked).parse_args(asked)
        told = capsys.readouterr().out
        assert ended.value.code == 0, f"{page}: {code}"
        for option in re.findall(r"--[a-z-]+", code):
            assert option in told, f"{page}: {code}"


def test_migrations_can_be_run_like_that() -> None:
    for _, line in lines(r"python -m laelo_\w+\.migrate"):
        migrations_parser("gateway").parse_args(shlex.split(line))


def test_targets_are_in_the_makefile() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for page, target in [*lines("make "), *words("make (?=[a-z])")]:
        name = re.escape(target.split()[0])
        assert re.search(rf"^{name}:", makefile, re.MULTILINE), f"{page}: make {target}"


def test_what_kubectl_is_told_of_is_in_the_manifests() -> None:
    for page, line in [*lines("kubectl "), *words("kubectl ")]:
        for kind, name in re.findall(r"\b(deployment|statefulset|svc)/([a-z-]+)", line):
            there = re.search(rf"^  name: {name}$", sources(), re.MULTILINE)
            assert there, f"{page}: {kind}/{name}"


def test_files_are_there() -> None:
    for name, text in PAGES.items():
        for path in LINK.findall(text):
            assert ((FOLDER / name).parent / path).is_file(), f"{name}: {path}"
        for code in CODE.findall(text):
            if re.fullmatch(r"(tests|components|deploy|overlays)/[\w./-]+", code):
                there = any((ROOT / place / code).exists() for place in PLACES)
                assert there, f"{name}: {code}"


def test_metrics_are_measured() -> None:
    for name, text in PAGES.items():
        if name == "metrics.md":
            continue  # which has a stricter test of its own
        for metric in re.findall(r"`(laelo_[a-z_]+)\b(?!\.)", text):
            end = metric.split("_", 2)[-1]
            assert metric in sources() or end in sources(), f"{name}: {metric}"
