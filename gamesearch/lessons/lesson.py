"""Lessons with their steps and items, and the parser of Markdown files (see `docs/how-to/write-a-lesson.md`)."""

import difflib
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib import resources
from itertools import pairwise
from pathlib import Path

from gamesearch.aliases import LESSONS, resolve
from gamesearch.errors import FaultsError, GamesearchError
from gamesearch.files.whole import read_text
from gamesearch.specification import Specification, nearest

__all__ = [
    "Block", "Board", "Command", "Exercise", "Item", "Lesson", "Option", "Question", "Step", "Text", "Tree",
    "code_names", "code_summary", "code_text", "lesson_names", "load_lesson", "parse_lesson", "shipped_folder",
]  # fmt: skip

LARGEST = 1_000_000
"""The size limit of a lesson's file in bytes."""
MOST_FAULTS = 20
"""At most this many faults of a lesson are reported."""
STARTER_SUFFIX = ".py.txt"
"""The suffix of starter files: the pseudocode of textbooks as Python, with a gap to fill or a typical error. The
docstring of a starter file says what the program is and how to check it."""
FENCE = re.compile(r"^```(.*)$")
FIELD = re.compile(r"(\w+):(.*)")
MARGIN = re.compile(r"\d+(\.\d+)?( ?%)?")
"""A pattern for the field `within` of a question: the accepted error as a number, or in percent of the answer."""
OPTION = re.compile(r"([-+]) (.+?)(?: -- (.*))?$")
EXERCISE_COMMAND = re.compile(r"^ {4,}(?:\$ )?(gamesearch .*(?:(?<=\\)\n.*)*)", re.MULTILINE)
"""A command in an exercise. A backslash at the end of a line continues the command on the next line."""
RULE = "---"
"""The line between the text of a question and its explanation."""
KEYS = {
    "lesson": {"summary", "minutes", "sources"},
    "question": {"on", "ask", "algorithm", "again", "numbers", "command", "within"},
    "tree": {"on", "algorithm", "draw", "plies"},
    "board": {"on"},
}
"""The fields that each kind of block may have."""
BLOCKS = ("lesson", "console", "exercise", "question", "tree", "board")
"""The kinds of blocks that a lesson interprets. A block of any other kind is shown as code."""
MOST_OPTIONS = 8
"""The greatest number of options of a multiple-choice question."""

DRAWN = {
    "boards": "the board of each node",
    "pruned": "pruned branches, crossed out, in files",
    "ranges": "the interval in which each value lies",
    "values": "no windows",
}
"""The words that the field `draw` of a tree may contain, each with its meaning."""


@dataclass(frozen=True, kw_only=True)
class Block:
    """A block of a lesson, with its place in the file."""

    file: str = field(default="", compare=False)
    lines: Mapping[str, int] = field(default_factory=dict, compare=False)
    """For each field, the number of its line in the file. The value of the empty key is the number of the block's first
    line."""

    def place(self, name: str = "") -> str:
        """The file and the line of a field, for error messages. If the block does not have this field, the line is the
        first line of the block."""
        return f"{self.file}, line {self.lines.get(name, self.lines[''])}" if self.lines else ""


@dataclass(frozen=True)
class Text:
    """A paragraph, list or table in Markdown."""

    markdown: str


@dataclass(frozen=True)
class Command(Block):
    """A command to run, and the output that the file shows; "..." replaces omitted lines."""

    line: str
    shown: str = ""


@dataclass(frozen=True)
class Tree(Block):
    """A tree to draw. If an algorithm is given, this is the tree that the algorithm searches; if not, it is the given
    tree."""

    on: str
    algorithm: str = ""
    draw: tuple[str, ...] = ()
    """What to draw: words from DRAWN."""
    plies: int = 0
    """The number of plies that the picture shows; 0 if the lesson does not limit them."""


@dataclass(frozen=True)
class Board(Block):
    """A picture of a position's board."""

    on: str


@dataclass(frozen=True)
class Option:
    """An option of a multiple-choice question."""

    text: str
    is_right: bool
    reason: str = ""


@dataclass(frozen=True)
class Question(Block):
    """A question. Its answer is computed for an instance (a game and a position), or is one of the given options."""

    ask: str
    """The kind of question, such as `value b`; see `questions.py`."""
    prompt: str
    on: str = ""
    """The game and the position, written as on the command line."""
    algorithm: str = ""
    again: str = ""
    """The pattern of random instances, with `?` for random numbers, or `random(N)` for N random moves."""
    numbers: str = ""
    """The least and the greatest random number, such as `0 20`. Commas separate the ranges of several `?`."""
    command: str = ""
    """The command of a question with `ask: json KEY`. It has the option --json, and its output contains the answer."""
    within: str = ""
    """The greatest accepted error of a number, such as `5` or `10 %`."""
    options: tuple[Option, ...] = ()
    explanation: str = ""


