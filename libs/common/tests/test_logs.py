"""Logs: one line each, with what is needed to find one's way, and no secrets."""

import io
import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laelo_common.runtime import logs
from laelo_common.settings import Secret
from laelo_common.telemetry import current

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def _root() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)


def lines(out: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.getvalue().splitlines()]


def configured(out: io.StringIO, form: str = "auto", level: str = "info") -> logging.Logger:
    logs.configure("table", "table-1", level, form, out)
    return logging.getLogger("laelo_table.app")


def test_a_line_says_who_when_and_what() -> None:
    out = io.StringIO()
    configured(out).info("appended %d", 3, extra={"table": "T1", "version": 7})
    (line,) = lines(out)
    assert line.pop("time").endswith("Z")
    assert line == {
        "level": "info",
        "service": "table",
        "replica": "table-1",
        "logger": "laelo_table.app",
        "message": "appended 3",
        "table": "T1",
        "version": 7,
    }


def test_a_traced_line_names_its_trace() -> None:
    out = io.StringIO()
    log = configured(out)
    token = current.set(f"00-{TRACE}-00f067aa0ba902b7-01")
    log.info("inside")
    current.reset(token)
    log.info("outside")
    assert [line.get("trace") for line in lines(out)] == [TRACE, None]


def test_an_error_with_its_traceback_is_still_one_line() -> None:
    out = io.StringIO()
    log = configured(out)
    try:
        raise ValueError("two\nlines")
    except ValueError:
        log.exception("it failed")
    (line,) = lines(out)
    assert "ValueError: two\nlines" in line["error"]


@given(st.text(alphabet="abcXYZ0123456789!$%&+", min_size=6))
def test_no_secret_gets_into_a_line(secret: str) -> None:
    for form in ("json", "human"):
        out = io.StringIO()
        log = configured(out, form)
        log.info("at nats://user:%s@host:4222 now", secret)
        log.info("extra", extra={"url": f"postgres://u:{secret}@db/x", "key": Secret(secret)})
        log.info("token=%s, then Authorization: Bearer %s", secret, secret)
        log.info('{"password": "%s"}', secret, extra={"session_token": secret})
        try:
            raise OSError(f"tls://{secret}@host refused")
        except OSError:
            log.exception("no way in")
        assert secret not in out.getvalue()
        assert "host:4222" in out.getvalue()


def test_people_get_plain_lines_on_a_terminal() -> None:
    out = Terminal()
    configured(out).warning("slow", extra={"table": "T1"})
    assert out.getvalue().endswith("table       WARNING slow table=T1\n")


def test_the_least_level_holds_and_chatty_libraries_are_quiet() -> None:
    out = io.StringIO()
    log = configured(out, level="warning")
    log.info("no")
    log.warning("yes")
    logging.getLogger("nats").info("chatter")
    assert [line["message"] for line in lines(out)] == ["yes"]


def test_what_json_does_not_know_is_written_as_text() -> None:
    out = io.StringIO()
    configured(out).info("odd", extra={"thing": {1, 2}, "where": object})
    assert lines(out)[0]["thing"] == "{1, 2}"


@pytest.mark.parametrize("form", ["human", "json"])
@given(st.text())
def test_nobody_writes_lines_of_the_log_by_what_they_say(form: str, said: str) -> None:
    out = Terminal()
    configured(out, form).info("somebody is called %s", said, extra={"name_of": said})
    (line, rest) = out.getvalue().split("\n", 1)
    assert rest == ""
    assert not set("\x00\x07\x08\x1b\r\x7f\x9b").intersection(line)
    if form == "human":
        assert line.isprintable()
