"""The pages of one person, one table, one championship."""

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final, NamedTuple

from laelo.archive.v1 import archive_pb2
from laelo.tournament.v1 import tournament_pb2

from laelo_gateway.championships.domain.bracket import STAGES, TIERS, is_placed
from laelo_gateway.console.forms import FOR_GOOD
from laelo_gateway.console.markup import Markup, el, join, text
from laelo_gateway.console.sessions import Session
from laelo_gateway.console.store import BanRecord, Someone
from laelo_gateway.console.views import lists
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
from laelo_gateway.console.views.lists import Names

TOLD: Final = "The person is told this as it stands."
_ID: Final = re.compile("(\0|championship |\\b)([0-7][0-9A-HJKMNP-TV-Z]{25})\\b")


class Known(NamedTuple):
    """All that is known of a person; what could not be asked just now is None."""

    someone: Someone
    bots: Sequence[Someone]
    bans: Sequence[BanRecord]
    tables: Sequence[archive_pb2.HistoryRow] | None
    championships: Sequence[tournament_pb2.Championship] | None


def person(session: Session, known: Known, now: datetime) -> Markup:
    """Somebody, and what can be done about them."""
    someone = known.someone
    told: list[tuple[str, str | Markup]] = [
        ("Id", someone.id),
        ("Kind", someone.kind),
        ("Since", when(someone.made_at)),
        ("Seen", when(someone.seen_at)),
    ]
    if someone.owner:
        told.append(("Bot of", link(f"/people/{someone.owner}", someone.owner)))
    return join(
        (
            facts(told),
            section("Shut out", lists.bans(known.bans, now), _ban(session, known, now)),
            section("Bots", lists.found(known.bots)) if known.bots else None,
            section("Friendly tables", _tables(known.tables)),
            section("Championships that are over", _championships(known.championships)),
        )
    )


def _ban(session: Session, known: Known, now: datetime) -> Markup:
    at = f"/people/{known.someone.id}"
    if any(ban.holds(now) for ban in known.bans):
        why = field("Why", "reason", hint="for the audit log")
        return form(session, f"{at}/let-in", why, el("button", "Let in again"), class_="row")
    return form(
        session,
        f"{at}/ban",
        field("Why", "reason", hint=TOLD),
        duration("For", more=((FOR_GOOD, "for good"),)),
        el("button", "Shut out", class_="strong"),
        class_="row",
    )


def _tables(rows: Sequence[archive_pb2.HistoryRow] | None) -> Markup:
    if rows is None:
        return away("The archive")
    return table(
        "Matches at friendly tables, the newest first",
        ("Began", "Table", "Match", "Score"),
        (
            (
                when(row.started_ms),
                link(f"/tables/{row.table}", row.table),
                str(row.match),
                f"{row.score_0}-{row.score_1}",
            )
            for row in rows
        ),
    )


def _championships(found: Sequence[tournament_pb2.Championship] | None) -> Markup:
    return away("The tournament service") if found is None else lists.championships(found)


def away(what: str) -> Markup:
    """In place of what could not be asked."""
    return el("p", f"{what} does not answer: try again in a moment.", class_="none")


def story(session: Session, table_id: str, told: archive_pb2.StoryResponse, names: Names) -> Markup:
    """What happened at a table, and a form to close it."""
    of = told.championship
    kind = link(f"/championships/{of}", of) if of else "friendly"
    state = "closed" if told.closed else "open"
    first = told.commits[0].version if told.commits else 0
    older = el("p", link(f"/tables/{table_id}?before={first}", "Older")) if told.more else None
    return join(
        (
            facts((("Table", table_id), ("Kind", kind), ("State", state))),
            section("What happened", older, el("ol", *_commits(told, names), class_="story")),
            None if told.closed else section("Close", _close(session, table_id, of)),
        )
    )


def _commits(told: archive_pb2.StoryResponse, names: Names) -> Iterable[Markup]:
    for commit in told.commits:
        lines = (el("span", linked(line, names)) for line in commit.lines)
        yield el("li", when(commit.time_ms), el("em", commit.actor), *lines, value=commit.version)


def ids_in(told: archive_pb2.StoryResponse) -> set[str]:
    """Accounts that a story mentions."""
    lines = (line for commit in told.commits for line in commit.lines)
    return {known for line in lines for mark, known in _ID.findall(line) if mark == "\0"}


def linked(line: str, names: Names) -> Markup:
    """A line of a story with names of accounts, and ways to whom and what it mentions."""
    parts: list[str | Markup] = []
    at = 0
    for match in _ID.finditer(line):
        before, known = match[1], match[2]
        parts.append(text(line[at : match.start()]))
        if before == "championship ":
            parts += [before, link(f"/championships/{known}", known)]
        else:
            words = (names.get(known) or f"account {known}") if before else known
            parts.append(link(f"/people/{known}", words))
        at = match.end()
    return join((*parts, text(line[at:])))


def _close(session: Session, table_id: str, championship: str) -> Markup:
    if championship:
        words = "A championship's table goes with its championship: cancel that one."
        return el("p", words, class_="none")
    return form(
        session,
        f"/tables/{table_id}/close",
        field("Why", "reason", hint="for the audit log"),
        el("button", "Close the table", class_="strong"),
        class_="row",
    )


def championship(session: Session, one: tournament_pb2.Championship, names: Names) -> Markup:
    """A championship as anybody may see it, and a form to cancel it."""
    told: list[tuple[str, str | Markup]] = [
        ("Id", one.id),
        ("Size", TIERS[one.tier]),
        ("Stage", STAGES[one.stage]),
        ("Began", when(one.started_ms)),
    ]
    if one.ended_ms:
        told.append(("Ended", when(one.ended_ms)))
    if one.reason:
        told.append(("Why", one.reason))
    running = one.stage == tournament_pb2.STAGE_RUNNING
    return join(
        (
            facts(told),
            section("Teams", _teams(one, names)),
            section("Matches", _matches(one)),
            section("Cancel", _cancel(session, one.id)) if running else None,
        )
    )


def _teams(one: tournament_pb2.Championship, names: Names) -> Markup:
    rows = []
    for team in one.teams:
        who: str | Markup = "not told before the team is out (R40)"
        if team.players and is_placed(team):
            who = join(
                part
                for player in team.players
                for part in (lists.person(player, names), Markup(" "))
            )
        place = f"{team.best}-{team.worst}" if team.best else ""
        rows.append((str(team.number), " and ".join(team.animals), who, place, str(team.points)))
    return table("Teams", ("Team", "Animals", "Who", "Place", "Points"), rows)


def _matches(one: tournament_pb2.Championship) -> Markup:
    return table(
        "Matches in the order of the bracket",
        ("Match", "Teams", "Starts", "Table", "Won by", "Score"),
        (
            (
                match.id,
                f"{match.team_a or '?'} and {match.team_b or '?'}",
                when(match.starts_ms) if match.starts_ms else "",
                link(f"/tables/{match.table}", match.table) if match.table else "",
                f"team {match.winner}" if match.winner else "",
                f"{match.score_a}-{match.score_b}" if match.winner else "",
            )
            for match in one.matches
        ),
    )


def _cancel(session: Session, championship_id: str) -> Markup:
    return form(
        session,
        f"/championships/{championship_id}/cancel",
        field("Why", "reason", hint="Its players are told this as it stands; nobody gets points."),
        el("button", "Cancel the championship", class_="strong"),
        class_="row",
    )
