"""The commands in the README and in the documentation work, and their output is what the pages show.

Each page is a session in one folder: code blocks with a title are saved as files, and commands run in order. The folder
also contains `SAMPLES`, files that the reader is assumed to have. If a page shows a command after the prompt `$ `, the
lines below are its output, in which "..." stands for omitted lines.
"""

import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import textwrap
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
ONLY_PARSED = re.compile(r"book connect4|database othello|attack=forcing|^gamesearch play$")
"""Commands that take hours, and a command that needs a terminal; only their options are checked."""
PROGRAM = re.compile(r"\b(?:uci|gtp|gnubg|external)\(\w*=?[\"']?([\w-]+)")
"""A command with a player that is another program, and the name of this program."""
SHELL = re.compile(r"[|<>*]|\$[\w{]")
"""Characters in a command that only a shell understands."""
OPENING = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O *\n"
CHECKMATE = """[White "anna"]
[Black "ben"]
[Result "1-0"]

1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0
"""
ALGORITHM = """def minimax(game, s, depth):
    if game.terminal(s):
        return game.utility(s)
    if depth == 0:
        return game.evaluate(s)
    values = [minimax(game, game.result(s, m), depth - 1) for m in game.moves(s)]
    return max(values) if game.player(s) == 0 else min(values)
"""
SAMPLES = {
    "positions.txt": "4\n44\n",
    "wac.epd": '2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Qg6; id "WAC.001";\n',
    "game.sgf": "(;FF[4]GM[1]SZ[9]KM[7];B[ee];W[cc])\n",
    **dict.fromkeys(("game.pgn", "book.pgn"), OPENING),
    **dict.fromkeys(("tournament.pgn", "games.pgn"), CHECKMATE),
    **dict.fromkeys(("anna.py", "ben.py"), ALGORITHM),
    "mine.py": "def evaluate(game, s):\n    return 0.0\n",
}
"""Files that pages assume the reader to have."""
PREPARED = {
    "match.jsonl": "match othello random 'random(seed=2)' --games 2 --journal match.jsonl",
    "monday.jsonl": "match chess random 'random(seed=2)' --games 2 --journal monday.jsonl",
    "tuesday.jsonl": "match chess random 'random(seed=3)' --games 2 --journal tuesday.jsonl",
    "patterns.json": "learn othello --patterns own --method td --games 20 --to patterns.json",
    "mygame.json": "play tictactoe --plain --save mygame.json",
}
"""Commands that make further files of this kind."""
SHORTER = {
    r"--games \d+": "--games 20", r"^(gamesearch match .*)": r"\1 --games 2 --max-plies 20",
    r"--positions \d+": "--positions 50", r"--clock 10\+0.1": "--clock 2+0.01", r"--count \d+": "--count 2",
    r"--network \d+": "--network 4",
}  # fmt: skip
"""Smaller numbers for commands whose output is not shown."""
SLOW = re.compile(
    r"^gamesearch (learn|match|database|book|ratings|opponents|horizon|agree|lesson --to)\b"
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
NEGATIVE = re.compile(r"^gamesearch (check \S*(buggy|wrong)|lesson \S+\.md$)|--quiz|^echo ")
"""Commands whose exit code is 1: a difference was found, or the input ended before the game, the lesson or the quiz."""


class Command(NamedTuple):
    """A command line, and the lines that the page shows of its output."""

    line: str
    shown: list[str]
    before: list[str]
    """The earlier lines of the page that assign shell variables."""


def commands_of(page: str) -> list[Command]:
    """Return the commands of a page; commands after a prompt come with the shown lines of output."""
    commands: list[Command] = []
    before: list[str] = []
    for language, _, block in FENCE.findall(page):
        if language not in ("", "console", "sh"):
            continue
        is_shown = False
        for line in block.replace("\\\n", " ").splitlines():
            found = COMMAND.match(line)
            if found is not None:
                commands.append(Command(re.sub(r"\s+# .*", "", found[1]).strip(), [], [*before]))
                is_shown = line.startswith("$ ")
            elif is_shown and line.strip() and line != "...":
                commands[-1].shown.append(line)
            elif re.match(r"\s*\w+\+?=", line):
                before.append(line)
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


def save_samples(page: str, folder: Path) -> None:
    """Save the files that a page assumes the reader to have."""
    lesson = (
        (ROOT / "docs" / "how-to" / "write-a-lesson.md")
        .read_text(encoding="utf-8")
        .partition("## A complete example")[2]
    )
    block = re.match(r"(?:\n| {4}.*\n)+", lesson)
    assert block is not None
    for name, text in (SAMPLES | {"mine.md": textwrap.dedent(block[0])}).items():
        if name in page and name not in OUTPUT_FILE.findall(page):
            (folder / name).write_text(text, encoding="utf-8")
    if "mygame.py" in page:
        save_files((ROOT / "docs" / "tutorial" / "your-game.md").read_text(encoding="utf-8"), folder)
    shutil.copytree(ROOT / "docs" / "clients", folder / "docs" / "clients")


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


def run_in_process(
    command: Command, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> tuple[int, str, str]:
    """Run a command in this process. Returns the exit code, the output and the error output."""
    typed, _, line = command.line.rpartition(" | ")
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed.removeprefix("echo ") + "\n"))
    monkeypatch.setattr(Game, "worth_compiling", EVERYTHING or bool(COMPILED.match(line)))
    code = run(shlex.split(line)[1:])
    return code, *capsys.readouterr()


