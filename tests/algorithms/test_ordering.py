"""The order in which moves are searched."""

import math
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import Watcher

from gamesearch.algorithms.catalog.alphabeta import alphabeta
from gamesearch.algorithms.catalog.expectiminimax import expectiminimax
from gamesearch.algorithms.engine.result import Limits
from gamesearch.algorithms.engine.runner import Runner
from gamesearch.algorithms.node.ordering import (
    follow,
    generate,
    new_ordering,
    note_refutation,
    parse_order,
    remember_previous,
    remember_refutation,
    score_of,
    sort_moves,
)
from gamesearch.algorithms.node.workspace import FULL_DEPTH, Groups, Memory, Search, Workspace
from gamesearch.algorithms.selective.parts import SelectiveRecords, Trail
from gamesearch.games.trees.tree.rules import Tree
from gamesearch.registry import load


class ScoredTree(Tree):
    """A tree of one ply whose moves are ordered by the given scores."""

    def __init__(self, scores: list[float]) -> None:
        super().__init__(str([0] * len(scores)))
        self.scores = scores

    def order(self, s: Any, m: int) -> float:
        return self.scores[m]


def ordering_of(text: str) -> Any:
    held = new_ordering(parse_order(text), is_compiled=False)
    assert held is not None
    return held.record


def score(game: Any, s: Any, move: int, ply: int, ordering: Any) -> float:
    """Return the score that orders a move in a search without selective parts."""
    return float(score_of(game, s, move, ply, Search(None, Memory(None, ordering), None, Groups())))


def in_order(scores: list[float]) -> list[int]:
    """Return the order in which alpha-beta searches moves with these scores if no move causes a cutoff."""
    game, workspace = ScoredTree(scores), Workspace(is_compiled=False)
    run = workspace.run
    run.path.top = 3
    memory = Memory(None, ordering_of("game"))
    search = Search(workspace.options, memory, run, Groups())
    count, first = generate(game, game.initial(), -1, 0, False, search)
    assert (count, run.path.top) == (len(scores), 3 + len(scores))
    best = run.path.moves[first]
    sort_moves(3, first, 3 + count, memory, run.path)
    assert run.path.moves[3] == best
    moves: list[int] = run.path.moves[3 : 3 + count]
    return moves


@given(st.lists(st.integers(-5, 5).map(float), min_size=1, max_size=30))
def test_the_best_come_first_and_equals_keep_their_order(scores: list[float]) -> None:
    assert in_order(scores) == sorted(range(len(scores)), key=lambda m: -scores[m])


@given(st.lists(st.floats(), min_size=1, max_size=30))
def test_each_move_comes_once_with_any_scores(scores: list[float]) -> None:
    assert sorted(in_order(scores)) == list(range(len(scores)))


# Countermoves. -----------------------------------------------------------------------------------
def test_the_countermove_comes_first_after_the_same_move() -> None:
    game = load("tictactoe")
    ordering = ordering_of("countermove")
    s = game.result(game.initial(), 4)
    assert all(score(game, s, m, 1, ordering) == 0 for m in game.moves(s))
    follow(0, 4, ordering)
    remember_refutation(game, s, 8, 1, 3, ordering)
    after_another = game.result(game.initial(), 0)
    for move, reply in ((4, 8), (0, None)):  # a countermove is used only after the same move of the opponent
        follow(0, move, ordering)
        first = [m for m in game.moves(s if move == 4 else after_another) if score(game, s, m, 1, ordering) > 0]
        assert first == [reply][: reply is not None]
    follow(0, 4, ordering)
    assert score(game, game.initial(), 8, 1, ordering) == 0, "the other side has its own countermoves"
    assert score(game, s, 8, 0, ordering) == 0, "at the root, the opponent's last move is unknown"
    remember_refutation(game, s, 2, 1, 1, ordering)
    assert (score(game, s, 8, 1, ordering), score(game, s, 2, 1, ordering) > 0) == (0, True)


