"""Each viewer gets each frame once and in order, whatever is lost, repeated or late."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from laelo_gateway.domain.bucket import Bucket
from laelo_gateway.domain.watch import NO_SEAT, Watch


@given(st.lists(st.integers(1, 12)), st.integers(0, 5))
def test_pushed_frames_arrive_dense_and_once(pushed: list[int], start: int) -> None:
    watch = Watch(start)
    taken = [seq for seq in pushed if watch.takes(seq)]
    assert taken == list(range(start + 1, start + 1 + len(taken)))
    assert watch.seq == start + len(taken)


class Wire:
    """A table, and the way to one client: pushes get lost or come again, answers take a while."""

    def __init__(self) -> None:
        self.newest = 0
        self.watch = Watch(0)
        self.watch.seated(NO_SEAT)
        self.asked: list[int] = []
        self.shown: list[int] = []
        self.seats = 0

    def commit(self) -> None:
        self.newest += 1
        self.push()

    def lose(self) -> None:
        self.newest += 1

    def push(self) -> None:
        if self.watch.takes(self.newest):
            self.shown.append(self.newest)
        elif self.watch.misses(self.newest):
            self.ask()

    def move(self) -> None:
        self.seats = (self.seats + 1) % 5
        self.watch.seated(self.seats)

    def ask(self) -> None:
        self.watch.awaited += 1
        self.asked.append(self.watch.since)

    def answer(self) -> None:
        if self.asked:
            since = self.asked.pop(0)
            self.watch.awaited -= 1
            numbers = [self.newest] if since == 0 else range(since + 1, self.newest + 1)
            self.shown += [seq for seq in numbers if self.watch.takes_own(seq, since == 0)]

    def settle(self) -> None:
        if self.watch.is_behind(self.newest):
            self.ask()


@given(st.lists(st.sampled_from(["commit", "lose", "push", "move", "answer"]), max_size=40))
def test_what_was_missed_is_always_asked_for(script: list[str]) -> None:
    wire = Wire()
    for step in script:
        getattr(wire, step)()
        if step != "lose":
            wire.settle()
    wire.settle()
    while wire.asked:
        wire.answer()
        wire.settle()
    assert wire.watch.seq == wire.newest
    assert not wire.watch.stale
    assert all(after >= before for before, after in pairwise(wire.shown))


def test_while_an_answer_is_awaited_pushes_are_left_to_it() -> None:
    watch = Watch(4)
    watch.awaited = 1
    assert not watch.takes(5)
    assert not watch.misses(7)
    watch.awaited = 0
    assert watch.is_behind(5)


def test_who_changes_seats_gets_nothing_but_a_snapshot() -> None:
    watch = Watch(4)
    assert not watch.seated(2)
    assert not watch.seated(2)
    assert watch.seated(NO_SEAT)
    assert not watch.takes(5)
    assert not watch.takes_own(5, snapshot=False)
    assert watch.since == 0
    assert watch.takes_own(5, snapshot=True)
    assert watch.takes(6)


@given(st.floats(1, 1e4), st.floats(1, 1e4), st.lists(st.floats(0, 1), max_size=200))
def test_a_bucket_never_allows_more_than_burst_and_rate(
    rate: float, burst: float, pauses: list[float]
) -> None:
    bucket, now, allowed = Bucket(rate, burst, 0.0), 0.0, 0
    for pause in pauses:
        now += pause
        allowed += bucket.take(now)
        assert allowed <= burst + rate * now + 1e-6


def test_a_bucket_counts_refusals_until_it_is_half_full_again() -> None:
    bucket = Bucket(10.0, 4.0, 0.0)
    assert [bucket.take(0.0) for _ in range(6)] == [True] * 4 + [False] * 2
    assert bucket.refused == 2
    assert bucket.take(0.1)
    assert bucket.refused == 2
    assert bucket.take(10.0)
    assert bucket.refused == 0
