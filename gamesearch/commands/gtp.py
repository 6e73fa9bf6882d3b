"""`gamesearch gtp`: an engine for programs of Go, Othello, Hex and gomoku, on standard input and output."""

import functools

import click

from gamesearch.cli.options import game_argument, speed_option
from gamesearch.cli.reading import spoken_lines
from gamesearch.play.players.loading import SECONDS, default_algorithm
from gamesearch.registry import load

__all__ = ["command"]


@click.command(
    epilog="\b\nExamples:\n"
    '  gamesearch gtp "go(size=9, komi=5.5)"\n'
    '  gamesearch gtp othello --algorithm "alphabeta(depth=6)"\n'
)
@game_argument
@click.option(
    "-a", "--algorithm", default="", help="What it searches with.  [default: what the computer uses at its best]"
)
@click.option(
    "--time",
    "seconds",
    type=click.FloatRange(min=0, min_open=True, max=1e6),
    default=SECONDS,
    show_default=True,
    metavar="S",
    help="Seconds for a move, where no clock is set.",
)
@speed_option
def command(game: str, algorithm: str, seconds: float, speed: str) -> None:
    """Be an engine for GAME, which is go, othello, hex or gomoku, by the Go Text Protocol.

    Lines are read from standard input until quit. Black is the first player, X.
    """
    from gamesearch.play.serving.gtp_server import GtpServer, load_server_algorithm

    rules = load(game)
    searching = load_server_algorithm(algorithm or default_algorithm(rules), seconds)
    write = functools.partial(click.echo, nl=False)
    lines = spoken_lines("speaking GTP: list_commands lists what is known, genmove black moves, quit leaves")
    GtpServer(rules, searching, write, speed, learned=not algorithm).run(lines)
