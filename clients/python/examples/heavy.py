"""A bot that lays its heaviest tile that fits.

LAELO_TOKEN=bot_… python heavy.py http://127.0.0.1:8080 [CODE]
"""

import os
import sys

from laelo_client import Client, Move, Play, Turn


def choose(turn: Turn) -> Move:
    """The heaviest tile; the left end before the right; oneself opens."""
    plays = [move for move in turn.moves if isinstance(move, Play)]
    return max(plays, key=lambda play: sum(play.tile)) if plays else turn.moves[0]


def main(url: str, code: str = "") -> None:
    """Play one match."""
    with Client(url, os.environ["LAELO_TOKEN"]) as client:
        print("playing as", client.me["name"], flush=True)
        seat = client.sit(code) if code else client.quick()
        end = client.play(seat, choose)
    if end is None:
        print("the table was closed")
    else:
        print("won" if end["team"] == seat.number % 2 else "lost", end["scores"])


if __name__ == "__main__":
    main(*sys.argv[1:])
