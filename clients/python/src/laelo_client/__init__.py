"""Play Lá e Lô with a program of your own."""

from laelo_client.client import Client, Refused
from laelo_client.moves import Choose, Move, Open, Pass, Play, Turn
from laelo_client.seat import Seat

__all__ = ["Choose", "Client", "Move", "Open", "Pass", "Play", "Refused", "Seat", "Turn"]
