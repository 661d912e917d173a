"""The words of the calls in three languages (R30)."""

from collections.abc import Mapping
from typing import Any

from .calls import Call, CallKind

_BY_NUMBER = frozenset({CallKind.END, CallKind.ALL, CallKind.DOUBLE})


class Talk:
    """The words of a table-talk book, as its JSON file holds it."""

    def __init__(self, book: Mapping[str, Any]) -> None:
        self.languages: tuple[str, ...] = tuple(book["languages"])
        self._calls: Mapping[str, Any] = book["calls"]
        self._results: Mapping[str, Any] = book["results"]

    def say(self, call: Call, language: str) -> str:
        """The words of a call, such as "Sena e quina!"."""
        words = self._calls[call.kind.name.lower()][language]
        if call.kind in _BY_NUMBER:
            return str(words[call.numbers[0]])
        if call.kind is CallKind.OPENING:
            high, low = call.numbers
            return str(words[f"{low}|{high}"])
        if call.kind is CallKind.TIE:
            count = str(call.next_multiplier)
            return str(words.get(count, words["n"])).replace("{n}", count)
        return str(words)

    def say_result(self, result: str, language: str) -> str:
        """The words for `win`, `buchuda` or `buchuda_de_re`."""
        return str(self._results[result][language])
