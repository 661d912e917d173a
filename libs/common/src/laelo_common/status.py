"""The one place that maps codes to gRPC statuses and back."""

from typing import Any, Never

import grpc
import grpc.aio

from laelo_common.errors import Code, LaeloError

_KEY = "laelo-code"
"""Trailing metadata that carries the exact code beside the coarser gRPC status."""

_FROM_STATUS = {
    grpc.StatusCode.UNAVAILABLE: Code.TRY_LATER,
    grpc.StatusCode.DEADLINE_EXCEEDED: Code.TRY_LATER,
    grpc.StatusCode.CANCELLED: Code.TRY_LATER,
    grpc.StatusCode.RESOURCE_EXHAUSTED: Code.OVERLOADED,
    grpc.StatusCode.INVALID_ARGUMENT: Code.BAD_REQUEST,
    grpc.StatusCode.UNAUTHENTICATED: Code.SIGN_IN,
}


def status_of(code: Code) -> grpc.StatusCode:
    """The gRPC status of a code."""
    return grpc.StatusCode[code.meaning.status]


async def abort(context: "grpc.aio.ServicerContext[Any, Any]", error: LaeloError) -> Never:
    """End a unary call with the error; the other side reads it back with `error_of`."""
    await context.abort(status_of(error.code), error.message, ((_KEY, str(error.code)),))


def error_of(error: grpc.aio.AioRpcError) -> LaeloError:
    """The error that a failed call carries; by its bare status if no code came with it."""
    for key, value in error.trailing_metadata() or ():
        if key == _KEY and value in Code.__members__:
            return LaeloError(Code(str(value)), error.details() or "")
    code = _FROM_STATUS.get(error.code(), Code.INTERNAL)
    return LaeloError(code, error.details() or "")
