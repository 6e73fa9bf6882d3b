"""If the terminal is closed or a signal arrives, the program ends immediately and saves every move of the game."""

import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import pytest
from choices import choose

if sys.platform == "win32":
    pytest.skip("Windows lacks pseudo-terminals", allow_module_level=True)

import signal

from pseudo_terminal import Program
from recordings import TWO_PLY

pytest.importorskip("textual")

SOON = 5.0
"""Seconds within which a program must end; an idle machine needs a hundredth of this time."""
CLOSED = None
ENDINGS = {CLOSED: 129, signal.SIGTERM: 143, signal.SIGQUIT: 131, signal.SIGINT: 130, signal.SIGKILL: 137}
FEW = choose((signal.SIGTERM, CLOSED), tuple(ENDINGS))
"""The ends that are tested in a second mode of a program."""
NEVER_ENDS = ("--min", "alphabeta(depth=60)", "--speed", "interpreted")


@contextlib.contextmanager
def close_at_end(*programs: Program) -> Iterator[None]:
    try:
        yield
    finally:
        for each in programs:
            each.close()


def saved_moves(folder: Path) -> list[list[str]]:
    """Return the moves of each unfinished game that was saved, ordered by the dates of the files."""
    files = sorted((folder / "gamesearch" / "games").glob("[!.]*.json"), key=lambda path: path.stat().st_mtime)
    return [json.loads(file.read_text())["moves"] for file in files]


def assert_restored(program: Program, is_full_screen: bool) -> None:
    """Check that the terminal has its original modes, shows the cursor, and has left the alternate screen."""
    assert program.echoes()
    program.wait_for("\x1b[?1049l" if is_full_screen else "\x1b[?2004l")
    program.wait_for("\x1b[?25h")


@pytest.mark.parametrize(("options", "ways"), [((), ENDINGS), (("--plain",), FEW)], ids=["full screen", "plain"])
def test_every_kind_of_end_keeps_the_game_and_restores_the_terminal(
    tmp_path: Path, options: tuple[str, ...], ways: Collection[signal.Signals | None]
) -> None:
    folders = {how: tmp_path / str(number) for number, how in enumerate(ways)}
    programs = {how: Program(folders[how], "play", "tictactoe", "--min", "human", *options) for how in ways}
    with close_at_end(*programs.values()):
        for how, program in programs.items():
            program.wait_for("X>")
            program.type("5\r")
            program.wait_for("O>")
            program.type("1\r")
            program.wait_for("X>")
            program.type("mov")  # an unfinished line
            program.wait_for("mov")
            program.kill(how)
            code = program.exit_code(SOON)
            assert code == ENDINGS[how] or (how is CLOSED and code == 1), "the end of the input may come before SIGHUP"
            assert saved_moves(folders[how]) == [["5", "1"]]
            if how not in (CLOSED, signal.SIGKILL):
                program.wait_for("play")  # the command that continues the game
                assert program.echoes()


@pytest.mark.parametrize(("how", "options"), [(signal.SIGQUIT, ()), (CLOSED, ("--plain",))])
def test_every_kind_of_end_while_the_computer_thinks(
    tmp_path: Path, options: tuple[str, ...], how: signal.Signals | None
) -> None:
    program = Program(tmp_path, "play", "connect4", *NEVER_ENDS, *options)
    with close_at_end(program):
        program.wait_for("X>")
        program.type("4\r")
        program.wait_for("thinking ... " if options else "next turn")
        program.kill(how)
        assert program.exit_code(SOON) == ENDINGS[how]
        assert saved_moves(tmp_path) == [["4"]]
        if how is not CLOSED:
            assert_restored(program, not options)


def test_a_signal_during_compilation_ends_the_program(tmp_path: Path) -> None:
    program = Program(tmp_path, "play", "tictactoe", "--min", "alphabeta", GAMESEARCH_CACHE_MB="0")
    with close_at_end(program):
        program.wait_for("X>")
        program.type("5\r")
        program.wait_for("compiling")
        program.read(0.5)
        program.kill(signal.SIGTERM)
        assert program.exit_code(SOON) == 143
        assert saved_moves(tmp_path) == [["5"]]
        assert_restored(program, is_full_screen=True)


