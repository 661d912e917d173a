"""What `laelo queue`, `laelo championships` and `laelo bots` print, ask for and refuse."""

import pytest
from laelo.matchmaking.v1 import matchmaking_pb2
from laelo.tournament.v1 import tournament_pb2
from laelo_tools import services
from laelo_tools.cli import main, parser_for
from laelo_tools.commands import championships, queue
from laelo_tools.errors import LaeloError
from laelo_tools.state import Running

NOW_MS = 1_700_000_000_000


def test_the_queue_is_told_in_order() -> None:
    places = [
        matchmaking_pb2.Place(player="ana", joined_ms=NOW_MS - 48_000),
        matchmaking_pb2.Place(player="bia", joined_ms=NOW_MS - 5_000, away_ms=NOW_MS - 2_000),
    ]
    waiting = matchmaking_pb2.Queue(
        places=places, next_tier=tournament_pb2.TIER_SILVER, next_ms=NOW_MS + 132_000
    )
    shown = matchmaking_pb2.ShowResponse(queue=waiting, pending=["CUP"], busy=1)
    assert list(queue.lines(shown, NOW_MS)) == [
        "2 people in the queue",
        "   1  ana  since 22:12:32 UTC (48 s)",
        "   2  bia  since 22:13:15 UTC (5 s), away for 2 s",
        "silver starts in 132 s if nobody joins or leaves",
        "championship CUP is called and not begun yet",
        "1 person in championships",
    ]


def test_championships_are_told_one_a_line() -> None:
    over = tournament_pb2.Championship(
        id="ONE", tier=tournament_pb2.TIER_GOLD, stage=tournament_pb2.STAGE_OVER, champion=7
    )
    ended = tournament_pb2.Championship(
        id="TWO", tier=tournament_pb2.TIER_BRONZE, stage=tournament_pb2.STAGE_CANCELLED, reason="x"
    )
    assert list(championships.lines([over, ended])) == [
        "ONE  gold    1970-01-01 00:00:00 UTC  over, champion is team 7",
        "TWO  bronze  1970-01-01 00:00:00 UTC  cancelled: x",
    ]
    assert list(championships.lines([])) == ["There was no championship yet."]


@pytest.mark.parametrize(
    ("argv", "wanted"),
    [
        (["championships"], {"what": "list", "address": None}),
        (["championships", "list", "--address", "h:1"], {"what": "list", "address": "h:1"}),
        (["championships", "verify", "--all"], {"what": "verify", "all": True}),
        (["bots", "join", "5"], {"number": 5, "level": "simple", "think": (0.4, 1.6), "first": 1}),
        (["bots", "join", "5", "--think", "0"], {"think": (0.0, 0.0)}),
        (["up"], {"matchmaking": 1, "tournaments": 1, "gateways": 1, "clock_scale": None}),
        (["up", "--clock-scale", "0.1"], {"clock_scale": 0.1}),
    ],
)
def test_arguments(argv: list[str], wanted: dict[str, object]) -> None:
    args = vars(parser_for(argv).parse_args(argv))
    assert {key: args[key] for key in wanted} == wanted


@pytest.mark.parametrize(
    "argv",
    [
        ["championships", "cancel", "ID"],
        ["championships", "verify"],
        ["bots", "join", "0"],
        ["bots", "join", "8", "--level", "clever"],
        ["bots", "join", "8", "--think", "soon"],
        ["up", "--clock-scale", "2"],
        ["up", "--clock-scale", "0"],
        ["up", "--clock-scale", "fast"],
    ],
)
def test_arguments_that_are_refused(argv: list[str]) -> None:
    with pytest.raises(SystemExit):
        parser_for(argv).parse_args(argv)


def test_services_are_found_in_the_platform_that_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    where = {"matchmaking-1": "h:1", "matchmaking-2": "h:2", "table-1": "h:3"}
    running = Running(1, "http://h", "nats://h", "postgresql://h", where, {})
    monkeypatch.setattr(services, "find_running", lambda: running)
    assert services.replicas("matchmaking", None) == ["h:1", "h:2"]
    assert services.replicas("matchmaking", "other:1") == ["other:1"]
    with pytest.raises(LaeloError, match="no tournament service"):
        services.replicas("tournament", None)


def test_nobody_at_the_address_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["queue", "--address", "127.0.0.1:1"]) == 1
    assert capsys.readouterr().err.startswith("laelo: The matchmaking service does not answer")
    assert main(["bots", "join", "8", "--url", "http://127.0.0.1:1"]) == 1
    assert "does it run?" in capsys.readouterr().err
