import random

from gamesearch.game import MAX
from gamesearch.games.connecting.ultimate import ANYWHERE, NINE, Position, Ultimate

Square = tuple[int, int]


class Sheet:
    """The game as played on paper: a grid of nine by nine squares, in which lines are searched after each move."""

    def __init__(self) -> None:
        self.marks: dict[Square, str] = {}
        self.played: list[Square] = []

    def mover(self) -> str:
        return "XO"[len(self.played) % 2]

    def winner(self, square_of: dict[Square, str]) -> str:
        """Return the mark that has three in a row on a grid of three by three squares."""
        rows = [[(r, c) for c in range(3)] for r in range(3)]
        lines = [*rows, *zip(*rows, strict=True), [(0, 0), (1, 1), (2, 2)], [(0, 2), (1, 1), (2, 0)]]
        for line in lines:
            marks = {square_of.get(square, "") for square in line}
            if marks in ({"X"}, {"O"}):
                return marks.pop()
        return ""

    def small(self, r: int, c: int) -> dict[Square, str]:
        return {(y % 3, x % 3): mark for (y, x), mark in self.marks.items() if (y // 3, x // 3) == (r, c)}

    def open_boards(self) -> set[Square]:
        places = [(r, c) for r in range(3) for c in range(3)]
        return {place for place in places if len(self.small(*place)) < 9 and not self.winner(self.small(*place))}

    def result(self) -> str:
        """Return the winner, "draw", or an empty text if the game is not over."""
        won = {(r, c): self.winner(self.small(r, c)) for r in range(3) for c in range(3)}
        return self.winner(won) or ("" if self.open_boards() else "draw")

    def legal(self) -> set[Square]:
        boards = self.open_boards()
        if self.played:
            y, x = self.played[-1]
            boards = {(y % 3, x % 3)} & boards or boards
        return {(y, x) for y in range(9) for x in range(9) if (y // 3, x // 3) in boards and (y, x) not in self.marks}

    def play(self, square: Square) -> None:
        self.marks[square] = self.mover()
        self.played.append(square)


def square_of(m: int) -> Square:
    board, cell = divmod(m, NINE)
    return board // 3 * 3 + cell // 3, board % 3 * 3 + cell % 3


def test_random_games_agree_with_the_second_implementation() -> None:
    game, ends = Ultimate(), set()
    for seed in range(15):
        source, sheet, s = random.Random(seed), Sheet(), game.initial()
        while not game.terminal(s):
            moves = {square_of(m): m for m in game.moves(s)}
            assert sheet.result() == ""
            assert set(moves) == sheet.legal()
            assert "XO"[game.player(s)] == sheet.mover()
            assert game.consistent(s)
            square = source.choice(sorted(moves))
            s = game.result(s, moves[square])
            sheet.play(square)
        assert sheet.result() == {1: "X", -1: "O", 0: "draw"}[game.utility(s)]
        ends.add(sheet.result())
    assert ends == {"X", "O", "draw"}


def place(rows: dict[int, str], target: str) -> Position:
    """Return a position; rows that are not given are empty."""
    return Ultimate().parse("/".join(rows.get(row, "." * 9) for row in range(1, 10)) + " " + target)


def test_bounds_depend_on_the_lines_that_are_left() -> None:
    game = Ultimate()
    assert game.bounds(game.initial()) == (-1, 1)
    for crosses, noughts, full, bounds in (
        (0o020, 0, 0, (-1, 1)),
        (0o421 ^ 0o020, 0o124 ^ 0o020, 0, (-1, 1)),
        (0o401, 0o104, 0o020, (0, 0)),  # each has both ends of a diagonal, but the center is full
        (0o401, 0, 0o020, (0, 1)),
        (0o202, 0, 0o545, (0, 1)),
        (0, 0o202, 0o545, (-1, 0)),
    ):
        s = Position((0,) * NINE, crosses, noughts, crosses | noughts | full, ANYWHERE, MAX)
        assert game.bounds(s) == bounds, oct(crosses)


def test_closed_boards_with_the_same_winner_are_the_same_position() -> None:
    game = Ultimate()
    one = place({1: "XXX......", 2: ".........", 4: "O.....OO."}, "-")
    other = place({3: "XXX......", 4: "O.....OO."}, "-")
    assert one != other
    assert game.key(one) == game.key(other)
    assert game.key(one) != game.key(one._replace(target=3))
    assert game.key(one) != game.key(one._replace(turn=1 - one.turn))
