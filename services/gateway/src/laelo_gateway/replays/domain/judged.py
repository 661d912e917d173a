"""What is told of the play in a match: names as in its replay (R40)."""

from typing import Final, get_args

from laelo.archive.v1 import archive_pb2
from laelo.bots.v1 import bots_pb2
from laelo_common.wire import replay as shapes

from laelo_gateway.replays.domain import spell
from laelo_gateway.replays.domain.shown import Names, shown_seat

_WORDS: Final[dict[int, shapes.Word]] = {
    bots_pb2.Word.Value(f"WORD_{word.upper()}"): word for word in get_args(shapes.Word)
}
_DIGITS: Final = 4
"""Of chances and points: more would only look exact."""


def wanted(answer: archive_pb2.JudgementResponse) -> set[str]:
    """Whose nicknames are needed."""
    return spell.ids(one.who for one in answer.accuracies)


def judgement(answer: archive_pb2.JudgementResponse, viewer: str, names: Names) -> shapes.Judgement:
    """What is known by now. At a championship's table one has an animal oneself, too, until the
    name is shown to all: as in a replay.
    """
    return shapes.Judgement(
        answer.choices,
        tuple([_verdict(one) for one in answer.verdicts]),
        tuple([_accuracy(one, viewer, names) for one in answer.accuracies]),
    )


def _verdict(one: archive_pb2.Verdict) -> shapes.Verdict:
    return shapes.Verdict(
        hand=one.hand,
        move=one.turn,
        word=_WORDS[one.word],
        best=spell.TILES[one.best_tile],
        equity=(_rounded(one.equity_best), _rounded(one.equity_played)),
        points=(_rounded(one.points_best), _rounded(one.points_played)),
        error=_rounded(one.standard_error),
        worlds=one.worlds,
        end=spell.ENDS.get(one.best_end),
    )


def _accuracy(one: archive_pb2.Accuracy, viewer: str, names: Names) -> shapes.Accuracy:
    hidden = viewer if one.who.animal else ""
    who = shown_seat(one.who, hidden, names)
    return shapes.Accuracy(one.seat, who, one.choices, one.good, _rounded(one.equity_lost))


def _rounded(value: float) -> float:
    return round(value, _DIGITS)
