"""How long each stream keeps what is in it: what grows with every table has an end."""

from laelo_common.log import Kind
from laelo_common.log.streams import DAY, STREAMS

_DAY_NS = DAY * 1_000_000_000


def test_whatever_every_table_leaves_behind_is_forgotten_one_day() -> None:
    """The queue's log is the one that has no end: a line for each who joined."""
    endless = {name for name, config in STREAMS.items() if not config.get("max_age")}
    assert endless == {Kind.QUEUE.stream}


def test_a_snapshot_is_there_as_long_as_any_commit_after_it() -> None:
    """A table that stands for 25 days may have its newest snapshot from the first of them."""
    commits = STREAMS[Kind.TABLE.stream]["max_age"]
    assert STREAMS["SNAP"]["max_age"] >= commits + 25 * _DAY_NS
