"""Helpers for the tests of commands: run a command as a shell would."""

import functools
import io
import json
import shlex
from typing import Any, NamedTuple

import click
import pytest

from gamesearch.cli import group, run

__all__ = ["SLOW", "Cli", "Printed", "complaint", "output"]

SLOW = ("--speed", "interpreted")
"""Options that make a search run interpreted, so that a test need not compile anything."""


def output(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    """Return the output of a command."""
    assert run(arguments) == code
    return capsys.readouterr().out


def complaint(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Run a command that must fail, and return its error message, which must be one sentence."""
    assert run(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    return captured.err


@functools.cache
def has_speed(command: str) -> bool:
    """Whether a command has the option --speed."""
    found = group.get_command(click.Context(group), command)
    return found is not None and any("--speed" in each.opts for each in found.params)


class Printed(NamedTuple):
    """The text that a command printed to standard output and to standard error."""

    out: str
    err: str


class Cli:
    """Runs commands in this process, interpreted if they have no option --speed.

    A command is written as a line in a shell; `more` are further arguments, which may contain spaces.
    """

    def __init__(self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self.capsys, self.monkeypatch = capsys, monkeypatch

    def run(self, line: str, *more: object, code: int = 0, typed: str | bytes = "", stdin: object = None) -> Printed:
        """Run a command and check its exit code.

        The command reads `typed` as its standard input, unless `stdin` replaces it.
        """
        words = [*shlex.split(line), *map(str, more)]
        if "--speed" not in words and words and has_speed(words[0]):
            words += SLOW
        given = typed.encode() if isinstance(typed, str) else typed
        reading = stdin or io.TextIOWrapper(io.BytesIO(given), encoding="utf-8", errors="surrogateescape")
        self.monkeypatch.setattr("sys.stdin", reading)
        self.capsys.readouterr()
        found = run(words)
        printed = Printed(*self.capsys.readouterr())
        assert found == code, (words, printed)
        return printed

    def output(self, line: str, *more: object, code: int = 0, typed: str | bytes = "") -> str:
        """Return the standard output of a command."""
        return self.run(line, *more, code=code, typed=typed).out

    def data(self, line: str, *more: object, code: int = 0, typed: str | bytes = "") -> Any:
        """Run a command with --json and return the printed data."""
        return json.loads(self.output(line, *more, "--json", code=code, typed=typed))

    def refusal(self, line: str, *more: object, typed: str | bytes = "") -> str:
        """Run a command that must be refused, and return its message: one line, without any other output."""
        printed = self.run(line, *more, code=2, typed=typed)
        assert printed.out == ""
        assert printed.err.count("\n") == 1
        return printed.err
