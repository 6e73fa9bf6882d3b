"""`gamesearch analyze`: search a position; the value, the best line, the moves, the searched tree."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import click
from click.core import ParameterSource

from gamesearch import compiler
from gamesearch.algorithms.catalog import fitting, load_algorithm
from gamesearch.algorithms.parts.algorithm import Algorithm, depth_checked, seconds_checked
from gamesearch.algorithms.parts.formatting import plural
from gamesearch.algorithms.parts.result import Limits, SearchResult
from gamesearch.algorithms.parts.workspace import FULL_DEPTH
from gamesearch.api import search
from gamesearch.cli.beside import answers_beside, beside_data, beside_lines
from gamesearch.cli.common import (
    algorithm_option,
    ascii_option,
    best_so_far,
    force_option,
    game_argument,
    json_option,
    output_console,
    plies_option,
    position_argument,
    print_json,
    read_position,
    say_fallback,
    speed_option,
    verbose_option,
    width_option,
)
from gamesearch.cli.live import watching_depths
from gamesearch.cli.messages import say
from gamesearch.errors import GamesearchError
from gamesearch.game import Game
from gamesearch.play.files import writable_path, write_file
from gamesearch.render.analysis import Analysis, AnalysisView, analysis_data
from gamesearch.render.explanation import ExplanationView, explanation_data
from gamesearch.render.tree import TreeView, tree_data
from gamesearch.specification import parse_specification, parse_value
from gamesearch.study.explanation import Explanation, explain
from gamesearch.trace.observers import observe_together
from gamesearch.trace.recorder import Recorder, TreeRecorder
from gamesearch.trace.recording import Recording

__all__ = ["command"]

MOST_NODES = 1 << 62
"""What a counter of 64 bits holds without care."""


@dataclass(frozen=True)
class Options:
    """What was asked for besides game, position and algorithm."""

    depth: str | None
    time: float | None
    nodes: int | None
    moves: bool
    multipv: int | None
    explain: bool
    tree: bool
    plies: int
    width: int
    trace: str | None
    trace_nodes: int
    force: bool
    speed: str
    only_ascii: bool
    as_json: bool
    verbose: bool
    beside: tuple[str, ...] = ()

    def limits(self) -> Limits:
        """The limits that override those of the algorithm."""
        depth = given_depth(self.depth)
        return Limits(
            depth=FULL_DEPTH if depth == "full" else None if depth is None else int(depth),
            time=None if self.time is None else seconds_checked(self.time),
            nodes=None if self.nodes is None else min(self.nodes, MOST_NODES),
        )


def given_depth(text: str | None) -> int | str | None:
    """The depth that the command line gives: plies, or full."""
    return None if text is None else depth_checked(parse_value(text) or 0)


@click.command(
    epilog="\b\nExamples:\n"
    '  gamesearch analyze tictactoe "XX./OX./.OO" --moves\n'
    '  gamesearch analyze "[[3,12,8],[2,4,6],[14,5,2]]" --tree\n'
    "  gamesearch analyze connect4 4453 --depth 6 --explain\n"
    "  gamesearch analyze connect4 4453 --multipv 3 --nodes 100000\n"
    '  gamesearch analyze connect4 4453 -a "alphabeta(table=true, deepen=true)" --time 2\n'
    '  gamesearch analyze tictactoe "XX./OX./.OO" --trace search.trace\n'
    '  gamesearch analyze connect4 4453 --depth 6 --beside "alphabeta(depth=2)"\n'
)
@game_argument
@position_argument
@algorithm_option
@click.option("--depth", metavar="PLIES", help="How deep to search: plies, or full.")
@click.option("--time", type=click.FloatRange(min=0, min_open=True), metavar="SECONDS", help="When to stop.")
@click.option("--nodes", type=click.IntRange(min=1), metavar="COUNT", help="How many positions to visit.")
@click.option("--moves", is_flag=True, help="Value each move, best first, in half of --time or --nodes.")
@click.option(
    "--multipv",
    type=click.IntRange(min=1),
    metavar="N",
    help="The N best moves with their values and lines, in one budget.",
)
@click.option("--explain", is_flag=True, help="Say why: the other moves, the evaluation, the value by depth.")
@click.option("--tree", is_flag=True, help="Draw the searched tree: windows, values, cutoffs.")
@plies_option
@width_option
@click.option(
    "--trace",
    metavar="FILE",
    help="Write the search down, for show, watch and export; to -: instead of the answer.",
)
@click.option(
    "--trace-nodes",
    type=click.IntRange(min=1),
    metavar="N",
    default=10_000,
    show_default=True,
    help="How many nodes to write down.",
)
@click.option(
    "--beside",
    metavar="PLAYER",
    multiple=True,
    help="Ask another player, too, such as 'uci(path=stockfish)'; may be repeated.",
)
@force_option
@speed_option
@ascii_option
@json_option
@verbose_option
@click.pass_context
def command(context: click.Context, /, game: str, position: str, algorithm: str, **options: Any) -> None:
    """Search a position: its value, the best line, each move's value, the searched tree.

    GAME is such as tictactoe, 'connect4(rows=5)', '[[3,12,8],[2,4,6]]' or ./mygame.py; POSITION is in
    the game's notation ('-' reads it), by default the start.
    """
    is_chosen = context.get_parameter_source("algorithm") is not ParameterSource.DEFAULT
    context.exit(analyze(game, position, algorithm if is_chosen else "", Options(**options)))


def analyze(game_text: str, position: str, algorithm_text: str, options: Options) -> int:
    """Search and show; the exit code. Without an algorithm, the one that fits the game."""
    refuse_together(options)
    game, state = read_position(game_text, position)
    algorithm_text = algorithm_text or fitting(game)
    limits = options.limits()
    algorithm = deepening(load_algorithm(algorithm_text), algorithm_text, limits)
    algorithm.fits(game)
    if game.terminal(state):
        if options.trace:
            raise GamesearchError("the game is over: there is no search to trace")
        show(Analysis(game, state, None), algorithm, None, options)
        return 0
    tree_recorder, recorder = recorders(game, state, algorithm, options)
    watched = [each for each in (tree_recorder, recorder) if each is not None]
    with watching_depths(game, state, options.only_ascii) as monitor:
        result = search(
            game,
            state,
            algorithm,
            limits=limits,
            speed=options.speed,
            moves=options.moves,
            multipv=options.multipv or 0,
            monitor=monitor,
            observer=observe_together(*watched) if watched else None,
        )
        explanation = None
        if options.explain and result.value is not None and not monitor.interrupted:
            explanation = explain(game, state, algorithm, limits, result, speed=options.speed, monitor=monitor)
    if options.trace and recorder is not None:
        recording = recorder.finish(result)
        say(recorded_sentence(options, recording))
        if options.trace == "-":
            click.echo(recording.text, nl=False)
            return 130 if monitor.interrupted else 0
        write_file(options.trace, recording.text, overwrite=options.force)
    if options.verbose:
        say(speed_sentence(algorithm.as_searched(game, state), result, options))
    elif options.speed == "auto" and not watched:
        say_fallback(game, algorithm.as_searched(game, state))
    analysis = Analysis(
        game,
        state,
        result,
        is_to_the_end=result.sees_the_end,
        is_expected=algorithm.as_searched(game, state).chance,
        with_moves=options.moves,
        with_lines=bool(options.multipv),
        stopped=best_so_far(result),
    )
    tree = None if tree_recorder is None else tree_recorder.finish(result)
    beside = [] if monitor.interrupted else answers_beside(options.beside, game, state, limits, options.speed)
    show(analysis, algorithm, tree, options, explanation, beside)
    if monitor.interrupted:
        return 130
    return 1 if result.stopped and result.value is None and result.best is None else 0


def refuse_together(options: Options) -> None:
    """Raise GamesearchError for options that ask for different searches."""
    others = (("--moves", options.moves), ("--tree", options.tree), ("--trace", options.trace))
    for flag, is_given in others if options.multipv else ():
        if is_given:
            raise GamesearchError(f"--multipv searches the best moves, each by itself: leave out {flag}")


def recorders(
    game: Game[Any], state: Any, algorithm: Algorithm, options: Options
) -> tuple[TreeRecorder | None, Recorder | None]:
    """What records the tree to draw, and the whole search to write down; None for what was not asked for."""
    if options.speed == "compiled" and (options.tree or options.trace):
        what, flag = (
            ("a tree can only be watched", "--tree") if options.tree else ("a trace is only written", "--trace")
        )
        raise GamesearchError(f"{what} interpreted: leave out {flag} or --speed compiled")
    if options.trace and options.trace != "-":
        writable_path(options.trace, overwrite=options.force)
    return (
        TreeRecorder(game, state, algorithm, options.plies, options.width) if options.tree else None,
        Recorder(game, state, algorithm, options.trace_nodes) if options.trace else None,
    )


def recorded_sentence(options: Options, recording: Recording) -> str:
    """How much of the search is in the file."""
    recorded, left_out = recording.end["recorded"], recording.end["left_out"]
    how = f" (--trace-nodes {options.trace_nodes})" if left_out else ""
    return f"{options.trace}: {plural(recorded, 'node')} recorded, {left_out:,} left out{how}"


def deepening(algorithm: Algorithm, text: str, limits: Limits) -> Algorithm:
    """The algorithm, deepening step by step where it may be stopped: then there is a depth that it finished.

    Unless its specification says otherwise.
    """
    may_stop = limits.time is not None or (limits.nodes is not None and limits.depth is None)
    if may_stop and algorithm.can_deepen:
        if "deepen" not in parse_specification(text).parameters:
            algorithm.deepen = True
    return algorithm


def show(
    analysis: Analysis,
    algorithm: Algorithm,
    tree: Recording | None,
    options: Options,
    explanation: Explanation | None = None,
    beside: Sequence[SearchResult] = (),
) -> None:
    """Write the answer to standard output."""
    if options.as_json:
        data = analysis_data(analysis, algorithm.specification)
        data["limits"] = {"depth": given_depth(options.depth), "time": options.time, "nodes": options.nodes}
        if options.explain:
            data["explanation"] = explanation_data(analysis, explanation) if explanation is not None else None
        if tree is not None:
            data["tree"] = tree_data(tree, options.plies, options.width)
        if options.beside:
            data["beside"] = beside_data(analysis.game, analysis.state, beside)
        print_json(data)
        return
    console = output_console(options.only_ascii)
    console.print(AnalysisView(analysis, options.only_ascii))
    if explanation is not None:
        console.print()
        console.print(ExplanationView(analysis, explanation, options.only_ascii))
    if tree is not None:
        console.print()
        console.print(TreeView(tree, options.plies, options.width, options.only_ascii))
    for line in beside_lines(analysis.game, analysis.state, beside):
        console.print(line, markup=False, soft_wrap=not console.is_terminal)


def speed_sentence(game: Game[Any], result: SearchResult, options: Options) -> str:
    """Which speed the search ran at, and why."""
    if result.statistics.speed == "compiled":
        return "speed: compiled, from the same source that runs interpreted"
    if options.tree or options.trace:
        reason = f"so that {'--tree' if options.tree else '--trace'} can watch each node"
    elif options.speed == "interpreted":
        reason = "as --speed says"
    else:
        known = compiler.why_interpreted(game)
        reason = f"because {known}" if known else "because this algorithm runs no compiled code"
    return f"speed: interpreted, {reason}"
