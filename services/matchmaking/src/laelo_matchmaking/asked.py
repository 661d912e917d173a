"""What people have asked for, by the newest commits of the queue's log."""

from laelo.log.v1 import log_pb2


class Asked:
    """Ids of people's commands: more than the state has, which is for the house's too and goes
    into every snapshot. At most `most`, and then the newest.

    The house's commands need no long memory: done again they find nothing to do.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._ids: dict[str, None] = {}

    def __len__(self) -> int:
        return len(self._ids)

    def __contains__(self, command: str) -> bool:
        return command in self._ids

    def note(self, head: log_pb2.Head) -> None:
        """Remember a commit's command; one that is remembered is as new as this."""
        if head.actor != log_pb2.ACTOR_PERSON:
            return
        self._ids.pop(head.command, None)
        self._ids[head.command] = None
        if len(self._ids) > self._most:
            del self._ids[next(iter(self._ids))]
