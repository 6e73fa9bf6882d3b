"""Search with beliefs: correct probabilities, expansion of the right nodes, and the end of the search."""

import itertools
import math
import random
from typing import Any

import numpy as np
import pytest
from support import playout, random_play

from gamesearch.algorithms.catalog.beliefs import BeliefRunner
from gamesearch.algorithms.engine.result import Belief, MoveValue, SearchResult
from gamesearch.algorithms.tree_search.belief_result import chances_of_best
from gamesearch.algorithms.tree_search.sampling import mean_and_error
from gamesearch.api import search, searcher
from gamesearch.game import CHANCE, MAX, Game
from gamesearch.registry import load
from gamesearch.textbook.expectiminimax import expectiminimax as textbook

LECTURE = "[[99,1000,1000,1000],[100,101,102,100]]"
DRAWS = 40_000
SURE = 5.0
"""The allowed deviation in standard errors. Only 1 of 1.7 million seeds gives a greater deviation; the seeds are fixed.
"""


def search_with_errors(text: str, error: float, options: str = "") -> tuple[Game, Any, SearchResult]:
    """Search the whole tree of a game whose leaf values have errors with the given standard deviation."""
    game, state = load("tree").setup(text)
    algorithm = f"beliefs(error={error}, leaves=payoffs, expansions=5000{options})"
    return game, state, search(game, state, algorithm, speed="interpreted")


def belief_of(found: SearchResult) -> list[Belief]:
    """Return the belief about the value of each move."""
    beliefs = [each.belief for each in found.moves]
    assert None not in beliefs
    return beliefs  # type: ignore[return-value]


def best_of(belief: Belief) -> float:
    """Return the probability that the move of a belief is the best move; the position must not be a chance node."""
    assert belief.best is not None
    return belief.best


def draw_samples(game: Game, s: Any, error: float, source: np.random.Generator) -> Any:
    """Return DRAWS samples of a position's value; for each sample, all leaves below it get new random errors."""
    if game.terminal(s):
        return game.utility(s) + error * source.standard_normal(DRAWS)
    if game.player(s) == CHANCE:
        return sum(p * draw_samples(game, game.result(s, m), error, source) for m, p in game.outcomes(s))
    below = np.array([draw_samples(game, game.result(s, m), error, source) for m in game.moves(s)])
    return below.max(axis=0) if game.player(s) == MAX else below.min(axis=0)


def limits_of_best(beliefs: list[Belief], is_min: bool) -> list[tuple[float, float]]:
    """Return bounds for the probability that each move is the best, computed from the histograms of the beliefs."""
    tables = [(0.0, *each.below) for each in beliefs]
    if is_min:
        tables = [tuple(1.0 - p for p in reversed(each)) for each in tables]
    found = []
    for i, table in enumerate(tables):
        others = tables[:i] + tables[i + 1 :]
        masses = [after - before for before, after in itertools.pairwise(table)]
        low, high = (
            sum(mass * math.prod(each[k + shift] for each in others) for k, mass in enumerate(masses))
            for shift in (0, 1)
        )
        found.append((low, high))
    return found


# The arithmetic. ----------------------------------------------------------------------------------
@pytest.mark.parametrize(("error", "share"), [(5, 0.71), (2, 0.58)])
def test_the_lecture_s_tree(error: float, share: float) -> None:
    """Minimax prefers the right move, 100 to 99; but if the leaves have errors, the left move is probably better."""
    game, state, found = search_with_errors(LECTURE, error, ", draws=20000")
    left, right = belief_of(found)
    assert search(game, state, "minimax", speed="interpreted").best == 1
    assert found.best == 0
    assert (round(best_of(left), 2), round(best_of(right), 2)) == (share, round(1 - share, 2))
    assert left.sampled is not None
    assert left.sampled[1] == pytest.approx(left.best, abs=SURE * 0.5 / math.sqrt(20_000))
    assert found.moves[0].value == pytest.approx(99, abs=0.01)
    assert found.moves[1].value == pytest.approx(right.sampled[0], abs=SURE * error / math.sqrt(20_000))  # type: ignore[index]


def random_tree(seed: int) -> str:
    """Return a small tree in which Max and Min alternate.

    The tree may have chance nodes; its leaves have similar values.
    """
    source = random.Random(seed)

    def node(depth: int) -> str:
        if depth == 0:
            return str(source.randrange(12))
        children = ",".join(node(depth - 1) for _ in range(source.randint(1, 4)))
        return f"{{{children}}}" if source.random() < 0.15 and depth < 3 else f"[{children}]"

    return node(3) if seed % 2 else f"min[{node(2)},{node(2)},{node(1)}]"


