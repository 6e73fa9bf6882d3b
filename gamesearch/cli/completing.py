"""What the shell offers where a game, an algorithm, a player or a file is typed.

Click asks while the user presses the tabulator (https://click.palletsprojects.com/shell-completion): what is imported
here has to be there at once.
"""

from collections.abc import Iterable

import click
from click.shell_completion import CompletionItem

__all__ = ["offer_algorithms", "offer_files", "offer_games", "offer_methods", "offer_players"]

LISTED = ","
"""What separates names in an option that takes several."""


def offer_games(context: click.Context, parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """The games whose names begin so; files, where a path is typed."""
    from gamesearch.registry import game_names

    return matching(game_names(), typed)


def offer_algorithms(context: click.Context, parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """The algorithms whose names begin so; of a list, the last."""
    from gamesearch.algorithms.catalog import all_algorithms

    return matching(all_algorithms(), typed)


def offer_methods(context: click.Context, parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """The methods of solving whose names begin so."""
    from gamesearch.solvers.solving import METHODS

    return matching(METHODS, typed)


def offer_players(context: click.Context, parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """The players whose names begin so: a human, the computer at a level, programs by how they
    are spoken to, algorithms."""
    from gamesearch.algorithms.catalog import all_algorithms
    from gamesearch.play.players.loading import ENGINES
    from gamesearch.play.players.player import COMPUTER, HUMAN

    return matching((HUMAN, COMPUTER, *ENGINES, *all_algorithms()), typed)


def offer_files(context: click.Context, parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """The files that the shell finds."""
    return [CompletionItem(typed, type="file")]


def matching(names: Iterable[str], typed: str) -> list[CompletionItem]:
    """The names that begin with what is typed behind the last comma; where that is a path, the shell's files."""
    before, comma, last = typed.rpartition(LISTED)
    if "/" in last or last.startswith("."):
        return [CompletionItem(typed, type="file")]
    return [CompletionItem(f"{before}{comma}{name}") for name in names if name.startswith(last)]
