"""The screens of `gamesearch watch` at a terminal, and the state of the terminal after the program has ended."""

import pytest
from recordings import TWO_PLY
from terminal import Terminal

pytest.importorskip("textual")

BROKEN = """
import sys
from gamesearch.cli import run
from gamesearch.tui.watch_screen import TreePane
render = TreePane.render
TreePane.render = lambda self: render(self) if self.app.stepper.at < 2 else 1 / 0
sys.exit(run(sys.argv[1:]))
"""
"""`gamesearch watch` with a fault that makes its screen fail at the third event."""


def test_a_crash(terminal: Terminal) -> None:
    terminal.run("watch", TWO_PLY, program=("-c", BROKEN))
    terminal.wait_for("event 1 of 32")
    terminal.press("n", "n")
    screen = terminal.wait_for("gamesearch: ZeroDivisionError in", "code=2")
    assert "Traceback" not in screen
    terminal.assert_sane()
