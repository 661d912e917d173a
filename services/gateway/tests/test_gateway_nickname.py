"""Which nicknames can be used."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laelo_gateway.domain.nickname import BadNickname, default_nickname, nickname


@given(st.text(max_size=30))
def test_a_nickname_is_visible_composed_and_short_or_refused(text: str) -> None:
    try:
        name = nickname(text)
    except BadNickname:
        return
    assert 2 <= len(name) <= 20
    assert unicodedata.is_normalized("NFC", name)
    assert name == name.strip()
    assert "  " not in name
    assert all(unicodedata.category(char)[0] in "LNMZP" for char in name)
    assert nickname(name) == name


@given(st.text(alphabet="abcçãéÑ 019", min_size=2, max_size=20))
def test_letters_of_the_three_languages_are_fine(text: str) -> None:
    if len(" ".join(text.split())) >= 2:
        assert nickname(text) == " ".join(text.split())


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Zé", "Zé"),
        ("Jose\u0301", "José"),
        ("  Maria   Clara ", "Maria Clara"),
        ("D'Ávila-2", "D'Ávila-2"),
        ("Ana & Bia", "Ana & Bia"),
        ("Владимир", "Владимир"),
        ("山田太郎", "山田太郎"),
    ],
)
def test_good_names(text: str, name: str) -> None:
    assert nickname(text) == name


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "has 0"),
        ("a", "has 1"),
        ("x" * 21, "has 21"),
        ("a\u200bb", "U+200B"),
        ("a\u202eb", "U+202E"),
        ("\u3164\u3164", "U+3164"),
        ("ab\u034fc", "U+034F"),
        ("a\nb", "U+000A"),
        ("a\0b", "U+0000"),
        ("<b>hi</b>", "“<”"),
        ("---", "letter or digit"),
        ("a💣", "“💣”"),
        ("a\u0334\u0335\u0336b", "cannot be used"),
    ],
)
def test_bad_names(text: str, reason: str) -> None:
    with pytest.raises(BadNickname, match=r".") as caught:
        nickname(text)
    assert reason in str(caught.value)


@given(st.text(max_size=8), st.integers(0))
def test_a_default_name_is_a_good_one(language: str, number: int) -> None:
    name = default_nickname(language, number)
    assert nickname(name) == name


def test_a_default_name_is_in_the_clients_language() -> None:
    assert default_nickname("pt-BR", 3821) == "Visita 4821"
    assert default_nickname("en", 0) == "Guest 1000"
