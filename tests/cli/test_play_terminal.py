"""`gamesearch play` as somebody at a terminal sees it: tmux is the terminal."""

import os
import shlex
import shutil
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")

PATIENCE = 40
"""Seconds until something that should appear counts as missing; nothing waits so long that goes well."""


class Terminal:
    """A shell in a window of 80 by 24, and what stands there."""

    def __init__(self, folder: Path) -> None:
        self.socket = f"gamesearch-{uuid.uuid4().hex[:12]}"
        settings = ("PS1=shell$ ", "LC_ALL=C.UTF-8", "INPUTRC=/dev/null", f"HOME={folder}", f"XDG_STATE_HOME={folder}")
        shell = shlex.join(["env", *settings, "sh"])
        self.tmux("-f", "/dev/null", "new-session", "-d", "-x", "80", "-y", "24", "-c", str(folder), shell)

    def tmux(self, *arguments: str) -> str:
        environment = {name: value for name, value in os.environ.items() if name != "TMUX"}
        words = ["tmux", "-L", self.socket, *arguments]
        done = subprocess.run(words, capture_output=True, text=True, check=True, timeout=PATIENCE, env=environment)
        return done.stdout

    def type(self, text: str) -> None:
        self.tmux("send-keys", "-l", text)
        self.tmux("send-keys", "Enter")

    def press(self, key: str) -> None:
        self.tmux("send-keys", key)

    def screen(self) -> str:
        return self.tmux("capture-pane", "-p")

    def wait_for(self, *texts: str) -> str:
        """The screen, once all of the texts stand there."""
        return self.wait_until(lambda screen: all(text in screen for text in texts), " and ".join(texts))

    def wait_until(self, is_right: Callable[[str], bool], wanted: str) -> str:
        """The screen, once it is right."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            screen = self.screen()
            if is_right(screen):
                return screen
            time.sleep(0.02)
        raise AssertionError(f"{wanted!r} does not appear in\n{self.screen()}")

    def clear(self) -> None:
        """Clear the screen of a shell that waits."""
        self.wait_until(lambda screen: screen.rstrip().endswith("shell$"), "a prompt of the shell")
        self.type("clear")
        self.wait_until(lambda screen: screen.strip() == "shell$", "a clear screen")

    def play(self, *arguments: str) -> None:
        self.clear()
        self.type(f"{shlex.join([sys.executable, '-m', 'gamesearch', 'play', *arguments])}; echo code=$?")

    def assert_sane(self) -> None:
        """The terminal echoes what is typed, a line at a time, and the cursor is there."""
        self.clear()
        self.type("stty -a | tr ' ;' '\\n\\n' | grep -cxE 'echo|icanon|isig'")
        self.wait_for("shell$ stty -a", "\n3\nshell$")
        assert self.tmux("display-message", "-p", "#{cursor_flag}").strip() == "1"


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    opened = Terminal(tmp_path)
    try:
        opened.wait_for("shell$")
        yield opened
    finally:
        opened.tmux("kill-server")


def test_a_match(terminal: Terminal) -> None:
    terminal.play("tictactoe", "--min", "alphabeta(depth=2)", "--speed", "interpreted")
    terminal.wait_for("X: human; O: alphabeta(depth=2)", "Type a move, or ? for the commands.", "move 1, X>")
    terminal.type("5")
    terminal.wait_for("1. X: 5", "2. O: 1", "value 0, line 1 2, 23 nodes, depth 2", "move 3, X>")
    terminal.type("?")
    terminal.wait_for("undo       take back", "quit       leave")
    terminal.type("undoo")
    terminal.wait_for("'undoo' is not a legal move here: did you mean undo?")
    terminal.type("undo")
    terminal.wait_for("move 1, X>")
    terminal.type("hint")
    terminal.wait_for("hint: 1")
    terminal.type("resign")
    terminal.wait_for("X resigned after 0 moves: O wins", "code=0")
    terminal.assert_sane()


def test_lines_can_be_edited_and_recalled(terminal: Terminal) -> None:
    pytest.importorskip("readline")
    terminal.play("tictactoe", "--min", "human")
    terminal.wait_for("move 1, X>")
    terminal.tmux("send-keys", "-l", "mov")
    terminal.press("Tab")
    terminal.wait_for("move 1, X> moves")
    terminal.press("Enter")
    terminal.wait_for("1 2 3 4 5 6 7 8 9")
    terminal.press("Up")
    terminal.wait_for("9\nmove 1, X> moves")
    terminal.press("C-u")
    terminal.type("quit")
    terminal.wait_for("code=1")
    terminal.assert_sane()


@pytest.mark.parametrize(("key", "code"), [("C-c", 130), ("C-d", 1)])
def test_leaving_at_the_prompt_saves_the_game(terminal: Terminal, key: str, code: int) -> None:
    terminal.play("tictactoe", "--min", "human")
    terminal.wait_for("move 1, X>")
    terminal.type("5")
    terminal.wait_for("move 2, O>")
    terminal.press(key)
    screen = terminal.wait_for("the game was stopped after 1 move", "saved to", f"code={code}")
    command = "".join(screen.partition("go on with: ")[2].partition("code=")[0].split("\n"))
    terminal.assert_sane()
    terminal.clear()
    terminal.type(command.replace("gamesearch", f"{shlex.quote(sys.executable)} -m gamesearch", 1))
    terminal.wait_for(" 4 [X]  6" if " 4 [X]" in screen else " 4  X  6", "move 2, O>")


def test_ctrl_c_while_the_computer_thinks(terminal: Terminal) -> None:
    endless = "alphabeta(depth=60)"
    terminal.play("chess", "--min", endless)
    terminal.wait_for("move 1, White>")
    terminal.type("e4")
    terminal.wait_for("thinking ... ", "Ctrl-C stops")
    terminal.press("C-c")
    terminal.wait_for("interrupted: taking the best move so far", "2. Black: ", "move 3, White>")
    terminal.press("C-c")
    terminal.wait_for("the game was stopped after 2 moves", "code=130")
    terminal.assert_sane()
    terminal.play("chess", "--players", f"{endless},{endless}")
    terminal.wait_for("thinking ... ", "Ctrl-C stops")
    terminal.press("C-c")
    terminal.wait_for("1. White: ", "Black to move", "thinking ... ")
    terminal.press("C-c")
    terminal.wait_for("the game was stopped after 1 move", "saved to", "code=130")
    terminal.assert_sane()


def test_a_board_in_colours_or_in_ascii(terminal: Terminal) -> None:
    terminal.play("chess", "--min", "human")
    terminal.wait_for("♜  ♞", "move 1, White>")
    terminal.type("flip")
    terminal.wait_for("h  g  f  e  d  c  b  a")
    terminal.type("quit")
    terminal.wait_for("code=1")
    terminal.play("chess", "--min", "human", "--ascii")
    assert terminal.wait_for("r  n  b  q  k  b  n  r", "move 1, White>").isascii()
    terminal.press("C-c")
    terminal.wait_for("code=130")


def test_into_a_pipe(terminal: Terminal) -> None:
    command = shlex.join([sys.executable, "-m", "gamesearch", "play", "tictactoe", "--min", "human"])
    terminal.clear()
    terminal.type(f"{command} | cat -A")
    terminal.wait_for(" 7  8  9", "move 1, X>")
    terminal.type("5")
    screen = terminal.wait_for("1. X: 5$", "move 2, O>")
    assert "^[" not in screen
    terminal.press("C-d")
    terminal.wait_for("the game was stopped after 1 move")
    terminal.assert_sane()
