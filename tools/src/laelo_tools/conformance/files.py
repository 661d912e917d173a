"""Reading files of cases: everything is checked before anything is run."""

from collections import Counter
from pathlib import Path
from typing import NamedTuple

import msgspec

from laelo_tools.conformance.operations import OPERATIONS, read_given
from laelo_tools.conformance.shapes import Case, File, Shape
from laelo_tools.errors import LaeloError

VERSION = 1


class BadFileError(LaeloError):
    """A file that cannot be run; the sentence says why."""


class Ready(NamedTuple):
    """A case with its given part read."""

    case: Case
    given: Shape


def read_file(path: Path) -> list[Ready]:
    """The cases of a file. Raises BadFileError."""
    try:
        file = msgspec.json.decode(path.read_bytes(), type=File)
    except OSError as error:
        raise BadFileError(f"{path} can't be read: {error.strerror}.") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadFileError(f"{path} is no file of cases: {error}.") from error
    if file.version != VERSION:
        raise BadFileError(
            f"{path} has version {file.version}; this laelo reads version {VERSION}."
        )
    unknown = Counter(case.op for case in file.cases if case.op not in OPERATIONS)
    if unknown:
        named = ", ".join(f"{op} ({count})" for op, count in unknown.items())
        known = ", ".join(OPERATIONS)
        raise BadFileError(
            f"{path}: operations not known in this version: {named}; known are {known}."
        )
    return [Ready(case, _given(path, case)) for case in file.cases]


def _given(path: Path, case: Case) -> Shape:
    try:
        return read_given(case.op, case.given)
    except msgspec.ValidationError as error:
        raise BadFileError(f"{path}: case {case.id}: given: {error}.") from error
