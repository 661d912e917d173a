"""Nobody without the role gets anything of the console, whatever they ask for and however."""

from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laelo_common.ids import new_id
from laelo_gateway.accounts.store import Identity
from laelo_gateway.console.markup import el, text
from laelo_gateway.console.pages import ConsolePages
from laelo_gateway.console.store import Operator
from laelo_gateway.console.views.single import linked
from starlette.routing import Route

from .console_kit import OLGA, Clerk, World, consoles

NOTHING = "This is for the people who run the house."


class Open:
    """Stands where the guard does, to see what is behind it."""

    def reading(self, handler: Any) -> Any:
        return handler

    doing = reading


def routes() -> Iterator[tuple[str, str]]:
    """Method and path of everything that is behind the guard."""
    pages = ConsolePages(None, Open(), None)  # type: ignore[arg-type]
    for route in pages.routes():
        assert isinstance(route, Route)
        for method in sorted((route.methods or set()) - {"HEAD"}):
            path = route.path.replace("{path:path}", "nowhere/at/all")
            for name in route.param_convertors:
                path = path.replace(f"{{{name}}}", new_id())
            yield method, path


ROUTES = list(routes())
FORMS = [path for method, path in ROUTES if method == "POST"]


@pytest.fixture
async def world() -> AsyncIterator[World]:
    async with consoles() as world:
        yield world


async def is_shut(clerk: Clerk, **headers: str) -> None:
    """This browser gets nothing but the way in, and nothing is done."""
    for method, path in ROUTES:
        answer = await clerk.http.request(
            method, path, data={"form": "0" * 64, "reason": "x", "hours": "1"}, headers=headers
        )
        assert answer.status_code == 401, (method, path)
        assert NOTHING in answer.text
        assert answer.headers["cache-control"] == "no-store"


def test_there_is_something_to_guard() -> None:
    assert len(ROUTES) >= 16
    assert {path for _, path in ROUTES} >= {"/", "/audit", "/announcements", "/sign-out"}


async def test_who_is_not_signed_in_gets_nothing(world: World) -> None:
    clerk = await world.browser()
    await is_shut(clerk)
    clerk.http.cookies.set("laelo_console_session", "x" * 500)
    await is_shut(clerk)
    clerk.http.cookies.set("laelo_console_session", "guessed")
    await is_shut(clerk, origin=clerk.base)
    assert not world.store.audit


async def test_who_has_no_role_does_not_even_get_in(world: World) -> None:
    clerk = await world.browser()
    answer = await clerk.sign_in("mallory")
    assert answer.status_code == 403
    assert "no operator" in answer.text
    assert not clerk.http.cookies
    await is_shut(clerk)
    assert not world.store.sessions


async def test_a_session_of_the_site_is_worth_nothing_here(world: World) -> None:
    olga = await world.operator()
    token = olga.http.cookies["laelo_console_session"]
    other = await world.browser()
    other.http.cookies.set("laelo_session", token)
    await is_shut(other)


async def test_a_role_that_is_taken_away_is_gone_at_once(world: World) -> None:
    olga = await world.operator()
    form = await olga.form()
    del world.store.operators[OLGA]
    before = len(world.store.audit)
    await is_shut(olga)
    done = await olga.fill("/announcements", form, pt="x", es="x", en="x", hours="1", reason="x")
    assert done.status_code == 401
    assert len(world.store.audit) == before


async def test_who_signs_out_is_out(world: World) -> None:
    olga = await world.operator()
    token = olga.http.cookies["laelo_console_session"]
    assert (await olga.fill("/sign-out")).status_code == 303
    olga.http.cookies.set("laelo_console_session", token)
    await is_shut(olga)
    assert [deed[0] for deed in world.store.deeds()] == ["sign in", "sign out"]


async def test_signing_in_anew_ends_the_session_before(world: World) -> None:
    olga = await world.operator()
    token = olga.http.cookies["laelo_console_session"]
    await olga.sign_in("olga")
    assert olga.http.cookies["laelo_console_session"] != token
    other = await world.browser()
    other.http.cookies.set("laelo_console_session", token)
    await is_shut(other)


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:1", None])
async def test_a_form_of_another_site_is_refused(world: World, origin: str | None) -> None:
    olga = await world.operator()
    form = await olga.form()
    headers = {} if origin is None else {"origin": origin}
    for path in FORMS:
        data = {"form": form, "reason": "x", "hours": "1"}
        answer = await olga.http.post(path, data=data, headers=headers)
        if "nowhere" not in path:
            assert (answer.status_code, "page of this site" in answer.text) == (400, True)
    assert len(world.store.audit) == 1


async def test_a_form_of_another_session_is_refused(world: World) -> None:
    olga = await world.operator()
    world.store.operators[Identity(OLGA.issuer, "otto")] = Operator(new_id(), "Otto")
    otto = await world.browser()
    await otto.sign_in("otto")
    for form in ("", "0" * 64, "ç", await otto.form()):
        for path in FORMS:
            answer = await olga.fill(path, form, reason="x", hours="1")
            if "nowhere" not in path:
                assert (answer.status_code, "of this session" in answer.text) == (400, True)
    assert len(world.store.audit) == 2


async def test_a_form_that_is_too_long_is_not_read(world: World) -> None:
    olga = await world.operator()
    answer = await olga.fill("/announcements", pt="x" * 9000)
    assert (answer.status_code, "at most" in answer.text) == (400, True)


async def test_nobody_is_known_while_the_store_is_away(world: World) -> None:
    olga = await world.operator()
    world.store.is_away = True
    for method, path in ROUTES:
        answer = await olga.http.request(method, path, headers={"origin": olga.base})
        assert answer.status_code == 503
        assert answer.headers["cache-control"] == "no-store"


async def test_cookies_and_headers_are_strict(world: World) -> None:
    clerk = await world.browser()
    begun = await clerk.http.get("/auth/sign-in")
    for cookie in begun.headers.get_list("set-cookie"):
        assert "HttpOnly" in cookie
        assert "SameSite=lax" in cookie
    olga = await world.operator()
    for path in ("/", "/audit", "/style.css", "/nowhere", "/auth/sign-in"):
        headers = (await olga.http.get(path)).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "script-src" not in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["x-content-type-options"] == "nosniff"
        if path != "/style.css":
            assert headers["cache-control"] == "no-store"
    assert "<script" not in await olga.shown("/")


async def test_many_forms_at_once_are_too_many(world: World) -> None:
    olga = await world.operator()
    form = await olga.form()
    statuses = [(await olga.fill("/announcements", form)).status_code for _ in range(40)]
    assert 429 in statuses


@given(st.text())
def test_no_text_becomes_markup_by_itself(words: str) -> None:
    told = el("p", words, title=words)
    assert told.count("<") == 2
    assert told.count(">") == 2
    assert told.count('"') == 2
    assert text(text(words)) == text(words)


@given(st.text(), st.text())
def test_no_line_of_a_story_becomes_markup(before: str, name: str) -> None:
    known = new_id()
    told = linked(f"{before}\0{known}", {known: name})
    assert told.count("<") == 2
    assert f"/people/{known}" in told
