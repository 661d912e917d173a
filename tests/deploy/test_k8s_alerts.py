"""Every alert is silent while all is well and fires for what it is about, as Prometheus sees it."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from .manifests import SERVICES
from .rules_files import alerts, groups

pytestmark = [
    pytest.mark.k8s,
    pytest.mark.skipif(shutil.which("promtool") is None, reason="no promtool (Debian: prometheus)"),
]

Series = dict[str, str]
STREAM = '{stream="TBL"}'
LATE = "laelo_table_clock_lateness_seconds_bucket"
ANSWER = "laelo_gateway_answer_seconds"
HTTP = "laelo_gateway_http_responses_total"
VOLUME = '{namespace="laelo",persistentvolumeclaim="data-nats-0"}'


def up(job: str, number: int = 1) -> str:
    return f'up{{namespace="laelo",job="{job}",pod="{job}-{number}"}}'


# An hour, a value each minute: `a+bx60` grows by b.
WELL: Series = {
    **{up(service): "1x60" for service in SERVICES},
    **{up("nats", number): "1x60" for number in range(3)},
    f"kubelet_volume_stats_available_bytes{VOLUME}": "10x60",
    f"kubelet_volume_stats_capacity_bytes{VOLUME}": "20x60",
    f'{LATE}{{le="0.5"}}': "0+1000x60",
    f'{LATE}{{le="1.0"}}': "0+1000x60",
    f'{LATE}{{le="2.5"}}': "0+1000x60",
    f'{LATE}{{le="+Inf"}}': "0+1000x60",
    "laelo_table_clock_lateness_seconds_count": "0+1000x60",
    "laelo_gateway_commands_total": "0+6000x60",
    "laelo_gateway_failed_total": "0x60",
    f"{ANSWER}_count": "0+750x60",
    f'{ANSWER}_bucket{{le="0.25"}}': "0+748x60",
    f'{HTTP}{{status="2xx"}}': "0+6000x60",
    f'{HTTP}{{status="5xx"}}': "0+1x60",
    'laelo_log_out_of_reach{job="table"}': "0 1 0x58",
    'laelo_stream_overloaded_total{job="table",to="rules"}': "0x60",
    "laelo_gateway_resumed_total": "0+10x60",
    'laelo_gateway_sockets{pod="a"}': "400x60",
    'laelo_gateway_sockets{pod="b"}': "400x60",
    'laelo_telemetry_spans_total{job="table",fate="dropped"}': "0x60",
    'laelo_telemetry_spans_total{job="table",fate="recorded"}': "0+900x60",
    "laelo_table_act_failures_total": "0x60",
    "laelo_table_anew_total": "0x60",
    "laelo_table_commits_total": "0+600x60",
    'laelo_rules_senseless_total{job="rules"}': "0x60",
    'laelo_bots_senseless_total{job="bots"}': "0x60",
    "laelo_tournament_unreadable_total": "0x60",
    "laelo_tournament_unrecorded_total": "0x60",
    "laelo_matchmaking_pending": "0 1 0x58",
    'laelo_tournament_records_behind{pod="a"}': "0x60",
    'laelo_tournament_records_behind{pod="b"}': "5000x60",
    f"laelo_archive_stuck{STREAM}": "0x60",
    f"laelo_archive_behind{STREAM}": "5x60",
    f"laelo_archive_audit_faults{STREAM}": "0x60",
    f"laelo_archive_audit_age_seconds{STREAM}": "3600x60",
    f"laelo_archive_given_up_total{STREAM}": "0x60",
    'laelo_calls_refused_total{job="table"}': "0x60",
    'laelo_certificate_end_seconds{job="table"}': "2600000x60",
    'laelo_certificate_end_seconds{job="in the clear"}': "0x60",
}
Changes = dict[str, str | None]
BAD: dict[str, list[Changes]] = {
    "LaeloServiceAway": [{up("bots"): "0x60"}],
    "LaeloServiceUnmeasured": [{up("bots"): None}],
    "LaeloLogLosesRedundancy": [{up("nats", 2): "0x60"}, {up("nats", 2): None}],
    "LaeloVolumeFillsUp": [{f"kubelet_volume_stats_available_bytes{VOLUME}": "3x60"}],
    "LaeloLogOutOfReach": [{'laelo_log_out_of_reach{job="table"}': "1x60"}],
    "LaeloStreamsAreFull": [{'laelo_stream_overloaded_total{job="table",to="rules"}': "0+5x60"}],
    "LaeloPeopleComeBackInWaves": [{"laelo_gateway_resumed_total": "0+100x60"}],
    "LaeloSpansAreDropped": [
        {'laelo_telemetry_spans_total{job="table",fate="dropped"}': "0+50x60"}
    ],
    "LaeloTurnsDoNotEnd": [{"laelo_table_act_failures_total": "0+120x60"}],
    "LaeloHomesAreDisputed": [{"laelo_table_anew_total": "0+60x60"}],
    "LaeloQuestionsMakeNoSense": [
        {'laelo_rules_senseless_total{job="rules"}': "0x20 1x40"},
        {'laelo_bots_senseless_total{job="bots"}': "0x20 1x40"},
    ],
    "LaeloChampionshipUnreadable": [
        {"laelo_tournament_unreadable_total": "0x20 1x40"},
        {"laelo_tournament_unrecorded_total": "0x20 1x40"},
    ],
    "LaeloHandOverStuck": [{"laelo_matchmaking_pending": "1x60"}],
    "LaeloRecordsBehind": [{'laelo_tournament_records_behind{pod="a"}': "200x60"}],
    "LaeloArchiveStuck": [{f"laelo_archive_stuck{STREAM}": "1x60"}],
    "LaeloArchiveBehind": [{f"laelo_archive_behind{STREAM}": "20000x60"}],
    "LaeloCopiesDiffer": [{f"laelo_archive_audit_faults{STREAM}": "1x60"}],
    "LaeloNotAudited": [{f"laelo_archive_audit_age_seconds{STREAM}": "270000x60"}],
    "LaeloCallsAreRefused": [{'laelo_calls_refused_total{job="table"}': "0x20 1x40"}],
    "LaeloCertificateRunsOut": [{'laelo_certificate_end_seconds{job="table"}': "1200000x60"}],
    "LaeloArchiveGivesUp": [{f"laelo_archive_given_up_total{STREAM}": "0x20 1x40"}],
}


FAST: list[Changes] = [
    {"laelo_gateway_failed_total": "0+120x60"},  # 2 % fail: 20 times what is allowed
    {f'{ANSWER}_bucket{{le="0.25"}}': "0+600x60"},  # a fifth is slow
    {f'{LATE}{{le="0.5"}}': "0+800x60"},  # a fifth of the clocks is late, but not by a second
    {f'{HTTP}{{status="5xx"}}': "0+150x60"},
]
SLOW: list[Changes] = [
    {"laelo_gateway_failed_total": "0+24x60"},  # 0.4 %: 4 times
    {f'{ANSWER}_bucket{{le="0.25"}}': "0+720x60"},
    {f'{LATE}{{le="0.5"}}': "0+960x60"},
    {f'{HTTP}{{status="5xx"}}': "0+25x60"},
]
WITH_OTHERS: dict[str, list[tuple[Changes, list[str]]]] = {
    "LaeloClocksAreLate": [
        ({f'{LATE}{{le="{le}"}}': "0+980x60" for le in ("0.5", "1.0")}, ["LaeloBudgetBurnsSlowly"])
    ],
    "LaeloBudgetBurnsFast": [(changes, ["LaeloBudgetBurnsSlowly"]) for changes in FAST],
    "LaeloBudgetBurnsSlowly": [(changes, []) for changes in SLOW],
}
"""What is not told of alone: what burns fast has burnt enough for the longer windows, too."""


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


def with_what_is_bad(changes: Changes) -> Series:
    assert changes.keys() <= WELL.keys()
    return {name: value for name, value in {**WELL, **changes}.items() if value is not None}


def promtool(
    folder: Path, cases: list[dict[str, Any]], every: str = "1m"
) -> subprocess.CompletedProcess[str]:
    (folder / "rules.json").write_text(json.dumps({"groups": groups()}))
    (folder / "cases.json").write_text(
        json.dumps({"rule_files": ["rules.json"], "evaluation_interval": every, "tests": cases})
    )
    argv = ["promtool", "test", "rules", str(folder / "cases.json")]
    return subprocess.run(argv, capture_output=True, text=True, check=False)


def test_every_alert_has_a_case() -> None:
    assert sorted(alerts()) == sorted([*BAD, *WITH_OTHERS])


def test_nobody_is_woken_while_all_is_well(tmp_path: Path) -> None:
    done = promtool(tmp_path, [firing(WELL, [])])
    assert done.returncode == 0, done.stdout + done.stderr


def test_each_alert_fires_for_what_it_is_about_and_no_other_does(tmp_path: Path) -> None:
    cases = [
        firing(with_what_is_bad(changes), [name])
        for name, all_of in BAD.items()
        for changes in all_of
    ] + [
        firing(with_what_is_bad(changes), [name, *others])
        for name, all_of in WITH_OTHERS.items()
        for changes, others in all_of
    ]
    done = promtool(tmp_path, cases, every="5m")
    assert done.returncode == 0, done.stdout + done.stderr


def test_one_failure_at_night_is_no_outage(tmp_path: Path) -> None:
    night = with_what_is_bad(
        {
            "laelo_gateway_commands_total": "0+1x60",
            "laelo_gateway_failed_total": "0x20 1x40",
            f'{HTTP}{{status="2xx"}}': "0x60",
            f'{HTTP}{{status="5xx"}}': "0x60",
        }
    )
    done = promtool(tmp_path, [firing(night, [])])
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_case_that_is_wrong_is_found(tmp_path: Path) -> None:
    assert promtool(tmp_path, [firing(WELL, ["LaeloArchiveStuck"])]).returncode != 0
