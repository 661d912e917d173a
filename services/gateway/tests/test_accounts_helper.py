"""How bots and tests sign in: `laelo_tools.accounts`."""

import asyncio

import pytest
from laelo_gateway.accounts.site import Site
from laelo_gateway.accounts.wiring import development
from laelo_gateway.testing.gateway import Signing, gateway_of
from laelo_tools.accounts import sign_in
from laelo_tools.errors import LaeloError


async def test_many_sign_in_at_once_and_are_found_again() -> None:
    async with gateway_of([]) as gateway:
        url = f"http://127.0.0.1:{gateway.port}"
        names = [f"Jogador {n}" for n in range(48)]
        cookies = await asyncio.gather(*(sign_in(url, name, name) for name in names))
        again = await sign_in(url, names[0], names[0])
        assert len({*cookies, again}) == 49
        for cookie, name in ((cookies[0], names[0]), (again, names[0]), (cookies[47], names[47])):
            player = await gateway.connect(additional_headers={"cookie": cookie})
            me = (await player.ask("hello", d={"proto": 1}))["d"]["me"]
            assert (me["name"], me["guest"]) == (name, False)


async def test_why_one_cannot_sign_in_is_said() -> None:
    async with gateway_of([]) as gateway:
        url = f"http://127.0.0.1:{gateway.port}"
        await sign_in(url, "ana", "Ana")
        with pytest.raises(LaeloError, match="cannot be had"):
            await sign_in(url, "bia", "Ana")
        with pytest.raises(LaeloError, match="Say who you are"):
            await sign_in(url, "", "Carla")
    with pytest.raises(LaeloError, match="cannot be reached"):
        await sign_in(url, "ana", "Ana")
    doors = development(Site())._replace(provider=None, issuer=None)
    async with gateway_of([], signing=Signing(doors)) as gateway:
        with pytest.raises(LaeloError, match="local mode only"):
            await sign_in(f"http://127.0.0.1:{gateway.port}", "ana", "Ana")
