"""What does not go on, read models that are not the log, and people who are named: all found."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from laelo.matchmaking.v1 import events_pb2 as queue_pb2
from laelo_common.log import Recorded

from tests.faults.nemesis.checks.commands import check_commands
from tests.faults.nemesis.checks.ends import (
    check_goes_on,
    check_limbo,
    check_once_each,
    check_stuck,
)
from tests.faults.nemesis.checks.hidden import check_names
from tests.faults.nemesis.checks.logs import check_chains
from tests.faults.nemesis.checks.models import check_copied, check_rebuilt
from tests.faults.nemesis.history import History, asked
from tests.faults.nemesis.logs import log_of
from tests.faults.nemesis.tests.made_up import TABLE, Play, a_run

CHAMPIONSHIP = "01J0CHAMP00000000000000000"


@given(st.integers(0, 60))
def test_a_table_is_stuck_if_too_little_follows(more: int) -> None:
    log = a_run(3, commits=60).log
    last = log.tables[TABLE].last.version
    stuck = check_stuck({TABLE: last - more}, 40, log)
    assert bool(stuck) == (more < 40)


def test_a_match_that_is_over_is_not_stuck() -> None:
    play = Play(4)
    play.begin()
    while play.table.match_end is None:
        play.on(1)
    log = play.told().log
    assert check_stuck({TABLE: log.tables[TABLE].last.version}, 40, log) == []


def test_a_championship_that_stands_still_is_found() -> None:
    assert check_goes_on({CHAMPIONSHIP: 7}, {CHAMPIONSHIP: 8}) == []
    (finding,) = check_goes_on({CHAMPIONSHIP: 7}, {CHAMPIONSHIP: 7})
    assert CHAMPIONSHIP in finding.words


def test_who_is_in_limbo_is_found() -> None:
    assert check_limbo([], [], {}) == []
    found = check_limbo([CHAMPIONSHIP], ["another"], {"ana": "a third"})
    assert [finding.check for finding in found] == ["limbo"] * 3


def test_two_tables_of_one_match_are_found() -> None:
    told = a_run(5)
    log = log_of({TABLE: told.records, "another": told.records}, {CHAMPIONSHIP: []})
    assert check_once_each(log.championships, log) == []
    for table in log.tables.values():
        table.states[-1] = table.last._replace(championship=CHAMPIONSHIP, official="W1-1")
    (finding,) = check_once_each(log.championships, log)
    assert "2 tables" in finding.words


def test_a_broken_chain_is_found() -> None:
    records = a_run(6).records
    assert check_chains({"queue": records}) == []
    assert check_chains({"queue": [*records[:9], *records[10:]]})


@given(st.lists(st.binary(min_size=1, max_size=4), min_size=1, max_size=8), st.data())
def test_a_copy_that_skips_or_repeats_is_found(commits: list[bytes], data: st.DataObject) -> None:
    def row(at: int, what: bytes) -> tuple[Any, ...]:
        return ("TBL", 1, at, "table", at, b"", what, 0)

    rows = [row(at, what) for at, what in enumerate(commits, start=1)]
    assert check_copied({"TBL": commits}, {"archive_commits": rows}) == []
    place = data.draw(st.integers(0, len(rows) - 1))
    skipped = [*rows[:place], *rows[place + 1 :]]
    assert check_copied({"TBL": commits}, {"archive_commits": skipped})
    assert check_copied({"TBL": commits}, {"archive_commits": [*rows, rows[place]]})


@given(st.lists(st.tuples(st.integers(), st.text(max_size=3)), min_size=1, unique=True))
def test_rows_that_are_others_when_made_anew_are_found(rows: list[tuple[Any, ...]]) -> None:
    before = {"archive_hands": rows}
    assert check_rebuilt(before, {"archive_hands": [*reversed(rows)]}) == []
    assert check_rebuilt(before, {"archive_hands": rows[1:]})
    assert check_rebuilt({"archive_hands": rows[1:]}, before)


def bracket(stage: str, *teams: dict[str, Any]) -> dict[str, Any]:
    return {"t": "bracket", "d": {"id": CHAMPIONSHIP, "stage": stage, "teams": [*teams]}}


def test_a_name_in_place_of_an_animal_is_found() -> None:
    log = log_of({})
    animal = {"animals": ["caranguejo", "bode"], "names": []}
    out = {"animals": ["siri", "galo"], "names": ["Bia", "Caio"], "place": 3}
    wrong = {"animals": ["siri", "galo"], "names": ["Bia"]}

    def found(frame: dict[str, Any]) -> list[str]:
        history = History()
        for who in ("Ana", "Bia"):
            history.heard(who, {"t": "welcome", "d": {"me": {"id": f"id-of-{who}"}}})
        history.heard("Ana", frame)
        return [finding.check for finding in check_names(history, log, ["Ana", "Bia", "Caio"])]

    assert found(bracket("running", animal, out)) == []
    assert found(bracket("over", wrong)) == []
    assert found(bracket("running", wrong)) == ["names"]
    assert found(bracket("running", {**animal, "players": ["id-of-Bia"]})) == ["names"]
    assert found(bracket("running", {**animal, "players": ["id-of-Ana"]})) == []


def test_who_was_told_to_wait_and_does_not_is_found() -> None:
    history = History()
    history.heard("Ana", {"t": "welcome", "d": {"me": {"id": "id-of-Ana"}}})
    history.sent("Ana", {"t": "queue.join", "id": "q1"})
    history.heard("Ana", {"t": "ack", "re": "q1"})
    joined = queue_pb2.Commit()
    joined.head.command, joined.head.actor_id = "id-of-Ana.id-of-Ana-q1", "id-of-Ana"
    joined.events.add().joined.player = "id-of-Ana"
    record = Recorded(1, "mmq.main.ev", joined.SerializeToString(), 0)
    assert check_commands(asked(history), log_of({}, {}, {"main": [record]})) == []
    (finding,) = check_commands(asked(history), log_of({}))
    assert finding.check == "acknowledged"
