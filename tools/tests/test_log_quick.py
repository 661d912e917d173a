"""The referees in a hurry, in Python and with a core in C, say of every history what the referee
says who takes the time.
"""

import contextlib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.message import DecodeError
from hypothesis import given, settings
from hypothesis import strategies as st
from laelo.log.v1 import log_pb2
from laelo.table.v1 import events_pb2
from laelo_common.log.commit import commit_hash, verify_chain
from laelo_tools.history import glance
from laelo_tools.history.errors import WrongError
from laelo_tools.history.glancing import GlancingReferee
from laelo_tools.history.quick import QuickReferee
from laelo_tools.history.referee import Referee

from .played import kit, match, recorded

Commit = events_pb2.Commit


CORE = glance.load()
TABLE = kit().TABLE
HURRIED: dict[str, Callable[[], QuickReferee]] = {"Python": partial(QuickReferee, TABLE)}
if CORE is not None:
    HURRIED["C"] = partial(GlancingReferee, TABLE, CORE)


def quickly(stored: list[bytes]) -> int:
    """How many commits are good before the first that is not, or all of them: one number from all
    who are in a hurry.
    """
    found = {name: _good(new(), stored) for name, new in HURRIED.items()}
    assert len(set(found.values())) == 1, found
    good = found["Python"]
    for new in HURRIED.values():
        wrong = good < len(stored)
        with pytest.raises((WrongError, DecodeError)) if wrong else contextlib.nullcontext():
            new().follow_all(stored)
    return good


def _good(referee: QuickReferee, stored: list[bytes]) -> int:
    for number, data in enumerate(stored):
        try:
            referee.follow_all([data])
        except (WrongError, DecodeError):
            return number
    return len(stored)


def slowly(stored: list[bytes]) -> int:
    """The same by the referee proper, and by the chain as it is checked elsewhere."""
    referee = Referee(TABLE)
    for number, data in enumerate(stored):
        try:
            referee.follow(Commit.FromString(data))
        except (WrongError, DecodeError):
            return number
        if verify_chain(recorded(stored[number - 1 : number + 1])) and not _linked(stored, number):
            return number
    return len(stored)


def _linked(stored: list[bytes], number: int) -> bool:
    before = commit_hash(stored[number - 1]) if number else b""
    return Commit.FromString(stored[number]).head.previous == before


@given(st.integers(0, 2**32), st.integers(1, 4), st.sampled_from([0, 2, 15]))
@settings(max_examples=10, deadline=None)
def test_what_was_played_is_good_and_most_of_it_is_seen_at_a_glance(
    seed: int, people: int, clock: int
) -> None:
    for played in (kit().random_match(seed, people, clock), kit().lively_match(seed, people)):
        glances, proper = Glancing(TABLE), Referee(TABLE)
        for data in played.stored:
            glances.follow_stored(data)
            proper.follow(Commit.FromString(data))
            same(glances, proper)
        for commit in glances.followed:
            kinds = kinds_of(commit)
            assert kinds[0] not in ("passed", "opener_chosen")
            assert kinds[0] != "dealt" or commit.events[0].dealt.hand == 1
            assert kinds[0] != "played" or kinds[-1] == "match_ended"


@pytest.mark.skipif(CORE is None, reason="there is no core in C here: make core")
@given(
    st.integers(0, 2**32),
    st.integers(1, 4),
    st.sampled_from([0, 2, 15]),
    st.lists(st.integers(1, 40)),
)
@settings(max_examples=10, deadline=None)
def test_moves_are_seen_in_c_and_the_table_is_the_same_afterwards(
    seed: int, people: int, clock: int, together: list[int]
) -> None:
    for played in (kit().random_match(seed, people, clock), kit().lively_match(seed, people)):
        seeing, proper = Seeing(TABLE, CORE), Referee(TABLE)
        stored, place = played.stored, 0
        for count in (*together, len(stored)):
            seeing.follow_all(stored[place : place + count])
            for data in stored[place : place + count]:
                proper.follow(Commit.FromString(data))
            place += count
            seeing.look()
            same(seeing, proper)
        for commit in seeing.judged:
            kinds = kinds_of(commit)
            assert kinds[0] not in ("played", "passed") or kinds[-1] != "turn_began"


class Seeing(GlancingReferee):
    """Notes what could not be seen in C."""

    def __init__(self, table: str, core: Any) -> None:
        super().__init__(table, core)
        self.judged: list[Commit] = []

    def follow_stored(self, data: bytes) -> None:
        self.judged.append(Commit.FromString(data))
        super().follow_stored(data)

    def look(self) -> None:
        """Have everything here that is known of the table."""
        if self._is_shown:
            self._take_back()


