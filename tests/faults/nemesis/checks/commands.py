"""acknowledged, refused, unknown: what clients were told of their commands, against the log."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from laelo.log.v1 import log_pb2
from laelo.table.v1 import events_pb2
from laelo_table.domain.spell import TILES

from tests.faults.nemesis.checks.finding import Finding
from tests.faults.nemesis.history import Asked
from tests.faults.nemesis.logs import Log

STORED: Final = frozenset(
    (
        *("table.create", "table.sit", "table.start", "table.close", "deal.bytes"),
        *("play", "pass", "choose_opener"),
    )
)
"""Commands that make a commit if they are done."""
_ENDS: Final = {None: 0, "left": 1, "right": 2}


class Made(NamedTuple):
    """A commit, and where it is."""

    aggregate: str
    version: int
    commit: events_pb2.Commit | None


def made_by(log: Log) -> dict[str, list[Made]]:
    """All commits by the command that made them."""
    made: dict[str, list[Made]] = defaultdict(list)
    for table in log.tables.values():
        for commit in table.commits:
            name = _name(table.id, commit.head)
            made[name].append(Made(table.id, commit.head.version, commit))
    for queued in log.queue:
        name = _name("queue", queued.head)
        made[name].append(Made("queue", queued.head.version, None))
    return made


def _name(aggregate: str, head: log_pb2.Head) -> str:
    """The house numbers its own commands anew at each table; those of people are theirs."""
    own = head.actor == log_pb2.ACTOR_PERSON and head.command.startswith(head.actor_id)
    return head.command if own else f"{aggregate} {head.command}"


def check_commands(asked: Sequence[Asked], log: Log) -> list[Finding]:
    """Once if acknowledged, never if refused, at most once anyway; with what was asked for."""
    made = made_by(log)
    found = list(_twice(made))
    for one in asked:
        found += _against(one, made.get(one.id, []))
    found += _strangers(asked, made)
    found += _never_joined(asked, log)
    return found


def _twice(made: dict[str, list[Made]]) -> Iterator[Finding]:
    for command, commits in made.items():
        if len(commits) > 1:
            first, *_, last = sorted(commit.version for commit in commits)
            words = f"{command} was done {len(commits)} times"
            yield Finding("twice", words, commits[0].aggregate, (first, last))


def _against(one: Asked, commits: list[Made]) -> Iterator[Finding]:
    table = one.frame.get("table", "queue")
    if not commits:
        if one.is_done and one.frame["t"] in STORED:
            at = (one.version, one.version)
            words = f"{one.who} was told that it is done, and the log does not have it: {one.words}"
            yield Finding("acknowledged", words, table, at, (one.who,), (one.frame["id"],))
        return
    first = commits[0]
    at, who, command = (first.version, first.version), (one.who,), (one.frame["id"],)
    if one.refused:
        words = f"{one.who} was refused ({one.refused}), and the log has it: {one.words}"
        yield Finding("refused", words, table, at, who, command)
    if one.version and one.version not in [commit.version for commit in commits]:
        words = f"{one.who} was told {one.version}, the log says {first.version}: {one.words}"
        yield Finding("acknowledged", words, table, at, who, command)
    if first.aggregate != table or not _is_what_was_asked(one, first.commit):
        words = f"something else was done than {one.who} asked for: {one.words}"
        yield Finding("changed", words, table, at, who, command)


def _is_what_was_asked(one: Asked, commit: events_pb2.Commit | None) -> bool:
    if commit is None:
        return True
    data = one.frame.get("d", {})
    event = commit.events[0]
    match one.frame["t"]:
        case "play":
            played = event.played
            tile = list(TILES[played.tile]) == sorted(data["tile"])
            return tile and data.get("end") in (None, *_ends(played.end))
        case "pass":
            return event.HasField("passed")
        case "choose_opener":
            return event.HasField("opener_chosen") and event.opener_chosen.opener == data["opener"]
        case "deal.bytes":
            return event.bytes_added.bytes.hex() == str(data["bytes"])
        case _:
            return True


def _ends(end: int) -> list[str | None]:
    return [name for name, number in _ENDS.items() if number == end]


def _never_joined(asked: Sequence[Asked], log: Log) -> Iterator[Finding]:
    """Who was told that they wait, and whom the queue has never seen.

    Joining makes no commit if one waits already, so it is the person who is looked for.
    """
    joined = {event.joined.player for commit in log.queue for event in commit.events}
    for one in asked:
        if one.frame["t"] == "queue.join" and one.is_done and one.player not in joined:
            words = f"{one.who} was told that they wait, and the queue never had them"
            yield Finding("acknowledged", words, "queue", who=(one.who,))


def _strangers(asked: Sequence[Asked], made: dict[str, list[Made]]) -> Iterator[Finding]:
    """What was done in the name of somebody who never asked for it."""
    known = {one.id for one in asked}
    players = {one.player for one in asked}
    for command, commits in made.items():
        commit = commits[0].commit
        if commit is None or " " in command or command in known:
            continue
        if commit.head.actor_id in players:
            at = (commit.head.version, commit.head.version)
            words = f"{command} was done, and nobody has sent it"
            yield Finding("strangers", words, commits[0].aggregate, at)


def check_order(asked: Sequence[Asked], log: Log) -> list[Finding]:
    """Who asks after somebody was answered comes after them in the log, too."""
    made = made_by(log)
    stored: dict[str, list[tuple[Asked, int]]] = defaultdict(list)
    for one in asked:
        commits = made.get(one.id)
        if commits and one.is_done:
            stored[commits[0].aggregate].append((one, commits[0].version))
    found: list[Finding] = []
    for table, done in stored.items():
        found += _in_order(table, sorted(done, key=lambda pair: pair[1]))
    return found


def _in_order(table: str, done: list[tuple[Asked, int]]) -> Iterator[Finding]:
    """`done` is in the order of the log."""
    if not done:
        return
    first, at = done[-1]
    for one, version in reversed(done[:-1]):
        if first.answered < one.sent:
            words = (
                f"{first.who} was answered before {one.who} asked, and comes after them:"
                f" {first.words}; {one.words}"
            )
            ids = (one.frame["id"], first.frame["id"])
            yield Finding("order", words, table, (version, at), (one.who, first.who), ids)
        if one.answered < first.answered:
            first, at = one, version
