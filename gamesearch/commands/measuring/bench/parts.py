"""Measure what each part of the selective search contributes (`bench --parts`).

The search is repeated: with all parts, with all parts except one, and with only one part."""

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import RenderResult
from rich.table import Column
from rich.text import Text

from gamesearch.algorithms.catalog.pvs import PrincipalVariationSearch
from gamesearch.algorithms.engine.formatting import plural, seconds_text
from gamesearch.algorithms.engine.result import Limits, Monitor
from gamesearch.algorithms.engine.searcher import search_with
from gamesearch.algorithms.selective.parts import PARTS, can_matter
from gamesearch.cli.consoles import print_found
from gamesearch.cli.progress import exit_code, show_progress
from gamesearch.game import REPETITION_DRAWS, Game
from gamesearch.optional import TunedGame
from gamesearch.registry import specification_of
from gamesearch.render.tables import number_column, plain_table, view
from gamesearch.study.suites import Problem, answers
from gamesearch.toolkit.random_games import after_random_moves

__all__ = ["SUITE_NODES", "measure_parts", "print_parts", "random_positions"]


# The measurement. ---------------------------------------------------------------------------------
SUITE_NODES = 5_000
POSITIONS = 8
PLIES = 12  # the greatest number of random moves that lead to a random position


@dataclass(frozen=True)
class PartsMeasurement:
    """The results of the searches for one choice of parts: nodes, time, best moves and right answers."""

    parts: str  # the parts in words, such as `without reductions`
    algorithm: PrincipalVariationSearch
    nodes: float  # the geometric mean of the numbers of nodes in all positions
    seconds: float  # the time for all positions together, in seconds
    same_moves: int  # the number of positions in which the search without selective parts finds the same best move
    positions: int
    stopped: str  # the reason why a search ended before it reached its depth; empty if all searches reached their depth
    right: int = 0  # how many problems of the suite were solved. All problems have the same node limit.
    problems: int = 0


def random_positions(game: Game) -> list[Any]:
    """Return the initial position and random positions, which are the same in every run. All of them have legal
    moves."""
    sources = [random.Random(f"parts {seed}") for seed in range(POSITIONS)]
    plies = [0, *(1 + source.randrange(PLIES) for source in sources[1:])]
    return [after_random_moves(game, *each)[1] for each in zip(plies, sources, strict=True)]


def algorithm_versions(game: Game) -> Iterator[tuple[str, PrincipalVariationSearch]]:
    """Yield labeled versions of pvs: without selective parts, with the default parts, with all parts, with all parts
    except one, and with a single part."""
    usual: dict[str, Any] = {"order": game.suggested_order or "game+killer+history"}
    if game.repetition == REPETITION_DRAWS:
        usual["paths"] = "practical"
    yield "no part", PrincipalVariationSearch(**usual, exact=True)
    parts = [part for part in PARTS if can_matter(part, game)]
    if (game if isinstance(game, TunedGame) else TunedGame).parts_off:
        yield "by default", PrincipalVariationSearch(**usual)
    for label, off in (("all parts", ""), *((f"without {part}", part) for part in parts)):
        yield label, PrincipalVariationSearch(**usual | {part: part != off for part in PARTS})
    for part in parts:
        yield f"only {part}", PrincipalVariationSearch(**usual | {other: other == part for other in PARTS})


