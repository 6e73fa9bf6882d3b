"""Proofs for games with repetition agree with retrograde analysis, and their winning moves lead to the end."""

from typing import Any

import pytest
from choices import EVERYTHING, choose
from hypothesis import given
from hypothesis import strategies as st
from support import Maze

from gamesearch.algorithms.engine.runner import Runner
from gamesearch.errors import GamesearchError
from gamesearch.game import MAX
from gamesearch.registry import load
from gamesearch.solvers.graphs.positions import solve_graph
from gamesearch.solvers.proof.provers import GraphProver, NoRoomError
from gamesearch.solvers.proof.search import ProofSearch, prover_for
from gamesearch.solvers.solving import solve

MAZES = 20_000 if EVERYTHING else 60
"""The number of random graphs to search."""
SMALL = (
    ("checkers(size=4)", "interpreted", 1_000),
    ("go(size=2, superko=false)", "interpreted", 100),
    *choose((), (("morris(men=3, rings=1)", "interpreted", 2_000),)),
    ("nim(heaps=2-3-2, misere=true)", "interpreted", 60),  # no position repeats
)


class Ladder(Maze):
    """A maze with points as payoffs; some payoffs are a fraction of a win."""

    win_or_loss = False
    whole_payoffs = True
    MINSCORE, MAXSCORE = -2, 2

    def __init__(self, seed: int = 1, places: int = 9) -> None:
        super().__init__(seed, places)
        self.ends[self.ends == 1] = 1 + self.ends.sum() % 2


def proven(game: Any, speed: str = "interpreted", memory: int = 8, search: str = "auto") -> GraphProver:
    """Return a prover, which decides whether a player can get a value."""
    runner = Runner(game, speed)
    runner.begin()
    prover = prover_for(runner, ProofSearch(search, memory))
    assert isinstance(prover, GraphProver)
    return prover


@pytest.mark.parametrize("kind", [Maze, Ladder])
def test_every_place_of_random_graphs_has_its_value(kind: type[Maze]) -> None:
    found, checked = set(), 0
    for seed in range(MAZES):
        game = kind(seed, 4 + seed % 20)
        prover = proven(game)
        for position in solve_graph(game, [game.initial()], most=100).positions:
            assert prover.value(position.state) == position.value, (seed, position.state)
            found.add(position.value)
            checked += 1
    assert len(found) >= 3
    assert checked >= 5 * MAZES


@pytest.mark.parametrize(("text", "speed", "least"), SMALL)
def test_every_position_of_small_games_has_its_value(text: str, speed: str, least: int) -> None:
    game = load(text)
    positions = solve_graph(game, [game.initial()], most=20_000).positions
    prover = proven(game, speed, search="graph")
    for position in positions[:: 1 if speed == "compiled" or len(positions) < 500 else 40]:
        assert prover.value(position.state) == position.value
    assert len(positions) >= least


@given(seed=st.integers(0, 10_000), places=st.integers(3, 25))
def test_the_moves_of_a_winner_lead_to_the_end(seed: int, places: int) -> None:
    """Whatever the opponent plays, no place occurs twice, so the winner's moves do not run in a circle."""
    game = Maze(seed, places)
    prover = proven(game)
    value = prover.value(game.initial())
    if value == 0:
        return
    winner, waiting, seen = (MAX if value > 0 else 1 - MAX), [(game.initial(), frozenset[int]())], 0
    while waiting and seen < 500:
        s, way = waiting.pop()
        seen += 1
        assert s.place not in way
        if game.terminal(s):
            assert game.utility(s) == value
            continue
        moves = [prover.move_that_gets(s, value)] if game.player(s) == winner else list(game.moves(s))
        waiting += [(game.result(s, move), way | {s.place}) for move in moves]


def test_a_full_graph_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gamesearch.algorithms.tree_search.node_store.MEGABYTE", 1 << 12)
    game = load("checkers(size=4)")
    with pytest.raises(GamesearchError, match="use the method retrograde"):
        solve(game, game.initial(), "proof(memory=2)", speed="interpreted")


