"""The list of codes: complete, documented, and the same on both sides of a call."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import grpc.aio
import pytest
from laelo_common.errors import MEANINGS, Code, LaeloError, Retry, page
from laelo_common.status import abort, error_of, status_of

ROOT = Path(__file__).parents[3]


def test_every_code_has_its_row_and_is_named_as_it_is_sent() -> None:
    assert set(MEANINGS) == set(Code)
    for code, meaning in MEANINGS.items():
        assert code.name == code.value
        assert meaning.text.endswith(".")


def test_the_page_in_docs_is_the_table() -> None:
    written = (ROOT / "docs" / "errors.md").read_text(encoding="utf-8")
    assert written == page(), "python -m laelo_common.errors > docs/errors.md"
    assert all(f"`{code}`" in written for code in Code)


def test_refusals_of_the_rules_are_codes() -> None:
    from laelo.rules.v1 import rules_pb2

    names = {name.removeprefix("REFUSAL_") for name, _ in rules_pb2.Refusal.items()}
    assert names - {"UNSPECIFIED"} <= set(Code)


def test_what_can_be_asked_again_is_never_the_callers_fault() -> None:
    for meaning in MEANINGS.values():
        if meaning.retry is Retry.LATER:
            assert meaning.status in ("UNAVAILABLE", "RESOURCE_EXHAUSTED")


def test_an_error_without_a_message_says_what_its_code_means() -> None:
    assert str(LaeloError(Code.SEAT_TAKEN)) == "SEAT_TAKEN: The seat is taken."
    assert LaeloError(Code.SEAT_TAKEN, "seat 2 is Ana's").message == "seat 2 is Ana's"


@pytest.fixture
async def refuse() -> AsyncIterator[Any]:
    """A unary method that refuses with the code it is sent; bare codes begin with `=`."""

    async def handler(request: bytes, context: Any) -> bytes:
        name = request.decode()
        if name.startswith("="):
            await context.abort(grpc.StatusCode[name[1:]], "bare")
        await abort(context, LaeloError(Code(name), f"because of {name} é"))

    server = grpc.aio.server()
    server.add_generic_rpc_handlers(
        (
            grpc.method_handlers_generic_handler(
                "t.T", {"Refuse": grpc.unary_unary_rpc_method_handler(handler)}
            ),
        )
    )
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        yield channel.unary_unary("/t.T/Refuse")
    await server.stop(None)


async def test_every_code_survives_a_call(refuse: Any) -> None:
    for code in Code:
        with pytest.raises(grpc.aio.AioRpcError) as failed:
            await refuse(code.encode())
        assert failed.value.code() is status_of(code)
        error = error_of(failed.value)
        assert error.code is code
        assert error.message == f"because of {code} é"


@pytest.mark.parametrize(
    ("status", "code"),
    [
        ("UNAVAILABLE", Code.TRY_LATER),
        ("DEADLINE_EXCEEDED", Code.TRY_LATER),
        ("RESOURCE_EXHAUSTED", Code.OVERLOADED),
        ("INVALID_ARGUMENT", Code.BAD_REQUEST),
        ("UNAUTHENTICATED", Code.SIGN_IN),
        ("DATA_LOSS", Code.INTERNAL),
    ],
)
async def test_a_bare_status_becomes_the_nearest_code(refuse: Any, status: str, code: Code) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as failed:
        await refuse(b"=" + status.encode())
    assert error_of(failed.value).code is code
