"""A terminal, emulated by tmux, for tests of the interactive screens."""

import os
import shlex
import subprocess
import sys
import time
import uuid
from collections.abc import Callable
from pathlib import Path

__all__ = ["Terminal"]

PATIENCE = 40
"""Seconds to wait for an expected text; after this time, the test fails."""


class Terminal:
    """A shell in a window of 80 columns and 24 rows, and the text in the window."""

    def __init__(self, folder: Path) -> None:
        self.socket = f"gamesearch-{uuid.uuid4().hex[:12]}"
        settings = ("PS1=shell$ ", "TERM=xterm-256color", "LC_ALL=C.UTF-8", "INPUTRC=/dev/null")
        homes = (f"HOME={folder}", f"XDG_STATE_HOME={folder}")
        programs = f"PATH={os.pathsep.join([str(Path(sys.executable).parent), os.environ['PATH']])}"
        # If COLUMNS and LINES were in its environment, a program would not notice that the window changes its size.
        shell = shlex.join(["env", "-u", "COLUMNS", "-u", "LINES", *settings, *homes, programs, "sh"])
        self.tmux("-f", "/dev/null", "new-session", "-d", "-x", "80", "-y", "24", "-c", str(folder), shell)

    def tmux(self, *arguments: str) -> str:
        environment = {name: value for name, value in os.environ.items() if name != "TMUX"}
        words = ["tmux", "-L", self.socket, *arguments]
        done = subprocess.run(words, capture_output=True, text=True, check=True, timeout=PATIENCE, env=environment)
        return done.stdout

    def type(self, text: str) -> None:
        self.tmux("send-keys", "-l", text)
        self.tmux("send-keys", "Enter")

    def press(self, *keys: str) -> None:
        self.tmux("send-keys", *keys)

    def screen(self) -> str:
        return self.tmux("capture-pane", "-p")

    def wait_for(self, *texts: str) -> str:
        """Wait until the screen contains all of the texts, and return the screen."""
        return self.wait_until(lambda screen: all(text in screen for text in texts), " and ".join(texts))

    def wait_until(self, is_right: Callable[[str], bool], wanted: str) -> str:
        """Wait until the screen fulfills a condition, and return the screen."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            screen = self.screen()
            if is_right(screen):
                return screen
            time.sleep(0.02)
        raise AssertionError(f"{wanted!r} does not appear in\n{self.screen()}")

    def start(self, command: str) -> None:
        """Clear the screen, and type a command when the shell is ready."""
        self.wait_until(lambda screen: screen.rstrip().endswith("shell$"), "a prompt of the shell")
        self.type("clear")
        self.wait_until(lambda screen: screen.strip() == "shell$", "a clear screen")
        self.type(command)

    def run(self, *arguments: str, program: tuple[str, ...] = ("-m", "gamesearch")) -> None:
        """Start a program, by default gamesearch, and print its exit code when it ends."""
        self.start(f"{shlex.join([sys.executable, *program, *arguments])}; echo code=$?")

    def assert_sane(self) -> None:
        """Check that echo, the cursor and the normal screen are restored, and that the mouse is off."""
        self.start("stty -a | tr ' ;' '\\n\\n' | grep -cxE 'echo|icanon|isig|icrnl|opost'")
        self.wait_for("shell$ stty -a", "\n5\nshell$")
        flags = "#{cursor_flag} #{alternate_on} #{mouse_any_flag} #{keypad_flag}"
        assert self.tmux("display-message", "-p", flags).split() == ["1", "0", "0", "0"]

    def close(self) -> None:
        self.tmux("kill-server")
