"""Which tiles of a match there are to judge, and what is told of the verdicts.

A question holds what the seat saw at that moment and nothing more (R31): its own tiles, and what
everybody saw. Tiles that could not but be laid are not judged, nor who opens (R5): to open oneself
is as good as letting one's partner, as far as anybody could measure.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from hashlib import sha256
from typing import Final, NamedTuple

from laelo.archive.v1 import archive_pb2
from laelo.bots.v1 import bots_pb2
from laelo.log.v1 import log_pb2
from laelo.rules.v1 import rules_pb2

from laelo_archive.domain import turns
from laelo_archive.domain.rows import HandRow, MatchRow, PersonRow
from laelo_archive.domain.shown import HAND_SIZE, ShowSeats, show_seats
from laelo_archive.domain.table import NOBODY
from laelo_archive.domain.turns import NO_TILE, SIZE, Turn

TARGET: Final = 6
_NUMBERS: Final = tuple((low, high) for high in range(7) for low in range(high + 1))
_GOOD: Final = (bots_pb2.WORD_BEST, bots_pb2.WORD_GOOD)


class Asked(NamedTuple):
    """A tile that was laid, to be judged."""

    hand: int
    turn: int
    seat: int
    question: bots_pb2.PlayedTurn

    @property
    def place(self) -> tuple[int, int]:
        """Where in the match."""
        return self.hand, self.turn


class JudgementRow(NamedTuple):
    """A verdict, as it stands in PostgreSQL. Tiles and ends are coded as in laelo.rules.v1."""

    table_id: str
    match: int
    hand: int
    turn: int
    """From 1, passes included, as in archive_moves."""
    seat: int
    word: int
    """laelo.bots.v1.Word."""
    best_tile: int
    best_laid: int
    """Where: 0 on the empty table, 1 left, 2 right."""
    equity_best: float
    """Chance of the seat's team to win the match with the best move."""
    equity_played: float
    points_best: float
    """Points of the hand that it was expected to bring the seat's team."""
    points_played: float
    standard_error: float
    """Of the difference in points."""
    worlds: int
    engine: str

    @property
    def place(self) -> tuple[int, int]:
        """Where in the match."""
        return self.hand, self.turn


def asked(hands: Iterable[HandRow]) -> list[Asked]:
    """Every tile that was laid although another could have been, in order."""
    return [one for hand in hands for one in _asked(hand)]


def _asked(hand: HandRow) -> Iterator[Asked]:
    held = [set(hand.tiles[HAND_SIZE * seat : HAND_SIZE * (seat + 1)]) for seat in range(NOBODY)]
    ends: tuple[int, int] | None = None
    for number, turn in enumerate(turns.unpack(hand.turns), 1):
        if turn.tile == NO_TILE:
            continue
        if _has_choice(hand, held[turn.seat], ends):
            view = _view(hand, number, turn, held[turn.seat])
            question = bots_pb2.PlayedTurn(
                view=view,
                tile=turn.tile,
                end=rules_pb2.End.ValueType(turn.end),
                seed=_seed(hand, number),
            )
            yield Asked(hand.hand, number, turn.seat, question)
        held[turn.seat].discard(turn.tile)
        ends = (turn.left, turn.right)


def _has_choice(hand: HandRow, held: Collection[int], ends: tuple[int, int] | None) -> bool:
    """Whether there was another tile, or another end for the same."""
    if ends is None:
        return hand.opening == rules_pb2.OPENING_WON
    different = set(ends)
    return sum(len(different.intersection(_NUMBERS[tile])) for tile in held) > 1


def _view(hand: HandRow, number: int, turn: Turn, held: Iterable[int]) -> bots_pb2.View:
    scores = [hand.score_0, hand.score_1]
    if hand.team < len(scores):
        scores[hand.team] -= hand.points
    return bots_pb2.View(
        seat=turn.seat,
        hand=sum(1 << tile for tile in held),
        opener=hand.opener,
        opening=rules_pb2.Opening.ValueType(hand.opening),
        turns=hand.turns[: SIZE * (number - 1) : SIZE],
        must_open=NO_TILE,
        score_us=scores[turn.seat & 1],
        score_them=scores[1 - (turn.seat & 1)],
        multiplier=hand.multiplier,
        target=TARGET,
    )


