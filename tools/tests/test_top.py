"""`laelo top`: what it reads, what follows from two looks, and what fits into a window."""

import fcntl
import json
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import termios
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laelo_tools.top.drawing import KEYS, Order, Style, clipped, draw, ordered
from laelo_tools.top.exposition import Numbers, parse
from laelo_tools.top.look import House, Looker
from laelo_tools.top.picture import Look, Match, Part, Picture, Seen, picture
from laelo_tools.top.processes import Usage, usage

PAGE = """# HELP laelo_table_moves_total Moves.
laelo_table_moves_total{mover="person"} 7
laelo_table_moves_total{mover="bot"} 5
laelo_table_watched{phase="play"} 2
laelo_gateway_sockets 12
laelo_archive_behind{stream="TBL"} 3
laelo_archive_behind{stream="TRN"} 0
laelo_matchmaking_waiting 4
process_cpu_seconds_total 12.5
process_resident_memory_bytes 34000000
no number at all
"""

names = st.text(max_size=40)
parts = st.builds(
    Part,
    names,
    st.none() | st.integers(1, 9_999_999),
    st.booleans(),
    names,
    st.none() | st.floats(0, 99),
    st.none() | st.integers(0, 10**11),
)
matches = st.builds(
    Match,
    names,
    st.integers(1, 999),
    st.sampled_from(["friendly", "championship"]),
    st.integers(0, 2 * 10**12),
    st.integers(0, 99),
    st.tuples(st.integers(0, 9), st.integers(0, 9)),
)
pictures = st.builds(
    Picture,
    st.integers(0, 2 * 10**12),
    st.dictionaries(names, names, max_size=3),
    st.floats(0, 10**6),
    st.floats(0, 10**6),
    *[st.integers(0, 10**6)],
    st.just({"play": 3}),
    st.dictionaries(st.sampled_from(["friendly", "championship"]), st.integers(0, 9)),
    st.integers(0, 99),
    st.integers(0, 99),
    st.dictionaries(names, st.integers(0, 10**6), max_size=4),
    st.lists(parts, max_size=12),
    st.none() | st.lists(matches, max_size=12),
)


@settings(max_examples=30)
@given(pictures, st.integers(0, 200), st.integers(0, 60), st.text(max_size=5))
def test_whatever_there_is_fits_into_any_window(
    shown: Picture, width: int, height: int, typed: str
) -> None:
    order = Order()
    for key in typed:
        order = ordered(order, key)
    lines = draw(shown, width, height, order)
    assert len(lines) <= height
    for line in lines:
        assert len(line.text) <= width
        assert line.text.isprintable()
    if height:
        assert lines[-1].text == clipped(KEYS, width)


def look(at: float, page: str, *parts: Seen) -> Look:
    return Look(at, int(at * 1000), parts, Numbers(parse(page)), [], {"friendly": 1})


def test_rates_are_by_the_second_and_never_negative() -> None:
    later = PAGE.replace('"person"} 7', '"person"} 27')
    assert picture(look(10, PAGE), look(12, later), {}).moves == 10
    assert picture(look(10, later), look(12, PAGE), {}).moves == 0, "a part was started anew"
    assert picture(look(10, PAGE), look(10, later), {}).moves == 0
    assert picture(look(10, ""), look(12, ""), {}).lag == {}


def test_all_parts_are_counted_together() -> None:
    shown = picture(look(1, PAGE), look(2, PAGE), {})
    assert (shown.people, shown.queue, shown.tables["play"]) == (12, 4, 2)
    assert shown.lag == {"TBL": 3, "TRN": 0, "records": 0}


def test_a_process_uses_what_it_used_since_the_look_before() -> None:
    before = Seen("table-1", 7, "", Usage(10.0, 10))
    after = Seen("table-1", 7, "not well", Usage(11.0, 20))
    (part,) = picture(look(1, "", before), look(3, "", after), {}).parts
    assert (part.cpu, part.memory, part.well, part.said) == (0.5, 20, False, "not well")
    anew = after._replace(pid=8)
    assert picture(look(1, "", before), look(3, "", anew), {}).parts[0].cpu is None


def test_parts_are_ordered_as_asked() -> None:
    three = [
        Part("a", 1, True, "", 0.1, 300),
        Part("b", 2, True, "", None, 100),
        Part("c", 3, False, "gone", 0.9, None),
    ]
    shown = picture(look(1, PAGE), look(2, PAGE), {})._replace(parts=three)
    for key, wanted in (("n", "abc"), ("c", "cab"), ("m", "abc")):
        lines = draw(shown, 80, 60, ordered(Order(), key))
        assert "".join(line.text[0] for line in lines if line.text[1:16] == " " * 15) == wanted
    assert [line.text[0] for line in lines if line.style is Style.BAD] == ["c"]


