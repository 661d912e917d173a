"""The rest of the house, as the console asks it: one call, one answer, of any replica."""

from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from laelo.archive.v1 import archive_pb2, archive_pb2_grpc
from laelo.table.v1 import table_pb2, table_pb2_grpc
from laelo.tournament.v1 import tournament_pb2, tournament_pb2_grpc
from laelo_common.errors import Code, LaeloError
from laelo_common.stream import Dials, all_plain

from laelo_gateway.championships.adapters.channels import Channels, first_answer

AWAY: Final = "the service that knows this is out of reach: it may or may not have been done"
STORY: Final = 200


class Where(NamedTuple):
    """Addresses of the replicas of each service."""

    tables: tuple[str, ...]
    tournament: tuple[str, ...] = ()
    archive: tuple[str, ...] = ()


class House:
    """Every method raises LaeloError, with TRY_LATER while a service is away. `run` has to be
    running.
    """

    def __init__(self, where: Where, dials: Dials = all_plain) -> None:
        self._tables = Channels(where.tables, lambda: None, dials("table"))
        self._tournament = Channels(where.tournament, lambda: None, dials("tournament"))
        self._archive = Channels(where.archive, lambda: None, dials("archive"))

    def services(self) -> Iterable[Channels]:
        """All of them, to be kept in step."""
        return self._tables, self._tournament, self._archive

    async def close(self) -> None:
        """Let go of everything."""
        for channels in self.services():
            await channels.close()

    async def find(self, code: str) -> str | None:
        """The id of the table behind a code; None if there is none."""
        try:
            found = await self._ask_tables("Find", table_pb2.FindRequest(code=code))
        except LaeloError as error:
            if error.code is Code.UNKNOWN_TABLE:
                return None
            raise
        return str(found.table)

    async def shut(self, table: str, operator: str, request: str) -> None:
        """Close a friendly table; `request` sent twice closes it once."""
        command = table_pb2.Command(
            table=table, command=f"shut-{request}", kind=table_pb2.KIND_SHUT, player=operator
        )
        answer = await self._ask_tables("Submit", table_pb2.SubmitRequest(command=command))
        if answer.update.code:
            raise LaeloError(Code(answer.update.code))

    async def story(self, table: str, before: int = 0) -> archive_pb2.StoryResponse:
        """What happened at a table."""
        wanted = archive_pb2.StoryRequest(table=table, before=before, limit=STORY)
        answer: archive_pb2.StoryResponse = await self._ask_archive("Story", wanted)
        return answer

    async def tables_of(self, person: str) -> Sequence[archive_pb2.HistoryRow]:
        """Matches of a person at friendly tables, the newest first. Those of championships are
        left out: to list them would tell who is who while one runs (R40).
        """
        wanted = archive_pb2.HistoryRequest(player=person, kind=archive_pb2.KIND_FRIENDLY)
        return tuple((await self._ask_archive("History", wanted)).rows)

    async def championship(self, championship: str) -> tournament_pb2.Championship:
        """A championship as anybody may see it: who is who in it goes no further than here."""
        wanted = tournament_pb2.GetRequest(championship=championship)
        answer: tournament_pb2.GetResponse = await self._ask_tournament("Get", wanted)
        return answer.championship

    async def championships(self, person: str = "") -> Sequence[tournament_pb2.Championship]:
        """The newest ones. Of a person only those that are over: that somebody is in one that
        runs is nobody's business (R40).
        """
        if not self._tournament:
            return ()
        found = await self._ask_tournament("List", tournament_pb2.ListRequest(player=person))
        running = tournament_pb2.STAGE_RUNNING
        return tuple(one for one in found.championships if not person or one.stage != running)

    async def cancel(self, championship: str, operator: str, reason: str) -> None:
        """End a championship before its time."""
        wanted = tournament_pb2.CancelRequest(
            championship=championship, operator=operator, reason=reason
        )
        await self._ask_tournament("Cancel", wanted)

    async def _ask_tables(self, method: str, request: Any) -> Any:
        return await _ask(self._tables, table_pb2_grpc.TableServiceStub, method, request)

    async def _ask_tournament(self, method: str, request: Any) -> Any:
        stub = tournament_pb2_grpc.TournamentServiceStub
        return await _ask(self._tournament, stub, method, request)

    async def _ask_archive(self, method: str, request: Any) -> Any:
        return await _ask(self._archive, archive_pb2_grpc.ArchiveServiceStub, method, request)


async def _ask(channels: Channels, stub: Any, method: str, request: Any) -> Any:
    found = [channels.get(address) for address in sorted(channels.addresses)]
    try:
        return await first_answer([stub(one) for one in found if one is not None], method, request)
    except LaeloError as error:
        if error.code is Code.TRY_LATER:
            raise LaeloError(Code.TRY_LATER, AWAY) from error
        raise
