"""What a load run measures and tells, and a real one."""

import json
import os
import subprocess
import sys
import time

import pytest
from laelo_tools.cli import main
from laelo_tools.load.processes import calibrate, cpu_seconds, family, memory
from laelo_tools.load.result import Growth, Result, lines, percentile


def test_cpu_time_is_counted() -> None:
    before = cpu_seconds(os.getpid())
    used = time.process_time()
    while time.process_time() - used < 0.2:
        pass
    grown = cpu_seconds(os.getpid()) - before
    assert grown >= 0.19


def test_children_are_counted_too() -> None:
    code = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'input()'])"
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE) as process:
        deadline = time.monotonic() + 20
        while len(family(process.pid)) < 2 and time.monotonic() < deadline:
            time.sleep(0.01)
        assert len(family(process.pid)) == 2
        process.communicate(b"\n")


def test_memory_is_read() -> None:
    mine = memory(os.getpid())
    assert 1_000_000 < mine.pss <= mine.rss


def test_who_is_gone_has_nothing() -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        process.wait()
    assert cpu_seconds(process.pid) == 0
    assert memory(process.pid).rss == 0


def test_the_calibration_takes_time() -> None:
    assert calibrate() > 0


def test_percentiles() -> None:
    assert percentile([], 0.5) == 0
    assert percentile([1000], 0.99) == 1
    assert percentile(list(range(0, 100_000, 1000)), 0.5) == 50
    assert percentile(list(range(0, 100_000, 1000)), 0.99) == 99


def result(**more: object) -> Result:
    values: dict[str, object] = {
        "tables": 2,
        "clients": 4,
        "bots": 0,
        "sync": "default",
        "rpc": "stream",
        "clock_seconds": 0,
        "think_ms": 0,
        "seconds": 2.0,
        "moves": 100,
        "matches": 1,
        "moves_per_second": 50.0,
        "p50_ms": 1.0,
        "p99_ms": 2.0,
        "cpu_us_per_move": 30.0,
        "cpu_us_by_process": {"nats": 10.0, "table-1": 5.0, "table-2": 15.0},
        "memory_kb_per_table": {"end": Growth(100.0, 120.0)},
        "calibration_ms": (1.0, 1.0),
        "machine_load": (0.5, 0.6),
    }
    return Result(**{**values, **more})  # type: ignore[arg-type]


def test_the_table_for_people() -> None:
    text = "\n".join(lines(result()))
    for words in ("50 ", "30.0 us", "20.0   (5.0 + 15.0)", "100.0 kB PSS", "errors"):
        assert words in text
    assert result().is_good
    assert "stream over TLS" in "\n".join(lines(result(tls=True)))


def test_errors_are_told_and_are_not_good() -> None:
    bad = result(errors={"GAP": 3}, examples=["GAP: table T"])
    assert not bad.is_good
    assert "GAP: table T" in "\n".join(lines(bad))
    assert not result(moves=0).is_good


@pytest.mark.integration
@pytest.mark.parametrize("more", [["--bots", "2", "--clock", "15", "--tls"], ["--unary"]])
def test_a_small_load_has_no_errors(capsys: pytest.CaptureFixture[str], more: list[str]) -> None:
    small = ["--tables", "3", "--seconds", "1", "--warmup", "0.5", "--verify", "--json"]
    assert main(["load", *small, *more]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["errors"] == {}
    assert told["tls"] is ("--tls" in more)
    assert told["moves"] > 0
    assert told["verified"].startswith("3 tables")
    assert told["verified"].endswith("0 wrong")
    measured = told["cpu_us_by_process"].keys()
    assert {"nats", "rules-1", "table-1", "table-2", "gateway-1"} <= measured
    assert told["memory_kb_per_table"]["end"].keys() == {"pss", "rss"}
    assert told["cpu_us_per_move"] > 0
