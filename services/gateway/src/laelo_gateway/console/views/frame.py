"""What is around every page, and the pieces that all are made of."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Final

from laelo_gateway.console.forms import HOURS
from laelo_gateway.console.markup import Markup, el, join
from laelo_gateway.console.sessions import Session
from laelo_gateway.orders.store import LONGEST_TEXT
from laelo_gateway.orders.words import FOR_EVER

_PLACES: Final = (("/", "House"), ("/announcements", "Announcements"), ("/audit", "Audit log"))


def page(title: str, *parts: str | Markup | None, session: Session | None = None) -> str:
    """A whole page; without a session there is nothing around it that leads anywhere."""
    head = el(
        "head",
        el("meta", charset="utf-8"),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("title", f"{title} · Lá e Lô console"),
        el("link", rel="icon", href="data:,"),
        el("link", rel="stylesheet", href="/style.css"),
    )
    main = el("main", el("h1", title), *parts, id="main", tabindex="-1")
    body = el("body", None if session is None else _header(session), main)
    return f"<!doctype html>{el('html', head, body, lang='en')}"


def _header(session: Session) -> Markup:
    places = (el("a", name, href=at) for at, name in _PLACES)
    return el(
        "header",
        el("a", "Skip to the content", href="#main", class_="skip"),
        el("strong", "Lá e Lô console"),
        el("nav", *places, aria_label="Console"),
        form(
            session,
            "/sign-out",
            el("span", session.operator.name or session.operator.id),
            el("button", "Sign out", class_="plain"),
            class_="who",
        ),
    )


def form(session: Session, action: str, *parts: str | Markup | None, class_: str = "") -> Markup:
    """A form that only this session's pages can send."""
    token = el("input", type="hidden", name="form", value=session.form)
    return el("form", token, *parts, method="post", action=action, class_=class_ or None)


def field(label: str, name: str, *, value: str = "", hint: str = "") -> Markup:
    """One line of text."""
    return el(
        "label",
        label,
        el("small", hint) if hint else None,
        el(
            "input", name=name, value=value or None, required=True, maxlength=LONGEST_TEXT,
            autocomplete="off",
        ),
    )  # fmt: skip


def duration(label: str, *, more: Sequence[tuple[str, str]] = ()) -> Markup:
    """For how long."""
    options = (el("option", name, value=value) for value, name in (*HOURS.items(), *more))
    return el("label", label, el("select", *options, name="hours"))


def section(title: str, *parts: str | Markup | None) -> Markup:
    """A part of a page under a heading of its own."""
    return el("section", el("h2", title), *parts)


def table(caption: str, heads: Sequence[str], rows: Iterable[Sequence[str | Markup]]) -> Markup:
    """Rows under heads, which scroll by themselves where there is no room; a word if there are
    none.
    """
    told = [el("tr", *(el("td", cell) for cell in row)) for row in rows]
    if not told:
        return el("p", "None.", class_="none")
    head = el("thead", el("tr", *(el("th", head, scope="col") for head in heads)))
    inside = el("table", el("caption", caption), head, el("tbody", *told))
    return el("div", inside, class_="rows", role="region", aria_label=caption, tabindex="0")


def facts(pairs: Iterable[tuple[str, str | Markup]]) -> Markup:
    """What is known of something."""
    return el("dl", join(el("div", el("dt", name), el("dd", value)) for name, value in pairs))


def link(path: str, words: str) -> Markup:
    """A way to another page."""
    return el("a", words, href=path)


def note(words: str, *, alert: bool = False) -> Markup:
    """Something that has just happened."""
    role = "alert" if alert else "status"
    return el("p", words, role=role, class_="note alert" if alert else "note")


def when(moment: datetime | int) -> Markup:
    """A moment, or milliseconds since 1970, in UTC."""
    if isinstance(moment, int):
        moment = datetime.fromtimestamp(moment / 1000, UTC)
    if moment >= FOR_EVER:
        return Markup("for good")
    moment = moment.astimezone(UTC)
    return el("time", f"{moment:%Y-%m-%d %H:%M:%S} UTC", datetime=moment.isoformat())