def kinds_of(commit: Commit) -> list[str | None]:
    return [event.WhichOneof("event") for event in commit.events]


class Glancing(QuickReferee):
    """Notes what it could not tell at a glance."""

    def __init__(self, table: str) -> None:
        super().__init__(table)
        self.followed: list[Commit] = []

    def follow(self, commit: Commit) -> None:
        self.followed.append(commit)
        super().follow(commit)


def same(one: Referee, other: Referee) -> None:
    """Both know the same of the table."""
    for name in (
        "version",
        "moves",
        "_turn",
        "_deadline_ms",
        "_commands",
        "_game",
        "_end",
        "_hand",
        "_seed",
        "_next_deal",
        "_added",
    ):
        assert getattr(one, name) == getattr(other, name), name


def _part(event: Any) -> Any:
    return getattr(event, event.WhichOneof("event"))


def _set(event: Any, name: str, value: Any) -> None:
    part = _part(event)
    if name in part.DESCRIPTOR.fields_by_name:
        setattr(part, name, value)


def _calls(commit: Commit, number: int) -> None:
    calls = getattr(_part(commit.events[0]), "calls", None)
    if calls:
        calls[0].number = number % 7


def _after(commit: Commit, number: int) -> None:
    part = _part(commit.events[0])
    if "after" in part.DESCRIPTOR.fields_by_name:
        fields = part.after.DESCRIPTOR.fields
        name = fields[number % len(fields)].name
        setattr(part.after, name, (getattr(part.after, name) + 1) % 5)


