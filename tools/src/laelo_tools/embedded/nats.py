"""nats-server with JetStream as a child process, with its store in a folder of ours."""

import json
import os
import re
import signal
from pathlib import Path
from typing import Literal, NamedTuple

from laelo_common.testing.nats import find_nats_server

from laelo_tools.errors import LaeloError
from laelo_tools.supervisor.program import Program

Sync = Literal["always", "default"]
WAY_OUT = "`make clean-data` deletes all local data; or move the folder away to keep it."
# The server starts all the same when it can't read a stream, and then lacks it without a word
# to its clients; only these lines of its log tell. A torn last record and an outdated index are
# not among them: both are what a power cut leaves, and it mends them without losing anything
# that it had acknowledged.
UNREADABLE = re.compile(
    r"metafile|stream checksum file|could not locate msg block|Error recreating|FTL.*JetStream"
)


GO_THREADS = "1"
"""Threads for Go code, unless the environment says how many: more of them mostly look for work, and
take a sixth of what a move costs the server from the other processes of the machine (ADR 0003).
"""


class Member(NamedTuple):
    """What a server of a cluster knows of itself and the others.

    `told` and `told_routes` are where clients and other servers are told that it is.
    """

    name: str
    port: int
    """For the other servers."""
    routes: tuple[str, ...]
    """Where the others are."""
    told: str
    told_routes: str


class Nats:
    """One server on a port of the loopback interface, alone or as a member of a cluster.

    `sync="always"` syncs each message to the disk before it is acknowledged; `"default"` is
    the server's own choice, every two minutes, for measuring what the sync costs.
    """

    def __init__(
        self, store: Path, port: int, *, sync: Sync = "always", member: Member | None = None
    ) -> None:
        self.port = port
        self._store = store
        self._sync = sync
        self._member = member

    @property
    def url(self) -> str:
        """Where the services find their log."""
        return f"nats://127.0.0.1:{self.port}"

    @property
    def told(self) -> str:
        """Where clients are told that it is."""
        return self._member.told if self._member else f"127.0.0.1:{self.port}"

    def prepare(self) -> Program:
        """Write the configuration; the program to run.

        Raises LaeloError for a folder that can't be used.
        """
        check_store(self._store)
        config = self._store.with_name(f"{self._store.name}.conf")
        config.write_text(self._configuration())
        return Program(
            name=self._member.name if self._member else "nats",
            argv=(str(find_nats_server()), "-c", str(config)),
            env={"GOMAXPROCS": os.environ.get("GOMAXPROCS", GO_THREADS)},
            cwd=self._store,
            ready_line="Server is ready",
            broken=UNREADABLE,
            broken_sentence=f"The JetStream data in {self._store} is broken. {WAY_OUT}",
            stop_signal=signal.SIGTERM,
            echo=is_warning,
        )

    def _configuration(self) -> str:
        sync = "  sync_interval: always\n" if self._sync == "always" else ""
        name = self._member.name if self._member else "local"
        return (
            f"server_name: laelo-{name}\n"
            f'listen: "127.0.0.1:{self.port}"\n'
            f"jetstream {{\n  store_dir: {json.dumps(str(self._store.absolute()))}\n{sync}}}\n"
        ) + ("" if self._member is None else cluster_of(self._member))


def cluster_of(member: Member) -> str:
    """The part of the configuration that makes a server a member."""
    routes = ", ".join(f'"nats://{route}"' for route in member.routes)
    return (
        f'client_advertise: "{member.told}"\n'
        "cluster {\n  name: laelo\n"
        f'  listen: "127.0.0.1:{member.port}"\n  advertise: "{member.told_routes}"\n'
        f"  routes: [{routes}]\n}}\n"
    )


def check_store(store: Path) -> None:
    """Make the folder at the first start; refuse one that can't be read or written."""
    try:
        store.mkdir(parents=True, exist_ok=True)
        inner = store / "jetstream"
        usable = os.access(store, os.R_OK | os.W_OK | os.X_OK) and (
            not inner.exists() or (inner.is_dir() and os.access(inner, os.R_OK | os.W_OK))
        )
    except OSError as error:
        raise LaeloError(f"The JetStream data in {store} is broken ({error}). {WAY_OUT}") from error
    if not usable:
        raise LaeloError(f"The JetStream data in {store} can't be read and written. {WAY_OUT}")


def is_warning(line: str) -> bool:
    """Whether a line of the server's log is worth a person's attention."""
    return any(f"[{level}]" in line for level in ("WRN", "ERR", "FTL"))
