"""Messages on standard error."""

import errno
import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from pathlib import Path
from typing import Any

import pytest
from commands import SLOW, Cli
from countdown import write_game
from terminal import Terminal

from gamesearch.cli import describe_unexpected
from gamesearch.game import Game


@pytest.mark.parametrize(("columns", "longest"), [(50, 50), (0, 20)])
def test_on_a_terminal(columns: int, longest: int) -> None:
    main, end = pty.openpty()
    fcntl.ioctl(end, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    command = [sys.executable, "-m", "gamesearch", "analyze", "tictactoe", "--algorithm", "maxn(depth=2)"]
    finished = subprocess.run(command, stderr=end, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, check=False)
    os.close(end)
    said = os.read(main, 10_000).decode().replace("\r", "")
    os.close(main)
    assert (finished.returncode, finished.stdout) == (2, b"")
    lines = said.splitlines()
    assert len(lines) > 1
    assert all(len(line) <= longest for line in lines)
    assert " ".join(lines) == (
        "gamesearch: maxn needs a payoff for each player, but tictactoe has only a payoff for Max: use minimax"
    )


def test_a_message_says_that_uncompilable_rules_run_interpreted(
    tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_game(tmp_path, "countdown.py", ("return s.left == 0", "return s.left in {0: True, None: 1}"))
    said = "cannot be compiled, so they run interpreted, which is much slower"
    for options, count in ((["--verbose", "--speed", "auto"], 0), (["--speed", "auto"], 1), (SLOW, 0)):
        assert cli.run("analyze", path, *options).err.count(said) == count
    monkeypatch.setattr(Game, "worth_compiling", False)
    monkeypatch.setattr("gamesearch.cli.progress.why_interpreted", lambda _: "a reason")
    one, players = ("--algorithms", "minimax"), ("--players", "minimax(depth=1),random")
    for command, more in (("solve", ()), ("bench", one), ("compare", one), ("play", players)):
        assert cli.run(command, "nim", "1,2", "--speed", "auto", *more).err.count(said) == 1, command


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    opened, unlink = Path.open, Path.unlink

    def read_only(path: Path, mode: str = "r", *arguments: Any, **options: Any) -> Any:
        if path.parent != tmp_path or mode[0] == "r":
            return opened(path, mode, *arguments, **options)
        raise OSError(errno.EROFS, "Read-only file system", str(path))

    def remove(path: Path, missing_ok: bool = False) -> None:
        if path.parent == tmp_path:  # on a read-only file system, removing a file that does not exist also fails
            raise OSError(errno.EROFS, "Read-only file system", str(path))
        unlink(path, missing_ok)

    monkeypatch.setattr(Path, "open", read_only)
    monkeypatch.setattr(Path, "unlink", remove)
    for command in ("learn pig(target=20) --games 20 --to", "book tictactoe --plies 1 --to", "solve nim --strategy"):
        said = cli.run(command, tmp_path / "w.json", code=2).err.splitlines()[-1]
        assert "w.json" in said
        assert "cannot be" in said
        assert said.endswith("written: read-only file system")


def test_unexpected_failures_are_named(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: object, **options: object) -> None:
        raise OSError(errno.EIO, "Input/output error", "some/file.json")

    monkeypatch.setattr("gamesearch.cli.group.main", refuse)
    assert "some/file.json cannot be read or written: input/output error" in cli.refusal("games")


def test_unsuitable_files_and_options_are_refused_with_advice(
    tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert "--compare' requires 2 arguments (see gamesearch learn --help)" in cli.refusal(
        "learn pig --speed auto --compare a.json"
    )
    Path("file.json").write_text("{}")
    for command in ("analyze nim -a alphabeta(database=file.json)", "database nim 3,4,5 --to file.json --verify"):
        said = cli.refusal(command)
        assert "file.json is a file, but a database is a folder: build it with `gamesearch database nim`" in said
    cli.run("play nim --max random --min random --save saved.json")
    said = cli.refusal("play saved.json 3,4")
    assert "saved.json is a saved game, which has its own position: leave out 3,4" in said
    assert "saved.json is a saved game, which has its own position" in cli.refusal("analyze saved.json 3,4")
    assert "the game is over at the end of saved.json" in cli.refusal("play saved.json")
    assert "the game is over at the end of saved.json" in cli.refusal("bench saved.json")
    assert "did you mean gamesearch play saved.json?" in cli.refusal("saved.json")
    Path("tree.txt").write_text("[[1, 2], 3]")
    assert "write: tree tree.txt" in cli.refusal("analyze tree.txt")
    Path("bytes.py").write_bytes(b"\xff\xfe")
    assert "bytes.py is not a Python file: it is not text" in cli.refusal("analyze bytes.py")
    Path("bytes.py").write_bytes("# für Max".encode("latin-1"))
    assert "it is not text in UTF-8: save it as UTF-8" in cli.refusal("analyze bytes.py")

    def deny(path: Path, *arguments: object, **options: object) -> str:
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    Path("mine.py").write_text("")
    monkeypatch.setattr("gamesearch.files.whole.read_regular", deny)
    assert cli.refusal("analyze mine.py").endswith("mine.py cannot be read: permission denied\n")


def test_an_unexpected_error_is_reported_with_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    assert describe_unexpected(KeyError()) == "KeyError"
    assert describe_unexpected(KeyError("no", "frame")) == "KeyError: ('no', 'frame')"
    monkeypatch.setattr(sys, "tracebacklimit", 0, raising=False)
    try:
        [].pop()
    except IndexError as error:
        said = describe_unexpected(error)
    place = r"test_an_unexpected_error_is_reported_with_its_place \(test_messages\.py, line \d+\)"
    assert re.fullmatch(f"IndexError in {place}: pop from empty list", said)


def test_code_of_a_file_cannot_end_the_program(tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_game(tmp_path, "game.py", ("return s.left == 0", "return s.left == 0 or exit()"))
    (line,) = [i for i, text in enumerate(Path("game.py").read_text().splitlines(), 1) if "exit()" in text]
    for command in ("analyze ./game.py", "solve ./game.py", "play ./game.py", "match ./game.py random random"):
        assert f"game.py, line {line}, ends the program: remove exit()" in cli.refusal(command)
    Path("mine.py").write_text("def minimax(game, s):\n    exit()\n")
    assert "mine.py, line 2, ends the program" in cli.output("check ./mine.py", code=1)
    command = "play tictactoe --max human --min ./mine.py"
    assert "mine.py, line 2, ends the program" in cli.run(command, typed="1\n", code=2).err


# Standard output or standard error cannot be written. -----------------------------------------------


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only some systems have such a device")
def test_streams_that_cannot_be_written() -> None:
    """If standard error cannot be written, the standard output stays the same.

    If standard output cannot be written, an error message says so.
    """

    def start_game(redirection: str) -> subprocess.Popen[str]:
        command = (
            f"{sys.executable} -m gamesearch play tictactoe --players 'random(seed=1),random(seed=2)' {redirection}"
        )
        pipe = subprocess.PIPE
        return subprocess.Popen(["sh", "-c", command], stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe, text=True)

    codes = {"": 0, "2>/dev/full": 0, "2>&-": 0, ">/dev/full": 2, ">&-": 2, ">/dev/full 2>/dev/full": 2}
    processes = {each: start_game(each) for each in codes}
    said = {each: process.communicate(timeout=60) for each, process in processes.items()}
    assert {each: process.returncode for each, process in processes.items()} == codes
    assert said["2>/dev/full"][0] == said["2>&-"][0] == said[""][0]
    assert "standard output is closed" in said[">&-"][1]
    assert "gamesearch: standard output cannot be written: no space left on device" in said[">/dev/full"][1]
    assert "Exception ignored" not in "".join(errors for _, errors in said.values())


def test_an_error_in_the_rules_is_reported_with_the_state(tmp_path: Path, cli: Cli) -> None:
    path = write_game(tmp_path, "countdown.py", ("return s.left == 0", "return s.left == 0 or 1 // (s.left - 1) < 0"))
    said = cli.refusal("solve", path)
    assert re.search(r"ZeroDivisionError in terminal \(countdown.py, line \d+\): .*, in the state .*left=1,", said)


PRINTING = """
print("loaded")
from gamesearch.games.connecting.tictactoe import TicTacToe


class Own(TicTacToe):
    def moves(self, s):
        print("asked")
        yield from super().moves(s)
"""


def test_output_of_a_users_file_goes_to_standard_error(tmp_path: Path, cli: Cli) -> None:
    (tmp_path / "own.py").write_text(PRINTING)
    out, err = cli.run("analyze", tmp_path / "own.py", "XX./OO./...", "--depth", 1, "--json")
    assert json.loads(out)["best"] == "3"
    assert {"loaded", "asked"} <= set(err.splitlines())


def test_a_message_does_not_share_a_line_with_the_progress(terminal: Terminal) -> None:
    terminal.run("database", "tictactoe", "9", "--to", "built", "--speed", "interpreted")
    lines = terminal.wait_for("code=0").splitlines()
    messages = [line for line in lines if "solved in" in line]
    assert len(messages) == 10
    assert all(line.startswith("layer ") for line in messages)
