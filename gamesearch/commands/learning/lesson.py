"""Play a lesson with commands, questions and exercises."""

import contextlib
import io
import random
import re
import shutil
from collections.abc import Sequence
from contextvars import copy_context
from dataclasses import replace
from functools import cache, partial
from itertools import takewhile
from typing import Any

import click
from rich.console import Console, ConsoleOptions, RenderResult
from rich.padding import Padding
from rich.table import Column
from rich.text import Text

from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.engine.formatting import plural
from gamesearch.cli import execute, group, usage_sentence, with_positions
from gamesearch.cli import options as cli
from gamesearch.cli.consoles import (
    columns,
    output_console,
    print_code,
    print_found,
    print_json,
    print_line,
    status_console,
)
from gamesearch.cli.ending import full_screen
from gamesearch.cli.help import Command
from gamesearch.cli.messages import say
from gamesearch.cli.quizzes import AskedQuestion, ask_line_by_line, verdict_data
from gamesearch.cli.reading import format_of
from gamesearch.cli.terminal import LineReader, has_full_screen, has_textual
from gamesearch.errors import GamesearchError
from gamesearch.lessons.checking import check_lesson
from gamesearch.lessons.instances import opens_files, split_words, words_of
from gamesearch.lessons.lesson import Lesson, code_names, code_summary, code_text, lesson_names, load_lesson
from gamesearch.lessons.questions import PosedQuestion, RunCommand, pose, pose_all
from gamesearch.lessons.session import Entry, Progress, Session, count_same, load_progress
from gamesearch.lessons.views import COLUMNS, entry_view, plain_lines, question_text
from gamesearch.play.files import write_file
from gamesearch.registry import load
from gamesearch.render.tables import plain_table, text_column
from gamesearch.trace.answers import Verdict

__all__ = ["command", "load_checked", "progress_words", "run_quietly"]

SUFFIXES = (".md", ".html", ".ipynb")
MARGIN = 3
"""The number of terminal columns that are kept free next to a text."""
CODE = "code"
"""The word that the user types before the name of a starter file."""


