"""What a duel came to, as JSON and as lines."""

import os
import platform
from collections.abc import Sequence
from typing import Any

from laelo_bots.core import VERSION

from .match import Pair
from .run import Duel
from .score import Figure, Score, quantile, score

Report = dict[str, Any]


def report(duel: Duel, pairs: Sequence[Pair], seconds: float) -> Report:
    """All figures of a duel; times are CPU time of this machine, loaded or not."""
    result = score(pairs)
    return {
        "first": duel.first,
        "second": duel.second,
        "seed": duel.seed,
        "pairs": result.pairs,
        "hands": result.hands,
        "match_wins_percent": _percent(result.wins),
        "points_per_hand": _rounded(result.points, 4),
        "decisions": [_decisions(pairs, who) for who in (0, 1)],
        "bots_version": VERSION,
        "processes": duel.processes,
        "seconds": round(seconds, 1),
        "machine": {
            "python": platform.python_version(),
            "cores": os.cpu_count(),
            "load": round(os.getloadavg()[0], 1),
        },
    }


def told(duel: Duel, result: Score) -> str:
    """The figures in a line."""
    wins, points = _percent(result.wins), _rounded(result.points, 3)
    return (
        f"{duel.first} against {duel.second}: {wins['mean']} ± {wins['margin']} % of matches,"
        f" {points['mean']:+} ± {points['margin']} points a hand, {result.pairs} pairs"
    )


def _decisions(pairs: Sequence[Pair], who: int) -> dict[str, float]:
    thought = [one for pair in pairs for one in pair.thought_us[who]]
    return {
        "count": len(thought),
        "cpu_ms_mean": round(sum(thought) / max(1, len(thought)) / 1000, 3),
        "cpu_ms_p50": quantile(thought, 0.5) / 1000,
        "cpu_ms_p99": quantile(thought, 0.99) / 1000,
    }


def _percent(figure: Figure) -> dict[str, float]:
    return _rounded(Figure(100 * figure.mean, 100 * figure.margin), 1)


def _rounded(figure: Figure, digits: int) -> dict[str, float]:
    return {"mean": round(figure.mean, digits), "margin": round(figure.margin, digits)}
