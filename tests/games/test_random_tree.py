import math
from typing import Any

import pytest

from gamesearch.game import CHANCE, MAX, MIN
from gamesearch.games.trees.random_tree import RandomTree, scramble
from gamesearch.textbook.expectiminimax import expectiminimax as textbook

SHAPES = [(2, 1), (2, 7), (3, 5), (5, 4), (9, 2), (1, 5)]


def alphabeta(game: RandomTree, s: Any, alpha: float, beta: float, leaves: list[int]) -> float:
    """Return the value by fail-hard alpha-beta (Knuth & Moore 1975), and append each visited leaf to `leaves`."""
    if game.terminal(s):
        leaves.append(game.key(s))
        return float(game.utility(s))
    for m in game.moves(s):
        value = alphabeta(game, game.result(s, m), alpha, beta, leaves)
        if game.player(s) == MAX:
            alpha = max(alpha, value)
        else:
            beta = min(beta, value)
        if alpha >= beta:
            break
    return alpha if game.player(s) == MAX else beta


def fewest_leaves(branching: int, depth: int) -> int:
    return int(branching ** math.ceil(depth / 2) + branching ** (depth // 2) - 1)


@pytest.mark.parametrize(("branching", "depth"), SHAPES)
@pytest.mark.parametrize("ordering", ["random", "best-first", "worst-first"])
def test_alphabeta_visits_as_many_leaves_as_the_ordering_promises(branching: int, depth: int, ordering: str) -> None:
    game = RandomTree(branching, depth, order=ordering)
    leaves: list[int] = []
    value = alphabeta(game, game.initial(), -math.inf, math.inf, leaves)
    assert value == textbook(game, game.initial(), 1000)
    fewest, all_leaves = fewest_leaves(branching, depth), branching**depth
    if ordering == "best-first":
        assert (value, len(leaves)) == (0, fewest)
    elif ordering == "worst-first":
        assert (value, len(leaves)) == (0, all_leaves)
    else:
        assert fewest <= len(leaves) <= all_leaves
        if branching > 1 and depth > 2:
            assert fewest < len(leaves) < all_leaves


def test_chance_plies_alternate() -> None:
    game = RandomTree(2, 5, chance=True)
    sides = [game.player(game.parse(".".join("1" * depth))) for depth in range(5)]
    assert (game.chance, sides) == (True, [MAX, CHANCE, MIN, CHANCE, MAX])
    assert not RandomTree().chance
    assert sum(p for _, p in game.outcomes(game.initial())) == pytest.approx(1)


@pytest.mark.parametrize("chance", [False, True])
@pytest.mark.parametrize("ordering", ["best-first", "worst-first"])
@pytest.mark.parametrize("branching", [2, 3])
def test_ordered_trees_are_ordered_everywhere(branching: int, ordering: str, chance: bool) -> None:
    game = RandomTree(branching, 5, order=ordering, chance=chance)
    waiting = [game.initial()]
    while waiting:
        s = waiting.pop()
        assert game.MINSCORE < game.evaluate(s) < game.MAXSCORE
        if game.terminal(s):
            continue
        assert textbook(game, s, 1000) == pytest.approx(game.evaluate(s))
        children = [game.result(s, m) for m in game.moves(s)]
        values = [game.evaluate(child) for child in children]
        if game.player(s) != CHANCE:
            falls = (ordering == "best-first") == (game.player(s) == MAX)
            assert values == sorted(set(values), reverse=falls)
        waiting += children


def correlation(xs: list[int], ys: list[int]) -> float:
    """Return Pearson's correlation divided by the standard deviation that it has for independent values."""
    n, mx, my = len(xs), sum(xs) / len(xs), sum(ys) / len(ys)
    products = sum((x - mx) * (y - my) for x, y in zip(xs, ys, strict=True))
    spread = math.sqrt(sum((x - mx) ** 2 for x in xs) * sum((y - my) ** 2 for y in ys))
    return products / spread * math.sqrt(n)


@pytest.mark.parametrize("seed", [-5, 1 << 40])
def test_payoffs_are_uniform_and_independent(seed: int) -> None:
    def payoffs(seed: int) -> list[int]:
        game = RandomTree(10, 4, seed=seed, values=9)
        return [game.utility(game.parse(".".join(str(int(digit) + 1) for digit in f"{i:04}"))) for i in range(10_000)]

    found, other = payoffs(seed), payoffs(seed + 1)
    chi_squared = sum((found.count(value) - 1000) ** 2 / 1000 for value in range(10))
    assert set(found) == set(range(10))
    assert chi_squared < 27.9  # 9 degrees of freedom: only one seed in a thousand fails
    for distance in (1, 2, 10, 100, 1000):
        assert abs(correlation(found[distance:], found[:-distance])) < 4
    assert abs(correlation(found, other)) < 4
    assert found != other


def test_scramble_is_one_to_one() -> None:
    assert len({scramble(x) for x in range(100_000)}) == 100_000
    assert all(0 <= scramble(x) < 1 << 31 for x in (0, 1, (1 << 31) - 1))


def test_nodes_have_different_numbers() -> None:
    game = RandomTree(3, 5)
    waiting, keys = [game.initial()], []
    while waiting:
        s = waiting.pop()
        keys.append(game.key(s))
        if not game.terminal(s):
            waiting += [game.result(s, m) for m in game.moves(s)]
    assert sorted(keys) == list(range((3**6 - 1) // 2))


def test_huge_trees_fit_sixty_two_bits() -> None:
    game = RandomTree(2, 53, order="worst-first")
    s = game.initial()
    while not game.terminal(s):
        s = game.result(s, 1)
    assert s.node == (1 << 54) - 2
    assert s.value == 0
    assert RandomTree(1, 1000).chance is False
