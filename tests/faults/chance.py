"""Whether counts are what chance would make them: a chi-squared test."""

import math
from collections.abc import Sequence
from statistics import NormalDist


def chi_squared(counts: Sequence[Sequence[int]]) -> float:
    """How far counts are from all being equal."""
    cells = [count for row in counts for count in row]
    mean = sum(cells) / len(cells)
    return sum((count - mean) ** 2 for count in cells) / mean


def probability(statistic: float, freedom: int) -> float:
    """Of a value as great as this by chance; Wilson and Hilferty's approximation."""
    spread = 2 / (9 * freedom)
    normal = ((statistic / freedom) ** (1 / 3) - (1 - spread)) / math.sqrt(spread)
    return 1 - NormalDist().cdf(normal)
