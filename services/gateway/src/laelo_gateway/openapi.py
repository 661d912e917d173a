"""The gateway's HTTP interface as an OpenAPI document, from the types that it decodes and encodes.

    python -m laelo_gateway.openapi > docs/openapi.json

A test compares it with the routes, both ways. What is not in it: files of the page, which are
whatever was built, the WebSocket (docs/protocol.md), and the development provider.
"""

import json
from collections.abc import Iterable
from typing import Any, Final, NamedTuple

import msgspec
from laelo_common.errors import Code
from laelo_common.wire import championship, http, replay, server

from laelo_gateway.accounts.api import Account, SignOut, Wanted
from laelo_gateway.accounts.preferences import Merge, Preferences
from laelo_gateway.answers import STATUS

Schema = dict[str, Any]

JSON: Final = "application/json"
HTML: Final = "text/html; charset=utf-8"
TEXT: Final = "text/plain; charset=utf-8"
FORM: Final = "application/x-www-form-urlencoded"
ID: Final[Schema] = {"type": "string", "pattern": "^[0-7][0-9A-HJKMNP-TV-Z]{25}$"}
NUMBER: Final[Schema] = {"type": "string", "pattern": "^[1-9][0-9]{0,5}$"}
WEEK: Final[Schema] = {"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"}
_REF: Final = "#/components/schemas/{name}"
_ALWAYS: Final = {Code.TOO_FAST: 429, Code.TRY_LATER: 503}
_CHANGING: Final = {403: "another site's page asks", 415: "the body is not JSON"}


class Parameter(NamedTuple):
    """One that is named in the address."""

    name: str
    where: str
    schema: Schema
    text: str


class Operation(NamedTuple):
    """What one method of one address does."""

    method: str
    path: str
    text: str
    gives: Any = None
    """The type of the answer with status 200, as JSON."""
    parameters: tuple[Parameter, ...] = ()
    takes: Any = None
    """The type of the body, as JSON."""
    refusals: tuple[Code, ...] = ()
    others: dict[int, str] = {}  # noqa: RUF012 - nobody changes it
    """More statuses, and what they say."""
    media: str = JSON
    who: tuple[str, ...] = ()
    """How who asks is known: session, token."""
    form: Schema | None = None
    """The fields of a form in the body."""


_CODE: Final = Parameter("code", "path", {"type": "string"}, "six of A-Z and 2-9 without O and I")
_TABLE: Final = Parameter("table", "path", ID, "the table's id")
_MATCH: Final = Parameter("match", "path", NUMBER, "number of the match at the table")
_SINCE: Final = Parameter("week", "query", WEEK, "a Monday in Recife")
_REPLAY: Final = (Code.BAD_REQUEST, Code.NOT_SEATED, Code.UNKNOWN_MATCH)
_BOTH: Final = ("session", "token")
_OWN: Final = ("session",)
_PAGE: Final = {400: "a page that says why", 429: "too many requests", 503: "try later"}

OPERATIONS: Final = (
    Operation("get", "/livez", "Whether the process lives.", media=TEXT),
    Operation(
        "get", "/readyz", "Whether people should be sent here.", media=TEXT,
        others={503: "why not"},
    ),
    Operation("get", "/version.json", "Build of the page, and protocol.", dict[str, str | int]),
    Operation(
        "get", "/api/tables/{code}", "The table behind a code.", server.Found, (_CODE,),
        refusals=(Code.BAD_REQUEST, Code.UNKNOWN_TABLE),
    ),
    Operation("get", "/api/championships", "Running and past ones.", http.Championships),
    Operation(
        "get", "/api/brackets/{id}", "One championship.", championship.Bracket,
        (Parameter("id", "path", ID, "its id"),), refusals=(Code.UNKNOWN_CHAMPIONSHIP,), who=_OWN,
    ),
    Operation(
        "get", "/api/ranking", "The ranking of a week.", http.Ranking, (_SINCE,),
        refusals=(Code.BAD_REQUEST,), who=_OWN,
    ),
    Operation(
        "get", "/api/history", "One's own matches.", replay.History,
        (
            Parameter("partner", "query", ID, "the partner of a row"),
            Parameter("kind", "query", {"enum": ["friendly", "championship"]}, "of the match"),
            _SINCE,
            Parameter("before", "query", {"type": "string", "pattern": "^[0-9A-Za-z_-]{0,120}$"},
                      "the `next` of the answer before"),
        ),
        refusals=(Code.BAD_REQUEST, Code.SIGN_IN), who=_BOTH,
    ),
    Operation(
        "get", "/api/replays/{table}/{match}", "A match, hand by hand.", replay.Replay,
        (_TABLE, _MATCH, Parameter("hand", "query", NUMBER, "not before this hand is there")),
        refusals=_REPLAY, who=_BOTH,
    ),
    Operation(
        "get", "/api/replays/{table}/{match}/judgement", "What the strong bot thinks of it.",
        replay.Judgement, (_TABLE, _MATCH), refusals=_REPLAY, who=_BOTH,
    ),
    Operation(
        "post", "/api/replays/{table}/{match}/judgement", "Have it judged.",
        replay.Judgement, (_TABLE, _MATCH), refusals=_REPLAY, who=_BOTH,
    ),
    Operation("get", "/api/account", "Who one is here.", Account, who=_OWN),
    Operation(
        "delete", "/api/account", "Delete the account.", Account, takes=dict[str, Any],
        refusals=(Code.SIGN_IN, Code.IN_CHAMPIONSHIP), others=_CHANGING, who=_OWN,
    ),
    Operation(
        "post", "/api/account/name", "Choose a nickname.", Account, takes=Wanted,
        refusals=(Code.BAD_REQUEST, Code.SIGN_IN, Code.NAME_TAKEN), others=_CHANGING, who=_OWN,
    ),
    Operation(
        "post", "/api/account/settings", "Bring settings of a device, take what is kept.",
        Preferences, takes=Merge, refusals=(Code.BAD_REQUEST, Code.SIGN_IN), others=_CHANGING,
        who=_OWN,
    ),
    Operation(
        "post", "/api/account/sign-out", "End this session, or all.", Account, takes=SignOut,
        refusals=(Code.BAD_REQUEST,), others=_CHANGING, who=_OWN,
    ),
    Operation(
        "get", "/api/account/export", "All that is kept of the person.", dict[str, Any],
        refusals=(Code.SIGN_IN,), who=_OWN,
    ),
    Operation(
        "get", "/auth/sign-in", "Go away to the issuer.", media=HTML,
        parameters=(Parameter("back", "query", {"type": "string"}, "a path to come back to"),),
        others=_PAGE | {303: "there", 404: "there is no sign-in here"},
    ),
    Operation(
        "get", "/auth/callback", "Come back from the issuer.", media=HTML,
        parameters=tuple(
            Parameter(name, "query", {"type": "string"}, "of RFC 6749 or RFC 9207")
            for name in ("state", "code", "iss", "error")
        ),
        others=_PAGE | {303: "signed in", 403: "the issuer is not believed"},
    ),
    Operation(
        "get", "/auth/bots", "The page of one's bots.", media=HTML, who=_OWN,
        others=_PAGE | {401: "sign in first"},
    ),
    Operation(
        "post", "/auth/bots", "Make or revoke a bot.", media=HTML, who=_OWN,
        others=_PAGE | {401: "sign in first"},
        form={"name": {"type": "string"}, "revoke": {"type": "string"}},
    ),
    Operation("get", "/auth/bots/style.css", "Its style.", media="text/css; charset=utf-8"),
)  # fmt: skip


