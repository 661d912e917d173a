"""What is fetched from an issuer: how long it serves, and how often it is asked for."""

import asyncio
import itertools

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from laelo_common.errors import Code, LaeloError
from laelo_gateway.accounts import cached
from laelo_gateway.accounts.cached import Cached, Fetched
from laelo_gateway.accounts.fetching import LARGEST, ask_json
from laelo_gateway.accounts.pending import Pending, Seal, safe_path


class Source:
    """Something at the issuer, with a clock to go by."""

    def __init__(self, seconds: float = 3600.0) -> None:
        self.now = 1000.0
        self.seconds = seconds
        self.version = 0
        self.asked = 0
        self.is_out = False
        self.cache = Cached(self.fetch, lambda: self.now)

    async def fetch(self) -> Fetched[int]:
        self.asked += 1
        await asyncio.sleep(0)
        if self.is_out:
            raise LaeloError(Code.TRY_LATER, "out")
        return Fetched(self.version, self.seconds)


@given(st.lists(st.tuples(st.floats(0, 90_000), st.booleans(), st.booleans()), max_size=30))
async def test_it_is_never_older_than_it_may_be_nor_asked_for_too_often(
    steps: list[tuple[float, bool, bool]],
) -> None:
    source = Source()
    fetched_at: dict[int, float] = {}
    tried: list[float] = []
    for wait, is_out, wants_newer in steps:
        source.now += wait
        source.version += 1
        source.is_out = is_out
        before = source.asked
        try:
            value = await (source.cache.newer() if wants_newer else source.cache.get())
        except LaeloError:
            value = None
        if source.asked > before:
            tried.append(source.now)
            if not is_out:
                fetched_at[source.version] = source.now
        if value is not None and not wants_newer:
            longest = source.seconds + cached.STALE_SECONDS
            assert source.now - fetched_at[value] < longest
    for one, other in itertools.pairwise(tried):
        # Without anything that may be used, everybody who comes asks.
        kept = [at for at in fetched_at.values() if at < other]
        has_some = kept and other - max(kept) < source.seconds + cached.STALE_SECONDS
        assert not has_some or other - one >= cached.PAUSE_SECONDS


async def test_many_who_come_at_once_ask_once() -> None:
    source = Source()
    assert await asyncio.gather(*(source.cache.get() for _ in range(20))) == [0] * 20
    assert source.asked == 1


async def test_an_outage_is_bridged_for_a_day_and_not_longer() -> None:
    source = Source()
    await source.cache.get()
    source.is_out = True
    source.now += source.seconds + cached.STALE_SECONDS - 1
    assert await source.cache.get() == 0
    source.now += 1
    with pytest.raises(LaeloError) as refused:
        await source.cache.get()
    assert refused.value.code is Code.TRY_LATER
    source.is_out = False
    source.version = 7
    assert await source.cache.get() == 7


@pytest.mark.parametrize(
    ("said", "kept"), [(0.0, cached.SHORTEST_SECONDS), (1e9, cached.LONGEST_SECONDS)]
)
async def test_the_issuer_does_not_decide_alone_how_long(said: float, kept: float) -> None:
    source = Source(said)
    await source.cache.get()
    source.now += kept - 1
    await source.cache.get()
    assert source.asked == 1
    source.now += 1
    await source.cache.get()
    assert source.asked == 2


def answering(body: bytes, status: int = 200, cache: str = "") -> httpx.AsyncClient:
    def answer(_: httpx.Request) -> httpx.Response:
        return httpx.Response(status, content=body, headers={"cache-control": cache})

    return httpx.AsyncClient(transport=httpx.MockTransport(answer))


@pytest.mark.parametrize(
    ("client", "words"),
    [
        (answering(b"{}", status=502), "answers with 502"),
        (answering(b"{}", status=429), "answers with 429"),
        (answering(b"<html>"), "no JSON"),
        (answering(b"[]"), "no JSON"),
        (answering(b"{" + b" " * LARGEST), "too much"),
    ],
)
async def test_what_is_no_answer_is_to_be_tried_later(
    client: httpx.AsyncClient, words: str
) -> None:
    async with client:
        with pytest.raises(LaeloError, match=words) as refused:
            await ask_json(client, "GET", "http://issuer.example/")
    assert refused.value.code is Code.TRY_LATER


async def test_an_issuer_that_is_not_there_is_to_be_tried_later() -> None:
    async with httpx.AsyncClient(trust_env=False) as client:
        with pytest.raises(LaeloError, match="out of reach"):
            await ask_json(client, "GET", "http://127.0.0.1:1/")


@pytest.mark.parametrize(
    ("header", "seconds"),
    [("public, max-age=20, must-revalidate", 20.0), ("s-maxage=9", 0.0), ("max-age=", 0.0)],
)
async def test_how_long_an_answer_may_be_kept(header: str, seconds: float) -> None:
    async with answering(b"{}", cache=header) as client:
        assert (await ask_json(client, "GET", "http://issuer.example/")).max_age == seconds


@given(st.text(max_size=40))
def test_one_always_comes_back_to_this_site(back: str) -> None:
    for path in (back, "/" + back):
        safe = httpx.URL("https://play.example").join(safe_path(path))
        assert (safe.host, safe.scheme) == ("play.example", "https")
        assert "\\" not in safe_path(path)


@given(st.binary(max_size=80), st.floats(0, 2000))
def test_only_what_was_sealed_here_and_lately_is_opened(noise: bytes, later: float) -> None:
    pending = Pending.begin("/table", 1000.0)
    sealed = Seal(b"ours").close(pending)
    opened = Seal(b"ours").open(sealed, 1000.0 + later)
    assert opened == (pending if later < 600 else None)
    assert Seal(b"theirs").open(sealed, 1000.0) is None
    assert Seal(b"ours").open(sealed, 999.0) is None
    assert Seal(b"ours").open(noise.decode("latin-1"), 1000.0) is None
    assert Seal(b"ours").open(sealed + "0", 1000.0) is None


def test_no_two_sign_ins_share_anything() -> None:
    made = [Pending.begin("/", 0.0) for _ in range(50)]
    secrets = [
        part for pending in made for part in (pending.state, pending.nonce, pending.verifier)
    ]
    assert len(set(secrets)) == len(secrets) == 150
    assert all(43 <= len(pending.verifier) <= 128 for pending in made)
