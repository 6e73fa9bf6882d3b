import random
from functools import cache

import pytest
from connection_support import assert_winning_cells
from support import playout

from gamesearch import solve
from gamesearch.game import MAX, MIN
from gamesearch.games.y import Y
from gamesearch.toolkit.boards import board_lines

Cell = tuple[int, int, int]
"""The distances of a cell from the left, right and lower sides; their sum is size - 1."""


# An oracle in coordinates of the triangle. -------------------------------------------------------
def triangle(size: int) -> list[Cell]:
    """Return the cells, row by row from the top."""
    return [(place, row - place, size - 1 - row) for row in range(size) for place in range(row + 1)]


def touching(cell: Cell) -> set[Cell]:
    a, b, c = cell
    return {
        (a + 1, b - 1, c), (a - 1, b + 1, c), (a + 1, b, c - 1),
        (a - 1, b, c + 1), (a, b + 1, c - 1), (a, b - 1, c + 1),
    }  # fmt: skip


def connected(stones: set[Cell]) -> bool:
    """Whether some chain touches all three sides."""
    left = set(stones)
    while left:
        chain, waiting = set[Cell](), [left.pop()]
        while waiting:
            cell = waiting.pop()
            chain.add(cell)
            new = touching(cell) & left
            left -= new
            waiting += new
        if all(any(cell[side] == 0 for cell in chain) for side in range(3)):
            return True
    return False


def cells_of(game: Y, board: int) -> set[Cell]:
    return {place for place, cell in zip(triangle(game.size), game.cells, strict=True) if board >> cell & 1}


@pytest.mark.parametrize("size", [2, 3, 5, 8, 11])
def test_rules_agree_with_coordinates_of_the_triangle(size: int) -> None:
    game = Y(size)
    for seed in range(5):
        states = playout(game, seed)
        for s in states:
            crosses, noughts = cells_of(game, s.crosses), cells_of(game, s.noughts)
            assert (connected(crosses) or connected(noughts)) == game.terminal(s)
            free = sum(1 << m for m in game.moves(s))
            assert cells_of(game, free) == set(triangle(size)) - crosses - noughts
            assert game.consistent(s)
        assert connected(cells_of(game, states[-1].crosses)) == (game.utility(states[-1]) == 1)


def test_every_cell_touches_its_neighbours() -> None:
    game = Y(6)
    for place, cell in zip(triangle(6), game.cells, strict=True):
        assert cells_of(game, game.neighbours(1 << cell)) == touching(place) & set(triangle(6))


def test_every_full_board_has_exactly_one_winner() -> None:
    game, source = Y(7), random.Random(1)
    for _ in range(100):
        crosses = sum(1 << cell for cell in game.cells if source.random() < 0.5)
        assert game.connects(crosses, MAX) != game.connects(game.full ^ crosses, MIN)


def test_two_chains_are_no_connection() -> None:
    game = Y(4)
    assert not game.terminal(game.parse("X/XO/X.O/..OX"))  # two chains: one at the left and right, one below
    assert game.terminal(game.parse("X/XO/X.O/X..O"))


@pytest.mark.parametrize("size", [3, 6])
def test_winning_cells_are_where_the_next_stone_wins(size: int) -> None:
    assert_winning_cells(Y(size))


def test_missing_stones_are_counted_between_each_two_sides() -> None:
    game = Y(3)
    s = game.initial()
    # A corner touches two sides; the third side is one stone away, or a bridge.
    assert game.missing_stones(s.crosses, game.empty_cells(s), MAX) == 3
    s = game.parse("./X./...")
    assert game.missing_stones(s.crosses, game.empty_cells(s), MAX) == 0
    assert game.evaluate(s) > 0


def winning_first_cells(size: int) -> set[Cell]:
    """Return the winning first cells, by brute force over sets of coordinates."""
    everything = frozenset(triangle(size))

    @cache
    def mover_wins(mine: frozenset[Cell], theirs: frozenset[Cell]) -> bool:
        if connected(set(theirs)):
            return False
        return any(not mover_wins(theirs, mine | {cell}) for cell in everything - mine - theirs)

    nothing: frozenset[Cell] = frozenset()
    return {cell for cell in everything if not mover_wins(nothing, frozenset({cell}))}


@pytest.mark.parametrize(("size", "count"), [(2, 3), (3, 3)])
def test_winning_first_cells(size: int, count: int) -> None:
    game = Y(size)
    found = solve(game, game.initial(), speed="interpreted")
    wins = sum(1 << each.move for each in found.moves if each.value == 1)
    assert found.value == 1
    assert cells_of(game, wins) == winning_first_cells(size)
    assert len(cells_of(game, wins)) == count


def test_the_swap_takes_the_stone_over_where_it_stands() -> None:
    game = Y(3, swap=True)
    s = game.result(game.initial(), game.parse_move(game.initial(), "b3"))
    swapped = game.result(s, game.parse_move(s, "swap"))
    assert game.format(swapped) == "./../.O. swapped"
    assert game.player(swapped) == MAX


def test_cells_are_named_by_place_and_row() -> None:
    game = Y(4)
    assert [game.move_name(game.initial(), cell) for cell in game.cells] == [
        "a1",
        "a2",
        "b2",
        "a3",
        "b3",
        "c3",
        "a4",
        "b4",
        "c4",
        "d4",
    ]
    assert board_lines(game.board(game.parse("./X./.../..O."))) == [
        "     1 .",
        "    2 X .",
        "   3 . . .",
        "  4 . . O .",
        "   a b c d",
    ]
