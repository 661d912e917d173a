"""A crash at every call to the world outside, and it always ends well.

One championship from the joins to the cancelling, as people and the tournament service see it.
The replica dies before or after its k-th call, for every k, and is started again; people whose
question got no answer ask again under the same id.
"""

import random
from contextlib import AsyncExitStack

import pytest
from laelo_matchmaking.domain.outcome import IN_CHAMPIONSHIP

from .kit import people
from .mortal import Life, Phoenix
from .town import PATIENT, Town

AT_ONCE = PATIENT._replace(wait_ms=1)


async def story(town: Town, phoenix: Phoenix) -> None:
    """Nine join, one leaves, a bronze is played for a while and cancelled, some come again."""
    for player in people(9):
        assert await phoenix.ask(lambda hall, p=player: hall.join(p, f"join-{p}")) is None  # type: ignore[misc]
    assert await phoenix.ask(lambda hall: hall.leave("p009")) is None
    await phoenix.until(lambda: town.called() and not town.state().pending)
    (cup,) = town.cups.begun
    assert await phoenix.ask(lambda hall: hall.join("p001", "early")) == IN_CHAMPIONSHIP
    await town.cups.put_out(cup, 1)
    await phoenix.until(lambda: len(town.state().busy) == 6)
    assert await phoenix.ask(lambda hall: hall.join("p001", "again")) is None
    await town.cups.cancel(cup)
    await phoenix.until(lambda: not town.state().busy)
    assert await phoenix.ask(lambda hall: hall.join("p003", "again")) is None


def ended_well(town: Town) -> None:
    """Nobody lost, nobody twice, each thing done once."""
    town.check()
    state = town.state()
    assert [place.player for place in state.line] == ["p003", "p001"]
    assert not state.busy
    assert not state.pending
    assert sorted(state.kept) == ["p004", "p005", "p006", "p007", "p008"]
    kinds = town.kinds()
    assert kinds.count("called") == kinds.count("handed_over") == len(town.cups.begun) == 1
    assert kinds.count("joined") == 11
    assert kinds.count("released") == 2


async def lived(*lives: Life, others: int = 0) -> Phoenix:
    """The whole story, with these deaths, beside other replicas that live on."""
    town = Town(AT_ONCE)
    phoenix = Phoenix(town, *lives)
    async with AsyncExitStack() as stack:
        for _ in range(others):
            await stack.enter_async_context(town.replica())
        stack.push_async_callback(phoenix.close)
        await story(town, phoenix)
    ended_well(town)
    return phoenix


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
async def test_a_crash_at_any_one_call(after: bool) -> None:
    deaths, at = 0, 0
    while deaths == at:
        at += 1
        deaths += (await lived(Life(at, after=after))).deaths
    assert deaths > 20, "every call was the last one once"


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
async def test_a_crash_beside_another_replica(after: bool) -> None:
    deaths = 0
    for at in range(1, 25):
        deaths += (await lived(Life(at, after=after), others=1)).deaths
    assert deaths > 10


async def test_crashes_at_any_calls_of_several_lives() -> None:
    chance = random.Random(35)
    deaths = 0
    for _ in range(60):
        lives = [Life(chance.randint(1, 12), after=chance.random() < 0.5) for _ in range(5)]
        deaths += (await lived(*lives)).deaths
    assert deaths > 150
