"""The pages that list: the house, what was found, announcements, the audit log."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Final

from laelo.tournament.v1 import tournament_pb2

from laelo_gateway.championships.domain.bracket import STAGES, TIERS
from laelo_gateway.console.markup import Markup, el, join
from laelo_gateway.console.sessions import Session
from laelo_gateway.console.store import BanRecord, Entry, Someone, Told
from laelo_gateway.console.views.frame import (
    duration,
    facts,
    field,
    form,
    link,
    section,
    table,
    when,
)
from laelo_gateway.orders.store import LONGEST_TEXT

Names = Mapping[str, str]

_LOG: Final = ("No.", "When", "Who", "What", "To what", "Why", "From", "Outcome")
_SUBJECTS: Final = {
    "ban": "people",
    "let in": "people",
    "sign in": "people",
    "sign out": "people",
    "grant": "people",
    "revoke": "people",
    "close": "tables",
    "cancel": "championships",
}


def search() -> Markup:
    """Where one looks for anything."""
    looked = el("input", name="q", type="search", required=True, maxlength="64", autocomplete="off")
    hint = "a nickname, a table's code, or the id of a person, a table or a championship"
    label = el("label", "Find", el("small", hint), looked)
    return el("form", label, el("button", "Find"), action="/find", role="search", class_="row")


def championships(found: Iterable[tournament_pb2.Championship]) -> Markup:
    """Championships in short."""
    return table(
        "Championships, the newest first",
        ("Began", "Size", "Stage", "Id"),
        (
            (
                when(one.started_ms),
                TIERS[one.tier],
                STAGES[one.stage],
                link(f"/championships/{one.id}", one.id),
            )
            for one in found
        ),
    )


def bans(rows: Iterable[BanRecord], now: datetime, names: Names | None = None) -> Markup:
    """Bans; with `names` also whose they are."""
    whose = () if names is None else ("Who",)
    return table(
        "Bans, the newest first",
        (*whose, "Since", "Until", "Why", "Holds"),
        (
            (
                *(() if names is None else (person(row.person, names),)),
                when(row.made_at),
                when(row.ban.until),
                row.ban.reason,
                "yes" if row.holds(now) else "lifted" if row.lifted_at else "over",
            )
            for row in rows
        ),
    )


def person(known: str, names: Names) -> Markup:
    """Somebody, by name where there is one."""
    return link(f"/people/{known}", names.get(known) or known)


def found(people: Sequence[Someone]) -> Markup:
    """People of a name."""
    return table(
        "People of this name",
        ("Name", "Kind", "Since", "Seen"),
        (
            (
                link(f"/people/{one.id}", one.name or one.id),
                one.kind,
                when(one.made_at),
                when(one.seen_at),
            )
            for one in people
        ),
    )


def announcements(session: Session, told: Sequence[Told], now: datetime) -> Markup:
    """What is told now, a form to tell something else, and what was told."""
    held = next((one for one in told if one.holds(now)), None)
    hint = f"1 to {LONGEST_TEXT} characters"
    fields = (
        field(f"In {name}", language, hint=hint)
        for language, name in (("pt", "Portuguese"), ("es", "Spanish"), ("en", "English"))
    )
    new = form(
        session,
        "/announcements",
        *fields,
        duration("For"),
        field("Why", "reason", hint="for the audit log"),
        el("button", "Announce to everybody", class_="strong"),
    )
    past = table(
        "The last announcements",
        ("Since", "Until", "In English", "Ended"),
        (
            (
                when(one.made_at),
                when(one.announcement.until),
                one.announcement.en,
                when(one.ended_at) if one.ended_at else "",
            )
            for one in told
        ),
    )
    return join(
        (
            section("Now", _held(session, held)),
            section("Announce", new),
            section("The last ones", past),
        )
    )


def _held(session: Session, held: Told | None) -> Markup:
    if held is None:
        return el("p", "Nothing is announced.", class_="none")
    told = held.announcement
    texts = (("Portuguese", told.pt), ("Spanish", told.es), ("English", told.en))
    end = form(
        session,
        f"/announcements/{told.id}/end",
        field("Why", "reason", hint="for the audit log"),
        el("button", "End it now"),
        class_="row",
    )
    return join((facts([*texts, ("Until", when(told.until))]), end))


def audit(entries: Sequence[Entry], names: Names) -> Markup:
    """The audit log, and the way to what is older."""
    rows = table("Deeds of operators, the newest first", _LOG, (_deed(e, names) for e in entries))
    older = entries and entries[-1].number > 1
    return join(
        (rows, el("p", link(f"/audit?before={entries[-1].number}", "Older")) if older else None)
    )


def _deed(entry: Entry, names: Names) -> Sequence[str | Markup]:
    deed = entry.deed
    place = _SUBJECTS.get(deed.action)
    words = names.get(deed.subject) or deed.subject
    return (
        str(entry.number),
        when(entry.at),
        names.get(deed.operator) or deed.operator,
        deed.action,
        link(f"/{place}/{deed.subject}", words) if place else words,
        deed.reason,
        deed.address,
        deed.outcome,
    )
