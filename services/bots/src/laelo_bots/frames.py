"""How the service and its workers talk: a kind, a length and the bytes of a message."""

import struct
from typing import Final

CHOOSE: Final = 1
"""A ChooseMoveRequest; the answer is a ChooseMoveResponse."""
JUDGE: Final = 2
"""A JudgeRequest of one turn; the answer is a JudgeResponse."""
FAILED: Final = 255
"""In place of an answer: what went wrong, as text. A fault of ours."""

HEAD: Final = struct.Struct(">BI")


def framed(kind: int, payload: bytes) -> bytes:
    """A frame, ready to be written."""
    return HEAD.pack(kind, len(payload)) + payload
