"""Nicknames of accounts: which can be used, and which are one and the same."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laelo_gateway.domain.account_name import account_name, is_plain, name_key
from laelo_gateway.domain.nickname import BadNickname
from laelo_gateway.domain.refused_words import HOUSE, RUDE

LETTERS = st.text(string.ascii_letters + string.digits + "áÉçñüÖß", min_size=2, max_size=12)


@given(st.text(max_size=30))
def test_a_key_is_of_plain_small_letters_and_a_key_of_its_own(text: str) -> None:
    key = name_key(text)
    assert name_key(key) == key


@given(st.text(max_size=25))
def test_a_name_of_an_account_is_latin_or_refused(text: str) -> None:
    try:
        name = account_name(text)
    except BadNickname:
        return
    assert all(char in " -_.'’!&" or is_plain(char) for char in name)
    assert name_key(name).isascii()
    assert name_key(name).isalnum()
    assert account_name(name) == name


@given(LETTERS, st.sampled_from("-_.'’!& "))
def test_case_accents_spaces_and_marks_make_no_difference(name: str, mark: str) -> None:
    key = name_key(name)
    assert name_key(name.upper()) == key
    assert name_key(mark.join(name)) == key
    assert name_key(f" {name} ") == key
    assert name_key("\u0301".join(name)) == key


@given(st.text("abcdefgh", min_size=1, max_size=6), st.text("abcdefgh", min_size=1, max_size=6))
def test_names_of_letters_that_look_like_no_others_stay_apart(name: str, other: str) -> None:
    assert (name_key(name) == name_key(other)) == (name == other)


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Zé Pedro", "ze.pedro"),
        ("Marta", "Rnarta"),
        ("Will", "VViIl"),
        ("Ilda", "llda"),
        ("Olavo", "0lavo"),
        ("Pacote", "Расоте"),
        ("Hoax", "Ноах"),
        ("Nina", "Νina"),
        ("nuvo", "ηυνο"),
        ("Straße", "STRASSE"),
        ("Ana", "ᴀna"),
        ("Ana", "Ａｎａ"),
        ("Bob", "𝐁𝐨𝐛"),
        ("Ana3", "Ana٣"),
        ("Søren", "Soren"),
        ("Łukasz", "Lukasz"),
    ],
)
def test_names_that_look_alike_are_one(name: str, other: str) -> None:
    assert name_key(name) == name_key(other)


@pytest.mark.parametrize(
    "name", ["Zé", "João-Maria", "Ñandú", "D'Ávila 2", "Ana & Bia", "Übermut", "Çağla", "Łódź"]
)
def test_good_names(name: str) -> None:
    assert account_name(name) == name


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Владимир", "“В”"),
        ("Pаco", "“а”"),
        ("山田太郎", "“山”"),
        ("Ａｎａ", "“Ａ”"),
        ("ınes", "“ı”"),
        ("Ana٣", "“٣”"),
        ("x\u030cy", "“\u030c”"),
        ("𝐁𝐨𝐛", "“𝐁”"),
        ("a!", "at least 2"),
        ("a\u200bb", "U+200B"),
        ("a" * 21, "has 21"),
    ],
)
def test_bad_names(name: str, words: str) -> None:
    with pytest.raises(BadNickname) as refused:
        account_name(name)
    assert words in str(refused.value)


@pytest.mark.parametrize("word", [*HOUSE, *RUDE])
def test_refused_words_are_refused_however_they_are_written(word: str) -> None:
    for name in (word, word.upper(), f"{word} 7", f"O {word}", f"{word}123", "-".join(word)):
        if len(name) <= 20:
            with pytest.raises(BadNickname, match="no part of a nickname"):
                account_name(name)


@pytest.mark.parametrize(
    "name", ["Deputada", "Computador", "Botafogo", "Robson", "Sistina", "Abbot"]
)
def test_a_short_refused_word_within_another_is_no_harm(name: str) -> None:
    assert account_name(name) == name


def test_the_house_cannot_be_imitated() -> None:
    for name in ("Lá e Lô", "la-e-lo", "Iaelo", "Adm1n", "Visita 4821"):
        with pytest.raises(BadNickname):
            account_name(name)
