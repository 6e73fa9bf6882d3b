"""Algorithms in a user's file can be loaded, run, counted, traced, compiled and stopped; faulty files are rejected."""

import importlib
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from commands import Cli, complaint, output
from student_files import FILES
from support import Corridor, Take, Trap, textbook_on_paths

import gamesearch
from gamesearch import Limits, search
from gamesearch.algorithms.catalog import is_algorithm, load_algorithm
from gamesearch.algorithms.node.workspace import FULL_DEPTH, MAX_PLY
from gamesearch.algorithms.own import algorithm as own_algorithm
from gamesearch.algorithms.own import source as own_source
from gamesearch.errors import GamesearchError, IllegalMoveError
from gamesearch.play.players import searching
from gamesearch.play.players.loading import load_player
from gamesearch.play.players.player import Turn
from gamesearch.trace.recorder import Recorder

MINIMAX, ALPHABETA, NEGAMAX, EXPECTIMINIMAX = (
    FILES[f"right/{name}"] for name in ("minimax", "alphabeta", "negamax", "expectiminimax")
)
TEXTBOOK = FILES["right/textbook"].replace("None", "-1")  # Numba needs a number for the move
NESTED = """
def minimax_decision(game, state):
    def max_value(state):
        if game.terminal(state):
            return game.utility(state)
        return max(min_value(game.result(state, a)) for a in game.moves(state))

    def min_value(state):
        if game.terminal(state):
            return game.utility(state)
        return min(max_value(game.result(state, a)) for a in game.moves(state))

    if game.player(state) == 0:
        return max(game.moves(state), key=lambda a: min_value(game.result(state, a)))
    return min(game.moves(state), key=lambda a: max_value(game.result(state, a)))
"""
WITHOUT_NUMBER = """
def solve(game, s):
    if game.terminal(s):
        return game.utility(s)
    best = None
    for m in game.moves(s):
        v = solve(game, game.result(s, m))
        if best is None or (v > best if game.player(s) == 0 else v < best):
            best = v
    return best
"""
MINIMAX_WITH_NONE = WITHOUT_NUMBER.replace("best is None or ", "")
CLASS = """
class Table:
    "Minimax with a table."

    def __init__(self, size=1000):
        self.table = {}

    def search(self, game, s, depth=9):
        best = max if game.player(s) == 0 else min
        return self.value(game, s, depth), best(
            game.moves(s), key=lambda m: self.value(game, game.result(s, m), depth - 1)
        )

    def value(self, game, s, depth):
        if (s, depth) not in self.table:
            self.table[s, depth] = self.searched(game, s, depth)
        return self.table[s, depth]

    def searched(self, game, s, depth):
        if game.terminal(s):
            return game.utility(s)
        if depth == 0:
            return game.evaluate(s)
        best = max if game.player(s) == 0 else min
        return best(self.value(game, game.result(s, m), depth - 1) for m in game.moves(s))
"""
DERIVED = """
from gamesearch.algorithms.catalog.alphabeta import AlphaBeta

class Deeper(AlphaBeta):
    "Alpha-beta that is deeper."

    def __init__(self, depth: int = 3, table: bool = False) -> None:
        super().__init__(depth=depth, table=table)
"""
INTERPRETED = ("--speed", "interpreted")
FIGURE = "[[3,12,8],[2,4,6],[14,5,2]]"
PLACES = ["", "X../.O./...", "XX./OX./.OO"]


@pytest.fixture
def file(tmp_path: Path) -> Any:
    """A function that writes an algorithm to a file and returns the path of the file."""

    def write(source: str, name: str = "mine.py") -> str:
        path = tmp_path / name
        path.write_text(source)
        return str(path)

    return write


def search_game(game: Any, position: str, algorithm: str, speed: str = "interpreted", depth: int | None = None) -> Any:
    played, state = (gamesearch.load(game) if isinstance(game, str) else game).setup(position)
    return search(played, state, algorithm, limits=Limits(depth), speed=speed)


def counts(result: Any) -> tuple[int, ...]:
    found = result.statistics
    return found.nodes, found.leaves, found.cutoffs


