"""What a bot is shown: its own seat's view of the hand, and nothing more (R31)."""

from laelo.bots.v1 import bots_pb2

from laelo_table.domain.state import NOBODY, POINTS_TO_WIN, Table, hand_of


def bot_view(state: Table) -> bots_pb2.View | None:
    """The view of the seat on turn; None while nobody has to act."""
    begun, game, dealt = state.begun, state.game, state.dealt
    if begun is None or game is None or dealt is None:
        return None
    seat = begun.seat
    scores = (game.score_0, game.score_1)
    return bots_pb2.View(
        seat=seat,
        hand=hand_of(game, seat),
        opener=NOBODY if begun.choosing else state.opener,
        opening=dealt.opening,
        turns=state.turns,
        must_open=game.must_open,
        score_us=scores[seat % 2],
        score_them=scores[1 - seat % 2],
        multiplier=game.multiplier,
        target=POINTS_TO_WIN,
    )
