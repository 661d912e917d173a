"""Lets callers do what their certificate's name may do, and nothing else."""

import inspect
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any, Final

import grpc
import grpc.aio

from laelo_common.tls.callers import Allows, Callers, anything

_KINDS: Final[Mapping[tuple[bool, bool], tuple[str, Callable[..., Any]]]] = {
    (False, False): ("unary_unary", grpc.unary_unary_rpc_method_handler),
    (False, True): ("unary_stream", grpc.unary_stream_rpc_method_handler),
    (True, False): ("stream_unary", grpc.stream_unary_rpc_method_handler),
    (True, True): ("stream_stream", grpc.stream_stream_rpc_method_handler),
}
"""By whether requests, and answers, come as a stream: the handler's field, and how it is made."""
_OURS: Final = "/laelo."
"""How methods begin that are a service's own; others, such as health, are for all its callers."""
_PEER: Final = "peer_dns"
_MOST_TOLD: Final = 100

_log = logging.getLogger(__name__)


class Guard(grpc.aio.ServerInterceptor):
    """Stands before all methods of a server. A stream is looked at once, when it is opened."""

    def __init__(self, callers: Callers) -> None:
        self._callers = callers
        self._told: set[tuple[str, str]] = set()
        self.refused = 0

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Any]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Any:
        """The method's handler, with this guard before it."""
        handler = await continuation(handler_call_details)
        if handler is None:
            return None
        path = handler_call_details.method
        field, make = _KINDS[handler.request_streaming, handler.response_streaming]
        behaviour = getattr(handler, field)

        async def guarded(request: Any, context: Any) -> Any:
            names = _names(context)
            asked = None if handler.request_streaming else request
            if not self._may(names, path, asked):
                await self._refuse(names, path, context)
            answer = behaviour(request, context)
            if not inspect.isasyncgen(answer):
                return await answer
            async for message in answer:
                await context.write(message)
            return None

        return make(guarded, handler.request_deserializer, handler.response_serializer)

    def _may(self, names: Iterable[str], path: str, request: Any) -> bool:
        known = [self._callers[name] for name in names if name in self._callers]
        if not path.startswith(_OURS):
            return bool(known)
        method = path.rpartition("/")[2]
        return any(_allows(rights.get(method), request) for rights in known)

    async def _refuse(self, names: Iterable[str], path: str, context: Any) -> None:
        """Count each, tell each pair once: nobody fills the log."""
        self.refused += 1
        who = ", ".join(names) or "nobody"
        if (who, path) not in self._told and len(self._told) < _MOST_TOLD:
            self._told.add((who, path))
            _log.warning("%s may not ask %s: refused", who, path)
        words = f"the certificate of {who} does not allow this request of {path}"
        await context.abort(grpc.StatusCode.PERMISSION_DENIED, words)


def _allows(allows: Allows | None, request: Any) -> bool:
    if allows is None:
        return False
    return allows is anything or (request is not None and allows(request))


def _names(context: Any) -> list[str]:
    """The DNS names in the caller's certificate."""
    return [name.decode() for name in context.auth_context().get(_PEER, ())]
