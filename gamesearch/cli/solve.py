"""`gamesearch solve`: the exact answer."""

import click

from gamesearch.cli.common import (
    ascii_option,
    game_argument,
    json_option,
    output_console,
    position_argument,
    print_json,
    read_position,
    say_speed,
    speed_option,
    verbose_option,
    watching,
)
from gamesearch.registry import specification_of
from gamesearch.render.solution import SolutionView, solution_data
from gamesearch.solvers.solving import METHODS, solve

__all__ = ["command"]


@click.command("solve")
@game_argument
@position_argument
@click.option("--method", type=click.Choice(list(METHODS)), default="auto", show_default=True, help="How to solve it.")
@speed_option
@ascii_option
@verbose_option
@json_option
def command(game: str, position: str, method: str, speed: str, only_ascii: bool, verbose: bool, as_json: bool) -> None:
    """Find the exact value of a position, how far the end is, and all best moves.

    Method auto counts each position once (memo) or goes back from the ends (retrograde), as fits the game.
    Where memo has 11.7 million positions, in about 400 MB, search goes on from them, with a table of 512 MB.
    Chess is solved without the fifty-move rule: small endings, of three men in seconds.

    \b
    gamesearch solve tictactoe XX./OO./...
    gamesearch solve nim 3,4,5 --method grundy
    gamesearch solve "connect4(rows=4, columns=5)"
    gamesearch solve chess "8/8/8/3k4/8/8/8/KQ6 w - - 0 1"
    """
    played, state = read_position(game, position)
    with watching("solving") as monitor:
        solution = solve(played, state, method, speed=speed, monitor=monitor)
    say_speed(played, speed, solution.speed, verbose)
    if as_json:
        print_json(solution_data(played, state, solution, specification_of(played)))
        return
    output_console(only_ascii).print(SolutionView(played, state, solution, only_ascii))
