"""Stand-ins for the services: they listen, say that they are ready, and stop when asked."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from laelo_tools.platform import MODULES, SERVICES

if TYPE_CHECKING:
    from .exports import Made

GRPC = """
import asyncio, os, signal, sys
import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
async def main():
    server = grpc.aio.server()
    servicer = health.aio.HealthServicer()
    health_pb2_grpc.add_HealthServicer_to_server(servicer, server)
    server.add_insecure_port("127.0.0.1:" + os.environ["LAELO_{SERVICE}_PORT"])
    await servicer.set("", health_pb2.HealthCheckResponse.SERVING)
    await server.start()
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    await stop.wait()
    await server.stop(1)
asyncio.run(main())
"""
HTTP = """
import http.server, os, signal, sys
signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
class Ready(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200 if self.path == "/readyz" else 404)
        self.end_headers()
    def log_message(self, *_):
        pass
port = int(os.environ["LAELO_{SERVICE}_HTTP_PORT"])
http.server.ThreadingHTTPServer(("127.0.0.1", port), Ready).serve_forever()
"""


@pytest.fixture
def stand_ins(tmp_path: Path) -> Path:
    """A folder for PYTHONPATH in which each service is a stand-in."""
    folder = tmp_path / "stand-ins"
    for service in SERVICES:
        name = MODULES.get(service, f"laelo_{service}.main")
        package = folder.joinpath(*name.split(".")[:-1])
        package.mkdir(parents=True)
        (package / "__init__.py").touch()
        code = HTTP if service in ("gateway", "console") else GRPC
        (package / "main.py").write_text(code.replace("{SERVICE}", service.upper()))
    return folder


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> "Made":
    """Exports of an invented town."""
    from .exports import made_once

    folder = tmp_path_factory.getbasetemp()
    return made_once((folder if worker_id == "master" else folder.parent) / "exports")
