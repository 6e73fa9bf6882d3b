"""`gamesearch bench`: algorithms measured against each other."""

from typing import Any

import click

from gamesearch.algorithms.engine.result import Limits
from gamesearch.algorithms.selective.probcut import LEAST_DEPTH
from gamesearch.cli.completing import offer_games
from gamesearch.cli.consoles import print_found
from gamesearch.cli.messages import say
from gamesearch.cli.options import (
    algorithms_option,
    ascii_option,
    json_option,
    nodes_option,
    position_argument,
    speed_option,
    time_option,
    verbose_option,
)
from gamesearch.cli.progress import exit_code, say_speed, say_threads, watching
from gamesearch.cli.reading import read_unfinished
from gamesearch.errors import GamesearchError
from gamesearch.game import Game
from gamesearch.learn.assessment import assess
from gamesearch.learned.packed_files import file_of_patterns, keep_predictions
from gamesearch.registry import specification_of
from gamesearch.render.assessment import assessment_data, assessment_view
from gamesearch.render.measurement import MeasurementView, measurement_data
from gamesearch.render.parts import parts_data, parts_view
from gamesearch.render.probcut import fits_data, fits_view
from gamesearch.render.signature import signature_data, signature_view
from gamesearch.study.bench import agreement, default_algorithms, measure, parse_algorithms
from gamesearch.study.parts import SUITE_NODES, measure_parts, positions_by_lot
from gamesearch.study.probcut import POSITIONS, fitted, values_by_depth
from gamesearch.study.signature import signatures
from gamesearch.study.suites import Problem, read_suite

__all__ = ["command"]

PROBCUT_DEPTH = 8


@click.command("bench")
@click.argument("game", metavar="[GAME]", default="", required=False, shell_complete=offer_games)
@position_argument
@algorithms_option
@click.option("--depth", type=click.IntRange(1), help="Plies to search.  [default: what the game suggests]")
@nodes_option
@time_option
@click.option(
    "--signature", is_flag=True, help="Search fixed positions of all games, and print one hash of what is found."
)
@click.option("--parts", is_flag=True, help="What each part of pvs is worth: all, without each in turn, each alone.")
@click.option("--suite", type=click.Path(), metavar="FILE", help="With --parts: how many problems are answered right.")
@click.option("--probcut", is_flag=True, help="How values to a depth follow from those to a smaller one.")
@click.option("--keep", is_flag=True, help="With --probcut: write that into the file of patterns, weights=FILE.")
@click.option("--evaluation", is_flag=True, help="What a call costs, how well it tells results, and how it plays.")
@speed_option
@ascii_option
@verbose_option
@json_option
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
    """Measure algorithms against each other on one position.

    Each is run until it has taken 0.2 s altogether; the quickest run counts, without compilation.
    All exact algorithms must find the same value; the exit code is 1 where they do not. With --signature,
    fixed positions of every game are searched with all options, and one hash of what is found is printed.
    With --parts, the parts of the selective search are measured, on POSITION or on 8 positions by lot, and with
    --suite on the problems of a file, too, each by --nodes nodes. With --probcut, the predictions of ProbCut are
    measured, to --depth, and printed as a game may declare them; of learned patterns, --keep writes them into the
    file. With --evaluation, positions of games with itself are looked at, and games are played against moves by
    lot, by searches to --depth, or 1.

    \b
    gamesearch bench tictactoe --algorithms "minimax,alphabeta,alphabeta(table=true)"
    gamesearch bench "random_tree(branching=5, depth=6)"
    gamesearch bench connect4 4453 --depth 8
    gamesearch bench chess --parts --depth 5
    gamesearch bench othello --probcut --depth 8
    gamesearch bench connect4 --evaluation
    """
    if signature:
        if game or algorithms or depth or nodes or time or parts or probcut or evaluation:
            raise GamesearchError("--signature covers all games, algorithms and options: leave out all other arguments")
        return print_signature(speed, only_ascii, as_json)
    if not game:
        raise GamesearchError("name a GAME to measure algorithms on, such as gamesearch bench tictactoe")
    played, state = read_unfinished(game, position, "measure")
    if evaluation:
        if position or algorithms or nodes or time or parts or probcut or suite:
            raise GamesearchError("--evaluation plays games of its own: leave out all but --depth and --speed")
        return print_assessment(played, depth, speed, only_ascii, as_json)
    if suite is not None and not parts:
        raise GamesearchError("--suite says how many problems each of the --parts answers: add --parts")
    if keep and not probcut:
        raise GamesearchError("--keep writes what --probcut measures into a file of learned patterns: add --probcut")
    if parts or probcut:
        if algorithms or (parts and probcut):
            raise GamesearchError("--parts and --probcut each measure pvs alone: leave out the other and --algorithms")
        if probcut:
            if position or nodes or time:
                raise GamesearchError("--probcut plays games of its own: leave out POSITION, --nodes and --time")
            depth = depth or played.suggested_depth or PROBCUT_DEPTH
            return print_fits(played, depth, keep, speed, only_ascii, as_json)
        states = [state] if position else positions_by_lot(played)
        limits = Limits(depth, time, None if suite else nodes)
        problems = read_suite(suite, specification_of(played)) if suite else []
        return print_parts(played, states, limits, problems, nodes or SUITE_NODES, speed, only_ascii, as_json)
    chosen = parse_algorithms(algorithms or default_algorithms(played))
    with watching("measuring") as monitor:
        rows = list(measure(played, state, chosen, Limits(depth, time, nodes), speed=speed, monitor=monitor))
    ran = rows[0].result.statistics.speed if rows else ""
    say_speed(played, speed, ran, verbose, *(each.as_searched(played, state) for each in chosen))
    say_threads(chosen, [each.result for each in rows])
    _, agree = agreement(rows)
    print_found(
        MeasurementView(played, state, rows),
        lambda: measurement_data(played, state, rows, specification_of(played), agree),
        as_json,
        only_ascii,
    )
    return exit_code(monitor, agree)


