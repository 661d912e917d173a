"""Recorded matches: read, and put to the rules again.

`corpus/matches.xz` has the commits of each match one after the other, each with its length before
it and without the hash of the commit before, which follows from that one. `corpus/matches.json`
says what they are: how many commits and moves, the hash of the last commit, with which all others
are bound, and a digest of the verdicts on every move that anybody could have asked for in any turn.
"""

import json
import lzma
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from laelo.table.v1 import events_pb2
from laelo_common.log.commit import commit_hash
from laelo_rules.engine import TILES, ChooseOpener, Pass, Play, Refusal, State, judge
from laelo_tools.history.quick import QuickReferee
from laelo_tools.history.referee import Referee

FOLDER: Final = Path(__file__).parent / "corpus"
MATCHES: Final = FOLDER / "matches.xz"
MANIFEST: Final = FOLDER / "matches.json"
_LENGTH_BYTES: Final = 2


def manifest() -> list[dict[str, Any]]:
    """What is said of each match."""
    found: list[dict[str, Any]] = json.loads(MANIFEST.read_text(encoding="utf-8"))
    return found


def recorded() -> list[list[bytes]]:
    """The commits of each match, as they were stored."""
    packed = lzma.decompress(MATCHES.read_bytes())
    at = 0
    matches = []
    for match in manifest():
        stored: list[bytes] = []
        for _ in range(match["commits"]):
            length = int.from_bytes(packed[at : at + _LENGTH_BYTES])
            at += _LENGTH_BYTES
            commit = events_pb2.Commit.FromString(packed[at : at + length])
            at += length
            commit.head.previous = commit_hash(stored[-1]) if stored else b""
            stored.append(commit.SerializeToString())
        matches.append(stored)
    assert at == len(packed)
    return matches


def packed(stored: list[bytes]) -> bytes:
    """A match as it stands in the corpus."""
    out = bytearray()
    for data in stored:
        commit = events_pb2.Commit.FromString(data)
        commit.head.previous = b""
        bare = commit.SerializeToString()
        out += len(bare).to_bytes(_LENGTH_BYTES) + bare
    return bytes(out)


def described(stored: list[bytes]) -> dict[str, Any]:
    """What is to be said of a match by the rules as they are now. Raises WrongError."""
    commits = [events_pb2.Commit.FromString(data) for data in stored]
    table = commits[0].head.aggregate
    proper, quick = Referee(table), QuickReferee(table)
    verdicts = sha256()
    for data, commit in zip(stored, commits, strict=True):
        proper.follow(commit)
        quick.follow_stored(data)
        if proper._game is not None:
            for verdict in every_verdict(proper._game):
                verdicts.update(verdict)
    assert proper._game == quick._game
    return {
        "commits": len(stored),
        "moves": proper.moves,
        "hash": commit_hash(stored[-1]).hex(),
        "verdicts": verdicts.hexdigest(),
        "has": dict(sorted(Counter(kinds(commits)).items())),
    }


def every_verdict(game: State) -> Iterator[bytes]:
    """What the rules say to all that the seat on turn could ask for, and to the next seat."""
    seat = game.turn or 0
    asked: list[Any] = [Play(seat, tile, end) for tile in TILES for end in range(3)]
    asked += [ChooseOpener(seat, opener) for opener in range(4)]
    asked += [Pass(seat), Pass((seat + 1) % 4), Play((seat + 1) % 4, TILES[0])]
    for move in asked:
        verdict = judge(game, move)
        yield bytes((verdict,)) if isinstance(verdict, Refusal) else repr(verdict).encode()


def kinds(commits: list[events_pb2.Commit]) -> Iterator[str]:
    """What happens, as far as a corpus should have all of it."""
    for commit in commits:
        for event in commit.events:
            match event.WhichOneof("event"):
                case "hand_ended":
                    yield f"hand: {event.hand_ended.end.reason}"
                case "match_ended":
                    end = event.match_ended.end
                    yield (
                        "match: buchuda de re"
                        if end.buchuda_de_re
                        else ("match: buchuda" if end.buchuda else "match: won")
                    )
                case "table_closed":
                    yield f"closed: {event.table_closed.closing}"
                case "opened":
                    yield "official" if event.opened.options.championship else "friendly"
                case kind:
                    yield str(kind)
