import random
from collections.abc import Iterator
from functools import cache

import pytest
from choices import only_with_everything
from hypothesis import given
from hypothesis import strategies as st
from support import playout

from gamesearch.api import search
from gamesearch.errors import GamesearchError
from gamesearch.games.capturing.othello.position import Position
from gamesearch.games.capturing.othello.rules import Othello

DIRECTIONS = [(dy, dx) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dy or dx]
OTHER = {"X": "O", "O": "X"}
FFO_1 = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X"
SOLVER = "alphabeta(depth=full, table=true, memory=1, order=game, bounds=true, window=null)"


# A second implementation: a board is a text of squares, and lines are followed square by square. -----
def flips(squares: str, side: str, square: int) -> list[int]:
    """Return the squares whose discs a new disc flips; the set is empty if the move is illegal."""
    size = int(len(squares) ** 0.5)
    found: list[int] = []
    for dy, dx in DIRECTIONS if squares[square] == "-" else ():
        line = []
        y, x = square // size + dy, square % size + dx
        while 0 <= y < size and 0 <= x < size and squares[y * size + x] == OTHER[side]:
            line.append(y * size + x)
            y, x = y + dy, x + dx
        if 0 <= y < size and 0 <= x < size and squares[y * size + x] == side:
            found += line
    return found


def place_disc(squares: str, side: str, square: int) -> str:
    after = list(squares)
    for each in (square, *flips(squares, side, square)):
        after[each] = side
    return "".join(after)


def legal(squares: str, side: str) -> list[int]:
    return [square for square in range(len(squares)) if flips(squares, side, square)]


def payoff(squares: str) -> int:
    """Return the discs of X minus the discs of O at the end; empty squares count for the winner."""
    crosses, noughts = squares.count("X"), squares.count("O")
    if crosses == noughts:
        return 0
    return len(squares) - 2 * noughts if crosses > noughts else 2 * crosses - len(squares)


@cache
def solve(squares: str, side: str) -> int:
    """Return X's value by minimax on texts of squares."""
    squares_to_take = legal(squares, side)
    if squares_to_take:
        choose = max if side == "X" else min
        return choose(solve(place_disc(squares, side, square), OTHER[side]) for square in squares_to_take)
    return solve(squares, OTHER[side]) if legal(squares, OTHER[side]) else payoff(squares)


def draw_board(game: Othello, s: Position) -> tuple[str, str]:
    """Return the squares and the side to move of a state, read from its bits."""
    marks = {(1, 0): "XO"[s.turn], (0, 1): "OX"[s.turn], (0, 0): "-"}
    return "".join(marks[s.mine >> i & 1, s.theirs >> i & 1] for i in range(game.cells)), "XO"[s.turn]


def random_states(game: Othello, games: int) -> Iterator[Position]:
    for seed in range(games):
        yield from playout(game, seed)


# The rules. --------------------------------------------------------------------------------------
@pytest.mark.parametrize("size", [4, 6, 8])
def test_the_rules_agree_with_a_grid(size: int) -> None:
    game = Othello(size)
    passes = 0
    for s in random_states(game, 6):
        squares, side = draw_board(game, s)
        expected = legal(squares, side)
        assert game.consistent(s)
        assert game.player(s) == "XO".index(side)
        assert game.terminal(s) == (not expected and not legal(squares, OTHER[side]))
        if game.terminal(s):
            assert game.utility(s) == payoff(squares)
            continue
        assert list(game.moves(s)) == (expected or [game.passing])
        passes += not expected
        for m in game.moves(s):
            after = squares if m == game.passing else place_disc(squares, side, m)
            assert draw_board(game, game.result(s, m)) == (after, OTHER[side])
    assert passes


def test_boards_stay_within_64_bits_and_use_the_last() -> None:
    game, last = Othello(), 0
    for s in random_states(game, 12):
        assert all(0 <= number < 1 << 64 for number in (*s, *game.key(s)))
        last += (s.mine >> 63) + (s.theirs >> 63) + (s.placements >> 63)
    assert last


