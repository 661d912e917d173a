"""Notices of stored commits, while the server can and cannot be reached."""

import pytest
from laelo_common.log import Aggregate, Kind, Unavailable
from laelo_common.log.notices import Notices

TABLE = Aggregate(Kind.TABLE, "T0")
OTHER = Aggregate(Kind.TABLE, "T1")


class Line:
    """A connection that may be cut."""

    def __init__(self):
        self.sent = []
        self.is_cut = False

    def send(self, frame):
        if self.is_cut:
            raise Unavailable("not connected")
        self.sent.append(frame)

    def told(self):
        sent, self.sent = b"".join(self.sent), []
        lines = sent.split(b"\r\n")
        return {
            head.split()[1].decode(): int(data)
            for head, data in zip(lines[::2], lines[1::2], strict=False)
        }


@pytest.fixture
async def line():
    return Line()


@pytest.fixture
def notices(line):
    made = Notices(line)
    yield made
    made.close()


async def test_of_each_table_the_newest_is_told_in_one_go(line, notices):
    for sequence in (3, 5, 9):
        notices.tell(TABLE, sequence)
    notices.tell(OTHER, 7)
    notices.send()
    assert len(line.sent) == 1
    assert line.told() == {TABLE.live_subject: 9, OTHER.live_subject: 7}


async def test_what_could_not_be_told_is_told_with_the_next_connection(line, notices):
    line.is_cut = True
    notices.tell(TABLE, 3)
    notices.send()
    notices.tell(OTHER, 4)
    line.is_cut = False
    notices.send()
    assert line.told() == {TABLE.live_subject: 3, OTHER.live_subject: 4}
    notices.send()
    assert line.told() == {}


async def test_nothing_is_told_of_what_is_no_table_or_stands_nobody_knows_where(line, notices):
    notices.tell(Aggregate(Kind.QUEUE, "Q"), 3)
    notices.tell(TABLE, 0)
    notices.close()
    assert line.told() == {}


async def test_closing_tells_what_is_left(line, notices):
    notices.tell(TABLE, 3)
    notices.close()
    assert line.told() == {TABLE.live_subject: 3}
