"""Who runs the house, and what they did: `laelo admin` and `laelo audit` on any machine.

It needs the gateway's own way into the database (`LAELO_GATEWAY_PG_DSN`): the console's role may
make nobody an operator. What is done here stands in the audit log, too.
"""

import argparse
import asyncio
import getpass
import os
import socket
import sys
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Final

import asyncpg
import msgspec
from laelo_common.ids import new_id

from laelo_gateway.console.chain import faults
from laelo_gateway.console.store import Deed, Entry
from laelo_gateway.domain.account_name import name_key
from laelo_gateway.orders.store import LONGEST_TEXT

DSN: Final = "LAELO_GATEWAY_PG_DSN"
ENTRIES: Final = 50
SECONDS: Final = 10.0

_ADD: Final = """
INSERT INTO audit (operator, action, subject, reason, address, request, outcome)
VALUES ($1, $2, $3, $4, $5, $6, $7)
"""
_ACCOUNT: Final = "SELECT id, coalesce(name, '') FROM accounts WHERE id = $1 OR name_key = $2"
_LIST: Final = """
SELECT a.id, coalesce(a.name, '') AS name, o.granted_at, (
    SELECT max(used_at) FROM console_sessions s WHERE s.account = a.id
) AS seen FROM operators o JOIN accounts a ON a.id = o.account ORDER BY o.granted_at
"""
_ENTRIES: Final = """
SELECT number, at, operator, action, subject, reason, address, request, outcome, hash FROM audit
ORDER BY number DESC LIMIT $1
"""

Connection = Any


class WrongError(Exception):
    """What was asked for cannot be done: one sentence for a person."""


def parser() -> argparse.ArgumentParser:
    """The arguments."""
    made = argparse.ArgumentParser(prog="laelo_gateway.console.shell")
    commands = made.add_subparsers(dest="what", required=True)
    for name, help_text in (
        ("grant", "make somebody an operator"),
        ("revoke", "let somebody be one no more"),
    ):
        one = commands.add_parser(name, help=help_text)
        one.add_argument("account", metavar="ACCOUNT", help="its id, or its nickname")
        one.add_argument("--reason", default="", help="for the audit log")
    commands.add_parser("list", help="who is one")
    audit = commands.add_parser("audit", help="what operators did, the newest last")
    audit.add_argument("--limit", type=int, default=ENTRIES, help=f"how many (default {ENTRIES})")
    audit.add_argument("--json", action="store_true", help="one JSON object a line")
    audit.add_argument("--verify", action="store_true", help="check the chain of all entries")
    return made


def main(argv: Sequence[str] | None = None) -> int:
    """Do what is asked; 1 if the audit log is not what was written, 2 if it cannot be done."""
    args = parser().parse_args(argv)
    dsn = os.environ.get(DSN)
    if not dsn:
        print(f"{DSN} is not set: it says where the gateway's database is", file=sys.stderr)
        return 2
    try:
        return asyncio.run(_run(dsn, args))
    except WrongError as error:
        print(error, file=sys.stderr)
    except asyncpg.UndefinedTableError:
        print("the tables are not there yet: run laelo_gateway.migrate", file=sys.stderr)
    except (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        print(f"the database cannot be asked: {error}", file=sys.stderr)
    return 2


async def _run(dsn: str, args: argparse.Namespace) -> int:
    connection = await asyncpg.connect(dsn, timeout=SECONDS, command_timeout=SECONDS)
    try:
        return await _COMMANDS[args.what](connection, args)
    finally:
        await connection.close(timeout=SECONDS)


async def grant(connection: Connection, args: argparse.Namespace) -> int:
    """Make somebody an operator."""
    account, name = await _account(connection, args.account)
    query = "INSERT INTO operators (account) VALUES ($1) ON CONFLICT DO NOTHING"
    await _change(connection, query, account, _deed("grant", account, args.reason))
    print(f"{name or account} is an operator")
    return 0


async def revoke(connection: Connection, args: argparse.Namespace) -> int:
    """Let somebody be an operator no more; their sessions end with it."""
    account, name = await _account(connection, args.account)
    query = "DELETE FROM operators WHERE account = $1"
    await _change(connection, query, account, _deed("revoke", account, args.reason))
    print(f"{name or account} is no operator")
    return 0


async def list_(connection: Connection, _args: argparse.Namespace) -> int:
    """Print who is an operator."""
    rows = await connection.fetch(_LIST)
    for row in rows:
        seen = f", seen {row['seen']:%Y-%m-%d %H:%M} UTC" if row["seen"] else ""
        print(f"{row['id']}  {row['name']}  since {row['granted_at']:%Y-%m-%d}{seen}")
    if not rows:
        print("Nobody is an operator: `laelo admin grant ACCOUNT` makes somebody one.")
    return 0


async def audit(connection: Connection, args: argparse.Namespace) -> int:
    """Print, or check, what operators did."""
    rows = await connection.fetch(_ENTRIES, None if args.verify else max(args.limit, 1))
    entries = [Entry(row[0], row[1], Deed(*row[2:9]), row[9]) for row in map(tuple, rows)][::-1]
    if args.verify:
        found = faults(entries)
        for fault in found:
            print(fault)
        head = entries[-1].hash.hex() if entries else "none"
        print(f"{len(entries)} entries, {len(found)} faults, last hash {head}")
        return 1 if found else 0
    for entry in entries:
        print(_line(entry, as_json=args.json))
    return 0


def _line(entry: Entry, *, as_json: bool) -> str:
    deed = entry.deed
    if as_json:
        told = {"number": entry.number, "at": entry.at, **deed._asdict(), "hash": entry.hash.hex()}
        return msgspec.json.encode(told).decode()
    why = f": {deed.reason}" if deed.reason else ""
    return (
        f"{entry.number:6}  {entry.at:%Y-%m-%d %H:%M:%S} UTC  {deed.operator} ({deed.address})"
        f"  {deed.action} {deed.subject}{why}  [{deed.outcome}]"
    )


async def _account(connection: Connection, wanted: str) -> tuple[str, str]:
    row = await connection.fetchrow(_ACCOUNT, wanted, name_key(wanted))
    if row is None:
        raise WrongError(
            f"no account is called {wanted!r}: they have to sign in to the game once before"
        )
    return row[0], row[1]


async def _change(connection: Connection, query: str, account: str, deed: Deed) -> None:
    """Change it and note it, or neither; nothing is noted where nothing changed."""
    async with connection.transaction():
        done: str = await connection.execute(query, account)
        if not done.endswith(" 0"):
            await connection.execute(_ADD, *deed)


def _deed(action: str, account: str, reason: str) -> Deed:
    reason = " ".join(reason.split())
    if len(reason) > LONGEST_TEXT or not reason.isprintable():
        raise WrongError(f"the reason has to be one line of at most {LONGEST_TEXT} characters")
    who = f"shell:{getpass.getuser()}"
    return Deed(who, action, account, reason, socket.gethostname(), new_id())


_COMMANDS: Final[
    dict[str, Callable[[Connection, argparse.Namespace], Coroutine[Any, Any, int]]]
] = {"grant": grant, "revoke": revoke, "list": list_, "audit": audit}

if __name__ == "__main__":
    sys.exit(main())
