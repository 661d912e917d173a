"""Plain texts are cut out of any bytes just as the library would have read them."""

from collections.abc import Sequence
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from laelo_gateway.adapters.plain import PlainTexts
from websockets.frames import CloseCode, Frame, Opcode
from websockets.protocol import Protocol, Side

LARGEST = 64 * 1024

PLAIN = st.builds(
    lambda size, byte: Frame(Opcode.TEXT, byte * size),
    st.integers(0, 12) | st.sampled_from((124, 125, 126, 127, 300, 65_535)),
    st.sampled_from((b"a", b"\x81", b"\xff")),
)
PINGS = st.builds(Frame, st.sampled_from((Opcode.PING, Opcode.PONG)), st.binary(max_size=125))
OTHERS = st.sampled_from(
    (
        Frame(Opcode.BINARY, b"binary"),
        Frame(Opcode.TEXT, b"first", fin=False),
        Frame(Opcode.CONT, b"last"),
        Frame(Opcode.TEXT, b"x" * (LARGEST + 1)),
        Frame(Opcode.CLOSE, CloseCode.NORMAL_CLOSURE.to_bytes(2, "big")),
    )
)
Told = list[tuple[Opcode, bytes]]


def read(library: Protocol, data: bytes) -> Told:
    """What the library makes of some bytes; it notes itself what is wrong with them."""
    library.receive_data(data)
    events = [event for event in library.events_received() if isinstance(event, Frame)]
    return [(event.opcode, bytes(event.data)) for event in events]


def server() -> Protocol:
    return Protocol(Side.SERVER, max_size=LARGEST)


def told_by_library(chunks: Sequence[bytes]) -> tuple[Told, Protocol]:
    library = server()
    return [told for chunk in chunks for told in read(library, chunk)], library


def told_with_plain_texts(chunks: Sequence[bytes]) -> tuple[Told, Protocol]:
    library, plain, told = server(), PlainTexts(), Told()

    def on_text(text: bytes) -> None:
        told.append((Opcode.TEXT, text))

    for chunk in chunks:
        rest = plain.take(chunk, on_text)
        if rest:
            told += read(library, rest)
    return told, library


@given(
    st.lists(PLAIN | PLAIN | PINGS | OTHERS, max_size=8),
    st.lists(st.integers(0, 1000), max_size=8),
    st.booleans(),
    st.sampled_from((0, 0, 0x40, 0x03)),
)
def test_whatever_comes_in_whatever_pieces(
    frames: list[Frame], cuts: list[int], masked: bool, wrong_bits: int
) -> None:
    sent = [frame.serialize(mask=masked) for frame in frames]
    if sent:
        sent[-1] = bytes((sent[-1][0] ^ wrong_bits,)) + sent[-1][1:]
    data = b"".join(sent)
    ends = [0, *sorted(cut for cut in cuts if cut < len(data)), len(data)]
    chunks = [data[start:end] for start, end in pairwise(ends)]
    expected, alone = told_by_library(chunks)
    told, behind = told_with_plain_texts(chunks)
    # Texts may be told before pings and pongs of the same piece, which nobody notices.
    assert sorted(told) == sorted(expected)
    assert texts(told) == texts(expected)
    assert repr(behind.parser_exc) == repr(alone.parser_exc)
    assert behind.state == alone.state
    assert behind.data_to_send() == alone.data_to_send()


def texts(told: Told) -> list[bytes]:
    return [data for opcode, data in told if opcode not in (Opcode.PING, Opcode.PONG)]


def test_moves_never_reach_the_library() -> None:
    taken: list[bytes] = []
    plain = PlainTexts()
    data = Frame(Opcode.TEXT, b"x" * 200).serialize(mask=True)
    for chunk in (data, data + data[:3], data[3:], data[:1], data[1:150], data[150:]):
        assert plain.take(chunk, taken.append) == b""
    assert taken == [b"x" * 200] * 4
