"""A terminal for tests of the interactive screens, emulated by tmux."""

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
"""If an expected text does not appear within this many seconds, the test fails."""


class Terminal:
    """A shell in a window of 80 by 24, and the text on it."""

    def __init__(self, folder: Path) -> None:
        self.socket = f"gamesearch-{uuid.uuid4().hex[:12]}"
        settings = ("PS1=shell$ ", "TERM=xterm-256color", "LC_ALL=C.UTF-8", "INPUTRC=/dev/null")
        homes = (f"HOME={folder}", f"XDG_STATE_HOME={folder}")
        programs = f"PATH={os.pathsep.join([str(Path(sys.executable).parent), os.environ['PATH']])}"
        # With COLUMNS and LINES in its environment, a program would not notice a new size of the window.
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
        """Return the screen as soon as it contains all of the texts."""
        return self.wait_until(lambda screen: all(text in screen for text in texts), " and ".join(texts))

    def wait_until(self, is_right: Callable[[str], bool], wanted: str) -> str:
        """Return the screen as soon as it fulfills a condition."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            screen = self.screen()
            if is_right(screen):
                return screen
            time.sleep(0.02)
        raise AssertionError(f"{wanted!r} does not appear in\n{self.screen()}")

    def start(self, command: str) -> None:
        """Type a command on a clear screen, as soon as the shell waits."""
        self.wait_until(lambda screen: screen.rstrip().endswith("shell$"), "a prompt of the shell")
        self.type("clear")
        self.wait_until(lambda screen: screen.strip() == "shell$", "a clear screen")
        self.type(command)

    def run(self, *arguments: str, program: tuple[str, ...] = ("-m", "gamesearch")) -> None:
        """Start gamesearch, or another program, and print its exit code when it ends."""
        self.start(f"{shlex.join([sys.executable, *program, *arguments])}; echo code=$?")

    def assert_sane(self) -> None:
        """Check that the terminal echoes lines, the cursor and the normal screen are back, and the mouse is off."""
        self.start("stty -a | tr ' ;' '\\n\\n' | grep -cxE 'echo|icanon|isig|icrnl|opost'")
        self.wait_for("shell$ stty -a", "\n5\nshell$")
        flags = "#{cursor_flag} #{alternate_on} #{mouse_any_flag} #{keypad_flag}"
        assert self.tmux("display-message", "-p", flags).split() == ["1", "0", "0", "0"]

    def close(self) -> None:
        self.tmux("kill-server")
