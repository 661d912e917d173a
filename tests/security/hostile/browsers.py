"""The attack on HTTP: requests of all kinds, some of which are hardly any."""

import asyncio
from random import Random
from typing import Final, NamedTuple

from tests.security.hostile.tally import Tally
from tests.security.hostile.values import TEXTS, damaged, odd, written

PATIENCE: Final = 120.0
MOMENT: Final = 0.5
"""For what may be only a part of a request, which the server rightly waits for the rest of."""
_STRICT: Final = (b"content-security-policy", b"x-content-type-options", b"referrer-policy")
_METHODS: Final = (
    ("GET",) * 8 + ("POST",) * 5 + ("HEAD", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "X" * 40)
)
_PATHS: Final = (
    "/", "/index.html", "/version.json", "/livez", "/readyz", "/api/tables/{code}", "/api/account",
    "/api/championships", "/api/brackets/{id}", "/api/ranking?week={text}", "/api/account/name",
    "/api/history?kind={text}&before={text}", "/api/history?partner={id}&week={text}",
    "/api/replays/{id}/{number}?hand={number}", "/api/replays/{id}/{number}/judgement",
    "/api/account/settings", "/api/account/sign-out", "/api/account/export", "/auth/bots",
    "/auth/sign-in?back={text}", "/auth/callback?state={text}&code={text}&iss={text}",
    "/auth/callback?error={text}", "/auth/bots/style.css", "/dev/issuer/authorize?client_id={text}",
    "/dev/issuer/token", "/dev/issuer/keys", "/assets/{text}", "/{text}", "/ws", "/metrics",
    "/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/..%2f..%2fetc/passwd", "//evil.example/",
    "/assets/..%5c..%5cpyproject.toml", "/%00", "/index.html%00.png", "/.git/config", "*",
    "http://evil.example/api/account", "/%ff%fe", "/%zz", "/api/tables/%F0%9F%98%80%0d%0aX:y",
)  # fmt: skip
_BODIES: Final[tuple[dict[str, object], ...]] = (
    {"name": "Nome"},
    {"everywhere": True},
    {"changed": {"dim": True, "lang": "pt", "tiles": "large"}, "otherwise": {"theme": "dark"}},
    {},
)
_WEIRD: Final = (
    "Content-Length: -1", "Content-Length: 99999999999999999999", "Host: evil.example",
    "Content-Length: 5\r\nContent-Length: 6", "Transfer-Encoding: chunked",
    "Transfer-Encoding: chunked\r\nContent-Length: 3", "Transfer-Encoding: gzip, chunked",
    "Expect: 100-continue", "Upgrade: h2c\r\nConnection: Upgrade", "X: " + "y" * 9000,
    "Range: bytes=0-,1-,2-,-1,5-3", "Range: bytes=-99999999999999999999", "If-None-Match: *",
    "If-Modified-Since: Mon, 99 Foo 0000 99:99:99 GMT", "Accept-Encoding: br;q=x,gzip;;",
    "Accept-Language: " + ",".join(f"x{n};q=9" for n in range(80)), " folded: yes", "NoColon",
    "Content-Encoding: gzip", "X-Forwarded-Host: evil.example", "X-Http-Method-Override: DELETE",
    "Authorization: Bearer " + "b" * 3000, "Authorization: Bearer \xff\xfe", "\x00: \x01",
    "Cookie: laelo_session=\x7f\xff; laelo_session=; =; ;;;", "Cookie: " + "a=b; " * 900,
    "Cookie: laelo_sign_in=eyJ9.00", "Cookie: laelo_sign_in=\u0131.\u0131",
)  # fmt: skip
_KINDS: Final = ("application/json",) * 4 + (
    "application/x-www-form-urlencoded",
    "text/plain",
    "",
    "a/b;c=\xff",
)


HUNG_UP: Final = (ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError)


class Answer(NamedTuple):
    """Status and headers; 0 if the server hung up."""

    status: int
    headers: dict[bytes, bytes]
    closes: bool


