"""Shell completion of games, algorithms, players and files.

Click calls these functions when the user presses Tab (https://click.palletsprojects.com/shell-completion). They import
only what they need, so that completion is fast.
"""

from collections.abc import Iterable

import click
from click.shell_completion import CompletionItem

__all__ = [
    "offer_algorithms",
    "offer_files",
    "offer_games",
    "offer_lessons",
    "offer_methods",
    "offer_players",
    "offer_topics",
]

LISTED = ","
"""The separator in an option that takes several names."""


def offer_games(context: click.Context, parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """Return the games whose names begin with the typed text. If the text is a path, the shell completes file names."""
    from gamesearch.registry import game_names

    return matching(game_names(), typed)


def offer_algorithms(context: click.Context, parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """Return the algorithms whose names begin with the typed text. If the text is a list, only the part after the last
    comma counts."""
    from gamesearch.algorithms.catalog import all_algorithms

    return matching(all_algorithms(), typed)


def offer_methods(context: click.Context, parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """Return the solving methods whose names begin with the typed text."""
    from gamesearch.solvers.solving import METHODS

    return matching(METHODS, typed)


def offer_players(context: click.Context, parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """Return the players whose names begin with the typed text: human, computer, engine protocols and algorithms."""
    from gamesearch.algorithms.catalog import all_algorithms
    from gamesearch.play.players.loading import ENGINES
    from gamesearch.play.players.player import COMPUTER, HUMAN

    return matching((HUMAN, COMPUTER, *ENGINES, *all_algorithms()), typed)


def offer_lessons(context: click.Context, parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """Return the lessons whose names begin with the typed text. If the text is a path, the shell completes file
    names."""
    from gamesearch.lessons.lesson import lesson_names

    return matching(lesson_names(), typed)


def offer_topics(context: click.Context, parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """Return the topics of worksheets that begin with the typed text. If the text is a path, the shell completes file
    names."""
    from gamesearch.lessons.worksheets import worksheet_topics

    return matching(worksheet_topics(), typed)


def offer_files(context: click.Context, parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """Return an item that makes the shell complete the name of a file."""
    return [CompletionItem(typed, type="file")]


def matching(names: Iterable[str], typed: str) -> list[CompletionItem]:
    """Return the names that begin with the text after the last comma, or let the shell complete a path."""
    before, comma, last = typed.rpartition(LISTED)
    if "/" in last or last.startswith("."):
        return [CompletionItem(typed, type="file")]
    return [CompletionItem(f"{before}{comma}{name}") for name in names if name.startswith(last)]
