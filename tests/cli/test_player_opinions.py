"""The results of other players are shown next to a search, and a match continues if an external player fails."""

import json
from pathlib import Path

import platformdirs
import pytest
from commands import Cli
from engine_support import fake_command

from gamesearch.cli import run

SLOW = ("--speed", "interpreted")


def test_results_of_other_algorithms_are_shown(cli: Cli) -> None:
    words = ("analyze", "tictactoe", "XX./OO./...", *SLOW, "--ask", "alphabeta(depth=1)", "--ask", "random(seed=1)")
    first, second = cli.output(*words).splitlines()[-2:]
    assert first.startswith("alphabeta(depth=1) plays 3 and reports: X wins in 1 move, line 3, ")
    assert second.startswith("random(seed=1) plays ")
    assert second.endswith(", without a value")


def test_an_engine_beside_as_data(cli: Cli, tmp_path: Path) -> None:
    player = f"uci(path='{fake_command('uci', 'good', tmp_path / 'log')}', depth=9)"
    told = cli.data("analyze chess --depth 1 --beside", player)
    (beside,) = told["beside"]
    assert (beside["value"], beside["best"], beside["line"], beside["distance"]) == (0.35, "e4", ["e4"], None)
    assert beside["statistics"]["nodes"] == 1234
    assert "go depth 9\n" in (tmp_path / "log").read_text()


def test_limits_of_the_command_apply_to_players_without_limits(cli: Cli, tmp_path: Path) -> None:
    player = f"external(path='{fake_command('external', 'good', tmp_path / 'log')}')"
    cli.output("analyze nim 1,2 --depth 3 --beside", player)
    assert "limit depth 3\n" in (tmp_path / "log").read_text()


@pytest.mark.parametrize(
    ("behaviour", "code", "said"),
    [
        ("crash", 1, "the game was stopped after 0 moves: external("),
        ("illegal", 1, "not a legal move in"),
        ("resign", 0, "X resigned after 0 moves: O wins"),
    ],
)
def test_a_match_with_a_program_that_fails(
    behaviour: str,
    code: int,
    said: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(platformdirs, "user_state_path", lambda name: tmp_path / "state" / name)
    player = f"external(path='{fake_command('external', behaviour, tmp_path / 'log')}')"
    assert run(["play", "tictactoe", "--max", player, "--min", "random(seed=1)", *SLOW]) == code
    captured = capsys.readouterr()
    assert said in " ".join((captured.out + captured.err).split())


def test_the_player_receives_earlier_positions(cli: Cli) -> None:
    position = "k7/8/8/8/8/8/8/KQ6 w - - 0 1 moves b1b3 a8a7 b3b1"
    options = ["-a", "alphabeta(depth=1)", "--speed", "interpreted", "--json"]
    found = json.loads(cli.output("analyze chess", position, *options, "--ask", "alphabeta(depth=1)"))
    assert found["value"] == found["beside"][0]["value"] == 0  # a draw by repetition
