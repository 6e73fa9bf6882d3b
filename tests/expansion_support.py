"""Recorded searches that expand leaves, for the tests of their traces."""

import functools
from collections.abc import Sequence

from recordings import proved, recorded

from gamesearch.api import solve
from gamesearch.registry import load
from gamesearch.trace.recording import RecordedNode, Recording
from gamesearch.trace.stepping import Stepper

__all__ = [
    "GRAPHS",
    "LECTURE",
    "PROOFS",
    "SEARCHES",
    "every_recording",
    "moments",
    "proved_as_solved",
    "root_of",
    "worth",
]

LECTURE = "[[99,1000,1000,1000],[100,101,102,100]]"
SEARCHES = [
    ("tictactoe", "XO./.../...", "bestfirst(expansions=60)"),
    ("[[3,12,8],[2,4,6],[14,5,2]]", "", "bestfirst"),
    ("connect4", "4453", "bestfirst(expansions=40)"),
    ("nim(heaps=1-2-3)", "", "bestfirst(expansions=30)"),
    (LECTURE, "", "beliefs(error=5, leaves=payoffs)"),
    ("tictactoe", "XO./.../...", "beliefs(expansions=30)"),
    ("connect4", "4453", "beliefs(expansions=20, error=3)"),
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
    ("dotsandboxes(rows=1, columns=2)", "", "proof(search=pn)"),
    ("random_tree(branching=3, depth=4, values=5, seed=3)", "", "proof(search=pn)"),
    ("random_tree(branching=3, depth=4, values=5, seed=3)", "", "proof(search=dfpn)"),
]
GRAPHS = [
    ("tictactoe", "XO./.X./..O", "proof(search=graph)"),
    ("dotsandboxes(rows=1, columns=2)", "", "proof(search=graph)"),
    ("checkers(size=4)", "", "proof"),
    ("go(size=2, superko=false)", "", "proof"),
]
"""Proof searches on a graph of positions; in the last two, positions repeat."""


@functools.cache
def every_recording() -> Sequence[Recording]:
    """Return recordings of all searches and all proof searches."""
    searches = [recorded(game, algorithm, position) for game, position, algorithm in SEARCHES]
    return [*searches, *(proved(game, method, position)[0] for game, position, method in [*PROOFS, *GRAPHS])]


def proved_as_solved(game: str, position: str, method: str) -> Recording:
    """Record a whole proof search, and check that `solve` finds the same result with the same number of nodes."""
    rules, state = load(game).setup(position)
    recording, found = proved(game, method, position)
    solution = solve(rules, state, method, speed="interpreted")
    assert (found.value, found.statistics.nodes) == (solution.value, solution.positions)
    assert found.best in solution.best
    assert recording.end["left_out"] == 0
    return recording


def root_of(recording: Recording) -> RecordedNode:
    """Return the root, which must exist."""
    assert recording.root is not None
    return recording.root


def worth(stepper: Stepper, node: RecordedNode) -> float:
    """Return the current value of a node."""
    value = stepper.known(node.number).value
    assert isinstance(value, (int, float))
    return float(value)


def moments(recording: Recording) -> list[int]:
    """Return the numbers of the events that complete an expansion."""
    return [number for number, event in enumerate(recording.events) if event["event"] == "expanded"]