# Results and counts. ------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("source", "ours"),
    [
        (MINIMAX, "minimax"),
        (ALPHABETA, "alphabeta(distance=false)"),
        (NEGAMAX, "alphabeta(distance=false)"),
        (TEXTBOOK, "alphabeta(distance=false)"),
        (NESTED, "minimax"),
        (CLASS, "minimax"),
        (DERIVED.replace("= 3", "= 9"), "alphabeta"),
    ],
    ids=["minimax", "alphabeta", "negamax", "textbook", "nested", "class", "derived"],
)
def test_a_file_finds_the_same_as_the_built_in_algorithm(file: Any, source: str, ours: str) -> None:
    game, path = gamesearch.load("tictactoe"), file(source)
    for position in PLACES[1:]:
        mine = search_game(game, position, path)
        expected = search(game, game.parse(position), ours, moves=True, speed="interpreted")
        assert mine.value == expected.value
        assert mine.best in {m.move for m in expected.moves if m.value == expected.value}
        if source not in (CLASS, NESTED):  # CLASS has a table, and NESTED makes no recursive call for the root
            assert counts(mine) == counts(expected)


DEEPENING = """
def value(game, s, depth):
    if game.terminal(s):
        return game.utility(s)
    if depth == 0:
        return game.evaluate(s)
    values = [value(game, game.result(s, m), depth - 1) for m in game.moves(s)]
    return max(values) if game.player(s) == 0 else min(values)


def best_move(game, s, depth):
    best = -1
    for plies in range(1, depth + 1):
        most = -1000.0
        for m in game.moves(s):
            worth = value(game, game.result(s, m), plies - 1) * (1 if game.player(s) == 0 else -1)
            if worth > most:
                most, best = worth, m
    return best
"""

VALUE_OR_PAIR = """
from math import inf


def {root}(game, s, depth):
    sign = 1 if game.player(s) == 0 else -1
    most, best = -inf, -1
    for m in game.moves(s):
        worth = above(game, game.result(s, m), depth - 1){index} * sign
        if worth > most:
            most, best = worth, m
    return {returned}


def {helper}(game, s, depth):
    if game.terminal(s):
        return {payoff}
    if depth == 0:
        return {estimate}
    sign = 1 if game.player(s) == 0 else -1
    most, best = -inf, -1
    for m in game.moves(s):
        worth = below(game, game.result(s, m), depth - 1) * sign
        if worth > most:
            most, best = worth, m
    {found}


def below(game, s, depth):
    if game.terminal(s):
        return game.utility(s)
    if depth == 0:
        return game.evaluate(s)
    sign = 1 if game.player(s) == 0 else -1
    most = -inf
    for m in game.moves(s):
        most = max(most, above(game, game.result(s, m), depth - 1){index} * sign)
    return most * sign
"""
ROOTS = {"value": "most * sign", "pair": "most * sign, best", "move without value": "None, best", "move": "best"}
HELPERS = {
    "value": "return most * sign",
    "pair": "return most * sign, best",
    "pair in a variable": "found = most * sign, best\n    return found",
}
HELPERS["pair of a helper"] = f"{HELPERS['pair']}\n\n\ndef above(game, s, depth):\n    return inner(game, s, depth)"


@pytest.mark.parametrize(
    ("helper", "speed"),
    [
        *((helper, "interpreted") for helper in HELPERS),
        *(
            (helper, "compiled") for helper in HELPERS if helper != "pair of a helper"
        ),  # Numba finds no type for `above`
    ],
)
@pytest.mark.parametrize("root", ROOTS)
def test_each_function_returns_a_value_or_a_pair(file: Any, root: str, helper: str, speed: str) -> None:
    """The function `below` returns a value, whatever the other functions return."""
    payoff, estimate = ("game.utility(s)", "game.evaluate(s)")
    if helper != "value":
        payoff, estimate = f"({payoff}, -1)", f"({estimate}, -1)"
    path = file(
        VALUE_OR_PAIR.format(
            root="best_move" if root == "move" else "best_at_root",
            returned=ROOTS[root],
            helper="inner" if "def above" in HELPERS[helper] else "above",
            found=HELPERS[helper],
            index="" if helper == "value" else "[0]",
            payoff=payoff,
            estimate=estimate,
        )
    )
    for position in ("4453", "44535"):
        mine = search_game("connect4", position, path, speed, 3)
        ours = search_game("connect4", position, "minimax", depth=3)
        assert mine.statistics.speed == speed
        assert (mine.value, mine.best, counts(mine)) == (ours.value, ours.best, counts(ours))


