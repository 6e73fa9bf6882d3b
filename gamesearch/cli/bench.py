"""`gamesearch bench`: algorithms measured against each other."""

from typing import Any

import click

from gamesearch.algorithms.parts.result import Limits
from gamesearch.cli.completing import offer_games
from gamesearch.cli.consoles import output_console, print_json
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
from gamesearch.registry import specification_of
from gamesearch.render.measurement import MeasurementView, measurement_data
from gamesearch.render.parts import PartsView, parts_data
from gamesearch.render.signature import SignatureView, signature_data
from gamesearch.study.bench import agreement, default_algorithms, measure, parse_algorithms
from gamesearch.study.parts import measure_parts, positions_by_lot
from gamesearch.study.signature import signatures

__all__ = ["command"]


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
    speed: str,
    only_ascii: bool,
    verbose: bool,
    as_json: bool,
) -> int:
    """Measure algorithms against each other on one position.

    Each is run until it has taken 0.2 s altogether; the quickest run counts, without compilation.
    All exact algorithms must find the same value; the exit code is 1 where they do not. With --signature,
    fixed positions of every game are searched with all options, and one hash of what is found is printed.
    With --parts, the parts of the selective search are measured, on POSITION or on 8 positions by lot.

    \b
    gamesearch bench tictactoe --algorithms "minimax,alphabeta,alphabeta(table=true)"
    gamesearch bench "random_tree(branching=5, depth=6)"
    gamesearch bench connect4 4453 --depth 8
    gamesearch bench chess --parts --depth 5
    """
    if signature:
        if game or algorithms or depth or nodes or time or parts:
            raise GamesearchError("--signature covers all games, algorithms and options: leave out all other arguments")
        return print_signature(speed, only_ascii, as_json)
    if not game:
        raise GamesearchError("name a GAME to measure algorithms on, such as gamesearch bench tictactoe")
    played, state = read_unfinished(game, position, "measure")
    if parts:
        if algorithms:
            raise GamesearchError("--parts measures pvs alone: leave out --algorithms")
        states = [state] if position else positions_by_lot(played)
        return print_parts(played, states, Limits(depth, time, nodes), speed, only_ascii, as_json)
    chosen = parse_algorithms(algorithms or default_algorithms(played))
    with watching("measuring") as monitor:
        rows = list(measure(played, state, chosen, Limits(depth, time, nodes), speed=speed, monitor=monitor))
    ran = rows[0].result.statistics.speed if rows else ""
    say_speed(played, speed, ran, verbose, *(each.as_searched(played, state) for each in chosen))
    say_threads(chosen, [each.result for each in rows])
    _, agree = agreement(rows)
    if as_json:
        print_json(measurement_data(played, state, rows, specification_of(played), agree))
    else:
        output_console(only_ascii).print(MeasurementView(played, state, rows))
    return exit_code(monitor, agree)


def print_parts(game: Game[Any], states: list[Any], limits: Limits, speed: str, only_ascii: bool, as_json: bool) -> int:
    """Measure the parts of the selective search on some positions; the exit code."""
    with watching("measuring") as monitor:
        rows = list(measure_parts(game, states, limits, speed=speed, monitor=monitor))
    if not rows:
        return 130
    depth = rows[0].algorithm.limits(game, limits).depth or 0
    if as_json:
        print_json(parts_data(game, depth, rows))
    else:
        output_console(only_ascii).print(PartsView(game, depth, rows))
    return 130 if monitor.interrupted else 0


def print_signature(speed: str, only_ascii: bool, as_json: bool) -> int:
    """Search fixed positions of all games, and print what that comes to; the exit code."""
    with watching("searching") as monitor:
        parts = list(signatures(speed="interpreted" if speed == "auto" else speed, monitor=monitor))
    if monitor.interrupted:  # of what was not finished there is no signature
        return 130
    if as_json:
        print_json(signature_data(parts))
    else:
        output_console(only_ascii).print(SignatureView(parts))
    return 0
