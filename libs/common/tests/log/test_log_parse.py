"""The short way to parse gives what the library's own parser gives, however bytes are cut."""

import asyncio
from itertools import pairwise
from typing import Any, NamedTuple

from hypothesis import given
from hypothesis import strategies as st
from laelo_common.log.parse import OnFrame, QuickParser
from nats.protocol.parser import Parser

QUICK, FAULTY, LIBRARYS = 1, 22, 333

Seen = list[tuple[Any, ...]]


class Sent(NamedTuple):
    """Something that a server sends, as bytes."""

    data: bytes


class FakeClient:
    """Notes what a parser tells its client."""

    def __init__(self) -> None:
        self.seen: Seen = []
        self.faults = 0

    async def _process_msg(
        self, sid: int, subject: bytes, reply: bytes, data: bytes, headers: bytes | None
    ) -> None:
        self.seen.append((sid, subject, reply, headers or b"", data))

    async def _process_ping(self) -> None:
        self.seen.append(("ping",))

    async def _process_info(self, info: dict[str, Any]) -> None:
        self.seen.append(("info", info))

    async def _process_err(self, message: str) -> None:
        self.seen.append(("err", message))

    async def fault(self, _: Exception) -> None:
        self.faults += 1

    def callback(self, sid: int) -> OnFrame:
        def take(subject: bytes, reply: bytes, headers: bytes, data: bytes) -> None:
            self.seen.append((sid, subject, reply, headers, data))
            if sid == FAULTY:
                raise RuntimeError("a fault in what was called back")

        return take


async def parsed(parser: Parser, chunks: list[bytes]) -> None:
    for chunk in chunks:
        await parser.parse(chunk)


def message(sid: int, reply: bytes, headers: bytes, body: bytes) -> Sent:
    words = [b"live.tbl.%d" % sid, b"%d" % sid, *([reply] if reply else [])]
    if headers:
        head = b"NATS/1.0\r\n" + headers + b"\r\n\r\n"
        line = b" ".join([b"HMSG", *words, b"%d %d" % (len(head), len(head) + len(body))])
        return Sent(line + b"\r\n" + head + body + b"\r\n")
    return Sent(b" ".join([b"MSG", *words, b"%d" % len(body)]) + b"\r\n" + body + b"\r\n")


MESSAGES = st.builds(
    message,
    st.sampled_from((QUICK, QUICK, FAULTY, LIBRARYS)),
    st.sampled_from((b"", b"_INBOX.7")),
    st.sampled_from((b"", b"Nats-Sequence: 7")),
    st.binary(max_size=40) | st.just(b"MSG a 1 2\r\n"),
)
OTHERS = st.sampled_from(
    (Sent(b"PING\r\n"), Sent(b"+OK\r\n"), Sent(b'INFO {"a":1}\r\n'), Sent(b"-ERR 'bad'\r\n"))
)


@given(
    st.lists(MESSAGES | OTHERS, max_size=8),
    st.lists(st.integers(0, 600), max_size=6),
)
def test_whatever_comes_in_whatever_pieces(sent: list[Sent], cuts: list[int]) -> None:
    data = b"".join(part.data for part in sent)
    ends = [0, *sorted(cut for cut in cuts if cut < len(data)), len(data)]
    chunks = [data[a:b] for a, b in pairwise(ends)]
    expected, client = FakeClient(), FakeClient()
    callbacks = {sid: client.callback(sid) for sid in (QUICK, FAULTY)}
    asyncio.run(parsed(Parser(expected), chunks))
    quick = QuickParser(client, callbacks, client.fault)  # type: ignore[arg-type]
    asyncio.run(parsed(quick, chunks))
    assert client.seen == expected.seen
    assert not quick.buf


def test_messages_take_the_short_way_and_faults_are_told() -> None:
    client = FakeClient()
    callbacks = {sid: client.callback(sid) for sid in (QUICK, FAULTY)}
    quick = QuickParser(client, callbacks, client.fault)  # type: ignore[arg-type]
    sent = [message(sid, b"", b"A: b", b"body").data for sid in (QUICK, FAULTY, QUICK)]
    asyncio.run(parsed(quick, [b"".join(sent)]))
    assert [seen[0] for seen in client.seen] == [QUICK, FAULTY, QUICK]
    assert client.faults == 1
