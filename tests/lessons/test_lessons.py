"""In every lesson, the commands print the shown outputs, the answers are correct, and the figures exist."""

import inspect
import os
import re
from collections import namedtuple
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from choices import EVERYTHING, choose
from test_shown_commands import parse

from gamesearch import MAX, lessons
from gamesearch.commands.learning.lesson import run_quietly
from gamesearch.game import Game
from gamesearch.lessons.lesson import Board, Command, Exercise, Lesson, Text, Tree, lesson_names, load_lesson
from gamesearch.lessons.question_kinds import ASKED
from gamesearch.lessons.questions import pose
from gamesearch.lessons.session import is_repeatable, picture_of
from gamesearch.lessons.views import figure_svg, figure_text
from gamesearch.textbook.minimax import minimax_value

LESSONS = [load_lesson(name) for name in lesson_names()]
MEASURED = re.compile(r"[\d.,]+ ?(?:ms|µs|us|s|min)\b|[\d.,]+ ?[kMG]? ?(?:\w+)?/s\b")
"""Matches measured times and speeds, which differ between runs."""
SEEDS = choose([1], [2, 3])
COMPILED = re.compile(r"gamesearch (bench tictactoe|solve .pig)")
"""Commands with long searches; they run compiled, and other commands run interpreted."""
GROUPS = {"minimax": "tictactoe", "alpha-beta": "tictactoe", "deepening": "tictactoe", "chance": "pig"}
"""Lessons whose commands need kernels that `tests/test_speeds.py` compiles for a game."""


def by_lesson(test: Any) -> Any:
    """Run a test for each lesson."""
    return pytest.mark.parametrize(
        "lesson",
        [
            pytest.param(each, id=each.name, marks=pytest.mark.xdist_group(GROUPS.get(each.name, "lessons")))
            for each in LESSONS
        ],
    )(test)


@cache
def run_short(line: str) -> str:
    """Return the output of a command, which runs interpreted if its searches are short."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Game, "worth_compiling", EVERYTHING or bool(COMPILED.match(line)))
        return run_quietly(line)


def words_of(text: str) -> list[list[str]]:
    """Return the words of each line, without measured times and speeds."""
    return [MEASURED.sub("", line).split() for line in text.split("\n")]


def is_shown(shown: str, output: str) -> bool:
    """Whether a shown text equals an output; "..." in the text stands for any number of lines."""
    parts = [list(lines) for is_gap, lines in groupby(words_of(shown), lambda line: line == ["..."]) if not is_gap]
    lines, at = words_of(output), 0
    is_open = shown.startswith("...")
    for part in parts:
        places = [place for place in range(at, len(lines)) if lines[place : place + len(part)] == part]
        if not places or (not is_open and places[0] != at):
            return False
        at, is_open = places[0] + len(part), True
    return shown.endswith("...") or at == len(lines)


COUNTS = re.compile(
    r"\n\n(?:[a-z][^\n]*\n)?[^\n]*, (?:compiled|interpreted)(?: for \d+ .*)?(?=\n|$)|\n[\d.]+ m?s, .*/s"
)
"""Matches the lines with nodes and time at the end of a command's output, which lessons omit."""


def write_outputs(lesson: Lesson) -> None:
    """Update the lesson's file: replace each shown output that its command no longer prints."""
    path = next((Path(lessons.__file__).parent / "texts").glob(f"*-{lesson.name}.md"))
    text = path.read_text(encoding="utf-8")
    for item in lesson.items():
        if isinstance(item, Command) and not is_shown(item.shown, output := run_quietly(item.line)):
            lines = "\n".join(line.rstrip() for line in output.split("\n"))
            before = f"$ {item.line}\n" + (f"{item.shown}\n" if item.shown else "")
            text = text.replace(before, f"$ {item.line}\n{COUNTS.sub(chr(10) + '...', lines)}\n")
    path.write_text(text, encoding="utf-8")


