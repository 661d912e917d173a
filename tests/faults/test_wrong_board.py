"""wrong-board: any pattern of dropped, repeated and delayed frames ends as none at all does.

Seen elsewhere: the board was wrong after reconnecting (lichess-org/lila#20611). The property
itself is in `web/test/wrong-board.test.ts`, where the client's state is made; here it is run.
"""

import shutil
import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.faults

WEB = Path(__file__).resolve().parents[2] / "web"
RUNNER = WEB / "node_modules" / "vitest" / "vitest.mjs"


def test_frames_in_any_order_end_in_the_same_board() -> None:
    node = shutil.which("node")
    if node is None or not RUNNER.is_file():
        pytest.skip("the page's tools are not installed: run `make web`")
    done = subprocess.run(
        [node, str(RUNNER), "run", "test/wrong-board.test.ts"],
        cwd=WEB, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
