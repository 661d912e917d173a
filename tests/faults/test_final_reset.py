"""final-reset: who has not lost before the final is not out after losing it once.

Seen elsewhere: an undefeated team was out after one loss in the final
(online-go/online-go.com#1046).
"""

from random import Random

import pytest

from services.tournament.tests import brackets

pytestmark = pytest.mark.faults


def test_all_results_of_four_teams() -> None:
    for run in brackets.every(brackets.empty(4)):
        brackets.check_defeats(run)
        brackets.check_matches(run)


@pytest.mark.parametrize("size", [8, 16])
def test_random_results(size: int) -> None:
    seconds = 0
    for number in range(5_000):
        run = brackets.play(size, Random(number))
        brackets.check_defeats(run)
        brackets.check_matches(run)
        seconds += "F2" in run.bracket.matches
    assert 2_000 < seconds < 3_000
