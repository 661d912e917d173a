"""A program goes from table to table: it looks at one at a time, however many it comes to."""

from typing import Any

from laelo_client.client import Client
from laelo_client.seat import Frame


class Answered(Client):
    """Answered at once, with a seat at every table; notes what was asked."""

    def __init__(self) -> None:
        super().__init__("http://127.0.0.1", "bot_token")
        self.asked: list[tuple[str, str]] = []

    def _ask(self, kind: str, command: str = "", **frame: Any) -> Frame:
        table = frame.get("table") or frame["d"]["code"]
        self.asked.append((kind, table))
        if kind in ("table.sit", "watch") and self._seat is not None:
            self._seat.number = 2
        return {"d": {"found": {"table": table}}}


def test_who_sits_down_elsewhere_looks_away_from_the_table_before() -> None:
    client = Answered()
    watched: set[str] = set()
    for table in ("A", "B", "B", "C", "D"):
        assert client.sit(table).number == 2
    client.quick()
    for kind, table in client.asked:
        if kind in ("table.sit", "watch"):
            watched.add(table)
        elif kind == "unwatch":
            watched.remove(table)
        assert len(watched) <= 1
    assert [kind for kind, _ in client.asked].count("unwatch") == 4
