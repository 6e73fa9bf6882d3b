"""Rate the players of matches and game files."""

import click

from gamesearch.cli.consoles import print_found
from gamesearch.cli.help import Command
from gamesearch.cli.messages import say
from gamesearch.cli.options import ascii_option, force_option, json_option, svg_option
from gamesearch.cli.reading import format_of, write_picture
from gamesearch.play.matches.ratings import files_of_games, rate, read_encounters, require_same_rules
from gamesearch.render.charts.ratings import RatingsView, ratings_data, ratings_svg

__all__ = ["command"]


@click.command(
    cls=Command,
    examples=[
        "gamesearch match tictactoe alphabeta random --games 4 --journal monday.jsonl",
        "gamesearch match tictactoe mcts random --games 4 --journal tuesday.jsonl",
        "gamesearch ratings monday.jsonl tuesday.jsonl --anchor random --to ratings.svg",
    ],
)
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("--anchor", default="", metavar="PLAYER", help="The player with rating 0.  [default: the average is 0]")
@click.option(
    "--game", default="", metavar="GAME", help="If the files contain different games, rate the players of this game."
)
@svg_option("the ratings")
@force_option
@ascii_option
@json_option
def command(
    files: tuple[str, ...], anchor: str, game: str, to: str | None, force: bool, only_ascii: bool, as_json: bool
) -> int:
    """Rate the players of match journals and game files (Elo).

    FILE can be a pattern such as *.jsonl. If a file is not in the current folder, the command looks for it in the
    folder of match journals. Ratings are Elo numbers, computed by the Bradley-Terry model, with 95 % intervals. A draw
    counts as half a win. Below the ratings, a table shows the score of each player against each
    other player.
    """
    format_of(to, [".svg"], overwrite=force)
    names = [each for name in files for each in files_of_games(name)]
    encounters = require_same_rules([each for name in names for each in read_encounters(name, say)], game)
    ratings = rate(encounters, anchor)
    write_picture(to, lambda: ratings_svg(ratings, ", ".join(files)), "the picture", force)
    print_found(RatingsView(ratings), lambda: ratings_data(ratings), as_json, only_ascii)
    return 0