def _any_field(commit: Commit, number: int) -> None:
    """Change any field of any event."""
    part = _part(commit.events[number % len(commit.events)])
    while True:
        fields = part.DESCRIPTOR.fields
        field = fields[number // 3 % len(fields)]
        value = getattr(part, field.name)
        if isinstance(value, bool | int):
            setattr(part, field.name, int(value) ^ 1)
        elif isinstance(value, bytes):
            setattr(part, field.name, value[:-1] + bytes([number % 256]))
        elif isinstance(value, str):
            setattr(part, field.name, value + "x")
        elif hasattr(value, "DESCRIPTOR") and part.HasField(field.name):
            part, number = value, number // 7
            continue
        return


def _command(commit: Commit, number: int) -> str:
    turn = commit.head.turn - 1
    return ("", "c1", f"bot-{turn}", f"clock-{turn}", commit.head.command)[number % 5]


CHANGES: dict[str, Callable[[Commit, int], object]] = {
    "any field": _any_field,
    "seat": lambda c, n: _set(c.events[0], "seat", n % 5),
    "tile": lambda c, n: _set(c.events[0], "tile", n % 30),
    "end": lambda c, n: _set(c.events[0], "end", n % 3),
    "calls": _calls,
    "after": _after,
    "plays": lambda c, n: _set(c.events[-1], "plays", bytes([n % 256])),
    "must pass": lambda c, n: _set(c.events[-1], "must_pass", bool(n % 2)),
    "short": lambda c, n: _set(c.events[-1], "short_clock", bool(n % 2)),
    "next seat": lambda c, n: _set(c.events[-1], "seat", n % 4),
    "actor": lambda c, n: setattr(c.head, "actor", n % 5),
    "who": lambda c, n: setattr(c.head, "actor_id", ("ana", "bia", "simple", "")[n % 4]),
    "command": lambda c, n: setattr(c.head, "command", _command(c, n)),
    "version": lambda c, n: setattr(c.head, "version", c.head.version + n % 3 - 1),
    "turn": lambda c, n: setattr(c.head, "turn", max(0, c.head.turn + n % 3 - 1)),
    "table": lambda c, n: setattr(c.head, "aggregate", (c.head.aggregate, "another")[n % 2]),
    "deadline": lambda c, n: setattr(c.head, "deadline_ms", c.head.deadline_ms + n % 3 - 1),
    "time": lambda c, n: setattr(c.head, "time_ms", c.head.time_ms + (n % 3 - 1) * 9_000),
    "trace": lambda c, n: setattr(c.head, "trace", "00-aa-bb-01" * (n % 2)),
    "events": lambda c, n: c.events.add().CopyFrom(c.events[n % len(c.events)]),
    "no events": lambda c, n: c.events.pop(),
    "unknown": lambda c, n: c.MergeFromString(b"\xa2\x06\x01x"),
}


@settings(max_examples=100, deadline=None)
@given(
    st.sampled_from([(2, 4, 15), (3, 2, 15), (5, 1, 0)]),
    st.sampled_from(sorted(CHANGES)) | st.just("any field"),
    st.integers(0, 2**16),
    st.data(),
)
def test_a_lie_in_a_chain_that_fits_is_seen_by_both(
    played: tuple[int, int, int], change: str, number: int, data: st.DataObject
) -> None:
    commits = [Commit.FromString(one) for one in match(*played).stored]
    place = data.draw(st.integers(0, len(commits) - 1))
    CHANGES[change](commits[place], number)
    stored: list[bytes] = []
    for commit in commits:
        commit.head.previous = commit_hash(stored[-1]) if stored else b""
        stored.append(commit.SerializeToString())
    assert quickly(stored) == slowly(stored)


@settings(max_examples=100, deadline=None)
@given(st.sampled_from([(2, 4, 15), (3, 2, 15), (5, 1, 0)]), st.data())
def test_a_changed_byte_is_seen_by_both(played: tuple[int, int, int], data: st.DataObject) -> None:
    stored = list(match(*played).stored)
    place = data.draw(st.integers(0, len(stored) - 1))
    changed = bytearray(stored[place])
    at = data.draw(st.integers(0, len(changed) - 1))
    if data.draw(st.booleans()):
        changed[at] ^= data.draw(st.integers(1, 255))
    else:
        del changed[at:]
    stored[place] = bytes(changed)
    found = quickly(stored)
    assert found in (place, place + 1)
    assert found == slowly(stored) or found == place + 1


def test_a_bots_level_that_is_no_text_is_seen_by_both() -> None:
    stored = list(match(5, 1, 0).stored)
    place = max(n for n, data in enumerate(stored) if b":\x06medium@" in data)
    stored[place] = stored[place].replace(b"medium", b"mediu\xed")
    assert quickly(stored) == place


def test_a_person_without_an_id_moves_nobodys_seat() -> None:
    commits = [Commit.FromString(data) for data in match(5, 1, 0).stored]
    place = max(n for n, one in enumerate(commits) if one.head.actor == log_pb2.ACTOR_BOT)
    head = commits[place].head
    head.actor, head.actor_id, head.command = log_pb2.ACTOR_PERSON, "", "another"
    stored: list[bytes] = []
    for commit in commits:
        commit.head.previous = commit_hash(stored[-1]) if stored else b""
        stored.append(commit.SerializeToString())
    assert quickly(stored) == slowly(stored) == place


@pytest.mark.parametrize("actor", [log_pb2.ACTOR_CLOCK, log_pb2.ACTOR_BOT])
def test_moves_of_the_clock_and_of_bots_are_seen_at_a_glance(actor: int) -> None:
    referee = QuickReferee(TABLE)
    seen = 0
    for data in match(2, 2, 15).stored:
        commit = Commit.FromString(data)
        first, last = commit.events[0], commit.events[-1]
        is_move = first.HasField("played") and last.HasField("turn_began")
        if is_move and commit.head.actor == actor:
            assert referee._follow_at_a_glance(data)
            referee._digest = commit_hash(data)
            seen += 1
        else:
            referee.follow_stored(data)
    assert seen > 3


@pytest.mark.skipif(CORE is None, reason="there is no core in C here: make core")
def test_a_library_of_another_kind_is_done_without(tmp_path: Path) -> None:
    assert glance.load(tmp_path / "libglance.so") is None
    wrong = tmp_path / "wrong.so"
    wrong.write_bytes(b"no library")
    assert glance.load(wrong) is None


@pytest.mark.parametrize("name", ["a" * 65, "é" * 20])
def test_ids_of_any_kind_are_good(name: str) -> None:
    stored: list[bytes] = []
    for data in match(2, 4, 15).stored:
        commit = Commit.FromString(data)
        if commit.head.actor_id == "ana":
            commit.head.actor_id = commit.head.command = name
            commit.head.command += str(commit.head.version)
        for event in commit.events:
            if event.HasField("seat_taken_2") and event.seat_taken_2.person.player == "ana":
                event.seat_taken_2.person.player = name
        commit.head.previous = commit_hash(stored[-1]) if stored else b""
        stored.append(commit.SerializeToString())
    assert quickly(stored) == slowly(stored) == len(stored)