@dataclass(frozen=True)
class Exercise(Block):
    """A task that a student does in another terminal. The text is Markdown, in which commands are indented."""

    markdown: str

    @property
    def commands(self) -> Iterator[Command]:
        """The commands of gamesearch in the text."""
        for found in EXERCISE_COMMAND.finditer(self.markdown):
            line = self.lines[""] + 1 + self.markdown.count("\n", 0, found.start())
            yield Command(found[1].replace("\\\n", " "), file=self.file, lines={"": line})


Item = Text | Command | Tree | Board | Question | Exercise


@dataclass(frozen=True)
class Step:
    """A step (a page) of a lesson."""

    title: str
    items: tuple[Item, ...]

    @property
    def questions(self) -> list[Question]:
        """The questions in order."""
        return [item for item in self.items if isinstance(item, Question)]


@dataclass(frozen=True)
class Lesson:
    """A lesson and its source."""

    name: str
    """The name, if the lesson comes with gamesearch; otherwise the path of the file."""
    title: str
    summary: str
    steps: tuple[Step, ...]
    minutes: int = 0
    sources: str = ""
    is_foreign: bool = field(default=True, compare=False)
    """Whether the lesson was read from a file of the user."""

    def items(self) -> Iterator[Item]:
        """Yield the items of all steps in order."""
        for step in self.steps:
            yield from step.items

    @property
    def questions(self) -> list[Question]:
        """All questions in order."""
        return [question for step in self.steps for question in step.questions]


# The lessons that come with gamesearch. ----------------------------------------------------------
FILE_NAME = re.compile(r"\d+-([\w-]+)\.md")


def shipped_folder(name: str) -> resources.abc.Traversable:
    """A folder or a file that comes with the lessons."""
    return resources.files(__name__.rpartition(".")[0]).joinpath(name)


def lesson_files() -> dict[str, str]:
    """The name and the file name of each lesson that comes with gamesearch, in the order of the course."""
    files = sorted(each.name for each in shipped_folder("texts").iterdir())
    return {found[1]: each for each in files if (found := FILE_NAME.fullmatch(each))}


def lesson_names() -> tuple[str, ...]:
    """The names of gamesearch's lessons, in the order of the course."""
    return tuple(lesson_files())


def load_lesson(name: str, check: "CheckLesson | None" = None) -> Lesson:
    """Load a lesson by its name, its number in the list, or the path of its file. A lesson from a user's file is also
    checked.

    Raises GamesearchError if no lesson has this name, or if the file is not a lesson.
    """
    files = lesson_files()
    if name.isdecimal() and len(name) < 3 and 1 <= int(name) <= len(files):
        name = tuple(files)[int(name) - 1]
    if name in files:
        text = shipped_folder("texts").joinpath(files[name]).read_text(encoding="utf-8")
        return parse_lesson(text, name, is_foreign=False)
    if Path(name).suffix.casefold() != ".md":
        return load_lesson(resolve(Specification(name), files, LESSONS).name)
    return parse_lesson(read_text(name, "a lesson", LARGEST), name, check=check)


