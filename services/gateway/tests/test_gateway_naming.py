"""Names of accounts are put into frames, in order, and for nobody who only looks like a mark."""

import asyncio
import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, cast

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from laelo.table.v1 import table_pb2
from laelo_common.errors import Code, LaeloError
from laelo_common.wire import table as wire
from laelo_common.wire.marks import ACCOUNT_MARK
from laelo_gateway.link import Listener, Nobody, TableLink
from laelo_gateway.naming import NamedLink, accounts_in, put_names
from laelo_gateway.testing.gateway import eventually

NAMES = {"01A": 'Ana "a" \\', "01B": "José", "01C": ""}


def update(table: str, seq: int, *names: str) -> table_pb2.Update:
    """An update whose frame shows seats of these names."""
    seats = [msgspec.to_builtins(wire.Seat("person", name)) for name in names]
    frame = msgspec.json.encode({"t": "event", "seq": seq, "d": {"seats": seats}})
    view = table_pb2.View(viewers=31, seq=seq, frame=frame)
    named = any(ACCOUNT_MARK in name for name in names)
    return table_pb2.Update(table=table, seq=seq, views=[view], players=[""] * 4 * named)


def shown(one: table_pb2.Update) -> list[str]:
    """The names in an update's frame."""
    return [seat.get("name", "") for seat in json.loads(one.views[0].frame)["d"]["seats"]]


class Slow:
    """Names that are told one question after the other, when the test says so."""

    def __init__(self, *, known: bool = False) -> None:
        self.known = known
        self.asked: asyncio.Queue[asyncio.Future[None]] = asyncio.Queue()

    def at_hand(self, people: Sequence[str]) -> Mapping[str, str] | None:
        return {one: NAMES[one] for one in people} if self.known else None

    async def of(self, people: Sequence[str]) -> Mapping[str, str]:
        told: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.asked.put_nowait(told)
        await told
        return {one: NAMES[one] for one in people}


class Link:
    """What the named link is put before."""

    def __init__(self) -> None:
        self.listener: Listener = Nobody()
        self.settles: list[Any] = []

    def listen(self, listener: Listener) -> None:
        self.listener = listener

    def ask(self, _command: table_pb2.Command, settle: Any) -> None:
        self.settles.append(settle)


class Heard(Nobody):
    """Notes what it is told."""

    def __init__(self) -> None:
        self.seen: defaultdict[str, list[int]] = defaultdict(list)
        self.named: list[list[str]] = []

    def on_push(self, update: table_pb2.Update) -> None:
        self.seen[update.table].append(update.seq)
        self.named.append(shown(update))
        if update.seq == 13:
            raise ValueError("a fault of somebody who is told")


def linked(names: Slow) -> tuple[Link, NamedLink, Heard]:
    link, heard = Link(), Heard()
    named = NamedLink(cast("TableLink", link), names)
    named.listen(heard)
    return link, named, heard


@given(st.text(max_size=40))
def test_only_a_mark_is_a_mark(text: str) -> None:
    made = update("t", 1, text.replace("\0", ""))
    assert accounts_in(made) == []
    before = made.views[0].frame
    put_names(made, NAMES)
    assert made.views[0].frame == before


def test_a_guest_who_is_called_like_a_mark_keeps_the_name() -> None:
    called = json.dumps(ACCOUNT_MARK)[1:-1] + "01A"
    made = update("t", 1, called, ACCOUNT_MARK + "01A", ACCOUNT_MARK + "01Z")
    assert accounts_in(made) == ["01A", "01Z"]
    put_names(made, NAMES)
    assert shown(made) == [called, NAMES["01A"], ""]


@given(st.lists(st.tuples(st.sampled_from("xyz"), st.sampled_from(["", *NAMES])), max_size=30))
def test_whatever_waits_the_order_of_a_table_stays(told: list[tuple[str, str]]) -> None:
    async def run() -> None:
        names = Slow()
        link, named, heard = linked(names)
        for seq, (table, account) in enumerate(told, 20):
            link.listener.on_push(update(table, seq, account and ACCOUNT_MARK + account))
        while any(named._held.values()):
            (await names.asked.get()).set_result(None)
            await asyncio.sleep(0)
        for table in "xyz":
            assert heard.seen[table] == [s for s, (t, _) in enumerate(told, 20) if t == table]
        wanted = sorted(NAMES.get(account, "") for _, account in told)
        assert sorted(name for (name,) in heard.named) == wanted
        await named.close()

    asyncio.run(run())


async def test_nothing_waits_at_other_tables_or_for_names_at_hand() -> None:
    names = Slow()
    link, named, heard = linked(names)
    link.listener.on_push(update("x", 1, ACCOUNT_MARK + "01A"))
    link.listener.on_push(update("x", 2))
    link.listener.on_push(update("y", 1))
    names.known = True
    link.listener.on_push(update("z", 1, ACCOUNT_MARK + "01B"))
    assert heard.seen == {"y": [1], "z": [1]}
    assert heard.named == [[], ["José"]]
    await named.close()
    assert heard.seen == {"y": [1], "z": [1]}


async def test_a_fault_of_one_update_holds_up_no_other(
    caplog: pytest.LogCaptureFixture,
) -> None:
    names = Slow()
    link, named, heard = linked(names)
    link.listener.on_push(update("x", 13, ACCOUNT_MARK + "01A"))
    link.listener.on_push(update("x", 14))
    (await names.asked.get()).set_result(None)
    await eventually(lambda: not named._held)
    assert heard.seen == {"x": [13, 14]}
    assert "an update of table x failed" in caplog.text


async def test_answers_are_named_and_errors_passed_on() -> None:
    names = Slow(known=True)
    link, named, _ = linked(names)
    answers: list[Any] = []
    for _ in range(2):
        named.ask(table_pb2.Command(table="x"), lambda *answer: answers.append(answer))
    link.settles[0](update("x", 1, ACCOUNT_MARK + "01A"), None)
    away = LaeloError(Code.TRY_LATER)
    link.settles[1](None, away)
    assert (shown(answers[0][0]), answers[0][1]) == ([NAMES["01A"]], None)
    assert answers[1] == (None, away)
