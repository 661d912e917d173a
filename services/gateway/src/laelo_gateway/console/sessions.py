"""Who is signed in at the console. It is asked of the store at every request: a role that was
taken away is worth nothing from that moment on, and nobody is known while the store is away.
"""

import hashlib
import hmac
import secrets
from contextvars import ContextVar
from typing import Final, NamedTuple

from laelo_common.errors import Code, LaeloError

from laelo_gateway.accounts.cookies import Cookies
from laelo_gateway.accounts.sessions import LONGEST_TOKEN
from laelo_gateway.accounts.store import Identity
from laelo_gateway.console.store import ConsoleStore, Deed, Operator
from laelo_gateway.domain.commands import Person
from laelo_gateway.people import TOKEN_BYTES, hashed_token

ADDRESS: ContextVar[str] = ContextVar("address", default="")
"""Where the request comes from that is being answered."""

_FORM: Final = b"laelo console form 1\0"


class Session(NamedTuple):
    """An operator, and what the forms of this session carry."""

    operator: Operator
    key: bytes
    form: str

    def owns(self, form: str) -> bool:
        """Whether a form was made for this session."""
        return hmac.compare_digest(self.form.encode(), form.encode())


class ConsoleSessions:
    """Begins, finds and ends sessions."""

    def __init__(self, store: ConsoleStore, cookies: Cookies) -> None:
        self._store = store
        self._cookies = cookies

    async def begin(self, identity: Identity, language: str, cookies: str) -> tuple[str, Person]:
        """A new session and its token, for an operator alone. Raises LaeloError."""
        token = secrets.token_urlsafe(TOKEN_BYTES)
        old = self._token(cookies)
        operator = await self._store.sign_in(
            identity, hashed_token(token), hashed_token(old) if old else None, ADDRESS.get()
        )
        if operator is None:
            raise LaeloError(Code.SIGN_IN, "this account is no operator's")
        return token, Person(operator.id, operator.name, guest=False)

    async def of(self, cookies: str) -> Session | None:
        """The session of a Cookie header, if its operator is one still. Raises LaeloError."""
        token = self._token(cookies)
        if token is None:
            return None
        key = hashed_token(token)
        operator = await self._store.find(key)
        if operator is None:
            return None
        return Session(operator, key, hashlib.sha256(_FORM + token.encode()).hexdigest())

    async def end(self, session: Session, deed: Deed) -> None:
        """End it."""
        await self._store.end(session.key, deed)

    def _token(self, cookies: str) -> str | None:
        token = self._cookies.session(cookies)
        return token if token and len(token) <= LONGEST_TOKEN else None
