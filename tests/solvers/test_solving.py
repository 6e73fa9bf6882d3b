import io
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from choices import choose
from database_support import values_and_plies
from rich.console import Console
from support import Corridor, Counters, Greedy, Maze, Spot, Take, playout

from gamesearch.algorithms.catalog.alphabeta import GUESSED_DEPTH
from gamesearch.algorithms.engine.result import Monitor, Progress
from gamesearch.algorithms.tree_search.node_store import new_store
from gamesearch.errors import GamesearchError, Interrupted
from gamesearch.game import MAX, NEVER, Game
from gamesearch.games.counting.nim import Nim
from gamesearch.optional import is_impartial
from gamesearch.registry import load
from gamesearch.render.solution import SolutionView
from gamesearch.solvers import dynamic_programming, search
from gamesearch.solvers import store as stores
from gamesearch.solvers.graphs import graph as graphs
from gamesearch.solvers.solving import METHODS, solve
from gamesearch.textbook.expectiminimax import expectiminimax as textbook

SMALL_GAMES = choose(
    ("nim(2-2-1, misere=true)", "hex(size=3)", "checkers(size=4)", "kalah(pits=2, seeds=2)",
     "tree([3,2,[1,9],max[3]])"),
    ("random_tree(depth=4)", "nim(7, max_take=2)",
     "tictactoe", "nim(1-2-3)", "kayles(5)", "connect4(rows=3, columns=3, connect=3)", "dotsandboxes(1, 2)",
     "gomoku(size=3, connect=3)"),
)  # fmt: skip


def compare_methods(game: Game, s: Any, methods: Iterable[str] = (*METHODS, "proof(search=pn)")) -> list[str]:
    """Compare the results of all suitable methods with the definition; return the methods that were compared."""
    fitting, known = list[str](), values_and_plies(game, [s])

    def expect(after: Any, plies_before: int) -> tuple[float, int | None]:
        value, plies = known[game.key(after)]
        return value, None if plies is None or value == game.draw_value() else plies + plies_before

    for method in methods:
        try:
            solution = solve(game, s, method, speed="interpreted")
        except GamesearchError:
            continue
        fitting.append(solution.method)
        found = {each.move: (each.value, each.distance) for each in solution.moves}
        told = [plies for _, plies in found.values()] + [solution.distance]
        wanted = {m: expect(game.result(s, m), 1) for m in game.moves(s)}
        value, plies = expect(s, 0)
        if all(each is None for each in told):  # this method does not compute the plies to the end
            wanted, plies = {m: (worth, None) for m, (worth, _) in wanted.items()}, None
        assert (solution.value, solution.distance) == (value, plies), method
        assert found == wanted, method
        best = {m for m, (worth, far) in wanted.items() if worth == value and (plies is None or far == plies)}
        assert set(solution.best) == best, method
        console = Console(file=io.StringIO(), width=100, record=True)
        console.print(SolutionView(game, s, solution))
        assert "has won" not in console.export_text(), method
    return fitting


