"""How likely a world is, by what the others chose to lay in it. `core/belief.c` holds the same."""

from typing import Final

from .policy import Policy, legal_moves, likelihood
from .question import Question
from .worlds import Hands

_TRUST: Final = 0.9
"""Chance that a player plays like the policy; otherwise any move is as likely. So that nobody
who plays oddly is thought to hold what they cannot.
"""
_DOUBT: Final = 0.1


def weight(policy: Policy, question: Question, hands: Hands) -> float:
    """The likelihood of all free choices of the hidden seats, given these hands."""
    me, product = question.table.turn, 1.0
    for table, later, tile, end in question.choices:
        hand = hands[(table.turn - me - 1) & 3] | later
        moves = legal_moves(table, hand)
        if len(moves) < 2:
            continue
        likely = likelihood(policy.scores(table, hand, moves), moves.index((tile, end)))
        product *= _TRUST * likely + _DOUBT / len(moves)
    return product
