"""`gamesearch ratings`: all players of journals and PGN files rated together."""

import click

from gamesearch.cli.consoles import print_found
from gamesearch.cli.messages import say
from gamesearch.cli.options import ascii_option, force_option, json_option
from gamesearch.cli.reading import format_of, write_picture
from gamesearch.play.matches.ratings import files_of_games, of_one_game, rate, read_encounters
from gamesearch.render.ratings import RatingsView, ratings_data, ratings_svg

__all__ = ["command"]


@click.command("ratings")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("--anchor", default="", metavar="PLAYER", help="Whose rating is 0.  [default: the average of all]")
@click.option("--game", default="", metavar="GAME", help="Of files of several games, which to rate.")
@click.option("--to", metavar="FILE", help="Write the picture as SVG, too.")
@force_option
@ascii_option
@json_option
def command(
    files: tuple[str, ...], anchor: str, game: str, to: str | None, force: bool, only_ascii: bool, as_json: bool
) -> int:
    """Rate all players in journals of gamesearch match, and in files such as PGN, together.

    If a FILE or a pattern such as *.jsonl matches nothing here, the folder is searched where match keeps its journals.

    Ratings are in Elo, by the Bradley-Terry model; a draw counts as half a win. Each has a 95 % interval. A table below
    shows the scores of each pair.

    \b
    gamesearch match tictactoe "alphabeta(depth=2)" random --games 4 --journal monday.jsonl
    gamesearch match tictactoe "minimax(depth=2)" random --games 4 --journal tuesday.jsonl
    gamesearch ratings monday.jsonl tuesday.jsonl --anchor random --to ratings.svg
    """
    format_of(to, [".svg"], overwrite=force)
    names = [each for name in files for each in files_of_games(name)]
    encounters = of_one_game([each for name in names for each in read_encounters(name, say)], game)
    ratings = rate(encounters, anchor)
    write_picture(to, lambda: ratings_svg(ratings, ", ".join(files)), "the picture", force)
    print_found(RatingsView(ratings), lambda: ratings_data(ratings), as_json, only_ascii)
    return 0
