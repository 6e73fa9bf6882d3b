"""The commands in the README and in the documentation work, and their output is what the pages show.

Each page is a session in one folder: code blocks with a title are saved as files, and commands run in order. If a page
shows a command after the prompt `$ `, the lines below are its output, in which "..." stands for omitted lines.
"""

import io
import re
import shlex
import sys
from pathlib import Path
from typing import Any, NamedTuple

import click
import pytest
from choices import EVERYTHING
from student_files import remember_references

from gamesearch.cli import group, run, with_positions
from gamesearch.game import Game

ROOT = Path(__file__).parents[1]
PAGES = [
    ROOT / "README.md",
    *sorted((ROOT / "docs" / "tutorial").glob("*.md")),
    *sorted((ROOT / "docs" / "how-to").glob("*.md")),
    *sorted((ROOT / "docs" / "explanation").glob("*.md")),
    ROOT / "docs" / "reference" / "protocol.md",
    ROOT / "docs" / "reference" / "lectures.md",
]
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
FENCE = re.compile(r'^```(\w*)(?: title="([^"]*)")?\n(.*?)^```', re.DOTALL | re.MULTILINE)
COMMAND = re.compile(r"^(?:\$ )?((?:echo [^|]* \| )?gamesearch .*)")
ONLY_PARSED = re.compile(
    r"^gamesearch (play$|worksheet \S+\.md|lesson (?!code)\S+)|--max computer|mygame\.json|\b(uci|gtp|gnubg|external)\("
    r"|\.(pgn|sgf|epd|obf)\b|\$[\w{]|[<>] *\S+$|trace - \||attack=forcing|\*\.py|match\.jsonl"
    r"|(patterns|othello|network)\.json\b|--games \d{3,}|^gamesearch match (?!tictactoe)|learn othello"
    r"|book connect4|database othello|--parts|--probcut"
)
"""Commands that need hours, a terminal, another program, or the reader's own files; only their options are checked."""
SLOW = re.compile(
    r"^gamesearch (learn|match|database|book|ratings|opponents|horizon|agree)\b"
    r"|--(evaluation|multipv|parts|probcut|signature|shuffle|playouts|time|transform)\b|playouts=\d{4}"
    r"|chess|backgammon|othello|checkers|draughts|morris|pacman|gomoku|kalah|\bgo\b|hex\(size=[5-9]|columns=5\)"
    r"|beliefs|bestfirst|proof\(|plies\.trace|branching=16"
)
"""Commands that run only with GAMESEARCH_TEST_ALL=1. `tests/trace/test_figures.py` and `tests/render/test_board_svg.py`
run the commands with `plies.trace`, and a lesson contains the command with `branching=16`."""
COMPILED = re.compile(r"^gamesearch bench tictactoe --")
"""Commands with long searches. They run compiled, in the worker that compiles their kernels for `tests/test_speeds.py`.
"""
INLINE = re.compile(r"`(gamesearch [a-z]+ [^`]+)`")
"""A command in a sentence."""
OUTPUT_FILE = re.compile(r"--(?:to|trace|journal|strategy) ([\w.]+)")
"""A file that a command writes; if the command is skipped, all later commands that name this file are skipped."""
NEGATIVE = re.compile(r"^gamesearch (check \S*(buggy|wrong)|play )|--quiz|^echo ")
"""Commands whose exit code is 1: a difference was found, or the input ended before the end of the game or the quiz."""


class Command(NamedTuple):
    """A command line, and the lines that the page shows of its output."""

    line: str
    shown: list[str]


def commands_of(page: str) -> list[Command]:
    """Return the commands of a page; commands after a prompt come with the shown lines of output."""
    commands: list[Command] = []
    for language, _, block in FENCE.findall(page):
        if language not in ("", "console", "sh"):
            continue
        is_shown = False
        for line in block.replace("\\\n", " ").splitlines():
            found = COMMAND.match(line)
            if found is not None:
                commands.append(Command(re.sub(r"\s+# .*", "", found[1]).strip(), []))
                is_shown = line.startswith("$ ")
            elif is_shown and line.strip() and line != "...":
                commands[-1].shown.append(line)
    return commands


