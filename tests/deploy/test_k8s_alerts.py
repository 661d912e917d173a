"""Every alert is silent while all is well and fires for what it is about, as Prometheus sees it."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from .manifests import SERVICES, named, overlay

pytestmark = [
    pytest.mark.k8s,
    pytest.mark.skipif(shutil.which("promtool") is None, reason="no promtool (Debian: prometheus)"),
]

Series = dict[str, str]
STREAM = '{stream="TBL"}'
LATE = "laelo_table_clock_lateness_seconds_bucket"
VOLUME = '{namespace="laelo",persistentvolumeclaim="data-nats-0"}'


def up(job: str, number: int = 1) -> str:
    return f'up{{namespace="laelo",job="{job}",pod="{job}-{number}"}}'


# An hour, a value each minute: `a+bx60` grows by b.
WELL: Series = {
    **{up(service): "1x60" for service in SERVICES},
    **{up("nats", number): "1x60" for number in range(3)},
    f"kubelet_volume_stats_available_bytes{VOLUME}": "10x60",
    f"kubelet_volume_stats_capacity_bytes{VOLUME}": "20x60",
    f'{LATE}{{le="1.0"}}': "0+100x60",
    f'{LATE}{{le="2.5"}}': "0+100x60",
    f'{LATE}{{le="+Inf"}}': "0+100x60",
    "laelo_table_act_failures_total": "0x60",
    "laelo_table_anew_total": "0x60",
    "laelo_table_commits_total": "0+600x60",
    'laelo_rules_senseless_total{job="rules"}': "0x60",
    'laelo_bots_senseless_total{job="bots"}': "0x60",
    "laelo_tournament_unreadable_total": "0x60",
    "laelo_matchmaking_pending": "0 1 0x58",
    'laelo_tournament_records_behind{pod="a"}': "0x60",
    'laelo_tournament_records_behind{pod="b"}': "5000x60",
    f"laelo_archive_stuck{STREAM}": "0x60",
    f"laelo_archive_behind{STREAM}": "5x60",
    f"laelo_archive_audit_faults{STREAM}": "0x60",
    f"laelo_archive_audit_age_seconds{STREAM}": "3600x60",
    f"laelo_archive_given_up_total{STREAM}": "0x60",
}
BAD: dict[str, list[dict[str, str | None]]] = {
    "LaeloServiceAway": [{up("bots"): "0x60"}],
    "LaeloServiceUnmeasured": [{up("bots"): None}],
    "LaeloLogLosesRedundancy": [{up("nats", 2): "0x60"}, {up("nats", 2): None}],
    "LaeloVolumeFillsUp": [{f"kubelet_volume_stats_available_bytes{VOLUME}": "3x60"}],
    "LaeloClocksAreLate": [{f'{LATE}{{le="1.0"}}': "0+90x60"}],
    "LaeloTurnsDoNotEnd": [{"laelo_table_act_failures_total": "0+120x60"}],
    "LaeloHomesAreDisputed": [{"laelo_table_anew_total": "0+60x60"}],
    "LaeloQuestionsMakeNoSense": [
        {'laelo_rules_senseless_total{job="rules"}': "0x20 1x40"},
        {'laelo_bots_senseless_total{job="bots"}': "0x20 1x40"},
    ],
    "LaeloChampionshipUnreadable": [{"laelo_tournament_unreadable_total": "0x20 1x40"}],
    "LaeloHandOverStuck": [{"laelo_matchmaking_pending": "1x60"}],
    "LaeloRecordsBehind": [{'laelo_tournament_records_behind{pod="a"}': "200x60"}],
    "LaeloArchiveStuck": [{f"laelo_archive_stuck{STREAM}": "1x60"}],
    "LaeloArchiveBehind": [{f"laelo_archive_behind{STREAM}": "20000x60"}],
    "LaeloCopiesDiffer": [{f"laelo_archive_audit_faults{STREAM}": "1x60"}],
    "LaeloNotAudited": [{f"laelo_archive_audit_age_seconds{STREAM}": "270000x60"}],
    "LaeloArchiveGivesUp": [{f"laelo_archive_given_up_total{STREAM}": "0x20 1x40"}],
}


def rules() -> Any:
    return named(overlay("prod"), "PrometheusRule", "laelo")["spec"]


def firing(series: Series, wanted: list[str]) -> dict[str, Any]:
    """A case for promtool: these alerts fire after 25 minutes, and no other."""
    expected = [{"labels": f'{{alertname="{name}"}}', "value": 1} for name in wanted]
    return {
        "interval": "1m",
        "input_series": [{"series": name, "values": values} for name, values in series.items()],
        "promql_expr_test": [
            {
                "expr": 'count by (alertname) (ALERTS{alertstate="firing"}) > bool 0',
                "eval_time": "25m",
                "exp_samples": expected,
            }
        ],
    }


def with_what_is_bad(changes: dict[str, str | None]) -> Series:
    assert changes.keys() <= WELL.keys()
    return {name: value for name, value in {**WELL, **changes}.items() if value is not None}


def promtool(folder: Path, cases: list[dict[str, Any]]) -> subprocess.CompletedProcess[str]:
    (folder / "rules.json").write_text(json.dumps(rules()))
    (folder / "cases.json").write_text(
        json.dumps({"rule_files": ["rules.json"], "evaluation_interval": "1m", "tests": cases})
    )
    argv = ["promtool", "test", "rules", str(folder / "cases.json")]
    return subprocess.run(argv, capture_output=True, text=True, check=False)


def test_every_alert_has_a_case() -> None:
    names = [rule["alert"] for group in rules()["groups"] for rule in group["rules"]]
    assert sorted(names) == sorted(BAD)


def test_nobody_is_woken_while_all_is_well(tmp_path: Path) -> None:
    done = promtool(tmp_path, [firing(WELL, [])])
    assert done.returncode == 0, done.stdout + done.stderr


def test_each_alert_fires_for_what_it_is_about_and_no_other_does(tmp_path: Path) -> None:
    cases = [
        firing(with_what_is_bad(changes), [name])
        for name, all_of in BAD.items()
        for changes in all_of
    ]
    done = promtool(tmp_path, cases)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_case_that_is_wrong_is_found(tmp_path: Path) -> None:
    assert promtool(tmp_path, [firing(WELL, ["LaeloArchiveStuck"])]).returncode != 0
