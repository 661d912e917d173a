"""`/auth/bots`: the page on which one makes and revokes bots. Plain forms, no script."""

import html
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, NamedTuple
from urllib.parse import parse_qs

from laelo_common.errors import Code, LaeloError
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route

from laelo_gateway.accounts.pages import NOT_KEPT, SIGN_IN
from laelo_gateway.accounts.site import Site
from laelo_gateway.accounts.words import language_of
from laelo_gateway.answers import STATUS
from laelo_gateway.bodies import read_body
from laelo_gateway.bots.desk import Bots, Made
from laelo_gateway.bots.store import Bot
from laelo_gateway.bots.words import WORDS
from laelo_gateway.domain.bucket import Buckets
from laelo_gateway.domain.commands import Person

BOTS: Final = "/auth/bots"
LARGEST: Final = 1024

_STYLE: Final = """\
body { font: 1.05rem/1.5 system-ui, sans-serif; margin: 0; background: #f6f1e7; color: #222 }
main { margin: 2rem auto; max-width: 34rem; padding: 0 1rem }
ul { padding: 0; list-style: none }
form { display: flex; flex-wrap: wrap; gap: .5rem; align-items: end; margin: .75rem 0 }
li form { justify-content: space-between; align-items: center }
label { display: grid; flex: 1 1 12rem }
input, button { font: inherit; padding: .5rem .75rem; min-height: 2.75rem; box-sizing: border-box }
code { overflow-wrap: anywhere }
.told { padding: .75rem; border: 2px solid }
@media (prefers-color-scheme: dark) {
  body { background: #1d1a17; color: #f2ebdf }
  a { color: #9cc4ff }
}
"""
_PAGE: Final = """<!doctype html><html lang="{language}"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>{title} · Lá e Lô</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="{at}/style.css">
<main><h1>{title}</h1>{parts}<p><a href="/">{home}</a></p></main>
"""

Whose = Callable[[Request], Awaitable[Person | None]]
"""Who asks, if they are signed in. Raises LaeloError."""


class Door(NamedTuple):
    """Where requests come from, and how many may."""

    site: Site
    limit: Buckets
    whose: Whose


class BotPages:
    """What changes anything has to come from a page of this site."""

    def __init__(self, bots: Bots, door: Door) -> None:
        self._bots = bots
        self._door = door

    def routes(self) -> list[BaseRoute]:
        """Where everything is."""
        return [
            Route(BOTS, self.answer, methods=["GET", "POST"]),
            Route(f"{BOTS}/style.css", _style),
        ]

    async def answer(self, request: Request) -> Response:
        """The page; what was asked for by one of its forms is done before."""
        words = WORDS[language_of(request.headers.get("accept-language", ""))]
        try:
            self._door.site.limit(request, self._door.limit)
            owner = await self._door.whose(request)
            if owner is None:
                return _page(request, _invitation(words), 401)
            done = await self._done(request, owner) if request.method == "POST" else None
            return _page(request, _parts(words, await self._bots.of(owner), done))
        except LaeloError as error:
            text = f"<p><b>{words['refused']}</b>: {html.escape(error.message)}</p>"
            back = f'<p><a href="{BOTS}">{words["title"]}</a></p>'
            return _page(request, text + back, STATUS.get(error.code, 500))

    async def _done(self, request: Request, owner: Person) -> Made | None:
        """Do what a form asks for. Raises LaeloError."""
        if not self._door.site.is_own_page(request):
            raise LaeloError(Code.BAD_REQUEST, "only a page of this site may ask for this (Origin)")
        form = await _form(request)
        if bot := form.get("revoke"):
            await self._bots.revoke(owner, bot)
            return None
        return await self._bots.make(owner, form.get("name", ""))


async def _style(_: Request) -> Response:
    return Response(_STYLE, media_type="text/css")


async def _form(request: Request) -> dict[str, str]:
    body = await read_body(request, LARGEST)
    fields = parse_qs(body.decode(errors="replace"), keep_blank_values=True)
    return {name: values[-1] for name, values in fields.items()}


def _page(request: Request, parts: str, status: int = 200) -> Response:
    language = language_of(request.headers.get("accept-language", ""))
    words = WORDS[language]
    text = _PAGE.format(
        language=language, title=words["title"], parts=parts, home=words["home"], at=BOTS
    )
    return HTMLResponse(text, status, NOT_KEPT)


def _invitation(words: dict[str, str]) -> str:
    at = f"{SIGN_IN}?back={BOTS}"
    return f'<p>{words["sign_in"]}</p><p><a href="{at}">{words["enter"]}</a></p>'


def _parts(words: dict[str, str], bots: Sequence[Bot], made: Made | None) -> str:
    told = ""
    if made is not None:
        label = words["token"].format(name=html.escape(made.name))
        told = f'<p class="told" role="status">{label}<br><code>{made.token}</code></p>'
    rows = "".join(_row(words, bot) for bot in bots) or f"<li>{words['none']}</li>"
    return (
        f"<p>{words['lead']}</p>{told}<ul>{rows}</ul>"
        f'<form method="post" action="{BOTS}"><label>{words["name"]}'
        f'<input name="name" required maxlength="14" autocomplete="off"></label>'
        f"<button>{words['make']}</button></form>"
    )


def _row(words: dict[str, str], bot: Bot) -> str:
    name = html.escape(bot.name)
    return (
        f'<li><form method="post" action="{BOTS}"><b>{name}</b>'
        f'<button name="revoke" value="{html.escape(bot.id)}"'
        f' aria-label="{words["revoke"]}: {name}">{words["revoke"]}</button></form></li>'
    )
