"""What the policy is told of a move, number by number, at tables laid by hand."""

import pytest
from laelo_bots.domain.features import FEATURES, PHASES, Move, scores
from laelo_bots.domain.levels import POLICY
from laelo_bots.domain.policy import UNIT, first_best, legal_moves, likelihood, policy_of, shares
from laelo_bots.domain.table import Table
from laelo_rules.engine import mask_of
from laelo_rules.engine.tiles import ID_OF

LEFT, RIGHT = 1, 2


def tile(text: str) -> int:
    return ID_OF[int(text[0])][int(text[1])]


def hand(text: str) -> int:
    return mask_of(tile(one) for one in text.split())


def told(table: Table, tiles: int, move: Move) -> dict[int, int]:
    """Each feature of a move that is not 0: the score under a weight of 1 for it alone."""
    found = {}
    for index in range(FEATURES):
        weights = [0] * FEATURES
        weights[index] = 1
        found[index], *_ = scores([weights] * PHASES, table, tiles, [move])
    return {index: value for index, value in found.items() if value}


def a_table() -> Table:
    """1 opens with 6|6, 2 lays 6|3, 3 passes on 6 and 3, 0 lays 3|5: ends 6 and 5, 1 is on turn."""
    table = Table(1)
    table.lay(tile("66"), 0)
    table.lay(tile("63"), RIGHT)
    table.skip()
    table.lay(tile("35"), RIGHT)
    return table


def test_a_table_changes_with_its_turns() -> None:
    table = a_table()
    assert table.ends == [6, 5]
    assert table.laid_by == [1, 0]
    assert table.turn == 1
    assert table.lacks == [0, 0, 0, 1 << 6 | 1 << 3]
    assert table.opened == [1 << 5, 1 << 6, 1 << 3, 0]
    assert table.held == [5, 5, 5, 6]
    assert table.laid == hand("66 63 35")


def test_covering_the_number_of_the_opponent_to_the_right() -> None:
    tiles = hand("52 22 21 60 40")
    assert told(a_table(), tiles, (tile("52"), RIGHT)) == {
        0: 7,  # weight
        2: 5,  # 2, 1, 6, 0 and 4 are left
        3: 3,  # 2|2, 2|1 and 6|0 fit 6 and 2
        5: 2,  # 2|2 and 2|1
        6: 4,  # 2|0, 2|3, 2|4 and 2|6 are unseen
        7: 7,  # and 6|1, 6|4 and 6|5
        19: 1,  # the 5 was laid by seat 0, who sits to the right of 1
        30: 1,  # 6|0
        35: 1,  # the partner has passed on 6, which is still there
    }


def test_covering_ones_own_number_which_the_partner_has_passed_on() -> None:
    tiles = hand("52 22 21 60 40")
    assert told(a_table(), tiles, (tile("60"), LEFT)) == {
        0: 6,
        2: 5,
        3: 2,  # 5|2 and 4|0
        5: 1,  # 4|0
        6: 5,  # 0|0, 0|1, 0|2, 0|3 and 0|5
        7: 9,  # and 5|1, 5|4, 5|5, 5|6
        15: 1,  # the partner has passed on 6
        20: 1,  # the 6 was one's own
        30: 1,  # 5|2
    }


def test_a_double_covers_nothing() -> None:
    found = told(a_table(), hand("55 52 21 60 40"), (tile("55"), RIGHT))
    assert found[1] == 1
    assert found[28] == 1
    assert not {14, 15, 16, 17, 18, 19, 20} & set(found)
    assert found[23] == 1  # 5 was opened by the opponent to the right


def test_ends_that_all_but_one_lack() -> None:
    found = told(a_table(), hand("56 33"), (tile("56"), RIGHT))
    assert (found[25], found[9], found[12], found[35]) == (1, 1, 1, 1)
    assert found[4] == 1  # nothing left in the hand fits


def test_a_sure_block_is_told_with_its_margin() -> None:
    table = Table(0)
    table.lay(tile("00"), 0)
    for n in "123456":
        table.lay(tile("0" + n), RIGHT)
        table.skip() if n != "6" else None
        table.ends = [0, 0] if n != "6" else [0, 6]
    table.laid |= hand("61 62 63 64 65")
    table.turn = 2
    found = told(table, hand("66 12"), (tile("66"), RIGHT))
    assert found[31] == 1
    assert 0 < found[32] <= 12


def test_moves_come_in_order_and_equal_ends_are_one() -> None:
    table = a_table()
    assert legal_moves(table, hand("65 52 60 11")) == [
        (tile("52"), RIGHT),
        (tile("60"), LEFT),
        (tile("65"), LEFT),
        (tile("65"), RIGHT),
    ]
    table.ends = [5, 5]
    assert legal_moves(table, hand("65 52")) == [(tile("52"), LEFT), (tile("65"), LEFT)]
    assert legal_moves(table, hand("11")) == []
    assert legal_moves(Table(0), hand("11 00")) == [(tile("00"), 0), (tile("11"), 0)]


def test_a_score_higher_by_a_unit_is_e_times_as_likely() -> None:
    one, two = likelihood([0, UNIT], 0), likelihood([0, UNIT], 1)
    assert one + two == pytest.approx(1)
    assert two / one == pytest.approx(2.718, rel=1e-3)
    assert likelihood([0, 100 * UNIT], 0) == 0
    assert first_best([3, 7, 7]) == 1
    assert list(shares()) == sorted(shares(), reverse=True)


def test_what_was_learned_is_what_people_say() -> None:
    """Weights that folk wisdom agrees with, in the middle of a hand."""
    middle = POLICY.phases[1]
    assert middle[0] > 0  # heavy tiles go
    assert middle[2] > 0  # many numbers stay
    assert middle[8] > middle[9]  # what the left opponent lacks, rather than the partner
    assert middle[18] < middle[17]  # the partner's number is left alone, not the opponent's


def test_a_policy_of_another_shape_is_refused() -> None:
    with pytest.raises(ValueError, match="36 weights"):
        policy_of([[0] * 35] * 3, 0.1)
