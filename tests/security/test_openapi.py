"""docs/openapi.json is what the code says, and has every route of the gateway and no other."""

import json
from pathlib import Path
from typing import Any

import httpx
import pytest
from laelo_gateway import openapi
from laelo_gateway.testing.gateway import gateway_of
from starlette.applications import Starlette
from starlette.routing import Route

ROOT = Path(__file__).resolve().parents[2]
KEPT = ROOT / "docs/openapi.json"
ANSWERS = {"200", "303"}
OTHERS = {"page", "answer_elsewhere"}
"""The page at all other addresses, and nothing at those that are no page's."""
IMPLIED = {"HEAD"}


def routes(app: Any) -> set[tuple[str, str]]:
    """Methods and paths of an application, the development provider's excepted."""
    while not isinstance(app, Starlette):
        app = app._app
    found = set()
    for route in app.routes:
        if not isinstance(route, Route) or route.endpoint.__name__ in OTHERS:
            continue

        found |= {(method, route.path) for method in (route.methods or set()) - IMPLIED}
    return found


def test_the_document_is_what_the_code_says() -> None:
    assert KEPT.read_text("utf-8") == openapi.page(), (
        "run `python -m laelo_gateway.openapi > docs/openapi.json`"
    )


async def test_it_has_every_route_and_no_other() -> None:
    async with gateway_of([]) as gateway:
        served = routes(gateway.http._server.config.app)
    documented = {(one.method.upper(), one.path) for one in openapi.OPERATIONS}
    assert documented == served


def test_everything_in_it_can_be_found() -> None:
    text = KEPT.read_text("utf-8")
    made = json.loads(text)
    names = made["components"]["schemas"]
    for part in text.split('"#/components/schemas/')[1:]:
        assert part.partition('"')[0] in names
    ids = [one["operationId"] for path in made["paths"].values() for one in path.values()]
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("one", openapi.OPERATIONS, ids=lambda one: f"{one.method} {one.path}")
def test_every_operation_says_what_it_gives_and_refuses(one: openapi.Operation) -> None:
    answers = json.loads(KEPT.read_text("utf-8"))["paths"][one.path][one.method]["responses"]
    assert ANSWERS & set(answers)
    if one.path.startswith("/api/"):
        assert {"429", "503"} <= set(answers)


async def test_no_page_asks_the_gateway_for_it() -> None:
    """It is for people who write programs, who have the repository."""
    async with (
        gateway_of([]) as gateway,
        httpx.AsyncClient(base_url=f"http://127.0.0.1:{gateway.port}") as http,
    ):
        assert (await http.get("/api/openapi.json")).status_code == 404