OBSERVED = DEEPENING.replace("    best = -1", "    def woven(): return False\n    best = -1")
REPEATED = f"""{DEEPENING[: DEEPENING.index("def best_move")]}
def deepening(game, s, depth):
    found = 0.0
    for plies in range(1, depth + 1):
        found = value(game, s, plies)
    return found
"""


@pytest.mark.parametrize(
    ("source", "speed"),
    [(DEEPENING, "interpreted"), (DEEPENING, "compiled"), (OBSERVED, "interpreted")],
    ids=["interpreted", "compiled", "observed"],
)
def test_the_deepest_value_of_a_returned_move_counts(file: Any, source: str, speed: str) -> None:
    path = file(source)
    for position, depth in (("4453", 3), ("4453", 4), ("44535", 4)):
        mine = search_game("connect4", position, path, speed, depth)
        ours = search_game("connect4", position, "minimax", depth=depth)
        assert (mine.value, mine.best) == (ours.value, ours.best)


OFTEN = """
def maxn(game, s, depth):
    if game.terminal(s):
        return game.utility(s)
    best = game.evaluate(s)
    if depth == 0:
        return best
    most = -1000.0
    for m in game.moves(s):
        value = maxn(game, game.result(s, m), depth - 1)
        if value[game.player(s)] > most:
            most, best = value[game.player(s)], value
    return best


def best_move(game, s, depth, chosen=0):
    for i in range(15_000):
        for m in game.moves(s):
            if m > 0 or i == 0:
                found = maxn(game, game.result(s, m), 9 if m == 0 or i == 14_999 else 0)
    return chosen
"""


@pytest.mark.parametrize("speed", ["interpreted", "compiled", "observed"])
def test_the_last_value_of_a_move_counts_even_after_many_values_of_other_moves(file: Any, speed: str) -> None:
    source = OFTEN if speed != "observed" else OFTEN.replace("    for i", "    def woven(): return False\n    for i")
    tree, path = "[[(1,2,6),(4,3,2)],[(6,1,3),(7,4,1)],[(5,5,5),(8,4,4)]]", file(source)
    for move, value in ((0, (4, 3, 2)), (2, (5, 5, 5))):
        found = search_game(tree, "", f"{path}(chosen={move})", speed.replace("observed", "interpreted"))
        assert found.value == value


@pytest.mark.parametrize(
    ("source", "speed"),
    [
        (DEEPENING, "interpreted"),
        (DEEPENING, "compiled"),
        (OBSERVED, "interpreted"),
        (REPEATED, "interpreted"),
        (FILES["right/iterative_deepening"], "interpreted"),
    ],
    ids=["interpreted", "compiled", "observed", "repeated", "with a helper for the root"],
)
def test_a_stopped_search_plays_the_move_of_its_last_complete_iteration(file: Any, source: str, speed: str) -> None:
    path, game = file(source), gamesearch.load("connect4")
    for position in ("4453", "44535"):
        for depth in (1, 2, 3):
            complete = search_game("connect4", position, path, speed, depth)
            for more in (1, 9, 30):
                limits = Limits(8, nodes=complete.statistics.nodes + more)
                stopped = search(game, game.parse(position), path, limits=limits, speed=speed)
                assert (stopped.stopped, stopped.best) == ("nodes", complete.best)
                assert stopped.value == (None if source == OBSERVED else complete.value)


