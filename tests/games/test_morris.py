from itertools import combinations, pairwise

import pytest

from gamesearch.games.capturing.morris.position import Position
from gamesearch.games.capturing.morris.rules import Morris

LINES = {
    3: "a7 d7 g7, b6 d6 f6, c5 d5 e5, a4 b4 c4, e4 f4 g4, c3 d3 e3, b2 d2 f2, a1 d1 g1, "
    "a1 a4 a7, b2 b4 b6, c3 c4 c5, d1 d2 d3, d5 d6 d7, e3 e4 e5, f2 f4 f6, g1 g4 g7",
    2: "a5 c5 e5, b4 c4 d4, b2 c2 d2, a1 c1 e1, a1 a3 a5, b2 b3 b4, d2 d3 d4, e1 e3 e5, a3 b3, d3 e3, c1 c2, c4 c5",
    1: "a3 b3 c3, a1 b1 c1, a1 a2 a3, c1 c2 c3",
}
"""For each number of rings, the lines of the board; three pieces of one side on a line form a mill."""


def play_moves(game: Morris, s: Position, *moves: str) -> Position:
    for move in moves:
        s = game.result(s, game.parse_move(s, move))
    return s


@pytest.mark.parametrize("rings", [1, 2, 3])
def test_neighbors_and_mills_are_on_the_lines(rings: int) -> None:
    game, lines = Morris(3, rings), [line.split() for line in LINES[rings].split(", ")]
    points = {game.point_name(point): 1 << point for point in range(game.points)}
    edges = {frozenset(pair) for line in lines for pair in pairwise(line)}
    for name, point in points.items():
        assert game.neighbors(point) == sum(points[other] for other in points if frozenset((name, other)) in edges)
    for men in combinations(points, 2):
        third = [set(line).difference(men).pop() for line in lines if len(line) == 3 and {*men} < {*line}]
        assert game.completing_points(sum(points[each] for each in men)) & ~sum(points[each] for each in men) == sum(
            points[each] for each in third
        )


# Each rule separately. ---------------------------------------------------------------------------
def test_positions_have_different_keys() -> None:
    game = Morris(3, 1)
    waiting, states = [game.initial()], {game.initial()}
    while waiting:
        s = waiting.pop()
        after = set() if game.terminal(s) else {game.result(s, m) for m in game.moves(s)} - states
        states |= after
        waiting += after
    assert len({game.key(s) for s in states}) == len(states) == 2241


# Notation. ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("rings", [1, 2, 3])
def test_the_board_shows_every_point_at_its_name(rings: int) -> None:
    game = Morris(3, rings)
    for point in {name for line in LINES[rings].split(", ") for name in line.split()}:
        board = game.board(play_moves(game, game.initial(), point))
        row, column = list(board.row_labels).index(point[1]), list(board.column_labels).index(point[0])
        assert [(i, j) for i, cells in enumerate(board.rows) for j, cell in enumerate(cells) if cell.text == "W"] == [
            (row, column)
        ]
