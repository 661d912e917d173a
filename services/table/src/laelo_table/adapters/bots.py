"""The bots, over one persistent stream to each replica."""

from laelo.bots.v1 import bots_pb2, bots_pb2_grpc
from laelo_common.errors import Code, LaeloError
from laelo_common.stream import Dial, Pool, addresses, plain

BotsPool = Pool[bots_pb2.ChooseMoveRequest, bots_pb2.ChooseMoveResponse]


def bots_pool(setting: str, dial: Dial = plain) -> BotsPool:
    """Streams to all replicas. Raises ValueError if the setting names none."""
    return Pool(
        addresses(setting),
        lambda channel: bots_pb2_grpc.BotsServiceStub(channel).Connect,
        bots_pb2.ConnectRequest,
        dial=dial,
    )


class Bots:
    """Asks the bots."""

    def __init__(self, pool: BotsPool) -> None:
        self._pool = pool

    async def choose_move(self, request: bots_pb2.ChooseMoveRequest) -> bots_pb2.ChooseMoveResponse:
        """What a bot would do. Raises LaeloError."""
        response = await self._pool.request(request)
        if response.error:
            raise LaeloError(Code.INTERNAL, f"the bots refuse a view: {response.error}")
        return response
