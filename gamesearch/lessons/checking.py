"""Check all blocks of a user's lesson before it begins."""

from collections.abc import Callable
from dataclasses import replace

from gamesearch.errors import GamesearchError, Interrupted
from gamesearch.lessons.instances import locate
from gamesearch.lessons.lesson import Board, Command, Exercise, Item, Lesson, Question, Tree
from gamesearch.lessons.questions import RunCommand, pose
from gamesearch.lessons.session import is_repeatable, picture_of
from gamesearch.lessons.views import figure_view

__all__ = ["CheckCommand", "check_lesson"]

CheckCommand = Callable[[str, bool], None]
"""A function that checks a command without running it. The second argument says whether the lesson runs the command.
The function raises GamesearchError if the command has a fault."""


def check_lesson(lesson: Lesson, run: RunCommand, check_command: CheckCommand) -> list[str]:
    """Check all blocks of a lesson. Returns a message for each fault, with its file, its line and the reason.

    Commands are parsed but not run, because a search can take a long time. Commands of questions are run, because their
    output contains the answers.
    """
    faults = list[str]()
    for item in lesson.items():
        for each in item.commands if isinstance(item, Exercise) else [item]:
            try:
                check_item(each, run, check_command, isinstance(item, Command))
            except Interrupted:
                raise
            except GamesearchError as error:
                faults.append(str(error))
    return faults


def check_item(item: Item, run: RunCommand, check_command: CheckCommand, runs: bool) -> None:
    """Check an item of a lesson. If the item is a command, `runs` says whether the lesson runs it."""
    match item:
        case Question():
            figure = picture_of(pose(item, None, run).on)
            if figure is not None:  # a question with options may have a tree that no search has visited
                check_item(replace(figure, file=item.file, lines=item.lines), run, check_command, runs)
            if is_repeatable(item):
                pose(item, 1, run)
        case Tree() | Board():
            with locate(item):
                figure_view(item)
        case Command():
            with locate(item):
                check_command(item.line, runs)
