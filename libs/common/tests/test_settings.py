"""Settings: what is read, and what is said when something is wrong."""

import pickle
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laelo_common.settings import (
    Secret,
    ServiceSettings,
    SettingsError,
    load,
    setting,
    variables,
)


class Sync(StrEnum):
    ALWAYS = "always"
    DEFAULT = "default"


@dataclass(frozen=True, kw_only=True)
class DemoSettings(ServiceSettings):
    url: str = setting(text="where the log is")
    pause: float = setting(1.5, low=0, high=60)
    rooms: int = setting(3, low=1)
    below: int = setting(0, high=9)
    fast: bool = setting(False)
    names: tuple[str, ...] = setting(("a", "b"))
    numbers: tuple[int, ...] = setting(())
    sync: Sync = setting(Sync.ALWAYS)
    mode: Literal["x", "y"] = setting("x")
    folder: Path | None = setting(None)
    password: Secret | None = setting(None)


def read(**environ: str) -> DemoSettings:
    values = {"URL": "nats://here", **environ}
    return load(DemoSettings, "demo", {f"LAELO_DEMO_{key}": v for key, v in values.items()})


def complaint(**environ: str) -> str:
    with pytest.raises(SettingsError) as error:
        read(**environ)
    return str(error.value)


def test_defaults_hold_when_nothing_is_set() -> None:
    assert read() == DemoSettings(url="nats://here")


def test_every_kind_of_value_is_read() -> None:
    settings = read(
        PAUSE="0.25", ROOMS="7", FAST="on", NAMES="x, y,", NUMBERS="1,2", SYNC="default",
        MODE="y", FOLDER="/data", PASSWORD="hush", PORT="7001",
    )  # fmt: skip
    assert settings == DemoSettings(
        url="nats://here",
        pause=0.25,
        rooms=7,
        fast=True,
        names=("x", "y"),
        numbers=(1, 2),
        sync=Sync.DEFAULT,
        mode="y",
        folder=Path("/data"),
        password=Secret("hush"),
        port=7001,
    )


@given(st.integers())
def test_a_number_is_read_or_refused_by_its_bounds(number: int) -> None:
    if number >= 1:
        assert read(ROOMS=str(number)).rooms == number
    else:
        assert complaint(ROOMS=str(number)) == (
            f"LAELO_DEMO_ROOMS: '{number}' is not a whole number of at least 1"
        )


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])))
def test_any_text_is_a_switch_or_refused(text: str) -> None:
    if text.strip().lower() in ("1", "true", "yes", "on", "0", "false", "no", "off"):
        assert read(FAST=text).fast == (text.strip().lower() in ("1", "true", "yes", "on"))
    else:
        assert complaint(FAST=text) == f"LAELO_DEMO_FAST: {text!r} is not true or false"


@pytest.mark.parametrize(
    ("name", "value", "right"),
    [
        ("PAUSE", "soon", "a number from 0 to 60"),
        ("PAUSE", "nan", "a number from 0 to 60"),
        ("BELOW", "10", "a whole number of at most 9"),
        ("PORT", "70000", "a whole number from 0 to 65535"),
        ("NUMBERS", "1,b", "a list with commas, each a whole number"),
        ("SYNC", "never", "one of always, default"),
        ("MODE", "z", "one of x, y"),
    ],
)
def test_a_wrong_value_is_named_with_what_would_be_right(name: str, value: str, right: str) -> None:
    assert complaint(**{name: value}) == f"LAELO_DEMO_{name}: {value!r} is not {right}"


def test_all_that_is_wrong_is_said_at_once() -> None:
    with pytest.raises(SettingsError) as error:
        load(DemoSettings, "demo", {"LAELO_DEMO_ROOMS": "many", "LAELO_DEMO_ROOM": "1"})
    assert set(str(error.value).splitlines()) == {
        "LAELO_DEMO_ROOMS: 'many' is not a whole number of at least 1",
        "LAELO_DEMO_URL is not set: it has to be a text",
        "LAELO_DEMO_ROOM is no setting of demo; did you mean LAELO_DEMO_ROOMS?",
    }


def test_other_services_variables_are_none_of_ours() -> None:
    environ = {"LAELO_DEMO_URL": "x", "LAELO_OTHER_PORT": "no number", "PATH": "/bin"}
    assert load(DemoSettings, "demo", environ).url == "x"


def test_an_empty_optional_value_is_none() -> None:
    assert read(FOLDER="").folder is None


def test_secrets_do_not_show() -> None:
    settings = read(PASSWORD="hush-hush")
    assert settings.password is not None
    assert settings.password.reveal() == "hush-hush"
    for shown in (repr(settings), str(settings.password), f"{settings.password}"):
        assert "hush" not in shown
        assert "***" in shown
    with pytest.raises(TypeError, match="secret"):
        pickle.dumps(settings.password)


def test_the_reference_names_every_variable() -> None:
    rows = {row.name: row for row in variables(DemoSettings, "demo")}
    assert rows["LAELO_DEMO_URL"].default == "(required)"
    assert rows["LAELO_DEMO_URL"].text == "where the log is"
    assert rows["LAELO_DEMO_NAMES"].default == "a,b"
    assert rows["LAELO_DEMO_FAST"].default == "false"
    assert rows["LAELO_DEMO_SYNC"].default == "always"
    assert rows["LAELO_DEMO_FOLDER"].kind == "a path or empty"
    assert rows["LAELO_DEMO_FOLDER"].default == ""
    assert all(row.text for row in variables(ServiceSettings, "demo"))


def test_a_field_that_cannot_be_read_is_a_fault_of_ours() -> None:
    @dataclass(frozen=True, kw_only=True)
    class Odd(ServiceSettings):
        thing: complex = setting(1j)

    with pytest.raises(TypeError, match="complex"):
        load(Odd, "odd", {"LAELO_ODD_THING": "1j"})
