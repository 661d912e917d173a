"""docs/licences.md is true, and nothing with another licence comes in."""

from pathlib import Path

import pytest
from laelo_tools import licences
from laelo_tools.licences import Package

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/licences.md").read_text("utf-8")


def row(package: Package) -> str:
    return f"| {package.name} | {package.licence} | {'yes' if package.shipped else ''} |"


def test_every_package_is_listed_with_the_licence_that_it_has() -> None:
    """Which of them are installed depends on the system, so more may be listed than are here."""
    packages = licences.of_python() + licences.of_the_page()
    assert len(packages) > 150
    assert [row(one) for one in packages if row(one) not in PAGE] == [], (
        "run `python -m laelo_tools.licences > docs/licences.md`"
    )


def test_no_package_is_listed_that_we_do_not_use() -> None:
    known = licences.locked() | {one.name for one in licences.of_the_page()}
    listed = [
        line.split(" | ")[0].removeprefix("| ") for line in PAGE.splitlines() if " | " in line
    ]
    assert set(listed) - known == {"package"}


def test_every_licence_is_allowed() -> None:
    packages = licences.of_python() + licences.of_the_page()
    assert [one for one in packages if not one.is_allowed] == []


@pytest.mark.parametrize(
    ("licence", "shipped", "allowed"),
    [
        ("MIT", True, True),
        ("(MIT OR CC0-1.0)", True, True),
        ("GPL-2.0-only", False, True),
        ("GPL-2.0-only", True, False),
        ("MIT AND GPL-2.0-only", True, False),
        ("AGPL-3.0-only", False, False),
        ("unknown", False, False),
    ],
)
def test_which_are_allowed(licence: str, shipped: bool, allowed: bool) -> None:
    assert Package("one", licence, shipped).is_allowed is allowed


def test_it_names_no_address() -> None:
    assert "://" not in PAGE
