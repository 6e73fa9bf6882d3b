"""Dead stones and seki in finished games of Go agree with well-known small positions and with GNU Go."""

import shutil
from collections.abc import Iterable
from itertools import product

import pytest

from benchmarks.dead_stones import PROGRAM, GnuGo, read_positions
from gamesearch.game import MAX, MIN
from gamesearch.games.capturing.go.rules import Go
from gamesearch.registry import load
from gamesearch.study.final_status import ALIVE, DEAD, GAMES, MOST_GAMES, SEKI, FinalStatus, final_status, status_at_end
from gamesearch.toolkit.bits import mix, popcount

Cells = set[tuple[int, int]]
SHARED = "O.O.OOOOO/OOOOOOOOO/OOOOOOOOO/OOOOOOOOO/OOOOOOOOO/OOOOOOOOO/OOOOOOOOO/XXXXXXXOO/.OOOO.XO."
"""A position with a seki at the bottom: A1 and F1 are the last liberties of both sides."""


def status_of(rows: str) -> FinalStatus:
    """Return the final status. Compiling its computation is worth the time only for one board, which is large."""
    game, s = Go(9).setup(f"{rows} X pass pass")
    assert isinstance(game, Go)
    return final_status(game, s, "compiled" if game.size == 9 else "interpreted")


def names(found: FinalStatus, status: str, player: int | None = None) -> set[str]:
    return {found.game.move_name(found.state, point) for point in found.points(status, player)}


# Living and dead stones. -------------------------------------------------------------------------
def test_stones_without_a_chance_are_dead_and_the_score_is_without_them() -> None:
    found = status_of(".X.O./.XO.O/XXOO./.XXOO/O.XO.")
    assert names(found, DEAD) == {"A1"}
    assert names(found, SEKI) == set()
    assert found.utility == found.game.utility(found.state)
    assert found.game.format(found.without).split()[0] == ".X.O./.XO.O/XXOO./.XXOO/..XO."
    assert found.utility_without == found.game.utility(found.without) > found.utility


def test_a_chain_is_dead_as_a_whole_and_both_sides_may_have_dead_ones() -> None:
    found = status_of("..X.O.X../..X.O.X../OO.XO..../..XXOOO../.X.X.XOO./.XXX.XXOO/....XXO.O/.O..XOO../..O.XO.O.")
    assert {"G9", "G8"} <= names(found, DEAD, MAX)
    assert {"A7", "B7", "B2", "C1"} <= names(found, DEAD, MIN)
    by_group = {each.points: each.status for each in found.groups}
    assert len(by_group) == len(found.groups)
    assert all(popcount(sum(1 << point for point in points)) == len(points) for points in by_group)


def test_nothing_is_dead_on_an_empty_board() -> None:
    found = status_of("...../...../...../...../.....")
    assert (found.groups, found.games, found.utility, found.utility_without) == ((), 0, 0, 0)


def enclose(space: Cells, white: Cells, corner: tuple[int, int]) -> str:
    """Return a position in which a living white chain surrounds a black chain whose eye contains white stones."""
    row, column = corner
    eye, inside = ({(row + i, column + j) for i, j in cells} for cells in (space, white))

    def beside(cells: Cells, diagonal: bool) -> Cells:
        steps = [step for step in product((-1, 0, 1), repeat=2) if diagonal or 0 in step]
        return {(i + down, j + right) for i, j in cells for down, right in steps}

    black = beside(eye, True) - eye
    rows = []
    for i in reversed(range(9)):
        marks = ["X" if (i, j) in black else "." if (i, j) in eye - inside else "O" for j in range(9)]
        rows.append("".join("." if (i, j) in {(8, 8), (8, 6)} else mark for j, mark in enumerate(marks)))
    return "/".join(rows)


LINE = [(0, 0), (0, 1), (0, 2), (0, 3), (0, 4)]


@pytest.mark.parametrize("corner", [(0, 0), (3, 2)])
@pytest.mark.parametrize(
    ("space", "white", "status"),
    [
        (LINE[:1], [], DEAD),
        (LINE[:2], [], DEAD),
        (LINE[:3], [(0, 1)], DEAD),
        ([(0, 0), (0, 1), (1, 0)], [(0, 0)], DEAD),
        ([(0, 0), (0, 1), (0, 2), (1, 1)], [(0, 1)], DEAD),
        (LINE[:4], [], ALIVE),
        (LINE, [], ALIVE),
        ([(0, 0), (0, 1), (1, 1), (1, 2)], [], ALIVE),
        ([(0, 0), (0, 1), (0, 2), (1, 2), (2, 2)], [], ALIVE),
    ],
)
def test_one_eye_is_dead_and_room_for_two_is_alive(
    space: Iterable[tuple[int, int]], white: Iterable[tuple[int, int]], status: str, corner: tuple[int, int]
) -> None:
    found = status_of(enclose(set(space), set(white), corner))
    assert {each.status for each in found.groups if each.player == MAX} == {status}
    outside = max((each for each in found.groups if each.player == MIN), key=lambda each: len(each.points))
    assert outside.status == ALIVE


