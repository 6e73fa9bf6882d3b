"""Arguments and options that several commands share, and their completion by the shell."""

import pkgutil
from collections.abc import Callable, Collection
from typing import Any, TypeAlias

import click
from click.core import ParameterSource
from click.shell_completion import CompletionItem

from gamesearch.compiler import SPEEDS
from gamesearch.errors import GamesearchError

__all__ = [
    "LEARNED", "MOST_PLIES", "SIMPLE", "algorithm_option", "algorithms_option", "ascii_option", "boards_option",
    "choice_option", "depth_option", "engine_option", "evaluation_option", "file_option", "flag_option", "force_option",
    "game_argument", "json_option", "move_labels_option", "nodes_option", "number_option", "offer_algorithms",
    "offer_files", "offer_games", "offer_lessons", "offer_methods", "offer_players", "offer_topics", "player_option",
    "plies_option", "position_argument", "pruned_option", "refuse_others", "seconds_option", "speed_option",
    "svg_option", "threads_option", "time_option", "trace_argument", "trace_nodes_option", "trace_option",
    "trace_plies_option", "trusted_game_option", "values_only_option", "verbose_option", "width_option",
    "windows_option", "workers_option",
]  # fmt: skip

# Completion, when the user presses Tab (https://click.palletsprojects.com/shell-completion). ------------------------
Completer: TypeAlias = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


def completer(source: str) -> Completer:
    """Make a function that completes a path or a name. If names are separated by commas, the function completes the
    last name. `source` is the import path of a table of all names, or the import path of a function that returns them.
    The module of the table or function is imported only when the user presses Tab."""

    def complete(_: click.Context, __: click.Parameter, typed: str) -> list[CompletionItem]:
        before, comma, last = typed.rpartition(",")
        if "/" in last or last.startswith("."):
            return [CompletionItem(typed, type="file")]
        names = pkgutil.resolve_name(source)
        known = names() if callable(names) else names
        return [CompletionItem(f"{before}{comma}{name}") for name in known if name.startswith(last)]

    return complete


offer_games = completer("gamesearch.registry:game_names")
offer_algorithms = completer("gamesearch.algorithms.catalog:all_algorithms")
offer_methods = completer("gamesearch.solvers.solving:METHODS")
offer_players = completer("gamesearch.play.players.loading:player_names")
offer_lessons = completer("gamesearch.lessons.lesson:lesson_names")
offer_topics = completer("gamesearch.lessons.worksheets:worksheet_topics")


def offer_files(_: click.Context, __: click.Parameter, typed: str) -> list[CompletionItem]:
    """Let the shell complete the name of a file."""
    return [CompletionItem(typed, type="file")]


# Options. -----------------------------------------------------------------------------------------
MOST_PLIES = 200  # the greatest depth of a drawn tree in plies; a tree with 200 plies is 800 columns wide

Option: TypeAlias = Callable[[Callable[..., Any]], Callable[..., Any]]  # a decorator that adds an option to a command
LEARNED, SIMPLE = "learned", "simple"  # the values of --evaluation


def refuse_others(why: str, fitting: Collection[str]) -> None:
    """Raise GamesearchError if the user gave a parameter that is not in `fitting`. The message begins with `why`."""
    context = click.get_current_context()
    for each in context.command.params:
        name = str(each.name)
        if name not in fitting and context.get_parameter_source(name) not in (None, ParameterSource.DEFAULT):
            raise GamesearchError(f"{why}: leave out {each.opts[-1]}")


def number_option(
    *names: str, text: str, least: int = 1, most: int | None = None, default: int | None = None
) -> Option:
    """An option for a whole number from `least` to `most`; `text` is its help."""
    return click.option(
        *names,
        type=click.IntRange(least, most),
        metavar="N",
        default=default,
        show_default=default is not None,
        help=text,
    )


def flag_option(*names: str, text: str) -> Option:
    """An option without a value; `text` is its help."""
    return click.option(*names, is_flag=True, help=text)


def seconds_option(*names: str, text: str, least: float | None = None, default: float | None = None) -> Option:
    """An option for a number of seconds. If `least` is None, the number must be positive."""
    return click.option(
        *names,
        type=click.FloatRange(least or 0, 1e6, min_open=least is None),
        metavar="SECONDS",
        default=default,
        show_default=default is not None,
        help=text,
    )


def file_option(*names: str, text: str, required: bool = False) -> Option:
    """An option for a file name, which the shell can complete."""
    return click.option(*names, metavar="FILE", required=required, shell_complete=offer_files, help=text)


