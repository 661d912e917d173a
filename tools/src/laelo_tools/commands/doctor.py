"""laelo doctor: asks all parts of a platform how they are."""

import argparse
import asyncio
from collections.abc import Mapping
from dataclasses import dataclass

from laelo_tools.doctor.database import database
from laelo_tools.doctor.finding import Finding
from laelo_tools.doctor.log import log
from laelo_tools.doctor.services import gateway, services
from laelo_tools.errors import LaeloError
from laelo_tools.services import dials
from laelo_tools.state import find_running

DATABASES = ("gateway", "tournament", "archive")


@dataclass(frozen=True, slots=True)
class Platform:
    """Where the parts are that are to be asked; what is empty is not asked."""

    url: str
    nats_url: str
    databases: Mapping[str, str]
    services: Mapping[str, str]
    operator: str = ""
    """Folder with the certificate that services know their operator by."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.epilog = "Without any address it is the platform of this checkout that is asked."
    parser.add_argument("--url", default="", metavar="URL", help="how people reach it")
    parser.add_argument("--nats", default="", metavar="URL", help="the log, with the user deploy")
    parser.add_argument(
        "--pg", action="append", default=[], metavar="SERVICE=DSN", help="a service's database"
    )
    parser.add_argument(
        "--service", action="append", default=[], metavar="NAME=HOST:PORT", help="a gRPC service"
    )


def run(args: argparse.Namespace) -> int:
    """Print what is found; 1 if something is not well."""
    findings = asyncio.run(examine(platform_of(args)))
    for finding in findings:
        print(finding.line())
    return 0 if all(finding.well for finding in findings) else 1


def platform_of(args: argparse.Namespace) -> Platform:
    """What was named, else this checkout's platform. Raises LaeloError."""
    if args.url or args.nats or args.pg or args.service:
        return Platform(args.url, args.nats, _pairs(args.pg), _pairs(args.service))
    running = find_running()
    pages = ("gateway", "console")
    databases = dict.fromkeys(DATABASES, running.pg_dsn)
    grpc = {name: at for name, at in running.addresses.items() if not name.startswith(pages)}
    return Platform(running.url, running.nats_url, databases, grpc, running.operator)


def _pairs(entries: list[str]) -> dict[str, str]:
    pairs = dict(entry.partition("=")[::2] for entry in entries)
    for name, value in pairs.items():
        if not name or not value:
            raise LaeloError(f"{name or value!r} names no part and where it is: NAME=WHERE")
    return pairs


async def examine(platform: Platform) -> list[Finding]:
    """Ask all of them."""
    findings = await services(platform.services, dials(platform.operator))
    if platform.url:
        findings += await gateway(platform.url)
    if platform.nats_url:
        findings += await log(platform.nats_url)
    for service, dsn in platform.databases.items():
        findings.append(await database(service, dsn))
    return findings