@by_lesson
def test_the_commands_of_a_lesson_print_the_shown_output(lesson: Lesson) -> None:
    if "GAMESEARCH_WRITE" in os.environ:
        write_outputs(lesson)
        lesson = load_lesson(lesson.name)
    for item in lesson.items():
        if isinstance(item, Command):
            output = run_short(item.line)
            assert is_shown(item.shown, output), f"{item.line} prints\n{output}"
        if isinstance(item, Exercise):
            for line in re.findall(r"^    (gamesearch .*)", item.markdown.replace("\\\n", ""), re.MULTILINE):
                parse(line)


@by_lesson
def test_the_questions_of_a_lesson_have_answers(lesson: Lesson, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Game, "worth_compiling", EVERYTHING or GROUPS.get(lesson.name) == "pig")
    for question in lesson.questions:
        found = [pose(question, run=run_short)]
        if is_repeatable(question):
            found += [pose(question, seed, run_short) for seed in SEEDS]
        for posed in found:
            verdict = posed.judge(posed.question.answer)
            assert verdict.is_right, (question, verdict)
            assert verdict.text.startswith("Right")
            if picture := picture_of(posed.on):
                assert figure_text(picture)
        if question.ask == "choice":
            assert all(option.reason for option in question.options), question.prompt


def test_every_lesson_is_complete() -> None:
    assert load_lesson("1") == LESSONS[0]
    for lesson in LESSONS:
        assert lesson.summary, lesson.name
        assert 10 <= lesson.minutes <= 20, lesson.name
        assert lesson.sources, lesson.name
        assert len(lesson.questions) >= 5, lesson.name
        for item in lesson.items():
            assert not isinstance(item, Tree | Board) or figure_svg(item).startswith(("<?xml", "<svg")), item
        assert any(isinstance(item, Command) for item in lesson.items()), lesson.name
        assert all(step.title for step in lesson.steps), lesson.name
    *chapters, _ = load_lesson("history").steps
    assert [step.title for step in chapters if not any(isinstance(item, Command) for item in step.items)] == []
    fills = re.findall(r'<rect [^>]*fill="#(..)(..)(..)"', figure_svg(Board("tictactoe X.O/.X./...")))
    assert min(int(part, 16) for color in fills for part in color) > 128, "the boards of lessons are light"


def test_a_wrong_output_in_a_lesson_is_found() -> None:
    same = [
        ("a  b", "a b"),
        ("a\n...", "a\nb\nc"),
        ("...\nc", "a\nb\nc"),
        ("a\n...\nc", "a\nb\nc"),
        ("0.3 s", "2.5 ms"),
    ]
    assert all(is_shown(*each) for each in same)
    others = [("a", "b"), ("a", "a\nb"), ("b\n...", "a\nb"), ("a\n...\na", "a\nb"), ("3 nodes", "4 nodes")]
    assert not any(is_shown(*each) for each in others)


def test_every_kind_of_question_is_asked() -> None:
    kinds = {question.ask.split()[0] for lesson in LESSONS for question in lesson.questions}
    assert {*ASKED, "json", "choice"} - kinds <= {"playouts", "cutoffs", "negamax", "grundy"}


def test_the_minimax_of_a_lesson_solves_the_game_of_a_lesson() -> None:
    rules, function = (
        item.markdown.removeprefix("```python\n").partition("```")[0]
        for name in ("search-problems", "minimax")
        for item in load_lesson(name).items()
        if isinstance(item, Text) and item.markdown.startswith("```python")
    )
    known: dict[str, Any] = {"MAX": MAX, "Position": namedtuple("Position", ["stones", "turn"])}
    exec(rules + function, known)
    game = type("Take", (), known)()
    found = [known["minimax_value"](game, known["Position"](stones, turn)) for turn in (0, 1) for stones in range(1, 9)]
    assert found == [1, 1, 1, -1] * 2 + [-1, -1, -1, 1] * 2
    source = inspect.getsource(minimax_value)
    assert function == "".join(line for line in source.splitlines(keepends=True) if '"""' not in line)
