"""How fast the rules are: `python bench/rules_engine.py [--json]`.

Judges the moves of random hands, recorded first so that choosing them costs nothing; then the
same moves through the codec, from request bytes to response bytes. A calibration loop's time
stands beside the figures: compare ratios, the machine is never the same twice.
"""

import argparse
import json
import random
import time
from collections.abc import Callable

from laelo.rules.v1 import rules_pb2
from laelo_rules.app import answer
from laelo_rules.engine import (
    TILES,
    ChooseOpener,
    Move,
    Outcome,
    Pass,
    Play,
    State,
    deal,
    judge,
    legal_plays,
)
from laelo_rules.state_codec import encode_state

Turn = tuple[State, Move]
RUNS = 5
_END = (rules_pb2.END_UNSPECIFIED, rules_pb2.END_LEFT, rules_pb2.END_RIGHT)


def record(hands: int, seed: int) -> list[Turn]:
    """Every turn of so many random hands."""
    rand = random.Random(seed)
    turns: list[Turn] = []
    for _ in range(hands):
        state = deal(rand.sample(range(28), 28), rand.choice((None, 0, 1, 2, 3)))
        while isinstance(state, State) and state.turn is not None:
            move = choose(state, state.turn, rand)
            turns.append((state, move))
            outcome = judge(state, move)
            if not isinstance(outcome, Outcome):
                raise TypeError(f"a legal move was refused: {outcome.name}")
            state = outcome.state
    return turns


def choose(state: State, seat: int, rand: random.Random) -> Move:
    """A random legal move."""
    plays = legal_plays(state)
    if plays:
        play = rand.choice(plays)
        return Play(seat, TILES[play.tile], rand.choice(play.ends))
    return Pass(seat) if state.ends is not None else ChooseOpener(seat, seat)


def request_of(state: State, move: Move) -> bytes:
    """The request that asks for this verdict."""
    request = rules_pb2.JudgeRequest(id=1, seat=move.seat)
    encode_state(state, request.state)
    if isinstance(move, Play):
        request.act, request.end = rules_pb2.ACT_PLAY, _END[move.end]
        request.tile_a, request.tile_b = move.tile
    elif isinstance(move, Pass):
        request.act = rules_pb2.ACT_PASS
    else:
        request.act, request.opener = rules_pb2.ACT_CHOOSE_OPENER, move.opener
    return request.SerializeToString()


def judge_all(turns: list[Turn]) -> None:
    """The engine alone."""
    for state, move in turns:
        judge(state, move)


def answer_all(requests: list[bytes]) -> None:
    """The way of a request through the service, without gRPC."""
    parse = rules_pb2.JudgeRequest.FromString
    for data in requests:
        answer(parse(data)).SerializeToString()


def calibrate(rounds: int) -> None:
    """A loop of plain integer work, the same everywhere."""
    total = 0
    for number in range(rounds):
        total ^= number * number & 0xFFFF


def best_us(work: Callable[[], None], count: int) -> float:
    """CPU microseconds for each of `count` pieces of work: the best of a few runs."""
    spent = []
    for _ in range(RUNS):
        start = time.process_time()
        work()
        spent.append(time.process_time() - start)
    return min(spent) / count * 1e6


def measure(hands: int, seed: int) -> dict[str, float | int]:
    """All figures."""
    turns = record(hands, seed)
    requests = [request_of(state, move) for state, move in turns]
    placements = sum(isinstance(move, Play) for _, move in turns)
    judged = best_us(lambda: judge_all(turns), len(turns))
    answered = best_us(lambda: answer_all(requests), len(turns))
    rounds = 1_000_000
    return {
        "hands": hands,
        "moves": len(turns),
        "placements": placements,
        "judge_us_a_move": round(judged, 3),
        "placements_a_second": round(placements / (judged * len(turns)) * 1e6),
        "judge_and_codec_us_a_move": round(answered, 3),
        "codec_us_a_move": round(answered - judged, 3),
        "calibration_ms": round(best_us(lambda: calibrate(rounds), rounds) * rounds / 1e3, 2),
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hands", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="print JSON")
    args = parser.parse_args()
    figures = measure(args.hands, args.seed)
    if args.json:
        print(json.dumps(figures))
    else:
        for name, value in figures.items():
            print(f"{name:28}{value:>14,}")


if __name__ == "__main__":
    main()
