"""Act as a UCI chess engine for other programs."""

import click

from gamesearch.cli.help import Command
from gamesearch.cli.options import engine_option, speed_option
from gamesearch.cli.reading import protocol_lines

__all__ = ["command"]


@click.command(cls=Command, examples=["gamesearch uci", 'gamesearch uci --algorithm "alphabeta(table=true)"'])
@engine_option("Algorithm. The other program can change it with the UCI option Algorithm.")
@speed_option
def command(algorithm: str, speed: str) -> None:
    """Act as a chess engine for programs that use the Universal Chess Interface (UCI).

    The engine plays chess, Chess960 and the variants that the option UCI_Variant lists. Commands are read from standard
    input until `quit`.
    """
    from gamesearch.play.serving.uci_server import UciServer

    lines = protocol_lines("waiting for UCI commands: uci lists the options, go depth 3 searches, quit ends")
    UciServer(click.echo, algorithm, speed).run(lines)
