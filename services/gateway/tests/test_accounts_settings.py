"""With whom people can sign in, by the settings; and what is refused before anything starts."""

import asyncio
import os
import sys
from typing import Any

import pytest
from laelo_common.runtime import SetupError
from laelo_common.settings import load
from laelo_gateway.accounts.development import DevelopmentIssuer
from laelo_gateway.accounts.id_token import GOOGLE
from laelo_gateway.accounts.wiring import Doors, doors_of
from laelo_gateway.settings import GatewaySettings

GOOGLES = {"GOOGLE_CLIENT_ID": "us", "GOOGLE_CLIENT_SECRET": "hush"}
PUBLIC = {"PUBLIC_URL": "https://Play.Example/"}


async def doors(**given: str) -> Doors:
    settings = {"TABLE_ADDRESSES": "a:1", "PG_DSN": "postgresql://nowhere/x", **given}
    environ = {f"LAELO_GATEWAY_{name}": value for name, value in settings.items()}
    made = doors_of(load(GatewaySettings, "gateway", environ))
    if made.provider is not None:
        await made.provider.close()
    return made


async def test_a_client_of_googles_makes_google_the_provider() -> None:
    made = await doors(**GOOGLES, **PUBLIC)
    assert made.provider is not None
    assert (made.provider.kind, made.provider.issuer, made.issuer) == ("google", GOOGLE, None)
    assert made.site.public_url == "https://play.example"
    assert made.site.is_secure
    assert (await doors(**GOOGLES, **PUBLIC, LOCAL="true")).issuer is None


async def test_the_development_provider_is_there_on_one_machine_only() -> None:
    made = await doors(LOCAL="true")
    assert made.provider is not None
    assert made.provider.kind == "development"
    assert isinstance(made.issuer, DevelopmentIssuer)
    for more in ({}, PUBLIC, {"LOCAL": "false"}):
        made = await doors(**more)
        assert (made.provider, made.issuer) == (None, None)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (GOOGLES, "PUBLIC_URL"),
        ({"GOOGLE_CLIENT_ID": "us", **PUBLIC}, "GOOGLE_CLIENT_SECRET"),
        ({**GOOGLES, "GOOGLE_CLIENT_SECRET": "", **PUBLIC}, "GOOGLE_CLIENT_SECRET"),
        ({**GOOGLES, "PUBLIC_URL": "http://play.example"}, "LOCAL=true"),
        ({**GOOGLES, "PUBLIC_URL": "play.example"}, "https://example.org"),
        ({**GOOGLES, "PUBLIC_URL": "https://play.example/game"}, "https://example.org"),
        ({**GOOGLES, **PUBLIC, "ISSUER": "http://issuer.example"}, "ISSUER"),
        ({"PUBLIC_URL": "ftp://play.example", "LOCAL": "true"}, "https://example.org"),
        ({"PUBLIC_URL": "https://[play.example"}, "https://example.org"),
    ],
)
async def test_settings_that_would_not_be_safe_are_refused(
    given: dict[str, str], words: str
) -> None:
    with pytest.raises(SetupError, match=words) as refused:
        await doors(**given)
    assert "hush" not in str(refused.value)


@pytest.mark.integration
async def test_a_process_says_so_and_shows_no_secret() -> None:
    environ: dict[str, Any] = {k: v for k, v in os.environ.items() if "LAELO" not in k}
    given = {**GOOGLES, "TABLE_ADDRESSES": "127.0.0.1:1", "PG_DSN": "postgresql://u@127.0.0.1:1/x"}
    environ |= {f"LAELO_GATEWAY_{name}": value for name, value in given.items()}
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "laelo_gateway.main", env=environ, stderr=asyncio.subprocess.PIPE
    )
    _, errors = await process.communicate()
    assert process.returncode == 1
    assert "LAELO_GATEWAY_PUBLIC_URL" in errors.decode()
    assert "hush" not in errors.decode()
    assert "Traceback" not in errors.decode()
