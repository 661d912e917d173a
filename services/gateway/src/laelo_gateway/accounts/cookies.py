"""The two cookies of a site: the session, and what a sign-in under way has to remember."""

from typing import Final

from starlette.requests import cookie_parser
from starlette.responses import Response

from laelo_gateway.accounts.store import LONGEST_DAYS

SIGN_IN_SECONDS: Final = 600
SESSION_SECONDS: Final = LONGEST_DAYS * 24 * 3600
_HOST: Final = "__Host-"
"""Browsers take a cookie of such a name only over https, from this very host, for all of it."""


class Cookies:
    """Both can be read by no script, and come along from other sites only when a person follows
    a link. `secure`: the site is reached by https; `name` tells the cookies of two sites on one
    host apart, as ports do not; `seconds` is how long a session lives at most.
    """

    def __init__(
        self, *, secure: bool, name: str = "laelo", seconds: int = SESSION_SECONDS
    ) -> None:
        self._secure = secure
        self._seconds = seconds
        start = _HOST if secure else ""
        self.session_name = f"{start}{name}_session"
        self.sign_in_name = f"{start}{name}_sign_in"

    def session(self, header: str) -> str | None:
        """The session's token in a Cookie header."""
        return cookie_parser(header).get(self.session_name) or None

    def sign_in(self, header: str) -> str | None:
        """What the sign-in under way remembers."""
        return cookie_parser(header).get(self.sign_in_name) or None

    def set_session(self, response: Response, token: str) -> None:
        """Let the browser keep a session."""
        self._set(response, self.session_name, token, self._seconds)

    def set_sign_in(self, response: Response, sealed: str) -> None:
        """Let the browser remember a sign-in that begins."""
        self._set(response, self.sign_in_name, sealed, SIGN_IN_SECONDS)

    def drop_session(self, response: Response) -> None:
        """Let the browser forget the session."""
        self._set(response, self.session_name, "", 0)

    def drop_sign_in(self, response: Response) -> None:
        """Let the browser forget the sign-in."""
        self._set(response, self.sign_in_name, "", 0)

    def _set(self, response: Response, name: str, value: str, seconds: int) -> None:
        response.set_cookie(
            name, value, max_age=seconds, path="/", secure=self._secure, httponly=True,
            samesite="lax",
        )  # fmt: skip
