"""Gaps: when the log was out of reach, and who is told."""

from hypothesis import given
from hypothesis import strategies as st
from laelo_common.log import Gap, Reach


class Clock:
    now = 1000

    def __call__(self):
        return self.now


@given(st.lists(st.tuples(st.sampled_from(["lost", "back"]), st.integers(0, 50)), max_size=30))
def test_gaps_are_what_a_plain_account_says(steps):
    clock, told = Clock(), []
    reach = Reach(clock)
    reach.listen(lambda gap: told.append(("lost", gap)), lambda gap: told.append(("back", gap)))
    since, gaps = None, []
    for what, passed in steps:
        clock.now += passed
        if what == "lost":
            reach.lost()
            since = clock.now if since is None else since
        else:
            reach.back()
            if since is not None:
                gaps.append(Gap(since, clock.now))
                since = None
        assert reach.out == (since is not None)
        assert reach.out_since_ms == since
    assert [gap for what, gap in told if what == "back"] == gaps
    open_gap = [] if since is None else [Gap(since)]
    assert list(reach.gaps) == (gaps + open_gap)[-16:]
    assert len(told) == 2 * len(gaps) + len(open_gap)


def test_a_deadline_is_looked_up_in_the_gaps():
    clock = Clock()
    reach = Reach(clock)
    reach.lost(900)
    clock.now = 1200
    reach.back()
    clock.now = 2000
    reach.lost()
    assert reach.gap_at(899) is None
    assert reach.gap_at(900) == reach.gap_at(1200) == Gap(900, 1200)
    assert reach.gap_at(1999) is None
    assert reach.gap_at(5000) == Gap(2000)


def test_who_no_longer_listens_is_not_told():
    reach, told = Reach(Clock()), []
    end = reach.listen(told.append, told.append)
    end()
    end()
    reach.lost()
    assert told == []
