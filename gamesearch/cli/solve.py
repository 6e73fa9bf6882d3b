"""`gamesearch solve`: the exact answer."""

from typing import Any

import click

from gamesearch.cli.consoles import output_console, print_json, status_console
from gamesearch.cli.messages import say
from gamesearch.cli.options import (
    ascii_option,
    game_argument,
    json_option,
    position_argument,
    speed_option,
    verbose_option,
)
from gamesearch.cli.progress import say_speed, watching
from gamesearch.cli.reading import read_position
from gamesearch.errors import GamesearchError
from gamesearch.game import Game
from gamesearch.registry import specification_of
from gamesearch.render.estimate import estimate_data, estimate_sentence
from gamesearch.render.solution import SolutionView, solution_data
from gamesearch.solvers.databases.answering import solve_by_database
from gamesearch.solvers.effort import effort_for, is_worth_estimating
from gamesearch.solvers.estimate import Estimate, estimated
from gamesearch.solvers.solving import METHODS, solve

__all__ = ["command"]


@click.command("solve")
@game_argument
@position_argument
@click.option("--method", type=click.Choice(list(METHODS)), default="auto", show_default=True, help="How to solve it.")
@click.option("--database", metavar="FOLDER", help="Read the answer from what gamesearch database has built there.")
@click.option("--estimate", "only_estimate", is_flag=True, help="Only say how large it is, and what it would take.")
@speed_option
@ascii_option
@verbose_option
@json_option
def command(
    game: str,
    position: str,
    method: str,
    database: str | None,
    only_estimate: bool,
    speed: str,
    only_ascii: bool,
    verbose: bool,
    as_json: bool,
) -> None:
    """Find the exact value of a position, how far the end is, and all best moves.

    Method auto counts each position once (memo) or goes back from the ends (retrograde), as fits the game.
    Where memo has 11.7 million positions, in about 400 MB, search goes on from them, with a table of 512 MB.
    Chess is solved without the fifty-move rule: small endings, of three men in seconds.
    At a terminal, and with --verbose, it says before it begins with more than a few thousand positions how
    many there may be, by a sample; docs/estimates.md has the errors of such estimates.

    \b
    gamesearch solve tictactoe XX./OO./...
    gamesearch solve nim 3,4,5 --method grundy
    gamesearch solve "connect4(rows=4, columns=5)"
    gamesearch solve chess "8/8/8/3k4/8/8/8/KQ6 w - - 0 1"
    gamesearch solve tictactoe --estimate
    gamesearch solve checkers "W:WK18,K23:BK1" --database endings/checkers
    """
    played, state = read_position(game, position)
    if database is not None:
        if only_estimate or method != "auto":
            raise GamesearchError("a database has the answer already: leave out --estimate and --method, or --database")
        solution = solve_by_database(played, state, database)
    else:
        size = None
        if only_estimate or verbose or status_console().is_terminal:
            size = size_of(played, state, method, speed, only_estimate, as_json)
        if only_estimate:
            return
        expected = 0.0 if size is None or size.is_extrapolated else size.positions
        with watching("solving", expected) as monitor:
            solution = solve(played, state, method, speed=speed, monitor=monitor)
        say_speed(played, speed, solution.speed, verbose)
    if as_json:
        print_json(solution_data(played, state, solution, specification_of(played)))
        return
    output_console(only_ascii).print(SolutionView(played, state, solution, only_ascii))


def size_of(
    game: Game[Any], state: Any, method: str, speed: str, only_estimate: bool, as_json: bool
) -> Estimate | None:
    """The estimated size, which is said where it is no small one, or where that is all that is asked."""
    if game.players > 2 or not is_worth_estimating(game, method):
        if only_estimate:
            raise GamesearchError(
                f"by method {method}, {game.name} is not solved position by position: the number of them tells "
                "nothing; leave out --estimate"
            )
        return None
    size = estimated(game, state)
    effort = effort_for(game, state, method, speed, size)
    if only_estimate and as_json:
        print_json({"game": specification_of(game), "position": game.format(state), **estimate_data(size, effort)})
    elif only_estimate:
        click.echo(estimate_sentence(size, effort))
    elif not size.is_counted:
        say(estimate_sentence(size, effort))
    return size
