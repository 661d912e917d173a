"""The files of an export, column by column; `docs/analysts.md` lists the same.

Columns are added at the end of a set and never change in meaning: `SCHEMA` counts the times at
which that could not be kept.
"""

from typing import Final

from laelo.bots.v1 import bots_pb2
from laelo.log.v1 import log_pb2
from laelo.rules.v1 import rules_pb2
from laelo.table.v1 import events_pb2, table_pb2
from laelo.tournament.v1 import tournament_pb2

from laelo_tools.export.columns import (
    SEATS,
    TILES,
    Column,
    DataSet,
    flag,
    identity,
    listed,
    measure,
    moment,
    number,
    player,
    text,
    tile,
    word,
    words_of,
)

SCHEMA: Final = 1

ACTORS: Final = words_of(log_pb2.Actor.DESCRIPTOR)
LEVELS: Final = words_of(table_pb2.BotLevel.DESCRIPTOR)
REASONS: Final = words_of(rules_pb2.Reason.DESCRIPTOR)
OPENINGS: Final = words_of(rules_pb2.Opening.DESCRIPTOR)
CLOSINGS: Final = words_of(events_pb2.Closing.DESCRIPTOR)
TIERS: Final = words_of(tournament_pb2.Tier.DESCRIPTOR)
STAGES: Final = words_of(tournament_pb2.Stage.DESCRIPTOR)
WORDS: Final = words_of(bots_pb2.Word.DESCRIPTOR)
ENDS: Final = {1: "left", 2: "right"}

HAND_SIZE: Final = 6
SCORE: Final = "by team, the points afterwards: 0 has seats 0 and 2"

_HANDS: Final = """archive_hands AS h
JOIN matches AS m ON m.table_id = h.table_id AND m.match = h.match"""
_MATCH: Final = (
    Column("table_id", "VARCHAR", identity("m.table_id"), "the table"),
    number("match", "m.match", "number of the match at its table, from 1"),
)
_HAND: Final = (*_MATCH, number("hand", "h.hand", "number of the hand in its match, from 1"))
"""What says of which match, or hand, a row is."""


def _cup(sql: str) -> Column:
    told = f"CASE WHEN {sql} <> '' THEN {identity(sql)} END"
    return Column("championship", "VARCHAR", told, "the championship; NULL at friendly tables")


def _players(sql: str, when: str) -> list[Column]:
    doc = f"by seat, the person there {when}; NULL = a bot, nobody, or not to be told yet (R40)"
    return [player(f"player_{n}", f"{sql}[{n + 1}]", doc) for n in SEATS]


def _bots(sql: str, when: str) -> list[Column]:
    doc = f"by seat, level of the bot that plays there {when}"
    return [word(f"bot_{n}", f"{sql}[{n + 1}]", LEVELS, doc) for n in SEATS]


def _dealt(seat: int) -> Column:
    """The six tiles of a seat, the heaviest number first; sleeping tiles are told nowhere (R2)."""
    first = HAND_SIZE * seat
    made = f"""(SELECT string_agg(({listed(TILES)})[tile + 1], ' ' ORDER BY tile DESC)
        FROM (SELECT get_byte(h.tiles, generate_series({first}, {first + 5})) AS tile) AS dealt)"""  # noqa: S608 - constants
    return Column(f"dealt_{seat}", "VARCHAR", made, "by seat, the six tiles, heaviest first")


MATCHES: Final = DataSet(
    "matches",
    "a match, as it is or was in the end",
    (
        *_MATCH,
        _cup("m.championship"),
        text("official", "m.official", "its name in the bracket, such as W1-1"),
        number("move_seconds", "m.move_seconds", "long clock of a move, s; NULL = none", none=0),
        flag("public", "m.public", "whether anybody could sit down"),
        flag("spectators", "m.spectators", "whether anybody may watch it and see it again"),
        moment("started_at", "m.started_ms", "when it began, UTC"),
        moment("ended_at", "m.ended_ms", "when it ended, UTC; NULL = it is being played"),
        word(
            "closed",
            "m.closing",
            CLOSINGS,
            "why its table was closed in mid-match, NULL if it was not",
        ),
        number("hands", "m.hands", "hands that are over"),
        *_players("m.players", "in the end"),
        *_bots("m.bots", "in the end"),
        *[
            text(
                f"animal_{n}", f"m.animals[{n + 1}]", "by seat, the animal; NULL at friendly tables"
            )
            for n in SEATS
        ],
        number("winner", "m.winner", "the team that won, 0 or 1", none=2),
        number("score_0", "m.score_0", SCORE),
        number("score_1", "m.score_1", SCORE),
        flag("buchuda", "m.buchuda", "the losers had 0 (R27)"),
        flag("buchuda_de_re", "m.buchuda_de_re", "the losers had led 5–0 (R28)"),
    ),
    "matches AS m",
)

PEOPLE: Final = DataSet(
    "people",
    "that a person sat in a match",
    (
        *_MATCH,
        player("player", "p.player", "the person; NULL = not to be told yet (R40)"),
        number("seat", "p.seat", "their last seat, 0–3"),
        player("partner", "p.partner", "the last person opposite; NULL as `player`, or a bot"),
        flag("guest", "p.guest", "whether they played as a guest"),
        _cup("m.championship"),
        moment("started_at", "m.started_ms", "when the match began, UTC"),
    ),
    """archive_people AS p
JOIN matches AS m ON m.table_id = p.table_id AND m.match = p.match""",
)

