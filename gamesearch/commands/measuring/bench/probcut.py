"""Measure the parameters of ProbCut: how well shallow searches predict the values of deep searches (`bench --probcut`).

The positions come from games that a search plays against itself from random openings. Each position is searched to
depth 1, 2, 3, ... without selective parts. For each pair of depths, the deep values are fitted by a linear function of
the shallow values (M. Buro 1995). If a search sees a win or the end of the game, its value is not an estimate and is
left out.
"""

import functools
import math
import random
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import RenderResult
from rich.text import Text

from gamesearch.algorithms.catalog.pvs import PrincipalVariationSearch
from gamesearch.algorithms.engine.formatting import plural
from gamesearch.algorithms.engine.result import Limits, Monitor, SearchResult
from gamesearch.algorithms.engine.searcher import search_with
from gamesearch.algorithms.selective.cutoffs import LEAST_DEPTH, shallow_depth
from gamesearch.cli.consoles import print_found
from gamesearch.cli.messages import say
from gamesearch.cli.progress import show_progress
from gamesearch.errors import GamesearchError
from gamesearch.game import MAX, Game
from gamesearch.learned.packed_files import file_of_patterns, keep_predictions
from gamesearch.optional import Prediction
from gamesearch.registry import specification_of
from gamesearch.render.tables import number_column, plain_table, view
from gamesearch.solvers.estimate import fit_line
from gamesearch.toolkit.random_games import after_random_moves

__all__ = ["fit_lines", "print_fits", "values_by_depth"]


# The measurement. ---------------------------------------------------------------------------------
POSITIONS = 300
OPENING = 6  # the number of random moves at the beginning of a game
LEAST_POSITIONS = 20  # a linear function is fitted only if at least this number of positions has values at both depths


@dataclass(frozen=True)
class Fit:
    """A linear function that predicts the values of deep searches, and the accuracy of this function."""

    prediction: Prediction
    correlation: float
    positions: int


def values_by_depth(
    game: Game, depth: int, positions: int, *, speed: str = "auto", monitor: Monitor | None = None
) -> Iterator[Mapping[int, float]]:
    """For each position, yield a mapping from depths to estimates, from the point of view of the player to move."""
    algorithm = PrincipalVariationSearch(exact=True, paths="practical", order=game.suggested_order or "game+history")
    algorithm.fits(game)
    source = random.Random("probcut")
    past, s = after_random_moves(game, OPENING, source)
    for number in range(positions):
        while game.terminal(s) or not game.steps(s, past):
            past, s = after_random_moves(game, OPENING, source)
        found: dict[int, float] = {}
        watch = Monitor(finished=functools.partial(note_value, game, s, found))
        if monitor is not None:
            monitor.stage = f"{number + 1} of {positions}"
            watch.poll = monitor.poll
        result = search_with(game, s, algorithm, Limits(depth), speed=speed, monitor=watch, past=past)
        if monitor is not None and watch.interrupted:
            monitor.interrupted = True
            return
        assert result.best is not None
        yield found
        past, s = [*past, s], game.result(s, result.best)


def note_value(game: Game, s: Any, found: dict[int, float], result: SearchResult) -> None:
    """If the value of a search is an estimate, store it in `found`, under the depth of the search."""
    value = result.value
    if isinstance(value, float) and not result.sees_the_end and game.MINSCORE < value < game.MAXSCORE:
        found[result.statistics.depth] = value if game.player(s) == MAX else -value


def fit_lines(values: Sequence[Mapping[int, float]]) -> Iterator[Fit]:
    """Yield a linear function for each depth. It predicts the value of a search to this depth from the value of a
    shallower search."""
    deepest = max((max(each, default=0) for each in values), default=0)
    for depth in range(LEAST_DEPTH, deepest + 1):
        shallow = shallow_depth(depth)
        pairs = [(each[shallow], each[depth]) for each in values if shallow in each and depth in each]
        if len(pairs) < LEAST_POSITIONS:
            continue
        xs, ys = zip(*pairs, strict=True)
        if len(set(xs)) == 1:
            raise GamesearchError("all estimates are equal, so they predict nothing: choose a game with an evaluation")
        slope, intercept = fit_line(xs, ys)
        errors = [y - slope * x - intercept for x, y in pairs]
        deviation = (math.fsum(error * error for error in errors) / (len(pairs) - 2)) ** 0.5
        correlation = statistics.correlation(xs, ys) if len(set(ys)) > 1 else 0.0
        yield Fit(Prediction(depth, shallow, slope, intercept, deviation), correlation, len(pairs))


# The view. ----------------------------------------------------------------------------------------
@view
def fits_view(game: Game, fits: Sequence[Fit]) -> RenderResult:
    """Show a row for each pair of depths, and the predictions as Python code for the class of a game."""
    yield Text(f"{specification_of(game)}: values at one depth, predicted from a smaller depth", style="bold")
    columns = map(number_column, ("depth", "from", "slope", "intercept", "deviation", "correlation", "positions"))
    rows = ((*numbers_of(fit), f"{fit.correlation:.3f}", f"{fit.positions:,}") for fit in fits)
    yield plain_table(*columns, rows=rows, gap=2)
    yield Text("values are for the player to move; deviation: standard deviation of the error, in units of the payoffs")
    yield Text(
        f"{plural(len(fits), 'prediction')} for the class of the game, which must be derived from `optional.TunedGame`:"
    )
    yield Text(declaration(fits))


def numbers_of(fit: Fit) -> list[str]:
    """Convert the numbers of a fit to texts: the two depths, the coefficients of the linear function, and the standard
    deviation of the error."""
    depth, shallow, *line = fit.prediction
    return [str(depth), str(shallow), *(f"{number:.4g}" for number in line)]


def declaration(fits: Sequence[Fit]) -> str:
    """Return the Python code that declares the predictions in the class of a game."""
    lines = (f"    Prediction({', '.join(numbers_of(fit))})," for fit in fits)
    return "\n".join(["PREDICTIONS = (", *lines, ")"])


# The command. -------------------------------------------------------------------------------------
def print_fits(game: Game, depth: int, keep: bool, speed: str, only_ascii: bool, as_json: bool) -> int:
    """Measure how well shallow values predict deep values. Save the results if `keep` is true. Return the exit code."""
    if keep:
        file_of_patterns(game)
    if depth < LEAST_DEPTH:
        raise GamesearchError(f"values can be predicted only from depth {LEAST_DEPTH} on: --depth {depth} is too small")
    with show_progress("measuring") as monitor:
        values = list(values_by_depth(game, depth, POSITIONS, speed=speed, monitor=monitor))
    if monitor.interrupted:
        return 130
    fits = list(fit_lines(values))
    if not fits:
        raise GamesearchError(
            f"games of {game.name} end within depth {depth}, so there are too few estimates to compare"
        )
    rows = [{**fit.prediction._asdict(), "correlation": fit.correlation, "positions": fit.positions} for fit in fits]
    data = {"game": specification_of(game), "predictions": rows}
    print_found(fits_view(game, fits), lambda: data, as_json, only_ascii)
    if keep:
        say(f"saved in {keep_predictions(game, [fit.prediction for fit in fits])}")
    return 0
