import random
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

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


class Table(NamedTuple):
    """The pieces on the board, the pieces that White and Black have in hand, and whether White is to move."""

    men: frozenset[tuple[str, str]]
    white: int
    black: int
    is_white: bool


class Plain:
    """A second implementation of morris, which uses the names of points and moves."""

    def __init__(self, men: int, rings: int, flying: bool) -> None:
        self.men, self.flying = men, flying
        lines = [line.split() for line in LINES[rings].split(", ")]
        self.mills = [set(line) for line in lines if len(line) == 3]
        self.edges = {frozenset(pair) for line in lines for pair in pairwise(line)}
        self.points = sorted({point for line in lines for point in line})

    def start(self) -> Table:
        return Table(frozenset(), self.men, self.men, True)

    def is_in_mill(self, point: str, men: set[str]) -> bool:
        return any(point in mill and mill <= men for mill in self.mills)

    def steps(self, s: Table) -> Iterator[tuple[str, str, str]]:
        """Yield the name, origin ("" if the piece comes from the hand) and target of each move, without removals."""
        men = dict(s.men)
        side = "W" if s.is_white else "B"
        own = [point for point in men if men[point] == side]
        free = [point for point in self.points if point not in men]
        if s.white if s.is_white else s.black:
            yield from ((target, "", target) for target in free)
        else:
            for origin in own:
                for target in free:
                    if (len(own) == 3 and self.flying) or frozenset((origin, target)) in self.edges:
                        yield f"{origin}-{target}", origin, target

    def after(self, s: Table) -> dict[str, Table]:
        """Return the position after each move."""
        side, other = ("W", "B") if s.is_white else ("B", "W")
        found = {}
        for name, origin, target in self.steps(s):
            men = {point: mark for point, mark in s.men if point != origin} | {target: side}
            hands = (s.white - s.is_white, s.black - (not s.is_white)) if not origin else (s.white, s.black)
            own, their = ({point for point in men if men[point] == mark} for mark in (side, other))
            removable = {point for point in their if not self.is_in_mill(point, their)} or their
            if self.is_in_mill(target, own) and their:
                for removed in removable:
                    rest = frozenset((point, mark) for point, mark in men.items() if point != removed)
                    found[f"{name}x{removed}"] = Table(rest, *hands, not s.is_white)
            else:
                found[name] = Table(frozenset(men.items()), *hands, not s.is_white)
        return found

    def is_over(self, s: Table) -> bool:
        mark, hand = ("W", s.white) if s.is_white else ("B", s.black)
        return sum(m == mark for _, m in s.men) + hand < 3 or not self.after(s)

    def text(self, s: Table) -> str:
        marks = dict(s.men)
        rows = sorted({point[1] for point in self.points}, reverse=True)
        board = "/".join("".join(marks.get(p, ".") for p in self.points if p[1] == row) for row in rows)
        return f"{board} {s.white},{s.black} {'white' if s.is_white else 'black'}"


def names(game: Morris, s: Position) -> list[str]:
    return sorted(game.move_name(s, m) for m in game.moves(s))


def played(game: Morris, s: Position, *moves: str) -> Position:
    for move in moves:
        s = game.result(s, game.parse_move(s, move))
    return s


@pytest.mark.parametrize("flying", [True, False])
@pytest.mark.parametrize(("men", "rings"), [(9, 3), (5, 3), (6, 2), (3, 1)])
def test_random_games_agree_with_the_second_implementation(men: int, rings: int, flying: bool) -> None:
    game, plain, source = Morris(men, rings, flying), Plain(men, rings, flying), random.Random(men)
    ended = 0
    for _ in range(6):
        s, table = game.initial(), plain.start()
        for _ in range(150):
            assert game.format(s) == plain.text(table)
            assert game.consistent(s)
            assert game.terminal(s) == plain.is_over(table)
            if game.terminal(s):
                ended += 1
                assert game.utility(s) == (-100 if table.is_white else 100)
                break
            after = plain.after(table)
            assert names(game, s) == sorted(after)
            removals = sorted(name for name in after if "x" in name)
            move = source.choice(removals if removals and source.random() < 0.7 else sorted(after))
            assert game.progress(s) <= game.progress(played(game, s, move))
            s, table = played(game, s, move), after[move]
    assert ended


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
        board = game.board(played(game, game.initial(), point))
        row, column = list(board.row_labels).index(point[1]), list(board.column_labels).index(point[0])
        assert [(i, j) for i, cells in enumerate(board.rows) for j, cell in enumerate(cells) if cell.text == "W"] == [
            (row, column)
        ]