def save_files(page: str, folder: Path) -> None:
    """Save the code blocks whose title is a file name; a block with the title "FILE, continued" is appended to FILE."""
    for _, title, block in FENCE.findall(page):
        name, _, note = title.partition(", ")
        path = folder / name
        if note == "continued":
            path.write_text(path.read_text(encoding="utf-8") + "\n" + block, encoding="utf-8")
        elif name and not note:
            path.write_text(block, encoding="utf-8")


def parse(line: str) -> None:
    """Check the options of the first gamesearch command in a line, without running the command."""
    words = with_positions(shlex.split(line[line.index("gamesearch ") :].split(" | ")[0])[1:])
    words = words[: next((number for number, word in enumerate(words) if word[0] in "<>"), len(words))]
    command = group.get_command(click.Context(group), words[0])
    assert command is not None, line
    command.make_parser(click.Context(command, ignore_unknown_options=False)).parse_args(words[1:])


def words_of(line: str) -> list[str]:
    """The words of a line of output. If the line contains a speed, its speeds and times are replaced."""
    if "/s" in line:
        line = re.sub(r"[\d.,]+ (?:[kMG] ?)?(\w*/s)", r"SPEED \1", line)
        line = re.sub(r"[\d.,]+ (?:ms|s|min)\b", "TIME", line)
    return line.split()


def run_and_compare(command: Command, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Run a command, and check that its output contains each line that the page shows."""
    typed, _, line = command.line.rpartition(" | ")
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed.removeprefix("echo ") + "\n"))
    monkeypatch.setattr(Game, "worth_compiling", EVERYTHING or bool(COMPILED.match(line)))
    code = run(shlex.split(line)[1:])
    output = capsys.readouterr()
    assert code == (1 if NEGATIVE.search(command.line) else 0), f"{command.line}\n{output.out}{output.err}"
    printed = [words_of(each) for each in output.out.splitlines()]
    missing = [each for each in command.shown if words_of(each) not in printed]
    assert missing == [], f"{command.line} prints\n{output.out}"


def in_a_group(page: Path) -> Any:
    """Return the parameter of a test for a page."""
    commands = commands_of(page.read_text(encoding="utf-8"))
    marks = pytest.mark.xdist_group("tictactoe") if any(COMPILED.match(each.line) for each in commands) else ()
    return pytest.param(page, marks=marks, id=page.stem)


@pytest.mark.parametrize("page", [in_a_group(page) for page in PAGES])
def test_commands_of_a_page_work(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    remember_references(monkeypatch)
    text = page.read_text(encoding="utf-8")
    save_files(text, tmp_path)
    monkeypatch.chdir(tmp_path)
    missing_files: set[str] = set()
    for command in commands_of(text):
        is_skipped = ONLY_PARSED.search(command.line) or (SLOW.search(command.line) and not EVERYTHING)
        if is_skipped or missing_files.intersection(re.findall(r"[\w.]+", command.line)):
            parse(command.line)
            missing_files.update(OUTPUT_FILE.findall(command.line))
        else:
            run_and_compare(command, capsys, monkeypatch)


def test_options_of_commands_in_sentences_exist() -> None:
    texts = [page.read_text(encoding="utf-8") for page in DOCUMENTS]
    commands = [line for text in texts for line in INLINE.findall(FENCE.sub("", text))]
    assert len(commands) > 50
    for line in commands:
        parse(line)


@pytest.mark.usefixtures("interpreted")
def test_python_of_the_pages_runs(capsys: pytest.CaptureFixture[str]) -> None:
    for page in PAGES:
        scope: dict[str, object] = {}
        for language, title, block in FENCE.findall(page.read_text(encoding="utf-8")):
            if language == "python" and not title:
                exec(compile(block, page, "exec"), scope)
    assert capsys.readouterr().out == ""


def test_a_wrong_option_is_found() -> None:
    with pytest.raises(click.UsageError):
        parse("gamesearch play tictactoe --no-such-option")