@pytest.mark.parametrize("seed", range(8))
def test_histograms_agree_with_random_errors(seed: int) -> None:
    text, error = random_tree(seed), 1.5
    game, state, found = search_with_errors(text, error)
    source, is_min = np.random.default_rng(seed), game.player(state) != MAX
    values = np.array([draw_samples(game, game.result(state, each.move), error, source) for each in found.moves])
    beliefs = belief_of(found)
    for each, belief, sample in zip(found.moves, beliefs, values, strict=True):
        off = SURE * sample.std() / math.sqrt(DRAWS)
        assert abs(float(each.value) - sample.mean()) <= belief.step / 2 + off  # type: ignore[arg-type]
        assert belief.deviation == pytest.approx(sample.std(), abs=belief.step)
    best = values.min(axis=0) if is_min else values.max(axis=0)
    # The value of a chance node is not exactly normal, so the computed probabilities may deviate more.
    slack = 0.03 if game.chance else 0.0
    for (low, high), belief, sample in zip(limits_of_best(beliefs, is_min), beliefs, values, strict=True):
        share = float((sample == best).mean())
        off = SURE * math.sqrt(0.25 / DRAWS) + slack
        assert low - 1e-9 <= best_of(belief) <= high + 1e-9
        assert low - off <= share <= high + off
    assert sum(best_of(each) for each in beliefs) == pytest.approx(1)


def test_players_cannot_choose_after_the_dice() -> None:
    """Both moves have the expected value 7.5, although one of them lets the player choose after some rolls."""
    _, _, found = search_with_errors("[{1/4: 0, 3/4: [10, 20]},{1/4: 0, 3/4: 10}]", 0.5)
    one, other = belief_of(found)
    assert [each.value for each in found.moves] == [pytest.approx(7.5, abs=one.step), pytest.approx(7.5, abs=one.step)]
    assert other.deviation == pytest.approx(0.5 * math.sqrt(10 / 16), abs=other.step)
    assert found.value == pytest.approx(7.5, abs=one.step)
    assert one.best == pytest.approx(0.5, abs=0.1)


def test_equal_moves_are_equally_likely_to_be_the_best() -> None:
    sure = [0.0] * 10 + [1.0] * 54
    assert chances_of_best(np.array([sure, sure, sure]), False) == pytest.approx([1 / 3] * 3)
    less = [0.0] * 5 + [1.0] * 59
    assert chances_of_best(np.array([sure, less]), False) == pytest.approx([1, 0])
    assert chances_of_best(np.array([sure, less]), True) == pytest.approx([0, 1])


# The search. -------------------------------------------------------------------------------------
def test_the_search_stops_if_only_one_move_is_legal() -> None:
    game, state = load("tree").setup("[[1,2,[3,4]]]")
    found = search(game, state, "beliefs(error=1)", speed="interpreted")
    assert (found.best, found.statistics.nodes, found.stopped) == (0, 2, "")


def test_a_greater_gain_stops_the_search_earlier() -> None:
    game = load("kalah")
    nodes = [
        search(game, game.initial(), f"beliefs(error=2, gain={gain}, expansions=60)", speed="interpreted").statistics
        for gain in (0.0, 0.3, 100.0)
    ]
    assert nodes[0].nodes > nodes[1].nodes > nodes[2].nodes == 7


def test_it_expands_the_moves_that_may_be_best() -> None:
    """The estimates show that the first move loses, so the search expands nodes below the other two moves."""
    game = load("othello(size=4)")
    state = playout(game, 5)[4]
    algorithm = "beliefs(error=0.3, expansions=25)"
    with searcher(game, algorithm, speed="interpreted") as kept:
        found = kept.search(state)
        runner: Any = kept.runner_for(state)
        store = runner.store
        grown = {
            int(store.edges["move"][place]): int(store.nodes["count"][store.edges["child"][place]]) > 0
            for place in store.edges_of([0])
        }
    likely = {each.move for each, belief in zip(found.moves, belief_of(found), strict=True) if best_of(belief) > 0.01}
    assert grown[found.best or 0]
    assert {move for move, is_grown in grown.items() if is_grown} >= likely


def test_the_error_of_estimates_is_measured() -> None:
    game = load("kalah")
    with searcher(game, "beliefs(expansions=1)", speed="interpreted") as kept:
        found = kept.search(game.initial())
        runner = kept.runner_for(game.initial())
        assert isinstance(runner, BeliefRunner)
        spread = runner.belief_handle.read("spread")
    first = 0.1 * (game.MAXSCORE - game.MINSCORE)
    before = float(game.evaluate(game.initial()))
    after = max(float(game.evaluate(game.result(game.initial(), m))) for m in game.moves(game.initial()))
    assert spread == pytest.approx(math.sqrt((first**2 + (after - before) ** 2) / 2))
    assert all(belief.deviation <= spread + belief.step for belief in belief_of(found))


