"""Programs that are killed (SIGKILL) after a while, without paying for a start each time."""

import multiprocessing
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence

Main = Callable[[Sequence[str]], int]


class Killing:
    """Runs `main` functions in processes of a server that has imported their modules already."""

    def __init__(self, *modules: str) -> None:
        self._context = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload(list(modules))

    def run(
        self, main: Main, arguments: Sequence[str], environ: Mapping[str, str], seconds: float
    ) -> int | None:
        """Kill it after so long; None, or its exit status if it has come to its end before."""
        process = self._context.Process(
            target=_run, args=(main, list(arguments), dict(environ)), daemon=True
        )
        process.start()
        process.join(seconds)
        status = process.exitcode
        if status is None:
            process.kill()
            process.join()
        process.close()
        return status

    def seconds(self, main: Main, arguments: Sequence[str], environ: Mapping[str, str]) -> float:
        """How long it takes when nobody kills it, the second time."""
        for _ in range(2):
            began = time.monotonic()
            status = self.run(main, arguments, environ, 60)
            if status != 0:
                raise RuntimeError(f"it ended with {status}")
        return time.monotonic() - began


def _run(main: Main, arguments: Sequence[str], environ: Mapping[str, str]) -> None:
    os.environ.update(environ)
    sys.exit(main(arguments))
