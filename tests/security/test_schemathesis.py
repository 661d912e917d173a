"""What docs/openapi.json promises, held against a real gateway by schemathesis.

It has an environment of its own below .local/tools (tools/locks/schemathesis.txt): nothing else
needs its packages.
"""

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest
from laelo_tools.platform import Options, Platform

from tests.security.hostile.house import account

pytestmark = [pytest.mark.slow, pytest.mark.integration]

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = os.environ.get("LAELO_SCHEMATHESIS_EXAMPLES", "5")
LAST = ("delete /api/account", "post /api/account/sign-out")
"""After these one is nobody any more."""
CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
    "unsupported_method",
)


@pytest.fixture(scope="module")
def program() -> Path:
    """Where it is, once it is there."""
    toolbox = [sys.executable, "deploy/toolbox.py", "schemathesis"]
    done = subprocess.run(toolbox, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return Path(done.stdout.strip()) / "schemathesis"


def _run(argv: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(argv, cwd=folder, capture_output=True, text=True, check=False)


async def test_the_gateway_answers_as_its_document_says(program: Path, tmp_path: Path) -> None:
    options = Options(
        port=0,
        tables=1,
        tournaments=1,
        matchmaking=1,
        archives=1,
        env={"gateway": {"LAELO_GATEWAY_PROXIES": "1"}},
    )
    async with Platform(options) as platform:
        cookie = await account(platform.url, "schemathesis", "Esquema")
        # Who asks is another address, as limits by address are not what is tested here.
        headers = {"Cookie": cookie, "Origin": platform.url, "X-Forwarded-For": "192.0.2.7"}
        argv = [str(program), "run", str(ROOT / "docs/openapi.json"), "--url", platform.url]
        argv += ["--checks", ",".join(CHECKS), "--max-examples", EXAMPLES, "--seed", "2026"]
        argv += ["--phases", "examples,coverage,fuzzing", "--no-color"]
        for name, value in headers.items():
            argv += ["--header", f"{name}: {value}"]
        for which in (["--exclude-operation-id", *LAST], ["--include-operation-id", *LAST]):
            chosen = [part for name in which[1:] for part in (which[0], name)]
            done = await asyncio.to_thread(_run, [*argv, *chosen], tmp_path)
            assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
        assert platform.pids.keys() >= {"gateway-1", "archive-1"}
