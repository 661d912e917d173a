"""The operators' console: what it shows, what its forms do, and that each deed is noted."""

from collections.abc import AsyncIterator
from datetime import timedelta

import pytest
from laelo.archive.v1 import archive_pb2
from laelo.table.v1 import table_pb2
from laelo.tournament.v1 import tournament_pb2
from laelo_common.ids import new_id
from laelo_gateway.orders.words import FOR_EVER
from laelo_gateway.testing.tables import code_of

from .console_kit import Clerk, World, consoles


@pytest.fixture
async def world() -> AsyncIterator[World]:
    async with consoles() as world:
        yield world


@pytest.fixture
async def olga(world: World) -> Clerk:
    return await world.operator()


async def test_a_person_is_found_by_nickname_and_by_id(world: World, olga: Clerk) -> None:
    ana = world.add("Ana")
    for wanted in ("Ana", "ana", ana.id, ana.id.lower()):
        answer = await olga.http.get("/find", params={"q": wanted})
        assert (answer.status_code, answer.headers["location"]) == (303, f"/people/{ana.id}")
    world.add("Ana", kind="guest")
    text = await olga.shown("/find?q=Ana")
    assert (text.count("/people/"), "guest" in text) == (2, True)
    assert "Nothing is called “Bia”." in await olga.shown("/find?q=Bia")


async def test_a_table_is_found_by_code_and_by_id_and_tells_its_story(
    world: World, olga: Clerk
) -> None:
    ana = world.add("Ana")
    guest = new_id()
    table = world.open_table(f"seat 0: \0{ana.id}", f"seat 1: <b>Bia</b>, a guest {guest}")
    for wanted in (table, code_of(table), code_of(table).lower()):
        answer = await olga.http.get("/find", params={"q": wanted})
        assert answer.headers["location"] == f"/tables/{table}"
    text = await olga.shown(f"/tables/{table}")
    assert f'seat 0: <a href="/people/{ana.id}">Ana</a>' in text
    assert f'&lt;b&gt;Bia&lt;/b&gt;, a guest <a href="/people/{guest}">{guest}</a>' in text


async def test_a_long_story_goes_on(world: World, olga: Clerk) -> None:
    table = world.open_table("match 2 begins", more=True)
    assert f'href="/tables/{table}?before=1"' in await olga.shown(f"/tables/{table}")
    assert (await olga.http.get(f"/tables/{table}?before=x")).status_code == 400


async def test_an_open_table_is_closed_once(world: World, olga: Clerk) -> None:
    table = world.open_table("the table is opened")
    done = await olga.fill(f"/tables/{table}/close", reason="somebody asked for it")
    assert done.headers["location"] == f"/tables/{table}?done=close"
    assert world.tables.world.tables[table].closed
    (command,) = world.tables.seen
    assert (command.kind, command.player) == (table_pb2.KIND_SHUT, world.olga)
    again = await olga.fill(f"/tables/{table}/close", reason="once more")
    assert (again.status_code, "closed for good" in again.text) == (409, True)
    assert world.store.deeds()[1:] == [
        ("close", table, "asked"),
        ("close", table, "done"),
        ("close", table, "asked"),
        ("close", table, "refused: TABLE_CLOSED"),
    ]
    first, second = (entry.deed for entry in world.store.audit[1:3])
    assert first.request == second.request
    assert (first.operator, first.reason) == (world.olga, "somebody asked for it")


async def test_a_table_is_found_whatever_id_its_people_have_chosen(
    world: World, olga: Clerk
) -> None:
    table = world.open_table("the table is opened", table="Z" * 26)
    answer = await olga.http.get("/find", params={"q": table.lower()})
    assert answer.headers["location"] == f"/tables/{table}"


@pytest.mark.parametrize("path", ["/tables/%01/close", "/championships/%01/cancel"])
async def test_nothing_is_noted_of_what_can_be_no_id(world: World, olga: Clerk, path: str) -> None:
    answer = await olga.fill(path, reason="a try")
    assert (answer.status_code, "there is no such" in answer.text) == (400, True)
    assert world.store.deeds() == [("sign in", world.olga, "done")]


async def test_a_championships_table_is_not_closed_by_itself(world: World, olga: Clerk) -> None:
    championship = new_id()
    table = world.open_table("the table is opened", championship=championship)
    text = await olga.shown(f"/tables/{table}")
    assert f'href="/championships/{championship}"' in text
    assert f"/tables/{table}/close" not in text


async def test_a_championship_is_cancelled_with_a_reason(world: World, olga: Clerk) -> None:
    told = world.draw()
    name = told.championship.id
    assert name in await olga.shown("/")
    done = await olga.fill(f"/championships/{name}/cancel", reason="the power is out")
    assert done.status_code == 303
    (request,) = world.cups.cancelled
    assert (request.operator, request.reason) == (world.olga, "the power is out")
    text = await olga.shown(f"/championships/{name}")
    assert "the power is out" in text
    assert "/cancel" not in text
    assert world.store.deeds()[-1] == ("cancel", name, "done")
    again = await olga.fill(f"/championships/{name}/cancel", reason="again")
    assert again.status_code == 409


async def test_who_is_who_in_a_running_championship_is_nowhere(world: World, olga: Clerk) -> None:
    told = world.draw()
    players = [entry.player for entry in told.entries]
    for player in players:
        world.store.everybody[player] = world.add(f"Name-{player}")._replace(id=player)
    told.place(4, 4, 4)
    name, out = told.championship.id, set(told.championship.teams[3].players)
    pages = ["/", f"/championships/{name}", "/audit", "/find?q=Name"]
    text = "".join([await olga.shown(page) for page in pages])
    for player in players:
        assert (player in text) == (player in out)
        assert name not in await olga.shown(f"/people/{player}")
    assert "not told before the team is out (R40)" in text
    told.end(tournament_pb2.STAGE_OVER, 1)
    assert name in await olga.shown(f"/people/{players[0]}")


