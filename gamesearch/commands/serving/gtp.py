"""Act as a GTP engine for Go, Othello, Hex and gomoku programs."""

import functools

import click

from gamesearch.cli.help import Command
from gamesearch.cli.options import engine_option, game_argument, seconds_option, speed_option
from gamesearch.cli.reading import protocol_lines
from gamesearch.play.players.loading import SECONDS, default_algorithm
from gamesearch.registry import load

__all__ = ["command"]


@click.command(
    cls=Command,
    examples=['gamesearch gtp "go(size=9, komi=5.5)"', 'gamesearch gtp othello --algorithm "alphabeta(depth=6)"'],
)
@game_argument
@engine_option("Algorithm.  [default: the algorithm of the computer's best level]")
@seconds_option("--time", "seconds", default=SECONDS, text="Seconds for each move if the other program sets no clock.")
@speed_option
def command(game: str, algorithm: str, seconds: float, speed: str) -> None:
    """Act as an engine for programs that use the Go Text Protocol (GTP).

    GAME is go, othello, hex or gomoku. Commands are read from standard input until `quit`. Black is the first player
    (X).
    """
    from gamesearch.play.serving.gtp_server import GtpServer, load_server_algorithm

    rules = load(game)
    searching = load_server_algorithm(algorithm or default_algorithm(rules), seconds)
    write = functools.partial(click.echo, nl=False)
    lines = protocol_lines("waiting for GTP commands: list_commands lists them, genmove black moves, quit ends")
    GtpServer(rules, searching, write, speed, learned=not algorithm).run(lines)
