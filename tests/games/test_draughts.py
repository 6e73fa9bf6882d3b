import pytest
from draughts_oracle import Oracle
from draughts_support import (
    after,
    assert_decided,
    assert_moves_agree,
    assert_progress,
    assert_solutions_agree,
    names,
    varied,
)

from gamesearch.api import search, solve
from gamesearch.errors import GamesearchError
from gamesearch.game import MAX
from gamesearch.games.draughts import Draughts

GAME = Draughts()


# The rules. --------------------------------------------------------------------------------------
@pytest.mark.parametrize("size", [4, 6, 8, 10])
def test_moves_and_their_results_are_those_of_the_oracle(size: int) -> None:
    assert_moves_agree(Draughts(size), Oracle(size, international=True))


@pytest.mark.parametrize("size", [4, 10])
def test_progress_rises_with_captures_and_moves_of_men_alone(size: int) -> None:
    assert_progress(Draughts(size))


def test_white_begins_at_the_bottom() -> None:
    assert GAME.parse("W:W31-50:B1-20") == GAME.initial()
    assert GAME.player(GAME.initial()) == MAX
    assert GAME.names == ("White", "Black")
    assert "32-28" in names(GAME, "W:W31-50:B1-20")


def test_kings_fly() -> None:
    assert names(GAME, "W:WK46,32:B5") == {"32-27", "32-28", "46-37", "46-41"}
    assert len(names(GAME, "W:WK28:B16")) == 17


def test_men_capture_backwards() -> None:
    assert names(GAME, "W:W28:B33") == {"28x39"}
    assert after(GAME, "W:W28:B33", "28x39") == "B:W39:B"


def test_kings_capture_from_afar_and_stop_where_they_like() -> None:
    assert names(GAME, "W:WK46:B32") == {"46x10", "46x14", "46x19", "46x23", "46x28", "46x5"}
    assert names(GAME, "W:WK46:B32,28") == {"46-37", "46-41"}


def test_the_most_pieces_have_to_be_captured_men_or_kings_alike() -> None:
    assert names(GAME, "W:W28,45:B22,12,40") == {"28x8"}
    assert names(GAME, "W:W28,45:B22,12,K40") == {"28x8"}
    assert names(GAME, "W:W28,K50:B22,12,44") == {"28x8"}


def test_a_man_that_passes_the_last_row_stays_a_man() -> None:
    # From 12 over 8 to 3, and then over 9 to 14.
    assert after(GAME, "W:W12:B8,9", "12x14") == "B:W14:B"
    assert after(GAME, "W:W12:B8", "12x3") == "B:WK3:B"


def test_captured_pieces_stay_until_the_move_is_over() -> None:
    # The Turkish stroke: 18, which was already jumped and may not be jumped again, protects 19.
    text = "W:WK1:B18,19,31,32"
    assert names(GAME, text) == {"1x26"}
    assert after(GAME, text, "1x26") == "B:WK26:B19"


def test_the_same_captures_in_another_order_are_one_move() -> None:
    s = GAME.parse("W:W37:B21,22,31,32")
    (m,) = GAME.moves(s)
    assert GAME.ways(s, m) == [(37, 26, 17, 28, 37), (37, 28, 17, 26, 37)]
    assert GAME.move_name(s, m) == "37x37"


@pytest.mark.parametrize(
    ("text", "value"), [("B:WK1:B", 100), ("W:W26:B21", None), ("W:W26:B17,21", -100), ("W:W36:B27,31", -100)]
)
def test_who_cannot_move_loses(text: str, value: int | None) -> None:
    assert_decided(GAME, text, value)


# Search and solving. -----------------------------------------------------------------------------
def test_solved_positions_are_those_of_the_oracle() -> None:
    assert_solutions_agree(Draughts(4), Oracle(4, international=True), 10)


@pytest.mark.parametrize("algorithm", ["alphabeta({})", "alphabeta({}, table=true, memory=1, order=previous+game)"])
@pytest.mark.parametrize("text", ["W:WK3:B5,K8", "B:WK1:B3,K6", "B:W5,8:B1,2", "B:W4,8:B2,3", "W:WK1,K2:BK8"])
def test_search_values_endgames_as_solving_does(text: str, algorithm: str) -> None:
    game = Draughts(4)
    s = game.parse(text)
    solution = solve(game, s, "retrograde", speed="interpreted")
    found = search(game, s, algorithm.format(f"depth={solution.distance or 8}"), speed="interpreted")
    assert (found.value, found.distance) == (solution.value, solution.distance)


def test_evaluation_is_less_than_a_win_and_counts_a_king_for_three() -> None:
    for s in varied(GAME, 100):
        assert abs(GAME.evaluate(s)) < GAME.MAXSCORE
    assert GAME.evaluate(GAME.parse("W:WK28:B16,25")) > 0 > GAME.evaluate(GAME.parse("W:WK28:B6,11,15,16"))
    assert abs(GAME.evaluate(GAME.parse("W:WK31-50:BK1"))) < GAME.MAXSCORE


# Notation. ---------------------------------------------------------------------------------------
def test_moves_may_name_all_squares_touched() -> None:
    s = GAME.parse("W:W37:B21,22,31,32")
    (m,) = GAME.moves(s)
    for text in ("37x37", "37x26x17x28x37", "37 28 17 26 37"):
        assert GAME.parse_move(s, text) == m
    with pytest.raises(GamesearchError, match="you must play 37x37"):
        GAME.parse_move(s, "37x28x17")


def test_captures_that_would_read_alike_name_the_squares_between() -> None:
    text = "W:WK11:B9,22,24,30"
    assert names(GAME, text) == {"11x33x20x3", "11x39x25x3"}
    assert after(GAME, text, "11x33x20x3") == "B:WK3:B30"
    assert after(GAME, text, "11x39x25x3") == "B:WK3:B24"
    with pytest.raises(GamesearchError, match="may mean 11x33x20x3 or 11x39x25x3"):
        GAME.parse_move(GAME.parse(text), "11x3")


def test_the_board_has_ten_rows() -> None:
    board = GAME.board(GAME.parse("W:WK46:B5"))
    assert [cell.text for cell in board.rows[9]] == ["W", " ", "47", " ", "48", " ", "49", " ", "50", " "]
    assert [cell.text for cell in board.rows[0]] == [" ", "1", " ", "2", " ", "3", " ", "4", " ", "b"]
    assert board.row_labels[9] == "46-50"
