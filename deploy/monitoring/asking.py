"""Questions to Prometheus that dashboards ask again and again."""

from deploy.monitoring.panels import Query


def rate(metric: str, by: str = "") -> str:
    """Events a second, of all replicas together, by labels."""
    group = f" by ({by}) " if by else ""
    return f"sum{group}(rate({metric}[5m]))"


def added(metric: str, window: str, by: str = "") -> str:
    """Events in a window, of all replicas together, by labels."""
    group = f" by ({by}) " if by else ""
    return f"sum{group}(increase({metric}[{window}]))"


def quantile(share: float, metric: str, by: str = "") -> str:
    """What a share of all values is below."""
    labels = f"le, {by}" if by else "le"
    return f"histogram_quantile({share}, sum by ({labels}) (rate({metric}_bucket[5m])))"


def quantiles(metric: str) -> list[Query]:
    """The usual ones."""
    return [Query(quantile(share, metric), f"{share:.0%}") for share in (0.5, 0.95, 0.99)]
