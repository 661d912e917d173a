"""Bodies of requests: read no further than they may be long, and no longer than it may take."""

from laelo_common.errors import Code, LaeloError
from starlette.requests import ClientDisconnect, Request


async def read_body(request: Request, largest: int) -> bytes:
    """The whole body. Raises LaeloError if it is too long, or does not come to its end."""
    body = b""
    try:
        async for part in request.stream():
            body += part
            if len(body) > largest:
                raise LaeloError(Code.BAD_REQUEST, f"at most {largest} bytes are read")
    except ClientDisconnect as error:
        raise LaeloError(Code.BAD_REQUEST, "the body did not come to its end") from error
    return body