@pytest.mark.parametrize("source", [DEEPENING, OBSERVED], ids=["woven", "observed"])
def test_the_root_of_a_tree_has_the_value_of_the_last_iteration(file: Any, source: str) -> None:
    game, algorithm = gamesearch.load("connect4"), load_algorithm(file(source), {"depth": 2})
    recorder = Recorder(game, game.parse("4453"), algorithm)
    result = search(game, game.parse("4453"), algorithm, observer=recorder)
    events = recorder.finish(result).events
    assert [e["value"] for e in events if e["event"] == "leave" and e["node"] == 0] == [result.value]


def test_the_root_counts_even_if_only_its_children_are_searched(file: Any) -> None:
    assert search_game(FIGURE, "", file(NESTED)).statistics.nodes == 13
    assert search_game(FIGURE, "", file(TEXTBOOK)).statistics.nodes == 11


@pytest.mark.parametrize(("game", "depth"), [("pig", 3), ("random_tree(branching=2, depth=5, chance=true)", 4)])
def test_only_files_that_call_outcomes_search_chance_nodes(file: Any, game: str, depth: int) -> None:
    mine = search_game(game, "", file(EXPECTIMINIMAX), depth=depth)
    ours = search_game(game, "", "expectiminimax(pruning=none, order=generated)", depth=depth)
    assert mine.value == pytest.approx(ours.value)
    assert mine.statistics.nodes == ours.statistics.nodes
    with pytest.raises(GamesearchError, match=r"never calls game\.outcomes"):
        search_game(game, "", file(MINIMAX), depth=depth)


def test_the_tree_of_a_file_is_the_tree_of_the_built_in_algorithm(file: Any) -> None:
    def record_events(algorithm: str) -> list[Any]:
        game = gamesearch.load(FIGURE)
        chosen = load_algorithm(algorithm)
        recorder = Recorder(game, game.initial(), chosen)
        recording = recorder.finish(search(game, game.initial(), chosen, observer=recorder))
        return recording.events

    assert record_events(file(ALPHABETA)) == record_events("alphabeta(distance=false)")
    assert record_events(file(NEGAMAX)) == record_events("alphabeta(distance=false)")
    values = [(e["node"], e["value"]) for e in record_events(file(NESTED)) if e["event"] == "leave"]
    assert values == [(e["node"], e["value"]) for e in record_events("minimax") if e["event"] == "leave"]


def test_a_quiescence_search_at_the_horizon_belongs_to_its_node(file: Any) -> None:
    source = MINIMAX.replace("return game.evaluate(s)", "return quiet(game, s, 1)") + (
        "\ndef quiet(game, s, more):\n"
        "    if more == 0 or game.terminal(s):\n"
        "        return game.evaluate(s)\n"
        "    return max(quiet(game, game.result(s, m), more - 1) for m in game.moves(s))\n"
    )
    assert search_game("tictactoe", "", file(source, "minimax.py"), depth=1).statistics.nodes == 1 + 9 + 9 * 8


# Name and parameters. ------------------------------------------------------------------------------
def test_parameters_are_those_of_the_function(file: Any) -> None:
    path = file(ALPHABETA.replace("alpha, beta):", "alpha, beta, width=5, greedy=False):"))
    algorithm = load_algorithm(f"{path}(depth=3, greedy=true)")
    assert algorithm.specification == f"{path}(depth=3, greedy=true)"
    assert load_algorithm(algorithm.specification).specification == algorithm.specification
    assert is_algorithm(path)
    assert is_algorithm("alphabeta")
    assert not is_algorithm("alphabetta")
    for wrong, message in (("widht=3", "did you mean width"), ("width=x", "whole number"), ("depth=0", "depth must")):
        with pytest.raises(GamesearchError, match=message):
            load_algorithm(f"{path}({wrong})")


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("x = 1", "has no algorithm"),
        ("import functools\nminimax = functools.partial(max, 1)", "has no algorithm"),
        ("def minimax(", "SyntaxError"),
        ("import sys; sys.exit()", "ends the program"),
        (
            "def minimax(state, game): return 0",
            r"has the parameters \(state, game\): write def minimax\(game, s, ...\)",
        ),
        ("def minimax(game, s, width): return 0", "a parameter `width` without a default"),
        ("def minimax(game, s, limits=3): return 0", "a name that gamesearch uses itself: rename it"),
        ("def minimax(game, s, player=1): return 0", r"rename it to color \(if it is 1 or -1\)"),
        ("def a(game, s): return 0\ndef b(game, s): return 0", "several definitions that may be the algorithm"),
        ("def evaluate(game, s): return 0", "defines an evaluation and no algorithm"),
        ("import gamesearch\nclass Mine(gamesearch.Game): pass", "defines the game Mine, but no algorithm"),
    ],
)
def test_a_file_without_an_algorithm_is_refused(file: Any, source: str, message: str) -> None:
    with pytest.raises(GamesearchError, match=message):
        load_algorithm(file(source))


