"""A table played in memory: the pure domain, with the rules called in process."""

import random
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from laelo.rules.v1 import rules_pb2
from laelo.table.v1 import events_pb2, table_pb2
from laelo_rules.app import answer
from laelo_table.domain import clocks
from laelo_table.domain.commands import (
    AnyCommand,
    BotMove,
    GiveBack,
    Gone,
    Here,
    MatchOver,
    NextDeal,
    StartByItself,
    TimeUp,
)
from laelo_table.domain.compose import Stamp, compose
from laelo_table.domain.decide import decide, question
from laelo_table.domain.evolve import evolve
from laelo_table.domain.outcome import Decision, Facts, Refusal
from laelo_table.domain.state import NO_TABLE, Phase, Table, in_match, phase_of

TABLE = "01J0000000000000000000TABLE"[:26]
START_MS = 1_700_000_000_000
PEOPLE = ("ana", "bia", "caio", "davi")
ANIMALS = ("aratu", "arraia", "asa-branca", "bem-te-vi")
CHAMPIONSHIP = "01J000000000000000000CHAMP"


@dataclass
class Game:
    """One table. Times, seeds and moves come from one source of chance."""

    chance: random.Random = field(default_factory=lambda: random.Random(1))
    delay_ms: int = 800
    pause_ms: int = 6000
    scale: float = 1.0
    guests: bool = True
    """Whether its people have no accounts."""
    state: Table = NO_TABLE
    now_ms: int = START_MS
    digest: bytes = b""
    commits: list[events_pb2.Commit] = field(default_factory=list)
    stored: list[bytes] = field(default_factory=list)
    states: list[Table] = field(default_factory=lambda: [NO_TABLE])
    number: int = 0
    decision: Decision | None = None
    """The newest."""

    def do(self, command: AnyCommand) -> Refusal | None:
        """Ask for something; None if it was done."""
        seed = self.chance.randbytes(32)
        facts = Facts(self.now_ms, seed, self.delay_ms, self.pause_ms, "ABC234", self.scale)
        asked = question(self.state, command, facts)
        if isinstance(asked, Refusal):
            return asked
        verdict = None if asked is None else answer(asked)
        decision = decide(self.state, command, verdict, facts)
        if isinstance(decision, Refusal):
            return decision
        self.decision = decision
        commit = compose(self.state, command, decision, Stamp(TABLE, self.digest, self.now_ms))
        self.append(commit)
        return None

    def append(self, commit: events_pb2.Commit) -> None:
        """Store a commit and take it in."""
        data = commit.SerializeToString()
        self.digest = sha256(data).digest()
        self.stored.append(data)
        self.commits.append(commit)
        self.state = evolve(self.state, commit)
        self.states.append(self.state)

    def must(self, command: AnyCommand) -> None:
        """Ask for something that has to be done."""
        refusal = self.do(command)
        assert refusal is None, refusal

    def ask(
        self, kind: "table_pb2.Kind.ValueType", player: str, **fields: object
    ) -> table_pb2.Command:
        """A person's command under a fresh id, with the fence of the seat and the open turn."""
        self.number += 1
        values: dict[str, object] = {
            "table": TABLE,
            "command": f"c{self.number}",
            "kind": kind,
            "player": player,
            "name": player.title(),
            "guest": self.guests,
            "turn": self.state.turn,
            "fence": next((s.fence for s in self.state.seats if s.player == player), 0),
        }
        return table_pb2.Command(**(values | fields))  # type: ignore[arg-type]

    def open(self, people: int = 4, **options: object) -> "Game":
        """A table at which so many people sit."""
        chosen = table_pb2.Options(**({"spectators": True} | options))  # type: ignore[arg-type]
        self.must(self.ask(table_pb2.KIND_OPEN, PEOPLE[0], options=chosen))
        for player in PEOPLE[1:people]:
            self.must(self.ask(table_pb2.KIND_SIT, player, seat=-1))
        return self

    def open_match(self, *people: str, starts_ms: int = 15_000, **more: object) -> "Game":
        """A championship's table; the match starts in so long."""
        self.must(self.match_asked(*people, start_ms=self.now_ms + starts_ms, **more))
        return self

    def match_asked(self, *people: str, **fields: object) -> table_pb2.Command:
        """What the house asks to have a championship's table opened."""
        return match_command(*people, **({"start_ms": self.now_ms} | fields))

    def begin_match(self) -> "Game":
        """The moment of a championship's match has come, and its first hand is dealt."""
        self.now_ms = self.state.deadline_ms
        self.must(StartByItself(self.state.turn))
        self.step()
        return self

    def start(self) -> "Game":
        """The host starts a match."""
        self.must(self.ask(table_pb2.KIND_START, PEOPLE[0]))
        self.step()
        return self

    def step(self) -> None:
        """Something that is legal happens: a move of whoever has to act, or the next deal."""
        self.now_ms += self.chance.randrange(1, 900)
        if phase_of(self.state) is Phase.PAUSE:
            self.now_ms = max(self.now_ms, self.state.deadline_ms)
            self.must(NextDeal(self.state.turn))
            return
        begun = self.state.begun
        assert begun is not None
        seat = self.state.seats[begun.seat]
        if seat.bot:
            self.must(self.bot_move())
        elif self.state.deadline_ms and self.chance.random() < 0.1:
            self.now_ms = max(self.now_ms, self.state.deadline_ms)
            self.must(TimeUp(self.state.turn))
        else:
            self.must(self.person_move(seat.player))

    def play_on(self, steps: int = 10_000) -> "Game":
        """Play for so many steps or to the end of the match."""
        for _ in range(steps):
            if self.state.match_end is not None:
                break
            self.step()
        return self

    def person_move(self, player: str) -> table_pb2.Command:
        """A legal move of the person on turn."""
        act, tile, end, opener = self.legal_move()
        if act == rules_pb2.ACT_PLAY:
            high, low = numbers(tile)
            return self.ask(table_pb2.KIND_PLAY, player, tile_a=high, tile_b=low, end=end)
        if act == rules_pb2.ACT_PASS:
            return self.ask(table_pb2.KIND_PASS, player)
        return self.ask(table_pb2.KIND_CHOOSE_OPENER, player, opener=opener)

    def bot_move(self) -> BotMove:
        """A legal move of the bot on turn."""
        begun = self.state.begun
        assert begun is not None
        act, tile, end, opener = self.legal_move()
        fence = self.state.seats[begun.seat].fence
        return BotMove(
            self.state.turn,
            fence,
            rules_pb2.Act.ValueType(act),
            tile,
            rules_pb2.End.ValueType(end),
            opener,
        )

    def legal_move(self) -> tuple[int, int, int, int]:
        """Act, tile, end, opener."""
        begun = self.state.begun
        assert begun is not None
        if begun.choosing:
            opener = self.chance.choice((begun.seat, begun.seat ^ 2))
            return rules_pb2.ACT_CHOOSE_OPENER, 28, 0, opener
        if begun.must_pass:
            return rules_pb2.ACT_PASS, 28, 0, 4
        play = self.chance.choice(begun.plays)
        ends = [end for end in (1, 2) if play >> 4 + end & 1] or [0]
        return rules_pb2.ACT_PLAY, play & 31, self.chance.choice(ends), 4