class Browser:
    """One after the other on a connection, as long as that lasts."""

    def __init__(self, port: int, chance: Random, tally: Tally, cookies: list[str]) -> None:
        self._port = port
        self._chance = chance
        self._tally = tally
        self._cookies = cookies
        """Of sessions that are good."""

    async def attack(self, attack: str, many: int) -> None:
        """Send so many."""
        left = many
        while left > 0 and not self._tally.is_over:
            reader, writer = await asyncio.open_connection("127.0.0.1", self._port, limit=1 << 20)
            try:
                while left > 0 and not self._tally.is_over:
                    left -= 1
                    self._tally.count(attack)
                    request, whole = self.request()
                    writer.write(request)
                    answer = await _answered(reader, request, PATIENCE if whole else MOMENT)
                    self._judge(attack, answer, request)
                    if whole and not answer.status:
                        self._tally.fault(f"no answer within {PATIENCE:g} s to {request[:400]!r}")
                    if answer.closes:
                        break
            except (
                ConnectionError,
                asyncio.IncompleteReadError,
                asyncio.LimitOverrunError,
            ) as error:
                self._tally.answer(attack, type(error).__name__)
            finally:
                writer.transport.abort()

    def request(self) -> tuple[bytes, bool]:
        """The next one, as bytes, and whether it is a whole one for sure."""
        chance = self._chance
        method, path = chance.choice(_METHODS), self._filled(chance.choice(_PATHS))
        headers = [
            f"Host: 127.0.0.1:{self._port}",
            f"X-Forwarded-For: 10.{chance.randrange(64)}.{chance.randrange(256)}.7",
        ]
        if chance.random() < 0.7:
            headers.append(f"Origin: http://127.0.0.1:{self._port}")
        if self._cookies and chance.random() < 0.5:
            headers.append(f"Cookie: {chance.choice(self._cookies)}")
        body = b""
        if method not in ("GET", "HEAD", "OPTIONS") or chance.random() < 0.05:
            body = self._body()
            headers.append(f"Content-Length: {len(body)}")
            headers.append(f"Content-Type: {chance.choice(_KINDS)}")
        if weird := chance.random() < 0.25:
            headers.append(chance.choice(_WEIRD))
        head = f"{method} {path} HTTP/1.1\r\n" + "\r\n".join(headers) + "\r\n\r\n"
        made = head.encode("latin-1", "replace") + body
        if chance.random() < 0.06:
            return damaged(made, chance) + b"\r\n\r\n", False
        return made, not weird

    def _filled(self, path: str) -> str:
        chance = self._chance
        for name, value in (
            ("{code}", lambda: chance.choice(["ABCDEF", "abc-def", "A" * 200, "%00", "ÀÉ"])),
            ("{id}", lambda: chance.choice(["01ARZ3NDEKTSV4RRFFQ69G5FAV", "0" * 26, "x", "%0a"])),
            ("{number}", lambda: chance.choice(["1", "0", "-1", "999999", "9" * 40, "1e3", "%31"])),
        ):
            path = path.replace(name, value())
        while "{text}" in path:
            text = chance.choice([*TEXTS, "2026-11-30", "9999-99-99", "0000-00-00", "friendly"])
            path = path.replace("{text}", "".join(map(_quoted, text.strip('"')[:200])), 1)
        return path

    def _body(self) -> bytes:
        chance = self._chance
        dice = chance.random()
        if dice < 0.5:
            text = written(chance.choice(_BODIES), chance, 0.2)
        elif dice < 0.7:
            text = odd(chance)
        elif dice < 0.8:
            text = "name=Robo&revoke=" + chance.choice(["", "x", "%00", "%ff", "a" * 2000])
        elif dice < 0.9:
            return chance.randbytes(chance.choice([0, 1, 100, 5000]))
        else:
            text = written(chance.choice(_BODIES), chance) + " " * chance.choice(
                [0, 10, 5000, 70_000]
            )
        return text.encode("utf-8", "surrogatepass")

    def _judge(self, attack: str, answer: Answer, request: bytes) -> None:
        self._tally.answer(attack, answer.status)
        first = request.partition(b"\r\n")[0][:120]
        if answer.status >= 500 and answer.status != 503:
            self._tally.fault(f"{answer.status} for {request[:400]!r}")
        if (
            answer.status == 503
            and b"retry-after" not in answer.headers
            and b"/readyz" not in first
        ):
            self._tally.fault(f"503 without Retry-After for {first!r}")
        # What is no HTTP at all is answered by the server itself, and closes the connection.
        if answer.status not in (0, 400, 101) and answer.status >= 200:
            lacking = [name for name in _STRICT if name not in answer.headers]
            if lacking and b"/ws" not in first:
                self._tally.fault(f"{lacking} missing in {answer.status} for {first!r}")
        if any(name in answer.headers for name in (b"x", b"set-cookie2")):
            self._tally.fault(f"a header was injected by {first!r}")
        if b"evil.example" in answer.headers.get(b"location", b""):
            self._tally.fault(f"an open redirect by {first!r}")


def _quoted(letter: str) -> str:
    return (
        letter
        if letter.isalnum() and letter.isascii()
        else "".join(f"%{b:02x}" for b in letter.encode("utf-8", "surrogatepass"))
    )


async def _answered(reader: asyncio.StreamReader, request: bytes, patience: float) -> Answer:
    """The answer to a request; informational ones are read past."""
    while True:
        try:
            async with asyncio.timeout(patience):
                head = await reader.readuntil(b"\r\n\r\n")
        except TimeoutError:
            return Answer(0, {}, True)  # it waits for more of the request, as it may
        first, *lines = head[:-4].split(b"\r\n")
        status = int(first.split(b" ")[1])
        headers = dict(_header(line) for line in lines)
        if status >= 200 or status == 101:
            break
    has_body = not request.startswith(b"HEAD ") and status not in (204, 304, 101)
    if has_body and b"content-length" in headers:
        await reader.readexactly(int(headers[b"content-length"]))
    closes = b"close" in headers.get(b"connection", b"") or status in (400, 101)
    return Answer(status, headers, closes or (has_body and b"content-length" not in headers))


def _header(line: bytes) -> tuple[bytes, bytes]:
    name, _, value = line.partition(b":")
    return name.strip().lower(), value.strip()