@pytest.mark.parametrize(
    ("name", "position", "most"),
    [("connect4", "4453", 1.0), ("checkers(size=6)", "", 5.0)],
)
@pytest.mark.parametrize("expansions", [1, 30])
def test_beliefs_are_in_the_unit_of_estimates(name: str, position: str, most: float, expansions: int) -> None:
    """Wins pay 18 or 100 in the two games, but all estimates near these positions are small."""
    game, state = load(name).setup(position)
    found = search(game, state, f"beliefs(expansions={expansions})", speed="interpreted")
    for each, belief in zip(found.moves, belief_of(found), strict=True):
        assert belief.deviation < most
        assert abs(float(each.value)) <= most  # type: ignore[arg-type]
        assert -most <= belief.least <= belief.least + 63 * belief.step <= most


def test_a_proven_loss_does_not_change_the_scale() -> None:
    """After 5-3, White loses by force, so only the other move is uncertain."""
    game, state = load("checkers(size=4)").setup("W:W4,5:B1,6")
    found = search(game, state, "beliefs(expansions=30)", speed="interpreted")
    proven = [each for each in found.moves if abs(float(each.value)) == game.MAXSCORE]  # type: ignore[arg-type]
    assert [game.move_name(state, each.move) for each in proven] == ["5-3"]
    assert all(belief.step < 1 for belief in belief_of(found))


def test_chance_at_the_root_has_a_value_and_no_move() -> None:
    game, state = load("tree").setup("{1/4: [1, 2, 3], 3/4: [[5, 6], [7, 8]]}")
    found = search(game, state, "beliefs(error=2, draws=10)", speed="interpreted")
    assert found.best is None
    assert found.value == pytest.approx(textbook(game, state, 9))
    for each, belief in zip(found.moves, belief_of(found), strict=True):
        assert belief.best is None
        assert belief.sampled == (each.value, None)  # all nodes below the move are certain


# Beliefs by playouts. -----------------------------------------------------------------------------
PLAYOUTS = 2_000
GAMES = [
    ("tictactoe", "X../.O./..."),
    ("nim(heaps=1-2-3)", ""),
    ("pig(target=8)", ""),
    ("[[3,{1/4: -2, 3/4: 5}],[[1,2,9],4]]", ""),
]
"""Games that are so small that all random games can be enumerated."""


def beliefs_at(game: Game, state: Any, options: str, **given: Any) -> tuple[MoveValue, ...]:
    """Return the beliefs about the moves of a position after one expansion."""
    algorithm = f"beliefs(leaves=playouts, expansions=1, {options})"
    return search(game, state, algorithm, **{"speed": "interpreted", **given}).moves


@pytest.mark.parametrize(("text", "position"), GAMES)
def test_means_and_errors_agree_with_random_games(text: str, position: str) -> None:
    game, state = load(text).setup(position)
    checked = 0
    for each in beliefs_at(game, state, f"playouts={PLAYOUTS}, seed=1"):
        after = game.result(state, each.move)
        ((mean, square),) = random_play(game, after)
        assert each.belief is not None
        if game.terminal(after):
            assert (each.value, each.belief.deviation) == (mean, 0)
            continue
        assert isinstance(each.value, float)
        # The average includes the game's lowest and highest payoff once each, in addition to the random payoffs.
        least, greatest = float(game.MINSCORE), float(game.MAXSCORE)
        wanted, error = mean_and_error(least, greatest, PLAYOUTS * mean, PLAYOUTS * square, PLAYOUTS)
        drawn = math.sqrt(max(0.0, square - mean * mean) / PLAYOUTS)
        assert abs(each.value - wanted) <= SURE * drawn + each.belief.step / 2
        assert each.belief.deviation == pytest.approx(error, rel=0.15, abs=each.belief.step)
        checked += 1
    assert checked >= 1


def test_estimated_errors_contain_the_mean_as_often_as_they_should() -> None:
    """Among many averages of few games, 95 % are within 1.96 estimated errors of the true mean."""
    game, state = load("tictactoe").setup("X../.O./...")
    means = {move: random_play(game, game.result(state, move))[0][0] for move in game.moves(state)}
    within = total = 0
    for seed in range(60):
        for each in beliefs_at(game, state, f"playouts=20, seed={seed}"):
            assert each.belief is not None
            assert isinstance(each.value, float)
            within += abs(each.value - means[each.move]) <= 1.96 * each.belief.deviation
            total += 1
    assert total == 420
    assert 0.93 <= within / total <= 0.99


def test_a_given_error_is_added() -> None:
    game, state = load("tictactoe").setup("X../.O./...")
    for each in beliefs_at(game, state, f"playouts={PLAYOUTS}, error=0.1"):
        assert each.belief is not None
        assert each.belief.deviation == pytest.approx(0.1, rel=0.1)
