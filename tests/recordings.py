"""Recorded searches, which the tests of traces use. Each search runs once, so tests must not change its recording."""

import functools
from typing import Any

from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.engine.result import Limits, SearchResult
from gamesearch.api import search, solve
from gamesearch.registry import load
from gamesearch.solvers.proof.watching import proof_to_watch, watch_proof
from gamesearch.trace.recorder import EventForwarder, Recorder, TreeRecorder
from gamesearch.trace.recording import RecordedNode, Recording
from gamesearch.trace.stepping import Stepper

__all__ = [
    "DEPTH_FIRST", "EXPANSIONS", "GRAPHS", "LECTURE", "PLAYOUTS", "PROOFS", "THREE", "TWO_PLY", "moments",
    "near_the_root", "proof_near_the_root", "record_and_solve", "record_proof", "record_search", "record_twice",
    "recording_of", "root_of", "trace_of", "worth",
]  # fmt: skip

TWO_PLY = "[[3,12,8],[2,4,6],[14,5,2]]"
"""The game tree of Russell and Norvig's figure 5.2."""
THREE = "[[[(1,2,6),(4,2,3)],[(6,1,2),(7,4,1)]],[[(5,1,1),(1,5,2)],[(7,7,1),(5,4,5)]]]"
DEPTH_FIRST = [
    (TWO_PLY, "", "alphabeta"),
    (TWO_PLY, "", "minimax"),
    (TWO_PLY, "", "alphabeta(fail=hard)"),
    ("tictactoe", "XX./OX./.OO", "alphabeta(table=true, window=null)"),
    ("tictactoe", "X.O/.X./...", "alphabeta(bounds=true)"),
    ("tictactoe", "X../.O./..X", "alphabeta(table=true, memory=1, deepen=true)"),
    ("tictactoe", "XO./X../...", "pvs(depth=3)"),
    ("nim", "2,3", "minimax"),
    ("connect4(rows=4, columns=4)", "", "alphabeta(depth=4)"),
    ("pig(target=12)", "", "expectiminimax(depth=3, pruning=star2)"),
    ("{1/2: 8, 1/3: 24, 1/6: -12}", "", "expectiminimax"),
    ("[[(1,2,6),(4,2,3)],[(6,1,2),(7,4,1)]]", "", "maxn"),
    (THREE, "", "paranoid"),
]
PLAYOUTS = [
    ("tictactoe", "XO./.../...", "mcts(playouts=120)"),
    ("tictactoe", "XO./.../...", "mcts(playouts=120, solver=false, rave=50, urgency=0.6)"),
    ("connect4(rows=4, columns=4)", "", "mcts(playouts=40, implicit=0.3, plies=4)"),
    ("hex(size=3)", "", "mcts(playouts=60)"),
    ("pig(target=8)", "", "mcts(playouts=80)"),
    (THREE, "", "mcts(playouts=60)"),
    ("[{1/4: 3, 3/4: [0, -2]}, [{5, 1/2}, 1, [2, 0]], 0]", "", "mcts(playouts=60)"),
    ("tictactoe", "XO./.../...", "montecarlo(playouts=60, race=ucb)"),
    ("pig(target=8)", "", "montecarlo(playouts=30)"),
    (THREE, "", "montecarlo(playouts=40, race=halving)"),
]
LECTURE = "[[99,1000,1000,1000],[100,101,102,100]]"
EXPANSIONS = [
    ("tictactoe", "XO./.../...", "bestfirst(expansions=60)"),
    ("[[3,12,8],[2,4,6],[14,5,2]]", "", "bestfirst"),
    ("connect4", "4453", "bestfirst(expansions=40)"),
    (LECTURE, "", "beliefs(error=5, leaves=payoffs)"),
    ("tictactoe", "XO./.../...", "beliefs(expansions=30)"),
    ("connect4", "4453", "beliefs(expansions=20, error=0.3)"),
    ("pig(target=20)", "7,2,5", "beliefs(expansions=12)"),
    ("tictactoe", "XO./.../...", "beliefs(leaves=playouts, expansions=15)"),
    ("[{1/4: 3, 3/4: [0, -2]}, [{5, 1/2}, 1, [2, 0]], 0]", "", "beliefs"),
]
PROOFS = [
    ("hex(size=3)", "", "proof(search=pn)"),
    ("hex(size=3)", "", "proof"),
    ("tictactoe", "XO./.X./..O", "proof(search=pn2)"),
    ("tictactoe", "X.O/.../...", "proof"),
    ("nim(heaps=1-2-3)", "", "proof(search=pn)"),
    ("random_tree(branching=3, depth=4, values=5, seed=3)", "", "proof(search=pn)"),
    ("random_tree(branching=3, depth=4, values=5, seed=3)", "", "proof(search=dfpn)"),
]
GRAPHS = [
    ("tictactoe", "XO./.X./..O", "proof(search=graph)"),
    ("checkers(size=4)", "B:W6,7:B2,3", "proof"),
    ("go(size=2, superko=false)", "", "proof"),
]
"""Proof searches on a graph of positions; positions can repeat in the last two games."""


