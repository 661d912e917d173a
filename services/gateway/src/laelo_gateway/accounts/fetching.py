"""Requests to the issuer: JSON, small and soon, or TRY_LATER."""

import re
from typing import Any, Final, NamedTuple

import httpx
import msgspec
from laelo_common.errors import Code, LaeloError

TIMEOUT_SECONDS: Final = 5.0
LARGEST: Final = 256 * 1024

_MAX_AGE: Final = re.compile(r"(?:^|[\s,])max-age=(\d{1,9})")


class Answer(NamedTuple):
    """What was answered, with a status below 500."""

    status: int
    body: dict[str, Any]
    max_age: float
    """Seconds for which it may be kept; 0 if nothing was said of that."""


async def ask_json(client: httpx.AsyncClient, method: str, url: str, **request: Any) -> Answer:
    """Ask for a JSON object. Raises LaeloError with TRY_LATER if there is none."""
    try:
        async with client.stream(method, url, timeout=TIMEOUT_SECONDS, **request) as response:
            body = await _read(response)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        words = f"the sign-in service is out of reach ({type(error).__name__})"
        raise LaeloError(Code.TRY_LATER, words) from error
    if response.status_code >= 500 or response.status_code == 429:
        words = f"the sign-in service answers with {response.status_code}"
        raise LaeloError(Code.TRY_LATER, words)
    try:
        decoded = msgspec.json.decode(body, type=dict[str, Any])
    except msgspec.DecodeError as error:
        raise LaeloError(Code.TRY_LATER, "the sign-in service answers with no JSON") from error
    found = _MAX_AGE.search(response.headers.get("cache-control", ""))
    return Answer(response.status_code, decoded, float(found[1]) if found else 0.0)


async def _read(response: httpx.Response) -> bytes:
    body = b""
    async for part in response.aiter_bytes():
        body += part
        if len(body) > LARGEST:
            raise LaeloError(Code.TRY_LATER, "the sign-in service answers with too much")
    return body
