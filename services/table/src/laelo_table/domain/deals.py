"""Deals that nobody makes alone: the server's seed, and what persons' clients add to it."""

from functools import lru_cache

from laelo.table.v1 import events_pb2, table_pb2

from laelo_table.domain.outcome import NOT_SEATED, STALE_TURN, Decision, Refusal
from laelo_table.domain.shuffle import ADDED_BYTES, commitment, deal_order
from laelo_table.domain.state import NOBODY, Table, seat_of


def commit_to_deal(hand: int, seed: bytes) -> events_pb2.Event:
    """The server binds itself to the seed of a deal."""
    return events_pb2.Event(
        deal_committed=events_pb2.DealCommitted(hand=hand, commitment=commitment(seed), seed=seed)
    )


def refuse_bytes(state: Table, command: table_pb2.Command) -> Refusal | None:
    """Why nothing is added to the next deal."""
    seat = seat_of(state, command.player)
    if seat == NOBODY:
        return NOT_SEATED
    if len(command.deal_bytes) != ADDED_BYTES:
        return Refusal("BAD_REQUEST", f"{ADDED_BYTES} bytes are wanted")
    if state.next_deal is None or command.hand != state.next_deal.hand:
        return STALE_TURN
    if any(added.seat == seat for added in state.next_added):
        return Refusal("BAD_REQUEST", "something was added in this seat already")
    return None


def add_bytes(state: Table, command: table_pb2.Command) -> Decision:
    """A person's client adds to the next deal."""
    added = events_pb2.BytesAdded(
        seat=seat_of(state, command.player), hand=command.hand, bytes=command.deal_bytes
    )
    event = events_pb2.Event(bytes_added=added)
    return Decision([event], state.deadline_ms, opens_turn=False)


def next_order(state: Table) -> bytes:
    """The order of the tiles in the next deal."""
    assert state.next_deal is not None  # noqa: S101 - asked in a pause only
    added = tuple(sorted((added.seat, added.bytes) for added in state.next_added))
    return _order(state.next_deal.seed, added)


@lru_cache(maxsize=64)
def _order(seed: bytes, added: tuple[tuple[int, bytes], ...]) -> bytes:
    """A deal's order is needed twice, before the rules have answered and after."""
    return deal_order(seed, dict(added))
