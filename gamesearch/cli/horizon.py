"""`gamesearch horizon`: what a fixed depth pushes over the horizon, and who sees it all the same."""

import click
from rich.console import Group
from rich.text import Text

from gamesearch.algorithms.engine.result import Limits
from gamesearch.cli.completing import offer_games
from gamesearch.cli.consoles import print_found
from gamesearch.cli.options import (
    ascii_option,
    json_option,
    nodes_option,
    position_argument,
    speed_option,
    time_option,
    verbose_option,
)
from gamesearch.cli.progress import exit_code, say_speed, watching
from gamesearch.cli.reading import read_unfinished
from gamesearch.registry import specification_of
from gamesearch.render.board import BoardView
from gamesearch.render.horizon import HorizonView, horizon_data
from gamesearch.render.player_names import board_and_turn
from gamesearch.study.growth import DEEPEST
from gamesearch.study.horizon import DEEPEST_SHOWN, DEFAULT, look

__all__ = ["command"]


@click.command("horizon")
@click.argument("game", metavar="[GAME]", default="", required=False, shell_complete=offer_games)
@position_argument
@click.option("--depth", type=click.IntRange(1, DEEPEST), help="The last depth.  [default: what the game suggests]")
@nodes_option
@time_option
@speed_option
@ascii_option
@verbose_option
@json_option
def command(
    game: str,
    position: str,
    depth: int | None,
    nodes: int | None,
    time: float | None,
    speed: str,
    only_ascii: bool,
    verbose: bool,
    as_json: bool,
) -> int:
    """Show the horizon effect: what a search to a fixed depth believes at each depth, and who sees further.

    Beside alphabeta stand pvs with quiescence alone, with extensions alone, and with both. Without GAME, in a position
    of chess: a pawn is about to queen, and White puts that off by checks until it cannot be seen any more.

    \b
    gamesearch horizon
    gamesearch horizon connect4 4453 --depth 6
    gamesearch horizon checkers --depth 8
    """
    if not game:
        game, position = DEFAULT
        depth = depth or DEEPEST_SHOWN
    played, state = read_unfinished(game, position, "look at")
    with watching("looking") as monitor:
        found = look(played, state, Limits(depth, time, nodes), speed=speed, monitor=monitor)
    if not found[0].results:
        return exit_code(monitor) or 1
    say_speed(played, speed, found[0].results[0].statistics.speed, verbose)
    name, place = specification_of(played), played.format(state)
    board, turn = board_and_turn(played, state)
    view = Group(
        Text(f"{name}  {place}", "bold"),
        BoardView(board),
        Text(turn),
        HorizonView(played, state, found),
    )
    data = {"game": name, "position": place, **horizon_data(played, state, found)}
    print_found(view, lambda: data, as_json, only_ascii)
    return exit_code(monitor)
