"""All algorithms, options and solvers visit the same nodes and find the same values interpreted and compiled."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from choices import EVERYTHING, choose, for_game
from questions_asked import answers
from support import Maze, Take, Trap, facts, playout
from torture.combinations import fits
from torture.games import load_game

from benchmarks.random_play import play_at_random
from gamesearch.algorithms.catalog import all_algorithms, load_algorithm
from gamesearch.algorithms.engine.result import Limits
from gamesearch.algorithms.selective.parts import PARTS
from gamesearch.api import search, solve
from gamesearch.compiler import why_interpreted
from gamesearch.game import Game
from gamesearch.registry import game_names, load
from gamesearch.solvers import search as going_over
from gamesearch.solvers.proof.mates import forced_win
from gamesearch.solvers.solving import Solution

BOTH = "interpreted", "compiled"
ON_TREES = (
    "random_tree(chance=true, depth=5)",
    "tree([{1/4: [3, -1, 2], 3/4: [0, {5, 1/2}]}, {min[4,1], max[1,0]}])",
    "tree([[(1,2,6),(4,2,3)],{[(6,1,2),(7,4,1)],(1,1,1)}])",
)


def compilable(text: str) -> Game:
    """Load a game; skip the test if the game runs only interpreted."""
    game = load(text)
    if why_interpreted(game) is not None:
        pytest.skip(why_interpreted(game) or "")
    return game


# Rules. ------------------------------------------------------------------------------------------
@pytest.mark.parametrize("text", [for_game(text) for text in (*game_names(), *ON_TREES)])
def test_rules_return_the_same_results_at_both_speeds(text: str) -> None:
    game = compilable(text)
    *slow, at_first = answers(game, 250, "interpreted")
    *fast, afterwards = answers(game, 250, "compiled")
    assert (at_first, afterwards) == BOTH
    assert slow == fast


# Searches. ---------------------------------------------------------------------------------------
TABLE_AND_ORDER = (
    "alphabeta(table=true, memory=1, order=game+evaluate)",
    "alphabeta(table=true, memory=1, order=killer+history, bounds=true)",
    "alphabeta(table=true, memory=1, order=previous, deepen=true)",
    "alphabeta(table=true, memory=1, order=game+previous+history, window=null, bounds=true)",
    "alphabeta(table=true, memory=1, order=evaluate, fail=hard, deepen=true)",
)
"""The algorithms of this tuple run the same version of one kernel. The same is true for each tuple below."""
TABLE = ("alphabeta(table=true, memory=1)", "alphabeta(table=true, memory=1, window=null, bounds=true)")
ORDER = ("alphabeta(order=evaluate+killer+history)", "alphabeta(order=previous, deepen=true)")
PLAIN = ("alphabeta", "alphabeta(bounds=true, fail=hard)", "alphabeta(deepen=true)")
MINIMAX = ("minimax", "minimax(bounds=true)")
CHANCE_TABLE_AND_ORDER = (
    "expectiminimax(table=true, memory=1, order=killer, pruning=none)",
    "expectiminimax(table=true, memory=1, order=game, pruning=star1)",
    "expectiminimax(table=true, memory=1, order=evaluate, pruning=star2)",
    "expectiminimax(table=true, memory=1, order=previous+history, pruning=star2, deepen=true)",
)
CHANCE_ORDER = ("expectiminimax(order=previous, pruning=star1, deepen=true)",)
CHANCE_TABLE = ("expectiminimax(table=true, memory=1)",)
CHANCE_PLAIN = ("expectiminimax(order=generated)",)
OPPONENT = ("expectimax", "expectimax(pruning=star1)", "expectimax(pruning=star2, deepen=true)")
FOR_TWO = (*TABLE_AND_ORDER, *TABLE, *ORDER, *PLAIN, *MINIMAX)
WITH_CHANCE = (*CHANCE_TABLE_AND_ORDER, *CHANCE_ORDER, *CHANCE_TABLE, *CHANCE_PLAIN)
SELECTIVE = (
    "pvs(memory=1)",
    "pvs(memory=1, exact=true)",
    "pvs(memory=1, width=4)",
    "pvs(memory=1, order=game+killer+countermove+history)",
    *(f"pvs(memory=1, {part}=false)" for part in PARTS),
)
SEARCHED: dict[str, Sequence[str]] = {
    "tictactoe": (*FOR_TWO, *WITH_CHANCE, *OPPONENT, "expectiminimax(opponent=softmax(0.7), error=0.1, table=true)"),
    ON_TREES[1]: CHANCE_TABLE,  # rules with arrays of varying length
    ON_TREES[2]: ("maxn",),
    "tree([[[(1,2,6),(4,2,3)],[(6,1,2),(7,4,1)]],[[(5,1,1),(1,5,2)],[(7,7,1),(5,4,5)]]])": ("paranoid",),
}
"""For each game, the algorithms that every run of the tests compiles."""


@dataclass(frozen=True)
class Case:
    """Searches with algorithms that run the same version of a kernel, from the given positions."""

    game: Game | str
    algorithms: Sequence[str]
    positions: Sequence[str] = ("",)
    limits: Limits = Limits()  # noqa: RUF009

    @property
    def group(self) -> str:
        return self.game.partition("(")[0] if isinstance(self.game, str) else type(self.game).__name__


ANSWERING = load_game("answering(loops=forbidden, estimates=wild, bounding=loose)")
"""A small game with forbidden repetition, null moves, quiescence and ProbCut."""
SEEDS = "1,0,0,0", "2,0,0,0", "5,0,0,0", "7,0,0,0"
"""Positions of ANSWERING."""
CASES = {
    "a repetition draws": Case(Maze(seed=5, places=6), (TABLE_AND_ORDER[2], TABLE_AND_ORDER[3])),
    "a repetition is forbidden": Case(Trap(4, 6), TABLE_AND_ORDER[1:4], limits=Limits(depth=6)),
    "a repetition draws in expectiminimax": Case(Maze(seed=3, places=10), CHANCE_TABLE_AND_ORDER[2:]),
    "a win pays 1, a loss nothing": Case(Take(10), TABLE_AND_ORDER),
    "mcts": Case(
        "tictactoe",
        [
            f"mcts(playouts=200{options})"
            for options in (
                "",
                ", transpositions=true, rave=50, implicit=0.3, plies=3, seed=7",
                ", solver=false, urgency=0.5",
            )
        ],
        ("", "XO./.../..."),
    ),
    "mcts with priors": Case(ANSWERING, ("mcts(playouts=150, prior=10, rave=50, wins=1, exploration=0)",), SEEDS),
    "pvs": Case(ANSWERING, SELECTIVE, SEEDS, Limits(depth=6, nodes=1_000)),
    "montecarlo": Case(
        "tictactoe",
        [f"montecarlo(playouts=150{options})" for options in ("", ", race=ucb", ", race=halving", ", seed=3")],
        ("", "XO./.../..."),
    ),
    "beliefs": Case(
        "tictactoe",
        ("beliefs(expansions=40)", "beliefs(expansions=40, error=0.3, gain=0.01, draws=50)"),
        ("", "XO./.../..."),
    ),
    "beliefs by playouts": Case(
        "tictactoe",
        (
            "beliefs(leaves=playouts, expansions=20)",
            "beliefs(leaves=playouts, expansions=20, playouts=3, error=0.3, gain=0.01, draws=50, seed=7)",
        ),
        ("", "XO./.../..."),
    ),
    "bestfirst": Case("tictactoe", ("bestfirst(expansions=90)",), ("", "XO./.../...")),
    "bestfirst with a limit": Case("tictactoe", ("bestfirst(expansions=90)",), limits=Limits(nodes=700)),
}
TESTED = [text for each in (*SEARCHED.values(), *(case.algorithms for case in CASES.values())) for text in each]
for new in sorted({*all_algorithms()} - {"random"} - {load_algorithm(text).name for text in TESTED}):
    suitable = next(text for text in SEARCHED if fits(load(text), load_algorithm(new)))
    CASES[new] = Case(suitable, (new,), limits=Limits(nodes=1_000))  # a new algorithm
MORE_CASES = {
    "a repetition takes four plies": Case("checkers(size=4)", TABLE_AND_ORDER[1:4], limits=Limits(depth=7)),
    "beliefs with dice": Case("pig(target=20)", ("beliefs(leaves=playouts, expansions=20, playouts=4)",)),
    **{
        f"beliefs by playouts in {text}": Case(text, (f"beliefs(leaves=playouts, expansions=20{options})",))
        for text, options in (("hex(size=3)", ""), ("go(size=3)", ", playouts=2"), ("checkers(size=4)", ", playouts=5"))
    },
}
"""Further games for kernels that are already compiled for another game."""
ALL_CASES = CASES | MORE_CASES if EVERYTHING else CASES


def agree(game: Game, s: Any, algorithm: str, limits: Limits) -> None:
    slow, fast = (search(game, s, algorithm, limits=limits, speed=speed) for speed in BOTH)
    assert (slow.statistics.speed, fast.statistics.speed) == BOTH
    assert facts(slow) == facts(fast), algorithm


def positions_to_search(game: Game) -> list[tuple[Any, int]]:
    """Return states of a random game, and a depth to which an interpreted search takes less than a second."""
    states = playout(game, 5)
    found = []
    for s in {id(s): s for s in (states[0], states[len(states) // 3], states[-3:][0])}.values():
        if not game.terminal(s):
            width = max(2, len(game.steps(s)))
            found.append((s, 4 if width <= 5 else 3 if width <= 10 else 2 if width <= 30 else 1))
    return found


def algorithms_for(text: str) -> Sequence[str]:
    """Return the algorithms to compile for a game."""
    if not EVERYTHING:
        return SEARCHED[text]
    game = load(text)
    if game.players > 2:
        return ("maxn",) if game.chance else ("maxn", "paranoid")
    return WITH_CHANCE if game.chance else (*FOR_TWO, *WITH_CHANCE, *SELECTIVE)


@pytest.mark.parametrize("text", [for_game(text) for text in choose(tuple(SEARCHED), (*game_names(), *ON_TREES))])
def test_searches_visit_the_same_nodes(text: str) -> None:
    game = compilable(text)
    for s, depth in positions_to_search(game):
        for algorithm in algorithms_for(text):
            load_algorithm(algorithm).fits(game)
            agree(game, s, algorithm, Limits(depth=depth, nodes=1_000 if algorithm in SELECTIVE else None))


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.xdist_group(case.group), id=name) for name, case in ALL_CASES.items()]
)
def test_algorithms_find_the_same_result_and_count_the_same_at_both_speeds(name: str) -> None:
    case = ALL_CASES[name]
    game = load(case.game) if isinstance(case.game, str) else case.game
    for position in case.positions:
        s = game.parse(position) if position else game.initial()
        for algorithm in case.algorithms:
            agree(game, s, algorithm, case.limits)


@pytest.mark.xdist_group("tictactoe")
@pytest.mark.parametrize("options", ["order=previous", "endgame=true"])
def test_searches_stop_at_the_same_node(options: str) -> None:
    game, algorithm = load("tictactoe"), f"alphabeta(deepen=true, table=true, memory=1, {options})"
    for seed in range(3):
        s = playout(game, seed)[seed]
        for nodes in (1, 2, 10, 11, 100, 1000, 3000):
            agree(game, s, algorithm, Limits(nodes=nodes))


# Solvers. ----------------------------------------------------------------------------------------
SOLVED = (
    ("tictactoe", "", ("memo", "retrograde", "search")),
    ("tictactoe", "XO./.../...", ("proof", "proof(search=pn)", "proof(search=pn2)")),
    ("tictactoe", "X../.O./...", ("proof", "proof(search=pn)", "proof(search=pn2)")),
    ("nim(2-3-2)", "", ("retrograde",)),  # by levels
    ("random_tree(chance=true)", "", ("memo", "retrograde")),
    ("pig(target=8)", "", ("iteration",)),
    ("checkers(size=4)", "", ("retrograde", "proof", *choose((), ("iteration",)))),
)


def solve_alike(game: Game, s: Any, method: str) -> Solution:
    slow, fast = (solve(game, s, method, speed=speed) for speed in BOTH)
    assert (slow.speed, fast.speed) == BOTH
    one, other = (
        {k: v for k, v in vars(each).items() if k not in ("seconds", "speed", "bytes")} for each in (slow, fast)
    )
    assert one == other
    return slow


@pytest.mark.parametrize(("text", "position", "methods"), [for_game(*each) for each in SOLVED])
def test_solvers_find_the_same_at_both_speeds(text: str, position: str, methods: Sequence[str]) -> None:
    game = load(text)
    for method in methods:
        solve_alike(game, game.parse(position) if position else game.initial(), method)


@pytest.mark.xdist_group("tictactoe")
def test_the_switch_to_search_and_forced_wins_are_the_same_at_both_speeds(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load("tictactoe")
    monkeypatch.setattr(going_over, "MOST_REMEMBERED", 1_500)
    assert solve_alike(game, game.initial(), "auto").method == "search"
    for text in ("XO./.../...", "X../.../..O", "XO./OX./..."):
        slow, fast = (forced_win(game, game.parse(text), 3, speed=speed) for speed in BOTH)
        assert (slow.moves, slow.line, slow.nodes) == (fast.moves, fast.line, fast.nodes)
        assert slow.moves is not None
        assert (slow.speed, fast.speed) == BOTH


# Random games. -----------------------------------------------------------------------------------
MANY_MOVES = 200_000


@pytest.mark.parametrize("text", [for_game(text) for text in choose(("tictactoe",), game_names())])
def test_random_games_are_the_same_at_both_speeds_and_reach_no_faulty_state(text: str) -> None:
    game = compilable(text)
    slow, fast = (play_at_random(game, game.initial(), 200, seed=3, longest=60, speed=speed) for speed in BOTH)
    assert (slow.games, slow.moves, slow.digest) == (fast.games, fast.moves, fast.digest)
    assert play_at_random(game, game.initial(), MANY_MOVES, speed="compiled").games >= MANY_MOVES // 400