def test_a_helper_with_only_the_game_is_not_the_algorithm(file: Any) -> None:
    source = "def size(game): return 1\n\ndef choose(game, s): return 0.5\n"
    assert search_game("tictactoe", "", file(source), depth=1).value == 0.5


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("def minimax(game, s): return None", "returned None"),
        ("def minimax(game, s): return float('nan')", "returned nan"),
        ("def best_move(game, s): return 77", "not a legal move in .*; the name of a function"),
        ("def minimax(game, s): return 0.5, 77", "not a legal move"),
        ("def minimax(game, s):\n    return 1 / 0", r"ZeroDivisionError in mine.py, line 2"),
        ("def minimax(game, s):\n    exit()", "mine.py, line 2, ends the program: remove exit()"),
        ("def minimax(game, s):\n    return s if quit(0) else 1", "mine.py, line 2, ends the program"),
        ("import sys\ndef minimax(game, s):\n    sys.exit('no')", "mine.py, line 3, ends the program"),
        ("class A:\n    def __init__(self): raise SystemExit\n    def search(self, game, s): pass", "line 2, ends"),
        ("class A:\n    def search(self, game, s):\n        raise SystemExit(0)", "mine.py, line 3, ends"),
        ("def minimax(game, s):\n    return len(game.moves(s))", r"line 2: .*; write list\(game.moves\(s\)\)"),
        ("def f(game, s):\n    if game.terminal(s): return 'won'\n    values = [f(game, game.result(s, m))\n"
         "              for m in game.moves(s)]\n    return max(values)", "TypeError in mine.py, line 3: '>' not supp"),
        (MINIMAX_WITH_NONE, "'NoneType': .*-math.inf"),
        (MINIMAX_WITH_NONE.replace("None", "-2").replace("v = ", "v = 0, "), "'tuple' and 'int': .*pair"),
        ("def minimax(game, s):\n    return minimax(game, s)", "without end"),
        ("def f(game, s):\n    if game.terminal(s): return 0\n    for m in game.moves(s): f(game, game.result(s, m))",
         r"f \(mine.py, line 1\) returned nothing"),
    ],
)  # fmt: skip
def test_errors_name_their_line(file: Any, source: str, message: str) -> None:
    with pytest.raises(GamesearchError, match=message):
        search_game("tictactoe", "", file(source))


def test_an_algorithm_in_place_of_a_game_is_recognized(file: Any, capsys: pytest.CaptureFixture[str]) -> None:
    path = file(MINIMAX)
    assert f"--algorithm {path}" in complaint(capsys, "analyze", path)


# Limits. -------------------------------------------------------------------------------------------
def test_a_search_is_stopped_at_its_nodes_and_gives_the_best_so_far(file: Any) -> None:
    result = search_game("tictactoe", "", file(ALPHABETA))
    game = gamesearch.load("tictactoe")
    stopped = search(game, game.initial(), file(ALPHABETA), limits=Limits(nodes=result.statistics.nodes - 1))
    assert (stopped.stopped, stopped.statistics.nodes) == ("nodes", result.statistics.nodes - 1)
    assert stopped.best == result.best


def test_endless_code_is_stopped_at_the_time_limit(file: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_algorithm, "PATIENCE", 0.1)
    path = file("def f(game, s):\n    while True: pass")
    assert search(Take(10), Take(10).initial(), path, limits=Limits(time=0.05)).stopped == "time"
    game = gamesearch.load("tictactoe")
    player, turn = load_player(path, game, 0.05), Turn(game, (game.initial(),), (), Limits())
    assert player.answer(turn).stopped == "time", "a player has the time limit of the command"
    monkeypatch.setattr(searching, "speed_for", lambda *_: "compiled")  # so that the player prepares a search
    monkeypatch.setattr(searching, "TO_PREPARE", replace(searching.TO_PREPARE, time=0.05))
    player.prepare(turn)  # ends


