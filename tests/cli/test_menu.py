"""`gamesearch` without arguments shows a menu at a terminal, and otherwise the help."""

import click
import pytest
from commands import Cli
from terminal import Terminal

from gamesearch.cli import COMMANDS, GROUPS, group
from gamesearch.cli.terminal import CHOICES, LineReader, choose_command


class Typed(LineReader):
    """A replacement for `input` whose answers are given in advance."""

    def __init__(self, *answers: str) -> None:
        self.answers = list(answers)

    def read(self, prompt: str) -> str | None:
        return self.answers.pop(0) if self.answers else None


@pytest.mark.parametrize(
    ("answers", "words"),
    [
        (["", ""], ["play"]),
        (["99", "2", "", ""], ["analyze", "tictactoe", "XX./OO./..."]),
        (["3", "nosuchgame", "tictactoe"], ["solve", "tictactoe"]),
        (["3", "nim", "1,2"], ["solve", "nim", "1,2"]),
        (["4", ""], ["watch", "[[3,12,8],[2,4,6],[14,5,2]]"]),
        (["5"], ["lesson"]),
        (["9"], ["--help"]),
    ],
)
def test_answers_become_a_command_line(answers: list[str], words: list[str]) -> None:
    assert choose_command(Typed(*answers)) == words


@pytest.mark.parametrize(("answers", "code"), [(["quit"], 0), ([], 1), (["2", "q"], 0)])
def test_the_menu_can_be_left(answers: list[str], code: int) -> None:
    with click.Context(group), pytest.raises(click.exceptions.Exit) as exit_:
        choose_command(Typed(*answers))
    assert exit_.value.exit_code == code


def test_each_choice_is_a_command() -> None:
    assert {choice.command for choice in CHOICES} <= {*COMMANDS, "--help"}


def test_a_terminal_shows_the_menu(terminal: Terminal) -> None:
    terminal.start("gamesearch")
    terminal.wait_for("What do you want to do? [1]")
    terminal.type("7")
    terminal.wait_for("tictactoe", "shell$")


def test_a_pipe_shows_the_groups_of_commands(cli: Cli) -> None:
    lines = cli.output("").splitlines()
    titles = [line.removesuffix(":") for line in lines if line.endswith(":") and not line.startswith(" ")]
    assert [title for title in titles if title in GROUPS] == list(GROUPS)
    listed = [line.split()[0] for line in lines if line.startswith("  ") and line.strip()]
    assert [name for name in listed if name in COMMANDS] == list(COMMANDS)
