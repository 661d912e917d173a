"""Numbers of histories and replays here: plain ints."""

from laelo_common.metrics import Metrics


class ReplayCounts:
    """What was answered."""

    def __init__(self) -> None:
        self.histories = 0
        self.replays = 0
        self.judgements = 0

    def register(self, metrics: Metrics) -> None:
        """Show them."""
        count = metrics.count
        count("laelo_gateway_histories_total", "histories told", lambda: float(self.histories))
        count("laelo_gateway_replays_total", "replays told", lambda: float(self.replays))
        count("laelo_gateway_judgements_total", "judgements told", lambda: float(self.judgements))