@click.command(
    cls=Command,
    examples=[
        "gamesearch lesson",
        "gamesearch lesson alpha-beta",
        "gamesearch lesson ./mine.md",
        "gamesearch lesson alpha-beta --to alpha-beta.html",
        "gamesearch lesson --to course.ipynb",
        "gamesearch lesson alpha-beta --question 2 --answer no --json",
        "gamesearch lesson code alpha-beta --to mine.py",
    ],
)
@click.argument("name", metavar="[NAME|FILE.md]", default="", required=False, shell_complete=cli.offer_lessons)
@click.argument("code", metavar="[CODE]", default="", required=False)
@cli.number_option("--step", text="Begin at this step.  [default: the last step that you reached]")
@click.option("--seed", type=int, metavar="N", help="Seed for random instances of questions.  [default: random]")
@cli.flag_option("--plain", text="Print lines instead of using the full screen.")
@cli.file_option(
    "--to", "file", text=f"Write the lesson to a file ({', '.join(SUFFIXES)}). With CODE, write a starter file (.py)."
)
@cli.number_option("--question", text="Print only question N.")
@click.option("--answer", metavar="TEXT", help="Check this answer to the question that --question selects.")
@cli.flag_option("--quiz", "is_quiz", text="Ask only the questions, and read one answer from each line.")
@cli.flag_option("--restart", text="Forget your progress and your answers, and begin again.")
@cli.force_option
@cli.ascii_option
@cli.json_option
def command(
    name: str,
    code: str,
    step: int | None,
    seed: int | None,
    plain: bool,
    file: str | None,
    question: int | None,
    answer: str | None,
    is_quiz: bool,
    restart: bool,
    force: bool,
    only_ascii: bool,
    as_json: bool,
) -> int:
    """Play a lesson: short texts, commands to run, and questions whose answers the program computes.

    If NAME is missing, the command lists the lessons or, with --to, writes all lessons to FILE. FILE.md is a lesson of
    your own (docs/how-to/write-a-lesson.md). Your progress is saved, and a lesson continues at the last step that you
    reached. The score counts only your first answer to each question. For grading, --quiz --json prints whether each
    answer is right, and the score. `lesson code` lists starter files for algorithms that you write yourself, and
    `lesson code CODE --to mine.py` writes such a file.
    """
    if answer is not None and question is None:
        raise click.UsageError("--answer needs --question, the number of the question")
    if name == CODE:
        return starter_file(code, file, force, as_json)
    if code:
        raise click.UsageError(f"got unexpected extra argument ({code})")
    if not name and file is None:
        return list_lessons(as_json)
    suffix = format_of(file, SUFFIXES, overwrite=force)
    if question is not None:
        return one_question(load_lesson(name or lesson_names()[0]), question, answer, seed, as_json)
    width = min(COLUMNS, shutil.get_terminal_size((COLUMNS, 0)).columns - MARGIN)
    is_played = not (is_quiz or file or as_json)
    run = cache(partial(run_quietly, width=width) if is_played else run_quietly)
    lessons = [load_checked(each, run) for each in ([name] if name else lesson_names())]
    lesson = lessons[0]
    if is_quiz:
        return ask_all(lesson, run, seed, as_json)
    if file is not None:
        from gamesearch.lessons.export import export  # imports a Markdown parser, which is slow

        write_file(file, export(lessons, suffix, run, say), overwrite=force)
        say(f"the {'lesson is' if name else 'lessons are'} in {file}")
        return 0
    if as_json:
        print_found("", lambda: lesson_data(lesson, load_progress([lesson]).get(lesson.name)), as_json)
        return 0
    known = Progress() if restart else load_progress([lesson]).get(lesson.name, Progress())
    begin = known.step if step is None else step - 1
    if step is not None and step > len(lesson.steps):
        raise GamesearchError(f"{lesson.name} has {len(lesson.steps)} steps: step {step} does not exist")
    seed = random.randrange(1 << 30) if seed is None else seed
    with show_work():
        session = Session(lesson, run, seed, begin, progress=known)
    if not (plain or only_ascii) and has_full_screen() and has_textual():
        return on_screen(session)
    return play_line_by_line(session, only_ascii)


# Lists and files. ---------------------------------------------------------------------------------
LEAST_WIDTH = 60  # the width of a terminal from which on the list is a table


class LessonList:
    """The list of lessons: a table or, on a narrow terminal, the topic of each lesson below its name."""

    def __init__(self, rows: Sequence[tuple[str, str, str, str]]) -> None:
        self.rows = rows

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if options.max_width >= LEAST_WIDTH:
            columns = (text_column("lesson", "bold"), text_column("time"), Column("progress", style="dim", min_width=8))
            yield plain_table(*columns, Column("topic", min_width=20), rows=self.rows, gap=2)
            return
        for name, minutes, progress, topic in self.rows:
            yield Text.assemble((name, "bold"), f"  {minutes}  ", (progress, "dim"))
            yield Padding(Text(topic), (0, 0, 0, 2))


def list_lessons(as_json: bool) -> int:
    """List the lessons, each with the user's progress; return the exit code."""
    lessons = [load_lesson(name) for name in lesson_names()]
    known = load_progress(lessons)
    view = LessonList(
        [
            (each.name, f"{each.minutes} min", progress_words(each, known.get(each.name)), each.summary)
            for each in lessons
        ]
    )
    print_found(view, lambda: [lesson_data(each, known.get(each.name)) for each in lessons], as_json)
    if not as_json:
        say("gamesearch lesson NAME begins or continues a lesson")
    return 0


def progress_words(lesson: Lesson, known: Progress | None) -> str:
    """Describe the progress in a lesson: the step, the right answers, and the number of questions without an answer."""
    if known is None:
        return ""
    place = "finished" if known.is_finished else f"step {known.step + 1} of {len(lesson.steps)}"
    score = f", {known.right} of {known.answer_count} right" if known.answer_count else ""
    left = len(lesson.questions) - known.answer_count if known.is_finished else 0
    return place + score + (f", {left} not answered" if left > 0 else "")