def _seed(hand: HandRow, number: int) -> int:
    """Of its own for each tile, and always the same: so is the verdict."""
    text = f"{hand.table_id}:{hand.match}:{hand.hand}:{number}"
    return int.from_bytes(sha256(text.encode()).digest()[:8], "big")


def row_of(table: str, match: int, one: Asked, verdict: bots_pb2.JudgeResponse) -> JudgementRow:
    """A verdict as it is stored."""
    best, played = verdict.evaluations[0], verdict.evaluations[verdict.played]
    return JudgementRow(
        table_id=table,
        match=match,
        hand=one.hand,
        turn=one.turn,
        seat=one.seat,
        word=verdict.word,
        best_tile=best.tile,
        best_laid=best.end,
        equity_best=best.equity,
        equity_played=played.equity,
        points_best=best.points,
        points_played=played.points,
        standard_error=verdict.standard_error,
        worlds=verdict.worlds,
        engine=verdict.engine,
    )


class Judged(NamedTuple):
    """A match that is over, and what was found in it so far."""

    match: MatchRow
    people: Collection[PersonRow]
    open: Collection[str]
    hands: Sequence[HandRow]
    rows: Sequence[JudgementRow]


def told(judged: Judged, viewer: str) -> archive_pb2.JudgementResponse:
    """What a viewer may know: the same as of the match itself (R40)."""
    choices = len(asked(judged.hands))
    return archive_pb2.JudgementResponse(
        choices=choices,
        verdicts=[_verdict(row) for row in judged.rows],
        accuracies=_accuracies(judged, viewer) if len(judged.rows) == choices else [],
    )


def _verdict(row: JudgementRow) -> archive_pb2.Verdict:
    return archive_pb2.Verdict(
        hand=row.hand,
        turn=row.turn,
        seat=row.seat,
        word=bots_pb2.Word.ValueType(row.word),
        best_tile=row.best_tile,
        best_end=rules_pb2.End.ValueType(row.best_laid),
        equity_best=row.equity_best,
        equity_played=row.equity_played,
        points_best=row.points_best,
        points_played=row.points_played,
        standard_error=row.standard_error,
        worlds=row.worlds,
    )


class _Player(NamedTuple):
    """Who chooses tiles at a seat: a person, or a bot of a level."""

    seat: int
    person: str
    level: int


def _accuracies(judged: Judged, viewer: str) -> list[archive_pb2.Accuracy]:
    players = {place: who for hand in judged.hands for place, who in _players(hand)}
    found: defaultdict[_Player, list[JudgementRow]] = defaultdict(list)
    for row in judged.rows:
        if (player := players.get(row.place)) is not None:
            found[player].append(row)
    show = show_seats(judged.match, judged.people, {*judged.open, viewer})
    return [
        archive_pb2.Accuracy(
            seat=player.seat,
            who=_alone(player, show),
            choices=len(rows),
            good=sum(row.word in _GOOD for row in rows),
            equity_lost=sum(row.equity_best - row.equity_played for row in rows),
        )
        for player, rows in sorted(found.items())
    ]


def _players(hand: HandRow) -> Iterator[tuple[tuple[int, int], _Player]]:
    """Who chose, by place. What the clock played nobody chose; and of a bot that came in the
    middle of a hand it is not known which it was.
    """
    for number, turn in enumerate(turns.unpack(hand.turns), 1):
        seat = turn.seat
        if turn.actor == log_pb2.ACTOR_PERSON:
            yield (hand.hand, number), _Player(seat, hand.players[seat], 0)
        elif turn.actor == log_pb2.ACTOR_BOT and hand.bots[seat]:
            yield (hand.hand, number), _Player(seat, "", hand.bots[seat])


def _alone(player: _Player, show: ShowSeats) -> archive_pb2.Seat:
    """A player as it may be shown."""
    people, bots = ["", "", "", ""], [0, 0, 0, 0]
    people[player.seat], bots[player.seat] = player.person, player.level
    return show(people, bots)[player.seat]
