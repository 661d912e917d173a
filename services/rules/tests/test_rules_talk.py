"""The words of every call, in three languages."""

import pytest
from laelo_rules.engine import TILES, Call, CallKind
from laelo_rules.words import table_talk


@pytest.mark.parametrize(
    ("call", "pt", "es", "en"),
    [
        (Call(CallKind.END, (2,)), "Duque!", "¡Dos!", "Two!"),
        (Call(CallKind.ALL, (5,)), "Tudo é quina", "Cinco y cinco", "All fives"),
        (
            Call(CallKind.DOUBLE, (6,)),
            "Carroça de sena",
            "Doble seis",
            "Double six",
        ),  # codespell:ignore
        (Call(CallKind.OPENING, (6, 5)), "Sena e quina!", "¡Seis y cinco!", "Six and five!"),
        (Call(CallKind.PASS), "Toc, toc!", "¡Paso!", "Pass!"),
        (Call(CallKind.DOMINO_SIMPLE), "Bati!", "¡Dominó!", "Domino!"),
        (
            Call(CallKind.TIE, next_multiplier=2),
            "Empatou! A próxima vale o dobro",
            "¡Empate! La próxima vale doble",  # codespell:ignore
            "A tie! The next hand counts double",
        ),
        (
            Call(CallKind.TIE, next_multiplier=5),
            "Empatou! A próxima vale 5 vezes",
            "¡Empate! La próxima vale por 5",
            "A tie! The next hand counts 5 times",
        ),
    ],
)
def test_words_of_a_call(call: Call, pt: str, es: str, en: str) -> None:
    assert [table_talk().say(call, language) for language in ("pt", "es", "en")] == [pt, es, en]


def every_call() -> list[Call]:
    by_number = (CallKind.END, CallKind.ALL, CallKind.DOUBLE)
    numbered = [Call(kind, (number,)) for kind in by_number for number in range(7)]
    openings = [Call(CallKind.OPENING, (high, low)) for low, high in TILES if low != high]
    ties = [Call(CallKind.TIE, next_multiplier=count) for count in range(2, 9)]
    others = {*CallKind} - {*by_number, CallKind.OPENING, CallKind.TIE}
    return [*numbered, *openings, *ties, *(Call(kind) for kind in others)]


def test_every_call_has_words_of_its_own() -> None:
    talk = table_talk()
    assert talk.languages == ("pt", "es", "en")
    for language in talk.languages:
        said = [talk.say(call, language) for call in every_call()]
        assert len(set(said)) == len(said)
        assert all(words.strip() and "{" not in words for words in said)


@pytest.mark.parametrize("result", ["win", "buchuda", "buchuda_de_re"])
def test_every_result_has_words(result: str) -> None:
    talk = table_talk()
    assert all(talk.say_result(result, language) for language in talk.languages)