def match_command(*persons: str, **fields: Any) -> table_pb2.Command:
    """The house's command that opens a championship's table."""
    values: dict[str, Any] = {
        "table": TABLE,
        "command": "open",
        "kind": table_pb2.KIND_OPEN_MATCH,
        "options": table_pb2.Options(championship=CHAMPIONSHIP, match="W1-1"),
        "people": [
            table_pb2.Sitting(player=player, animal=animal)
            for player, animal in zip(persons or PEOPLE, ANIMALS, strict=True)
        ],
    }
    return table_pb2.Command(**(values | fields))


def numbers(tile: int) -> tuple[int, int]:
    """Both numbers of a tile, the high one first."""
    high = next(n for n in range(6, -1, -1) if n * (n + 1) // 2 <= tile)
    return high, tile - high * (high + 1) // 2


WINDOWS = ("", "w1", "w2")


def happen(game: Game) -> Refusal | None:
    """Something that people or the house do beside the game: done, or refused as it may be."""
    chance, state = game.chance, game.state
    player, number = chance.choice((*PEOPLE, "eve")), chance.randrange(4)
    seat = state.seats[number]
    deal = state.next_deal
    asked: list[AnyCommand] = [
        Gone(seat.player, number, seat.fence),
        Gone(seat.player, number, seat.fence),
        Here(player, chance.choice(WINDOWS), number, state.version),
        game.ask(table_pb2.KIND_SEAT_BOT, player, seat=number),
        game.ask(table_pb2.KIND_SIT, player, seat=chance.randrange(-1, 4), window="w3"),
        game.ask(table_pb2.KIND_LEAVE, player),
        game.ask(table_pb2.KIND_KICK, player, seat=number),
        game.ask(table_pb2.KIND_SWAP, player, seat=number, other=chance.randrange(4)),
        game.ask(table_pb2.KIND_UNSEAT_BOT, player, seat=number),
        *[
            game.ask(
                table_pb2.KIND_ADD_BYTES,
                player,
                hand=deal.hand if deal else 1,
                deal_bytes=chance.randbytes(16),
            )
            for _ in range(8 if deal else 1)
        ],
    ]
    if clocks.runs_for_person(state) and chance.random() < 0.3:
        game.now_ms = max(game.now_ms, state.deadline_ms)
        asked = [GiveBack(state.turn, state.deadline_ms - chance.randrange(20_000))]
    return game.do(chance.choice(asked))


def lively_match(seed: int, people: int = 4, move_seconds: int = 0, *, guests: bool = True) -> Game:
    """A match of people who come and go, to its end or until nobody plays on."""
    chance = random.Random(seed)
    game = Game(chance, guests=guests)
    game.open(people, move_seconds=move_seconds, public=bool(seed % 2), start_seconds=seed % 3)
    for _ in range(chance.randrange(8)):
        happen(game)
    host = next((seat.player for seat in game.state.seats if seat.player), "")
    game.do(game.ask(table_pb2.KIND_START, host))
    for _ in range(10_000):
        if not in_match(game.state):
            break
        if chance.random() < 0.4:
            happen(game)
        if in_match(game.state):
            game.step()
    for _ in range(chance.randrange(8)):
        happen(game)
    if chance.random() < 0.5:
        host = next((seat.player for seat in game.state.seats if seat.player), "")
        game.do(game.ask(table_pb2.KIND_CLOSE, host))
    return game


def eventful() -> Game:
    """A table at which everything happens that people and outages can do."""
    game = Game(random.Random(7)).open(3, move_seconds=15, public=True)
    game.must(game.ask(table_pb2.KIND_SWAP, "ana", seat=1, other=3))
    game.must(game.ask(table_pb2.KIND_START, "ana"))
    for player in ("caio", "ana"):
        mine = player.encode().ljust(16)
        game.must(game.ask(table_pb2.KIND_ADD_BYTES, player, hand=1, deal_bytes=mine))
    game.step()
    while not (game.state.begun and game.state.seats[game.state.begun.seat].player == "caio"):
        game.step()
    game.now_ms = game.state.deadline_ms + 5_000
    game.must(GiveBack(game.state.turn, game.state.deadline_ms - 1_000))
    game.must(Gone("caio", 2, game.state.seats[2].fence))
    game.must(game.ask(table_pb2.KIND_SEAT_BOT, "ana", seat=2))
    game.step()
    game.must(Here("caio", "w2", 2, game.state.version))
    game.play_on(20)
    game.must(game.ask(table_pb2.KIND_CLOSE, "ana"))
    return game


def drawn_match(
    seed: int, people: tuple[str, ...] = PEOPLE, window: str = "", scale: float = 1.0
) -> Game:
    """A championship's match at which people come and go, and sometimes time is given back."""
    game = Game(random.Random(seed), scale=scale).open_match(*people)
    for _ in range(10_000):
        if game.chance.random() < 0.4:
            _beside_it(game, window)
        if phase_of(game.state) is Phase.LOBBY:
            game.begin_match()
        elif in_match(game.state):
            game.step()
        else:
            break
    _beside_it(game, window)
    game.now_ms = game.state.deadline_ms
    game.must(MatchOver(game.state.turn))
    return game


def _beside_it(game: Game, window: str) -> None:
    """Something beside a championship's game, by whoever sits in a seat."""
    chance, state = game.chance, game.state
    number, deal = chance.randrange(4), state.next_deal
    seat, another = state.seats[number], f"{window}w{chance.randrange(3)}"
    commands: list[AnyCommand] = [
        Gone(seat.player, number, seat.fence),
        Here(seat.player, another, number, state.version),
        game.ask(table_pb2.KIND_SIT, seat.player, seat=number, window=another),
        game.ask(table_pb2.KIND_LEAVE, seat.player),
        game.ask(
            table_pb2.KIND_ADD_BYTES,
            seat.player,
            hand=deal.hand if deal else 1,
            deal_bytes=chance.randbytes(16),
        ),
    ]
    if state.begun is not None and chance.random() < 0.1:
        game.now_ms = max(game.now_ms, state.deadline_ms)
        commands = [GiveBack(state.turn, state.deadline_ms - chance.randrange(20_000))]
    game.do(chance.choice(commands))


def random_match(seed: int, people: int = 4, move_seconds: int = 0) -> Game:
    """A match played to its end by random legal moves."""
    game = Game(random.Random(seed)).open(people, move_seconds=move_seconds)
    return game.start().play_on()
