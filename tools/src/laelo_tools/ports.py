"""Ports of this machine that are ours until we end."""

import random
import socket

from laelo_tools.errors import LaeloError

# Below what Linux hands out to outgoing connections, so that none of these takes a port between
# our choice and the moment in which a child listens on it.
RANGE = range(20000, 32000)


class Ports:
    """Claims ports, also against other runs on the same machine that choose at the same moment.

    A claim is a name in Linux's abstract socket space: it needs no file, and the kernel drops
    it when the process ends. Elsewhere only a trial bind is made.
    """

    def __init__(self) -> None:
        self._claims: list[socket.socket] = []

    def free(self) -> int:
        """Any free port."""
        for port in random.sample(RANGE, len(RANGE)):
            if self.claim(port):
                return port
        raise LaeloError("This machine has no free port left: stop some of what runs on it.")

    def claim(self, port: int) -> bool:
        """Take this port; False if somebody has it."""
        claim = self._announce(port)
        if claim is None:
            return False
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as trial:
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                trial.bind(("127.0.0.1", port))
            except OSError:
                claim.close()
                return False
        self._claims.append(claim)
        return True

    def release(self) -> None:
        """Give all of them back."""
        for claim in self._claims:
            claim.close()
        self._claims.clear()

    @staticmethod
    def _announce(port: int) -> socket.socket | None:
        claim = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        try:
            claim.bind(f"\0laelo-port-{port}")
        except FileNotFoundError:  # no such name space here
            return claim
        except OSError:
            claim.close()
            return None
        return claim
