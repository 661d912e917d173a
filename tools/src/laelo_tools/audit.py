"""Who has looked at what is hidden from players: one line of JSON for each time."""

import getpass
import json
import os
from datetime import UTC, datetime
from pathlib import Path

from laelo_tools.errors import LaeloError
from laelo_tools.state import LOCAL

FILE = LOCAL / "audit.log"


def note(action: str, subject: str, file: Path = FILE) -> None:
    """Write a line before anything is shown. Raises LaeloError if that is not possible."""
    line = {
        "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
        "user": _user(),
        "action": action,
        "subject": subject,
    }
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("a", encoding="utf-8") as log:
            log.write(json.dumps(line) + "\n")
    except OSError as error:
        raise LaeloError(f"{file} can't be written, so nothing is shown: {error}.") from error


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a user id without a name, as in containers
        return str(os.getuid())
