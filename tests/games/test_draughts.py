"""Checkers and international draughts agree with the second implementation in draughts_oracle.py."""

import random
from collections.abc import Iterator

import pytest
from draughts_oracle import Move, Oracle, random_position
from support import playout

from gamesearch.api import search, solve
from gamesearch.errors import GamesearchError
from gamesearch.game import MAX
from gamesearch.games._shared.draughts_board import CAPTURED, Position
from gamesearch.games._shared.draughts_rules import DraughtsRules
from gamesearch.games.capturing.checkers import Checkers
from gamesearch.games.capturing.draughts import Draughts

CHECKERS, DRAUGHTS = Checkers(), Draughts()
TABLES = ("alphabeta({})", "alphabeta({}, table=true, memory=1, order=previous+game)")
each_game = pytest.mark.parametrize("kind", [Checkers, Draughts])


def moves_of(game: DraughtsRules, s: Position) -> dict[Move, str]:
    """Return the position after each move; moves and positions have the same format as in draughts_oracle.py."""
    found = {}
    for m in game.moves(s):
        captured = frozenset(game.numbers_in(m >> CAPTURED << game.half))
        found[(*game.ends_of(m), captured)] = game.format(game.result(s, m))
    assert len(found) == len(list(game.moves(s)))
    return found


def names(game: DraughtsRules, text: str) -> set[str]:
    """Return the names of the legal moves, and check that all names are different."""
    s = game.parse(text)
    found = [game.move_name(s, m) for m in game.moves(s)]
    assert len(set(found)) == len(found)
    return set(found)


def after(game: DraughtsRules, text: str, move: str) -> str:
    """Return the position after a named move."""
    s = game.parse(text)
    return game.format(game.result(s, game.parse_move(s, move)))


