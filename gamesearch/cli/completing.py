"""Shell completion of games, algorithms, players and files.

Click calls these functions when the user presses Tab (https://click.palletsprojects.com/shell-completion), so they
import only what they need.
"""

from collections.abc import Iterable

import click
from click.shell_completion import CompletionItem

__all__ = ["offer_algorithms", "offer_files", "offer_games", "offer_methods", "offer_players"]

LISTED = ","
"""The separator of names in an option that takes several."""


def offer_games(context: click.Context, parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """The games with this prefix, or files if a path is typed."""
    from gamesearch.registry import game_names

    return matching(game_names(), typed)


def offer_algorithms(context: click.Context, parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """The algorithms with this prefix; in a list, the prefix of the last name counts."""
    from gamesearch.algorithms.catalog import all_algorithms

    return matching(all_algorithms(), typed)


def offer_methods(context: click.Context, parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """The solving methods with this prefix."""
    from gamesearch.solvers.solving import METHODS

    return matching(METHODS, typed)


def offer_players(context: click.Context, parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """The players with this prefix: a human, the computer, engines by their protocol, algorithms."""
    from gamesearch.algorithms.catalog import all_algorithms
    from gamesearch.play.players.loading import ENGINES
    from gamesearch.play.players.player import COMPUTER, HUMAN

    return matching((HUMAN, COMPUTER, *ENGINES, *all_algorithms()), typed)


def offer_files(context: click.Context, parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """The files that the shell completes."""
    return [CompletionItem(typed, type="file")]


def matching(names: Iterable[str], typed: str) -> list[CompletionItem]:
    """The names with the prefix typed after the last comma, or the shell's files if that is a path."""
    before, comma, last = typed.rpartition(LISTED)
    if "/" in last or last.startswith("."):
        return [CompletionItem(typed, type="file")]
    return [CompletionItem(f"{before}{comma}{name}") for name in names if name.startswith(last)]
