import heapq
import random
from functools import cache
from itertools import pairwise
from typing import Any

import pytest
from connection_support import assert_winning_cells
from support import playout

from gamesearch import solve
from gamesearch.errors import GamesearchError
from gamesearch.game import MAX, MIN
from gamesearch.games._shared.connection import Position
from gamesearch.games.hex import Hex
from gamesearch.toolkit.boards import board_lines

Cell = tuple[int, int]
AROUND = ((0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1))
"""The six neighbors of a cell in circular order, as row and column offsets."""


# An oracle on sets of coordinates. ---------------------------------------------------------------
def cells_of(game: Hex, board: int) -> set[Cell]:
    return {divmod(cell, game.size) for cell in range(game.size**2) if board >> cell & 1}


def touching(cell: Cell) -> set[Cell]:
    return {(cell[0] + down, cell[1] + right) for down, right in AROUND}


def on_start(cell: Cell, player: int) -> bool:
    return cell[player] == 0


def on_goal(cell: Cell, player: int, size: int) -> bool:
    return cell[player] == size - 1


def connected(stones: set[Cell], player: int, size: int) -> bool:
    waiting = [cell for cell in stones if on_start(cell, player)]
    seen = set(waiting)
    while waiting:
        cell = waiting.pop()
        if on_goal(cell, player, size):
            return True
        new = touching(cell) & stones - seen
        seen |= new
        waiting += new
    return False


def stones_missing(stones: set[Cell], empty: set[Cell], player: int, size: int) -> int:
    """Return the shortest path between the sides (Dijkstra): each empty cell costs 1, and cells with a bridge are
    adjacent.
    """
    start, goal = ({cell for cell in stones | empty if cell[player] == side} for side in (0, size - 1))
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
    return size * size


@pytest.mark.parametrize("size", [2, 3, 5, 8, 11])
def test_rules_agree_with_sets_of_coordinates(size: int) -> None:
    game = Hex(size)
    for seed in range(4):
        states = playout(game, seed)
        for s in states:
            crosses, noughts = cells_of(game, s.crosses), cells_of(game, s.noughts)
            assert connected(crosses, MAX, size) or connected(noughts, MIN, size) == game.terminal(s)
            assert len(crosses) - len(noughts) == game.player(s) == s.turn
            free = {(row, column) for row in range(size) for column in range(size)} - crosses - noughts
            assert {divmod(m, size) for m in game.moves(s)} == free
            assert game.consistent(s)
        crosses, noughts = (cells_of(game, board) for board in states[-1][:2])
        assert connected(crosses, MAX, size) == (game.utility(states[-1]) == 1)
        assert connected(noughts, MIN, size) == (game.utility(states[-1]) == -1)


def test_every_full_board_has_exactly_one_winner() -> None:
    game, source = Hex(6), random.Random(1)
    for _ in range(100):
        crosses = sum(1 << cell for cell in range(36) if source.random() < 0.5)
        assert game.connects(crosses, MAX) != game.connects(game.full ^ crosses, MIN)


@pytest.mark.parametrize("size", [3, 6])
def test_winning_cells_are_where_the_next_stone_wins(size: int) -> None:
    assert_winning_cells(Hex(size))


@pytest.mark.parametrize("size", [2, 5, 9])
def test_missing_stones_are_a_shortest_path(size: int) -> None:
    game = Hex(size)
    for seed in range(3):
        for s in playout(game, seed)[:-1]:
            empty = game.empty_cells(s)
            for turn, stones in ((MAX, s.crosses), (MIN, s.noughts)):
                path = stones_missing(cells_of(game, stones), cells_of(game, empty), turn, size)
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


# Values. -----------------------------------------------------------------------------------------
def winning_first_cells(size: int) -> set[Cell]:
    """Return the winning first cells, by brute force over sets of coordinates."""
    everything = frozenset((row, column) for row in range(size) for column in range(size))

    @cache
    def mover_wins(mine: frozenset[Cell], theirs: frozenset[Cell], player: int) -> bool:
        if connected(set(theirs), 1 - player, size):
            return False
        return any(not mover_wins(theirs, mine | {cell}, 1 - player) for cell in everything - mine - theirs)

    nothing: frozenset[Cell] = frozenset()
    return {cell for cell in everything if not mover_wins(nothing, frozenset({cell}), MIN)}


@pytest.mark.parametrize(("size", "count"), [(2, 2), (3, 5)])
def test_winning_first_cells(size: int, count: int) -> None:
    game = Hex(size)
    found = solve(game, game.initial(), speed="interpreted")
    wins = {divmod(each.move, size) for each in found.moves if each.value == 1}
    assert found.value == 1
    assert wins == winning_first_cells(size)
    assert len(wins) == count


# The swap. ---------------------------------------------------------------------------------------
def test_the_swap_is_for_the_second_player_alone_and_only_once() -> None:
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


def test_after_the_swap_turns_are_told_by_the_counts_and_the_word() -> None:
    game = Hex(2, swap=True)
    assert game.parse("X./.O").turn == MAX
    assert game.parse("X./.O swapped").turn == MIN
    assert game.parse("O./..") == game.parse("O./.. swapped")
    assert game.key(game.parse("X./.O")) != game.key(game.parse("X./.O swapped"))


def test_with_the_swap_the_second_player_wins() -> None:
    for size in (2, 3):
        game = Hex(size, swap=True)
        found = solve(game, game.initial(), speed="interpreted")
        assert (found.value, {each.value for each in found.moves}) == (-1, {-1})
    for name, value in (("a1", 1), ("b1", -1)):  # b1 wins, so the opponent swaps
        game = Hex(2, swap=True)
        s = game.result(game.initial(), game.parse_move(game.initial(), name))
        values = {each.move: each.value for each in solve(game, s, speed="interpreted").moves}
        assert values[game.swap_move] == value


# Notation. ---------------------------------------------------------------------------------------
def test_cells_are_named_by_column_and_row() -> None:
    game = Hex()
    s = game.initial()
    after = game.result(s, game.parse_move(s, " B 3"))
    assert game.format(after).split("/")[2] == "." + "X" + "." * 9
    assert game.parse_move(s, "K11") == 120
    assert game.move_name(s, 10) == "k1"


def test_the_board_is_slanted() -> None:
    game = Hex(3)
    assert board_lines(game.board(game.parse("XO./..X/..."))) == [
        " 1 X O .",
        "  2 . . X",
        "   3 . . .",
        "      a b c",
        "X connects top and bottom, O connects left and right",
    ]


def test_a_last_stone_may_connect_in_two_ways_but_two_chains_take_two() -> None:
    assert Hex(4).terminal(Hex(4).parse("XOXO/XXOO/XO../X..."))
    with pytest.raises(GamesearchError, match="continues"):
        Hex(4).parse("XOXO/XOXO/XOXO/XOX.")


@pytest.mark.parametrize("text", ["XX./.../... swapped", ".../.../... swapped"])
def test_impossible_counts_after_a_swap_are_refused(text: str) -> None:
    with pytest.raises(GamesearchError, match="O has the first stone after a swap"):
        Hex(3, swap=True).parse(text)


def test_inconsistent_states_are_recognized() -> None:
    game: Any = Hex(3)
    for broken in (Position(1, 1, MAX), Position(1, 0, MAX), Position(1 << 9, 1, MAX), Position(0, 1, MAX)):
        assert not game.consistent(broken)
    assert Hex(3, swap=True).consistent(Position(0, 1, MAX))
