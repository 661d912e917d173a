"""The table talk that comes with this package."""

import json
from functools import cache
from importlib.resources import files

from .engine.talk import Talk


@cache
def table_talk() -> Talk:
    """The words of the calls, read once."""
    text = files("laelo_rules").joinpath("data", "table_talk.json").read_text(encoding="utf-8")
    return Talk(json.loads(text))
