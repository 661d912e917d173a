"""The pages name all that there is: settings, metrics, levels."""

import re
from pathlib import Path

from laelo_bots import core, main
from laelo_bots.domain.levels import Level
from laelo_bots.settings import BotsSettings
from laelo_common.settings import ServiceSettings, variables

ROOT = Path(__file__).resolve().parents[3]
README = (ROOT / "services/bots/README.md").read_text(encoding="utf-8")
PAGE = (ROOT / "docs/bots.md").read_text(encoding="utf-8")


def test_every_setting_is_named() -> None:
    common = {one.name for one in variables(ServiceSettings, "bots")}
    own = [one.name for one in variables(BotsSettings, "bots") if one.name not in common]
    assert own
    for name in own:
        assert f"`{name}`" in README


def test_every_metric_is_named() -> None:
    source = Path(str(main.__file__)).read_text(encoding="utf-8")
    metrics = {
        *re.findall(r"\"laelo_bots_(\w+)\"", source),
        *re.findall(r"^ +\(?\"((?!laelo)\w+_total)\",", source, re.MULTILINE),
    }
    assert len(metrics) > 8
    for metric in metrics:
        assert f"`laelo_bots_{metric}`" in README


def test_every_level_is_told_of() -> None:
    table = PAGE.partition("## Levels")[2].partition("##")[0]
    for level in Level:
        assert re.search(rf"\b{level.name.lower()}\b", table)


def test_the_version_is_that_of_the_answers() -> None:
    assert f"`c-{core.VERSION}`, `python-{core.VERSION}`" in PAGE