# Parsing. ----------------------------------------------------------------------------------------
class LessonReader:
    """Parses the lines of a lesson, and collects its faults with their line numbers."""

    def __init__(self, text: str, name: str) -> None:
        self.lines, self.name, self.at = text.replace("\r\n", "\n").split("\n"), name, 0
        self.faults: list[str] = []

    def add_fault(self, message: str, line: int) -> None:
        """Note a fault. Raises FaultsError if there are too many faults."""
        self.faults.append(f"{self.name}, line {line}: {message}")
        if len(self.faults) == MOST_FAULTS:
            raise FaultsError(self.faults)

    def read(self) -> tuple[str, Mapping[str, str], list[Step]]:
        """Parse the lesson; returns its title, the fields below the title (such as the minutes) and its steps."""
        title, facts, steps = "", dict[str, str](), list[Step]()
        heading, items, paragraph = "", list[Item](), list[str]()

        def end_text() -> None:
            if markdown := "\n".join(paragraph).strip("\n").rstrip():
                items.append(Text(markdown))
            paragraph.clear()

        def end_step() -> None:
            end_text()
            if items or heading:
                steps.append(Step(heading, tuple(items)))
            items.clear()

        while self.at < len(self.lines):
            line = self.lines[self.at]
            self.at += 1
            if fence := FENCE.match(line):
                kind, begin = fence[1].strip(), self.at
                block = self.block(kind)
                if kind == "lesson":
                    facts |= self.lesson_fields(block, begin)
                elif kind in BLOCKS:
                    end_text()
                    items += self.items(kind, block, begin)
                elif near := difflib.get_close_matches(kind.casefold(), BLOCKS, 1, 0.75):
                    self.add_fault(f"{kind!r} is not a kind of block: did you mean {near[0]}?", begin)
                else:  # a block of code without a special meaning
                    paragraph += [line, *block, "```"]
            elif line.startswith("# ") and not title:
                title = line[2:].strip()
            elif line.startswith("## "):
                end_step()
                heading = line[3:].strip()
            elif not line.strip() and paragraph and not paragraph[0].startswith("```"):
                end_text()
            else:
                paragraph.append(line)
        end_step()
        return title, facts, steps

    def block(self, kind: str) -> list[str]:
        """The lines up to the end of a block."""
        begin = self.at
        while self.at < len(self.lines):
            line = self.lines[self.at].rstrip()
            if kind in BLOCKS and line.startswith("```") and line != "```":  # the next block
                break
            self.at += 1
            if line == "```":
                return self.lines[begin : self.at - 1]
        self.add_fault("this block has no end: a line with ``` is missing", begin)
        return self.lines[begin : self.at]

    def items(self, kind: str, block: list[str], begin: int) -> list[Item]:
        """Parse a block into its items. A block with a fault may have no items."""
        if kind == "console":
            return list(self.commands(block, begin))
        if kind == "exercise":
            return [Exercise("\n".join(block).rstrip(), file=self.name, lines={"": begin})]
        before = len(self.faults)
        facts, lines, rest = self.fields(kind, block, begin)
        if len(self.faults) > before:
            return []
        if kind == "question":
            return self.question(facts, lines, rest)
        if "on" not in facts or any(line.strip() for line in rest):
            self.add_fault(f"a {kind} needs a line such as 'on: tictactoe X../.O./...', and contains no text", begin)
            return []
        if kind == "board":
            return [Board(facts["on"], file=self.name, lines=lines)]
        return [self.tree(facts, lines)]

    def tree(self, facts: Mapping[str, str], lines: Mapping[str, int]) -> Tree:
        """Parse a block that contains a tree."""
        draw, plies = tuple(facts.get("draw", "").split()), facts.get("plies", "0")
        if not set(draw) <= DRAWN.keys():
            self.add_fault(f"the field 'draw' may contain only the words {', '.join(DRAWN)}", lines["draw"])
        if not (plies.isdecimal() and len(plies) < 3):
            self.add_fault(f"the field 'plies' must be a whole number below 100, not {plies!r}", lines["plies"])
            plies = "0"
        return Tree(facts["on"], facts.get("algorithm", ""), draw, int(plies), file=self.name, lines=lines)

    def commands(self, block: list[str], begin: int) -> Iterator[Command]:
        """Yield each command of a block, together with the lines of output below it."""
        at = [number for number, line in enumerate(block) if line.startswith("$ ")]
        if not at:
            self.add_fault("a console block needs a line that begins with '$ gamesearch'", begin)
        for here, after in pairwise([*at, len(block)]):
            shown = "\n".join(block[here + 1 : after])
            yield Command(block[here][2:].strip(), shown, file=self.name, lines={"": begin + here + 1})

    def lesson_fields(self, block: list[str], begin: int) -> dict[str, str]:
        """Parse the block below the title."""
        facts, lines, _ = self.fields("lesson", block, begin)
        minutes = facts.get("minutes", "0")
        if not (minutes.isdecimal() and len(minutes) < 4):
            self.add_fault(f"the field 'minutes' must be a whole number, not {minutes!r}", lines["minutes"])
            del facts["minutes"]
        return facts

    def fields(self, kind: str, block: list[str], begin: int) -> tuple[dict[str, str], dict[str, int], list[str]]:
        """Split a block at its first blank line; returns its fields, the number of the line of each field, and the
        other lines."""
        facts, lines = dict[str, str](), {"": begin}
        for number, line in enumerate(block):
            if not line.strip():
                return facts, lines, block[number + 1 :]
            found, at = FIELD.match(line), begin + number + 1
            if found is None and kind == "question":
                self.add_fault(f"{line.strip()!r} is not a field: put a blank line above the text of the question", at)
                break
            if found is None or found[1] not in KEYS[kind]:
                hint = nearest(found[1] if found else line, KEYS[kind])
                self.add_fault(f"{line.strip()!r} is not a field of a {kind}: {hint}", at)
                continue
            if found[1] in facts:
                self.add_fault(f"the field {found[1]!r} is given twice: remove one of the two lines", at)
            facts[found[1]], lines[found[1]] = found[2].strip(), at
        return facts, lines, []

    def question(self, facts: dict[str, str], places: dict[str, int], rest: list[str]) -> list[Item]:
        """Parse a question: its fields, its text, its options and, after a line `---`, its explanation."""
        before, begin = len(self.faults), places[""]
        lines, explanation = rest, list[str]()
        if RULE in rest:
            lines, explanation = rest[: rest.index(RULE)], rest[rest.index(RULE) + 1 :]
        ask = facts.pop("ask", "")
        options = tuple(
            Option(found[2], found[1] == "+", found[3] or "") for line in lines if (found := OPTION.match(line))
        )
        if ask != "choice":
            options = ()
        elif not any(each.is_right for each in options) or not 2 <= len(options) <= MOST_OPTIONS:
            self.add_fault(
                f"a choice needs 2 to {MOST_OPTIONS} options, and at least one must be right: '- wrong -- reason', "
                "'+ right -- reason'",
                places["ask"],
            )
        prompt = "\n".join(line for line in lines if not (options and OPTION.match(line))).strip()
        if not ask:
            self.add_fault("a question needs a field 'ask', for example 'ask: value b'", begin)
        if not prompt:
            self.add_fault("a question needs a text below its fields, after a blank line", begin)
        if "again" in facts and not re.search(r"\?|random\(", facts["again"]):
            self.add_fault(
                f"the field 'again' must contain '?' for a random number, or random(4) for a position after 4 random "
                f"moves, not {facts['again']!r}",
                places["again"],
            )
        if "within" in facts and not MARGIN.fullmatch(facts["within"]):
            self.add_fault(
                f"the field 'within' must be an error, such as 5 or 10 %, not {facts['within']!r}", places["within"]
            )
        if len(self.faults) > before:
            return []
        reason = " ".join(" ".join(explanation).split())
        return [Question(ask, prompt, options=options, explanation=reason, file=self.name, lines=places, **facts)]


