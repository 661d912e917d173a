"""Each viewer gets each frame once and in order, whatever is lost, repeated or late."""

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


steps = st.sampled_from(["commit", "lose", "repeat", "seat", "answer"])


@given(st.lists(steps, max_size=40))
def test_what_was_missed_is_always_asked_for(script: list[str]) -> None:
    """A model of the wire: pushes may be lost or repeated, answers take a while."""
    newest, watch, seats, shown = 0, Watch(0), 0, []
    awaited: list[int] = []
    watch.seated(NO_SEAT)

    def ask() -> None:
        watch.awaited += 1
        awaited.append(watch.since)

    def answer() -> None:
        since = awaited.pop(0)
        watch.awaited -= 1
        numbers = [newest] if since == 0 else range(since + 1, newest + 1)
        shown.extend(seq for seq in numbers if watch.takes_own(seq, snapshot=since == 0))

    def settle() -> None:
        if watch.is_behind(newest):
            ask()

    for step in script:
        if step == "commit":
            newest += 1
        elif step == "seat":
            seats = (seats + 1) % 5
            watch.seated(seats)
        elif step == "answer" and awaited:
            answer()
        if step in ("commit", "repeat") and newest:
            if watch.takes(newest):
                shown.append(newest)
            elif watch.misses(newest):
                ask()
        settle()
    while awaited:
        answer()
        settle()
    assert watch.seq == newest
    assert not watch.stale
    assert all(after >= before for before, after in zip(shown, shown[1:], strict=False))


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
