from gamesearch.game import MAX
from gamesearch.games.connecting.ultimate import ANYWHERE, NINE, Position, Ultimate


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
