"""Whatever a client sends is decoded, or refused with a documented code."""

import json
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laelo.table.v1 import table_pb2
from laelo_common.errors import Code
from laelo_common.ids import HOUSE_COMMANDS, is_client_command_id, new_id
from laelo_common.wire import MAX_FRAME, client
from laelo_common.wire.table import Options
from laelo_gateway.domain import commands
from laelo_gateway.domain.frames import KNOWN, Refusal, decode

CODES = {Code.BAD_FRAME, Code.UNKNOWN_FRAME, Code.FRAME_TOO_LARGE}
TABLE = "01ARZ3NDEKTSV4RRFFQ69G5FAV"
PERSON = commands.Person("01BX5ZZKBKACTAV9WEVGEMMVRZ", "Ana")
SENDER = commands.Sender(PERSON, "w1")

scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=40)
)
values = st.recursive(
    scalars, lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=8), inner)
)
numbers = st.integers() | st.integers(0, 7)
parts = st.fixed_dictionaries(
    {},
    optional={
        "tile": st.lists(numbers, max_size=3) | values,
        "turn": numbers | values,
        "fence": numbers | values,
        "end": st.sampled_from(["left", "right", "up"]) | values,
        "opener": numbers | values,
        "seat": numbers | values,
        "level": st.sampled_from(["random", "simple", "best"]) | values,
        "options": st.fixed_dictionaries(
            {}, optional={"move_seconds": numbers, "spectators": st.booleans()}
        ),
        "proto": numbers,
        "client": st.floats(allow_nan=False, allow_infinity=False),
    },
)
frames = st.fixed_dictionaries(
    {"t": st.sampled_from(KNOWN) | st.text(max_size=12) | values},
    optional={
        "id": st.sampled_from(["c1", "a\n", ""]) | values,
        "table": st.just(TABLE) | values,
        "seq": numbers | values,
        "d": parts | values,
    },
)


def checked(text: bytes) -> Any:
    """The frame or refusal; a frame for a table makes a command that can be sent."""
    made = decode(text)
    if isinstance(made, Refusal):
        assert made.code in CODES
        assert made.reason
        assert made.re is None or (0 < len(made.re) <= 36 and made.re.isascii())
    else:
        assert type(made) in get_args(client.ClientFrame)
        if commands.is_command(made):
            sent = commands.command_of(made, SENDER, "").SerializeToString()
            assert table_pb2.Command.FromString(sent).table == TABLE
    return made


@given(st.binary(max_size=200))
def test_any_bytes(text: bytes) -> None:
    checked(text)


@given(values)
def test_any_json(value: Any) -> None:
    checked(json.dumps(value).encode())


@given(frames)
def test_anything_like_a_frame(frame: dict[str, Any]) -> None:
    made = checked(json.dumps(frame).encode())
    if frame["t"] not in KNOWN:
        assert isinstance(made, Refusal)
    elif isinstance(made, Refusal) and frame.get("id") == "c1":
        assert made.re == "c1"


@given(frames, st.data())
def test_a_frame_cut_anywhere(frame: dict[str, Any], data: st.DataObject) -> None:
    text = json.dumps(frame).encode()
    made = checked(text[: data.draw(st.integers(0, len(text) - 1))])
    assert isinstance(made, Refusal)


def refusal(text: str) -> Refusal:
    made = checked(text.encode())
    assert isinstance(made, Refusal)
    return made


def test_unknown_type_is_named_with_the_known_ones() -> None:
    made = refusal('{"t":"fly","id":"a1"}')
    assert (made.code, made.re) == (Code.UNKNOWN_FRAME, "a1")
    assert "'fly'" in made.reason
    assert "choose_opener" in made.reason


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        ("[]", "expected object, got array"),
        ("{}", "t"),
        ('{"t":"watch","table":"' + TABLE + '"}', "id"),
        ('{"t":"watch","id":"a","table":"short"}', "table: a table id is a ULID"),
        ('{"t":"watch","id":"a b","table":"' + TABLE + '"}', "id: an id is 1 to 36"),
        (
            '{"t":"play","id":"a","table":"' + TABLE + '","d":{"tile":[1,"2"],"turn":1,"fence":0}}',
            "d.tile[1]: expected int, got str",
        ),
        (
            '{"t":"pass","id":"a","table":"' + TABLE + '","d":{"turn":-1,"fence":0}}',
            "d.turn: expected int >= 0",
        ),
    ],
)
def test_wrong_form_is_said_in_words(text: str, words: str) -> None:
    made = refusal(text)
    assert made.code is Code.BAD_FRAME
    assert words in made.reason


def test_too_large_is_refused_with_its_id() -> None:
    made = refusal(json.dumps({"t": "watch", "id": "big", "table": "x" * MAX_FRAME}))
    assert (made.code, made.re) == (Code.FRAME_TOO_LARGE, "big")


def test_ids_end_where_they_end() -> None:
    """An id with a line break would break the answer that carries it."""
    assert refusal('{"t":"watch","id":"a\\n","table":"' + TABLE + '"}').re is None


def test_deep_nesting_is_refused() -> None:
    assert refusal('{"t":' + "[" * 2000).code is Code.BAD_FRAME


@given(st.from_regex(r"[A-Za-z0-9_-]{1,36}", fullmatch=True) | st.sampled_from(HOUSE_COMMANDS))
def test_a_command_id_is_the_persons_own(chosen: str) -> None:
    """No client can use up an id of the house's or of another person's."""
    frame = client.LeaveFrame(id=chosen, table=TABLE)
    person = commands.Person(new_id(), "Bia")
    command = commands.command_of(frame, commands.Sender(person), "").command
    assert is_client_command_id(command)
    assert command != commands.command_of(frame, SENDER, "").command


@pytest.mark.parametrize("number", [7, -1, 127])
def test_wrong_numbers_reach_the_rules(number: int) -> None:
    """They are judged there, in the order of R13."""
    part = client.PlayPart(tile=(number, 2), turn=3, fence=1, end="up")
    command = commands.command_of(client.PlayFrame(id="a", table=TABLE, d=part), SENDER, "")
    assert (command.tile_a, command.tile_b, command.end) == (number, 2, 3)


def test_options_out_of_range_are_left_to_the_table() -> None:
    options = Options(move_seconds=-1)
    frame = client.CreateFrame(id="a", table=TABLE, d=client.CreatePart(options))
    assert commands.command_of(frame, SENDER, "").options.move_seconds == 2**32 - 1
