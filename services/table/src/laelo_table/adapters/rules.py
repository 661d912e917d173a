"""The rules, over one persistent stream to each replica, or by single calls to measure them."""

import grpc.aio
from laelo.rules.v1 import rules_pb2, rules_pb2_grpc
from laelo_common.status import error_of
from laelo_common.stream import Dial, Pool, addresses, plain

RulesPool = Pool[rules_pb2.JudgeRequest, rules_pb2.JudgeResponse]


def rules_pool(setting: str, dial: Dial = plain) -> RulesPool:
    """Streams to all replicas. Raises ValueError if the setting names none."""
    return Pool(
        addresses(setting),
        lambda channel: rules_pb2_grpc.RulesServiceStub(channel).Connect,
        rules_pb2.ConnectRequest,
        dial=dial,
    )


class UnaryRules:
    """Asks one replica, a call for each question."""

    def __init__(self, address: str, dial: Dial = plain) -> None:
        self._channel = dial(address)
        self._stub = rules_pb2_grpc.RulesServiceStub(self._channel)

    async def judge(self, request: rules_pb2.JudgeRequest) -> rules_pb2.JudgeResponse:
        """Ask. Raises LaeloError."""
        try:
            response: rules_pb2.JudgeResponse = await self._stub.Judge(request, timeout=1.0)
        except grpc.aio.AioRpcError as error:
            raise error_of(error) from error
        return response

    async def close(self) -> None:
        """Close the channel."""
        await self._channel.close()