def run_by_shell(command: Command) -> tuple[int, str, str]:
    """Run a command and the lines before it by a shell."""
    done = subprocess.run(
        ["bash", "-c", "\n".join([*command.before, command.line])],
        env=os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"},
        capture_output=True, text=True, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


def run_and_compare(command: Command, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Run a command, and check that its output contains each line that the page shows."""
    line = command.line
    if not command.shown:
        for old, new in SHORTER.items():
            line = re.sub(old, new, line)
    command = command._replace(line=line)
    is_for_shell = SHELL.search(line.removeprefix("echo ").partition(" | ")[2] if line.startswith("echo") else line)
    code, output, errors = run_by_shell(command) if is_for_shell else run_in_process(command, capsys, monkeypatch)
    codes = (0, 1) if line.startswith("gamesearch play ") else (1,) if NEGATIVE.search(line) else (0,)
    assert code in codes, f"{line}\n{output}{errors}"
    printed = [words_of(each) for each in output.splitlines()]
    missing = [each for each in command.shown if words_of(each) not in printed]
    assert missing == [], f"{line} prints\n{output}"


def is_run(line: str) -> bool:
    """Whether this run of the tests runs a command."""
    if ONLY_PARSED.search(line):
        return False
    if EVERYTHING:
        return all(shutil.which(program) for program in PROGRAM.findall(line))
    is_for_shell = not line.startswith("echo ") and SHELL.search(line)
    return not (SLOW.search(line) or PROGRAM.search(line) or is_for_shell or line == "gamesearch play")


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
    save_samples(text, tmp_path)
    save_files(text, tmp_path)
    monkeypatch.chdir(tmp_path)
    missing_files = set(PREPARED).difference(OUTPUT_FILE.findall(text))
    for name in missing_files & set(re.findall(r"[\w.]+", text)) if EVERYTHING else ():
        run_by_shell(Command(f"gamesearch {PREPARED[name]}", [], []))
        assert (tmp_path / name).exists(), name
        missing_files.remove(name)
    for command in commands_of(text):
        if is_run(command.line) and not missing_files.intersection(re.findall(r"[\w.]+", command.line)):
            run_and_compare(command, capsys, monkeypatch)
        else:
            parse(command.line)
            missing_files.update(OUTPUT_FILE.findall(command.line))


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
