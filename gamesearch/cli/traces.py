"""A search that was recorded, as a file or on standard output."""

import click

from gamesearch.algorithms.parts.formatting import plural
from gamesearch.cli.messages import say
from gamesearch.errors import GamesearchError
from gamesearch.play.files import write_file
from gamesearch.trace.recording import Recording

__all__ = ["refuse_compiled", "write_trace"]


def write_trace(trace: str, most: int, recording: Recording, *, overwrite: bool) -> None:
    """Write a recording to a file or, where that is -, to standard output; and say how much of the search it is."""
    recorded, left_out = recording.end["recorded"], recording.end["left_out"]
    how = f" (--trace-nodes {most})" if left_out else ""
    say(f"{trace}: {plural(recorded, 'node')} recorded, {left_out:,} left out{how}")
    if trace == "-":
        click.echo(recording.text, nl=False)
    else:
        write_file(trace, recording.text, overwrite=overwrite)


def refuse_compiled(speed: str, tree: bool, trace: str | None) -> None:
    """Raise GamesearchError where a search is to be seen that is to run compiled."""
    if speed == "compiled" and (tree or trace):
        what, flag = ("a tree can only be watched", "--tree") if tree else ("a trace is only written", "--trace")
        raise GamesearchError(f"{what} interpreted: leave out {flag} or --speed compiled")
