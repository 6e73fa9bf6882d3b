"""What the tests of the commands share: calling one as the shell does."""

from collections.abc import Callable

import pytest

from gamesearch.cli import run

__all__ = ["SLOW", "Play", "complaint", "output"]

Play = Callable[..., tuple[int, str, str]]
"""Runs `gamesearch play`, with `typed` at its standard input: the exit code, standard output and standard error."""
SLOW = ("--speed", "interpreted")
"""Nothing has to be compiled for a test."""


def output(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    """What a command prints."""
    assert run(arguments) == code
    return capsys.readouterr().out


def complaint(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one sentence with which a command is refused."""
    assert run(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    return captured.err
