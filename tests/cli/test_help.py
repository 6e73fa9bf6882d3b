"""The examples that --help and the descriptions of algorithms give work as they stand."""

import io
import re
import shlex
import sys
from pathlib import Path

import pytest
from commands import output

from gamesearch.algorithms.catalog import ALGORITHMS
from gamesearch.cli import COMMANDS, run


def examples(text: str) -> list[list[str]]:
    """The words of the commands in a text, after `gamesearch`."""
    return [shlex.split(line)[1:] for line in re.findall(r"^\s+(gamesearch .*)$", text, flags=re.MULTILINE)]


@pytest.mark.parametrize("command", sorted(set(COMMANDS) - {"watch"}))  # which needs a terminal
def test_the_examples_of_the_help_work(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    found = examples(output(capsys, command, "--help"))
    assert found
    for words in found:
        assert words[0] in (command, "analyze")
        monkeypatch.setattr(sys, "stdin", io.StringIO("resign\n"))
        assert run(words) == 0, words
        assert capsys.readouterr().out or list(tmp_path.iterdir())


def test_the_examples_of_watch_can_be_searched(capsys: pytest.CaptureFixture[str]) -> None:
    for words in examples(output(capsys, "watch", "--help")):
        is_quiz = words.index("--quiz") if "--quiz" in words else len(words)
        assert "value" in output(capsys, "analyze", *words[1:is_quiz])


@pytest.mark.parametrize("name", ALGORITHMS)
def test_the_examples_of_the_algorithms_work(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    (words,) = examples(output(capsys, "algorithms", name))
    options = ["--depth", "4"] if "depth" in output(capsys, "algorithms", name) else []
    assert run([*words, *options]) == 0, words
