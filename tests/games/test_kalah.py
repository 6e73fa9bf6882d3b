import random

import pytest
from choices import chosen

from gamesearch.api import search
from gamesearch.errors import GamesearchError
from gamesearch.game import MAX
from gamesearch.games.counting.kalah import Kalah, Position

Side = tuple[int, ...]


class Plain:
    """A second implementation of Kalah: each side is a list of pits and a store, and seeds are sown one by one."""

    def __init__(self, pits: int, empty_capture: bool) -> None:
        self.pits, self.empty_capture = pits, empty_capture

    def moves(self, mine: Side) -> list[int]:
        return [pit for pit in range(self.pits) if mine[pit]]

    def play(self, mine: Side, theirs: Side, pit: int) -> tuple[Side, Side, bool]:
        """Return both sides after a move, and whether the player moves again."""
        p, board = self.pits, [*mine, *theirs]
        hand, board[pit], place = board[pit], 0, pit
        while hand:
            place = (place + 1) % len(board)
            if place != 2 * p + 1:
                board[place] += 1
                hand -= 1
        if place < p and board[place] == 1 and (board[2 * p - place] or self.empty_capture):
            board[p] += 1 + board[2 * p - place]
            board[place] = board[2 * p - place] = 0
        if not any(board[:p]) or not any(board[p + 1 : -1]):
            board = [0] * p + [sum(board[: p + 1])] + [0] * p + [sum(board[p + 1 :])]
        return tuple(board[: p + 1]), tuple(board[p + 1 :]), place == p


def sides(game: Kalah, s: Position) -> tuple[Side, Side]:
    return tuple(game.side(s.mine)), tuple(game.side(s.theirs))


@pytest.mark.parametrize("empty_capture", [False, True])
@pytest.mark.parametrize(("pits", "seeds"), [(1, 7), (2, 6), (3, 9), (6, 3), (6, 4), (9, 3)])
def test_random_games_agree_with_the_second_implementation(pits: int, seeds: int, empty_capture: bool) -> None:
    game, plain, source = Kalah(pits, seeds, empty_capture), Plain(pits, empty_capture), random.Random(pits)
    for _ in range(40):
        s, (mine, theirs), turn = game.initial(), ((seeds,) * pits + (0,),) * 2, MAX
        while any(mine[:-1]):
            assert not game.terminal(s)
            assert sides(game, s) == (mine, theirs)
            assert game.player(s) == turn
            assert sorted(game.moves(s)) == plain.moves(mine)
            m = source.choice(list(game.moves(s)))
            s = game.result(s, m)
            mine, theirs, again = plain.play(mine, theirs, m)
            if not again:
                mine, theirs, turn = theirs, mine, 1 - turn
        assert game.terminal(s)
        south, north = game.sides(s)
        assert game.utility(s) == south[-1] - north[-1]
        assert sorted((mine, theirs)) == sorted(map(tuple, (south, north)))
        assert game.consistent(s)


@pytest.mark.parametrize(
    ("pits", "seeds", "empty_capture", "difference"),
    chosen([(6, 1, False, 2)], [(3, 4, False, 2), (6, 2, False, 6), (6, 2, True, 10)]),
)
def test_known_differences_of_larger_boards(pits: int, seeds: int, empty_capture: bool, difference: int) -> None:
    game = Kalah(pits, seeds, empty_capture)  # run interpreted, because compiling each game takes longer
    algorithm = "alphabeta(depth=full, order=game, table=true, bounds=true, window=null)"
    assert search(game, game.initial(), algorithm, speed="interpreted").value == difference


def test_a_long_list_of_numbered_moves_with_a_typo_is_refused_immediately() -> None:
    moves = " ".join(f"{number}. 3" for number in range(1, 60))
    with pytest.raises(GamesearchError, match="north"):
        Kalah().parse(f"{moves} north")
