"""What the house does by itself: presence, triggers, and the hand-over of championships."""

import asyncio
from functools import partial

from laelo.matchmaking.v1 import events_pb2
from laelo.tournament.v1 import tournament_pb2
from laelo_common.metrics import Counter

from laelo_matchmaking.app import Matchmaking
from laelo_matchmaking.attendance import Attendance
from laelo_matchmaking.domain.commands import HandOver
from laelo_matchmaking.domain.duties import look
from laelo_matchmaking.patience import Patience
from laelo_matchmaking.ports import World
from laelo_matchmaking.store import Past, Store


class House:
    """Looks what is to be done whenever something changes or a time is up.

    All replicas do; the one that stored the newest commit comes first, the others follow a
    moment later if it did not.
    """

    def __init__(self, world: World, store: Store, app: Matchmaking, people: Attendance) -> None:
        self._world = world
        self._store = store
        self._app = app
        self._people = people
        self._changed = asyncio.Event()
        self._handing: dict[str, asyncio.Task[None]] = {}
        self._is_closed = False
        self.failed = Counter()
        """Tries that came to nothing."""
        people.on_change = self.look
        store.listen(self._on_past)
        for called in store.state.pending:
            self._begin_to_hand_over(called)
        self._task = asyncio.get_running_loop().create_task(self._keep(), name="house")

    def look(self) -> None:
        """Look what is to be done."""
        self._changed.set()

    async def wait(self) -> None:
        """Wait for the end; raises the error that ended it."""
        await asyncio.shield(self._task)

    async def close(self) -> None:
        """Do no more; no task stays behind."""
        self._is_closed = True
        tasks = [self._task, *self._handing.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    @property
    def _lag_ms(self) -> int:
        return 0 if self._store.is_first else self._world.lag_ms

    async def _keep(self) -> None:
        world, store, patience = self._world, self._store, Patience(self.failed)
        while True:
            self._changed.clear()
            now = world.now_ms()
            found = look(store.state, self._people.sight, world.times, now - self._lag_ms)
            if found.command is not None:
                # After a failure everything is looked at anew: much may have changed.
                act = partial(self._app.run, found.command)
                await patience.has_done(act, found.command.command)
            elif found.again_ms is None:
                await self._changed.wait()
            else:
                await self._rest(found.again_ms + self._lag_ms - now)

    async def _rest(self, milliseconds: int) -> None:
        try:
            async with asyncio.timeout(milliseconds / 1000):
                await self._changed.wait()
        except TimeoutError:
            return

    def _on_past(self, past: Past) -> None:
        self._changed.set()
        for event in past.commit.events:
            if event.HasField("called"):
                self._begin_to_hand_over(event.called, past.commit.head.trace)

    def _begin_to_hand_over(self, called: events_pb2.ChampionshipCalled, trace: str = "") -> None:
        if self._is_closed:
            return
        name = called.championship
        task = asyncio.get_running_loop().create_task(self._hand_over(called, trace), name=name)
        self._handing[name] = task
        task.add_done_callback(lambda _: self._handing.pop(name))

    async def _hand_over(self, called: events_pb2.ChampionshipCalled, trace: str) -> None:
        request = tournament_pb2.StartRequest(
            championship=called.championship,
            tier=called.tier,
            players=called.players,
            trace=trace,
        )

        async def act() -> None:
            if any(c.championship == called.championship for c in self._store.state.pending):
                await self._world.start(request)
                await self._app.run(HandOver(called.championship), trace)

        await asyncio.sleep(self._lag_ms / 1000)
        patience = Patience(self.failed)
        await patience.until_done(act, f"handing championship {called.championship} over")