HANDS: Final = DataSet(
    "hands",
    "a hand that is over",
    (
        *_HAND,
        moment("dealt_at", "h.dealt_ms", "when it was dealt, UTC"),
        moment("ended_at", "h.ended_ms", "when it ended, UTC"),
        word("opening", "h.opening", OPENINGS, "how it began: by the highest double (R4), or "
             "by who the winner said (R5)"),
        number("chooser", "h.chooser", "the seat that chose the opener (R5)", none=4),
        Column("chosen_after_ms", "INTEGER", "CASE WHEN h.chooser < 4 THEN h.chosen_after_ms END",
               "how long after the deal, ms"),
        word("chosen_by", "h.chosen_by", ACTORS, "who made the choice"),
        number("opener", "h.opener", "the seat that opened"),
        tile("opening_tile", "get_byte(h.turns, 0) & 31", "the first tile"),
        number("multiplier", "h.multiplier", "what its points were multiplied by (R19)"),
        word("reason", "h.reason", REASONS, "how it ended (R14–R18)"),
        number("winner", "h.winner", "the winning seat; NULL = a tie", none=4),
        number("team", "h.team", "the winning team, 0 or 1; NULL = a tie", none=2),
        number("points", "h.points", "what the team got"),
        *[number(f"count_{n}", f"h.counts[{n + 1}]", "by seat, weight left in hand, pips")
          for n in SEATS],
        number("score_0", "h.score_0", SCORE),
        number("score_1", "h.score_1", SCORE),
        number("turns", "length(h.turns) / 14", "tiles laid and passes"),
        *_players("h.players", "at the deal"),
        *_bots("h.bots", "at the deal"),
        *[_dealt(n) for n in SEATS],
    ),
    _HANDS,
)  # fmt: skip

_TURNS: Final = """
CROSS JOIN LATERAL (
    SELECT v.*, lag(v.after_ms) OVER (ORDER BY v.turn) AS before_ms FROM archive_moves AS v
    WHERE v.table_id = h.table_id AND v.match = h.match AND v.hand = h.hand
) AS t"""

MOVES: Final = DataSet(
    "moves",
    "a tile laid or a pass, of hands that are over",
    (
        *_HAND,
        number("turn", "t.turn", "number of the turn in its hand, from 1"),
        number("seat", "t.seat", "who moved, 0–3"),
        player("player", "t.player", "who sat there at the deal; NULL as in matches"),
        word("actor", "t.actor", ACTORS, "who moved (R21, R22)"),
        tile("tile", "t.tile", "the tile, such as 6|3; NULL = a pass"),
        word("end", "t.laid", ENDS, "where; NULL on the empty table, and for a pass"),
        flag("short_clock", "t.short_clock", "whether the short clock ran (R20)"),
        number("choices", "t.choices", "tiles that might have been played; 0 = a pass"),
        number("left_after", "t.left_after", "number at the left end afterwards"),
        number("right_after", "t.right_after", "number at the right end afterwards"),
        Column("after_ms", "BIGINT", "t.after_ms", "how long after the deal, ms"),
        Column("took_ms", "BIGINT", "t.after_ms - coalesce(t.before_ms, h.chosen_after_ms)",
               "how long the turn took, ms: since the turn before, the choice or the deal"),
    ),
    _HANDS + _TURNS,
)  # fmt: skip

JUDGED_MOVES: Final = DataSet(
    "judged_moves",
    "a tile laid, as a bot judges it from what the seat saw; forced ones are not judged",
    (
        *_HAND,
        number("turn", "j.turn", "number of the turn in its hand, as in moves"),
        number("seat", "j.seat", "who laid it, 0–3"),
        player("player", "h.players[j.seat + 1]", "who sat there at the deal; NULL as in matches"),
        word("word", "j.word", WORDS, "what is thought of it"),
        tile("best_tile", "j.best_tile", "what would have been best"),
        word("best_end", "j.best_laid", ENDS, "where; NULL on the empty table"),
        measure("equity_best", "j.equity_best", "chance of the team to win the match with it, 0–1"),
        measure("equity_played", "j.equity_played", "the same with what was laid, 0–1"),
        measure("points_best", "j.points_best", "points of the hand for the team with it"),
        measure("points_played", "j.points_played", "the same with what was laid"),
        measure("standard_error", "j.standard_error", "of the difference of these points"),
        number("worlds", "j.worlds", "deals that were looked at"),
        text("engine", "j.engine", "which bot judged"),
    ),
    _HANDS
    + """
JOIN archive_judgements AS j
ON j.table_id = h.table_id AND j.match = h.match AND j.hand = h.hand""",
)

CHAMPIONSHIPS: Final = DataSet(
    "championships",
    "a championship",
    (
        _cup("c.id"),
        word("tier", "c.tier", TIERS, "its size (R33)"),
        word("stage", "c.stage", STAGES, "how far it is"),
        moment("started_at", "c.started_ms", "when it began, UTC"),
        moment("ended_at", "c.ended_ms", "when it ended, UTC; NULL = it runs"),
        number("champion", "c.champion", "number of the team that won", none=0),
    ),
    "championships AS c",
)

ENTRIES: Final = DataSet(
    "entries",
    "who somebody is in a championship",
    (
        _cup("e.championship"),
        number("team", "e.team", "number of the team"),
        number("place", "e.place", "in the team, 0 or 1"),
        text("animal", "e.animal", "the animal"),
        Column("player", "VARCHAR", f"CASE WHEN e.open THEN {identity('e.player')} END",
               "the person; NULL = not to be told yet (R40)"),
        number("best", "e.best", "best place that the team shares; NULL = not out", none=0),
        number("worst", "e.worst", "worst place that it shares; NULL = not out", none=0),
        number("points", "e.points", "points of each of its players (R39)"),
    ),
    "archive_entries AS e JOIN championships AS c ON c.id = e.championship",
)  # fmt: skip

SETS: Final = (MATCHES, PEOPLE, HANDS, MOVES, JUDGED_MOVES, CHAMPIONSHIPS, ENTRIES)