def print_parts(
    game: Game[Any],
    states: list[Any],
    limits: Limits,
    problems: list[Problem],
    nodes: int,
    speed: str,
    only_ascii: bool,
    as_json: bool,
) -> int:
    """Measure the parts of the selective search on some positions and problems; the exit code."""
    with watching("measuring") as monitor:
        measured = measure_parts(game, states, limits, problems=problems, nodes=nodes, speed=speed, monitor=monitor)
        rows = list(measured)
    if rows:
        depth = rows[0].algorithm.limits(game, limits).depth or 0
        print_found(parts_view(game, depth, rows), lambda: parts_data(game, depth, rows), as_json, only_ascii)
    return exit_code(monitor)


def print_fits(game: Game[Any], depth: int, keep: bool, speed: str, only_ascii: bool, as_json: bool) -> int:
    """Measure how values to a depth follow from those to a smaller one, and keep them; the exit code."""
    if keep:
        file_of_patterns(game)
    if depth < LEAST_DEPTH:
        raise GamesearchError(f"values to depth {LEAST_DEPTH} are the first that others predict: not --depth {depth}")
    with watching("measuring") as monitor:
        values = list(values_by_depth(game, depth, POSITIONS, speed=speed, monitor=monitor))
    if monitor.interrupted:
        return 130
    fits = list(fitted(values))
    if not fits:
        raise GamesearchError(f"too few values of {game.name} are estimates: its games end within depth {depth}")
    print_found(fits_view(game, fits), lambda: fits_data(game, fits), as_json, only_ascii)
    if keep:
        say(f"kept in {keep_predictions(game, [fit.prediction for fit in fits])}")
    return 0


def print_signature(speed: str, only_ascii: bool, as_json: bool) -> int:
    """Search fixed positions of all games, and print what that comes to; the exit code."""
    with watching("searching") as monitor:
        parts = list(signatures(speed="interpreted" if speed == "auto" else speed, monitor=monitor))
    if not monitor.interrupted:  # of what was not finished there is no signature
        print_found(signature_view(parts), lambda: signature_data(parts), as_json, only_ascii)
    return exit_code(monitor)


def print_assessment(game: Game[Any], depth: int | None, speed: str, only_ascii: bool, as_json: bool) -> int:
    """Measure the evaluation of a game, print what that gives, and return the exit code."""
    with watching("measuring") as monitor:
        found = assess(game, depth or 1, speed, monitor)
    if found is None:
        return 130
    print_found(assessment_view(game, found), lambda: assessment_data(game, found), as_json, only_ascii)
    return 0
