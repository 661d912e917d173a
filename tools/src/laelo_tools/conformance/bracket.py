"""Operations on brackets (R37-R39): asked of the tournament's domain, no service is needed."""

from laelo_tournament.domain.bracket import Bracket, new_bracket, report
from laelo_tournament.domain.outcome import Refusal

from laelo_tools.conformance.from_wire import Json
from laelo_tools.conformance.shapes import Shape

Result = tuple[str, int]
"""A match and the number of the team that won it."""


class Reported(Shape, frozen=True):
    """Given of `bracket`; `results` in the order in which they are reported."""

    size: int
    results: list[Result]


class ReportedWrongly(Reported, frozen=True, kw_only=True):
    """Given of `bracket_error`; without a report making the bracket has to fail."""

    report: Result | None


def bracket(given: Reported) -> Json:
    """See how a bracket stands after some results."""
    made = _made(given.size, given.results)
    return _refused(made) if isinstance(made, Refusal) else _bracket_json(made)


def bracket_error(given: ReportedWrongly) -> Json:
    """Report one more result, which has to be refused."""
    results = given.results if given.report is None else [*given.results, given.report]
    made = _made(given.size, results)
    return _refused(made) if isinstance(made, Refusal) else {"error": None}


def _made(size: int, results: list[Result]) -> Bracket | Refusal:
    """The bracket after all results, or the first refusal."""
    made = new_bracket(size)
    for match, winner in results:
        if isinstance(made, Refusal):
            break
        made = report(made, match, winner)
    return made


def _refused(refusal: Refusal) -> Json:
    return {"error": refusal.code}


def _bracket_json(made: Bracket) -> Json:
    return {
        "matches": {match: list(pair) for match, pair in made.matches.items()},
        "open": made.open,
        "results": {match: list(result) for match, result in made.results.items()},
        "placed": {str(team): list(place) for team, place in made.placed.items()},
        "champion": made.champion,
        "over": made.over,
    }
