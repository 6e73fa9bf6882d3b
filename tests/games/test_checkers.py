import pytest
from draughts_oracle import Oracle
from draughts_support import (
    after,
    as_solved,
    assert_decided,
    assert_moves_agree,
    assert_progress,
    assert_solutions_agree,
    names,
    varied,
)

from gamesearch.api import search, solve
from gamesearch.errors import GamesearchError
from gamesearch.game import MAX, MIN
from gamesearch.games._shared.draughts_board import Position
from gamesearch.games.checkers import Checkers

GAME = Checkers()


def mirrored(game: Checkers, s: Position) -> Position:
    """Return the board rotated by 180 degrees, with the colors exchanged."""

    def turned(squares: int) -> int:
        return sum(1 << game.bit_of(game.square_count + 1 - number) for number in game.numbers_in(squares))

    return Position(turned(s.min_pieces), turned(s.max_pieces), turned(s.kings), 1 - s.turn)


# The rules. --------------------------------------------------------------------------------------
@pytest.mark.parametrize("size", [4, 6, 8, 10])
def test_moves_and_their_results_are_those_of_the_oracle(size: int) -> None:
    game, oracle = Checkers(size), Oracle(size, international=False)
    assert game.format(game.initial()) == game.format(game.parse(game.format(game.initial())))
    assert_moves_agree(game, oracle)


@pytest.mark.parametrize("size", [4, 6, 8, 10])
def test_progress_rises_with_captures_and_moves_of_men_alone(size: int) -> None:
    assert_progress(Checkers(size))


def test_black_begins_at_the_top() -> None:
    assert GAME.format(GAME.initial()) == "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"
    assert GAME.player(GAME.initial()) == MAX
    assert GAME.names == ("Black", "White")
    assert "11-15" in names(GAME, GAME.format(GAME.initial()))


def test_men_step_forwards_and_kings_every_way() -> None:
    assert names(GAME, "B:W32:B14") == {"14-17", "14-18"}
    assert names(GAME, "W:W18:B1") == {"18-14", "18-15"}
    assert names(GAME, "B:W32:BK14") == {"14-9", "14-10", "14-17", "14-18"}


def test_captures_are_compulsory_but_the_longest_is_not() -> None:
    assert names(GAME, "W:W22,32:B17,27") == {"22x13", "32x23"}
    assert names(GAME, "W:W22,32:B9,17,27") == {"22x6", "32x23"}


def test_a_capture_has_to_be_carried_through_as_one_move() -> None:
    assert names(GAME, "W:W22:B18,11") == {"22x8"}
    assert after(GAME, "W:W22:B18,11", "22x8") == "B:W8:B"


def test_men_do_not_capture_backwards_and_kings_do() -> None:
    assert names(GAME, "W:W14:B18,1") == {"14-9", "14-10"}
    assert names(GAME, "W:WK14:B18,1") == {"14x23"}


def test_crowning_ends_a_capture() -> None:
    # A king on 3 could continue over 8 or 7.
    assert names(GAME, "W:W12:B8,7") == {"12x3"}
    assert after(GAME, "W:W12:B8,7", "12x3") == "B:WK3:B7"
    assert names(GAME, "W:WK12:B8,7") == {"12x10"}


def test_a_step_to_the_last_row_crowns() -> None:
    assert after(GAME, "W:W6:B20", "6-1") == "B:WK1:B20"
    assert after(GAME, "B:W6:B27", "27-31") == "W:W6:BK31"


def test_a_round_trip_is_one_move_either_way_round() -> None:
    text = "W:WK22:B9,10,17,18"
    assert names(GAME, text) == {"22x22"}
    assert after(GAME, text, "22x22") == "B:WK22:B"
    for way in ("22x15x6x13x22", "22x13x6x15x22"):
        assert GAME.parse_move(GAME.parse(text), way) == next(GAME.moves(GAME.parse(text)))


@pytest.mark.parametrize(
    ("text", "value"),
    [("B:WK1:B", -100), ("W:W:BK1", 100), ("B:W9,14:B5,6", None), ("B:W9,14:B5", -100), ("W:W21:B17,14", 100)],
)
def test_who_cannot_move_loses(text: str, value: int | None) -> None:
    assert_decided(GAME, text, value)


# Search and solving. -----------------------------------------------------------------------------
def test_solved_positions_are_those_of_the_oracle() -> None:
    assert_solutions_agree(Checkers(4), Oracle(4, international=False), 15)


def test_two_kings_win_against_one_on_a_larger_board() -> None:
    game, text = Checkers(6), "W:WK9,K12:BK1"
    solution = solve(game, game.parse(text), "retrograde", speed="interpreted")
    solved = Oracle(6, international=False).solve(text)
    assert (solution.value, solution.distance) == as_solved(game, text, solved) == (-100, 23)
    assert solution.positions == len(solved)


TABLES = ("alphabeta({})", "alphabeta({}, table=true, memory=1, order=previous+game)")


