"""If repetition is a draw or forbidden, searches and solvers find the values of reference searches without a table."""

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from support import Trap, facts

from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.engine import runner
from gamesearch.algorithms.engine.result import Limits
from gamesearch.algorithms.engine.searcher import Searcher
from gamesearch.algorithms.node.repetition import is_repeated, since_progress
from gamesearch.api import perft, search, solve
from gamesearch.commands.solving.analyze.explanation import explain
from gamesearch.game import FORBIDDEN, REPETITION_DRAWS, Game
from gamesearch.registry import load
from gamesearch.trace.reading import read_recording
from gamesearch.trace.recorder import Recorder

pytestmark = pytest.mark.xdist_group("repetition")


class Place(NamedTuple):
    node: int
    turn: int


class Loops(Game[Place]):
    """Two players take turns to move a token along the edges of a graph. A node without edges ends the game."""

    repetition = REPETITION_DRAWS
    win_or_loss = False
    MINSCORE, MAXSCORE = -3, 3
    example = "0,0"

    def __init__(self, edges: tuple[tuple[int, ...], ...], payoffs: tuple[int, ...]) -> None:
        self.firsts = tuple(sum(map(len, edges[:i])) for i in range(len(edges) + 1))
        self.targets = (*(target for each in edges for target in each), 0)
        self.payoffs = payoffs

    def initial(self) -> Place:
        return Place(0, 0)

    def player(self, s: Place) -> int:
        return s.turn

    def moves(self, s: Place) -> Iterator[int]:
        for edge in range(self.firsts[s.node], self.firsts[s.node + 1]):
            yield edge

    def result(self, s: Place, m: int) -> Place:
        return Place(self.targets[m], 1 - s.turn)

    def terminal(self, s: Place) -> bool:
        return self.firsts[s.node] == self.firsts[s.node + 1]

    def utility(self, s: Place) -> int:
        return self.payoffs[s.node]

    def evaluate(self, s: Place) -> float:
        return self.payoffs[s.node] / 2


class Superko(Loops):
    """The game Loops, but the token must not return to a node, and there are moves that end the game."""

    repetition = FORBIDDEN

    def initial(self) -> Place:
        return Place(0, 0)

    def moves(self, s: Place) -> Iterator[int]:
        for edge in range(self.firsts[s.node], self.firsts[s.node + 1]):
            yield edge
        yield len(self.targets)

    def result(self, s: Place, m: int) -> Place:
        if m == len(self.targets):
            return Place(s.node, s.turn + 2)
        return Place(self.targets[m], 1 - s.turn)

    def terminal(self, s: Place) -> bool:
        return s.turn > 1

    def arrangement(self, s: Place) -> int:
        return s.node


RING = ((1, 2), (0, 3), (0, 3), (4, 5), (3,), (4, 6), (), ())
PAYOFFS = (0, 1, -1, 2, -2, 1, 3, -3)


def test_a_position_before_the_root_counts_for_repetition() -> None:
    game = Superko(RING, PAYOFFS)
    start = game.initial()
    at_one = game.result(start, 0)
    assert [game.result(at_one, m).node for m in game.steps(at_one)] == [0, 3, 1]
    assert [game.result(at_one, m).node for m in game.steps(at_one, [start])] == [3, 1]
    assert perft(game, at_one, 1, speed="interpreted") == 3
    assert perft(game, at_one, 1, speed="interpreted", past=[start]) == 2
    result = search(game, at_one, "minimax(depth=1)", speed="interpreted", past=[start], moves=True)
    assert len(result.moves) == 2

    drawn = Loops(((1, 3), (0, 2), (), ()), (0, 0, 2, 3))
    after = drawn.result(drawn.initial(), 0)
    assert search(drawn, after, "minimax(depth=full)", speed="interpreted").value == 2
    mindful = search(drawn, after, "minimax(depth=full)", speed="interpreted", past=[drawn.initial()])
    assert (mindful.value, drawn.result(after, mindful.line[0]).node) == (0, 0)


# The horizon, earlier positions, and positions without legal moves. -----------------------------------


def test_in_checkers_a_move_back_to_an_earlier_position_draws() -> None:
    game = load("checkers")
    s = game.parse("W:WK18,K23:BK1")
    past: list[Any] = []
    for name in ("18-22", "1-6", "22-18"):
        past.append(s)
        s = game.result(s, game.parse_move(s, name))
    back = game.parse_move(s, "6-1")
    for depth in (1, 2, 4):
        result = search(game, s, "minimax", limits=Limits(depth), past=past, moves=True, speed="interpreted")
        assert (result.value, result.best) == (0, back)
        assert {each.move: each.value for each in result.moves}[back] == 0
        assert result.value == max(each.value for each in result.moves)
    algorithm = load_algorithm("minimax")
    explanation = explain(game, s, algorithm, Limits(2), result, speed="interpreted", past=past)
    assert {each.move: each.value for each in explanation.moves}[back] == 0
    assert [each.value for each in explanation.depths] == [0, 0]


