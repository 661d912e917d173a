"""Ten thousand random matches: engine and naive rules say the same of every move, right or
wrong, and hands end in the shares that are known for random play.
"""

import random
from collections import Counter

import pytest
from laelo_rules.engine import (
    TILES,
    ChooseOpener,
    End,
    HandEnd,
    Move,
    Outcome,
    Pass,
    Play,
    Refusal,
    State,
    deal,
    judge,
    legal_plays,
    mask_of,
    tile_id,
)

from . import naive

MATCHES = 10_000
SEED = 20_240_601
ENDS = {None: End.UNNAMED, "left": End.LEFT, "right": End.RIGHT, "middle": 3}


class Duel:
    """The two implementations, side by side over many matches."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.reasons: Counter[str] = Counter()
        self.refusals: Counter[str] = Counter()
        self.blocks = self.uneven_blocks = 0

    def play_match(self) -> None:
        game = naive.Game()
        state: State | None = None
        next_hand: tuple[int | None, int] = (None, 1)
        while game.phase != "match_over":
            winner, multiplier = next_hand
            order = self.random.sample(range(28), 28)
            game.deal([TILES[tile] for tile in order], winner, multiplier)
            scores, led = ((0, 0), None) if state is None else (state.scores, state.led_5_0)
            dealt = deal(order, winner, scores, multiplier, led)
            assert isinstance(dealt, State)
            state, end = self.play_hand(game, dealt)
            next_hand = end.next or (None, 1)
            self.compare_wrong_move(game, state)

    def play_hand(self, game: naive.Game, state: State) -> tuple[State, HandEnd]:
        while True:
            if self.random.random() < 0.15:
                self.compare_wrong_move(game, state)
            move = self.right_move(game, state)
            outcome = judge(state, engine_move(move))
            assert game.move(move) is None
            assert isinstance(outcome, Outcome), (state, move, outcome)
            state = outcome.state
            compare_states(game, state)
            if outcome.hand_end is not None:
                compare_ends(game, outcome)
                self.note(game, outcome.hand_end)
                return state, outcome.hand_end
            assert game.hand_end is None

    def right_move(self, game: naive.Game, state: State) -> naive.Move:
        """One of the legal moves, each as likely: a tile that fits both ends counts twice."""
        if game.phase == "choose_opener":
            return ("choose_opener", game.turn, (game.turn + self.random.choice((0, 2))) % 4)
        plays = game.plays()
        assert {TILES[play.tile] for play in legal_plays(state)} == {tile for tile, _ in plays}
        if not plays:
            return ("pass", game.turn)
        tile, end = self.random.choice(plays)
        return ("play", game.turn, tile if self.random.random() < 0.5 else tile[::-1], end)

    def compare_wrong_move(self, game: naive.Game, state: State) -> None:
        """Any move at all; whether it is wrong, and why, has to be the same for both."""
        move = self.any_move(game)
        verdict = judge(state, engine_move(move))
        name = verdict.name if isinstance(verdict, Refusal) else None
        assert name == game.fault(move), (state, move)
        if name:
            self.refusals[name] += 1

    def any_move(self, game: naive.Game) -> naive.Move:
        rand = self.random
        seat = game.turn if game.turn >= 0 and rand.random() < 0.8 else rand.randrange(4)
        kind = rand.choice(("play", "play", "play", "play", "pass", "choose_opener"))
        if kind == "pass":
            return ("pass", seat)
        if kind == "choose_opener":
            return ("choose_opener", seat, rand.randrange(-1, 5))
        tile = rand.choice(game.hands[seat] or [(0, 0)])
        if rand.random() < 0.3:
            tile = (rand.randrange(-1, 8), rand.randrange(-1, 8))
        return ("play", seat, tile, rand.choice((None, None, "left", "right", "middle")))

    def note(self, game: naive.Game, end: HandEnd) -> None:
        self.reasons[end.reason.name.lower()] += 1
        if end.reason.name in {"COUNT", "TIE"}:
            left, right = game.open_numbers()
            self.blocks += 1
            self.uneven_blocks += left != right


def engine_move(move: naive.Move) -> Move:
    kind, seat, *rest = move
    if kind == "play":
        return Play(seat, rest[0], ENDS[rest[1]])
    return Pass(seat) if kind == "pass" else ChooseOpener(seat, rest[0])


def compare_states(game: naive.Game, state: State) -> None:
    assert state.phase.name.lower() == game.phase
    assert state.turn == (None if game.turn < 0 else game.turn)
    assert state.ends == (game.open_numbers() if game.chain else None)
    assert state.last_seat == (None if game.last_seat < 0 else game.last_seat)
    must_open = None if game.must_open is None else tile_id(*game.must_open)
    assert state.must_open == must_open
    if game.last_seat >= 0:
        assert state.hands[game.last_seat] == mask(game.hands[game.last_seat])
    assert list(state.scores) == game.scores


def compare_ends(game: naive.Game, outcome: Outcome) -> None:
    state, end = outcome.state, outcome.hand_end
    assert end is not None
    assert state.hands == tuple(mask(hand) for hand in game.hands)
    assert (state.multiplier, state.led_5_0) == (game.multiplier, game.led)
    assert game.hand_end == {
        "reason": end.reason.name.lower(),
        "winner": end.winner,
        "points": end.points,
        "counts": list(end.counts),
        "next": end.next,
    }
    match_end = outcome.match_end
    if match_end is None:
        assert game.match_end is None
    else:
        assert game.match_end == {**match_end._asdict(), "scores": list(match_end.scores)}


def mask(hand: list[naive.Tile]) -> int:
    return mask_of(max(tile) * (max(tile) + 1) // 2 + min(tile) for tile in hand)


SHARES = {
    "domino_simple": (49, 1),
    "domino_double": (17, 1),
    "la_e_lo": (3.5, 1),
    "count": (28, 1),
    "cruzada": (1.0, 0.4),
    "tie": (1.5, 0.4),
}
"""How hands end when moves are drawn by lot: percent, and how far it may be from that."""


@pytest.mark.slow
def test_ten_thousand_random_matches() -> None:
    duel = Duel(SEED)
    for _ in range(MATCHES):
        duel.play_match()
    assert set(duel.refusals) == {refusal.name for refusal in Refusal}
    hands = duel.reasons.total()
    assert set(duel.reasons) == set(SHARES)
    for reason, (percent, tolerance) in SHARES.items():
        assert 100 * duel.reasons[reason] / hands == pytest.approx(percent, abs=tolerance), reason
    assert hands / MATCHES == pytest.approx(7.0, abs=0.1)
    # Most blocks have two different ends.
    assert 100 * duel.uneven_blocks / duel.blocks == pytest.approx(62, abs=2)