@pytest.mark.parametrize("algorithm", TABLES)
@pytest.mark.parametrize("text", ["W:WK2,K6:B3,K5", "B:WK1,K8:B3,K5", "W:W7,8:B2,3", "B:WK2,5:B3,K8", "B:W4,7:B1,6"])
def test_search_finds_solved_wins_in_as_many_plies(text: str, algorithm: str) -> None:
    game = Checkers(4)
    s = game.parse(text)
    solution = solve(game, s, "retrograde", speed="interpreted")
    assert solution.distance is not None
    for depth in (solution.distance, solution.distance + 1):
        found = search(game, s, algorithm.format(f"depth={depth}"), speed="interpreted")
        assert (found.value, found.distance) == (solution.value, solution.distance)
    sooner = search(game, s, algorithm.format(f"depth={solution.distance - 1}"), speed="interpreted")
    assert abs(sooner.value) < 50  # type: ignore[arg-type]


@pytest.mark.parametrize("algorithm", TABLES)
@pytest.mark.parametrize("text", ["B:WK8:BK1", "B:WK8,K7:BK1", "W:WK7:BK1", "B:WK8:B1", "W:WK2,K6:B3,K5"])
def test_search_to_the_end_values_recurrence_as_solving_does(text: str, algorithm: str) -> None:
    game = Checkers(4)
    s = game.parse(text)
    found = search(game, s, algorithm.format("depth=full"), speed="interpreted")
    solution = solve(game, s, "retrograde", speed="interpreted")
    assert (found.value, found.distance) == (solution.value, solution.distance)


def test_evaluation_is_fair_and_less_than_a_win() -> None:
    for s in varied(GAME, 100):
        value = GAME.evaluate(s)
        assert abs(value) < GAME.MAXSCORE / 2
        assert GAME.evaluate(mirrored(GAME, s)) == pytest.approx(-value)
    features = GAME.features(GAME.parse("B:WK30,21:B1,5,10"))
    assert features[:6] == (3 - 1, 0 - 1, 0 + 1 + 2 - 2, 1, 1, (2 + 1 + 2) - (2 + 2))
    assert features[6:] == pytest.approx((19 / 24, 1, 1 - 1, 0))
    assert GAME.features(GAME.parse("B:W6,K30:B27,28"))[8:] == (1, (2 + 1) - 2)


def test_order_prefers_captures_and_crowning() -> None:
    s = GAME.parse("W:W22,32:B9,17,27")
    assert max(GAME.moves(s), key=lambda m: GAME.order(s, m)) == GAME.parse_move(s, "22x6")
    s = GAME.parse("W:W6,31:B12")
    assert GAME.move_name(s, max(GAME.moves(s), key=lambda m: GAME.order(s, m))) in ("6-1", "6-2")
    assert GAME.move_name(s, min(GAME.moves(s), key=lambda m: GAME.order(s, m))).startswith("31-")


# Notation. ---------------------------------------------------------------------------------------
def test_positions_are_read_in_any_order_and_as_ranges() -> None:
    assert GAME.parse(GAME.format(GAME.initial())) == GAME.parse("b : b1-12 : w 21-32.") == GAME.initial()
    s = GAME.parse("B:W18,24,K27:B12,K16")
    assert GAME.format(s) == "B:W18,24,K27:B12,K16"
    assert GAME.player(s) == MAX
    assert GAME.player(GAME.parse("W:WK27,24,18:BK16,12")) == MIN
    assert GAME.parse("W:WK1-3:B9") == GAME.parse("W:WK1,K2,K3:B9")


def test_moves_are_read_in_many_forms() -> None:
    s = GAME.initial()
    assert {GAME.parse_move(s, text) for text in ("11-15", " 11 15", "11 - 15", "11x15")} == {
        GAME.parse_move(s, "11-15")
    }
    s = GAME.parse("W:W22:B18,11")
    whole = GAME.parse_move(s, "22x8")
    assert all(GAME.parse_move(s, text) == whole for text in ("22x15x8", "22 X 15 X 8", "22:8", "22-15-8"))


def test_captures_that_would_read_alike_name_the_squares_between() -> None:
    text = "W:W26:B14,15,22,23"
    assert names(GAME, text) == {"26x17x10", "26x19x10"}
    assert after(GAME, text, "26x17x10") == "B:W10:B15,23"
    with pytest.raises(GamesearchError, match="'26x10' may mean 26x17x10 or 26x19x10"):
        GAME.parse_move(GAME.parse(text), "26x10")


def test_broken_states_are_not_consistent() -> None:
    sound = GAME.parse("B:W18,24,K27:B12,K16")
    assert GAME.consistent(sound)
    ghost, last = 1 << 8, 1 << GAME.bit_of(32)
    for broken in (
        sound._replace(max_pieces=sound.max_pieces | sound.min_pieces),
        sound._replace(max_pieces=sound.max_pieces | ghost),
        sound._replace(kings=sound.kings | 1),
        sound._replace(max_pieces=sound.max_pieces | last),
        sound._replace(max_pieces=GAME.full & ~sound.min_pieces & ~last),
        sound._replace(turn=2),
    ):
        assert not GAME.consistent(broken)


def test_the_board_shows_pieces_and_the_numbers_of_empty_squares() -> None:
    board = GAME.board(GAME.parse("B:W18,24,K27:B12,K16"))
    assert [cell.text for cell in board.rows[3]] == ["13", " ", "14", " ", "15", " ", "B", " "]
    assert [cell.text for cell in board.rows[6]] == [" ", "25", " ", "26", " ", "W", " ", "28"]
    assert [cell.owner for cell in board.rows[3]][6] == MAX
    assert board.row_labels[3] == "13-16"
    assert board.notes == ("Black to move",)
    assert GAME.board(GAME.parse("B:W18:B")).notes == ("Black cannot move",)