@pytest.mark.parametrize("size", [4, 6, 8])
def test_lines_reach_from_edge_to_edge_and_never_around_it(size: int) -> None:
    game = Othello(size)
    for i in range(size):
        for row in ("-" + "O" * (size - 2) + "X", "X" + "O" * (size - 2) + "-"):
            squares = "O" * size * i + row + "O" * size * (size - 1 - i)
            for each in (squares, "".join(squares[k::size] for k in range(size))):  # once as a row and once as a column
                s = game.parse(each + " X")
                assert list(game.moves(s)) == legal(each, "X") == [each.index("-")]
                after = place_disc(each, "X", each.index("-"))
                assert draw_board(game, game.result(s, each.index("-")))[0] == after
                assert after.count("X") >= size


# Functions for search. ---------------------------------------------------------------------------
@pytest.mark.parametrize("seed", range(2))
def test_endgames_are_solved_exactly(seed: int) -> None:
    game, source = Othello(), random.Random(seed)
    s = game.parse(FFO_1)
    while draw_board(game, s)[0].count("-") > 7:
        s = game.result(s, source.choice(list(game.moves(s))))
    best = search(game, s, SOLVER, speed="interpreted")
    assert best.value == solve(*draw_board(game, s))
    assert best.value == search(game, s, "alphabeta(depth=full)", speed="interpreted").value
    assert best.best is not None
    assert best.value == solve(*draw_board(game, game.result(s, best.best)))


def test_the_last_five_squares_are_searched_without_table() -> None:
    game, source = Othello(), random.Random(1)
    for empty in (5, 5, 5, 10):
        s = game.parse(FFO_1)
        while draw_board(game, s)[0].count("-") > empty:
            s = game.result(s, source.choice(list(game.moves(s))))
        assert game.skips_table(s) == (empty == 5)
        assert not game.terminal(s)
        with_table, without = (
            search(game, s, f"alphabeta(depth=full, order=game, memory=1, table={table})", speed="interpreted")
            for table in ("true", "false")
        )
        assert with_table.value == without.value
        assert (with_table.statistics.nodes == without.statistics.nodes) == (empty == 5)
        assert (with_table.statistics.table_hits == 0) == (empty == 5)


@only_with_everything  # the other tests solve smaller endgames
def test_every_move_of_ffo_1_has_its_published_score() -> None:
    game = Othello()
    s = game.parse(FFO_1)
    found = {game.move_name(s, each.move): each.value for each in search(game, s, SOLVER, moves=True).moves}
    assert found == {"g8": 18, "h1": 12, "h7": 6, "a2": 6, "a3": 4, "b1": -4, "a4": -22, "g2": -24}


@pytest.mark.parametrize("size", [4, 6, 8])
def test_the_results_of_the_last_two_moves_are_computed_without_search(size: int) -> None:
    game = Othello(size)
    counted = set()
    for s in random_states(game, 120):
        squares, side = draw_board(game, s)
        empty = squares.count("-")
        if game.terminal(s) or empty > 4:
            continue
        if empty > 2:
            assert game.bounds(s) == (game.MINSCORE, game.MAXSCORE)
            continue
        assert game.bounds(s) == (solve(squares, side), solve(squares, side))
        counted.add((empty, next(game.moves(s)) == game.passing))
    assert counted == {(1, False), (1, True), (2, False), (2, True)}  # True if the side to move passes


def test_positions_have_different_keys() -> None:
    game = Othello()
    states = set(random_states(game, 20))
    turned_round = {Position(s.mine, s.theirs, 1 - s.turn, s.placements) for s in states}
    both = states | turned_round
    assert len({game.key(s) for s in both}) == len(both)


# Notation. ---------------------------------------------------------------------------------------
@given(st.text("XO- X", min_size=16, max_size=18))
def test_any_sixteen_squares_are_sound_or_refused(text: str) -> None:
    game = Othello(4)
    try:
        s = game.parse(text)
    except GamesearchError:
        return
    assert game.consistent(s)
    assert game.parse(game.format(s)) == s