def test_the_kernel_knows_this_process_and_none_that_is_gone(tmp_path: Path) -> None:
    known = usage(os.getpid())
    assert known is not None
    assert known.memory > 1_000_000
    assert usage(2**22 + 1) is None
    (tmp_path / "9").mkdir()
    (tmp_path / "9" / "stat").write_text("9 (odd) name) S " + "0 " * 10 + "200 100 " + "0 " * 30)
    (tmp_path / "9" / "statm").write_text("100 50 0 0 0 0 0\n")
    assert usage(9, tmp_path) == Usage(300 / os.sysconf("SC_CLK_TCK"), 50 * 4096)


class Well(BaseHTTPRequestHandler):
    """A part of a house that is well."""

    def do_GET(self) -> None:
        body = PAGE if self.path == "/metrics" else "ready\n"
        self.send_response(200)
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def address() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Well)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    thread.join()
    server.server_close()


def command(address: str, *args: str) -> list[str]:
    named = ["--metrics", f"gateway-1={address}", "--metrics", "table-1=127.0.0.1:1"]
    return [sys.executable, "-m", "laelo_tools.cli", "top", *named, *args]


@pytest.mark.parametrize("args", [[], ["--once"]])
def test_without_a_terminal_it_is_printed_once(address: str, args: list[str]) -> None:
    done = subprocess.run(command(address, *args), capture_output=True, text=True, check=True)
    assert "12 connected, 4 in the queue" in done.stdout
    assert "table-1" in done.stdout
    assert "does not answer (ConnectError)" in done.stdout
    assert "\x1b" not in done.stdout


def test_scripts_get_json(address: str) -> None:
    done = subprocess.run(
        command(address, "--once", "--json"), capture_output=True, text=True, check=True
    )
    told = json.loads(done.stdout)
    assert told["people"] == 12
    assert {part["name"]: part["well"] for part in told["parts"]} == {
        "gateway-1": True,
        "table-1": False,
    }
    assert next(p["memory"] for p in told["parts"] if p["well"]) == 34_000_000
    wrong = subprocess.run(command("nowhere"), capture_output=True, text=True, check=False)
    assert wrong.returncode == 1
    assert "NAME=HOST:PORT is wanted" in wrong.stderr


class Terminal:
    """A pseudo terminal with `laelo top` in it."""

    def __init__(self, address: str) -> None:
        self.ours, theirs = pty.openpty()
        self.size(24, 80)
        self.process = subprocess.Popen(
            command(address),
            stdin=theirs,
            stdout=theirs,
            stderr=subprocess.STDOUT,
            env={**os.environ, "TERM": "xterm"},
            start_new_session=True,
        )
        os.close(theirs)
        self.seen = ""

    def size(self, rows: int, columns: int) -> None:
        fcntl.ioctl(self.ours, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def until(self, words: str) -> None:
        """Read on until these words have come; what came before them is forgotten."""
        while words not in self.seen:
            self.seen += os.read(self.ours, 65536).decode(errors="replace")
        self.seen = self.seen.rpartition(words)[2]

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self.ours)


@pytest.fixture
def terminal(address: str) -> Iterator[Terminal]:
    terminal = Terminal(address)
    yield terminal
    terminal.close()


def test_it_fills_a_terminal_follows_its_size_and_ends_with_q(terminal: Terminal) -> None:
    terminal.until("12 connected")
    terminal.until("(by name)")
    os.write(terminal.ours, b"c")
    terminal.until("CPU)")
    for rows, columns in ((8, 30), (1, 1), (50, 200)):
        terminal.size(rows, columns)
        terminal.process.send_signal(signal.SIGWINCH)
    terminal.until("matches by a age, h hands, k kind")
    os.write(terminal.ours, b"q")
    left = bytearray()
    while True:
        try:
            left += os.read(terminal.ours, 65536)
        except OSError:  # its other end is closed
            break
    assert terminal.process.wait() == 0
    assert re.search(rb"\x1b\[\?1049l", bytes(left)), "the screen is as it was before"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_for_signals_as_well(terminal: Terminal, number: signal.Signals) -> None:
    terminal.until("12 connected")
    terminal.process.send_signal(number)
    assert terminal.process.wait() == 0


@pytest.mark.parametrize(
    "house",
    [
        House({"a": "[::1:80"}),
        House({}, nats_url="nats://localhost:x"),
        House({}, nats_url="nats://[::1"),
        House({}, pg_dsn="no database"),
        House({}, pg_dsn="postgresql://u@[::1/x"),
    ],
)
async def test_what_is_no_address_is_nothing_to_see(house: House) -> None:
    looker = Looker(house)
    try:
        assert "NATS" not in await looker.versions()
        look = await looker.look()
    finally:
        await looker.close()
    assert look.matches is None
    assert [seen.said for seen in look.parts] == ["does not answer (InvalidURL)"] * len(look.parts)
