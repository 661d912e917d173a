"""Signing in as a person does, at a gateway that offers the development provider.

    cookie = await sign_in("http://127.0.0.1:8080", "bot-7", "Robinson")

The cookie is a whole Cookie header, for HTTP as for the upgrade of the WebSocket.
"""

from typing import Any, Final
from urllib.parse import parse_qsl, urlsplit

import httpx

from laelo_tools.errors import LaeloError

PATIENCE_SECONDS: Final = 20.0


async def sign_in(url: str, subject: str, name: str) -> str:
    """The cookie of a new session of the account `subject`, under the nickname `name`. Raises
    LaeloError.
    """
    try:
        async with httpx.AsyncClient(
            base_url=url, trust_env=False, timeout=PATIENCE_SECONDS
        ) as http:
            account = await _account(http)
            if account["provider"] != "development":
                raise LaeloError(f"{url} has no development sign-in: it runs in local mode only.")
            await _walk(http, subject)
            await _take_name(http, url, name)
            return "; ".join(f"{cookie}={value}" for cookie, value in http.cookies.items())
    except httpx.HTTPError as error:
        raise LaeloError(f"{url} cannot be reached ({error!r}): does it run?") from error


async def _walk(http: httpx.AsyncClient, subject: str) -> None:
    """Away to the issuer, there say who one is, and back."""
    begun = await http.get("/auth/sign-in")
    there = _next(begun, subject)
    # What the page's form would send back is what the address asks for.
    asked = dict(parse_qsl(urlsplit(there).query))
    said = await http.post(there.partition("?")[0], data={**asked, "subject": subject})
    _next(await http.get(_next(said, subject)), subject)


async def _take_name(http: httpx.AsyncClient, url: str, name: str) -> None:
    if (await _account(http))["name"] == name:
        return
    parts = urlsplit(url)
    headers = {"origin": f"{parts.scheme}://{parts.netloc}"}
    answer = await http.post("/api/account/name", json={"name": name}, headers=headers)
    if answer.status_code != 200:
        raise LaeloError(f"The nickname {name!r} cannot be had: {answer.json()['reason']}.")


async def _account(http: httpx.AsyncClient) -> dict[str, Any]:
    answer = await http.get("/api/account")
    if answer.status_code != 200:
        raise LaeloError(f"The gateway does not say who one is: {answer.status_code}.")
    account: dict[str, Any] = answer.json()
    return account


def _next(answer: httpx.Response, subject: str) -> str:
    """Where a step of the sign-in leads to."""
    if answer.status_code != 303:
        raise LaeloError(f"{subject!r} cannot sign in: {answer.status_code} {answer.text[-200:]}")
    return answer.headers["location"]