def lesson_data(lesson: Lesson, known: Progress | None = None) -> dict[str, Any]:
    """Return the description of a lesson and the progress in it as JSON."""
    return {
        "name": lesson.name,
        "title": lesson.title,
        "summary": lesson.summary,
        "minutes": lesson.minutes,
        "sources": lesson.sources,
        "steps": [step.title for step in lesson.steps],
        "questions": len(lesson.questions),
        "progress": known
        and {**vars(known), "step": known.step + 1, "right": known.right, "answered": known.answer_count},
    }


def starter_file(code: str, file: str | None, force: bool, as_json: bool) -> int:
    """List the starter files, print one, or write one to a file."""
    if not code:
        names = code_names()
        rows = [(each, code_summary(each)) for each in names]
        view = plain_table(text_column("code", "bold"), Column("program and task"), rows=rows)
        print_found(view, lambda: [{"name": each, "summary": summary} for each, summary in rows], as_json)
        return 0
    text = code_text(code)
    if file is None:
        print_code(text, lambda: {"name": code, "code": text}, as_json)
        return 0
    format_of(file, (".py",), overwrite=force)
    if re.fullmatch(r"[\w./-]+", file):  # the docstring names the file in commands, where other names need quotes
        text = re.sub(r"\./(mine|wrong)\.py", file if "/" in file else f"./{file}", text)
    write_file(file, text, overwrite=force)
    say(f"wrote {file}: its first lines explain how to use it")
    return 0


def one_question(lesson: Lesson, number: int, answer: str | None, seed: int | None, as_json: bool) -> int:
    """Print a question, or judge an answer to it; the exit code is 1 for a wrong or an empty answer."""
    questions = lesson.questions
    if number > len(questions):
        raise GamesearchError(
            f"{lesson.name} has {plural(len(questions), 'question')}: question {number} does not exist"
        )
    posed = pose(questions[number - 1], seed, run_quietly)
    asked, given = asked_question(posed), (answer or "").strip()
    data, text = {"question": number, "of": len(questions), **asked.data}, asked.text
    verdict = None
    if given:
        verdict = asked.judge(given)
        text = verdict.text
    elif answer is not None:
        verdict = Verdict(False, "", posed.question.answer, posed.reason)
        text += "\n\nNo answer was given."
    if verdict is not None:
        data |= verdict_data(given, verdict)
    if as_json:
        print_json(data)
    else:
        print_line(text)
    return 0 if verdict is None or verdict.is_right else 1


def ask_all(lesson: Lesson, run: RunCommand, seed: int | None, as_json: bool) -> int:
    """Ask all questions of a lesson, one after another. If a seed is given, the questions are about random
    instances."""
    if seed is None:
        posed = [pose(question, None, run) for question in lesson.questions]
    else:
        source = random.Random(seed)
        posed = [each for step in lesson.steps for each in pose_all(step.questions, source, run)]
    return ask_line_by_line([asked_question(each) for each in posed], as_json, seed)


def asked_question(posed: PosedQuestion) -> AskedQuestion:
    """Convert a question of a lesson to a question of a quiz."""

    def judge(given: str) -> Verdict:
        verdict = posed.judge(given)
        return replace(verdict, text=plain_lines(verdict.text))

    options = dict(zip(posed.question.moves, posed.options, strict=False))
    data = {"text": posed.prompt, "on": posed.on or None, "options": options}
    return AskedQuestion(question_text(posed), judge, data)


# Checking the lessons of users. -------------------------------------------------------------------
OPERATOR = re.compile(r"[|&;<>]+")
"""Matches an operator of the shell. An operator is followed by another command or by the name of a file."""


def load_checked(name: str, run: RunCommand) -> Lesson:
    """Load a lesson. Raises FaultsError if the lesson is a file of the user and has faults."""

    def check(lesson: Lesson) -> list[str]:
        with status_console().status(Text(f"checking {lesson.name} ...")):
            return check_lesson(lesson, run, check_command)

    return load_lesson(name, check)


