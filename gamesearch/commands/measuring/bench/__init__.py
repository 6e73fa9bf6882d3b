"""Measure algorithms on one position."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

import click
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Column, Table
from rich.text import Text

from gamesearch.algorithms.engine.formatting import all_of, data_number, plural, seconds_text, speed_text, value_text
from gamesearch.algorithms.engine.result import Limits
from gamesearch.cli import options as cli
from gamesearch.cli.consoles import print_found
from gamesearch.cli.help import Command
from gamesearch.cli.progress import exit_code, say_speed, say_threads, show_progress
from gamesearch.cli.reading import read_unfinished
from gamesearch.commands.measuring.bench.parts import SUITE_NODES, print_parts, random_positions
from gamesearch.commands.measuring.bench.probcut import print_fits
from gamesearch.commands.measuring.bench.signature import print_signature
from gamesearch.errors import GamesearchError
from gamesearch.game import MAX, Game
from gamesearch.learn.assessment import Assessment, assess
from gamesearch.notation import player_name
from gamesearch.registry import specification_of
from gamesearch.render.charts.growth import letters
from gamesearch.render.tables import fits, number_column, plain_table, tables_of, text_column, view
from gamesearch.render.value_words import is_played_out, number_text
from gamesearch.study.bench import (
    Measurement,
    agreement,
    all_leaves,
    default_algorithms,
    fewest_leaves,
    measure,
    parse_algorithms,
    random_branching_factor,
    random_leaves,
    random_wide_leaves,
    same,
    uniform_tree,
)
from gamesearch.study.suites import read_suite

__all__ = ["COLUMNS", "assessment_view", "command"]


# The view. ----------------------------------------------------------------------------------------
COLUMNS = (
    "value", "best move", "nodes", "leaves", "cutoffs", "table hits", "depth", "time", "nodes/s", "branching",
    "of all nodes",
)  # fmt: skip


WIDE = 10
"""The formula for wide trees is shown only if the branching factor is at least this number."""


class MeasurementView:
    """Shows a row for each algorithm. Then says whether the exact algorithms agree, and gives the prediction of theory
    for uniform trees."""

    def __init__(self, game: Game, state: Any, rows: Sequence[Measurement]) -> None:
        self.game, self.state, self.rows = game, state, rows

    @property
    def uniform(self) -> tuple[int, int] | None:
        """The branching factor of the game tree and the depth of the searches. None if the tree is not uniform."""
        uniform = uniform_tree(self.game, self.state)
        if uniform is None or not self.rows:
            return None
        return uniform[0], min(uniform[1], self.rows[0].result.statistics.depth)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield Text(f"{specification_of(self.game)}  {self.game.format(self.state)}", style="bold")
        yield from self.tables(console, options)
        count, agree = agreement(self.rows)
        exact = [m for m in self.rows if m.is_exact and not m.result.stopped]
        if not agree:
            yield Text("the exact algorithms DO NOT AGREE")
        elif count > 1 and len({m.depth for m in exact}) == count:
            yield Text("the exact algorithms search to different depths, so their values are not compared")
        elif len({m.depth for m in exact}) > 1:
            yield Text(f"the {count} exact algorithms agree at equal depths")
        elif count > 1:
            first = exact[0]
            where = "" if first.result.sees_the_end else f" at depth {first.depth}"
            value = value_text(first.result.value) + first.result.mark
            yield Text(f"{all_of(count)} exact algorithms agree: the value{where} is {value}")
        yield from map(Text, dict.fromkeys(each for m in self.rows if (each := self.remark(m, count))))
        yield from map(Text, self.theory())

    def remark(self, m: Measurement, count: int) -> str:
        """Return a note in two cases: the value is an estimate, or an inexact algorithm finds the same value as an
        exact algorithm. Otherwise, return an empty string. If several exact algorithms agree, another line gives their
        value."""
        result = m.result
        if result.stopped or result.value is None or (m.is_exact and count > 1):
            return ""
        exact = [each for each in self.rows if each.is_exact and each.depth == m.depth and not each.result.stopped]
        if not m.is_exact and exact and same(result.value, exact[0].result.value):
            return f"{m.algorithm.name} finds the same value"
        if result.is_proven:
            return ""
        kind = (
            "the average of random games"
            if is_played_out(result)
            else f"an estimate at depth {result.statistics.depth}"
        )
        return f"{m.algorithm.name}: the value is {kind}"

    def tables(self, console: Console, options: ConsoleOptions) -> Iterator[Table | Text]:
        """Yield one table. On a narrow terminal, yield several tables in which letters stand for algorithms."""
        names = [m.algorithm.specification for m in self.rows]
        cells = [self.cells(m) for m in self.rows]
        used = [column for column in COLUMNS if any(each[column] for each in cells)]
        if fits(whole := self.table(used, names, "algorithm"), console, options):
            yield whole
            return
        short = letters(len(names))
        for letter, name in zip(short, names, strict=True):
            yield Text(f"{letter}  {name}")
        for table in tables_of(used, lambda columns: self.table(columns, short), console, options):
            yield Text()
            yield table

    def table(self, columns: Sequence[str], names: Sequence[str], heading: str = "") -> Table:
        """Return a table with the given columns and a row for each algorithm."""
        rows = []
        for name, each in zip(names, self.rows, strict=True):
            cells = self.cells(each)
            rows.append([name, *(cells[column] for column in columns)])
        return plain_table(Column(heading, overflow="fold"), *map(number_column, columns), rows=rows, gap=2)

    def cells(self, m: Measurement) -> dict[str, str]:
        """Return an algorithm's row of the table: a cell for each of COLUMNS. If a count is missing, its cell is
        empty."""
        counts, result = m.result.statistics, m.result
        return {
            "value": f"stopped: {result.stopped}"
            if result.stopped and not result.is_proven
            else number_text(self.game, result.value) + result.mark,
            "best move": "" if result.best is None else self.game.move_name(self.state, result.best),
            "nodes": f"{counts.nodes:,}" if counts.nodes else "not counted",
            "leaves": f"{counts.leaves:,}" if counts.nodes else "",
            "cutoffs": f"{counts.cutoffs:,}" if counts.nodes else "",
            "table hits": f"{counts.table_hits:,}" if counts.nodes else "",
            "depth": str(counts.depth),
            "time": seconds_text(m.seconds),
            "nodes/s": speed_text(counts.nodes, m.seconds).replace(" nodes", "") if counts.nodes else "",
            "branching": "" if m.branching is None else f"{m.branching:.2f}",
            "of all nodes": "" if m.share is None else f"{100 * m.share:.3g} %",
        }

    def theory(self) -> list[str]:
        """Return sentences about the number of leaves that theory predicts for uniform trees; empty for other trees."""
        if self.uniform is None:
            return []
        branching, depth = self.uniform
        wide = (
            f"for large b, it visits (b / log b)^d = {random_wide_leaves(branching, depth):,.0f} leaves, times a "
            "constant (Knuth & Moore 1975)"
        )
        return [
            f"in theory, a tree with b = {branching} moves at each node has b^d = {all_leaves(branching, depth):,} "
            f"leaves at depth d = {depth}",
            f"if the best move is always first, alpha-beta visits {fewest_leaves(branching, depth):,} leaves "
            "(Knuth & Moore 1975)",
            f"in random order, it visits about b^(3d/4) = {random_leaves(branching, depth):,.0f} leaves; "
            f"in deep trees, each ply multiplies this number by {random_branching_factor(branching):.2f} (Pearl 1982)",
            *([wide] if branching >= WIDE else []),
        ]


def measurement_data(view: MeasurementView, agree: bool) -> dict[str, Any]:
    """The measurements as JSON."""
    game = view.game
    data: dict[str, Any] = {
        "game": specification_of(game),
        "position": game.format(view.state),
        "agree": agree,
        "rows": [
            {
                "algorithm": m.algorithm.specification,
                "value": data_number(m.result.value),
                "best": None if m.result.best is None else game.move_name(view.state, m.result.best),
                **asdict(m.result.statistics),
                "seconds": m.seconds,
                "nodes_per_second": m.nodes_per_second,
                "branching": m.branching,
                "share": m.share,
                "runs": m.runs,
                "stopped": m.result.stopped,
            }
            | ({"assumed": True} if m.result.is_assumed else {})
            for m in view.rows
        ],
    }
    if view.uniform is not None:
        data["theory"] = {
            "all_leaves": all_leaves(*view.uniform),
            "fewest_leaves": fewest_leaves(*view.uniform),
            "random_leaves": random_leaves(*view.uniform),
            "random_wide_leaves": random_wide_leaves(*view.uniform),
        }
    return data


# The command. -------------------------------------------------------------------------------------
PROBCUT_DEPTH = 8
OUTPUT = ("only_ascii", "as_json", "verbose")  # options that can be combined with all other options


@click.command(
    cls=Command,
    examples=[
        'gamesearch bench tictactoe -a "minimax,alphabeta,alphabeta(table=true)"',
        'gamesearch bench "random_tree(branching=5, depth=6)"',
        "gamesearch bench connect4 4453 --depth 8",
        "gamesearch bench chess --parts --depth 5",
        "gamesearch bench othello --probcut --depth 8",
        "gamesearch bench connect4 --evaluation",
    ],
    old_names={"--keep": "--save"},
)
@click.argument("game", metavar="[GAME]", default="", required=False, shell_complete=cli.offer_games)
@cli.position_argument
@cli.algorithms_option
@cli.depth_option()
@cli.nodes_option
@cli.time_option
@cli.flag_option(
    "--parts",
    text="Measure what each part of pvs saves: search with all parts, without one, and with only one.",
)
@cli.file_option("--suite", text="For --parts: also count the right answers to the problems in FILE.")
@cli.flag_option("--evaluation", text="Measure the evaluation: its cost, its accuracy and its strength.")
@cli.flag_option("--probcut", text="Measure how well shallow searches predict deep searches (ProbCut).")
@cli.flag_option(
    "--save", "keep", text="For --probcut: save the predictions in the pattern file of GAME (weights=FILE)."
)
@cli.flag_option("--signature", text="Print a hash of the results of many searches in all games.")
@cli.speed_option
@cli.ascii_option
@cli.verbose_option
@cli.json_option
def command(
    game: str,
    position: str,
    algorithms: str,
    depth: int | None,
    nodes: int | None,
    time: float | None,
    signature: bool,
    parts: bool,
    suite: str | None,
    probcut: bool,
    keep: bool,
    evaluation: bool,
    speed: str,
    only_ascii: bool,
    verbose: bool,
    as_json: bool,
) -> int:
    """Compare algorithms on one position: nodes, cutoffs, time and value.

    Each search is repeated until it has taken 0.2 s in total. The time of the fastest search is printed, without the
    time for compilation. All exact algorithms must find the same value; if they do not, the exit code is 1.

    --parts measures the parts of the search pvs on POSITION. Without POSITION, it uses the initial position and 7
    random positions. All searches have the same depth. A search that needs fewer nodes for this depth is not always
    stronger. If you add --suite, pvs also solves the problems in a file; --nodes limits the search of each problem.

    --probcut measures how well shallow searches predict the values of searches up to --depth, and prints the
    predictions as Python code for the class of the game.

    --evaluation measures an evaluation on positions of self-play games. A player with this evaluation also plays
    against random moves, once with searches to --depth (default 1) and once with searches of 5 ms.

    --signature lets all algorithms search fixed positions of every game, and prints a hash of the results.
    """
    if signature:
        cli.refuse_others("--signature covers all games, algorithms and options", {"signature", "speed", *OUTPUT})
        return print_signature(speed, only_ascii, as_json)
    if not game:
        raise GamesearchError("name a GAME to measure algorithms on, such as gamesearch bench tictactoe")
    played, state = read_unfinished(game, position, "measure")
    if evaluation:
        cli.refuse_others(
            "--evaluation takes its positions from games that it plays",
            {"game", "depth", "evaluation", "speed", *OUTPUT},
        )
        return print_assessment(played, depth, speed, only_ascii, as_json)
    if suite is not None and not parts:
        raise GamesearchError("only --parts uses --suite: add --parts")
    if keep and not probcut:
        raise GamesearchError("--save saves the result of --probcut: add --probcut")
    if parts or probcut:
        if algorithms or (parts and probcut):
            raise GamesearchError(
                "--parts and --probcut measure only the algorithm `pvs`: give one option, without --algorithms"
            )
        if probcut:
            cli.refuse_others(
                "--probcut takes its positions from games that it plays",
                {"game", "depth", "probcut", "keep", "speed", *OUTPUT},
            )
            depth = depth or played.suggested_depth or PROBCUT_DEPTH
            return print_fits(played, depth, keep, speed, only_ascii, as_json)
        states = [state] if position else random_positions(played)
        limits = Limits(depth, time, None if suite else nodes)
        problems = read_suite(suite, specification_of(played)) if suite else []
        return print_parts(played, states, limits, problems, nodes or SUITE_NODES, speed, only_ascii, as_json)
    chosen = parse_algorithms(algorithms or default_algorithms(played))
    with show_progress("measuring") as monitor:
        rows = list(measure(played, state, chosen, Limits(depth, time, nodes), speed=speed, monitor=monitor))
    ran = rows[0].result.statistics.speed if rows else ""
    say_speed(played, speed, ran, verbose, *(each.game_to_search(played, state) for each in chosen))
    say_threads(chosen, [each.result for each in rows])
    _, agree = agreement(rows)
    found = MeasurementView(played, state, rows)
    print_found(found, lambda: measurement_data(found, agree), as_json, only_ascii)
    return exit_code(monitor, agree)


# The evaluation. ---------------------------------------------------------------------------------
def print_assessment(game: Game, depth: int | None, speed: str, only_ascii: bool, as_json: bool) -> int:
    """Measure the evaluation of a game, print the results, and return the exit code."""
    with show_progress("measuring") as monitor:
        found = assess(game, depth or 1, speed, monitor)
    if found is None:
        return 130
    data = {"game": specification_of(game), **asdict(found)}
    print_found(assessment_view(game, found), lambda: data, as_json, only_ascii)
    return 0


@view
def assessment_view(game: Game, found: Assessment) -> RenderResult:
    """Show the measurements of an evaluation in a table. The table explains each number."""
    yield Text(f"{specification_of(game)}: the evaluation", style="bold")
    truth = "exact values" if found.is_solved else "results of games against itself"
    source = f"in {plural(found.positions, 'position')} of {plural(found.games, 'game')}"
    low, high = found.correlation_low, found.correlation_high
    is_uncertain = low < high and low <= 0 <= high
    remark = ": too few games to say if the evaluation is better than chance" if is_uncertain else ""
    wheres = {
        f"at depth {found.depth}": found.strength,
        f"at {1000 * found.seconds:g} ms a move": found.strength_in_time,
    }
    one, random_strength = player_name(game, MAX), f"{found.strength_of_random_moves:.4g}"
    cost = f"{found.nanoseconds:,.0f} ns" if found.nanoseconds >= 1 else "< 1 ns"
    relative = f"{found.of_a_move:.2g}" if found.of_a_move >= 0.01 else "< 0.01"
    rows = [
        ("cost of a call", cost, f"{relative} times the cost of a move, {found.speed}"),
        ("rank correlation", f"{found.correlation:.2f}", f"with {truth}, {source}"),
        ("", "", f"95 % interval {low:.2f} to {high:.2f}{remark}"),
        ("ties", f"{100 * found.ties:.0f} %", "of positions have several moves with the best estimate"),
        *(
            ("strength", f"{100 * strength:.0f} %", f"of the points against random moves, {where}")
            if found.has_winner
            else ("strength", f"{strength:.4g}", f"{one}'s mean payoff {where}; with random moves {random_strength}")
            for where, strength in wheres.items()
        ),
    ]
    yield plain_table(text_column("measure"), number_column("result"), Column("meaning"), rows=rows, gap=2)