def test_both_sides_live_in_a_seki() -> None:
    found = status_of(SHARED)
    assert names(found, DEAD) == set()
    assert names(found, SEKI, MIN) == {"B1", "C1", "D1", "E1"}
    assert names(found, SEKI, MAX) == {"A2", "B2", "C2", "D2", "E2", "F2", "G2", "G1"}
    assert found.utility_without == found.utility


def test_an_unfinished_position_has_no_final_status() -> None:
    game = load("go(size=5)")
    assert status_at_end(game, game.parse("..X../...../...../...../..... O pass")) is None
    assert status_at_end(game, game.parse("..X../...../...../...../..... X pass pass")) is not None
    chess = load("chess")
    assert status_at_end(chess, chess.initial()) is None


def test_both_speeds_and_every_call_agree() -> None:
    game = Go(9)
    s = game.parse(f"{SHARED} X pass pass")
    found = final_status(game, s, "interpreted")
    assert found == final_status(game, s, "compiled") == final_status(game, s)
    assert found.games % GAMES == 0
    assert GAMES <= found.games <= MOST_GAMES


def test_unclear_positions_take_more_games() -> None:
    clear, unclear = status_of("O../X../..."), status_of("O../.../..X")
    assert clear.games == GAMES < unclear.games


# Rules of careful playouts. ---------------------------------------------------------------------
def connected_shapes(count: int) -> set[frozenset[tuple[int, int]]]:
    """Return all connected shapes of `count` points, moved to the upper left corner of the board."""
    if count == 1:
        return {frozenset({(0, 0)})}
    found = set()
    for shape in connected_shapes(count - 1):
        for (i, j), (down, right) in product(shape, ((0, 1), (1, 0), (0, -1), (-1, 0))):
            grown = shape | {(i + down, j + right)}
            top, left = min(i for i, _ in grown), min(j for _, j in grown)
            found |= {frozenset((i - top, j - left) for i, j in grown)} if len(grown) == count else set()
    return found


@pytest.mark.parametrize(("count", "killed"), [(1, 1), (2, 2), (3, 6), (4, 5), (5, 9), (6, 4), (7, 0)])
def test_shapes_with_room_for_one_eye_are_counted(count: int, killed: int) -> None:
    """The shapes with room for only one eye are all shapes of 1 to 3 points, the square, and the rotations and
    reflections of the T (4), the bulky five (8), the cross (1) and the rabbity six (4)."""
    game = Go(9)
    found = 0
    for shape in connected_shapes(count):
        points = sum(1 << (i + 1) * game.width + j + 1 for i, j in shape)
        found += game.is_room_for_one_eye(points)
    assert found == killed


@pytest.mark.parametrize(
    ("rows", "point", "is_given"),
    [
        ("...../...../OOOOO/XXXXO/.OO.X", "D1", False),  # a space of three points in a row allows only one eye
        (SHARED, "A1", True),  # a space of five allows two eyes
        (SHARED, "F1", True),
        ("...../...../...../OO.../.XO..", "A1", False),  # two stones
        ("......./......./......./......./OOOOOOO/XXXXXXO/.OOOOXO", "A1", False),  # captures
    ],
)
def test_a_move_gives_stones_away_if_the_opponent_can_then_make_two_eyes(rows: str, point: str, is_given: bool) -> None:
    game, s = Go(9).setup(f"{rows} O")
    assert isinstance(game, Go)
    assert game.gives_away(s.white, s.black, game.read_point(point) or 0) is is_given


def test_careful_playouts_make_no_other_moves() -> None:
    game = Go(5, superko=False)
    for seed in range(40):
        s, moves = game.initial(), [-1] * 200
        end, last = game.random_game(s, mix(seed), moves, 0, True)
        for move in moves[:last]:
            assert move in game.moves(s)
            s = game.result(s, move)
        assert (s.black, s.white) == (end.black, end.white)


# GNU Go's verdicts. ------------------------------------------------------------------------------
def test_gnu_go_agrees_on_nearly_all_chains_of_finished_games() -> None:
    if shutil.which(PROGRAM) is None:
        pytest.skip("gnugo is not installed")
    gnugo, agreed, count = GnuGo(), 0, 0
    for game, s in read_positions()[20:32]:
        theirs = gnugo.dead(game, s)
        for each in final_status(game, s, "compiled").groups:
            assert len({game.move_name(s, point) in theirs for point in each.points}) == 1
            agreed += (game.move_name(s, each.points[0]) in theirs) == (each.status == DEAD)
            count += 1
    gnugo.close()
    assert count > 70
    assert agreed >= 0.98 * count
