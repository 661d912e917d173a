"""Logs: one JSON line each, or plain lines for people on a terminal. Never a secret."""

import json
import logging
import re
import sys
import time
from typing import Any, Final, TextIO

from laelo_common.telemetry.traces import current, parse

_KNOWN: Final = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}
_CREDENTIALS: Final = re.compile(r"(\w+://)[^\s/@]+@")
_WORDS: Final = r"(?:password|passwd|secret|token|authorization|cookie)"
_NAMED: Final = re.compile(rf"(?i)({_WORDS}[\"']?\s*[=:]\s*)(?:(?:bearer|basic)\s+)?\S+")
_UNSAFE: Final = re.compile(r"[\x7f-\x9f\u2028\u2029]")
"""What JSON lets stand, and terminals or readers of lines take for orders."""
_SECRET_KEY: Final = re.compile(rf"(?i){_WORDS}")


def configure(
    service: str, replica: str, level: str, form: str, stream: TextIO | None = None
) -> None:
    """Send all logs of the process to `stream` (default: standard error)."""
    out = sys.stderr if stream is None else stream
    human = out.isatty() if form == "auto" else form == "human"
    handler = logging.StreamHandler(out)
    handler.setFormatter(HumanLines(service) if human else JsonLines(service, replica))
    root = logging.getLogger()
    for old in root.handlers[:]:
        root.removeHandler(old)
    root.addHandler(handler)
    root.setLevel(level.upper())
    # Each says on INFO what it does for every request or message.
    for chatty in ("grpc", "nats", "hpack", "httpcore", "httpx"):
        logging.getLogger(chatty).setLevel(max(logging.WARNING, root.level))


def redacted(text: str) -> str:
    """The text without passwords in addresses, and without values named as secrets."""
    return _NAMED.sub(r"\1***", _CREDENTIALS.sub(r"\1***@", text))


class JsonLines(logging.Formatter):
    """One object a line: time, level, service, replica, logger, message; trace, extras, error."""

    def __init__(self, service: str, replica: str) -> None:
        super().__init__()
        self._service = service
        self._replica = replica

    def format(self, record: logging.LogRecord) -> str:
        """The record as one line."""
        line: dict[str, Any] = {
            "time": _utc(record),
            "level": record.levelname.lower(),
            "service": self._service,
            "replica": self._replica,
            "logger": record.name,
            "message": redacted(record.getMessage()),
        }
        trace = parse(current.get())
        if trace is not None:
            line["trace"] = f"{trace.trace_id:032x}"
        line.update(_extras(record))
        if record.exc_info:
            line["error"] = redacted(self.formatException(record.exc_info))
        text = json.dumps(line, ensure_ascii=False, default=lambda value: redacted(str(value)))
        return _UNSAFE.sub(lambda found: _shown(found[0]), text)


def _extras(record: logging.LogRecord) -> dict[str, Any]:
    """What was given as `extra`, without values that are named as secrets."""
    given = {key: value for key, value in vars(record).items() if key not in _KNOWN}
    for key, value in given.items():
        if _SECRET_KEY.search(key):
            given[key] = "***"
        elif isinstance(value, str):
            given[key] = redacted(value)
    return given


def _utc(record: logging.LogRecord) -> str:
    seconds = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
    return f"{seconds}.{int(record.msecs):03d}Z"


def printable(text: str) -> str:
    """The text on one line: nobody writes lines of our log, or moves the terminal's cursor, by
    what they are called.
    """
    return text if text.isprintable() else "".join(map(_shown, text))


def _shown(letter: str) -> str:
    return letter if letter.isprintable() else f"\\u{ord(letter):04x}"


class HumanLines(logging.Formatter):
    """Short lines for a terminal."""

    def __init__(self, service: str) -> None:
        super().__init__(f"%(asctime)s {service:<11} %(levelname)-7s %(message)s", "%H:%M:%S")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - logging's name
        """The line itself; a traceback below it has lines of its own."""
        record.message = printable(record.message)
        return super().formatMessage(record)

    def format(self, record: logging.LogRecord) -> str:
        """The record as a line, with its extras at the end and its traceback below."""
        given = _extras(record).items()
        extras = "".join(f" {key}={printable(str(value))}" for key, value in given)
        first, *rest = redacted(super().format(record)).split("\n")
        return "\n".join([first + extras, *rest])
