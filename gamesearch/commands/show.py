"""`gamesearch show`: a search that was saved, from its file alone."""

import click

from gamesearch.cli.consoles import print_found
from gamesearch.cli.options import ascii_option, json_option, plies_option, trace_argument, width_option
from gamesearch.cli.reading import read_trace
from gamesearch.render.trace_text import RecordingView, recording_data

__all__ = ["command"]


@click.command(
    epilog="\b\nExamples:\n"
    '  gamesearch analyze "[[3,12,8],[2,4,6],[14,5,2]]" --trace lecture.trace\n'
    "  gamesearch show lecture.trace\n"
    "  gamesearch show lecture.trace --plies 1 --json\n"
)
@trace_argument
@plies_option
@width_option
@ascii_option
@json_option
def command(trace: str, plies: int, width: int, only_ascii: bool, as_json: bool) -> None:
    """Show a saved search: what was searched, the value, the best line, the tree.

    TRACE is a file that analyze --trace or solve --trace wrote ('-' reads standard input); the game is not needed.
    """
    recording = read_trace(trace)
    view = RecordingView(recording, plies, width)
    print_found(view, lambda: recording_data(recording, plies, width), as_json, only_ascii)