CheckLesson = Callable[[Lesson], list[str]]
"""A function that tries the questions and commands of a lesson, and returns the faults that parsing cannot find."""
LINE = re.compile(r", line (\d+): ")


def parse_lesson(text: str, name: str, is_foreign: bool = True, check: CheckLesson | None = None) -> Lesson:
    """Parse the text of a lesson. `check` is called to find faults that parsing does not find.

    Raises GamesearchError if the text is not a lesson. Raises FaultsError if the lesson has faults; the error names the
    line of each fault.
    """
    reader = LessonReader(text, name)
    title, facts, steps = reader.read()
    faults = reader.faults
    if not faults and (not title or not any(step.items for step in steps)):
        raise GamesearchError(f"{name} is not a lesson: it needs a line '# Title', and steps that begin with '## '")
    minutes, sources = int(facts.get("minutes", "0")), facts.get("sources", "")
    lesson = Lesson(name, title, facts.get("summary", ""), tuple(steps), minutes, sources, is_foreign)
    faults += check(lesson) if check is not None else []
    if faults:
        raise FaultsError(sorted(faults, key=lambda fault: int(found[1]) if (found := LINE.search(fault)) else 0))
    return lesson


# Starter files. -----------------------------------------------------------------------------------
def code_names() -> tuple[str, ...]:
    """The names of the starter files."""
    names = (each.name for each in shipped_folder("pseudocode").iterdir())
    return tuple(sorted(name.removesuffix(STARTER_SUFFIX) for name in names if name.endswith(STARTER_SUFFIX)))


def code_text(name: str) -> str:
    """The text of a starter file. Raises GamesearchError if no starter file has this name."""
    if name not in code_names():
        raise GamesearchError(f"unknown starter file {name!r}: {nearest(name, code_names())}")
    return shipped_folder("pseudocode").joinpath(name + STARTER_SUFFIX).read_text(encoding="utf-8")


def code_summary(name: str) -> str:
    """The first line of the docstring of a starter file."""
    return code_text(name).split('"""')[1].strip().partition("\n")[0]
