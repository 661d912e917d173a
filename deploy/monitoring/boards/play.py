"""Play: is all well for those who play, and what goes wrong?"""

from typing import Final

from deploy.monitoring.asking import quantiles, rate
from deploy.monitoring.objectives import ANSWER, CLOCK, recorded
from deploy.monitoring.panels import Board, Panel, Query, Row

PLAY: Final = Board(
    "play",
    "Play",
    (
        Row(
            "Is all well?",
            (
                Panel(
                    "Moves a second",
                    "The pulse of the house, by who moves: people, bots, the clock for people.",
                    "ops",
                    [Query(rate("laelo_table_moves_total", "mover"), "{{mover}}")],
                ),
                Panel(
                    "Budget burnt, times too fast",
                    "1 uses up the month's budget in a month; 14 wakes somebody.",
                    "short",
                    [Query(recorded("1h"), "{{slo}}")],
                ),
                Panel(
                    "From a command to its answer",
                    "99 of 100 below 0.25 s are promised.",
                    "s",
                    quantiles(ANSWER),
                ),
            ),
        ),
        Row(
            "People",
            (
                Panel(
                    "Connections",
                    "By gateway; they should be alike.",
                    "short",
                    [Query("sum by (pod) (laelo_gateway_sockets)", "{{pod}}")],
                ),
                Panel(
                    "Open tables",
                    "Those that somebody watches, by what they wait for.",
                    "short",
                    [Query("sum by (phase) (laelo_table_watched)", "{{phase}}")],
                ),
                Panel(
                    "Coming, coming back, falling away",
                    "A wave of reconnects is a gateway, an edge or a network that let go.",
                    "ops",
                    [
                        Query(rate("laelo_gateway_guests_total"), "new guests"),
                        Query(rate("laelo_gateway_resumed_total"), "reconnects"),
                        Query(rate("laelo_gateway_dropped_total"), "do not read"),
                    ],
                ),
            ),
        ),
        Row(
            "What goes wrong",
            (
                Panel(
                    "Refusals by code",
                    "TRY_LATER, OVERLOADED and INTERNAL are our fault, the others somebody's own.",
                    "ops",
                    [Query(f"topk(8, {rate('laelo_gateway_refused_total', 'code')})", "{{code}}")],
                ),
                Panel(
                    "How late clocks end a turn",
                    "99 of 100 below 0.5 s are promised.",
                    "s",
                    quantiles(CLOCK),
                ),
                Panel(
                    "Tables that hesitate",
                    "Turns not ended at the first try, commands decided anew, frames missed.",
                    "ops",
                    [
                        Query(rate("laelo_table_act_failures_total"), "not ended"),
                        Query(rate("laelo_table_anew_total"), "decided anew"),
                        Query(rate("laelo_gateway_rewatches_total"), "watched anew"),
                        Query(rate("laelo_table_given_back_total"), "time given back"),
                    ],
                ),
            ),
        ),
        Row(
            "Bots",
            (
                Panel(
                    "Moves by level",
                    "What bots are asked for.",
                    "ops",
                    [Query(rate("laelo_bots_moves_total", "level"), "{{level}}")],
                ),
                Panel(
                    "How long they think",
                    "Strong ones take their time; the pause before a move hides it.",
                    "s",
                    quantiles("laelo_bots_seconds"),
                ),
                Panel(
                    "Too few workers?",
                    "Hurried moves are weaker than they should be.",
                    "short",
                    [
                        Query("sum(laelo_bots_waiting)", "waiting"),
                        Query(rate("laelo_bots_hurried_total"), "hurried a second"),
                        Query("sum(laelo_bots_workers)", "workers"),
                    ],
                ),
            ),
        ),
    ),
)