def test_a_refutation_gains_history_and_the_quiet_moves_before_it_lose() -> None:
    game, workspace = load("chess"), Workspace(is_compiled=False)
    s = game.parse("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1")
    ordering = ordering_of("game+history")
    trail = Trail()
    selection = SelectiveRecords(SimpleNamespace(history=1), trail)
    groups = Groups(selective=1, exchanging=1)
    search = Search(workspace.options, Memory(None, ordering), workspace.run, groups, selection)
    moves = [game.parse_move(s, text) for text in ("exd5", "Kd2", "e5", "Kf2")]
    workspace.run.path.moves[:4], workspace.run.path.top = moves, 4
    trail.moves[0] = 100
    note_refutation(game, s, moves[2], 2, 4, 5, 1, search)
    history = [ordering.history[0][move & 4095] for move in moves]
    assert history[2] == -history[1] > 0
    assert (history[0], history[3]) == (0, 0)
    scores = [score_of(game, s, move, 1, search) for move in moves]
    assert scores[0] > scores[2] > scores[3] > scores[1]
    trail.moves[0] = 200
    others = [score_of(game, s, move, 1, search) for move in moves]
    assert scores[2] > others[2] > 0 > others[1] > scores[1], "after another move, only a part of the history counts"
    trail.moves[0], trail.moves[1] = 100, 300
    assert score_of(game, s, moves[2], 2, search) == others[2], "each kind of history is separate"
    note_refutation(game, s, moves[0], 0, 4, 5, 1, search)
    assert ordering.history[0][moves[0] & 4095] == 0, "history does not count captures"


def test_captures_that_lose_come_last() -> None:
    game = load("chess")
    s = game.parse("4k3/8/4p3/3p4/8/8/8/3QK3 w - - 0 1")
    parts = SelectiveRecords(SimpleNamespace(history=1), Trail())
    search = Search(None, Memory(None, ordering_of("game")), None, Groups(selective=1, exchanging=1), parts)
    scores = {game.move_name(s, m): score_of(game, s, m, 1, search) for m in game.moves(s)}
    assert min(scores, key=lambda name: scores[name]) == "Qxd5"


# The previous iteration's principal variation. ------------------------------------------------------
def visited_paths(text: str, previous: tuple[int, ...], pruning: str) -> list[tuple[int, ...]]:
    """Search to the end, beginning with the previous iteration's principal variation; return the path to each node."""
    game = Tree(text)
    paths: list[tuple[int, ...]] = []

    class Paths(Watcher):
        path: tuple[int, ...] = ()

        def move(self, ply: int, move: int) -> None:
            self.path = (*self.path[:ply], move)

        def enter(self, state: Any, ply: int, alpha: float | None, beta: float | None) -> None:
            paths.append(self.path[:ply])

    runner = Runner(game, "interpreted", orders=parse_order("previous"))
    runner.start(Limits(), observer=Paths())
    remember_previous(runner.ordering, previous)
    runner.begin()
    window = game.initial(), -math.inf, math.inf, FULL_DEPTH, 0
    if pruning == "alphabeta":
        runner.execute(alphabeta, lambda: (game, *window, runner.arguments))
    else:
        runner.execute(expectiminimax, lambda: (game, *window, False, runner.arguments))
    return paths


@pytest.mark.parametrize("kernel", ["alphabeta", "expectiminimax"])
def test_the_previous_principal_variation_is_searched_first(kernel: str) -> None:
    tree = "[[[1,9],[2,8]],[[3,7],[4,6]]]"
    for line in ((), (1,), (1, 1), (1, 1, 1), (0, 1, 1), (1, 0, 1)):
        leaves = [path for path in visited_paths(tree, line, kernel) if len(path) == 3]
        assert leaves[0] == (*line, 0, 0, 0)[:3]
        for ply in range(3):  # outside the principal variation, moves are searched in the game's order
            for node in {path[:ply] for path in leaves}:
                moves = list(dict.fromkeys(path[ply] for path in leaves if path[:ply] == node))
                first = line[ply] if ply < len(line) and node == line[:ply] else 0
                assert moves == [first, 1 - first][: len(moves)], (line, node)
