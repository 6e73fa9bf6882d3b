"""Worksheets with the questions of lessons. The questions are about random instances, and each student gets different
instances."""

import random
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import count

from gamesearch.aliases import LESSONS, resolve
from gamesearch.errors import GamesearchError
from gamesearch.lessons.instances import read_instance, record_instance
from gamesearch.lessons.lesson import Step, Text, Tree, lesson_names, load_lesson, parse_lesson, shipped_folder
from gamesearch.lessons.questions import PosedQuestion, RunCommand, pose_all
from gamesearch.lessons.session import is_repeatable, picture_of
from gamesearch.lessons.views import plain_words
from gamesearch.render.boards.colors import board_for_print
from gamesearch.render.boards.svg import board_svg, draw_board_parts
from gamesearch.render.documents.worksheets import (
    TOPICS,
    Answer,
    Drawing,
    Exercise,
    Variant,
    Worksheet,
    tree_drawing,
    tree_worksheet,
)
from gamesearch.render.exports.svg import Image
from gamesearch.render.trees.picture import Style
from gamesearch.render.trees.picture import picture_of as tree_picture
from gamesearch.specification import Specification
from gamesearch.toolkit.pictures import picture

__all__ = ["find_topic", "make_worksheet", "own_topics", "worksheet_topics"]

FILE = "worksheets.md"
"""The file of the questions that belong to no lesson. Each step of the file is a topic."""


@cache
def own_topics() -> dict[str, Step]:
    """The steps of `worksheets.md`. The key of a step is the name of its topic."""
    text = shipped_folder(FILE).read_text(encoding="utf-8")
    lesson = parse_lesson(text, FILE, is_foreign=False)
    return {step.title.partition(": ")[0]: step for step in lesson.steps}


def worksheet_topics() -> dict[str, str]:
    """The names of the topics, and the title of each topic. A topic is a tree to fill in, a step of FILE, or a
    lesson."""
    found = {name: topic.title for name, topic in TOPICS.items()}
    found |= {name: step.title.partition(": ")[2] for name, step in own_topics().items()}
    for name in lesson_names():
        lesson = load_lesson(name)
        if name not in found and any(map(is_repeatable, lesson.questions)):
            found[name] = f"{lesson.title} (the questions of the lesson)"
    return found


def find_topic(name: str) -> str:
    """Find the name of a topic by an abbreviation or an alias. The path of a lesson's file is returned unchanged.

    Raises GamesearchError if no topic has this name.
    """
    if name.casefold().endswith(".md"):
        return name
    return resolve(Specification(name), worksheet_topics(), replace(LESSONS, kind="topic")).name


def make_worksheet(topic: str, numbers: Sequence[int], seed: int, run: RunCommand) -> Worksheet:
    """A worksheet with one variant for each number in `numbers`. A variant depends only on the seed and its number.

    `topic` is a name from `find_topic`, or the path of a lesson's file. `run` runs the commands of questions.
    """
    if topic in TOPICS:
        return tree_worksheet(TOPICS[topic], numbers, seed)
    if topic in own_topics():
        step = own_topics()[topic]
        title, steps = step.title.partition(": ")[2], [step]
        task = "\n".join(item.markdown for item in step.items if isinstance(item, Text))
    else:
        lesson = load_lesson(topic)
        title, steps, task = lesson.title, list(lesson.steps), ""
        if not any(map(is_repeatable, lesson.questions)):
            raise GamesearchError(
                f"{topic} has no questions with random instances: add the field `again` to a question"
            )
    drawn = (draw_exercises(steps, random.Random(f"{seed} {number}"), run) for number in numbers)
    return Worksheet(title, plain_words(task), [*map(Variant, numbers, drawn)])


def draw_exercises(steps: Sequence[Step], source: random.Random, run: RunCommand) -> list[Exercise]:
    """Pose the questions that can have random instances. Questions about the same instance are in the same exercise."""
    instances: dict[str, list[PosedQuestion]] = {}
    for step in steps:
        for posed in pose_all(list(filter(is_repeatable, step.questions)), source, run):
            instances.setdefault(posed.on, []).append(posed)
    exercises, number = list[Exercise](), count(1)
    for on, questions in instances.items():
        figure = drawing_of(on)
        answers = [
            Answer(
                f"{next(number)}. {plain_words(posed.prompt)}",
                posed.question.answer,
                plain_words(posed.reason),
                posed.also,
            )
            for posed in questions
        ]
        exercises.append(Exercise(on, figure, figure, answers))
    return exercises


def drawing_of(on: str) -> Drawing | None:
    """The drawing of an instance: a tree without values, or the board of a position."""
    figure = picture_of(on)
    if figure is None:
        return None
    game, state = read_instance(on)
    if isinstance(figure, Tree):
        style = Style(windows="none", notes=False, headings=False)
        return tree_drawing(Image(tree_picture(record_instance(on, ""), True, style)))
    board = board_for_print(picture(game, state))
    width, height, parts = draw_board_parts(board)
    return Drawing("board", (width, height), parts, board_svg(board, on))
