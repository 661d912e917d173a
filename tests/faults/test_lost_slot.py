"""lost-slot: each match gets both its teams from somewhere, and each team goes on to one place.

Seen elsewhere: a loser was sent to the wrong place of the bracket
(Drarig29/brackets-manager.js#54, #138).
"""

from random import Random

import pytest
from laelo_tournament.domain.routes import Slot, routes

from services.tournament.tests import brackets

pytestmark = pytest.mark.faults

COMES_DOWN = {
    4: {"L2-1": "W2-1"},
    8: {"L2-1": "W2-2", "L2-2": "W2-1", "L4-1": "W3-1"},
    16: {
        "L2-1": "W2-4",
        "L2-2": "W2-3",
        "L2-3": "W2-2",
        "L2-4": "W2-1",
        "L4-1": "W3-1",
        "L4-2": "W3-2",
        "L6-1": "W4-1",
    },
}
"""Into which match of an even round the loser of which comes (R37)."""


@pytest.mark.parametrize("size", [4, 8, 16])
def test_each_place_has_a_producer_and_no_second_one(size: int) -> None:
    plan = routes(size)
    produced = [Slot(match, side) for match in plan.first for side in (0, 1)]
    for route in plan.after.values():
        produced += [slot for slot in (route.winner, route.loser) if slot is not None]
    places = [Slot(match, side) for match in (*plan.matches, "F1") for side in (0, 1)]
    assert sorted(produced) == sorted(places)
    assert len(plan.matches) == 2 * size - 3


@pytest.mark.parametrize("size", [4, 8, 16])
def test_who_loses_above_comes_down_where_the_rules_say(size: int) -> None:
    down = {
        route.loser.match: match
        for match, route in routes(size).after.items()
        if route.loser is not None and not match.startswith("W1-")
    }
    assert down == COMES_DOWN[size]


@pytest.mark.parametrize("size", [4, 8, 16])
def test_every_bracket_is_played_to_its_end(size: int) -> None:
    for number in range(500):
        run = brackets.play(size, Random(number))
        brackets.check_matches(run)
        brackets.check_rematches(run)
