"""`gamesearch opponents`: what Max gets who assumes one opponent and meets another."""

import click

from gamesearch.cli.consoles import print_found, status_console
from gamesearch.cli.options import game_argument, json_option, position_argument, speed_option
from gamesearch.cli.reading import read_unfinished
from gamesearch.render.opponents import opponents_data, opponents_view
from gamesearch.study.opponents import USUAL_OPPONENTS, measure_opponents, parse_opponents

__all__ = ["command"]


@click.command("opponents")
@game_argument
@position_argument
@click.option(
    "--opponents",
    default=USUAL_OPPONENTS,
    show_default=True,
    metavar="LIST",
    help="Who Min may be: best, random, softmax(TEMPERATURE), error=PROBABILITY, or two of these joined by +.",
)
@click.option("--games", default=200, show_default=True, type=click.IntRange(2), help="Games of each two.")
@click.option("--depth", type=click.IntRange(1, 40), help="Plies to search.  [default: what the game suggests]")
@click.option("--seed", default=0, show_default=True, help="Decides dice and errors.")
@speed_option
@json_option
def command(
    game: str, position: str, opponents: str, games: int, depth: int | None, seed: int, speed: str, as_json: bool
) -> None:
    """Let Max assume one opponent and play against another: what does a wrong assumption cost?

    Max searches by expectiminimax, with what is assumed about Min. Min knows what his moves are worth, and errs:
    with error=0.2, he makes a fifth of his moves by lot; with softmax(T), a move that is worse than the best by T
    is made 1/e as often.

    \b
    gamesearch opponents "[[1, 1, 1], [0, 9, 9]]" --opponents "best, error=0.3, random"
    gamesearch opponents tictactoe ".XO/.O./.X."
    gamesearch opponents "nim(max_take=2)" 1,1,3
    gamesearch opponents "pacman(layout=chase)" --opponents "best, random" --games 20
    """
    played, state = read_unfinished(game, position, "opponents")
    chosen = parse_opponents(opponents)
    with status_console().status("playing ...; Ctrl-C stops"):
        rows = list(measure_opponents(played, state, chosen, games, depth, seed, speed))
    print_found(
        opponents_view(played, state, chosen, rows, games),
        lambda: opponents_data(played, state, chosen, rows, games),
        as_json,
    )
