"""All example commands in --help and in the descriptions of algorithms work."""

import inspect
import os
import re
import shlex
from pathlib import Path

import click
import pytest
from choices import EVERYTHING
from commands import Cli
from test_shown_commands import parse

from gamesearch.algorithms.catalog import all_algorithms
from gamesearch.cli import COMMANDS, group
from gamesearch.cli import help as help_pages
from gamesearch.cli.help import Command


def examples(text: str) -> list[list[str]]:
    """Return each command in a text as a list of words, without the word `gamesearch`."""
    return [shlex.split(line)[1:] for line in re.findall(r"^\s+(gamesearch .*)$", text, flags=re.MULTILINE)]


ELSEWHERE = [
    ["bench", "othello", "--probcut", "--depth", "8"],
    ["bench", "tictactoe", "-a", "minimax,alphabeta,alphabeta(table=true)"],
    ["horizon"],
    ["solve", "connect4(rows=4, columns=5)"],
    ["solve", "chess", "8/8/8/3k4/8/8/8/KQ6 w - - 0 1"],
    ["solve", "checkers(size=4)", "W:W4,5:B1,6", "--database", "endings"],
    ["book", "connect4(rows=4,columns=5)", "--to", "small.json", "--plies", "4", "--exact"],
    ["play", "connect4(rows=4,columns=5)", "--min", "pvs(book=small.json)"],
    ["lesson", "./mine.md"],
    ["lesson", "alpha-beta", "--to", "alpha-beta.html"],
    ["database", "chess", "KRK", "--to", "endings/chess"],
    ["database", "chess", "KRK", "--to", "endings/chess", "--verify"],
]
"""Examples that other tests run."""
LONG = re.compile(
    r"lesson --to|bench (connect4 --ev|chess --parts|random_tree)|perft tic|book tic|games --sizes|learn .*20$"
    r"|match .*(--sprt|--depths)|compare .*(connect4|--transform|--dice|--playouts)"
)
"""Matches examples that run only with GAMESEARCH_TEST_ALL=1, because other tests run similar commands."""


def quicker(words: list[str]) -> list[str]:
    """Return the command to run for an example, with small limits."""
    fewer = {"--depth": "2", "--games": "20", "--nodes": "1000", "--positions": "20", "--time": "0.1"}
    fewer |= {"--playouts": "50", "--shuffle": "3"} | ({"--games": "4"} if words[0] == "match" else {})
    shallow = [fewer.get(before, word) for before, word in zip(["", *words], words, strict=False)]
    return [*shallow, *{"opponents": ("--depth", "4"), "agree": ("--positions", "20")}.get(words[0], ())]


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("command", sorted(set(COMMANDS) - {"watch", "check", "suite"}))  # need a terminal or files
def test_the_examples_of_the_help_work(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cli: Cli) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    found = examples(cli.output(command, "--help-all"))
    assert found
    for words in found:
        if words in ELSEWHERE or (LONG.match(" ".join(words)) and not EVERYTHING):
            parse(shlex.join(["gamesearch", *words]))
            continue
        assert words[0] in (command, "analyze", "match")
        typed = {"uci": "uci\n", "lesson": "quit\n"}.get(command, "resign\n")
        assert cli.output(shlex.join(quicker(words)), typed=typed) or list(tmp_path.iterdir())


def test_the_help_begins_with_examples_and_fits_one_screen(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    for command in COMMANDS:
        text = cli.output(command, "--help")
        paragraphs = text.split("\n\n")
        assert paragraphs[2].startswith("Examples:\n  gamesearch "), command
        assert f" gamesearch {command}" in paragraphs[2]
        assert max(map(len, text.splitlines())) <= 80, command
        assert len(text.splitlines()) <= 40, command
        with monkeypatch.context() as context:
            context.setattr(help_pages, "terminal_size", lambda _: os.terminal_size((80, 24)))
            low = cli.output(command, "--help")
        assert len(low.splitlines()) <= 22, command
        assert "\nOptions:\n  " in low, command
        complete = cli.output(command, "--help-all")
        assert "[default:\n" not in complete
        every = re.findall(r"^  (?:-\w, )?(--[a-z-]+)", complete, re.MULTILINE)
        assert "--help" in every
        assert all(option in text for option in every), f"{command}: no option is left out"
        found = group.get_command(click.Context(group), command)
        assert isinstance(found, Command)
        assert max(len(f"  {example}") for example in found.examples) <= 80, command
        names = {name for each in found.params for name in each.opts}
        assert set(found.old_names.values()) <= names, f"{command}: new names of options exist"
        assert not names & set(found.old_names), command


def test_help_is_also_a_command(cli: Cli) -> None:
    assert cli.output("help") == cli.output("--help")
    assert cli.output("help play") == cli.output("play --help")


def test_an_old_name_of_an_option_works_with_a_notice(cli: Cli) -> None:
    printed = cli.run("analyze tictactoe XX./OX./.OO --against=6 --json")
    assert printed.err == "--against is now called --why-not\n"
    assert '"against": {' in printed.out


def test_the_examples_of_watch_work(cli: Cli) -> None:
    for words in examples(cli.output("watch --help")):
        is_quiz = words.index("--quiz") if "--quiz" in words else len(words)
        assert "value" in cli.output(*words[:is_quiz]).splitlines()[-1]


def test_the_examples_of_the_algorithms_work(cli: Cli) -> None:
    for name, algorithm in all_algorithms().items():
        (words,) = examples(cli.output("algorithms", name))
        has_depth = "depth" in inspect.signature(algorithm).parameters
        cli.run(*words, *(("--depth", "3") if has_depth else ("--nodes", "300")))