@pytest.mark.parametrize(
    ("game", "position", "depth"),
    [("[[1,2],3]", "", 3), ("tictactoe", PLACES[2], 4), ("tictactoe", "", 10), ("connect4", "", MAX_PLY)],
)
def test_the_depth_of_a_search_to_the_end_is_greater_than_every_line(
    file: Any, game: str, position: str, depth: int
) -> None:
    source = "def value(game, s, depth): return depth / 2"
    assert search_game(game, position, file(source), depth=FULL_DEPTH).value == depth / 2
    if position:
        mine, ours = (search_game(game, position, each, depth=FULL_DEPTH) for each in (file(DEEPENING), "minimax"))
        assert (mine.value, mine.best) == (ours.value, ours.best)


@pytest.mark.parametrize("source", [MINIMAX, CLASS], ids=["woven", "observed"])
def test_measuring_the_depth_leaves_time_and_nodes_for_the_search(file: Any, source: str) -> None:
    class Slow(Take):
        made = 0

        def result(self, s: Any, m: int) -> Any:
            self.made += 1
            time.sleep(0.002)
            return super().result(s, m)

    game, path = Slow(1000), file(source)
    stopped = search(game, game.initial(), path, limits=Limits(depth=FULL_DEPTH, time=0.2))
    assert stopped.stopped == "time"
    assert stopped.statistics.nodes > 1
    assert stopped.statistics.seconds < 2
    game.made = 0
    search(game, game.initial(), path, limits=Limits(depth=FULL_DEPTH, nodes=20))
    assert game.made < 100