def document() -> Schema:
    """The whole document."""
    kinds = [kind for one in OPERATIONS for kind in (one.gives, one.takes) if kind is not None]
    kinds.append(server.Refused)
    schemas, components = msgspec.json.schema_components(kinds, ref_template=_REF)
    found = dict(zip(map(repr, kinds), schemas, strict=True))
    paths: dict[str, dict[str, Schema]] = {}
    for one in OPERATIONS:
        paths.setdefault(one.path, {})[one.method] = _operation(one, found)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Lá e Lô: the gateway over HTTP",
            "version": "1",
            "description": "Made by `python -m laelo_gateway.openapi`; docs/protocol.md and"
            " docs/accounts.md say more.",
        },
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {
                "session": {"type": "apiKey", "in": "cookie", "name": "laelo_session"},
                "token": {"type": "http", "scheme": "bearer"},
            },
        },
    }


def _operation(one: Operation, found: dict[str, Schema]) -> Schema:
    made: Schema = {
        "operationId": f"{one.method} {one.path}",
        "summary": one.text,
        "responses": _responses(one, found),
    }
    if one.parameters:
        made["parameters"] = [_parameter(parameter) for parameter in one.parameters]
    if one.takes is not None:
        made["requestBody"] = _body(JSON, found[repr(one.takes)])
    if one.form is not None:
        made["requestBody"] = _body(FORM, {"type": "object", "properties": one.form})
    if one.who:
        # Whoever is not known is told what everybody may know, or 401.
        made["security"] = [{}, *({name: []} for name in one.who)]
    return made


def _responses(one: Operation, found: dict[str, Schema]) -> Schema:
    schema = found[repr(one.gives)] if one.gives is not None else {"type": "string"}
    answers: dict[str, Schema] = {"200": _answer("done", one.media, schema)}
    for status, text in one.others.items():
        told = _answer(text, one.media, _schema_of(status, one, found))
        answers[str(status)] = _sent_away(text) if status == 303 else told
    refusals: Iterable[tuple[int, Code]] = [(STATUS[code], code) for code in one.refusals]
    if one.path.startswith("/api/"):
        refusals = [*refusals, *((status, code) for code, status in _ALWAYS.items())]
    for status, code in refusals:
        answers[str(status)] = _answer(code.meaning.text, JSON, found[repr(server.Refused)])
    return dict(sorted(answers.items()))


def _schema_of(status: int, one: Operation, found: dict[str, Schema]) -> Schema:
    is_refusal = one.media == JSON and status >= 400
    return found[repr(server.Refused)] if is_refusal else {"type": "string"}


def _answer(text: str, media: str, schema: Schema) -> Schema:
    return {"description": text, "content": {media: {"schema": schema}}}


def _sent_away(text: str) -> Schema:
    return {"description": text, "headers": {"Location": {"schema": {"type": "string"}}}}


def _body(media: str, schema: Schema) -> Schema:
    return {"required": True, "content": {media: {"schema": schema}}}


def _parameter(parameter: Parameter) -> Schema:
    return {
        "name": parameter.name,
        "in": parameter.where,
        "required": parameter.where == "path",
        "description": parameter.text,
        "schema": parameter.schema,
    }


def page() -> str:
    """`docs/openapi.json`."""
    return json.dumps(document(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    print(page(), end="")
