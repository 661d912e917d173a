"""Commands to tables: load, decide, append, tell."""

from collections.abc import Awaitable, Callable
from typing import Final

from laelo.rules.v1 import rules_pb2
from laelo.table.v1 import events_pb2, table_pb2
from laelo_common.errors import Code, LaeloError
from laelo_common.log import LogError, Recorded, Refused, Stale, append_once
from laelo_common.telemetry import at_hand, current

from laelo_table import audience, crowd, tracing
from laelo_table.audience import Asker
from laelo_table.backstop import ensure_clock, ensure_look, wants_clock
from laelo_table.domain import phrases, remembered, snapshot
from laelo_table.domain.commands import AnyCommand, BotMove, Here, TimeUp
from laelo_table.domain.compose import Stamp, compose
from laelo_table.domain.decide import decide, needs_code, needs_seed, question, version_made
from laelo_table.domain.outcome import UNKNOWN_TABLE, Facts, Refusal
from laelo_table.domain.presence import is_news
from laelo_table.domain.state import NO_TABLE, seat_of
from laelo_table.domain.view import said
from laelo_table.finding import claim_code, find, post, waiting
from laelo_table.ports import Listener, World
from laelo_table.store import TableStore
from laelo_table.warm import Past, Warm

_Aside = Callable[[Warm, Asker], Awaitable[None]]

TRIES: Final = 3
"""How often a command is decided anew when others come first."""


MOVES: Final = frozenset((table_pb2.KIND_PLAY, table_pb2.KIND_PASS, table_pb2.KIND_CHOOSE_OPENER))

NAME_NO_TURN: Final = frozenset(
    (
        *(table_pb2.KIND_SIT, table_pb2.KIND_LEAVE, table_pb2.KIND_KICK, table_pb2.KIND_SWAP),
        *(table_pb2.KIND_SEAT_BOT, table_pb2.KIND_UNSEAT_BOT, table_pb2.KIND_START),
        table_pb2.KIND_OPEN,
    )
)
"""What people may ask at any time: nothing but its id tells that it was done long ago."""

MOVERS: Final = ("person", "bot", "clock")
_BY_THE_HOUSE: Final[dict[type, str]] = {BotMove: "bot", TimeUp: "clock"}


class Counts:
    """What happened here; read by observable instruments."""

    __slots__ = ("anew", "commits", "moves", "refused")

    def __init__(self) -> None:
        self.commits = 0
        self.refused = 0
        self.anew = 0
        self.moves = dict.fromkeys(MOVERS, 0)
        """By who made them."""

    def done(self, command: AnyCommand) -> None:
        """A command was done from here."""
        self.commits += 1
        if not isinstance(command, table_pb2.Command):
            mover = _BY_THE_HOUSE.get(type(command))
            if mover is not None:
                self.moves[mover] += 1
        elif command.kind in MOVES:
            self.moves["person"] += 1


