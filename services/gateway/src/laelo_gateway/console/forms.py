"""What the console's forms send, checked: every refusal says what would be right."""

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final

from laelo_common.errors import Code, LaeloError
from laelo_common.ids import new_id

from laelo_gateway.orders.store import LONGEST_TEXT, Announcement
from laelo_gateway.orders.words import FOR_EVER

HOURS: Final = {
    "1": "1 hour",
    "4": "4 hours",
    "24": "1 day",
    "168": "1 week",
    "720": "30 days",
    "8760": "1 year",
}
"""How long a ban or an announcement may hold."""
FOR_GOOD: Final = "for-good"

Form = Mapping[str, str]

_ID: Final = re.compile(r"[0-9A-HJKMNP-TV-Z]{26}")


def is_id(text: str) -> bool:
    """Whether anything can have this id: those of tables are chosen by people, so not each is a
    ULID.
    """
    return _ID.fullmatch(text) is not None


def known_id(text: str, what: str) -> str:
    """An id in an address, before it stands in the audit log. Raises LaeloError."""
    if not is_id(text):
        raise LaeloError(Code.BAD_REQUEST, f"there is no such {what}")
    return text


def line(form: Form, name: str, what: str) -> str:
    """One line of text of a form. Raises LaeloError."""
    text = " ".join(form.get(name, "").split())
    if not 1 <= len(text) <= LONGEST_TEXT or not text.isprintable():
        raise LaeloError(
            Code.BAD_REQUEST, f"{what} has to be one line of 1 to {LONGEST_TEXT} characters"
        )
    return text


def reason(form: Form) -> str:
    """Why something is done. Raises LaeloError."""
    return line(form, "reason", "the reason")


def until(form: Form, now: datetime) -> datetime:
    """When it ends. Raises LaeloError."""
    hours = form.get("hours", "")
    if hours == FOR_GOOD:
        return FOR_EVER
    if hours not in HOURS:
        raise LaeloError(Code.BAD_REQUEST, "say for how long: one of those that can be chosen")
    return now + timedelta(hours=int(hours))


def announcement(form: Form, now: datetime) -> Announcement:
    """What everybody is to be told. Raises LaeloError."""
    pt, es, en = (
        line(form, language, f"the text in {name}")
        for language, name in (("pt", "Portuguese"), ("es", "Spanish"), ("en", "English"))
    )
    if form.get("hours") == FOR_GOOD:
        raise LaeloError(Code.BAD_REQUEST, "an announcement has an end: choose one")
    return Announcement(new_id(), pt, es, en, until(form, now))
