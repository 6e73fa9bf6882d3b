"""Shell completion, the list of dependencies, and the exit codes that the help explains."""

import os
import shutil
import subprocess
import sys
from importlib import metadata

import click
import pytest
from click.shell_completion import ShellComplete
from commands import Cli
from terminal import Terminal

from gamesearch.algorithms.catalog import all_algorithms
from gamesearch.cli import COMMANDS, GROUPS, group
from gamesearch.cli.terminal import CHOICES, LineReader, choose_command
from gamesearch.registry import game_names


def complete(*words: str, typed: str = "") -> list[str]:
    asked = ShellComplete(group, {}, "gamesearch", "_GAMESEARCH_COMPLETE")
    return [f"<{each.type}>" if each.type != "plain" else each.value for each in asked.get_completions([*words], typed)]


def test_names_are_offered_for_completion() -> None:
    assert complete() == list(COMMANDS)
    assert complete(typed="an") == ["analyze"]
    assert complete("analyze") == list(game_names())
    assert complete("solve", typed="con") == ["connect4"]
    assert complete("analyze", "nim", "-a", typed="alpha") == ["alphabeta"]
    assert complete("compare", "nim", "--algorithms", typed="minimax,alpha") == ["minimax,alphabeta"]
    assert "human" in complete("analyze", "nim", "--ask")
    assert set(all_algorithms()) <= set(complete("analyze", "nim", "--ask"))
    assert complete("analyze", typed="./my") == complete("export") == complete("graph", "nim", "--to") == ["<file>"]
    assert "--multipv" in complete("analyze", "nim", typed="--mu")
    for command in ("play", "match", "bench", "watch", "games"):
        assert complete(command, typed="con") == ["connect4"]
    assert complete("match", "nim", typed="comp") == complete("play", "nim", "--min", typed="comp") == ["computer"]
    assert complete("algorithms", typed="pv") == ["pvs"]
    assert complete("lesson", typed="minim") == ["minimax"]
    assert complete("worksheet", typed="proof") == ["proof-numbers"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_completion_of_each_shell_can_be_parsed(shell: str) -> None:
    environment = os.environ | {"_GAMESEARCH_COMPLETE": f"{shell}_source"}
    command = [sys.executable, "-m", "gamesearch"]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=60, check=True)
    assert f"_GAMESEARCH_COMPLETE={shell}_complete" in done.stdout
    if shutil.which(shell) is not None:
        flags = ["--no-execute"] if shell == "fish" else ["-n"]
        subprocess.run([shell, *flags, "/dev/stdin"], input=done.stdout, text=True, timeout=60, check=True)


def test_a_completion_loads_no_compiler() -> None:
    asked = {"_GAMESEARCH_COMPLETE": "bash_complete", "COMP_WORDS": "gamesearch analyze ", "COMP_CWORD": "2"}
    code = (
        "import sys, atexit\n"
        "atexit.register(lambda: print('LOADED', {'numba', 'chess'} & set(sys.modules)))\n"
        "from gamesearch.cli import run; run([])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=os.environ | asked)
    assert "plain,connect4" in done.stdout
    assert "LOADED set()" in done.stdout


# The menu. ----------------------------------------------------------------------------------------
class Typed(LineReader):
    """A replacement for `input` whose answers are given in advance."""

    def __init__(self, *answers: str) -> None:
        self.answers = list(answers)

    def read(self, prompt: str) -> str | None:
        return self.answers.pop(0) if self.answers else None


def test_answers_become_a_command_line() -> None:
    for answers, words in (
        (["", ""], "play"),
        (["99", "2", "", ""], "analyze tictactoe XX./OO./..."),
        (["3", "nosuchgame", "tictactoe"], "solve tictactoe"),
        (["3", "nim", "1,2"], "solve nim 1,2"),
        (["4", ""], "watch [[3,12,8],[2,4,6],[14,5,2]]"),
        (["5"], "lesson"),
        (["9"], "--help"),
    ):
        assert choose_command(Typed(*answers)) == words.split()
    assert {choice.command for choice in CHOICES} <= {*COMMANDS, "--help"}
    for answers, code in ((["quit"], 0), ([], 1), (["2", "q"], 0)):
        with click.Context(group), pytest.raises(click.exceptions.Exit) as exit_:
            choose_command(Typed(*answers))
        assert exit_.value.exit_code == code


def test_a_terminal_shows_the_menu(terminal: Terminal) -> None:
    terminal.start("gamesearch")
    terminal.wait_for("What do you want to do? [1]")
    terminal.type("7")
    terminal.wait_for("tictactoe", "shell$")


def test_a_pipe_shows_the_groups_of_commands_and_the_versions(cli: Cli) -> None:
    lines = cli.output("").splitlines()
    titles = [line.removesuffix(":") for line in lines if line.endswith(":") and not line.startswith(" ")]
    assert [title for title in titles if title in GROUPS] == list(GROUPS)
    listed = [line.split()[0] for line in lines if line.startswith("  ") and line.strip()]
    assert [name for name in listed if name in COMMANDS] == list(COMMANDS)
    lines = cli.output("--version").splitlines()
    assert lines[0] == f"gamesearch {metadata.version('gamesearch')}"
    assert {f"numba {metadata.version('numba')}", f"python-chess {metadata.version('chess')}"} <= set(lines)
    assert lines[1].startswith(f"CPython {sys.version.split()[0]}"[:7])
