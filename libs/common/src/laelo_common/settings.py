"""Settings from the environment: one frozen dataclass for each service.

A field `port` of the service `table` is read from `LAELO_TABLE_PORT`. Every setting has a
default or is asked for by name; whatever is wrong is said in one go, with variable, value
and what would be right.
"""

import dataclasses
import difflib
import types
import typing
from collections.abc import Mapping
from enum import Enum
from pathlib import Path
from typing import Any, Final, Literal, Never, TypeVar, get_args, get_origin

S = TypeVar("S")

_TRUE: Final = ("1", "true", "yes", "on")
_FALSE: Final = ("0", "false", "no", "off")


class SettingsError(Exception):
    """The environment is not right. One line for each finding."""


class Secret:
    """A value that neither logs nor tracebacks show."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        """The value itself."""
        return self._value

    def __repr__(self) -> str:
        return "***"

    def __reduce__(self) -> Never:
        raise TypeError("a secret is not to be copied or written anywhere")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and other._value == self._value

    def __hash__(self) -> int:
        return hash(self._value)


def setting(
    default: Any = dataclasses.MISSING,
    *,
    text: str = "",
    low: float | None = None,
    high: float | None = None,
) -> Any:
    """A field with a sentence for the reference and, for numbers, its bounds (inclusive)."""
    return dataclasses.field(default=default, metadata={"text": text, "low": low, "high": high})


@dataclasses.dataclass(frozen=True, kw_only=True)
class ServiceSettings:
    """What every service can be told; a service adds its own fields."""

    host: str = setting("127.0.0.1", text="address to listen on")
    port: int = setting(0, low=0, high=65535, text="port of the service, 0 = any free one")
    http_port: int = setting(
        0, low=0, high=65535, text="port of /livez, /readyz and /metrics, 0 = any free one"
    )
    ready_file: Path | None = setting(
        None, text="written when ready: JSON with the chosen ports and the process id"
    )
    replica: str = setting("", text="name of this replica in logs; empty = host name and pid")
    log_level: Literal["debug", "info", "warning", "error"] = setting("info", text="least level")
    log_format: Literal["auto", "json", "human"] = setting(
        "auto", text="auto = for people on a terminal, JSON elsewhere"
    )
    reflection: bool = setting(False, text="gRPC reflection; keep it off in production")
    start_seconds: float = setting(
        30.0, low=0.1, high=600, text="time within which the start has to succeed"
    )
    tls_folder: Path | None = setting(
        None,
        text="folder with tls.crt, tls.key and ca.crt: TLS with certificates of both sides between"
        " services; empty = in the clear",
    )
    local: bool = setting(
        False, text="on one machine, for development: allows what production must not"
    )


def scale_setting() -> Any:
    """The field `clock_scale`; `checked_scale` has to look at it."""
    return setting(1.0, low=0.001, high=1, text="all times of play times this; only where local")


def checked_scale(service: str, scale: float, *, local: bool) -> float:
    """The scale of times. Raises SettingsError outside local mode, where times are the rules'."""
    if scale != 1 and not local:
        name = prefix(service) + "CLOCK_SCALE"
        raise SettingsError(
            f"{name} is {scale:g}: other than 1 it needs {prefix(service)}LOCAL=true"
        )
    return scale


class Variable(typing.NamedTuple):
    """One setting for the reference."""

    name: str
    kind: str
    default: str
    text: str


def prefix(service: str) -> str:
    """How the names of the service's variables begin."""
    return f"LAELO_{service.upper()}_"