@pytest.mark.parametrize("text", SMALL_GAMES)
def test_all_methods_agree_with_the_definition(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game, compared = load(text), list[str]()
    states = [s for seed in range(3) for s in playout(game, seed, 40)[-5:-1:3] if not game.terminal(s)]
    for s in [*states, *([game.initial()] if text.startswith("tree") else [])]:
        compared += compare_methods(game, s)
        for most in (1, 20):  # the method `auto` changes from memo to search
            with monkeypatch.context() as patch:
                patch.setattr(search, "MOST_REMEMBERED", most)
                compared += compare_methods(game, s, ["auto"])
    assert len(compared) >= 16
    assert "search" in compared or game.repetition != NEVER or is_impartial(game)


@pytest.mark.parametrize("block", choose((0,), (1, 2, 3)))
def test_endless_games_are_draws(block: int) -> None:
    compared = list[str]()
    for seed in range(12 * block, 12 * block + 12):
        game = Maze(seed, 4 + seed % 12)
        starts = [Spot(place) for place in range(game.places)]
        compared += [method for s in starts if not game.terminal(s) for method in compare_methods(game, s)]
    assert len(compared) > 80


@pytest.mark.parametrize(
    "game",
    [load("tree(5)"), load("tree([[1,[2,-3]],{1/4: 4, 3/4: [0,8]}])"), load("random_tree(depth=4)"), Greedy(9)],
    ids=repr,
)
def test_points_and_expectations_are_solved_too(game: Game) -> None:
    value = textbook(game, game.initial(), 100)
    for method in ("memo", "retrograde", "iteration", *(["search"] if not game.chance else [])):
        solution = solve(game, game.initial(), method, speed="interpreted")
        assert solution.value == pytest.approx(value)
        assert [textbook(game, game.result(game.initial(), m), 100) for m in solution.best] == pytest.approx(
            [value] * len(solution.best)
        )
        assert solution.best or game.terminal(game.initial())


class Misjudged(Game[tuple[int, int]]):
    """A game with a choice only at the root; all later moves are forced.

    The estimate equals the payoff of the worse move.
    """

    MINSCORE, MAXSCORE = -9, 9
    win_or_loss = False
    whole_payoffs = True

    def __init__(self, sign: int) -> None:
        self.sign = sign

    def initial(self) -> tuple[int, int]:
        return 0, 0

    def player(self, s: tuple[int, int]) -> int:
        return MAX if self.sign > 0 else 1 - MAX

    def moves(self, s: tuple[int, int]) -> Iterator[int]:
        yield from (0, 5, 8) if s == (0, 0) else (0,)

    def result(self, s: tuple[int, int], m: int) -> tuple[int, int]:
        return s[0] + m, s[1] + 1

    def terminal(self, s: tuple[int, int]) -> bool:
        return s[1] == GUESSED_DEPTH + 2

    def utility(self, s: tuple[int, int]) -> int:
        return self.sign * s[0]

    def evaluate(self, s: tuple[int, int]) -> float:
        return self.sign * 5.0


@pytest.mark.parametrize("sign", [1, -1])
def test_a_wrong_estimate_does_not_change_the_solution(sign: int) -> None:
    game = Misjudged(sign)
    solution = solve(game, game.initial(), "search", speed="interpreted")
    assert (solution.value, solution.best) == (8 * sign, (8,))
    assert sorted(each.value for each in solution.moves) == sorted(sign * each for each in (0, 5, 8))


def test_a_move_after_which_every_move_is_forbidden_draws() -> None:
    game = Corridor(4, 1)
    solution = solve(game, game.initial(), speed="interpreted")
    assert solution.value == 0
    assert solution.best == (-1,)
    assert {each.move: (each.value, each.distance) for each in solution.moves} == {-1: (0, None), 1: (-1, 2)}


# Known counts. -----------------------------------------------------------------------------------
def test_dynamic_programming_stores_only_levels_that_moves_can_reach() -> None:
    for heap in (12, 301):
        game = Nim(heap, max_take=5)
        solution = solve(game, game.initial(), "dp", speed="interpreted")
        assert (solution.kept <= 2 * 6, solution.value) == (True, -1 if heap % 6 == 0 else 1)
        assert heap % 6 == 0 or [game.move_name(game.initial(), m) for m in solution.best] == [f"a{heap % 6}"]
    game = Nim("8-8-8")
    levels = solve(game, game.initial(), "dp", speed="interpreted")
    sizes = [len(list(game.states_of_level(level))) for level in range(24)]
    assert levels.kept == max(sum(sizes[max(0, level - game.reach) : level + 1]) for level in range(24))
    assert levels.kept > 717  # the value store had to grow
    assert levels.positions == sum(sizes) + 1
    assert levels.value == solve(game, game.initial(), "grundy", speed="interpreted").value
    assert levels.distance == solve(game, game.initial(), "memo", speed="interpreted").distance


@pytest.mark.xdist_group("tictactoe")  # the worker that compiles the same kernels for tests/test_speeds.py
def test_a_graph_that_starts_small_grows(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load("tictactoe")
    monkeypatch.setattr(graphs, "FIRST_SIZE", 2)

    def small_at_first(layout: list[tuple[str, str]], places: int, is_compiled: bool) -> Any:
        return new_store(layout, 64 if places == 1 << 16 else places, is_compiled)

    for module in (dynamic_programming, stores):
        monkeypatch.setattr(module, "new_store", small_at_first)
    for method, speed in (("retrograde", "compiled"), ("memo", "interpreted"), ("memo", "compiled")):
        solution = solve(game, game.initial(), method, speed=speed)
        assert (solution.positions, solution.value) == (5_478, 0)


# Unsuitable games and interruptions. -------------------------------------------------------------
@pytest.mark.parametrize("method", ["memo", "retrograde"])
def test_a_game_far_too_large_for_memory_is_refused_long_before_memory_is_full(
    method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = load("tictactoe")
    monkeypatch.setattr(graphs, "FIRST_SIZE", 256)
    monkeypatch.setattr(dynamic_programming, "new_store", lambda layout, _, *rest: new_store(layout, 256, *rest))
    for module in (graphs, dynamic_programming):
        monkeypatch.setattr(module, "MANY", 256)
    monkeypatch.setattr("gamesearch.solvers.estimate.physical_memory", lambda: 1000)
    monkeypatch.setattr(graphs, "physical_memory", lambda: 1000)
    with pytest.raises(GamesearchError, match="far too many for 0 MB of memory"):
        solve(game, game.initial(), method, speed="interpreted")


def test_a_finished_game_is_its_own_solution() -> None:
    game = load("tictactoe")
    s = game.parse("XXX/OO./...")
    for method in ("memo", "retrograde"):
        solution = solve(game, s, method, speed="interpreted")
        assert (solution.value, solution.distance, solution.best, solution.moves) == (1, 0, (), ())


@pytest.mark.parametrize("method", ["memo", "retrograde"])
def test_solving_can_be_interrupted(method: str) -> None:
    game = load("connect4(rows=5, columns=5)")
    monitor = Monitor(interval=0.01)

    def poll(progress: Progress) -> bool:
        if progress.nodes > 2000:
            monitor.interrupted = True
        return progress.nodes > 2000

    monitor.poll = poll
    with pytest.raises(GamesearchError, match="interrupted"):
        solve(game, game.initial(), method, speed="interpreted", monitor=monitor)


class FarAway(Take):
    """The game Take, but the number of counters is too large for a machine word."""

    base = 1 << 70

    def initial(self) -> Counters:
        return Counters(self.base + 8, MAX)

    def moves(self, s: Counters) -> Iterator[int]:
        yield from (m for m in (1, 2, 3) if s.left - m >= self.base)

    def terminal(self, s: Counters) -> bool:
        return s.left == self.base


def test_states_too_wide_for_compiled_code_are_solved_interpreted() -> None:
    game = FarAway()
    found = solve(game, game.initial(), "retrograde")
    assert (found.value, found.distance, found.speed) == (0, 4, "interpreted")
    with pytest.raises(GamesearchError, match="cannot be compiled: Numba fails with ValueError"):
        solve(game, game.initial(), "retrograde", speed="compiled")


@pytest.mark.parametrize(
    ("heaps", "value", "best"),
    [("1000000-999999-31", 1, ["a32"]), ("90000-90000", -1, []), ("70000-1-2", 1, ["a69997"])],
)
@pytest.mark.parametrize("method", ["auto", "grundy"])
def test_grundy_numbers_need_no_list_of_moves(heaps: str, value: int, best: list[str], method: str) -> None:
    """A position of Nim may have too many moves to search, but its Grundy number is easy to compute."""
    game = load(f"nim(heaps={heaps})")
    found = solve(game, game.initial(), method)
    assert (found.value, found.method) == (value, "grundy")
    assert [game.move_name(game.initial(), move) for move in found.best] == best
    assert "65,536 moves" in found.note


def test_the_search_for_a_winning_move_can_be_interrupted() -> None:
    game, monitor = load("nim(heaps=1000000-999999-31)"), Monitor()
    monitor.interrupted = True
    with pytest.raises(Interrupted, match="interrupted after 0 moves"):
        solve(game, game.initial(), "grundy", monitor=monitor)


REFUSED = """
pig: memo => can repeat
pig: search => can repeat
pig: retrograde => use the method iteration
pig: proof => use the method iteration
chess: memo => use the method retrograde
go(size=3): retrograde => use the method search
go(size=2): proof => use the method search
checkers(size=4): proof(search=dfpn) => leave out search=
checkers(size=4): proof(search=pn2) => leave out search=
random_tree(chance=true): proof => chance nodes
tree({1,2}): search => use the method memo
tree([(1,2,3),(3,2,1)]): auto => with the algorithm maxn
tictactoe: grundy => not a sum of impartial games
nim(misere=true): grundy => not a sum of impartial games
nim: proof(search=pn3) => did you mean pn
nim: proof(memory=0) => at least 1 MB
nim: proof(memory=100000000) => smaller number
nim: proof(nodes=3) => no parameter 'nodes'
nim: memo(memory=3) => the method memo has no parameters
nim: proof(attack=forcing) => does not define forcing moves
gomoku: proof(attack=al) => did you mean all
nim: prof => did you mean proof
"""


@pytest.mark.parametrize("line", REFUSED.strip().splitlines())
def test_unsuitable_methods_are_refused(line: str) -> None:
    asked, words = line.split(" => ")
    text, method = asked.split(": ")
    game = load(text)
    with pytest.raises(GamesearchError) as refused:
        solve(game, game.initial(), method, speed="interpreted")
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)
