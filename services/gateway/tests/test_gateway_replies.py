"""`re` in a table's frames, and frames of the gateway's own."""

import typing
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from laelo.table.v1 import table_pb2
from laelo_common.errors import Code
from laelo_common.wire import client, server, table
from laelo_gateway.domain import replies
from laelo_gateway.domain.frames import Refusal
from laelo_gateway.socket import text_frame

DOCS = Path(__file__).resolve().parents[3] / "docs" / "protocol.md"
ids = st.from_regex(r"[A-Za-z0-9_-]{1,36}", fullmatch=True)


@given(ids, st.integers(1, 2**53), st.text(max_size=30))
def test_a_frame_with_re_is_the_same_frame_with_re(re: str, seq: int, name: str) -> None:
    who = table.Seat("person", name=name)
    events = server.Events((table.SeatChanged(seat=1, who=who),))
    frame = server.EventFrame(table="T", seq=seq, now=7, d=events)
    answered = replies.answering(msgspec.json.encode(frame), re)
    decoded = msgspec.json.decode(answered, type=server.EventFrame)
    assert decoded == msgspec.structs.replace(frame, re=re)
    assert not replies.is_snapshot(answered)


def test_snapshots_are_known_by_their_start() -> None:
    text = b'{"t":"snapshot","table":"T"}'
    assert replies.is_snapshot(text)
    assert replies.answering(text, "a1") == b'{"t":"snapshot","re":"a1","table":"T"}'


def test_another_start_is_a_fault() -> None:
    with pytest.raises(ValueError, match="begins with"):
        replies.answering(b'{"x":1}', "a1")


@given(st.binary(max_size=200) | st.integers(120, 70_000).map(bytes))
def test_a_text_frame_is_what_a_websocket_client_reads(text: bytes) -> None:
    from websockets.frames import Frame, Opcode

    assert text_frame(text) == Frame(Opcode.TEXT, text).serialize(mask=False)


def test_a_refusal_without_words_gets_those_of_its_code() -> None:
    update = table_pb2.Update(table="T", seq=3, code="STALE_TURN", seat=4)
    frame = msgspec.json.decode(replies.refused(update, "a1"), type=server.NackFrame)
    assert frame.d == server.Refused("STALE_TURN", Code.STALE_TURN.meaning.text)
    assert (frame.re, frame.table, frame.seq) == ("a1", "T", 3)


def test_a_code_that_nobody_knows_is_a_fault_of_ours() -> None:
    update = table_pb2.Update(table="T", code="WHAT", reason="x")
    frame = msgspec.json.decode(replies.refused(update, None), type=server.NackFrame)
    assert frame.d.code == Code.INTERNAL


def test_an_ack_tells_the_seat_of_who_has_one() -> None:
    update = table_pb2.Update(table="T", seq=3, seat=2, fence=9)
    frame = msgspec.json.decode(replies.ack("a1", update), type=server.AckFrame)
    assert frame.d == server.Done(seat=2, fence=9)
    update = table_pb2.Update(table="T", seat=4)
    frame = msgspec.json.decode(replies.ack("a1", update), type=server.AckFrame)
    assert frame == server.AckFrame(re="a1", table="T")


def test_a_nack_leaves_out_what_is_not_known() -> None:
    text = replies.nack(Refusal(Code.BAD_FRAME, "no"))
    assert text == b'{"t":"nack","d":{"code":"BAD_FRAME","reason":"no"}}'


def test_the_protocols_page_names_every_frame_event_and_close_code() -> None:
    text = DOCS.read_text(encoding="utf-8")
    kinds = (client.ClientFrame, server.ServerFrame, table.TableEvent)
    tags = [one.__struct_config__.tag for kind in kinds for one in typing.get_args(kind)]
    assert [tag for tag in tags if f"`{tag}`" not in text] == []
    assert [code for code in server.CLOSE_CODES if f"| {code} |" not in text] == []
