"""`gamesearch watch` as somebody at a terminal sees it: tmux is the terminal, and is left as it was."""

import os
import shlex
import shutil
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from stepping_support import TWO_PLY

pytest.importorskip("textual")
pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")

PATIENCE = 40
"""Seconds until something that should appear counts as missing; nothing waits so long that goes well."""
BROKEN = """
import sys
from gamesearch.cli import run
from gamesearch.tracing.screen import TreePane
render = TreePane.render
TreePane.render = lambda self: render(self) if self.app.stepper.at < 2 else 1 / 0
sys.exit(run(sys.argv[1:]))
"""
"""A program whose screen fails at the third event."""


class Terminal:
    """A shell in a window of 80 by 24, and what stands there."""

    def __init__(self, folder: Path) -> None:
        self.socket = f"gamesearch-{uuid.uuid4().hex[:12]}"
        settings = ("PS1=shell$ ", "LC_ALL=C.UTF-8", f"HOME={folder}", "TERM=xterm-256color")
        shell = shlex.join(["env", "-u", "COLUMNS", "-u", "LINES", *settings, "sh"])  # else no size would change
        self.tmux("-f", "/dev/null", "new-session", "-d", "-x", "80", "-y", "24", "-c", str(folder), shell)

    def tmux(self, *arguments: str) -> str:
        environment = {name: value for name, value in os.environ.items() if name != "TMUX"}
        words = ["tmux", "-L", self.socket, *arguments]
        done = subprocess.run(words, capture_output=True, text=True, check=True, timeout=PATIENCE, env=environment)
        return done.stdout

    def type(self, text: str) -> None:
        self.tmux("send-keys", "-l", text)
        self.tmux("send-keys", "Enter")

    def run(self, *arguments: str, program: tuple[str, ...] = ("-m", "gamesearch")) -> None:
        self.type(f"clear; {shlex.join([sys.executable, *program, 'watch', *arguments])}; echo code=$?")

    def press(self, *keys: str) -> None:
        self.tmux("send-keys", *keys)

    def wait_for(self, *texts: str) -> str:
        """The screen, once all of the texts stand there."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            screen = self.tmux("capture-pane", "-p")
            if all(text in screen for text in texts):
                return screen
            time.sleep(0.02)
        raise AssertionError(f"{texts} do not appear in\n{screen}")

    def assert_sane(self) -> None:
        """The terminal echoes what is typed, a line at a time; cursor and ordinary screen are there, mouse is not."""
        self.type("clear; stty -a | tr ' ;' '\\n\\n' | grep -cxE 'echo|icanon|isig|icrnl|opost'")
        self.wait_for("5\nshell$")
        flags = "#{cursor_flag} #{alternate_on} #{mouse_any_flag} #{keypad_flag}"
        assert self.tmux("display-message", "-p", flags).split() == ["1", "0", "0", "0"]


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    opened = Terminal(tmp_path)
    try:
        opened.wait_for("shell$")
        yield opened
    finally:
        opened.tmux("kill-server")


def test_stepping_and_resizing(terminal: Terminal) -> None:
    terminal.run(TWO_PLY)
    terminal.wait_for("event 0 of 31", "> 0: Max [-inf, +inf]", "? help")
    terminal.press("c")
    terminal.wait_for("> └ 5: b Min [3, 2] 2 so far ✗ b, c", "2 moves cut (b, c): Min already has 2 here")
    terminal.tmux("resize-window", "-x", "60", "-y", "14")
    terminal.wait_for("> └ 5: b Min [3, 2]", "elsewhere (a at node 0)")
    terminal.press("Right")
    terminal.wait_for("event 17 of 31")
    terminal.press("q")
    terminal.wait_for("code=0")
    terminal.assert_sane()


def test_the_quiz(terminal: Terminal) -> None:
    terminal.run(TWO_PLY, "--quiz", "--seed", "7", "--questions", "1", "--ascii")
    terminal.wait_for("1 of 1: Node ", "your answer")
    terminal.press("7", "7", "Enter")
    assert terminal.wait_for("Wrong, ", "0 of 1 right").isascii()
    terminal.press("Enter")
    terminal.wait_for("0 of 1 right (--seed 7 asks the same again)", "code=0")
    terminal.assert_sane()


def test_ctrl_c(terminal: Terminal) -> None:
    terminal.run(TWO_PLY)
    terminal.wait_for("event 0 of 31")
    terminal.press("C-c")
    terminal.wait_for("code=130")
    terminal.assert_sane()
    terminal.run(TWO_PLY, "--quiz", "--seed", "7")
    terminal.wait_for("1 of 10: Node ")
    terminal.press("C-c")
    terminal.wait_for("0 of 0 right, 10 not answered", "code=130")
    terminal.assert_sane()


def test_being_ended_from_outside(terminal: Terminal) -> None:
    terminal.run(TWO_PLY)
    terminal.wait_for("event 0 of 31")
    shell = terminal.tmux("display-message", "-p", "#{pane_pid}").strip()
    subprocess.run(["pkill", "-TERM", "-P", shell], check=True)
    terminal.wait_for("code=143")
    terminal.assert_sane()


def test_a_crash(terminal: Terminal) -> None:
    terminal.run(TWO_PLY, program=("-c", BROKEN))
    terminal.wait_for("event 0 of 31")
    terminal.press("n", "n")
    screen = terminal.wait_for("gamesearch: ZeroDivisionError in", "code=2")
    assert "Traceback" not in screen
    terminal.assert_sane()


def test_into_a_pipe(terminal: Terminal) -> None:
    command = shlex.join([sys.executable, "-m", "gamesearch", "watch", TWO_PLY])
    terminal.type(f"clear; {command} | tail -n 2 | cat -A")
    screen = terminal.wait_for("0: Max backs up 3, with a.$", "The search is over: the value is 3")
    assert "^[" not in screen
    terminal.assert_sane()
