"""The whole of Lá e Lô on this machine: what `make run` starts and what tests run against.

    async with Platform(Options(pause_ms=0)) as platform:
        await play(platform.url)
        await platform.kill("table-1")
        await platform.restart("table-1")

Names of its parts: `postgres`, `nats` (in a cluster `nats-1` and so on), and `rules-1`, `bots-1`,
`table-1`, `tournament-1`, `matchmaking-1`, `archive-1`, `gateway-1`, `console-1` and so on.
"""

import asyncio
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self

from laelo_common.testing.authority import DAY, Authority
from laelo_common.tls.callers import OPERATOR

from laelo_tools.embedded import Nats, Postgres
from laelo_tools.embedded.nats import Sync
from laelo_tools.embedded.nats_cluster import SIZES, Front, cluster
from laelo_tools.embedded.postgres import check_answers, remove_data
from laelo_tools.errors import LaeloError
from laelo_tools.ports import Ports
from laelo_tools.roles import console_dsn
from laelo_tools.state import ROOT, Running
from laelo_tools.streams import prepare_log
from laelo_tools.supervisor import OnExit, Program, Supervisor
from laelo_tools.supervisor.child import Echo
from laelo_tools.supervisor.health import grpc_ready, http_ready

DEFAULT_PORT = 8080
SERVICES = ("rules", "bots", "table", "tournament", "matchmaking", "archive", "gateway", "console")
MODULES = {"console": "laelo_gateway.console.main"}
"""What is run where it is not the `main` of the service's own package."""
LASTS = 30 * DAY
"""Of certificates: longer than any run."""
Ready = Callable[[], Awaitable[bool]]


def certify(folder: Path) -> Path:
    """Certificates of this run for all services and their operator; the folder."""
    authority = Authority(LASTS)
    for name in (*SERVICES, OPERATOR):
        authority.issue(folder / name, name)
    return folder