class Tables:
    """All tables as this replica serves them; what another one stores is as good."""

    def __init__(self, world: World, store: TableStore) -> None:
        self._world = world
        self._store = store
        self.counts = Counts()
        self._aside: dict[int, _Aside] = {
            table_pb2.KIND_WATCH: self._watch,
            table_pb2.KIND_CHECK: self._check,
            table_pb2.KIND_SAY: self._say,
        }
        """What changes nothing in the log."""

    async def handle(self, command: table_pb2.Command, listener: Listener) -> None:
        """Do what a listener asks for, and answer it."""
        asker = Asker(command, listener)
        try:
            aside = self._aside.get(command.kind)
            if aside is not None:
                await self._store.use(command.table, lambda warm: aside(warm, asker))
            elif command.kind == table_pb2.KIND_UNWATCH:
                self.unwatch(command.table, listener, command.player)
                asker.done(NO_TABLE._replace(id=command.table), 0)
            else:
                refusal = await self.run(command.table, command, asker)
                if refusal is not None:
                    asker.refuse(*refusal)
        except LaeloError as error:
            asker.refuse(error.code, error.message)
        except Refused as error:
            asker.refuse(Code.INTERNAL, f"the log does not take this: {error}")
        except LogError as error:
            asker.refuse(Code.TRY_LATER, f"the log is out of reach: {error}")

    async def run(
        self, table: str, command: AnyCommand, asker: Asker | None = None
    ) -> Refusal | None:
        """Do a command once, however often it comes; None if it was done.

        Raises LaeloError or LogError when it may or may not have been done.
        """
        telemetry = self._world.telemetry
        if not telemetry.is_on:
            return await self._store.use(table, lambda warm: self._run(warm, command, asker))
        with at_hand(tracing.begin(telemetry, table, command)):
            return await self._store.use(table, lambda warm: self._run(warm, command, asker))

    async def find(self, code: str) -> table_pb2.FindResponse:
        """The table behind a code. Raises LaeloError."""
        try:
            return await find(self._world.log, self._store, code)
        except LogError as error:
            raise LaeloError(Code.TRY_LATER, f"the log is out of reach: {error}") from error

    async def waiting(self) -> list[table_pb2.FindResponse]:
        """Public tables that wait for players, the longest waiting first. Raises LaeloError."""
        try:
            return await waiting(self._world.board)
        except LogError as error:
            raise LaeloError(Code.TRY_LATER, f"the log is out of reach: {error}") from error

    def unwatch(self, table: str, listener: Listener, player: str = "") -> None:
        """Tell a listener of a table no more; with a player only that one has gone from it."""
        warm = self._store.tables.get(table)
        if warm is None or listener not in warm.watchers:
            return
        if player:
            crowd.depart(warm, listener, player)
        else:
            crowd.move_away(warm, listener)
        self._store.on_change(warm)

    def forget(self, listener: Listener) -> None:
        """A listener is gone, and its people with it."""
        for warm in self._store.tables.all():
            if listener in warm.watchers:
                crowd.vanish(warm, listener, self._world.now_ms())
                self._store.on_change(warm)

    async def _watch(self, warm: Warm, asker: Asker) -> None:
        command = asker.command
        await self._catch_up(warm, command.seq)
        while not warm.state.closed and is_news(warm.state, command.player, command.window):
            state = warm.state
            seat = seat_of(state, command.player)
            here = Here(command.player, command.window, seat, state.version)
            if await self._run(warm, here, None) is not None:
                break
        audience.attach(warm, asker, self._world.now_ms())
        warm.unreviewed = True
        if asker.listener in warm.watchers:
            viewer = seat_of(warm.state, command.player)
            audience.tell_count(warm, asker.listener, viewer)

    async def _say(self, warm: Warm, asker: Asker) -> None:
        await self._catch_up(warm, 0)
        state, command = warm.state, asker.command
        refusal = phrases.refuse(state, command)
        if refusal is not None:
            asker.refuse(*refusal)
            return
        seat = seat_of(state, command.player)
        until_ms = phrases.paid_until(warm.said.get(seat, 0), self._world.now_ms())
        if until_ms is None:
            raise LaeloError(Code.TOO_FAST, "too much is said in this seat")
        warm.said[seat] = until_ms
        asker.done(state, state.version)
        audience.push(warm, said(state, seat, command.phrase))

    async def _check(self, warm: Warm, asker: Asker) -> None:
        await self._catch_up(warm, asker.command.seq)
        audience.check(warm, asker.command.seq, asker.listener, self._world.now_ms())

    async def _catch_up(self, warm: Warm, seen: int) -> None:
        """Somebody has seen this version: if it was not heard of here, the log is read."""
        if seen > warm.state.version:
            await self._store.read(warm)
        if not warm.state.version:
            raise LaeloError(Code.UNKNOWN_TABLE, UNKNOWN_TABLE.reason)

    async def _run(self, warm: Warm, command: AnyCommand, asker: Asker | None) -> Refusal | None:
        if isinstance(command, table_pb2.Command) and command.turn > warm.state.version:
            # Who asks has seen what was not heard of here.
            await self._store.read(warm)
        long_ago = await self._long_ago(warm, command)
        for _ in range(TRIES):
            done = version_made(warm.state, command) or long_ago
            if done:
                if asker is not None and not asker.answered:
                    asker.done(warm.state, done)
                return None
            result = await self._attempt(warm, command, asker)
            if isinstance(result, Refusal):
                self.counts.refused += 1
                return result
            if result:
                self.counts.done(command)
                return None
            self.counts.anew += 1
        raise LaeloError(Code.TRY_LATER, "others came first each time; it was not done")

    async def _long_ago(self, warm: Warm, command: AnyCommand) -> int:
        """The version that a command made which comes again later than the state remembers, if it
        is one that would be done anew: those that name a turn are refused for that.
        """
        if not isinstance(command, table_pb2.Command) or command.kind not in NAME_NO_TURN:
            return 0
        if warm.state.version <= remembered.MOST:
            return 0
        return await self._store.made_long_ago(warm, command.command)

    async def _attempt(
        self, warm: Warm, command: AnyCommand, asker: Asker | None
    ) -> Refusal | bool:
        """Decide and append: whether it is stored, or why it is not to be."""
        world, state, trace = self._world, warm.state, current.get()
        seed = world.seed() if needs_seed(command, None) else b""
        facts = Facts(
            world.now_ms(), seed, world.delay_ms(), world.pause_ms, scale=world.clock_scale
        )
        asked = question(state, command, facts)
        if isinstance(asked, Refusal):
            return asked
        if needs_code(command):
            facts = facts._replace(code=await claim_code(world.log, warm.id))
        verdict: rules_pb2.JudgeResponse | None = None
        if asked is not None:
            asked.trace = trace
            verdict = await world.judge(asked)
            if needs_seed(command, verdict):
                facts = facts._replace(seed=world.seed())
        decision = decide(state, command, verdict, facts)
        if isinstance(decision, Refusal):
            return decision
        stamp = Stamp(warm.id, warm.digest, facts.now_ms, trace)
        commit = compose(state, command, decision, stamp)
        if wants_clock(state, decision):
            await ensure_clock(world.clocks, warm, commit.head.version, decision)
        if decision.deserts:
            empty_ms = facts.now_ms + world.kept_ms
            await ensure_look(world.clocks, warm.id, commit.head.version, empty_ms)
        return await self._append(warm, commit, asker)

    async def _append(self, warm: Warm, commit: events_pb2.Commit, asker: Asker | None) -> bool:
        data = commit.SerializeToString()
        try:
            with self._world.telemetry.part("log.append", stream="TBL"):
                stored = await append_once(self._world.log, warm.aggregate, data, warm.sequence)
        except Stale as stale:
            self._take_in_all(warm, stale.tail, "", None)
            return False
        except LogError:
            warm.suspect()
            raise
        if stored.tail:
            self._take_in_all(warm, stored.tail, commit.head.command, asker)
        else:
            self.tell(warm, warm.take_in(commit, data, stored.sequence), asker)
        return True

    def _take_in_all(self, warm: Warm, tail: list[Recorded], own: str, asker: Asker | None) -> None:
        """Take in what had to be read; among it may be the asker's own command."""
        for recorded in tail:
            commit = events_pb2.Commit.FromString(recorded.data)
            past = warm.take_in(commit, recorded.data, recorded.sequence)
            self.tell(warm, past, asker if commit.head.command == own else None)

    def tell(self, warm: Warm, past: Past | None, asker: Asker | None) -> None:
        """Tell of a commit that was taken in, and keep what is to be kept of the table."""
        if past is None:
            return
        audience.tell(warm, past, asker)
        if past.after.public and past.before.game is None:
            post(self._world.board, past.after)
        if past.ends_hand:
            kept = snapshot.save(warm.state, warm.digest).SerializeToString()
            self._world.log.snapshot(warm.aggregate, kept, warm.sequence)
