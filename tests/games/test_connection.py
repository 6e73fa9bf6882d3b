"""Hex and Y agree with a second implementation of their rules on sets of coordinates."""

import heapq
import random
from itertools import pairwise

import pytest
from support import playout

from gamesearch.game import MAX, MIN
from gamesearch.games._shared.connection import ConnectionGame, Position
from gamesearch.games.connecting.hex import Hex
from gamesearch.games.connecting.y import Y

Cell = tuple[int, ...]
"""The coordinates of a cell: row and column in Hex; distances from the left, right and lower side in Y."""
AROUND = ((0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1))
"""The six neighbors of a cell in circular order, as offsets of the first two coordinates."""


# The rules on sets of coordinates. ---------------------------------------------------------------
def places(game: ConnectionGame) -> list[Cell]:
    """Return the coordinates of all cells, row by row from the top."""
    size = game.size
    if isinstance(game, Hex):
        return [(row, column) for row in range(size) for column in range(size)]
    return [(place, row - place, size - 1 - row) for row in range(size) for place in range(row + 1)]


def cells_of(game: ConnectionGame, board: int) -> set[Cell]:
    return {place for place, cell in zip(places(game), game.cells, strict=True) if board >> cell & 1}


def touching(cell: Cell) -> set[Cell]:
    """Return the six neighbors of a cell, including cells beyond the edges of the board."""
    if len(cell) == 2:
        return {(cell[0] + down, cell[1] + right) for down, right in AROUND}
    return {(cell[0] + i, cell[1] + j, cell[2] - i - j) for i, j in AROUND}


def sides(game: ConnectionGame, player: int) -> list[set[Cell]]:
    """Return the cells along each of the sides that a player must connect."""
    if isinstance(game, Hex):
        return [{cell for cell in places(game) if cell[player] == end} for end in (0, game.size - 1)]
    return [{cell for cell in places(game) if cell[side] == 0} for side in range(3)]


def is_connected(game: ConnectionGame, stones: set[Cell], player: int) -> bool:
    """Whether a chain of the player touches all sides that the player must connect."""
    left = set(stones)
    while left:
        chain, waiting = set[Cell](), [left.pop()]
        while waiting:
            cell = waiting.pop()
            chain.add(cell)
            new = touching(cell) & left
            left -= new
            waiting += new
        if all(chain & side for side in sides(game, player)):
            return True
    return False


each_game = pytest.mark.parametrize("kind", [Hex, Y])


@each_game
@pytest.mark.parametrize("size", [2, 3, 6, 11])
def test_rules_agree_with_sets_of_coordinates(kind: type[Hex | Y], size: int) -> None:
    game = kind(size)
    for seed in range(2):
        states = playout(game, seed)
        for s in states:
            crosses, noughts = cells_of(game, s.crosses), cells_of(game, s.noughts)
            assert (is_connected(game, crosses, MAX) or is_connected(game, noughts, MIN)) == game.terminal(s)
            assert len(crosses) - len(noughts) == game.player(s) == s.turn
            assert cells_of(game, sum(1 << m for m in game.moves(s))) == set(places(game)) - crosses - noughts
            assert game.consistent(s)
        last = cells_of(game, states[-1].crosses)
        assert game.utility(states[-1]) == (1 if is_connected(game, last, MAX) else -1)


@each_game
def test_every_cell_touches_its_neighbors(kind: type[Hex | Y]) -> None:
    game = kind(6)
    for place, cell in zip(places(game), game.cells, strict=True):
        assert cells_of(game, game.neighbors(1 << cell)) == touching(place) & set(places(game))


@each_game
def test_every_full_board_has_exactly_one_winner(kind: type[Hex | Y]) -> None:
    game, source = kind(7), random.Random(1)
    for _ in range(100):
        crosses = sum(1 << cell for cell in game.cells if source.random() < 0.5)
        assert game.connects(crosses, MAX) != game.connects(game.full ^ crosses, MIN)


@each_game
@pytest.mark.parametrize("size", [3, 6])
def test_winning_cells_are_where_the_next_stone_wins(kind: type[Hex | Y], size: int) -> None:
    game = kind(size)
    for seed in range(6):
        for s in playout(game, seed)[:-1]:
            for turn, stones in ((MAX, s.crosses), (MIN, s.noughts)):
                cells = game.winning_cells(stones, game.empty_cells(s), turn)
                assert cells == sum(1 << m for m in game.moves(s) if game.connects(stones | 1 << m, turn))