def test_a_search_measures_the_depth_only_once(file: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    measure = Mock(wraps=own_algorithm.depth_of_tree)
    monkeypatch.setattr(own_algorithm, "depth_of_tree", measure)
    monkeypatch.setattr(own_algorithm, "FEW_NODES", 20)
    game, path = Take(10), file(MINIMAX)
    for _ in range(2):
        assert search(game, game.initial(), path, limits=Limits(depth=FULL_DEPTH)).statistics.speed == "compiled"
    assert measure.call_count == 2


@pytest.mark.parametrize(
    ("source", "deepens"),
    [
        (DEEPENING, True),
        (REPEATED, True),
        (FILES["right/deepening_class"], True),
        (
            REPEATED.replace("for plies in range(1, depth + 1):", "plies = 0\n    while (plies := plies + 1) < depth:"),
            True,
        ),
        (MINIMAX, False),
        (CLASS, False),
    ],
)
def test_only_a_function_that_deepens_ignores_the_suggested_depth_if_the_time_is_limited(
    file: Any, source: str, deepens: bool
) -> None:
    game, path = gamesearch.load("connect4"), file(source)
    algorithm = load_algorithm(path)
    suggested = algorithm.depth or game.suggested_depth
    assert algorithm.limits(game, Limits()).depth == suggested
    assert algorithm.limits(game, Limits(time=1.0)).depth == (
        FULL_DEPTH if deepens and not algorithm.depth else suggested
    )
    assert load_algorithm(path, {"depth": 2}).limits(game, Limits(time=1.0)).depth == 2


def test_a_function_without_a_depth_chooses_its_depth(file: Any, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("analyze", "tictactoe", PLACES[2], "-a", file(TEXTBOOK))
    assert "depth 3" in output(capsys, *arguments, "--moves")
    assert "has no depth limit" in complaint(capsys, *arguments, "--depth", "1")


# Machine code. -------------------------------------------------------------------------------------
@pytest.mark.parametrize(("source", "depth"), [(NEGAMAX, 9), (TEXTBOOK, None)], ids=["negamax", "textbook"])
def test_both_speeds_visit_the_same_nodes(file: Any, source: str, depth: int | None) -> None:
    path = file(source)
    compiled, interpreted = (search_game(Take(7), "", path, speed, depth) for speed in ("compiled", "interpreted"))
    assert compiled.statistics.speed == "compiled"
    assert (compiled.value, compiled.line) == (interpreted.value, interpreted.line)
    assert counts(compiled) == counts(interpreted)


def test_compiled_files_handle_repetition(file: Any) -> None:
    game = Trap(5, places=6)  # a repetition is forbidden; if it were allowed, the value would be -0.5
    compiled, interpreted = (search_game(game, "", file(ALPHABETA), speed, 7) for speed in ("compiled", "interpreted"))
    assert compiled.value == textbook_on_paths(game, game.initial(), 7)
    assert (compiled.value, compiled.line, counts(compiled)) == (
        interpreted.value, interpreted.line, counts(interpreted),
    )  # fmt: skip


def test_a_list_of_values_is_a_draw_if_every_move_is_forbidden(file: Any) -> None:
    """After the move to place 0, the only move leads back to the root."""
    source = (
        "def minimax(game, s, depth):\n"
        "    if game.terminal(s):\n"
        "        return game.utility(s)\n"
        "    values = [minimax(game, game.result(s, m), depth - 1) for m in game.moves(s)]\n"
        "    return max(values) if game.player(s) == 0 else min(values)\n"
    )
    game, algorithm = Corridor(4, 1), file(source)
    for speed in ("interpreted", "compiled"):
        result = search(game, game.initial(), algorithm, limits=Limits(depth=9), speed=speed, moves=True)
        assert result.value == textbook_on_paths(game, game.initial(), 9) == 0
        assert result.best == -1


def test_only_long_searches_are_compiled_and_they_stop_at_their_nodes_and_time(file: Any) -> None:
    game, path = Take(60), file(MINIMAX)

    def run_search(algorithm: str = path, speed: str = "auto", **limits: Any) -> Any:
        return search(game, game.initial(), algorithm, limits=Limits(depth=60, **limits), speed=speed)

    assert run_search(nodes=5_000).statistics.speed == "interpreted"
    stopped, expected = run_search(nodes=30_000), run_search("minimax", "interpreted", nodes=30_000)
    assert (stopped.stopped, stopped.statistics.speed) == ("nodes", "compiled")
    assert (stopped.value, stopped.line, *counts(stopped)) == (expected.value, expected.line, *counts(expected))
    late = run_search(speed="compiled", time=0.1)
    assert (late.stopped, late.statistics.speed) == ("time", "compiled")


def test_helpers_for_the_same_position_are_woven(file: Any) -> None:
    source = MINIMAX.replace("if game.terminal(s):", "if ends(game, s, depth):").replace(
        "return game.utility(s)\n    if depth == 0:\n        return game.evaluate(s)", "return leaf(game, s)"
    )
    source += (
        "def ends(game, s, depth):\n    return depth == 0 or game.is_terminal(s)\n"
        "def leaf(game, s):\n    return game.utility(s) if game.is_terminal(s) else game.evaluate(s)\n"
    )
    mine = search_game(Take(10), "", file(source), "compiled", 4)
    assert counts(mine) == counts(search_game(Take(10), "", "minimax", "interpreted", 4))


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        (NESTED, "counting and limits cannot be added to line 3, because max_value is defined inside"),
        (CLASS, "counting and limits cannot be added to line .*, because Table is a class"),
    ],
)
def test_the_reason_for_not_compiling_is_given(file: Any, source: str, reason: str) -> None:
    with pytest.raises(GamesearchError, match=rf"mine.py cannot be compiled: {reason}"):
        search_game("tictactoe", PLACES[1], file(source), "compiled")


