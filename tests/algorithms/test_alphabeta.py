import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import Watcher, playout, trees

from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.catalog.alphabeta import AlphaBeta
from gamesearch.algorithms.engine.algorithm import value_and_distance
from gamesearch.algorithms.engine.runner import Runner
from gamesearch.algorithms.node.values import cost_of_a_ply
from gamesearch.algorithms.node.workspace import FULL_DEPTH
from gamesearch.api import search
from gamesearch.game import FORBIDDEN, MAX, Game
from gamesearch.games.connecting.tictactoe import Position, TicTacToe
from gamesearch.games.trees.random_tree import RandomTree
from gamesearch.games.trees.tree.rules import Tree
from gamesearch.optional import Shortcuts
from gamesearch.registry import load
from gamesearch.textbook.expectiminimax import expectiminimax as textbook


# The contract. -----------------------------------------------------------------------------------
def value_in_window(
    game: Game, alpha: float, beta: float, *, hard: bool = False, text: str = "alphabeta"
) -> tuple[float, Runner]:
    algorithm = load_algorithm("alphabeta(fail=hard)" if hard else text)
    assert isinstance(algorithm, AlphaBeta)
    runner = Runner(game, "interpreted", memory=int(algorithm.table), orders=algorithm.orders)
    runner.begin(fail_hard=hard, bounds=algorithm.bounds)
    value, _ = algorithm.window_search(runner, game.initial(), alpha, beta, FULL_DEPTH)
    return value, runner


@settings(max_examples=150)
@given(trees(), st.integers(-10, 10), st.integers(1, 8), st.sampled_from(["", "(table=true)", "(order=evaluate)"]))
def test_a_value_is_exact_within_the_window_and_a_bound_outside(text: str, alpha: int, width: int, kind: str) -> None:
    game = Tree(text)
    beta = alpha + width
    true = textbook(game, game.initial(), 1000)
    found, _ = value_in_window(game, alpha, beta, text=f"alphabeta{kind}")
    if alpha < found < beta:
        assert found == true
    elif found <= alpha:
        assert true <= found
    else:
        assert true >= found
    if not kind:
        clipped, _ = value_in_window(game, alpha, beta, hard=True)
        assert clipped == max(alpha, min(beta, true))


@pytest.mark.parametrize(("branching", "depth"), [(2, 6), (3, 5), (4, 4), (5, 3), (7, 2), (1, 9)])
def test_perfect_order_visits_as_few_leaves_as_knuth_and_moore_say(branching: int, depth: int) -> None:
    game = RandomTree(branching, depth, order="best-first")
    result = search(game, game.initial(), "alphabeta", speed="interpreted")
    assert result.statistics.leaves == branching ** math.ceil(depth / 2) + branching ** (depth // 2) - 1
    worst = RandomTree(branching, depth, order="worst-first")
    assert search(worst, worst.initial(), "alphabeta", speed="interpreted").statistics.leaves == branching**depth


@pytest.mark.parametrize(
    ("alpha", "beta", "nodes"), [(-math.inf, math.inf, 18_297), (-1, 1, 16_811)], ids=["full", "narrow"]
)
def test_tictactoe_needs_the_published_number_of_nodes(alpha: float, beta: float, nodes: int) -> None:
    value, runner = value_in_window(load("tictactoe"), alpha, beta)
    assert value == 0
    assert runner.statistics().nodes == nodes


class EachSecond(TicTacToe, Shortcuts[Position]):
    """Tic-tac-toe in which a search uses the table only in positions with Max to move."""

    looks_ahead = True

    def skips_table(self, s: Position) -> bool:
        return self.player(s) != MAX


class Repeating(EachSecond):
    """The game EachSecond with the declaration that a position must not be repeated."""

    repetition = FORBIDDEN


class Hits(Watcher):
    """Records the positions whose value comes from the table, with their bounds."""

    def __init__(self) -> None:
        super().__init__()
        self.settled: list[tuple[Position, float, float]] = []

    def table_hit(self, ply: int, lower: float, upper: float) -> None:
        self.settled.append((self.entered[-1][0], lower, upper))


@pytest.mark.parametrize("kind", ["alphabeta(table=true", "pvs(exact=true"])
def test_a_table_entry_after_a_move_settles_the_position_before_it(kind: str) -> None:
    game, plain, skipped, distances = EachSecond(), TicTacToe(), 0, 0
    for seed in range(4):
        for s in playout(plain, seed)[1:4]:
            watcher = Hits()
            found, expected = (
                search(each, s, f"{kind}, memory=1)", observer=observer, speed="interpreted")
                for each, observer in ((game, watcher), (plain, None))
            )
            assert (found.value, found.distance) == (expected.value, expected.distance)
            ahead = [each for each in watcher.settled if game.skips_table(each[0])]
            skipped += len(ahead)
            for bound in (bound for _, *bounds in ahead for bound in bounds if 0 < abs(bound) < 1):
                winner, plies = value_and_distance(game, bound, cost_of_a_ply(game))
                assert plies is not None
                assert (sum(map(int.bit_count, s[:2])) + plies) % 2 == (winner == 1), "X wins with an odd move"
                distances += 1
    assert (skipped > 100, distances > 20) == (True, True)
    watcher = Hits()
    search(Repeating(), Repeating().parse("X../.O./..X"), f"{kind}, memory=1)", observer=watcher)
    assert not any(game.skips_table(s) for s, *_ in watcher.settled), "values may depend on the path"


@pytest.mark.parametrize("parameters", ["", ", deepen=true", ", deepen=true, table=true, memory=1"])
def test_a_win_proven_only_by_bounds_is_kept(parameters: str) -> None:
    game = load("gomoku(size=4, connect=3)")
    proven = search(game, game.initial(), f"alphabeta(depth=3, bounds=true{parameters})", speed="interpreted")
    assert (proven.value, proven.distance) == (1, None)
    seen = search(game, game.initial(), f"alphabeta(depth=5{parameters})", speed="interpreted")
    assert (seen.value, seen.distance) == (1, 5)


def test_a_bound_for_one_depth_is_not_used_for_other_depths() -> None:
    # A null-window search to depth 2 shows that the value is at most 4, but only for this depth. The next null-window
    # search proves for every depth that the value is at least 4. Together, these bounds are not a proof of the value 4.
    game = Tree("[max[4,max[0,8]]]")
    result = search(game, game.initial(), "alphabeta(deepen=true, table=true, memory=1, window=null)")
    assert result.value == 8