def as_it_is(_name: str, address: str) -> str:
    """Others are told where a part really is."""
    return address


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What a run can be told.

    `state` None means a temporary folder that is removed at the end. `port` is that of the
    first gateway; None means 8080 or, if that is taken, any. `env` adds to the environment of
    a service (`"table"`) or of one replica (`"table-2"`). What is None is left to the
    services' own settings. Without `tournaments` and `matchmaking` there are no championships,
    without `archives` no histories and replays, without `consoles` nothing for operators.
    `clock_scale` makes all times of play so much shorter. `nats` servers keep so many copies of
    the log. With `tls` services talk by TLS, each with a certificate that is made for this run
    by an authority whose key is kept nowhere. `front` says where the other parts are told that
    one is, so that something may stand between them.
    """

    state: Path | None = None
    sync: Sync = "always"
    nats: int = 1
    port: int | None = None
    pause_ms: int | None = None
    bot_delay_ms: str | None = None
    rules: int = 1
    bots: int = 1
    tables: int = 2
    tournaments: int = 0
    matchmaking: int = 0
    archives: int = 0
    gateways: int = 1
    consoles: int = 0
    clock_scale: float | None = None
    tls: bool = False
    front: Front = as_it_is
    env: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    on_exit: OnExit = OnExit.LEAVE


class Platform:
    """One run: servers and services, their addresses, and how to disturb them."""

    def __init__(self, options: Options | None = None, echo: Echo | None = None) -> None:
        self.options = options or Options()
        self.addresses: dict[str, str] = {}
        self.told: dict[str, str] = {}
        """Where the other parts are told that they are."""
        self.metrics: dict[str, str] = {}
        """Where each of them says how it is."""
        self.supervisor = Supervisor(self.options.on_exit, echo)
        self.nats_url = ""
        self.pg_dsn = ""
        self._told_nats_url = ""
        self._told_pg_dsn = ""
        self._ports = Ports()
        self._temporary: Path | None = None
        self.certificates: Path | None = None
        """A folder with one for each service, where they talk by TLS."""

    @property
    def url(self) -> str:
        """Where a browser finds it."""
        return f"http://{self.addresses['gateway-1']}"

    @property
    def pids(self) -> dict[str, int]:
        """Process ids by name, of what runs now."""
        return {child.name: child.pid for child in self.supervisor.children if child.running}

    def describe(self) -> Running:
        """All that another command needs to find this run."""
        return Running(
            pid=os.getpid(),
            url=self.url,
            nats_url=self.nats_url,
            pg_dsn=self.pg_dsn,
            addresses=dict(self.addresses),
            pids=self.pids,
            metrics=dict(self.metrics),
            operator="" if self.certificates is None else str(self.certificates / OPERATOR),
        )

    async def __aenter__(self) -> Self:
        """Start everything and wait until it is ready; nothing is left if that fails."""
        try:
            await self.start()
        except BaseException:
            await self.stop()
            raise
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop everything."""
        await self.stop()

    async def start(self) -> None:
        """Start in order: servers, log, what tables need, tables, championships and archive,
        gateways, consoles. Raises LaeloError.
        """
        gateway_port = self._choose_gateway_port()
        state = self._state()
        if self.options.tls:
            self.certificates = await asyncio.to_thread(certify, state / "tls")
        await self._start_servers(state)
        await prepare_log(self.nats_url, self.options.nats)
        await self.supervisor.start(*self._replicas("rules"), *self._replicas("bots"))
        for service in ("table", "tournament", "matchmaking"):
            self._give_addresses(service)
        await self.supervisor.start(
            *self._replicas("table"),
            *self._replicas("tournament"),
            *self._replicas("matchmaking"),
            *self._replicas("archive"),
        )
        way_in = await console_dsn(self._told_pg_dsn) if self.options.consoles else ""
        await self.supervisor.start(*self._gateways(gateway_port), *self._consoles(way_in))

    async def stop(self) -> None:
        """Stop in the reverse order; a temporary state folder goes too."""
        await self.supervisor.stop()
        self._ports.release()
        if self._temporary is not None:
            await asyncio.to_thread(remove_data, self._temporary / "postgres")
            await asyncio.to_thread(shutil.rmtree, self._temporary, ignore_errors=True)
            self._temporary = None

    async def kill(self, name: str, number: signal.Signals = signal.SIGKILL) -> int:
        """Send a signal to a part and wait for its end; its exit code."""
        return await self.supervisor.child(name).kill(number)

    async def restart(self, name: str) -> None:
        """Start a part again on its old port, stopping it first if it runs."""
        await self.supervisor.restart(name)

    async def wait_ready(self, name: str) -> None:
        """Wait until a part is ready."""
        await self.supervisor.child(name).wait_ready()

    def output(self, name: str) -> list[str]:
        """The last lines that a part has written."""
        return list(self.supervisor.child(name).tail)

    def _state(self) -> Path:
        if self.options.state is not None:
            return self.options.state
        self._temporary = Path(tempfile.mkdtemp(prefix="laelo-"))
        return self._temporary

    def _choose_gateway_port(self) -> int:
        wanted = self.options.port
        if wanted == 0:
            return self._ports.free()
        if self._ports.claim(wanted or DEFAULT_PORT):
            return wanted or DEFAULT_PORT
        if wanted is None:
            return self._ports.free()
        raise LaeloError(
            f"Port {wanted} is taken by another program: stop that one, or choose another port"
            " with LAELO_GATEWAY_HTTP_PORT (unset, a free one is found)."
        )

    async def _start_servers(self, state: Path) -> None:
        programs = await self._prepare_nats(state)
        if dsn := os.environ.get("LAELO_PG_DSN"):
            await check_answers(dsn)
            self.pg_dsn = self._told_pg_dsn = dsn
        else:
            durable = self._temporary is None
            postgres = Postgres(state / "postgres", self._ports.free(), durable=durable)
            self.pg_dsn = postgres.dsn
            real = f"127.0.0.1:{postgres.port}"
            self._told_pg_dsn = self.pg_dsn.replace(real, self.options.front("postgres", real))
            programs.append(await asyncio.to_thread(postgres.prepare))
        await self.supervisor.start(*programs)

    async def _prepare_nats(self, state: Path) -> list[Program]:
        options = self.options
        if options.nats not in SIZES:
            sizes = ", ".join(map(str, SIZES))
            raise LaeloError(f"{options.nats} NATS servers are no cluster: choose of {sizes}.")
        if options.nats == 1:
            servers = [Nats(state / "nats", self._ports.free(), sync=options.sync)]
            told = [options.front("nats", f"127.0.0.1:{servers[0].port}")]
        else:
            ports = [self._ports.free() for _ in range(2 * options.nats)]
            servers = cluster(state, ports, options.sync, options.front)
            told = [server.told for server in servers]
        self.nats_url = ",".join(server.url for server in servers)
        self._told_nats_url = ",".join(f"nats://{address}" for address in told)
        return [await asyncio.to_thread(server.prepare) for server in servers]

    def _give_addresses(self, service: str) -> None:
        """Choose where the replicas of a service are; others are told before they are there."""
        options = self.options
        counts = {
            "rules": options.rules,
            "bots": options.bots,
            "table": options.tables,
            "tournament": options.tournaments,
            "matchmaking": options.matchmaking,
            "archive": options.archives,
        }
        for number in range(1, counts[service] + 1):
            self._give_address(f"{service}-{number}", self._ports.free())

    def _give_address(self, name: str, port: int) -> None:
        self.addresses[name] = f"127.0.0.1:{port}"
        self.told[name] = self.options.front(name, self.addresses[name])

    def _replicas(self, service: str) -> list[Program]:
        if not self._names_of(service):
            self._give_addresses(service)
        programs = []
        for name in self._names_of(service):
            address = self.addresses[name]
            settings = {"PORT": address.rpartition(":")[2], "HTTP_PORT": self._measured(name)}
            settings |= self._settings_of(service)
            ready = partial(grpc_ready, address)
            if self.options.tls:
                ready = partial(http_ready, self.metrics[name])
            programs.append(self._program(service, name, settings, ready))
        return programs

    def _settings_of(self, service: str) -> dict[str, str]:
        options = self.options
        settings: dict[str, dict[str, str | int | float | None]] = {
            "table": {
                "NATS_URL": self._told_nats_url,
                "RULES_ADDRESSES": self._addresses_of("rules"),
                "BOTS_ADDRESSES": self._addresses_of("bots"),
                "PAUSE_MS": options.pause_ms,
                "BOT_DELAY_MS": options.bot_delay_ms,
                "CLOCK_SCALE": options.clock_scale,
            },
            "tournament": {
                "NATS_URL": self._told_nats_url,
                "TABLE_ADDRESSES": self._addresses_of("table"),
                "PG_DSN": self._told_pg_dsn,
                "CLOCK_SCALE": options.clock_scale,
            },
            "matchmaking": {
                "NATS_URL": self._told_nats_url,
                "TOURNAMENT_ADDRESSES": self._addresses_of("tournament"),
                "CLOCK_SCALE": options.clock_scale,
            },
            "archive": {
                "NATS_URL": self._told_nats_url,
                "PG_DSN": self._told_pg_dsn,
                "BOTS_ADDRESSES": self._addresses_of("bots"),
            },
        }
        found = settings.get(service, {})
        return {key: str(value) for key, value in found.items() if value is not None}

    def _gateways(self, first_port: int) -> list[Program]:
        programs = []
        for number in range(1, self.options.gateways + 1):
            name, port = f"gateway-{number}", first_port if number == 1 else self._ports.free()
            self._give_address(name, port)
            settings = {
                "HTTP_PORT": str(port),
                "PORT": self._measured(name),
                "TABLE_ADDRESSES": self._addresses_of("table"),
                "PG_DSN": self._told_pg_dsn,
                "WEB_DIST": str(ROOT / "web" / "dist"),
            }
            if self.options.matchmaking:
                settings["TOURNAMENT_ADDRESSES"] = self._addresses_of("tournament")
                settings["MATCHMAKING_ADDRESSES"] = self._addresses_of("matchmaking")
            if self.options.archives:
                settings["ARCHIVE_ADDRESSES"] = self._addresses_of("archive")
            ready = partial(http_ready, self.addresses[name])
            programs.append(self._program("gateway", name, settings, ready))
        return programs

    def _consoles(self, dsn: str) -> list[Program]:
        programs = []
        for number in range(1, self.options.consoles + 1):
            name, port = f"console-{number}", self._ports.free()
            self._give_address(name, port)
            settings = {
                "HTTP_PORT": str(port),
                "PORT": self._measured(name),
                "TABLE_ADDRESSES": self._addresses_of("table"),
                "TOURNAMENT_ADDRESSES": self._addresses_of("tournament"),
                "ARCHIVE_ADDRESSES": self._addresses_of("archive"),
                "PG_DSN": dsn,
            }
            ready = partial(http_ready, self.addresses[name])
            programs.append(self._program("console", name, settings, ready))
        return programs

    def _measured(self, name: str) -> str:
        """A port on which a part says how it is."""
        port = str(self._ports.free())
        self.metrics[name] = f"127.0.0.1:{port}"
        return port

    def _program(self, service: str, name: str, settings: dict[str, str], ready: Ready) -> Program:
        environment = {f"LAELO_{service.upper()}_{key}": value for key, value in settings.items()}
        environment[f"LAELO_{service.upper()}_REPLICA"] = name
        environment[f"LAELO_{service.upper()}_LOCAL"] = "true"
        if self.certificates is not None:
            environment[f"LAELO_{service.upper()}_TLS_FOLDER"] = str(self.certificates / service)
        more = self.options.env
        return Program(
            name=name,
            argv=(sys.executable, "-m", MODULES.get(service, f"laelo_{service}.main")),
            env={**environment, **more.get(service, {}), **more.get(name, {})},
            ready=ready,
        )

    def _addresses_of(self, service: str) -> str:
        return ",".join(self.told[name] for name in self._names_of(service))

    def _names_of(self, service: str) -> list[str]:
        return [name for name in self.addresses if name.startswith(f"{service}-")]