TSUMEGO = (
    ("bent three: the corner", ".X.XX/XXXXX/OOXXX/.OOXX/..OXX O", 9, {"A1"}),
    ("four in a row live, whoever plays first", ".X.XX/XXXXX/XXXXX/OOOOO/....O O", 5, {"B1", "C1", "pass"}),
    ("two in a row are dead", ".XX./XXXX/OOOX/..OX O", 16, {"A1", "B1", "pass"}),
    ("three in a row: White lives in the middle", ".X.X/XXXX/OOOO/...O O", 0, {"B1"}),
    ("and Black kills there", ".X.X/XXXX/OOOO/...O X", 16, {"B1"}),
    ("three in a row on 7x7", ".X.XXXX/" + "XXXXXXX/" * 4 + "OOOOXXX/...OXXX O", 33, {"B1"}),
)
"""Life-and-death problems in the lower left corner, surrounded by living black stones, with value and best moves."""


@pytest.mark.parametrize(("what", "position", "value", "best"), choose(TSUMEGO[2:3], (*TSUMEGO[:2], *TSUMEGO[3:])))
def test_life_and_death_in_a_corner_of_go(what: str, position: str, value: float, best: set[str]) -> None:
    game, s = load("go(superko=false)").setup(position)
    found = solve(game, s, method="proof", speed="auto" if EVERYTHING else "interpreted")
    assert found.value == value, what
    assert {game.move_name(s, move) for move in found.best} == best
    assert "room" not in found.note


def test_moves_without_memory_for_a_proof_are_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gamesearch.algorithms.tree_search.node_store.MEGABYTE", 1 << 16)
    game, s = load("go(superko=false)").setup(".XX./XXXX/OOOX/..OX X")
    found = solve(game, s, method="proof(memory=4)", speed="interpreted")
    assert found.value == 16
    assert {game.move_name(s, each) for each in found.best} == {"A1", "B1"}
    known, steps = {each.move for each in found.moves}, game.steps(s)
    assert set(found.best) < known < set(steps)
    missing = len(steps) - len(known)
    assert found.note.startswith(f"the memory was too small to prove {missing} other move")
    assert all(each.value == 16 or each.move not in found.best for each in found.moves)


def test_values_that_the_game_knows_need_no_graph() -> None:
    game, s = load("go(superko=false)").setup(".X.X./XXXXX/OOOOO/.O.OO/OOOO. X")
    found = solve(game, s, method="proof(memory=1)")
    assert (found.value, found.positions) == (-5, 0)
    assert game.parse_move(s, "pass") in found.best


def test_a_position_without_room_for_a_proof_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gamesearch.algorithms.tree_search.node_store.MEGABYTE", 1 << 14)
    game, s = load("go(superko=false)").setup(".XX./XXXX/OOOX/..OX O")
    with pytest.raises(GamesearchError, match="there is not enough memory to prove go: raise memory="):
        solve(game, s, method="proof(memory=4)", speed="interpreted")


@pytest.mark.parametrize(
    ("text", "position", "gets", "asked", "error"),
    [
        ("go(superko=false)", ".../.../... X", False, [10, 9], "^$"),
        ("go(superko=false)", ".../.../... O", False, [9, 10], "^$"),
        ("checkers(size=4)", "", True, [2, 1], "there is not enough memory to prove checkers"),
    ],
)
def test_if_memory_is_short_the_proof_for_the_opponent_is_tried_once(
    text: str, position: str, gets: bool, asked: list[int], error: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, s = load(text).setup(position)
    prover, questions = proven(game), list[int]()

    def has_no_room(_: Any, number: int) -> bool:
        questions.append(number)
        if gets and number == asked[-1]:
            return True
        raise NoRoomError

    monkeypatch.setattr(prover, "can_get", has_no_room)
    with pytest.raises(NoRoomError, match=error):
        prover.value(s)
    assert questions == asked
