import pytest
from choices import choose

from gamesearch.api import search
from gamesearch.errors import GamesearchError
from gamesearch.games.counting.kalah import Kalah


@pytest.mark.parametrize("turn", ["south", "north"])
def test_after_the_last_capture_the_remaining_seeds_belong_to_their_side(turn: str) -> None:
    south, north = "1,0,1:4", "0,2,0:4"
    game = Kalah(3, 2)
    s = game.parse(f"{south}/{north}" if turn == "south" else f"{north}/{south} north")
    after = game.result(s, game.parse_move(s, "1"))
    assert game.terminal(after)
    assert game.utility(after) == (4 if turn == "south" else -4)


@pytest.mark.parametrize(
    ("pits", "seeds", "empty_capture", "difference"),
    choose([(6, 1, False, 2)], [(3, 4, False, 2), (6, 2, False, 6), (6, 2, True, 10)]),
)
def test_known_differences_of_larger_boards(pits: int, seeds: int, empty_capture: bool, difference: int) -> None:
    game = Kalah(pits, seeds, empty_capture)  # run interpreted, because compiling each game takes longer
    algorithm = "alphabeta(depth=full, order=game, table=true, bounds=true, window=null)"
    assert search(game, game.initial(), algorithm, speed="interpreted").value == difference


def test_a_long_list_of_numbered_moves_with_a_typo_is_refused_immediately() -> None:
    moves = " ".join(f"{number}. 3" for number in range(1, 60))
    with pytest.raises(GamesearchError, match="north"):
        Kalah().parse(f"{moves} north")
