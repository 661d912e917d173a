"""The built client as files: compressed when it was built, cached as far as is safe."""

import email.utils
import hashlib
import json
import mimetypes
from pathlib import Path
from typing import Final

from laelo_common.wire import MIN_PROTO, PROTO
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, PlainTextResponse, Response

HASHED_FOLDER: Final = "assets"
"""Files in it carry a hash of their content in their names."""
FOREVER: Final = "public, max-age=31536000, immutable"
FRESH: Final = "no-cache"
ENCODINGS: Final = (("br", ".br"), ("gzip", ".gz"))
TYPES: Final = {".webmanifest": "application/manifest+json", ".js": "text/javascript"}

SECURITY: Final = {
    "content-security-policy": (
        "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none';"
        " frame-ancestors 'none'; form-action 'self'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}

ALWAYS_HTTPS: Final = {"strict-transport-security": "max-age=31536000"}
"""For sites that people reach by https: browsers come back by nothing else."""

NOT_BUILT: Final = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Lá e Lô</title>
<h1>Lá e Lô</h1><p>The page is not built yet: run <code>make web</code>, then load it again.</p>
"""


class Pages:
    """Files of the folder that the client was built into, if it was."""

    def __init__(self, dist: Path | None) -> None:
        self._dist = None if dist is None else dist.resolve()

    def build(self) -> str:
        """Name of the client's build; empty without one."""
        index = self._file("index.html")
        if index is None:
            return ""
        stated = self._file("version.json")
        if stated is not None:
            name = json.loads(stated.read_text(encoding="utf-8")).get("build")
            if isinstance(name, str) and name:
                return name
        return hashlib.sha256(index.read_bytes()).hexdigest()[:12]

    def version(self) -> dict[str, object]:
        """What `/version.json` says."""
        return {"build": self.build(), "proto": PROTO, "min_proto": MIN_PROTO}

    def answer(self, request: Request) -> Response:
        """The file that is asked for; the page itself for every address within it."""
        path = request.url.path.lstrip("/")
        file = self._file(path) if path else None
        if file is None:
            if path.startswith(f"{HASHED_FOLDER}/") or "." in path.rpartition("/")[2]:
                return PlainTextResponse("There is no such file.\n", 404)
            file = self._file("index.html")
        if file is None:
            return HTMLResponse(NOT_BUILT, 503, {"cache-control": FRESH})
        return self._served(request, file)

    def _served(self, request: Request, file: Path) -> Response:
        assert self._dist is not None  # noqa: S101 - a file was found in it
        headers = {"vary": "accept-encoding"}
        hashed = file.relative_to(self._dist).parts[0] == HASHED_FOLDER
        headers["cache-control"] = FOREVER if hashed else FRESH
        kind = TYPES.get(file.suffix) or mimetypes.guess_type(file.name)[0]
        accepted = _accepted(request.headers.get("accept-encoding", ""))
        for encoding, suffix in ENCODINGS:
            packed = file.with_name(file.name + suffix)
            if encoding in accepted and packed.is_file():
                file = packed
                headers["content-encoding"] = encoding
                break
        response = FileResponse(
            file,
            headers=headers,
            media_type=kind or "application/octet-stream",
            stat_result=file.stat(),
        )
        if _is_known(request, response):
            kept = ("etag", "cache-control", "vary", "last-modified")
            return Response(
                status_code=304,
                headers={name: response.headers[name] for name in kept},
            )
        return response

    def _file(self, path: str) -> Path | None:
        """A file within the folder, never one outside or hidden."""
        if self._dist is None or "\0" in path:
            return None
        if any(part.startswith(".") for part in path.split("/")):
            return None
        try:
            file = (self._dist / path).resolve()
            return file if file.is_relative_to(self._dist) and file.is_file() else None
        except (OSError, ValueError):
            return None  # a name that no file can have, such as one that is too long


def _accepted(header: str) -> set[str]:
    """The encodings that a client takes."""
    accepted = set()
    for part in header.split(","):
        name, _, weight = part.strip().partition(";")
        if weight.replace(" ", "") not in ("q=0", "q=0.0"):
            accepted.add(name.strip().lower())
    return accepted


def _is_known(request: Request, response: Response) -> bool:
    """Whether the client has this very file."""
    tags = request.headers.get("if-none-match")
    if tags is not None:
        return response.headers["etag"] in {tag.strip() for tag in tags.split(",")}
    since = request.headers.get("if-modified-since")
    if since is None:
        return False
    try:
        known = email.utils.parsedate_to_datetime(since)
        return known >= email.utils.parsedate_to_datetime(response.headers["last-modified"])
    except (TypeError, ValueError):
        return False
