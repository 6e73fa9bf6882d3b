"""All functions skip chance outcomes with probability 0."""

import inspect
from collections.abc import Iterator
from pathlib import Path

import pytest
from choices import each_speed

from benchmarks.random_play import play_at_random
from gamesearch.api import perft
from gamesearch.cli import run
from gamesearch.game import CHANCE, MAX, Game
from gamesearch.solvers.solving import solve


class Coin(Game[int]):
    """Max moves from state 1 to state 2, in which a coin decides the game.

    An outcome with probability 0 would lead back to state 1.
    """

    chance = True
    players = 2

    def initial(self) -> int:
        return 1

    def player(self, s: int) -> int:
        return MAX if s == 1 else CHANCE

    def moves(self, s: int) -> Iterator[int]:
        yield 0

    def outcomes(self, s: int) -> Iterator[tuple[int, float]]:
        yield 1, 0.0
        yield 3, 0.25
        yield 4, 0.75

    def result(self, s: int, m: int) -> int:
        return 2 if s == 1 else m

    def terminal(self, s: int) -> bool:
        return s > 2

    def utility(self, s: int) -> float:
        return 1.0 if s == 3 else -1.0

    def key(self, s: int) -> int:
        return s


@pytest.mark.parametrize("method", ["memo", "iteration"])
@each_speed
def test_solvers_skip_impossible_outcomes(method: str, speed: str) -> None:
    found = solve(Coin(), 1, method, speed=speed)
    assert (found.value, found.positions) == (-0.5, 4)  # Max wins with a probability of 1/4


@each_speed
def test_random_games_and_perft_skip_impossible_outcomes(speed: str) -> None:
    assert [perft(Coin(), 1, depth, speed="interpreted") for depth in (1, 2, 3)] == [1, 2, 0]
    played = play_at_random(Coin(), 1, 200, speed=speed)
    assert (played.moves, played.games) == (200, 99)  # the last move ends the 100th game, which is not counted


def test_a_users_algorithm_receives_no_earlier_positions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    coin, own = tmp_path / "coin.py", tmp_path / "own.py"
    head = "from collections.abc import Iterator\n\nfrom gamesearch.game import CHANCE, MAX, Game\n\n\n"
    reading = "\n    def parse(self, text):\n        return int(text)\n"
    coin.write_text(head + inspect.getsource(Coin).replace("Game[int]", "Game") + reading)
    own.write_text(
        "from gamesearch.game import CHANCE, MAX\n\n\n"
        "def expectation(game, s, depth):\n"
        "    if game.terminal(s):\n"
        "        return game.utility(s)\n"
        "    if game.player(s) == CHANCE:\n"
        "        return sum(p * expectation(game, game.result(s, o), depth - 1) for o, p in game.outcomes(s))\n"
        "    return max(expectation(game, game.result(s, m), depth - 1) for m in game.moves(s))\n"
    )
    assert run(["analyze", str(coin), "-a", str(own), "--depth", "3", "--speed", "interpreted", "--tree"]) == 0
    assert "-0.5" in capsys.readouterr().out
    assert run(["analyze", str(coin), "2", "--moves", "--speed", "interpreted"]) == 0
    assert "no value" not in capsys.readouterr().out