def varied(game: DraughtsRules, count: int) -> Iterator[Position]:
    """Yield positions from random games, and positions with randomly placed pieces, which have more kings."""
    source = random.Random(count)
    for seed in range(count // 40):
        yield from playout(game, seed, 60)
    for _ in range(count):
        yield game.parse(random_position(source, game.size))


def as_solved(game: DraughtsRules, text: str, solved: dict[str, tuple[int, int] | None]) -> tuple[int, int | None]:
    """Return the oracle's solution of a position as Max's value and the distance in plies."""
    answer = solved[text]
    if answer is None:
        return 0, None
    return (100 if (game.player(game.parse(text)) == MAX) == (answer[0] == 1) else -100), answer[1]


# The rules. --------------------------------------------------------------------------------------
@each_game
@pytest.mark.parametrize("size", [4, 6, 8, 10])
def test_moves_and_their_results_agree_with_the_oracle(kind: type[Checkers | Draughts], size: int) -> None:
    game, oracle = kind(size), Oracle(size, international=kind is Draughts)
    assert game.format(game.initial()) == game.format(game.parse(game.format(game.initial())))
    for s in varied(game, 200):
        moves = moves_of(game, s)
        assert moves == oracle.moves(game.format(s))
        assert game.terminal(s) == (not moves)
        assert game.consistent(s)
        for m in game.moves(s):
            assert game.consistent(game.result(s, m))
            is_progress = m >> CAPTURED > 0 or not 1 << (m & 63) & s.kings
            change = game.progress(game.result(s, m)) - game.progress(s)
            assert change > 0 if is_progress else change == 0


@pytest.mark.parametrize(
    ("game", "text", "move", "moves"),
    [
        (CHECKERS, "W:W26:B14,15,22,23", "26x10", "26x17x10 or 26x19x10"),
        (DRAUGHTS, "W:WK11:B9,22,24,30", "11x3", "11x33x20x3 or 11x39x25x3"),
    ],
)
def test_ambiguous_moves_are_refused(game: DraughtsRules, text: str, move: str, moves: str) -> None:
    with pytest.raises(GamesearchError, match=f"'{move}' may mean {moves}"):
        game.parse_move(game.parse(text), move)


def test_the_same_captures_in_another_order_are_one_move() -> None:
    s = DRAUGHTS.parse("W:W37:B21,22,31,32")
    (m,) = DRAUGHTS.moves(s)
    assert DRAUGHTS.ways(s, m) == [(37, 26, 17, 28, 37), (37, 28, 17, 26, 37)]
    assert DRAUGHTS.move_name(s, m) == "37x37"


# Search and solving. -----------------------------------------------------------------------------
@each_game
def test_solved_positions_agree_with_the_oracle(kind: type[Checkers | Draughts]) -> None:
    game = kind(4)
    solved = Oracle(4, international=kind is Draughts).solve(game.format(game.initial()))
    for text in random.Random(4).sample(sorted(solved), 12):
        solution = solve(game, game.parse(text), "retrograde", speed="interpreted")
        assert (solution.value, solution.distance) == as_solved(game, text, solved)


def test_two_kings_win_against_one_on_a_larger_board() -> None:
    game, text = Checkers(6), "W:WK9,K12:BK1"
    solution = solve(game, game.parse(text), "retrograde", speed="interpreted")
    solved = Oracle(6, international=False).solve(text)
    assert (solution.value, solution.distance) == as_solved(game, text, solved) == (-100, 23)
    assert solution.positions == len(solved)


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
def test_search_to_the_end_values_repetition_as_solving_does(text: str, algorithm: str) -> None:
    assert_search_agrees(Checkers(4), text, algorithm.format("depth=full"))


@pytest.mark.parametrize("algorithm", TABLES)
@pytest.mark.parametrize("text", ["W:WK3:B5,K8", "B:WK1:B3,K6", "B:W5,8:B1,2", "B:W4,8:B2,3", "W:WK1,K2:BK8"])
def test_search_values_endgames_as_solving_does(text: str, algorithm: str) -> None:
    game = Draughts(4)
    distance = solve(game, game.parse(text), "retrograde", speed="interpreted").distance
    assert_search_agrees(game, text, algorithm.format(f"depth={distance or 8}"))


def assert_search_agrees(game: DraughtsRules, text: str, algorithm: str) -> None:
    """Check that a search finds the value and distance that the oracle found."""
    s = game.parse(text)
    found = search(game, s, algorithm, speed="interpreted")
    solution = solve(game, s, "retrograde", speed="interpreted")
    assert (found.value, found.distance) == (solution.value, solution.distance)


def mirrored(game: Checkers, s: Position) -> Position:
    """Return the board turned by 180 degrees, with exchanged colors."""

    def turned(squares: int) -> int:
        return sum(1 << game.bit_of(game.square_count + 1 - number) for number in game.numbers_in(squares))

    return Position(turned(s.min_pieces), turned(s.max_pieces), turned(s.kings), 1 - s.turn)


def test_evaluation_is_fair_and_less_than_a_win() -> None:
    for s in varied(CHECKERS, 100):
        value = CHECKERS.evaluate(s)
        assert abs(value) < CHECKERS.MAXSCORE / 2
        assert CHECKERS.evaluate(mirrored(CHECKERS, s)) == pytest.approx(-value)
    features = CHECKERS.features(CHECKERS.parse("B:WK30,21:B1,5,10"))
    assert features[:6] == (3 - 1, 0 - 1, 0 + 1 + 2 - 2, 1, 1, (2 + 1 + 2) - (2 + 2))
    assert features[6:] == pytest.approx((19 / 24, 1, 1 - 1, 0))
    assert CHECKERS.features(CHECKERS.parse("B:W6,K30:B27,28"))[8:] == (1, (2 + 1) - 2)


def test_evaluation_is_less_than_a_win_and_counts_a_king_for_three() -> None:
    for s in varied(DRAUGHTS, 100):
        assert abs(DRAUGHTS.evaluate(s)) < DRAUGHTS.MAXSCORE
    assert (
        DRAUGHTS.evaluate(DRAUGHTS.parse("W:WK28:B16,25")) > 0 > DRAUGHTS.evaluate(DRAUGHTS.parse("W:WK28:B6,11,15,16"))
    )
    assert abs(DRAUGHTS.evaluate(DRAUGHTS.parse("W:WK31-50:BK1"))) < DRAUGHTS.MAXSCORE


# Notation. ---------------------------------------------------------------------------------------


def test_broken_states_are_not_consistent() -> None:
    sound = CHECKERS.parse("B:W18,24,K27:B12,K16")
    assert CHECKERS.consistent(sound)
    ghost, last = 1 << 8, 1 << CHECKERS.bit_of(32)
    for broken in (
        sound._replace(max_pieces=sound.max_pieces | sound.min_pieces),
        sound._replace(max_pieces=sound.max_pieces | ghost),
        sound._replace(kings=sound.kings | 1),
        sound._replace(max_pieces=sound.max_pieces | last),
        sound._replace(max_pieces=CHECKERS.full & ~sound.min_pieces & ~last),
        sound._replace(turn=2),
    ):
        assert not CHECKERS.consistent(broken)


def test_the_board_shows_pieces_and_the_numbers_of_empty_squares() -> None:
    board = CHECKERS.board(CHECKERS.parse("B:W18,24,K27:B12,K16"))
    assert [cell.text for cell in board.rows[3]] == ["13", " ", "14", " ", "15", " ", "B", " "]
    assert [cell.text for cell in board.rows[6]] == [" ", "25", " ", "26", " ", "W", " ", "28"]
    assert [cell.owner for cell in board.rows[3]][6] == MAX
    assert board.row_labels[3] == "13-16"
    assert board.notes == ("Black to move",)
    assert CHECKERS.board(CHECKERS.parse("B:W18:B")).notes == ("Black cannot move",)


def test_the_board_has_ten_rows() -> None:
    board = DRAUGHTS.board(DRAUGHTS.parse("W:WK46:B5"))
    assert [cell.text for cell in board.rows[9]] == ["W", " ", "47", " ", "48", " ", "49", " ", "50", " "]
    assert [cell.text for cell in board.rows[0]] == [" ", "1", " ", "2", " ", "3", " ", "4", " ", "b"]
    assert board.row_labels[9] == "46-50"