def player_option(*names: str, text: str, metavar: str = "PLAYER", multiple: bool = False) -> Option:
    """An option whose value is a player, or several players. The shell can complete the value."""
    return click.option(*names, metavar=metavar, multiple=multiple, shell_complete=offer_players, help=text)


def choice_option(
    name: str, choices: Collection[str], *, text: str, metavar: str = "KIND", default: str | None = None
) -> Option:
    """An option with one of several values; `text` is its help."""
    kind = click.Choice(list(choices))
    return click.option(name, type=kind, metavar=metavar, default=default, show_default=default is not None, help=text)


def engine_option(text: str, default: str = "") -> Option:
    """The option --algorithm; `text` is its help."""
    return click.option(
        "-a",
        "--algorithm",
        metavar="NAME",
        default=default,
        show_default=bool(default),
        shell_complete=offer_algorithms,
        help=text,
    )


game_argument = click.argument("game", metavar="GAME", shell_complete=offer_games)
position_argument = click.argument("position", metavar="[POSITION]", default="", required=False)
trace_argument = click.argument("trace", metavar="TRACE", shell_complete=offer_files)

algorithm_option = engine_option(
    "Algorithm, such as 'alphabeta(depth=6)'.  [default: a textbook algorithm in games that are searched to the end, "
    "otherwise the algorithm of the computer's strongest level]"
)
algorithms_option = click.option(
    "-a",
    "--algorithms",
    default="",
    metavar="LIST",
    shell_complete=offer_algorithms,
    help="Algorithms, such as 'minimax,alphabeta(table=true)'.",
)
evaluation_option = choice_option(
    "--evaluation",
    (LEARNED, SIMPLE),
    text="Which evaluation to use, learned or simple. learned: weights that come with gamesearch; simple: the game's "
    "own evaluation, such as material in chess. This option turns the opening book off.  [default: simple if -a "
    "is given; otherwise learned, if the computer plays better with it]",
)
nodes_option = number_option("--nodes", text="Stop each search after this many nodes.")
time_option = seconds_option("--time", text="Stop each search after this many seconds.")
plies_option = number_option("--plies", least=0, most=MOST_PLIES, default=3, text="Show the first N plies of the tree.")
width_option = number_option("--width", default=6, text="Show at most N moves at each node.")
trace_option = file_option(
    "--trace", text="Save the search for show, watch and export. '-' prints the saved search instead of the answer."
)
trace_nodes_option = number_option("--trace-nodes", default=10_000, text="Save at most N nodes.")
trace_plies_option = number_option("--trace-plies", least=0, text="Save only the first N plies of the tree.")
windows_option = choice_option(
    "--windows",
    ("search", "ranges", "none"),
    default="search",
    text="Windows to draw: search, ranges or none. search: alpha and beta when the search enters the node; ranges: the "
    "interval in which the value of each node lies, such as [3, 14].",
)
move_labels_option = choice_option(
    "--moves",
    ("names", "numbers", "letters", "none"),
    default="names",
    text="Labels of moves: names, numbers, letters, none. Numbers and letters count the moves from the left.",
)
values_only_option = flag_option("--values-only", text="Draw only values, without moves, windows and notes.")
boards_option = flag_option("--boards", text="Draw the board of each node.")
pruned_option = flag_option(
    "--pruned", text="Also draw the pruned branches, crossed out. Their values are computed for the drawing."
)
trusted_game_option = click.option(
    "--game",
    metavar="GAME",
    default="",
    help="The game of the trace. Needed only if the game is in a file. Name only files that you trust.",
)
speed_option = choice_option(
    "--speed",
    SPEEDS,
    metavar="SPEED",
    default="auto",
    text="How to run: compiled, interpreted, or auto, which compiles if this is possible and saves time.",
)
force_option = flag_option("-f", "--force", text="Replace FILE if it exists.")
ascii_option = flag_option("--ascii", "only_ascii", text="Draw with ASCII characters only.")
verbose_option = flag_option("-v", "--verbose", text="Report which speed was chosen, and why.")
json_option = flag_option("--json", "as_json", text="Print the answer as JSON.")


threads_option = number_option("--threads", most=256, default=1, text="Number of threads to use.")
workers_option = number_option("--workers", most=256, default=1, text="Number of parallel processes.")


def svg_option(what: str) -> Option:
    """The option --to, which writes an SVG picture of `what`."""
    return file_option("--to", text=f"Also draw {what} as an SVG file.")


def depth_option(most: int | None = None) -> Option:
    """The option --depth for a number of plies."""
    return number_option(
        "--depth", most=most, text="Search depth in plies.  [default: the depth that the game suggests]"
    )
