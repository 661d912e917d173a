"""A page of commits as a part of every trace that has a commit in it."""

from hypothesis import given
from hypothesis import strategies as st
from laelo.log.v1.log_pb2 import AnyCommit, Head
from laelo_archive import tracing
from laelo_common.log import Recorded
from laelo_common.telemetry import OFF, Telemetry, Trace, written
from laelo_common.testing.spans import Notes

NO_COMMIT = b"\xff"

taken = st.builds(Trace, st.integers(1, 4), st.integers(1, 2**64 - 1), st.just(1)).map(written)
not_taken = st.sampled_from(["", written(Trace(1, 1, 0)), "nonsense"])


def recorded(number: int, trace: str) -> Recorded:
    data = AnyCommit(head=Head(trace=trace)).SerializeToString()
    return Recorded(number, "tbl.1.X.ev", data, 0)


@given(st.lists(taken | not_taken, max_size=30))
def test_each_trace_has_one_span_and_each_commit_its_place_in_it(traces: list[str]) -> None:
    notes = Notes()
    commits = [recorded(number, trace) for number, trace in enumerate(traces)]
    spans = tracing.begin(Telemetry(notes), "TBL", commits)
    assert list(spans) == notes.spans
    told = [place for span in notes.spans for place in (span.parent, *span.links)]
    wanted = [trace for trace in traces if trace.endswith("-01")]
    assert sorted(told) == sorted(wanted)
    assert len(spans) == len({trace.split("-")[1] for trace in wanted})
    for span in notes.spans:
        assert {place.split("-")[1] for place in span.links} <= {span.parent.split("-")[1]}
        assert span.attributes == {
            "stream": "TBL",
            "own": len(span.links) + 1,
            "page": len(commits),
        }


def test_what_is_no_commit_stops_nothing() -> None:
    notes = Notes()
    good = recorded(2, written(Trace(7, 7, 1)))
    commits = [Recorded(1, "tbl.1.X.ev", NO_COMMIT, 0), good]
    (span,) = tracing.begin(Telemetry(notes), "TBL", commits)
    assert span is notes.spans[0]


def test_nothing_is_read_while_telemetry_is_off() -> None:
    assert tracing.begin(OFF, "TBL", [recorded(1, written(Trace(7, 7, 1)))]) == []