@functools.cache
def record_twice(
    game: str, algorithm: str, position: str = "", most: int = 10_000, plies: int = 3, width: int = 6, **limits: Any
) -> tuple[Recording, Recording, SearchResult]:
    """Search once with two recorders; return the recording of the tree, the recording of all events, and the result."""
    rules, state = load(game).setup(position)
    chosen = load_algorithm(algorithm)
    tree, whole = TreeRecorder(rules, state, chosen, plies, width), Recorder(rules, state, chosen, most)
    result = search(rules, state, chosen, limits=Limits(**limits), observer=EventForwarder(tree, whole))
    return tree.finish(result), whole.finish(result), result


def near_the_root(game: str, algorithm: str, position: str = "", **options: Any) -> Recording:
    """Search, and return the recording of the tree near the root."""
    return record_twice(game, algorithm, position, **options)[0]


@functools.cache
def record_search(
    game: str, algorithm: str, position: str = "", most: int = 10_000, **limits: Any
) -> tuple[Recording, SearchResult]:
    """Search with a recorder; return the recording and the result."""
    rules, state = load(game).setup(position)
    chosen = load_algorithm(algorithm)
    recorder = Recorder(rules, state, chosen, most)
    result = search(rules, state, chosen, limits=Limits(**limits), observer=recorder)
    return recorder.finish(result), result


def recording_of(
    game: str = TWO_PLY, algorithm: str = "alphabeta", position: str = "", most: int = 10_000, **limits: Any
) -> Recording:
    """Search, and return the recording."""
    return record_search(game, algorithm, position, most, **limits)[0]


def trace_of(game: str, algorithm: str, position: str = "", most: int = 10_000, **limits: Any) -> str:
    """Search, and return the recording as the text of a trace file."""
    return recording_of(game, algorithm, position, most, **limits).text


@functools.cache
def record_proof(
    game: str, method: str, position: str = "", most: int = 10_000, nodes: int | None = None
) -> tuple[Recording, SearchResult]:
    """Run a proof search with a recorder; return the recording and the result."""
    rules, state = load(game).setup(position)
    asked = proof_to_watch(rules, state, method)
    recorder = Recorder(rules, state, asked, most)
    result = watch_proof(rules, state, asked, recorder, nodes=nodes)
    return recorder.finish(result), result


@functools.cache
def proof_near_the_root(game: str, method: str, position: str = "", plies: int = 3, width: int = 6) -> Recording:
    """Run a proof search, and return the recording of the tree near the root."""
    rules, state = load(game).setup(position)
    asked = proof_to_watch(rules, state, method)
    recorder = TreeRecorder(rules, state, asked, plies, width)
    return recorder.finish(watch_proof(rules, state, asked, recorder))


def record_and_solve(game: str, position: str, method: str) -> Recording:
    """Return the recording of a whole proof search; `solve` must find the same result with the same number of nodes."""
    rules, state = load(game).setup(position)
    recording, found = record_proof(game, method, position)
    solution = solve(rules, state, method, speed="interpreted")
    assert (found.value, found.statistics.nodes) == (solution.value, solution.positions)
    assert found.best in solution.best
    assert recording.end["left_out"] == 0
    return recording


def root_of(recording: Recording) -> RecordedNode:
    """Return the root of a recording, which must exist."""
    assert recording.root is not None
    return recording.root


def worth(stepper: Stepper, node: RecordedNode) -> float:
    """Return the value that a node has after the events that a stepper has shown."""
    value = stepper.state_of(node.number).value
    assert isinstance(value, (int, float))
    return float(value)


def moments(recording: Recording) -> list[int]:
    """Return the indices of the events at which an expansion is complete."""
    return [number for number, event in enumerate(recording.events) if event["event"] == "expanded"]
