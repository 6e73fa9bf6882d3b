"""Dawson's chess as a sum of heaps agrees with the game that is played with pawns on a board."""

from collections.abc import Iterator
from functools import cache, reduce
from itertools import product
from operator import xor

import pytest
from support import playout

from gamesearch.games.counting.dawson import Dawson
from gamesearch.solvers.solving import solve

PUBLISHED = (
    0, 1, 1, 2, 0, 3, 1, 1, 0, 3, 3, 2, 2, 4, 0, 5, 2, 2, 3, 3, 0, 1, 1, 3, 0, 2, 1, 1, 0, 4, 5, 2, 7, 4,
    0, 1, 1, 2, 0, 3, 1, 1, 0, 3, 3, 2, 2, 4, 4, 5, 5, 2,
)  # fmt: skip
"""The Grundy numbers of heaps with 0 to 51 counters, from OEIS A002187."""
Pawns = tuple[str, str, str]
"""The three ranks from White's side; each is a text with W, B or '.' for each file."""


def pawn_moves(ranks: Pawns, side: str) -> Iterator[Pawns]:
    """Yield the positions after all pawn moves; captures are compulsory, and there is no double step."""
    forward, other = (1, "B") if side == "W" else (-1, "W")
    captures, advances = [], []
    for rank, file in product(range(3), range(len(ranks[0]))):
        ahead = rank + forward
        if ranks[rank][file] != side or not 0 <= ahead < 3:
            continue
        for beside in (file - 1, file + 1):
            if 0 <= beside < len(ranks[0]) and ranks[ahead][beside] == other:
                captures.append((rank, file, ahead, beside))
        if ranks[ahead][file] == ".":
            advances.append((rank, file, ahead, file))
    for rank, file, to_rank, to_file in captures or advances:
        board = [list(row) for row in ranks]
        board[rank][file], board[to_rank][to_file] = ".", side
        yield ("".join(board[0]), "".join(board[1]), "".join(board[2]))


@cache
def side_wins(ranks: Pawns, side: str) -> bool:
    """Whether the side to move makes the last move if both sides play perfectly."""
    return any(not side_wins(after, "B" if side == "W" else "W") for after in pawn_moves(ranks, side))


@pytest.mark.parametrize("files", range(1, 9))
def test_the_game_of_pawns_has_the_same_winner(files: int) -> None:
    wins = side_wins(("W" * files, "." * files, "B" * files), "W")
    assert wins == (PUBLISHED[files] != 0)
    game = Dawson(files)
    for method in ("memo", "retrograde", "grundy"):
        assert solve(game, game.initial(), method, speed="interpreted").value == (1 if wins else -1)


@pytest.mark.parametrize("files", range(1, 8))
def test_each_advance_has_the_same_winner_as_the_pawns(files: int) -> None:
    game = Dawson(files)
    solution = solve(game, game.initial(), speed="interpreted")
    pawns = list(pawn_moves(("W" * files, "." * files, "B" * files), "W"))  # one for each file, from left to right
    assert [m.value == 1 for m in solution.moves] == [not side_wins(after, "B") for after in pawns]


def test_an_advance_removes_its_file_and_the_adjacent_files() -> None:
    game = Dawson("9")
    s = game.initial()
    for name, drawn in (("5", "xxx...xxx min"), ("1", "..x...xxx"), ("3", "......xxx min"), ("8", "......... ")):
        s = game.result(s, game.parse_move(s, name))
        assert game.format(s) == drawn.strip()
    assert game.terminal(s)
    assert game.utility(s) == -1


def test_rows_split_by_the_octal_code() -> None:
    for rows in ("9", "4-5", "1-2-3"):
        game = Dawson(rows)
        for seed in range(5):
            for s in playout(game, seed):
                for m in game.moves(s):
                    before, after = game.subgames(s), game.subgames(game.result(s, m))
                    assert game.octal_code[sum(before) - sum(after)] >> len(after) - len(before) + 1 & 1


def test_grundy_numbers_are_as_published_and_decide_the_game() -> None:
    game = Dawson("12")
    assert tuple(game.grundy(size) for size in range(52)) == PUBLISHED
    for files in product(range(5), repeat=2):
        s = game.parse("-".join(map(str, files)))
        value = solve(game, s, "memo", speed="interpreted").value
        assert (value == 1) == (reduce(xor, map(game.grundy, files)) != 0)


def test_the_board_has_both_sides_pawns() -> None:
    game = Dawson("5")
    board = game.board(game.parse("xx.x."))
    assert ["".join(cell.text for cell in row) for row in board.rows] == ["pp.p.", ".....", "PP.P."]
    assert len(Dawson("30").board(Dawson("30").initial()).rows) == 3
