"""`gamesearch agree`: whether two sets of rules agree, on positions of random games."""

from collections.abc import Iterator

import click

from gamesearch.algorithms.engine.formatting import count_text
from gamesearch.cli.consoles import print_found, status_console
from gamesearch.cli.options import game_argument, json_option, speed_option
from gamesearch.cli.reading import lines_of_input, text_of
from gamesearch.errors import GamesearchError
from gamesearch.game import Game
from gamesearch.registry import load, specification_of
from gamesearch.study.agreement import compare_games

__all__ = ["command"]

LOOKS = 1000
"""So often the number of positions is shown."""


def read_starts(game: Game) -> Iterator[str]:
    """The positions of standard input; raises GamesearchError, with the number of the line, for one that is none."""
    for number, line in lines_of_input():
        try:
            text = text_of(line)
            game.parse(text)
        except GamesearchError as error:
            raise GamesearchError(f"line {number}: {error}") from None
        yield text


@click.command(
    epilog="\b\nExamples:\n"
    '  gamesearch agree chess --against "chess(rules=python-chess)" --positions 200\n'
    '  gamesearch agree "chess(variant=chess960)" --against "chess(variant=chess960, rules=python-chess)" '
    '--positions 200 "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"\n'
)
@game_argument
@click.argument("starts", nargs=-1, metavar="[POSITION]...")
@click.option("--against", required=True, metavar="GAME", help="The rules to compare with.")
@click.option("--positions", default=10_000, show_default=True, type=click.IntRange(1), help="How many to compare.")
@click.option("--seed", default=1, show_default=True, help="Another seed plays other games.")
@speed_option
@json_option
def command(
    game: str, starts: tuple[str, ...], against: str, positions: int, seed: int, speed: str, as_json: bool
) -> int:
    """Compare two sets of rules for GAME in every position of random games, from POSITIONs or the usual start.

    Compared are positions as they are written, whose turn it is, the moves and their order, how often the position was
    there, the end of the game with what it pays, and estimates. `-` in place of a POSITION reads positions from
    standard input, a line each. The exit code is 1 if anything differs.
    """
    ours, theirs = load(game), load(against)
    if starts == ("-",):
        starts = tuple(read_starts(ours))
    if ours.name != theirs.name:
        raise GamesearchError(f"{ours.name} and {theirs.name} are different games: compare rules of one")
    console = status_console()
    with console.status("comparing ...; Ctrl-C stops") as status:

        def show(seen: int) -> None:
            if seen % LOOKS == 0:
                status.update(f"comparing: {count_text(seen)} positions; Ctrl-C stops")

        found = compare_games(ours, theirs, positions, starts=starts or ("",), seed=seed, speed=speed, progress=show)
    text = f"no difference in {count_text(positions)} positions"
    if found is not None:
        text = f"{found.position}\ndiffers in its {found.what}:\n{found.ours}\n{found.theirs}"
    names = {"game": specification_of(ours), "against": specification_of(theirs), "positions": positions}
    print_found(text, lambda: names | {"difference": None if found is None else vars(found)}, as_json)
    return 0 if found is None else 1
