"""Fixtures of the gateway's tests."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping

import pytest
import uvloop
from laelo_common.ids import new_id
from laelo_gateway.testing.accounts import Browser
from laelo_gateway.testing.gateway import Gateway, gateway_of


def pytest_asyncio_loop_factories(
    config: pytest.Config,
    item: pytest.Item,
) -> Mapping[str, Callable[[], asyncio.AbstractEventLoop]]:
    """The loop that a gateway runs on."""
    return {"uvloop": uvloop.new_event_loop}


@pytest.fixture
def table_id() -> str:
    """A table that nobody has opened."""
    return new_id()


@pytest.fixture
async def gateway() -> AsyncIterator[Gateway]:
    """A gateway without tables."""
    async with gateway_of([]) as gateway:
        yield gateway


@pytest.fixture
async def ana(gateway: Gateway) -> AsyncIterator[Browser]:
    """The browser of somebody who is signed in there."""
    browser = Browser(f"http://127.0.0.1:{gateway.port}")
    await browser.sign_in("ana")
    yield browser
    await browser.close()
