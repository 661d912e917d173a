"""Every alert has a page that tells what to do, and asks for what there is."""

import re

import pytest

from tests.metrics_page import documented

from .manifests import ROOT
from .rules_files import alerts, known, names_in, rules, unknown_labels

pytestmark = pytest.mark.k8s

RUNBOOKS = ROOT / "docs/operations/runbooks"
SECTIONS = ["## What players notice", "## Look", "## Do"]


def test_each_alert_names_a_page_of_its_own_and_no_page_is_left_over() -> None:
    pages = {name: rule["annotations"]["runbook"] for name, rule in alerts().items()}
    assert len(pages) > 20
    wanted = {path.relative_to(ROOT).as_posix() for path in RUNBOOKS.glob("*.md")}
    assert sorted(pages.values()) == sorted(wanted)
    for name, page in pages.items():
        lines = (ROOT / page).read_text(encoding="utf-8").splitlines()
        assert lines[0] == f"# {name}"
        assert [line for line in lines if line.startswith("## ")] == SECTIONS


def test_each_alert_says_how_urgent_it_is_and_what_it_is_about() -> None:
    for name, rule in alerts().items():
        assert rule["labels"]["severity"] in ("page", "ticket"), name
        assert rule["annotations"]["summary"].endswith("."), name


def test_rules_ask_for_series_that_there_are() -> None:
    there = known()
    for rule in rules():
        assert names_in(rule["expr"]) <= there, rule["expr"]
        assert not unknown_labels(rule["expr"]), rule["expr"]


def test_pages_name_metrics_that_there_are_and_pages_that_there_are() -> None:
    there = known() | documented().keys()
    for path in RUNBOOKS.glob("*.md"):
        text = path.read_text(encoding="utf-8")
        named = re.findall(r"\b(?:laelo|process)_[a-z_]+\b(?!\.)", text)
        assert {name for name in named if not name.endswith("_")} <= there, path.name
        for target in re.findall(r"\]\(([^)#]+)", text):
            assert (path.parent / target).exists(), f"{path.name}: {target}"