class Cornered(Trap):
    """A token that can move only from 0 to 1 and from 1 to 0; it must not return to a place."""

    def __init__(self) -> None:
        super().__init__(places=3)
        self.sides[:], self.ends[:] = (0, 1, 0), 2
        self.exits[:] = ((1, 1), (0, 0), (0, 0))


def kinds_of_nodes(game: Game, text: str) -> list[str]:
    """Return how the value of each node was found, as recorded in the trace; check that old traces can be read."""
    algorithm = load_algorithm(text)
    recorder = Recorder(game, game.initial(), algorithm)
    result = search(game, game.initial(), algorithm, observer=recorder)
    recording = recorder.finish(result)
    assert read_recording(recording.text.replace('"repetition"', '"recurrence"')).text == recording.text
    nodes = recording.nodes.values()
    leaves = sum(node.kind in ("end", "estimate", "stuck") for node in nodes)
    assert (len(nodes), leaves) == (result.statistics.nodes, result.statistics.leaves)
    assert all(node.value == 0 for node in nodes if node.kind in ("repetition", "stuck"))
    return [node.kind for node in nodes]


def test_a_position_without_a_move_is_a_leaf_that_a_trace_names() -> None:
    assert kinds_of_nodes(Cornered(), "alphabeta(depth=4)") == ["searched", "stuck", "stuck"]
    assert kinds_of_nodes(Cornered(), "minimax(depth=1)") == ["searched", "estimate", "estimate"]


def test_a_trace_names_repetitions_by_the_new_or_the_old_name() -> None:
    assert kinds_of_nodes(Loops(((1,), (0,)), (0, 0)), "alphabeta") == ["searched", "searched", "repetition"]


def positions_of(game: Game, plies: int, seed: int) -> list[Any]:
    """Return the positions of a random game, without a terminal position."""
    source, found, state = random.Random(seed), list[Any](), game.initial()
    while len(found) < plies and not game.terminal(state):
        found.append(state)
        state = game.result(state, source.choice(game.steps(state, found[:-1])))
    return found


@pytest.mark.parametrize("name", ["chess", "checkers", "morris", "go(size=3)"])
def test_only_positions_since_the_last_progress_are_compared(name: str) -> None:
    game = load(name)
    for seed in range(3):
        *past, state = positions_of(game, 60, seed)
        kept = since_progress(game, past)
        assert list(kept) == [s for s in past if game.progress(s) == game.progress(past[-1])]
        found = [search(game, state, "alphabeta(depth=2)", past=each, speed="interpreted") for each in (past, kept)]
        assert facts(found[0]) == facts(found[1])
        assert is_repeated(game, [*past, state]) == ([*map(game.arrangement, past)].count(game.arrangement(state)) >= 2)


def test_the_positions_before_a_search_are_noted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    noted: list[int] = []

    def note(_: Any, past: list[Any], path: Any) -> int:
        noted.append(len(past))
        return 0

    monkeypatch.setattr(runner, "note_past", note)
    game = load("chess")
    *past, state = positions_of(game, 20, 1)
    with Searcher(game, load_algorithm("alphabeta(deepen=true, table=true)"), "interpreted") as searcher:
        searcher.search(state, Limits(depth=3), past=past)
        searcher.search(state, Limits(depth=2), past=past[:10])
    assert noted == [19, 10]


HIDING = (((2, 4, 7), (), (1, 2, 3), (1, 2, 5), (1, 5, 6), (4,), (2, 5), (4, 5, 7)), (3, 2, -1, -1, -2, 1, -1, -1))
"""A graph for which a search used to store a draw by repetition as proven, and so missed a better value."""


@pytest.mark.parametrize(
    "algorithm",
    ["pvs(exact=true, paths=practical, memory=1)", "alphabeta(table=true, paths=practical, memory=1, deepen=true)"],
)
def test_proven_values_are_right_with_practical_paths(algorithm: str) -> None:
    source = random.Random(algorithm)
    graphs: list[tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]] = [HIDING]
    while len(graphs) < 150:
        nodes = range(source.randint(5, 9))
        edges = tuple(tuple(source.sample(nodes, source.choice([0, 1, 2, 2, 3]))) for _ in nodes)
        graphs.append((edges, tuple(source.randint(-3, 3) for _ in nodes)))
    claims = 0
    for edges, payoffs in graphs:
        game = Loops(edges, payoffs)
        if game.terminal(game.initial()):
            continue
        wanted = solve(game, game.initial(), "retrograde", speed="interpreted").value
        for depth in (5, 8, 11):
            limits = Limits(depth=depth, nodes=20_000)
            result = search(game, game.initial(), algorithm, limits=limits, speed="interpreted")
            if result.sees_the_end and not result.stopped:
                claims += 1
                assert result.value == wanted, (edges, payoffs, depth)
    assert claims > 100
