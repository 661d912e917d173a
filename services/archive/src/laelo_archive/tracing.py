"""Archiving as a part of the traces whose commits are archived."""

from collections.abc import Sequence

from google.protobuf.message import DecodeError
from laelo_common.log import Recorded
from laelo_common.log.commit import head_of
from laelo_common.telemetry import Span, Telemetry, is_sampled


def begin(telemetry: Telemetry, stream: str, commits: Sequence[Recorded]) -> list[Span]:
    """A page of commits belongs to many traces: a span for each of these, a part of what made
    its first commit here, with links to what made the others.
    """
    traces: dict[str, list[str]] = {}
    for commit in commits if telemetry.is_on else ():
        traceparent = _trace_of(commit)
        if is_sampled(traceparent):
            trace = traceparent.split("-")[1]
            traces.setdefault(trace, []).append(traceparent)
    spans = [
        telemetry.begin(
            "archive.commits", first, others, stream=stream, own=len(others) + 1, page=len(commits)
        )
        for first, *others in traces.values()
    ]
    return [span for span in spans if span is not None]


def _trace_of(commit: Recorded) -> str:
    try:
        return head_of(commit.data).trace
    except DecodeError:
        return ""
