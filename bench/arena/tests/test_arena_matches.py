"""Pairs of matches: fair to both sides, the same for the same seed, honest in their figures."""

from math import sqrt
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laelo_bots.domain.view import View
from laelo_rules.engine import Move, Pass, Play

from bench.arena.deals import Chance
from bench.arena.match import Pair, play_pair
from bench.arena.named import maker_of
from bench.arena.players import Heaviest, Player, PlayerError
from bench.arena.run import Duel, play
from bench.arena.score import quantile, score


@given(run=st.integers(0, 2**40), pair=st.integers(0, 10_000))
@settings(max_examples=15, deadline=None)
@pytest.mark.parametrize("name", ["random", "simple", "heaviest"])
def test_who_plays_itself_wins_one_of_two(name: str, run: int, pair: int) -> None:
    player = maker_of(name)()
    both = play_pair([player, player], Chance(run, pair))
    assert (both.wins, both.net) == (1, 0)
    assert both.hands >= 4


def test_sides_that_are_changed_change_the_sign() -> None:
    one, other = maker_of("simple")(), maker_of("heaviest")()
    for number in range(10):
        chance = Chance(7, number)
        there, back = play_pair([one, other], chance), play_pair([other, one], chance)
        assert (there.wins, there.net) == (2 - back.wins, -back.net)
        assert there.hands == back.hands


def test_every_hand_of_a_pair_is_dealt_alike_and_no_two_are() -> None:
    deals = {
        tuple(Chance(run, pair).deal(hand)) for run in (1, 2) for pair in (1, 2) for hand in (0, 1)
    }
    assert len(deals) == 8
    assert all(sorted(order) == list(range(28)) for order in deals)
    assert Chance(1, 1).deal(3) == Chance(1, 1).deal(3)


class Watching:
    """A player that keeps what it was shown."""

    def __init__(self) -> None:
        self.views: list[View] = []

    def choose(self, view: View, seed: int) -> Move:
        self.views.append(view)
        return Heaviest().choose(view, seed)

    def close(self) -> None:
        pass


def test_a_player_is_shown_its_own_tiles_and_asked_only_where_it_may_choose() -> None:
    one, other = Watching(), Watching()
    pair = play_pair([one, other], Chance(1, 1))
    assert [len(one.views), len(other.views)] == [len(times) for times in pair.thought_us]
    seats = [{view.seat & 1 for view in player.views} for player in (one, other)]
    assert seats == [{0, 1}, {0, 1}]
    for view in one.views:
        shown = {code & 31 for code in view.turns}
        assert not any(view.hand >> tile & 1 for tile in shown)


class Wrong:
    """A player that passes although it has tiles that fit."""

    def choose(self, view: View, seed: int) -> Move:
        return Pass(view.seat)

    def close(self) -> None:
        pass


def test_a_move_against_the_rules_ends_the_duel() -> None:
    with pytest.raises(PlayerError, match=r"CANNOT_PASS|OPENER_NOT_CHOSEN"):
        play_pair([Wrong(), Heaviest()], Chance(1, 1))


def figures(duel: Duel) -> list[tuple[int, int, int, int]]:
    return sorted((pair.number, pair.wins, pair.hands, pair.net) for pair in play(duel))


def test_the_same_seed_plays_the_same_in_any_number_of_processes() -> None:
    duel = Duel("simple", "random", 10, seed=3)
    alone = figures(duel)
    assert [pair[0] for pair in alone] == list(range(10))
    assert figures(duel._replace(processes=2)) == alone
    assert figures(duel._replace(seed=4)) != alone


def test_the_better_one_is_found_to_be_better() -> None:
    result = score(list(play(Duel("simple", "random", 60))))
    assert result.wins.mean - result.wins.margin > 0.5
    assert result.points.mean - result.points.margin > 0


@given(
    st.lists(
        st.tuples(st.integers(0, 2), st.integers(8, 30), st.integers(-12, 12)),
        min_size=2,
        max_size=60,
    )
)
@settings(deadline=None)
def test_figures_are_means_over_pairs(found: list[tuple[int, int, int]]) -> None:
    pairs = [Pair(n, *one, ([], [])) for n, one in enumerate(found)]
    result = score(pairs)
    count, wins = len(found), [one[0] / 2 for one in found]
    mean = sum(wins) / count
    spread = sqrt(sum((one - mean) ** 2 for one in wins) / (count - 1))
    assert result.wins.mean == pytest.approx(mean)
    assert result.wins.margin == pytest.approx(1.96 * spread / sqrt(count))
    assert result.points.mean == pytest.approx(sum(o[2] for o in found) / sum(o[1] for o in found))
    assert result.points.margin >= 0


def test_an_interval_holds_the_truth_19_times_of_20() -> None:
    """Known chances, many runs: what is stated is what happens."""
    chance, truth, inside = Random(5), 0.3, 0
    for _ in range(400):
        pairs = [
            Pair(n, sum(chance.random() < truth for _ in range(2)), 14, 0, ([], []))
            for n in range(120)
        ]
        wins = score(pairs).wins
        inside += abs(wins.mean - truth) <= wins.margin
    assert 0.91 < inside / 400 < 0.98


def test_quantiles() -> None:
    assert quantile([], 0.5) == 0
    assert quantile([5], 0.99) == 5
    assert [quantile(list(range(100)), share) for share in (0.0, 0.5, 0.99)] == [0, 50, 99]


def test_a_tile_that_is_laid_by_the_clock_is_a_player_too() -> None:
    player: Player = Heaviest()
    views = Watching()
    play_pair([views, player], Chance(2, 2))
    view = next(view for view in views.views if view.opener != 4)
    assert isinstance(player.choose(view, 0), Play)
