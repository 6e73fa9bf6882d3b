"""The session of a student in a lesson: its entries, the input that it waits for, and the effect of each typed line.

Line mode and the full screen show the same session. A step is shown item by item. The session stops at a command until
the student runs it, and at a question until it is answered. It also stops at the end of the step.
"""

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import takewhile
from pathlib import Path

from gamesearch.errors import GamesearchError, write_error
from gamesearch.files.whole import lock_new_file, read_text
from gamesearch.lessons.lesson import Board, Command, Exercise, Lesson, Question, Step, Text, Tree
from gamesearch.lessons.questions import PosedQuestion, RunCommand, pose
from gamesearch.play.files import state_folder, state_path, write_file
from gamesearch.specification import is_typed_tree
from gamesearch.support.escaping import json_text

__all__ = [
    "COMMANDS", "HELP", "Entry", "Progress", "Session", "count_same", "is_repeatable", "load_progress", "picture_of",
    "save_progress",
]  # fmt: skip

HELP = """\
Enter     continue: run the command, or go to the next step
again     ask the last question about a new random instance
back      go to the previous step
skip      show the answer, or go on without running the command
quit      end the lesson; next time, it continues at your last step

An answer is a number (3, 7/2), yes or no, a window ([-2, 7]), a move,
or the letter of an option."""
NOT_RANDOM = "This question has no random instances."
NO_QUESTION = "This step has no question so far: `again` repeats the last question of the step."
TRIES = 10
"""The greatest number of random instances that are generated to find a new one."""
COMMANDS = ("again", "back", "skip", "quit", "q", "?", "help")


# Progress, saved in a file in the user's state folder. ----------------------------------------------
FOLDER, FILE = "lessons", "progress.json"
LARGEST = 1_000_000
"""The size limit of the file in bytes."""


@dataclass(frozen=True)
class Progress:
    """How far a student has come in one lesson."""

    step: int = 0
    """The last step that the student reached, counted from 0. After the end of the lesson, this is 0 again."""
    is_finished: bool = False
    """Whether the student reached the end of the lesson at least once."""
    results: dict[str, bool] = field(default_factory=dict)
    """Whether the first answer to each question was right; the keys are the numbers of the questions."""

    @property
    def answer_count(self) -> int:
        """The number of questions that were answered."""
        return len(self.results)

    @property
    def right(self) -> int:
        """The number of questions whose first answer was right."""
        return sum(self.results.values())


def key(lesson: Lesson) -> str:
    """The name of a lesson in the progress file. For a user's lesson, this is the absolute path."""
    return str(Path(lesson.name).absolute()) if lesson.is_foreign else lesson.name


def load_all() -> dict[str, Progress]:
    """The progress in all lessons that were begun; empty if the file cannot be read."""
    file = state_path(FOLDER) / FILE
    try:
        found = json.loads(read_text(str(file), "the progress in lessons", LARGEST))
        return {
            str(name): Progress(facts["step"], facts["is_finished"], dict(facts["results"]))
            for name, facts in found.items()
        }
    except (GamesearchError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}


def load_progress(lessons: list[Lesson]) -> Mapping[str, Progress]:
    """The student's progress in each of `lessons`. The key is the name of the lesson. Lessons that the student has not
    begun are left out."""
    known = load_all()
    return {lesson.name: known[key(lesson)] for lesson in lessons if key(lesson) in known}


def save_progress(lesson: Lesson, progress: Progress) -> None:
    """Write the student's progress in a lesson to a file. Other processes may write the progress in other lessons at
    the same time."""
    file = state_folder(FOLDER) / FILE
    try:
        with lock_new_file(file.with_name(f".{FILE}.lock"), waits=True):
            known = {name: asdict(each) for name, each in (load_all() | {key(lesson): progress}).items()}
            write_file(str(file), json_text(known, indent=1), overwrite=True)
    except OSError as error:
        raise write_error(file, error) from None


# The session. ------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Entry:
    """An entry of the session, such as a text, a figure or a verdict."""

    kind: str
    """`heading`, `text`, `exercise`, `figure`, `command`, `output`, `question`, `options`, `typed`, `right`, `wrong`,
    `solution` or `note`."""
    text: str = ""
    figure: Tree | Board | None = None