# Evaluation. -------------------------------------------------------------------------------------
def stones_missing(game: Hex, stones: set[Cell], empty: set[Cell], player: int) -> int:
    """Return the cost of the cheapest path between the sides (Dijkstra): an empty cell costs 1, a bridge nothing."""
    start, goal = sides(game, player)
    near = {cell for cell in stones | empty if cell in start or len(touching(cell) & start & empty) >= 2}
    waiting = [(int(cell in empty), cell) for cell in near]
    heapq.heapify(waiting)
    done: dict[Cell, int] = {}
    while waiting:
        cost, cell = heapq.heappop(waiting)
        if cell in done:
            continue
        done[cell] = cost
        if cell in goal or len(touching(cell) & goal & empty) >= 2:
            return cost
        ways = touching(cell)
        for (a, b), (c, d) in pairwise((*AROUND, AROUND[0])):
            if {(cell[0] + a, cell[1] + b), (cell[0] + c, cell[1] + d)} <= empty:
                ways.add((cell[0] + a + c, cell[1] + b + d))
        for way in ways & (stones | empty):
            heapq.heappush(waiting, (cost + int(way in empty), way))
    return game.size**2


@pytest.mark.parametrize("size", [2, 6])
def test_missing_stones_are_a_shortest_path(size: int) -> None:
    game = Hex(size)
    for seed in range(2):
        for s in playout(game, seed)[:-1]:
            empty = game.empty_cells(s)
            for turn, stones in ((MAX, s.crosses), (MIN, s.noughts)):
                path = stones_missing(game, cells_of(game, stones), cells_of(game, empty), turn)
                assert game.missing_stones(stones, empty, turn) == path


def test_evaluation_is_fair_and_knows_bridges() -> None:
    game = Hex(5)
    for seed in range(4):
        for s in playout(game, seed)[:-1]:
            transposed = [sum(1 << game.cell_after_swap(m) for m in range(25) if b >> m & 1) for b in s[:2]]
            other = Position(transposed[1], transposed[0], 1 - s.turn)
            assert game.evaluate(s) == pytest.approx(-game.evaluate(other))
            assert -1 < game.evaluate(s) < 1
    chain = game.parse("...../..X../O..../.X.O./.....")
    assert game.missing_stones(chain.crosses, game.empty_cells(chain), MAX) == 0
    intruded = game.parse("...../..X../OO.../.X.../.....")
    assert game.missing_stones(intruded.crosses, game.empty_cells(intruded), MAX) == 1
    assert game.evaluate(chain) > 0.5


def test_missing_stones_are_counted_between_each_two_sides() -> None:
    game = Y(3)
    s = game.initial()
    # A corner touches two sides. To reach the third side, it needs one more stone, or a bridge.
    assert game.missing_stones(s.crosses, game.empty_cells(s), MAX) == 3
    s = game.parse("./X./...")
    assert game.missing_stones(s.crosses, game.empty_cells(s), MAX) == 0
    assert game.evaluate(s) > 0


# The swap. ---------------------------------------------------------------------------------------
def test_only_the_second_player_may_swap_and_only_once() -> None:
    game = Hex(4, swap=True)
    s = game.initial()
    assert game.swap_move not in set(game.moves(s))
    s = game.result(s, game.parse_move(s, "c1"))
    assert list(game.moves(s))[-1] == game.swap_move
    swapped = game.result(s, game.parse_move(s, " Swap "))
    assert game.format(swapped) == "..../..../O.../.... swapped"
    assert game.player(swapped) == MAX
    assert game.swap_move not in set(game.moves(swapped))
    answered = game.result(swapped, game.parse_move(swapped, "b2"))
    assert game.format(answered) == "..../.X../O.../.... swapped"
    assert game.player(answered) == MIN
    assert game.swap_move not in set(game.moves(answered))
    declined = game.result(s, game.parse_move(s, "a3"))
    assert (game.player(declined), game.format(declined)) == (MAX, "..X./..../O.../....")
    assert game.swap_move not in set(game.moves(declined))
    assert game.swap_move not in set(Hex(4).moves(Hex(4).parse("..X./..../..../....")))


def test_the_turn_after_a_swap_follows_from_the_stones_and_the_word_swapped() -> None:
    game = Hex(2, swap=True)
    assert game.parse("X./.O").turn == MAX
    assert game.parse("X./.O swapped").turn == MIN
    assert game.parse("O./..") == game.parse("O./.. swapped")
    assert game.key(game.parse("X./.O")) != game.key(game.parse("X./.O swapped"))


def test_the_swap_in_y_keeps_the_cell_of_the_stone() -> None:
    game = Y(3, swap=True)
    s = game.result(game.initial(), game.parse_move(game.initial(), "b3"))
    swapped = game.result(s, game.parse_move(s, "swap"))
    assert game.format(swapped) == "./../.O. swapped"
    assert game.player(swapped) == MAX


# Notation. ---------------------------------------------------------------------------------------
