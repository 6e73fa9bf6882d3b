"""Find bugs in your rules: compare two implementations."""

from collections.abc import Iterator

import click

from gamesearch.algorithms.engine.formatting import count_text
from gamesearch.cli.consoles import print_found, status_console
from gamesearch.cli.help import Command
from gamesearch.cli.options import game_argument, json_option, number_option, speed_option
from gamesearch.cli.reading import decode_line, input_lines
from gamesearch.errors import GamesearchError
from gamesearch.game import Game
from gamesearch.registry import load, specification_of
from gamesearch.study.agreement import compare_games

__all__ = ["command"]

UPDATED_EVERY = 1000  # the number of positions between two updates of the progress message


def read_starts(game: Game) -> Iterator[str]:
    """Yield the positions that standard input contains. For an invalid position, raises GamesearchError with the number
    of its line."""
    for number, line in input_lines():
        try:
            text = decode_line(line)
            game.parse(text)
        except GamesearchError as error:
            raise GamesearchError(f"line {number}: {error}") from None
        yield text


@click.command(
    cls=Command,
    examples=[
        'gamesearch agree chess --against "chess(rules=python-chess)" --positions 200',
        'gamesearch agree chess960 --against "chess960(rules=python-chess)"',
    ],
)
@game_argument
@click.argument("starts", nargs=-1, metavar="[POSITION]...")
@click.option("--against", required=True, metavar="GAME", help="Another implementation of the rules.")
@number_option("--positions", default=10_000, text="Number of positions to compare.")
@click.option("--seed", default=1, show_default=True, metavar="N", help="Seed of the random games.")
@speed_option
@json_option
def command(
    game: str, starts: tuple[str, ...], against: str, positions: int, seed: int, speed: str, as_json: bool
) -> int:
    """Find bugs in rules: compare two implementations in the positions of random games.

    The random games start from the given POSITIONs or from the initial position. In each position, both implementations
    must agree on its notation, the player to move, the moves and their order, repetitions, the payoff at the end, and
    the estimate of the evaluation. If you write `-` instead of a POSITION, the command reads positions from standard
    input, one per line. The exit code is 1 if the implementations differ.
    """
    ours, theirs = load(game), load(against)
    if starts == ("-",):
        starts = tuple(read_starts(ours))
    if ours.name != theirs.name:
        raise GamesearchError(
            f"{ours.name} and {theirs.name} are different games: give two implementations of the same game"
        )
    console = status_console()
    with console.status("comparing ...; Ctrl-C stops") as status:

        def show(seen: int) -> None:
            if seen % UPDATED_EVERY == 0:
                status.update(f"comparing: {count_text(seen)} positions; Ctrl-C stops")

        found = compare_games(ours, theirs, positions, starts=starts or ("",), seed=seed, speed=speed, progress=show)
    text = f"no difference in {count_text(positions)} positions"
    if found is not None:
        text = f"{found.position}\ndiffers in its {found.what}:\n{found.ours}\n{found.theirs}"
    names = {"game": specification_of(ours), "against": specification_of(theirs), "positions": positions}
    print_found(text, lambda: names | {"difference": None if found is None else vars(found)}, as_json)
    return 0 if found is None else 1