def load(kind: type[S], service: str, environ: Mapping[str, str]) -> S:
    """Read a service's settings. Raises SettingsError."""
    start = prefix(service)
    hints = typing.get_type_hints(kind)
    values: dict[str, Any] = {}
    wrong: list[str] = []
    known: set[str] = set()
    for field in _fields(kind):
        name = start + field.name.upper()
        known.add(name)
        if name not in environ:
            if field.default is dataclasses.MISSING:
                wrong.append(f"{name} is not set: it has to be {_wanted(hints[field.name], field)}")
            continue
        try:
            values[field.name] = _checked(environ[name], hints[field.name], field)
        except ValueError:
            shown = "the value (hidden)" if _is_secret(hints[field.name]) else repr(environ[name])
            wrong.append(f"{name}: {shown} is not {_wanted(hints[field.name], field)}")
    for name in sorted(environ):
        if name.startswith(start) and name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            hint = f"; did you mean {near[0]}?" if near else ""
            wrong.append(f"{name} is no setting of {service}{hint}")
    if wrong:
        raise SettingsError("\n".join(wrong))
    return kind(**values)


def variables(kind: type[Any], service: str) -> list[Variable]:
    """All settings of a service, for its README and for `docs/`."""
    hints = typing.get_type_hints(kind)
    return [
        Variable(
            prefix(service) + field.name.upper(),
            _wanted(hints[field.name], field),
            "(required)" if field.default is dataclasses.MISSING else _shown(field.default),
            field.metadata.get("text", ""),
        )
        for field in _fields(kind)
    ]


def _fields(kind: Any) -> tuple["dataclasses.Field[Any]", ...]:
    return dataclasses.fields(kind)


def _checked(raw: str, hint: Any, field: "dataclasses.Field[Any]") -> Any:
    value = _parsed(raw.strip(), hint)
    low, high = field.metadata.get("low"), field.metadata.get("high")
    # Written so that "nan", which is neither above nor below, is refused too.
    if (low is not None and not value >= low) or (high is not None and not value <= high):
        raise ValueError(raw)
    return value


def _parsed(raw: str, hint: Any) -> Any:
    """The value of a variable as `hint` wants it. Raises ValueError."""
    origin, args = get_origin(hint), get_args(hint)
    if origin is Literal:
        if raw not in args:
            raise ValueError(raw)
        return raw
    if origin is types.UnionType or origin is typing.Union:
        return None if raw == "" else _parsed(raw, _some(args))
    if origin is tuple:
        return tuple(_parsed(part.strip(), args[0]) for part in raw.split(",") if part.strip())
    if hint is bool:
        if raw.lower() not in _TRUE + _FALSE:
            raise ValueError(raw)
        return raw.lower() in _TRUE
    if hint in (int, float, str, Path, Secret) or _is_enum(hint):
        return hint(raw)
    raise TypeError(f"no setting can be of type {hint}")


def _wanted(hint: Any, field: "dataclasses.Field[Any]") -> str:
    """What would be right, in words."""
    origin, args = get_origin(hint), get_args(hint)
    if origin is Literal:
        return "one of " + ", ".join(map(str, args))
    if origin is types.UnionType or origin is typing.Union:
        return _wanted(_some(args), field) + " or empty"
    if origin is tuple:
        return f"a list with commas, each {_wanted(args[0], field)}"
    if _is_enum(hint):
        return "one of " + ", ".join(str(member.value) for member in hint)
    words = {
        bool: "true or false",
        int: "a whole number",
        float: "a number",
        Path: "a path",
        Secret: "a secret",
    }
    return words.get(hint, "a text") + _bounds(field)


def _bounds(field: "dataclasses.Field[Any]") -> str:
    low, high = field.metadata.get("low"), field.metadata.get("high")
    if low is not None and high is not None:
        return f" from {low:g} to {high:g}"
    if low is not None:
        return f" of at least {low:g}"
    return "" if high is None else f" of at most {high:g}"


def _shown(default: Any) -> str:
    if isinstance(default, bool):
        return str(default).lower()
    if isinstance(default, tuple):
        return ",".join(map(str, default))
    return "" if default is None else str(default)


def _some(args: tuple[Any, ...]) -> Any:
    return next(arg for arg in args if arg is not types.NoneType)


def _is_enum(hint: Any) -> bool:
    return isinstance(hint, type) and issubclass(hint, Enum)


def _is_secret(hint: Any) -> bool:
    return hint is Secret or Secret in get_args(hint)
