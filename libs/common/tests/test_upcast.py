"""An old event is read as the newest version of it: what that has no place for is left behind."""

from hypothesis import given
from hypothesis import strategies as st
from laelo.table.v1 import events_pb2
from laelo_common.upcast import newest

KINDS = [field.name for field in events_pb2.Event.DESCRIPTOR.oneofs[0].fields]
IDS = st.text("0123456789ABCDEFGHJKMNPQRSTVWXYZ", min_size=26, max_size=26)
NAMES = st.text("abcdefghij ", min_size=3, max_size=12)
PEOPLE = st.builds(
    events_pb2.SeatTaken,
    seat=st.integers(0, 3),
    player=IDS,
    name=NAMES,
    guest=st.booleans(),
    fence=st.integers(1, 99),
    window=st.just("w1"),
)


@given(old=PEOPLE)
def test_of_people_only_guests_keep_their_names(old: events_pb2.SeatTaken) -> None:
    kind, told = newest(events_pb2.Event(seat_taken=old))
    assert kind == "seat_taken"
    assert (told.seat, told.fence, told.bot) == (old.seat, old.fence, 0)
    assert (told.person.player, told.person.window) == (old.player, old.window)
    assert told.person.HasField("guest_name") == old.guest
    assert (old.name.encode() in told.SerializeToString()) == old.guest


@given(seat=st.integers(0, 3), level=st.sampled_from([1, 2]), fence=st.integers(1, 99))
def test_a_bot_is_no_person(seat: int, level: int, fence: int) -> None:
    old = events_pb2.SeatTaken(seat=seat, level=level, fence=fence)  # type: ignore[arg-type]
    _, told = newest(events_pb2.Event(seat_taken=old))
    assert told == events_pb2.SeatTaken2(seat=seat, bot=level, fence=fence)  # type: ignore[arg-type]
    assert not told.HasField("person")


@given(old=PEOPLE, animal=NAMES)
def test_a_championships_player_is_an_animal(old: events_pb2.SeatTaken, animal: str) -> None:
    old.animal, old.name, old.guest = animal, "", False
    _, told = newest(events_pb2.Event(seat_taken=old))
    assert (told.person.animal, told.person.HasField("guest_name")) == (animal, False)


def test_what_is_new_is_read_as_it_is() -> None:
    for kind in KINDS:
        event = events_pb2.Event()
        getattr(event, kind).SetInParent()
        before = event.SerializeToString()
        name, told = newest(event)
        assert name == kind.removesuffix("_2")
        if kind != "seat_taken":
            assert told == getattr(event, kind)
        assert event.SerializeToString() == before


def test_what_is_not_known_is_not_guessed() -> None:
    assert newest(events_pb2.Event.FromString(b"\xfa\x3f\x00")) == (None, None)
