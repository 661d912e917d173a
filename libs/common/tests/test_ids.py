"""Ids: form, order, uniqueness, and what a client may call its commands."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laelo_common.ids import (
    ALPHABET,
    HOUSE_COMMANDS,
    derived,
    is_client_command_id,
    is_command_id,
    is_id,
    new_id,
    time_of,
    ulid,
)

times = st.integers(0, 2**48 - 1)
randomness = st.binary(min_size=10, max_size=10)


@given(times, randomness)
def test_a_ulid_holds_its_time(time: int, bits: bytes) -> None:
    made = ulid(time, bits)
    assert len(made) == 26
    assert is_id(made)
    assert time_of(made) == time


@given(st.binary(min_size=16, max_size=16), st.binary(min_size=16, max_size=16))
def test_ids_sort_and_differ_as_their_bits_do(one: bytes, other: bytes) -> None:
    assert (derived(one) < derived(other)) == (one < other)
    assert (derived(one) == derived(other)) == (one == other)


def test_a_known_ulid() -> None:
    # The example that everybody uses, taken apart by hand.
    assert ulid(0x01563E3AB5D3, bytes.fromhex("d6764c61efb99302bd5b")) == (
        "01ARZ3NDEKTSV4RRFFQ69G5FAV"
    )


def test_only_the_first_16_bytes_of_a_digest_count() -> None:
    assert derived(bytes(range(32))) == derived(bytes(range(16)))


@given(st.text(alphabet=ALPHABET + "ILOUilou-a8", max_size=30))
def test_what_is_an_id_can_be_read(text: str) -> None:
    if is_id(text):
        assert set(text) <= set(ALPHABET)
        assert 0 <= time_of(text) < 2**48
    else:
        with pytest.raises(ValueError, match="no ULID"):
            time_of(text)


def test_overlong_ids_are_refused() -> None:
    assert not is_id("8" + "0" * 25), "more than 128 bits"
    assert not is_id(new_id() + "\n")


@pytest.mark.parametrize(("time", "bits"), [(-1, bytes(10)), (2**48, bytes(10)), (0, bytes(9))])
def test_wrong_parts_are_refused(time: int, bits: bytes) -> None:
    with pytest.raises(ValueError):
        ulid(time, bits)


def test_short_digests_are_refused() -> None:
    with pytest.raises(ValueError, match="16 bytes"):
        derived(bytes(15))


def test_fresh_ids_differ() -> None:
    assert len({new_id() for _ in range(1000)}) == 1000


@given(st.text(max_size=70))
def test_command_ids_fit_into_subjects_and_message_ids(text: str) -> None:
    if is_command_id(text):
        assert 1 <= len(text) <= 64
        assert not set(text) & set(" .*>:/\r\n\0")
        assert text.isascii()


@pytest.mark.parametrize("prefix", HOUSE_COMMANDS)
def test_the_houses_own_command_ids_are_not_for_clients(prefix: str) -> None:
    assert is_command_id(prefix + "17")
    assert not is_client_command_id(prefix + "17")


def test_clients_may_use_ids_of_the_usual_kinds() -> None:
    assert is_client_command_id(new_id())
    assert is_client_command_id("6f1c0c2e-6a43-4a7e-9f53-0a3f6f0a7f11")
    assert not is_client_command_id("")
    assert not is_client_command_id("a" * 65)
    assert not is_client_command_id("a\n")
