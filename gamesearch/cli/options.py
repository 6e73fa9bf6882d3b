"""Arguments and options that several commands have."""

from collections.abc import Collection

import click
from click.core import ParameterSource

from gamesearch.cli.completing import offer_algorithms, offer_files, offer_games
from gamesearch.compiler import SPEEDS
from gamesearch.errors import GamesearchError

__all__ = [
    "LEARNED",
    "MOST_PLIES",
    "SIMPLE",
    "algorithm_option",
    "algorithms_option",
    "ascii_option",
    "boards_option",
    "evaluation_option",
    "force_option",
    "game_argument",
    "json_option",
    "nodes_option",
    "plies_option",
    "position_argument",
    "refuse_others",
    "speed_option",
    "time_option",
    "trace_argument",
    "trace_nodes_option",
    "trace_option",
    "trace_plies_option",
    "trusted_game_option",
    "verbose_option",
    "width_option",
    "windows_option",
]


MOST_PLIES = 200
"""The greatest depth of a drawn tree, which takes 800 columns."""


LEARNED, SIMPLE = "learned", "simple"
"""The values of --evaluation."""


def is_given(context: click.Context, parameter: click.Parameter) -> bool:
    """Whether a parameter was typed, even with its default value."""
    return context.get_parameter_source(str(parameter.name)) is not ParameterSource.DEFAULT


def refuse_others(why: str, fitting: Collection[str]) -> None:
    """Raise GamesearchError for the first typed parameter that does not fit; `why` begins the sentence."""
    context = click.get_current_context()
    for each in context.command.params:
        if each.name not in fitting and is_given(context, each):
            raise GamesearchError(f"{why}: leave out {each.opts[-1]}")


game_argument = click.argument("game", metavar="GAME", shell_complete=offer_games)

position_argument = click.argument("position", metavar="[POSITION]", default="", required=False)
algorithm_option = click.option(
    "-a",
    "--algorithm",
    default="",
    shell_complete=offer_algorithms,
    help="Such as 'alphabeta(depth=6, table=true)'.  [default: as for the computer's strongest level; in games "
    "that are searched to the end, the textbook's]",
)
evaluation_option = click.option(
    "--evaluation",
    type=click.Choice([LEARNED, SIMPLE]),
    help="learned: the weights that come with gamesearch. simple: the game's own evaluation, such as material in "
    "chess. Both do without the opening book.  [default: learned if the computer plays better with it; simple with -a]",
)
algorithms_option = click.option(
    "--algorithms",
    default="",
    metavar="LIST",
    shell_complete=offer_algorithms,
    help="Such as 'minimax,alphabeta(table=true)'.",
)
nodes_option = click.option("--nodes", type=click.IntRange(1), help="Stop each search after this many nodes.")
time_option = click.option(
    "--time", type=click.FloatRange(0, min_open=True), help="Stop each search after this many seconds."
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
ascii_option = click.option("--ascii", "only_ascii", is_flag=True, help="Draw with ASCII characters only.")
speed_option = click.option(
    "--speed",
    type=click.Choice(list(SPEEDS)),
    default="auto",
    show_default=True,
    help="Whether to compile the search; auto compiles if it can and if it pays.",
)
force_option = click.option("-f", "--force", is_flag=True, help="Replace FILE if it exists.")
plies_option = click.option(
    "--plies",
    type=click.IntRange(0, MOST_PLIES),
    metavar="N",
    default=3,
    show_default=True,
    help="How deep to draw the tree.",
)
width_option = click.option(
    "--width", type=click.IntRange(min=1), metavar="N", default=6, show_default=True, help="Moves drawn of each node."
)

trace_option = click.option(
    "--trace",
    metavar="FILE",
    shell_complete=offer_files,
    help="Write the search down, for show, watch and export; to -: instead of the answer.",
)
trace_nodes_option = click.option(
    "--trace-nodes",
    type=click.IntRange(min=1),
    metavar="N",
    default=10_000,
    show_default=True,
    help="How many nodes to write down.",
)

trace_plies_option = click.option(
    "--trace-plies", type=click.IntRange(min=0), metavar="N", help="Write down only the first N plies of the tree."
)

WINDOWS = ("search", "ranges", "none")
windows_option = click.option(
    "--windows",
    type=click.Choice(WINDOWS),
    default="search",
    show_default=True,
    help="search: alpha and beta on entry, if the algorithm has them. ranges: the interval in which the value of each "
    "node lies, such as [3, 14].",
)
boards_option = click.option("--boards", is_flag=True, help="Draw the board of each node.")
trusted_game_option = click.option(
    "--game", metavar="GAME", default="", help="The game of a trace that you trust, if it is in a file."
)

trace_argument = click.argument("trace", metavar="TRACE", shell_complete=offer_files)
verbose_option = click.option("-v", "--verbose", is_flag=True, help="Say which speed was chosen, and why.")
