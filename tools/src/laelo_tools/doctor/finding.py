"""What an examination finds."""

from typing import NamedTuple


class Finding(NamedTuple):
    """One thing that was looked at; `advice` says what to do where it is not well."""

    what: str
    well: bool
    said: str
    advice: str = ""

    def line(self) -> str:
        """For a person."""
        mark = "ok " if self.well else "BAD"
        hint = f" - {self.advice}" if self.advice and not self.well else ""
        return f"{mark} {self.what}: {self.said}{hint}"
