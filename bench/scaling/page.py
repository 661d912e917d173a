"""The tables of docs/scaling.md."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

from bench.scaling.measured import SERVICES, Measured, read
from bench.scaling.plan import Limit, Need, limits, need

PAGE: Final = Path(__file__).resolve().parents[2] / "docs" / "scaling.md"
STEPS: Final = (1_000, 10_000, 100_000)
MOVED_BY: Final = {
    "gateway": "one more gateway; players are spread by the balancer",
    "table": "one more replica: homes follow by the hash, warm tables are loaded anew",
    "rules": "one more replica",
    "gateway's sockets": "one more gateway, or `LAELO_GATEWAY_SOCKETS`",
    "stream": "`TBL` split by ranges of `k` over more streams, each with a leader of its own",
    "archive": "one archive for each stream, once `TBL` is split",
}


def tables(measured: Measured) -> dict[str, str]:
    """All tables, by the name of their place in the page."""
    needs = [need(step, measured) for step in STEPS]
    found = limits(measured)
    return {
        "costs": _costs(measured),
        "limits": _limits(found),
        "needs": _needs(needs),
        "first": _first(needs, found),
    }


def written(text: str, measured: Measured) -> str:
    """The page with its tables as they have to be. Raises ValueError if one has no place."""
    for name, table in tables(measured).items():
        begin, end = f"<!-- {name} -->\n", f"<!-- /{name} -->"
        head, found, rest = text.partition(begin)
        _, closed, tail = rest.partition(end)
        if not found or not closed:
            raise ValueError(f"{PAGE.name} has no place for the table {name}")
        text = f"{head}{begin}{table}\n{end}{tail}"
    return text


def write_page() -> bool:
    """Write the page anew; False, and said, if something was not measured yet."""
    try:
        measured = read()
    except (FileNotFoundError, KeyError) as error:
        print(f"{error} is missing in bench/results: `make growth` first", file=sys.stderr)
        return False
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8"), measured), encoding="utf-8")
    return True


def _table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _costs(measured: Measured) -> str:
    rows = [
        [
            name,
            f"{measured.light[name].us:,.0f} at {measured.light[name].rate:,.0f}",
            f"{measured.full[name].us:,.0f} at {measured.full[name].rate:,.0f}",
            f"{measured.table_kb[name]:,.0f}",
        ]
        for name in SERVICES
    ]
    rows.append(["nats", f"{measured.nats_us[0]:,.0f}", f"{measured.nats_us[1]:,.0f}", "–"])
    head = ["", "µs a move, few", "µs a move, many", "kB a table"]
    synced, alone = measured.synced_us
    return (
        f"Measured on {measured.machine}. Moves a second in one process stand beside the costs.\n\n"
        f"{_table(head, rows)}\n\n"
        f"With each commit synced on three servers of the log the same machine did"
        f" {measured.synced_moves:,.0f} moves a second at {synced:,.0f} µs a move, on one server a"
        f" move cost {alone:,.0f}. A commit takes {measured.log_bytes:,.0f} bytes in the log and"
        f" {measured.copy_bytes:,.0f} in PostgreSQL. A client that comes back costs all processes"
        f" {measured.client_ms:,.1f} ms together."
    )


def _limits(found: list[Limit]) -> str:
    rows = [[limit.part, f"{limit.tables:,.0f}", limit.by, MOVED_BY[limit.part]] for limit in found]
    return _table(["one", "carries so many tables", "ends at", "what moves it"], rows)


def _needs(needs: list[Need]) -> str:
    def row(name: str, cell: Callable[[Need], str]) -> list[str]:
        return [name, *(cell(one) for one in needs)]

    def service(name: str) -> list[str]:
        return row(
            name,
            lambda one: (
                f"{one.processes[name]} ({one.cores[name]:,.1f} cores,"
                f" {one.memory_gb[name]:,.1f} GB)"
            ),
        )

    rows = [
        row("moves a second", lambda one: f"{one.moves:,.0f}"),
        row("commits a second", lambda one: f"{one.commits:,.0f}"),
        row("sockets", lambda one: f"{one.sockets:,}"),
        *(service(name) for name in SERVICES),
        row(
            "log: streams with three servers each",
            lambda one: f"{one.streams} ({one.nats_cores:,.1f} cores at each leader's side)",
        ),
        row("archives", lambda one: f"{one.archives} ({one.archive_cores:,.1f} cores)"),
        row("log, 30 days, three copies", lambda one: f"{one.log_gb:,.0f} GB"),
        row("PostgreSQL grows a year by", lambda one: f"{one.copy_gb_a_year:,.0f} GB"),
        row("a lost gateway's clients come back for", lambda one: f"{one.back_s:,.1f} CPU s"),
    ]
    return _table(["tables at once", *(f"{one.tables:,}" for one in needs)], rows)


def _first(needs: list[Need], found: list[Limit]) -> str:
    rows = []
    for one in needs:
        met = [limit for limit in found if limit.tables < one.tables]
        first = met[0] if met else found[0]
        said = f"{first.part}, at {first.tables:,.0f} tables" if met else "none"
        last = met[-1].part if met else f"next: {first.part}, at {first.tables:,.0f}"
        rows.append([f"{one.tables:,}", said, MOVED_BY[first.part] if met else "–", last])
    return _table(["tables", "first limit met", "what moves it", "last one met"], rows)
