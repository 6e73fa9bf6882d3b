"""Compare the nodes that several algorithms visit in a tree."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import click
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from gamesearch.algorithms.engine.algorithm import Algorithm
from gamesearch.algorithms.engine.formatting import count_text, plural
from gamesearch.algorithms.engine.result import Limits, Monitor
from gamesearch.cli import options as cli
from gamesearch.cli.consoles import output_console, print_json
from gamesearch.cli.help import Command
from gamesearch.cli.progress import exit_code, say_speed, show_progress
from gamesearch.cli.reading import format_of, read_unfinished, write_picture
from gamesearch.commands.visualizing.compare.convergence import (
    Convergence,
    ConvergenceView,
    converge,
    convergence_data,
    playout_counts,
    plays_out,
)
from gamesearch.commands.visualizing.compare.dice import compare_dice
from gamesearch.commands.visualizing.compare.transforming import compare_transformed
from gamesearch.errors import GamesearchError
from gamesearch.game import Game
from gamesearch.registry import specification_of
from gamesearch.render.charts.chart import ChartView
from gamesearch.render.charts.growth import GrowthView, growth_data, letters, series_of
from gamesearch.render.charts.svg import chart_svg
from gamesearch.render.tables import add_rows, number_column, text_column
from gamesearch.render.trees.tree import DATED
from gamesearch.study.bench import DEEPEST, Growth, agreement, default_algorithms, grow, parse_algorithms, theory_of
from gamesearch.trace.comparison import ComparedNode, Mark, compare_recordings, record

__all__ = ["command"]


# The tree. ----------------------------------------------------------------------------------------
WORDS = {
    "visited": ("a number", "", "nodes visited in this subtree"),
    "cut": ("cut", "red", "not searched, because of a cutoff"),
    "table": ("table", "cyan", "value from the transposition table"),
    "bounds": ("bounds", "cyan", "value from the bounds of the game"),
    "database": ("solved", "cyan", "value from an endgame database"),
    "repetition": ("repeats", "cyan", "repetition of a position on the path"),
    "unfinished": ("stopped", "yellow", "the search was stopped below this node"),
    "unreached": ("-", "dim", "not reached, because its parent was not searched"),
}
"""For each kind of mark in the table, the word that is shown, its style, and its meaning."""


class ComparisonView:
    """Shows the tree, and explains the words in its columns. Each search has a column."""

    def __init__(self, root: ComparedNode, names: Sequence[str], depth: int, remark: str) -> None:
        self.root, self.names, self.depth, self.remark = root, names, depth, remark

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield Text(f"nodes visited by each algorithm in a search to depth {self.depth}{self.remark}")
        drawn = list(lines(self.root, "", "", options.ascii_only))
        columns = [*map(number_column, self.names), text_column()]
        table = Table(*columns, box=None, padding=(0, 2, 0, 0), header_style="bold", pad_edge=False)
        blanks = [""] * len(self.names)
        yield add_rows(table, ((*(map(mark_text, marks) if marks else blanks), label) for label, marks in drawn))
        used = {mark.kind for _, marks in drawn for mark in marks}
        for kind, (word, _, explained) in WORDS.items():
            if kind in used:
                yield Text(f"{word}: {explained}", style="dim")
        dated = next(filter(None, (DATED.search(label.plain) for label, _ in drawn)), None)
        if dated is not None:
            plies = plural(int(dated[1]), "ply", "plies")
            yield Text(f"{dated[0]}: the game ends {plies} from the root", style="dim")


def lines(node: ComparedNode, first: str, rest: str, only_ascii: bool) -> Iterator[tuple[Text, Sequence[Mark]]]:
    """For each node, yield its line and its marks. A line without marks contains the number of omitted nodes."""
    label = Text(first, style="dim", no_wrap=True)
    if node.move is not None:
        label.append(f"{node.move}  ", style="not dim bold")
    label.append(node.side, style="not dim")
    if node.value:
        label.append(f" = {node.value}", style="not dim bold")
    yield label, node.marks
    fork, last, down = ("|-- ", "`-- ", "|   ") if only_ascii else ("├── ", "└── ", "│   ")
    for number, child in enumerate(node.children, 1):
        is_last = number == len(node.children) and not node.left_out
        yield from lines(child, rest + (last if is_last else fork), rest + ("    " if is_last else down), only_ascii)
    if node.left_out:
        yield Text(f"{rest}{last}... {count_text(node.left_out)} more (--width)", style="dim", no_wrap=True), ()


def mark_text(mark: Mark) -> Text:
    """Return a mark as text: a word or, for a visited node, the number of nodes in its subtree."""
    word, style, _ = WORDS[mark.kind]
    return Text(count_text(mark.nodes) if mark.kind == "visited" else word, style=style)


def comparison_data(node: ComparedNode) -> dict[str, Any]:
    """The tree as JSON."""
    return {
        "move": node.move,
        "side": node.side,
        "value": node.value or None,
        "marks": [{"did": mark.kind, "nodes": mark.nodes} for mark in node.marks],
        "left_out": node.left_out,
        "children": [comparison_data(child) for child in node.children],
    }


# The command. -------------------------------------------------------------------------------------
WATCHED = 20_000
"""A search that is recorded for the tree may visit at most this number of nodes. The recording has the greatest depth
at which this holds."""
DEEPEST_DRAWN = 3
"""If --plies is not given, the tree is drawn to at most this number of plies."""
MOST_LINES = 24
"""If --plies is not given, the tree has at most this number of lines, so that tree and chart fit on a screen."""
SEEDS = 5
"""The default number of seeds."""
WITH_TRANSFORM = {"game", "position", "transform", "depth", "positions", "only_ascii", "as_json", "verbose", "speed"}
"""The parameters that a user may give together with --transform."""
WITH_DICE = {"game", "position", "dice", "depth", "only_ascii", "as_json", "speed"}
"""The parameters that a user may give together with --dice."""


@dataclass(frozen=True)
class SharedTree:
    """The tree that several algorithms search, the depth of the searches, and the number of plies to draw."""

    root: ComparedNode
    depth: int
    is_shallower: bool
    plies: int

    @property
    def remark(self) -> str:
        """The last words of the heading, which say what part of the tree is not drawn."""
        why = " (deeper searches are too long to record)" if self.is_shallower else ""
        return why + (f", drawn to ply {self.plies} (--plies)" if self.plies < self.depth else "")

    @property
    def data(self) -> dict[str, Any]:
        """The tree for JSON."""
        return {"depth": self.depth, **comparison_data(self.root)}


@dataclass(frozen=True)
class OutputOptions:
    """The options for the output."""

    to: str | None
    force: bool
    speed: str
    only_ascii: bool
    verbose: bool
    as_json: bool

    def show(
        self,
        game: Game,
        state: Any,
        found: Sequence[Growth] | Sequence[Convergence],
        view: RenderableType,
        svg: Callable[[str], str],
        data: dict[str, Any],
    ) -> None:
        """Report the speed, write the chart, and print the results and the letter that stands for each algorithm."""
        algorithms = [each.algorithm for each in found]
        searched = [each.game_to_search(game, state) for each in algorithms]
        say_speed(game, self.speed, found[0].speed, self.verbose, *searched)
        name, position = specification_of(game), game.format(state)
        write_picture(self.to, lambda: svg(f"{name}  {position}"), "the chart", self.force)
        if self.as_json:
            print_json({"game": name, "position": position, **data})
            return
        console = output_console(self.only_ascii)
        console.print(f"{name}  {position}", style="bold")
        for letter, algorithm in zip(letters(len(algorithms)), algorithms, strict=True):
            console.print(f"{letter}  {algorithm.specification}")
        console.print()
        console.print(view)


@click.command(
    cls=Command,
    examples=[
        'gamesearch compare "[[3,12,8],[2,4,6],[14,5,2]]" -a "minimax,alphabeta"',
        'gamesearch compare "random_tree(branching=4, depth=5)" --shuffle 20 --to a.svg',
        'gamesearch compare connect4 44 --depth 5 -a "alphabeta,alphabeta(table=true)"',
        'gamesearch compare pig --transform "x^3"',
        "gamesearch compare 'pig(target=10)' --dice",
        'gamesearch compare tictactoe X../.../... -a "mcts,alphabeta" --playouts 500',
    ],
)
@cli.game_argument
@cli.position_argument
@cli.algorithms_option
@cli.depth_option(DEEPEST)
@cli.nodes_option
@cli.time_option
@cli.number_option(
    "--plies",
    least=0,
    most=cli.MOST_PLIES,
    text=f"Draw the first N plies of each tree.  [default: up to {DEEPEST_DRAWN}, in at most {MOST_LINES} lines]",
)
@cli.width_option
@cli.number_option("--shuffle", most=1000, text="Repeat the searches with N random orders of the moves.")
@cli.number_option("--playouts", text="Greatest number of playouts.  [default: 1,000]")
@cli.number_option("--seeds", most=1000, text="Number of seeds for playouts.  [default: 5]")
@click.option(
    "--transform",
    metavar="FORMULA",
    help="Transform all values, and compare the chosen moves. FORMULA is, for example, x^3, exp(x), 2*x+1 or "
    "{1: 1, 2: 20}.",
)
@cli.number_option("--positions", default=40, text="With --transform, compare this number of positions.")
@cli.flag_option("--dice", text="Show three values of each move: with bad, random, and good dice for Max.")
@cli.svg_option("the chart")
@cli.force_option
@cli.speed_option
@cli.ascii_option
@cli.verbose_option
@cli.json_option
def command(
    game: str,
    position: str,
    algorithms: str,
    depth: int | None,
    plies: int | None,
    width: int,
    playouts: int | None,
    seeds: int | None,
    shuffle: int | None,
    nodes: int | None,
    time: float | None,
    to: str | None,
    transform: str | None,
    positions: int,
    dice: bool,
    force: bool,
    speed: str,
    only_ascii: bool,
    verbose: bool,
    as_json: bool,
) -> int:
    """Draw a tree of the nodes that several algorithms visit, and a chart of the number of nodes for each search depth.

    If the algorithms make playouts (montecarlo, mcts), the chart shows the value (the median of several seeds) and the
    best move for each number of playouts. If the tree is uniform, the chart also shows the number of nodes that theory
    predicts. Cutoffs depend on the order of moves: --shuffle repeats each search with shuffled moves. All exact
    algorithms must find the same values; if they do not, the exit code is 1.

    If --transform is given, one algorithm searches POSITION and positions of random games that begin there. Each
    position is searched twice: with the original values, and with transformed payoffs and estimates. If the
    transformation is increasing, minimax chooses the same moves, but expectiminimax may choose other moves (Russell and
    Norvig, section 5.5.1).
    """
    if transform is not None:
        cli.refuse_others("--transform compares the original values with transformed values", WITH_TRANSFORM)
    elif dice:
        cli.refuse_others("--dice compares three assumptions about the dice", WITH_DICE)
    if speed == "compiled" and (dice or transform is not None):
        raise GamesearchError(f"{'--dice' if dice else '--transform'} never uses compiled code: leave out --speed")
    if transform is not None:
        return compare_transformed(game, position, transform, depth, positions, only_ascii, as_json)
    if dice:
        return compare_dice(game, position, depth, only_ascii, as_json)
    played, state = read_unfinished(game, position, "compare")
    format_of(to, [".svg"], overwrite=force)
    if shuffle and speed == "compiled":
        raise GamesearchError("--shuffle never uses compiled code: leave out --shuffle or --speed")
    chosen = parse_algorithms(algorithms or default_algorithms(played))
    limits, how = Limits(depth, time, nodes), OutputOptions(to, force, speed, only_ascii, verbose, as_json)
    if any(map(plays_out, chosen)):
        if shuffle:
            raise GamesearchError("searches with playouts need different seeds: write --seeds, not --shuffle")
        return compare_playouts(played, state, chosen, playout_counts(chosen, playouts), seeds or SEEDS, limits, how)
    if playouts or seeds:
        raise GamesearchError("none of these algorithms makes playouts: leave out --playouts and --seeds")
    with show_progress("comparing") as monitor:
        found = grow(played, state, chosen, limits, shuffle or 0, speed=speed, monitor=monitor)
        tree = None if monitor.interrupted else shared_tree(played, state, found, plies, width, monitor)
    theories = theory_of(played, state, max(len(growth.rows) for growth in found))
    view: RenderableType = GrowthView(found, theories)
    if tree is not None:
        view = Group(ComparisonView(tree.root, letters(len(found)), tree.depth, tree.remark), Text(), view)
    how.show(
        played,
        state,
        found,
        view,
        lambda subject: chart_svg(ChartView(series_of(found, theories)), subject),
        growth_data(found, theories) | {"tree": None if tree is None else tree.data},
    )
    return exit_code(monitor, agreement([row for growth in found for row in growth.measurements])[1])


def compare_playouts(
    game: Game,
    state: Any,
    chosen: Sequence[Algorithm],
    counts: Sequence[int],
    seeds: int,
    limits: Limits,
    how: OutputOptions,
) -> int:
    """Draw the value and the chosen move for each number of playouts; return the exit code."""
    with show_progress("comparing") as monitor:
        found = converge(game, state, chosen, counts, seeds, limits, speed=how.speed, monitor=monitor)
    view = ConvergenceView(game, state, found)
    data = convergence_data(game, state, found)
    how.show(game, state, found, view, lambda subject: chart_svg(view.chart, subject), data)
    return exit_code(monitor)


def shared_tree(
    game: Game, state: Any, found: Sequence[Growth], plies: int | None, width: int, monitor: Monitor
) -> SharedTree | None:
    """Return the tree for the greatest depth at which no search is too long to be recorded; None if a search is too
    long even at depth 1.

    If --plies is not given, the drawing has at most MOST_LINES lines, but at least one ply.
    """
    depth = min(len(growth.rows) for growth in found)
    while depth and any(growth.nodes[depth - 1] > WATCHED for growth in found):
        depth -= 1
    if not depth:
        return None
    deepest = DEEPEST_DRAWN if plies is None else plies
    recordings = [record(game, state, growth.algorithm, depth, deepest, monitor) for growth in found]
    if monitor.interrupted:
        return None
    root = compare_recordings(game, state, recordings, deepest, width)
    while plies is None and deepest > 1 and len(list(lines(root, "", "", True))) > MOST_LINES:
        deepest -= 1
        root = compare_recordings(game, state, recordings, deepest, width)
    return SharedTree(root, depth, depth < max(len(growth.rows) for growth in found), deepest)
