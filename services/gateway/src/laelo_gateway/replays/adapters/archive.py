"""The way to the archive: single calls to whichever replica answers."""

from collections.abc import Iterable
from typing import Any, Final

from laelo.archive.v1 import archive_pb2, archive_pb2_grpc
from laelo_common.errors import Code, LaeloError
from laelo_common.stream import Dial, plain

from laelo_gateway.championships.adapters.channels import Channels, first_answer

AWAY: Final = "what was played is out of reach at the moment: try again in a moment"


class ArchiveLink:
    """An `Archive`. `run` has to be running."""

    def __init__(self, names: Iterable[str], dial: Dial = plain) -> None:
        self._channels = Channels(names, lambda: None, dial)

    @property
    def is_configured(self) -> bool:
        """Whether this house keeps what was played."""
        return bool(self._channels)

    @property
    def replicas(self) -> int:
        """How many are known, whether they answer or not."""
        return len(self._channels.addresses)

    async def history(self, wanted: archive_pb2.HistoryRequest) -> archive_pb2.HistoryResponse:
        """Matches of a player. Raises LaeloError."""
        answer: archive_pb2.HistoryResponse = await self._ask("History", wanted)
        return answer

    async def replay(self, wanted: archive_pb2.ReplayRequest) -> archive_pb2.ReplayResponse:
        """One match. Raises LaeloError."""
        answer: archive_pb2.ReplayResponse = await self._ask("Replay", wanted)
        return answer

    async def judgement(
        self, wanted: archive_pb2.JudgementRequest
    ) -> archive_pb2.JudgementResponse:
        """What the bots think of the play in a match. Raises LaeloError."""
        answer: archive_pb2.JudgementResponse = await self._ask("Judgement", wanted)
        return answer

    async def run(self) -> None:
        """Keep in step for ever with where the replicas are."""
        await self._channels.run()

    async def close(self) -> None:
        """Let go of all replicas."""
        await self._channels.close()

    async def _ask(self, method: str, request: Any) -> Any:
        channels = [self._channels.get(address) for address in sorted(self._channels.addresses)]
        stubs = [archive_pb2_grpc.ArchiveServiceStub(one) for one in channels if one is not None]
        try:
            return await first_answer(stubs, method, request)
        except LaeloError as error:
            if error.code == Code.TRY_LATER:
                raise LaeloError(Code.TRY_LATER, AWAY) from error
            raise
