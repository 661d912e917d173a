"""A process that thinks: reads questions from its standard input, one after the other, and writes
the answers to its standard output, until the input ends.
"""

import os
import signal
import sys
from collections.abc import Callable
from typing import IO, Final

from laelo.bots.v1 import bots_pb2 as pb

from laelo_bots.app import answer
from laelo_bots.frames import CHOOSE, FAILED, HEAD, JUDGE, framed
from laelo_bots.judging.job import judged
from laelo_bots.mind import Mind

_COURTESY: Final = 5
"""Who thinks leaves the processor to those who only pass something on."""

Job = Callable[[bytes, Mind], bytes]


def _choose(payload: bytes, mind: Mind) -> bytes:
    return answer(pb.ChooseMoveRequest.FromString(payload), mind).SerializeToString()


JOBS: Final[dict[int, Job]] = {CHOOSE: _choose, JUDGE: judged}
"""What can be asked, by the kind of its frame."""


def serve(source: IO[bytes], sink: IO[bytes], mind: Mind) -> None:
    """Answer until the questions end."""
    while len(head := source.read(HEAD.size)) == HEAD.size:
        kind, length = HEAD.unpack(head)
        sink.write(_answered(kind, source.read(length), mind))
        sink.flush()


def _answered(kind: int, payload: bytes, mind: Mind) -> bytes:
    try:
        return framed(kind, JOBS[kind](payload, mind))
    except Exception as error:  # noqa: BLE001 - told to who asked, who logs it
        return framed(FAILED, f"{type(error).__name__}: {error}".encode())


def main() -> None:
    """Serve the process that has started this one; the end of its questions is the end of this."""
    for told in (signal.SIGINT, signal.SIGTERM):
        # Meant for the service, which lets its workers finish what it still waits for.
        signal.signal(told, signal.SIG_IGN)
    os.nice(_COURTESY)
    try:
        serve(sys.stdin.buffer, sys.stdout.buffer, Mind())
    except BrokenPipeError:
        # The service is gone; so is whoever wanted the answer.
        os._exit(0)


if __name__ == "__main__":
    main()
