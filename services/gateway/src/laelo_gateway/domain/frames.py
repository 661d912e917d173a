"""Text frames from clients: decoded into types, or refused with a documented code."""

import re
from typing import Any, Final, NamedTuple, get_args

import msgspec
from laelo_common.errors import Code
from laelo_common.wire import MAX_FRAME
from laelo_common.wire.client import ClientFrame

KNOWN: Final = tuple(str(kind.__struct_config__.tag) for kind in get_args(ClientFrame))

_decoder: Final = msgspec.json.Decoder(ClientFrame)
_ID: Final = re.compile(r"[A-Za-z0-9_-]{1,36}")
_TABLE: Final = re.compile(r"[0-9A-HJKMNP-TV-Z]{26}")
_PATH: Final = re.compile(r"(?P<what>.*?)(?: - at `\$(?:\.?(?P<path>.*))?`)?", re.DOTALL)
_PATTERNS: Final = {
    "[A-Z": "an id is 1 to 36 of the characters A-Z a-z 0-9 _ -",
    "0-9A-HJKMNP": "a table id is a ULID: 26 of the characters 0-9 A-Z without I, L, O and U",
}


class Refusal(NamedTuple):
    """Why a frame was refused; `re` and `table` if they could be read."""

    code: Code
    reason: str
    re: str | None = None
    table: str | None = None


class _Envelope(msgspec.Struct):
    """What can be read of a frame that is wrong elsewhere."""

    t: Any = None
    id: Any = None
    table: Any = None


_envelope: Final = msgspec.json.Decoder(_Envelope)


def decode(text: bytes) -> ClientFrame | Refusal:
    """The frame, or why it is none."""
    if len(text) > MAX_FRAME:
        return _refused(
            text, Code.FRAME_TOO_LARGE, f"a frame has at most {MAX_FRAME} bytes, not {len(text)}"
        )
    try:
        return _decoder.decode(text)
    except msgspec.ValidationError as error:
        return _invalid(text, str(error))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        return Refusal(Code.BAD_FRAME, f"a frame is one JSON object; this is not JSON: {error}")


def _invalid(text: bytes, complaint: str) -> Refusal:
    """Good JSON, but not of the documented form."""
    kind = _read(text).t
    if isinstance(kind, str) and kind not in KNOWN:
        return _refused(
            text, Code.UNKNOWN_FRAME, f"there is no frame {kind[:40]!r}; known: {', '.join(KNOWN)}"
        )
    return _refused(text, Code.BAD_FRAME, readable(complaint))


def _refused(text: bytes, code: Code, reason: str) -> Refusal:
    """A refusal that names the frame's id and table, if they make sense."""
    envelope = _read(text)
    return Refusal(code, reason, _fitting(_ID, envelope.id), _fitting(_TABLE, envelope.table))


def _read(text: bytes) -> _Envelope:
    try:
        return _envelope.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return _Envelope()


def _fitting(pattern: re.Pattern[str], value: Any) -> str | None:
    return value if isinstance(value, str) and pattern.fullmatch(value) else None


def readable(complaint: str) -> str:
    """Msgspec's complaint in plain words: where first, then what."""
    match = _PATH.fullmatch(complaint)
    what, path = (match["what"], match["path"]) if match else (complaint, None)
    for pattern, words in _PATTERNS.items():
        if "regex" in what and pattern in what:
            what = words
    what = what[:1].lower() + what[1:].replace("`", "")
    return f"{path or 'the frame'}: {what}"
