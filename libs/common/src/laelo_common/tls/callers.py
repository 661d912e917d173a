"""Who may ask what of whom: all edges between services, in one place.

Network policies name the same edges by pods (`deploy/k8s`), and a test holds one against the
other. Speaking for players is the gateway's alone: whoever else reaches a table may only send
the commands of the house that are listed here.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from laelo.table.v1 import table_pb2

Allows = Callable[[Any], bool]
"""Whether a caller may make this request."""
Rights = Mapping[str, Allows]
"""Of one caller at one service: what may be asked, by the method's name."""
Callers = Mapping[str, Rights]
"""Of a service, by the callers' names."""


def anything(_request: Any) -> bool:
    """Every request of a method."""
    return True


def commands(*kinds: int) -> Allows:
    """Submit with commands of these kinds."""
    return lambda request: request.command.kind in kinds


def _all(*methods: str) -> Rights:
    return dict.fromkeys(methods, anything)


OPERATOR: Final = "operator"
"""Who has this certificate asks with `laelo`, from a machine outside the house."""

CALLERS: Final[Mapping[str, Callers]] = {
    "rules": {"table": _all("Judge", "Connect"), OPERATOR: {}},
    "bots": {
        "table": _all("ChooseMove", "Connect"),
        "archive": _all("Judge"),
        OPERATOR: {},
    },
    "table": {
        "gateway": _all("Submit", "Watch", "Connect", "Find", "ListWaiting"),
        "tournament": {"Submit": commands(table_pb2.KIND_OPEN_MATCH, table_pb2.KIND_CANCEL)},
        "console": {"Find": anything, "Submit": commands(table_pb2.KIND_SHUT)},
        OPERATOR: {},
    },
    "matchmaking": {
        "gateway": _all("Join", "Leave", "Show", "Attend"),
        OPERATOR: _all("Show"),
    },
    "tournament": {
        "gateway": _all("Get", "List", "Rank", "Follow"),
        "matchmaking": _all("Start"),
        "console": _all("Get", "List", "Cancel"),
        OPERATOR: _all("List", "Cancel"),
    },
    "archive": {
        "gateway": _all("History", "Replay", "Judgement"),
        "console": _all("History", "Story"),
        OPERATOR: {},
    },
}
"""Services, their callers, and what these may ask; how it is may be asked by all of them."""
