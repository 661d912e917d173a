"""The attack on gRPC: every method of every proto, with messages that nobody would send."""

import asyncio
from collections import deque
from random import Random
from typing import Any, Final, NamedTuple, cast

import grpc
import grpc.aio
from google.protobuf.descriptor import FileDescriptor, MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from laelo.archive.v1 import archive_pb2
from laelo.bots.v1 import bots_pb2
from laelo.matchmaking.v1 import matchmaking_pb2
from laelo.rules.v1 import rules_pb2
from laelo.table.v1 import table_pb2
from laelo.tournament.v1 import tournament_pb2
from laelo_common.errors import Code

from tests.security.hostile.messages import filled, spoilt
from tests.security.hostile.tally import Tally

FILES: Final[dict[str, FileDescriptor]] = {
    "rules": rules_pb2.DESCRIPTOR,
    "bots": bots_pb2.DESCRIPTOR,
    "table": table_pb2.DESCRIPTOR,
    "tournament": tournament_pb2.DESCRIPTOR,
    "matchmaking": matchmaking_pb2.DESCRIPTOR,
    "archive": archive_pb2.DESCRIPTOR,
}
STATUSES: Final = {code.meaning.status for code in Code} - {"INTERNAL"}
FRAMES: Final = 10
ITEMS: Final = 12
CALL_SECONDS: Final = 120.0
WATCH_SECONDS: Final = 0.2
KEPT: Final = 60
_FAULTS: Final = ("fault of ours", "failed on this question")


class Method(NamedTuple):
    """A method as a client sees it."""

    service: str
    path: str
    takes: type[Message]
    gives: type[Message]
    many_in: bool
    many_out: bool

    @property
    def name(self) -> str:
        """For counts."""
        name = self.path.rpartition("/")[2]
        return f"{name}Many" if self.many_out and name == "Judge" else name


def methods() -> list[Method]:
    """All that there are."""
    return [
        _method(service, one)
        for service, file in FILES.items()
        for found in file.services_by_name.values()
        for one in found.methods
    ]


def _method(service: str, one: MethodDescriptor) -> Method:
    return Method(
        service,
        f"/{one.containing_service.full_name}/{one.name}",
        GetMessageClass(one.input_type),
        GetMessageClass(one.output_type),
        bool(one.client_streaming),
        bool(one.server_streaming),
    )


class Caller:
    """Calls the methods of one replica of a service."""

    def __init__(self, channel: grpc.aio.Channel, chance: Random, tally: Tally) -> None:
        self._channel = channel
        self._chance = chance
        self._tally = tally
        self._good: dict[str, deque[Message]] = {}
        """By method, what was answered well: worth spoiling."""

    async def attack(self, method: Method, many: int) -> None:
        """Send so many requests."""
        sent = 0
        while sent < many and not self._tally.is_over:
            if method.many_in:
                sent += await self._stream(method)
            elif method.many_out:
                await self._watch(method)
                sent += 1
            else:
                await self._ask(method)
                sent += 1

    def request(self, method: Method, kind: type[Message]) -> Message:
        """The next message."""
        good = self._good.get(method.path)
        chance = self._chance
        made = spoilt(chance.choice(good), chance) if good and chance.random() < 0.6 else None
        request = made if made is not None else filled(kind(), chance)
        if isinstance(request, bots_pb2.ChooseMoveRequest) and chance.random() < 0.98:
            # A search is honest work of a second.
            request.level = cast(Any, chance.choice([0, 1, 2, 3, 4, 77]))
        return request

    async def _ask(self, method: Method) -> None:
        request = self.request(method, method.takes)
        self._tally.count("calls")
        call = self._channel.unary_unary(
            method.path, type(request).SerializeToString, method.gives.FromString
        )
        try:
            answer = await call(request, timeout=CALL_SECONDS)
        except grpc.aio.AioRpcError as error:
            self._judge(method, error.code(), error.details() or "", request)
        else:
            self._tally.answer("call", "OK")
            self._look(method, request, answer)

    async def _watch(self, method: Method) -> None:
        request = self.request(method, method.takes)
        self._tally.count("calls")
        call = self._channel.unary_stream(
            method.path, type(request).SerializeToString, method.gives.FromString
        )(request, timeout=CALL_SECONDS)
        try:
            async with asyncio.timeout(WATCH_SECONDS):
                async for answer in call:
                    self._look(method, request, answer)
        except TimeoutError:
            self._tally.answer("call", "watched")
        except grpc.aio.AioRpcError as error:
            self._judge(method, error.code(), error.details() or "", request)
        finally:
            call.cancel()

    async def _stream(self, method: Method) -> int:
        """Some frames on a stream of their own; how many requests that were."""
        frames = [self._frame(method) for _ in range(FRAMES)]
        fields = method.takes.DESCRIPTOR.fields_by_name
        many = sum(max(1, len(getattr(frame, "items", ()))) for frame in frames)
        self._tally.count("calls", many)
        call = self._channel.stream_stream(
            method.path, method.takes.SerializeToString, method.gives.FromString
        )(timeout=CALL_SECONDS)
        try:
            for frame in frames:
                await call.write(frame)
            await call.done_writing()
            # What has no items tells of what changes, for as long as one listens.
            async with asyncio.timeout(CALL_SECONDS if "items" in fields else WATCH_SECONDS):
                async for answer in call:
                    self._heard(method, answer)
            self._tally.answer("call", "OK")
        except TimeoutError:
            self._tally.answer("call", "watched")
        except grpc.aio.AioRpcError as error:
            self._judge(method, error.code(), error.details() or "", frames[0])
        except (asyncio.InvalidStateError, grpc.aio.BaseError):
            # The other side has ended it while this one still wrote.
            self._judge(method, await call.code(), await call.details() or "", frames[0])
        finally:
            call.cancel()
        return many

    def _frame(self, method: Method) -> Message:
        frame: Any = method.takes()
        field = frame.DESCRIPTOR.fields_by_name.get("items")
        if field is None:
            return filled(frame, self._chance)
        kind = GetMessageClass(field.message_type)
        for number in range(self._chance.randint(0, ITEMS)):
            item: Any = self.request(method, kind)
            item.id = self._chance.choice((0, number + 1, number + 1, 2**64 - 1))
            frame.items.append(item)
        return cast(Message, frame)

    def _heard(self, method: Method, answer: Any) -> None:
        for item in getattr(answer, "items", [answer]):
            self._look(method, None, item)

    def _look(self, method: Method, request: Message | None, answer: Any) -> None:
        """Remember what went well; see whether an answer tells of a fault."""
        update = getattr(answer, "update", answer)
        code = getattr(update, "code", "")
        if code == Code.INTERNAL or (code and code not in Code.__members__):
            self._tally.fault(f"{method.path} answered {code}: {update.reason} to {request}")
        told = f"{getattr(update, 'error', '')} {getattr(update, 'reason', '')}"
        if any(fault in told for fault in _FAULTS):
            self._tally.fault(f"{method.path} answered {told.strip()!r} to {request}")
        if request is not None and not code:
            self._good.setdefault(method.path, deque(maxlen=KEPT)).append(request)

    def _judge(
        self, method: Method, status: grpc.StatusCode, details: str, request: Message
    ) -> None:
        self._tally.answer("call", status.name)
        if status.name not in STATUSES:
            self._tally.fault(f"{method.path}: {status.name} {details} for {str(request)[:600]}")
