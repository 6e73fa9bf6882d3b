"""Proof numbers find what the other methods of solving find."""

from typing import Any

import pytest
from support import Counters, Greedy, Take

from gamesearch.algorithms.parts.runner import Runner
from gamesearch.errors import GamesearchError
from gamesearch.registry import load
from gamesearch.solvers.positions import solved_graph
from gamesearch.solvers.proof import Prover
from gamesearch.solvers.solving import solve

SMALL = (
    ("tictactoe", "compiled", 5_478),
    ("nim(heaps=1-2-3)", "interpreted", 30),
    ("nim(heaps=2-3-2, misere=true)", "interpreted", 60),
    ("hex(size=2, swap=true)", "interpreted", 30),
    ("kayles(rows=7)", "interpreted", 20),
    ("connect4(rows=3, columns=3, connect=3)", "interpreted", 500),
    ("random_tree(branching=3, depth=4, values=9)", "interpreted", 100),
)


@pytest.mark.parametrize(("text", "speed", "least"), SMALL)
def test_every_position_of_small_games_has_its_value(text: str, speed: str, least: int) -> None:
    game = load(text)
    graph = solved_graph(game, [game.initial()], most=20_000)
    runner = Runner(game, speed)
    runner.begin()
    prover = Prover(runner)
    for position in graph.positions:
        assert prover.value(position.state) == position.value
    assert len(graph.positions) >= least


@pytest.mark.parametrize("text", ["tictactoe", "hex(size=3)", "y(size=3)", "nim"])
def test_solve_finds_the_value_and_the_best_moves(text: str) -> None:
    game = load(text)
    proof, memo = (solve(game, game.initial(), method, speed="interpreted") for method in ("proof", "memo"))
    assert proof.value == memo.value
    assert {each.move: each.value for each in proof.moves} == {each.move: each.value for each in memo.moves}
    assert set(memo.best) <= set(proof.best)
    assert (proof.method, proof.distance) == ("proof", None)
    assert proof.positions > 0


def test_both_speeds_visit_the_same_positions() -> None:
    game = load("tictactoe")
    for text in ("", "X../.O./..."):
        state = game.parse(text) if text else game.initial()
        slow, fast = (solve(game, state, "proof", speed=speed) for speed in ("interpreted", "compiled"))
        assert (slow.value, slow.best, slow.positions) == (fast.value, fast.best, fast.positions)
        assert fast.speed == "compiled"


def test_a_finished_game_is_worth_what_it_pays() -> None:
    game = load("tictactoe")
    assert solve(game, game.parse("XXX/OO./..."), "proof", speed="interpreted").value == 1


class Points(Take):
    """The last move wins, but half of it where one counter was left over."""

    def utility(self, s: Counters) -> float:
        return 0.25


@pytest.mark.parametrize(
    ("game", "said"),
    [
        (load("pig"), "use iteration"),
        (load("checkers(size=4)"), "can recur"),
        (load("go(size=2)"), "use search"),
        (Greedy(5), "no whole numbers"),
        (load("random_tree(chance=true)"), "chance nodes"),
        (Points(4, least=0, greatest=1), "more than wins and draws"),
    ],
)
def test_what_it_cannot_tell_is_refused(game: Any, said: str) -> None:
    with pytest.raises(GamesearchError, match=said):
        solve(game, game.initial(), "proof", speed="interpreted")