@pytest.mark.parametrize("options", [(), ("--quiz", "--seed", "7")], ids=["steps", "quiz"])
def test_watch(tmp_path: Path, options: tuple[str, ...]) -> None:
    programs = {how: Program(tmp_path, "watch", TWO_PLY, *options) for how in FEW}
    with close_at_end(*programs.values()):
        for how, program in programs.items():
            program.wait_for("Max")
            program.kill(how)
            assert program.exit_code(SOON) == ENDINGS[how]
            if how is not CLOSED:
                assert_restored(program, is_full_screen=True)


@pytest.mark.parametrize(
    ("arguments", "shown", "leave"),
    [
        (("watch", TWO_PLY), "Max", "q"),
        (("lesson", "minimax"), "Textbooks draw", "\x03"),
        (("play", "tictactoe"), "X>", "\x03"),
    ],
    ids=["watch", "lesson", "play"],
)
def test_a_stopped_program_draws_its_whole_screen_again(
    tmp_path: Path, arguments: tuple[str, ...], shown: str, leave: str
) -> None:
    """The screen is drawn again after `kill -STOP` and `fg`, and after Ctrl-L. The terminal is restored at the end."""
    program = Program(tmp_path, *arguments)
    with close_at_end(program):
        program.wait_for(shown)
        for stop in (signal.SIGSTOP, signal.SIGTSTP, None):
            program.read(0.5)
            if stop is None:
                program.type("\x0c")
            else:
                program.stop(stop)
                program.kill(signal.SIGCONT)
            program.wait_for("\x1b[?1049h")
            program.wait_for(shown)
            assert not program.echoes()
        program.type(leave)
        program.exit_code()
        assert_restored(program, is_full_screen=True)


def test_a_terminal_that_goes_without_a_signal(tmp_path: Path) -> None:
    """A program that was started with SIGHUP ignored still ends when its terminal is closed."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        programs = [
            Program(tmp_path / str(number), "play", "connect4", *NEVER_ENDS, *options)
            for number, options in enumerate(((), ("--plain",)))
        ]
    finally:
        signal.signal(signal.SIGHUP, before)
    with close_at_end(*programs):
        for number, (program, thinking) in enumerate(zip(programs, ("next turn", "thinking ... "), strict=True)):
            program.wait_for("X>")
            program.type("4\r")
            program.wait_for(thinking)
            program.kill(CLOSED)
            program.exit_code(SOON)
            assert saved_moves(tmp_path / str(number)) == [["4"]]


def test_no_half_written_trace_stays(tmp_path: Path) -> None:
    """A stopped process removes the file it was writing; after SIGKILL, the next process removes this file.

    The process has no terminal.
    """
    command = [sys.executable, "-m", "gamesearch", "analyze", "connect4", "--trace", str(tmp_path / "search.trace")]
    quiet: dict[str, Any] = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    for how in (signal.SIGTERM, signal.SIGHUP, signal.SIGKILL):
        process = subprocess.Popen([*command, "--algorithm", "minimax(depth=30)"], **quiet)
        unfinished = tmp_path / f".search.trace.{process.pid}.unfinished"
        while not unfinished.exists() and process.poll() is None:
            time.sleep(0.02)
        process.send_signal(how)
        is_killed = how is signal.SIGKILL
        try:
            assert process.wait(SOON) == (-how if is_killed else 128 + how)
        finally:
            process.kill()
        assert list(tmp_path.iterdir()) == ([unfinished] if is_killed else [])
    other = tmp_path / f".search.trace.{os.getpid()}.unfinished"  # belongs to a process that still runs
    other.touch()
    subprocess.run([*command, "--algorithm", "minimax(depth=1)"], check=True, **quiet)
    assert set(tmp_path.iterdir()) == {tmp_path / "search.trace", other}
