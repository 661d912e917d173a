"""Codes are read as they were meant, and nobody gets more than is allowed."""

import ipaddress
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laelo_gateway.domain.bucket import Buckets
from laelo_gateway.domain.codes import LENGTH, table_code
from laelo_gateway.domain.peer import limited_as, peer_of

ALPHABET = sorted(set(string.ascii_uppercase + "23456789") - set("OI"))
codes = st.text(st.sampled_from(ALPHABET), min_size=LENGTH, max_size=LENGTH)
gaps = st.lists(
    st.sampled_from(["", " ", "-", "–", "\u00a0", "\u2011", "\t", "_"]), min_size=7, max_size=7
)


@given(codes, gaps, st.lists(st.booleans(), min_size=6, max_size=6))
def test_a_code_is_read_however_it_is_written(
    code: str, between: list[str], small: list[bool]
) -> None:
    letters = [char.lower() if low else char for char, low in zip(code, small, strict=True)]
    written = "".join(gap + char for gap, char in zip(between, [*letters, ""], strict=True))
    assert table_code(written) == code


@given(st.text(max_size=16))
def test_anything_else_is_no_code(written: str) -> None:
    code = table_code(written)
    assert code is None or (len(code) == LENGTH and set(code) <= set(ALPHABET))


@pytest.mark.parametrize(
    "written", ["", "ABCDE", "ABCDEFG", "ABCDEO", "ABCDEI", "ABCD10", "ßABCDE"]
)
def test_what_is_not_quite_a_code_is_not_guessed_at(written: str) -> None:
    assert table_code(written) is None


@given(st.lists(st.tuples(st.sampled_from("abc"), st.floats(0, 0.5)), max_size=100))
def test_each_one_has_an_allowance_of_its_own(script: list[tuple[str, float]]) -> None:
    buckets, now, allowed = Buckets(2.0, 3.0), 0.0, dict.fromkeys("abc", 0)
    for key, pause in script:
        now += pause
        allowed[key] += buckets.take(key, now)
        assert allowed[key] <= 3.0 + 2.0 * now + 1e-6
    assert all(allowed[key] for key, _ in script)


@given(st.lists(st.text(max_size=3), max_size=60))
def test_only_so_many_are_remembered_the_newest_first(keys: list[str]) -> None:
    buckets = Buckets(1.0, 1.0, kept=5)
    for key in keys:
        buckets.take(key, 0.0)
        assert len(buckets) <= 5
    newest = list(dict.fromkeys(reversed(keys)))[:5]
    assert not any(buckets.take(key, 0.0) for key in newest)


hosts = st.ip_addresses(v=4).map(str)


@given(hosts, st.lists(hosts, min_size=1, max_size=5), st.integers(1, 3))
def test_what_a_client_says_of_itself_is_not_believed(
    own: str, hops: list[str], proxies: int
) -> None:
    """The nearest of our proxies wrote the last hop; a client can write only what is before."""
    said = ", ".join(["1.2.3.4", *hops])
    assert peer_of(own, said, 0) == own
    assert peer_of(own, said, 1) == hops[-1]
    assert peer_of(own, said, proxies) in ("1.2.3.4", *hops)
    assert peer_of(own, None, proxies) == own


@given(st.ip_addresses(v=6), st.integers(0, 2**64 - 1))
def test_a_household_is_one(address: object, other: int) -> None:
    first = int(address)  # type: ignore[call-overload]
    neighbour = ipaddress.IPv6Address((first >> 64 << 64) | other)
    if ipaddress.IPv6Address(first).ipv4_mapped is None and neighbour.ipv4_mapped is None:
        assert limited_as(str(address)) == limited_as(str(neighbour))


def test_an_address_in_other_clothes_is_the_same() -> None:
    assert limited_as("::ffff:10.0.0.7") == limited_as("10.0.0.7") == "10.0.0.7"
    assert limited_as("fe80::1%eth0") == limited_as("[fe80::2]")
    assert limited_as("unix") == "unix"