@pytest.mark.parametrize(
    "arguments",
    [
        ("bench", "tictactoe", PLACES[2], "--depth", "2", "--algorithms", "{},minimax,{}"),
        ("compare", "tictactoe", PLACES[2], "--depth", "2", "--algorithms", "minimax,{}"),
        ("analyze", "tictactoe", PLACES[2], "--verbose", "--algorithm", "{}", "--depth", "2"),
        ("match", "tictactoe", "{}", "--depths", "1,2", "--games", "2"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_a_command_says_once_why_a_file_is_interpreted(
    file: Any, cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    path = file(OBSERVED)
    given = [each.replace("{}", path) for each in arguments]
    reason = str(load_algorithm(path).why_interpreted)
    assert "line" in reason
    assert cli.run(*given, "--speed", "auto").err.count(f"mine.py is interpreted: {reason}") == 1
    assert reason not in cli.run(*given, "--speed", "interpreted").err


def test_a_search_that_cannot_be_compiled_runs_interpreted_and_says_why(
    file: Any, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(own_algorithm, "FEW_NODES", 100)
    printed = cli.run("analyze tictactoe", PLACES[1], "--algorithm", file(WITHOUT_NUMBER), "--speed", "auto")
    assert printed.out.rstrip().endswith("interpreted")
    assert printed.err.count("mine.py is interpreted: Numba needs a number on every path") == 1
    assert "instead of None, True or False (mine.py, line 5)\n" in printed.err  # the line `best = None`
    assert "compiling solve\n" in printed.err


def test_an_edited_helper_is_compiled_again(file: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If only a helper in another file was edited, the old code in the cache is not used."""
    monkeypatch.syspath_prepend(tmp_path)
    for estimate in ("0.25", "0.125"):
        file(f"def estimate(game, s):\n    return {estimate}\n", "edited_helper.py")
        path = file("from edited_helper import estimate\n" + MINIMAX.replace("game.evaluate(s)", "estimate(game, s)"))
        importlib.invalidate_caches()
        monkeypatch.delitem(sys.modules, "edited_helper", raising=False)
        own_source.read.cache_clear()
        mine = search_game(Take(10), "", path, "compiled", 2)
        assert (mine.value, mine.statistics.speed) == (float(estimate), "compiled")


# Command line. -------------------------------------------------------------------------------------
def test_commands_accept_an_algorithm_in_a_file(file: Any, capsys: pytest.CaptureFixture[str]) -> None:
    path = file(ALPHABETA)
    assert "nodes" in output(capsys, "analyze", "tictactoe", PLACES[2], "-a", path, "--tree")
    both = ("--algorithms", f"minimax,{path}")
    assert path in output(capsys, "bench", "tictactoe", PLACES[2], *both, "--depth", "2", *INTERPRETED)
    assert "cut" in output(capsys, "compare", FIGURE, *both)
    assert "depth" in output(capsys, "algorithms", path)
    assert "Max tries" in output(capsys, "watch", FIGURE, "-a", path)


@pytest.mark.parametrize(
    "source",
    [
        "minimax = lambda game, s, depth: (game.utility(s) if game.terminal(s) else game.evaluate(s) if depth == 0\n"
        "    else (max if game.player(s) == 0 else min)(\n"
        "        minimax(game, game.result(s, m), depth - 1) for m in game.moves(s)))\n",
        MINIMAX.replace(
            "def minimax",
            "def remembered(function):\n    values = {}\n    def call(game, s, depth):\n"
            "        if (s, depth) not in values:\n            values[s, depth] = function(game, s, depth)\n"
            "        return values[s, depth]\n    return call\n\n@remembered\ndef minimax",
        ),
    ],
    ids=["lambda", "decorated"],
)
def test_algorithms_that_are_not_plain_functions_run_interpreted(file: Any, source: str) -> None:
    mine = search_game("tictactoe", PLACES[1], file(source), "interpreted", 4)
    assert mine.value == search_game("tictactoe", PLACES[1], "minimax", "interpreted", 4).value


def test_a_function_whose_calls_are_hidden_plays_only_if_it_returns_a_move(file: Any) -> None:
    game = gamesearch.load("tictactoe")
    turn = Turn(game, (game.initial(),), ())
    with pytest.raises(IllegalMoveError, match=r"mine.py, line 1"):
        load_player(file("minimax = lambda game, s: 0.5"), game).answer(turn)
    assert load_player(file("minimax = lambda game, s: (0.5, 3)"), game).answer(turn).best == 3