async def test_a_persons_tables_are_the_friendly_ones(world: World, olga: Clerk) -> None:
    ana, table = world.add("Ana"), new_id()
    world.shelf.rows = archive_pb2.HistoryResponse(
        rows=[archive_pb2.HistoryRow(table=table, match=1, started_ms=1)]
    )
    assert f"/tables/{table}" in await olga.shown(f"/people/{ana.id}")
    (asked,) = world.shelf.asked
    assert isinstance(asked, archive_pb2.HistoryRequest)
    assert (asked.player, asked.kind) == (ana.id, archive_pb2.KIND_FRIENDLY)


async def test_somebody_is_shut_out_and_let_in_again(world: World, olga: Clerk) -> None:
    ana = world.add("Ana")
    bot = world.add("Robô [bot]", kind="bot", owner=ana.id)
    at = f"/people/{ana.id}"
    assert f"/people/{bot.id}" in await olga.shown(at)
    done = await olga.fill(f"{at}/ban", reason="  insults \n", hours="24")
    assert done.headers["location"] == f"{at}?done=ban"
    (ban,) = world.store.banned
    assert (ban.person, ban.ban.reason) == (ana.id, "insults")
    again = await olga.fill(f"{at}/ban", reason="insults", hours="24")
    assert (again.status_code, "already" in again.text) == (400, True)
    world.store.now += timedelta(seconds=1)
    assert (await olga.fill(f"{at}/let-in", reason="a mistake")).status_code == 303
    assert (await olga.fill(f"{at}/let-in", reason="a mistake")).status_code == 400
    assert (await olga.fill(f"{at}/ban", reason="x", hours="for-good")).status_code == 303
    assert world.store.banned[-1].ban.until == FOR_EVER
    assert [deed[0] for deed in world.store.deeds()[1:]] == ["ban", "let in", "ban"]


async def test_everybody_is_told_until_it_is_ended(world: World, olga: Clerk) -> None:
    texts = {"pt": "Voltamos já.", "es": "Ya volvemos.", "en": "Back soon."}
    done = await olga.fill("/announcements", **texts, hours="1", reason="a new server")
    assert done.status_code == 303
    (told,) = world.store.told
    assert told.announcement[1:4] == ("Voltamos já.", "Ya volvemos.", "Back soon.")
    assert "Back soon." in await olga.shown("/announcements")
    end = f"/announcements/{told.announcement.id}/end"
    assert (await olga.fill(end, reason="it is up")).status_code == 303
    assert (await olga.fill(end, reason="it is up")).status_code == 400
    assert world.store.told[0].ended_at
    assert [deed[0] for deed in world.store.deeds()[1:]] == ["announce", "end announcement"]


WRONG: list[tuple[str, dict[str, str], str]] = [
    ("/people/{person}/ban", {"hours": "24"}, "the reason has to be one line"),
    ("/people/{person}/ban", {"hours": "24", "reason": " "}, "the reason has to be"),
    ("/people/{person}/ban", {"hours": "24", "reason": "x" * 201}, "1 to 200"),
    ("/people/{person}/ban", {"hours": "24", "reason": "a\0b"}, "one line"),
    ("/people/{person}/ban", {"hours": "25", "reason": "x"}, "for how long"),
    ("/people/01ARZ3NDEKTSV4RRFFQ69G5FAV/ban", {"hours": "1", "reason": "x"}, "no such"),
    ("/announcements", {"pt": "x", "es": "x", "hours": "1", "reason": "x"}, "in English"),
    (
        "/announcements",
        {"pt": "x", "es": "x", "en": "x", "hours": "for-good", "reason": "x"},
        "has an end",
    ),
    ("/championships/{person}/cancel", {}, "the reason"),
]


async def test_a_form_that_is_wrong_does_nothing_and_says_why(world: World, olga: Clerk) -> None:
    ana, form = world.add("Ana"), await olga.form()
    for path, fields, words in WRONG:
        answer = await olga.fill(path.format(person=ana.id), form, **fields)
        assert answer.status_code == 400
        assert words in answer.text
    assert len(world.store.audit) == 1
    assert not world.store.banned
    assert not world.store.told


async def test_the_audit_log_is_shown_with_who_and_from_where(world: World, olga: Clerk) -> None:
    ana = world.add("Ana")
    olga.http.headers["x-forwarded-for"] = "203.0.113.9"
    await olga.fill(f"/people/{ana.id}/ban", reason="insults", hours="1")
    text = await olga.shown("/audit")
    for words in ("Olga", "insults", "203.0.113.9", f'href="/people/{ana.id}">Ana'):
        assert words in text
    assert "insults" not in await olga.shown("/audit?before=2")
    assert "insults" in await olga.shown("/"), "the newest ones are on the first page"


async def test_pages_do_without_services_that_are_away(world: World, olga: Clerk) -> None:
    ana = world.add("Ana")
    table = world.open_table("the table is opened")
    world.shelf.is_away = True
    await world.cups.replicas[0].stop()
    assert "The archive does not answer" in await olga.shown(f"/people/{ana.id}")
    assert "The tournament service does not answer" in await olga.shown("/")
    answer = await olga.http.get(f"/tables/{table}")
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
    done = await olga.fill(f"/championships/{new_id()}/cancel", reason="x")
    assert done.status_code == 503
    assert world.store.deeds()[-1][2] == "refused: TRY_LATER"