def measure_parts(
    game: Game,
    states: Sequence[Any],
    limits: Limits,
    *,
    problems: Sequence[Problem] = (),
    nodes: int = SUITE_NODES,
    speed: str = "auto",
    monitor: Monitor | None = None,
) -> Iterator[PartsMeasurement]:
    """Search all positions with each version of pvs, and solve each problem with a limited number of nodes."""
    exact: list[int | None] = []
    _, first = next(algorithm_versions(game))
    first.fits(game)
    # The first search is not measured. It is slower, because its memory has just been allocated.
    search_with(game, states[0], first, limits, speed=speed, monitor=monitor)
    for label, algorithm in algorithm_versions(game):
        algorithm.fits(game)
        logarithms, seconds, best, stopped = 0.0, 0.0, list[int | None](), ""
        for state in states:
            result = search_with(game, state, algorithm, limits, speed=speed, monitor=monitor)
            if monitor is not None and monitor.interrupted:
                return
            logarithms += math.log(result.statistics.nodes)
            seconds += result.statistics.seconds
            best.append(result.best)
            stopped = stopped or result.stopped
        exact = exact or best
        same = sum(ours == theirs for ours, theirs in zip(best, exact, strict=True))
        asked = answers(problems, algorithm.specification, Limits(nodes=nodes), speed=speed, monitor=monitor)
        right = sum(each.is_right for each in asked) if problems else 0
        if monitor is not None and monitor.interrupted:
            return
        mean = math.exp(logarithms / len(states))
        yield PartsMeasurement(label, algorithm, mean, seconds, same, len(states), stopped, right, len(problems))


# The view. ----------------------------------------------------------------------------------------
TERMS = {
    "reductions": "of late moves",
    "futility": "pruning",
    "extensions": "of forced moves",
    "internal": "iterative reductions",
    "aspiration": "windows",
    "deeper": "entries of the table",
    "history": "move ordering",
    "reverse": "futility pruning",
    "late": "move pruning",
    "improving": "positions: prune less",
    "exchanges": "that lose are skipped",
}
"""The words that make the name of a part a complete term."""


@view
def parts_view(game: Game, depth: int, rows: Sequence[PartsMeasurement]) -> RenderResult:
    """Show a row for each version, and explain the numbers. Each version is compared with the first, `no part`."""
    first = rows[0]
    yield Text(f"{specification_of(game)}: {plural(first.positions, 'position')}, all to depth {depth}", style="bold")
    right = ["right"] if first.problems else []
    cells = (
        (
            row.parts + (f" ({TERMS[part]})" if (part := row.parts.split()[-1]) in TERMS else ""),
            f"stopped: {row.stopped}" if row.stopped else f"{row.nodes:,.0f}",
            f"{100 * row.nodes / first.nodes:.3g} %",
            seconds_text(row.seconds),
            f"{row.same_moves} of {row.positions}",
            *(f"{row.right} of {first.problems}" for _ in right),
        )
        for row in rows
    )
    columns = map(number_column, ("nodes", "share", "time", "same move", *right))
    yield plain_table(Column("parts"), *columns, rows=cells, gap=2)
    yield Text("nodes: geometric mean; share: nodes as a percentage of the nodes of `no part`")
    yield Text("same move: the number of positions in which `no part` finds the same best move")
    yield Text("Fewer nodes at equal depth save time, but a part that skips moves may overlook the best move.")
    yield Text("Parts that look further ahead, such as extensions and quiescence, may need more nodes.")
    yield Text("`gamesearch algorithms pvs` explains each part.")
    if not right:
        yield Text("Add --suite FILE to compare the strength with equal numbers of nodes.")
    if right:
        yield Text("right: the number of solved problems in the suite; all problems have the same node limit")


# The command. -------------------------------------------------------------------------------------
def print_parts(
    game: Game,
    states: list[Any],
    limits: Limits,
    problems: list[Problem],
    nodes: int,
    speed: str,
    only_ascii: bool,
    as_json: bool,
) -> int:
    """Measure the parts of the selective search on some positions and problems; return the exit code."""
    with show_progress("measuring") as monitor:
        measured = measure_parts(game, states, limits, problems=problems, nodes=nodes, speed=speed, monitor=monitor)
        rows = list(measured)
    if rows:
        depth = rows[0].algorithm.limits(game, limits).depth or 0
        cells = [vars(row) | {"algorithm": row.algorithm.specification, "nodes": round(row.nodes, 1)} for row in rows]
        data = {"game": specification_of(game), "depth": depth, "rows": cells}
        print_found(parts_view(game, depth, rows), lambda: data, as_json, only_ascii)
    return exit_code(monitor)
