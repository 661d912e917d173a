"""What browsers and the gateway say to each other: JSON text frames on one WebSocket.

A frame is `{t, id?, re?, table?, seq?, now?, d?}`. `client` has the frames that come in,
`server` those that go out, `table` what is told of a table, `championship` what of queue and
championships, `http` what is asked of them over HTTP, `replay` what of matches of the past. The
web client's TypeScript types are made from these modules.
"""

PROTO = 1
"""Version of the protocol that this server speaks best."""

MIN_PROTO = 1
"""Oldest version that it still speaks."""

MAX_FRAME = 4096
"""Largest frame that a client may send, in bytes."""
