"""`gamesearch uci`: an engine for chess programs, on standard input and output."""

import click

from gamesearch.cli.options import speed_option
from gamesearch.cli.reading import spoken_lines

__all__ = ["command"]


@click.command(epilog='\b\nExamples:\n  gamesearch uci\n  gamesearch uci --algorithm "alphabeta(table=true)"\n')
@click.option("-a", "--algorithm", default="", help="What it searches with; the option Algorithm changes it.")
@speed_option
def command(algorithm: str, speed: str) -> None:
    """Be a chess engine, by the Universal Chess Interface, for a program such as xboard or a tournament manager.

    It plays chess, Chess960 and the variants that the option UCI_Variant lists. Lines are read from standard
    input until quit.
    """
    from gamesearch.play.serving.uci_server import UciServer

    lines = spoken_lines("speaking UCI: uci lists the options, go depth 3 searches, quit leaves")
    UciServer(click.echo, algorithm, speed).run(lines)
