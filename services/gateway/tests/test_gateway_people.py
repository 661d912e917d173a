"""People are remembered for a while, and noted as seen as long as they come."""

from laelo_gateway.domain.commands import Person
from laelo_gateway.people import KNOWN_SECONDS, People
from laelo_gateway.testing.gateway import MemoryPeople


class Seen(MemoryPeople):
    """A store that, as the real one, notes that somebody was here when it is asked for them."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = 0

    async def find(self, token_hash: bytes) -> Person | None:
        self.asked += 1
        return await super().find(token_hash)


async def test_who_comes_every_day_is_noted_though_remembered() -> None:
    store, now = Seen(), 0.0
    people = People(store, lambda: now)
    made = await people.greet(None, "Zé", "pt")
    assert made.token
    for _ in range(4):
        now += KNOWN_SECONDS / 2
        assert (await people.greet(made.token, "", "pt")).person == made.person
        assert await people.find(made.token) == made.person
    assert store.asked == 2


async def test_who_was_here_long_ago_is_known_while_the_store_is_away() -> None:
    store, now = Seen(), 0.0
    people = People(store, lambda: now)
    made = await people.greet(None, "Zé", "pt")
    store.is_away, now = True, 10 * KNOWN_SECONDS
    assert (await people.greet(made.token, "", "pt")).person == made.person


async def test_who_was_deleted_meanwhile_comes_as_somebody_new() -> None:
    store, now = Seen(), 0.0
    people = People(store, lambda: now)
    made = await people.greet(None, "Zé", "pt")
    store.people.clear()
    now = KNOWN_SECONDS
    assert (await people.greet(made.token, "", "pt")).person.id != made.person.id
