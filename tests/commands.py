"""Helpers for the tests of commands: call a command as the shell does."""

from collections.abc import Callable

import pytest

from gamesearch.cli import run

__all__ = ["SLOW", "Play", "complaint", "output"]

Play = Callable[..., tuple[int, str, str]]
"""Runs `gamesearch play` with `typed` as standard input; returns the exit code, standard output and standard error."""
SLOW = ("--speed", "interpreted")
"""Options that run a search interpreted, so that a test need not compile anything."""


def output(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    """Return the output of a command."""
    assert run(arguments) == code
    return capsys.readouterr().out


def complaint(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Return the single-sentence error message of a command that fails."""
    assert run(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    return captured.err