@dataclass
class Session:
    """The state of a student in a lesson."""

    lesson: Lesson
    run: RunCommand
    seed: int = 0
    at: int = 0
    """The number of the current step."""
    place: int = 0
    """The number of the next item of the step."""
    waits_for: str = "next"
    """The expected input: `run`, `answer`, `more` (after a question), `next` (step) or `end` (of the lesson)."""
    entries: list[Entry] = field(default_factory=list)
    """The entries that the current step has shown so far."""
    posed: PosedQuestion | None = None
    """The current question or, if there is none, the last question that was answered or skipped."""
    question: Question | None = None
    number: int = 0
    """The number of the question that was asked last, counted from 1 in the lesson."""
    command: str = ""
    """The next command: it runs when the student continues."""
    is_known: bool = False
    """Whether the student already answered the current question, at an earlier visit to the step."""
    draws: int = 0
    """The number of random instances that were drawn."""
    drawn: dict[tuple[str, str, str], str] = field(default_factory=dict)
    """The last random instance of each question in this step. The keys are the fields `on`, `again` and `numbers`."""
    progress: Progress = field(default_factory=Progress)
    """The progress in the lesson. Answers are added to its results immediately."""
    unsaved: str = ""
    """Why the progress could not be saved; empty if it was saved."""
    is_over: bool = False

    def __post_init__(self) -> None:
        self.begin(min(self.at, len(self.lesson.steps) - 1))

    @property
    def step(self) -> Step:
        """The current step."""
        return self.lesson.steps[self.at]

    def save(self) -> None:
        """Save the progress. If the file cannot be written, add a note, but only the first time that this happens."""
        is_end = self.waits_for == "end"
        step = 0 if is_end else max(self.at, self.progress.step)  # `back` does not undo progress
        is_finished = is_end or self.progress.is_finished
        self.progress = replace(self.progress, step=step, is_finished=is_finished)
        try:
            save_progress(self.lesson, self.progress)
        except GamesearchError as error:
            if not self.unsaved:
                self.entries.append(Entry("note", f"Your progress is not saved: {error}"))
            self.unsaved = str(error)

    @property
    def invitation(self) -> str:
        """A hint for the input line: the lines that the student can type now."""
        again = "; `again` asks about a new instance" if self.can_repeat else ""
        return {
            "run": "Enter runs the command",
            "answer": "your answer" + ("; Enter shows the right answer" if self.is_known else ""),
            "more": f"Enter continues{again}",
            "next": f"Enter goes to the next step{again}",
            "end": f"Enter leaves the lesson{again}",
        }[self.waits_for]

    @property
    def can_repeat(self) -> bool:
        """Whether the last question has random instances."""
        return self.question is not None and is_repeatable(self.question)

    def begin(self, step: int) -> None:
        """Show a step from its beginning."""
        self.at, self.place, self.drawn, self.question, self.posed = step, 0, {}, None, None
        self.entries = [Entry("heading", self.step.title)] if self.step.title else []
        self.advance()

    def advance(self) -> None:
        """Show items up to the next command or question, or to the end of the step."""
        items = self.step.items
        while self.place < len(items):
            item = items[self.place]
            self.place += 1
            match item:
                case Text():
                    self.entries.append(Entry("text", item.markdown))
                case Tree() | Board():
                    self.entries.append(Entry("figure", figure=item))
                case Exercise():
                    self.entries.append(Entry("exercise", item.markdown))
                case Command():
                    self.entries.append(Entry("command", item.line))
                    self.command, self.waits_for = item.line, "run"
                    return
                case Question():
                    self.ask(item)
                    return
        self.wait()

    def wait(self) -> None:
        """After a question or at the end of the step, record which input the session now waits for."""
        is_last = self.at + 1 == len(self.lesson.steps)
        self.waits_for = "more" if self.place < len(self.step.items) else "end" if is_last else "next"
        if self.waits_for == "end":
            sources = f"**Sources:** {self.lesson.sources}"
            if self.lesson.sources and all(each.text != sources for each in self.entries):
                self.entries.append(Entry("text", sources))
            self.entries.append(Entry("note", "This is the end of the lesson."))

    def pose(self, question: Question) -> PosedQuestion:
        """Pose a question about the instance that was drawn earlier in the step. If there is none, pose it about the
        question's own instance."""
        on = self.drawn.get((question.on, question.again, question.numbers), question.on)
        try:
            return pose(replace(question, on=on), None, self.run)
        except GamesearchError:
            if on == question.on:
                raise
        return pose(question, None, self.run)  # this question has no clear answer for the drawn instance

    def ask(self, question: Question, is_repeated: bool = False) -> None:
        """Show a question."""
        self.question = question
        try:
            self.posed = self.draw(question) if is_repeated else self.pose(question)
        except GamesearchError as error:  # a lesson of the user can contain errors
            self.entries.append(Entry("wrong", f"This question cannot be asked: {error}"))
            self.wait()
            return
        figure = picture_of(self.posed.on)
        last = next((each.figure.on for each in reversed(self.entries) if each.figure is not None), "")
        if figure is not None and (figure.on != last or figure.on in self.drawn.values()):
            self.entries.append(Entry("figure", figure=figure))
        self.number = next(at for at, each in enumerate(self.lesson.questions, 1) if each is question)
        self.is_known = not is_repeated and str(self.number) in self.progress.results
        self.entries.append(Entry("question", f"**Question {self.number}.** {self.posed.prompt}"))
        letters = zip(self.posed.question.moves, self.posed.options, strict=False)
        if self.posed.options:
            self.entries.append(Entry("options", "\n".join(f"{letter}) {option}" for letter, option in letters)))
        self.waits_for = "answer"

    def enter(self, text: str) -> None:
        """Handle a typed line."""
        words = text.strip()
        while self.entries and self.entries[-1].kind == "note":
            self.entries.pop()
        match words.casefold():
            case "quit" | "q":
                self.is_over = True
            case "?" | "help":
                self.entries.append(Entry("note", HELP))
            case "back":
                self.begin(max(0, self.at - 1))
            case "again":
                self.repeat()
            case "skip" if self.waits_for == "answer":
                self.skip()
            case "" if self.waits_for == "answer" and self.is_known:
                self.skip()
            case _ if self.waits_for == "answer":
                self.answer(words)
            case "" if self.waits_for == "run":
                self.run_command()
            case "skip" if self.waits_for == "run":
                self.advance()
            case "" | "skip" if self.waits_for == "more":
                self.advance()
            case "" | "skip" if self.waits_for == "next":
                self.begin(self.at + 1)
            case "":
                self.is_over = True
            case _:
                self.entries.append(
                    Entry("note", f"{words!r} is not expected here: {self.invitation}; ? shows the help")
                )

    def run_command(self) -> None:
        """Run the current command, and show its output."""
        try:
            self.entries.append(Entry("output", self.run(self.command)))
        except GamesearchError as error:
            self.entries.append(Entry("wrong", str(error)))
        self.advance()

    def answer(self, text: str) -> None:
        """Judge an answer, and show the verdict."""
        assert self.posed is not None
        if not text:
            self.entries.append(Entry("note", "Type an answer, or `skip` to see it."))
            return
        try:
            verdict = self.posed.judge(text)
        except GamesearchError as error:
            self.entries.append(Entry("note", str(error)))
            return
        self.entries.append(Entry("typed", text))
        self.progress.results.setdefault(str(self.number), verdict.is_right)  # only the first answer counts
        self.entries.append(Entry("right" if verdict.is_right else "wrong", verdict.text))
        self.wait()

    def skip(self) -> None:
        """Show the answer of the current question."""
        assert self.posed is not None
        self.entries += [Entry("typed", "skip"), Entry("solution", self.posed.solution)]
        self.wait()

    def repeat(self) -> None:
        """Ask the last question again about a new random instance."""
        if self.question is None or not self.can_repeat:
            self.entries.append(Entry("note", NO_QUESTION if self.question is None else NOT_RANDOM))
            return
        if self.waits_for == "run":
            self.place -= 1  # the command is shown again after the question
        self.ask(self.question, is_repeated=True)

    def draw(self, question: Question) -> PosedQuestion:
        """Pose a question about a random instance. If possible, this instance differs from the previous one."""
        before = self.posed
        for _ in range(TRIES):
            self.draws += 1
            found = pose(question, random.Random(f"{self.seed} {self.draws}").randrange(1 << 30), self.run)
            if before is None or (found.on, found.prompt) != (before.on, before.prompt):
                break
        if question.again:
            self.drawn[question.on, question.again, question.numbers] = found.on
        return found


def count_same(old: Sequence[Entry], new: Sequence[Entry]) -> int:
    """Count the equal entries at the beginning of both lists. These entries need not be shown again."""
    pairs = takewhile(lambda pair: pair[0] is pair[1], zip(old, new, strict=False))
    return sum(1 for _ in pairs)


def is_repeatable(question: Question) -> bool:
    """Whether a question has random instances."""
    return bool(question.again) or question.ask.startswith("quiz")


def picture_of(on: str) -> Tree | Board | None:
    """The picture of an instance: a given tree, or the board of a position. None for a random tree or an empty text."""
    if not on or on.lstrip("'\"").startswith("random_tree"):
        return None
    return Tree(on) if is_typed_tree(on.lstrip("'\"")) else Board(on)