def check_command(line: str, runs: bool) -> None:
    """Check the name, the options, the game and the algorithm of a command, without running it.

    If `runs` is true, a lesson runs the command, so the command must be allowed in lessons.
    """
    words = words_of(line, file_options) if runs else split_words(line)[1:]
    context = click.Context(group, info_name="gamesearch")
    try:
        words = [*takewhile(lambda word: not OPERATOR.fullmatch(word), words)]
        name, command, rest = group.resolve_command(context, with_positions(words))
        assert command is not None
        given = command.make_context(name, rest, context).params
    except click.exceptions.Exit:  # --help
        return
    except click.UsageError as error:
        raise GamesearchError(usage_sentence(error)) from None
    game, position, algorithm = (given.get(each) or "" for each in ("game", "position", "algorithm"))
    if game and not opens_files(game) and not opens_files(position):
        load(game).setup(position)
    if algorithm and not opens_files(algorithm):
        load_algorithm(algorithm)
    if name == "lesson" and given["code"]:
        code_text(given["code"])


# Running commands. -------------------------------------------------------------------------------
def run_quietly(line: str, width: int = COLUMNS) -> str:
    """Run a command in this process, and return its output in lines of at most `width` characters.

    Raises GamesearchError if the command fails, or is not allowed in lessons.
    """
    words = words_of(line, file_options)
    output, messages = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(messages):
        code = copy_context().run(lambda: (columns.set(width), execute(words))[1])
    if code not in (0, 1):
        raise GamesearchError(messages.getvalue().strip().removeprefix("gamesearch: ") or f"{line} failed")
    return output.getvalue().rstrip()


def file_options(name: str) -> set[str]:
    """The names of the options whose value is a file or a folder."""
    found = group.get_command(click.Context(group), name)
    assert found is not None
    options = [each for each in found.params if isinstance(each, click.Option)]
    return {name for each in options if re.search("FILE|FOLDER", each.metavar or "") for name in each.opts}


# Playing. ----------------------------------------------------------------------------------------
def on_screen(session: Session) -> int:
    """Play a lesson on the full screen; return the exit code."""
    from gamesearch.tui.lesson_screen import LessonApp

    app = LessonApp(session)
    with full_screen():
        app.run()
    if app.failure is not None:
        raise app.failure
    click.echo(farewell(session))
    return app.return_code or 0


def show_work() -> contextlib.AbstractContextManager[object]:
    """While this context is open, a terminal shows that the lesson is computing."""
    return status_console().status("working ...")


def play_line_by_line(session: Session, only_ascii: bool) -> int:
    """Play a lesson line by line; return 1 if the input ends before the last question."""
    console, lines = output_console(only_ascii), LineReader(lambda _: [], is_plain=True)
    lesson = session.lesson
    print_line(f"{lesson.title}\n{'=' * len(lesson.title)}\n{lesson.summary}\n".rstrip() + "\n")
    shown: list[Entry] = []
    while True:
        session.save()
        same = count_same(shown, session.entries)
        if same == 0:
            print_line(f"[step {session.at + 1} of {len(lesson.steps)}]")
        for entry in session.entries[same:]:
            if entry.kind == "typed" and lines.is_terminal:
                continue  # the terminal already shows what the user typed
            console.print(entry_view(entry, console.is_terminal))
            console.print()
        shown = list(session.entries)
        if session.is_over:
            break
        if not lines.is_terminal:  # the reader shows the prompt only in a terminal
            print_line(f"({session.invitation})\n")
        text = lines.read(f"({session.invitation}) > ")
        if text is None:
            if session.waits_for == "answer":
                click.echo(farewell(session))
                return 1
            text = ""
        with show_work():
            session.enter(text)
    click.echo(farewell(session))
    return 0


def farewell(session: Session) -> str:
    """Return the last message: the score, and the step at which the lesson continues."""
    known = session.progress
    score = (
        f"{known.right} of {known.answer_count} first answers right" if known.answer_count else "no questions answered"
    )
    if session.waits_for == "end":
        return f"{score}; the lesson is finished"
    if session.unsaved:
        return f"{score}; your progress was not saved: {session.unsaved}"
    return f"{score}; next time, the lesson continues at step {known.step + 1}"
