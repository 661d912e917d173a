"""The service's page names its settings and its metrics, and fits on a page."""

import re
from pathlib import Path

from laelo_common.settings import ServiceSettings, variables
from laelo_tournament import main
from laelo_tournament.settings import TournamentSettings

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
WIRING = Path(main.__file__).read_text(encoding="utf-8")


def test_every_setting_is_in_the_readme() -> None:
    common = {variable.name for variable in variables(ServiceSettings, "tournament")}
    for variable in variables(TournamentSettings, "tournament"):
        if variable.name not in common:
            name = variable.name.removeprefix("LAELO_TOURNAMENT_")
            assert f"`{name}`" in README, variable.name


def test_metrics_of_the_readme_exist() -> None:
    named = set(re.findall(r"laelo_tournament_[a-z_]+", README)) - {"laelo_tournament_migrations"}
    assert named
    for name in named:
        assert f'"{name}"' in WIRING, name


def test_the_readme_fits_on_a_page() -> None:
    assert len(README.splitlines()) <= 40
