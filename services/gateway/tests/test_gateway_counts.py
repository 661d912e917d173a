"""What the gateway counts: refusals by code, answers by status, and whose fault it was."""

import httpx
import pytest
from laelo_common.errors import Code
from laelo_common.metrics import Metrics
from laelo_gateway.answered import Answered
from laelo_gateway.counts import OURS, TEXTS, Counts
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route


def shown(counts: Counts) -> str:
    metrics = Metrics()
    counts.register(metrics)
    return metrics.text()


def test_every_code_has_a_series_from_the_first_moment() -> None:
    text = shown(Counts())
    for code in Code:
        assert f'laelo_gateway_refused_total{{code="{code.value}"}} 0\n' in text
    for name in TEXTS:
        assert f"laelo_gateway_{name}_total 0\n" in text


def test_what_is_refused_counts_under_its_code_whether_as_a_word_or_not() -> None:
    counts = Counts()
    counts.refuse(Code.TOO_FAST)
    counts.refuse("TOO_FAST")
    counts.refuse(Code.SIGN_IN)
    text = shown(counts)
    assert 'laelo_gateway_refused_total{code="TOO_FAST"} 2\n' in text
    assert 'laelo_gateway_refused_total{code="SIGN_IN"} 1\n' in text


def test_no_refusal_by_the_rules_is_our_fault() -> None:
    assert Code.TILE_DOES_NOT_FIT not in OURS
    assert Code.TOO_FAST not in OURS
    assert set(OURS) == {Code.INTERNAL, Code.TRY_LATER, Code.OVERLOADED}


async def test_answers_count_by_the_class_of_their_status() -> None:
    counts = Counts()

    async def page(request: Request) -> Response:
        if request.path_params["what"] == "breaks":
            raise RuntimeError
        return PlainTextResponse("", int(request.path_params["what"]))

    app = Answered(Starlette(routes=[Route("/{what}", page)]), counts)
    way = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=way, base_url="http://here") as client:
        for status in (200, 204, 304, 404, 503):
            assert (await client.get(f"/{status}")).status_code == status
        with pytest.raises(RuntimeError):
            await client.get("/breaks")
    assert counts.answered == {1: 0, 2: 2, 3: 1, 4: 1, 5: 2}
