"""Playouts of Go find the same patterns as a second implementation that reads diagrams, and reply to atari."""

import random

import pytest

from gamesearch.errors import GamesearchError
from gamesearch.game import MAX
from gamesearch.games.capturing.go.playouts import PATTERNS, WORD_BITS, pattern_table
from gamesearch.games.capturing.go.rules import Go

MEANING = {"x": "X", "o": "O"}
POSITION = random.Random(4)


def turn(rows: list[str]) -> list[str]:
    return ["".join(row[column] for row in reversed(rows)) for column in range(3)]


def fits(pattern: list[str], square: list[str]) -> bool:
    """Whether a square of points matches the diagram of a pattern."""
    for wanted, there in zip("".join(pattern), "".join(square), strict=True):
        if wanted in MEANING and there == MEANING[wanted]:
            return False
        if wanted in "XO.#" and there != wanted:
            return False
    return True


def is_pattern(square: list[str]) -> bool:
    """Whether a square of points matches a pattern after rotation, reflection or exchange of colors."""
    for _ in range(4):
        square = turn(square)
        for each in (square, [row[::-1] for row in square]):
            for sides in (each, [row.translate(str.maketrans("XO", "OX")) for row in each]):
                if any(fits(list(pattern), sides) for pattern in PATTERNS):
                    return True
    return False


def surroundings(game: Go, text: str, point: str) -> tuple[int, list[str]]:
    """Return the number that encodes the surroundings of a point, and a diagram of these surroundings."""
    s = game.parse(text)
    at = game.parse_move(s, point)
    off = int(game.off_board[at])
    number = game.neighborhood(s.black, at) | off | (game.neighborhood(s.white, at) | off) << 8
    row, column = divmod(at, game.width)
    lines = text.split()[0].split("/")[::-1]

    def mark_at(down: int, right: int) -> str:
        return lines[row + down][column + right] if game.has(row + down, column + right) else "#"

    return number, ["".join(mark_at(down, right) for right in (-1, 0, 1)) for down in (1, 0, -1)]


def test_the_table_has_the_patterns_and_no_others() -> None:
    table, game, seen = pattern_table(), Go(5), set()
    for _ in range(600):
        cells = [POSITION.choice("XO...") for _ in range(25)]
        at = POSITION.randrange(25)
        cells[at] = "."
        text = "/".join("".join(cells[5 * row : 5 * row + 5]) for row in range(5)) + " X"
        try:
            number, square = surroundings(game, text, f"{'ABCDE'[at % 5]}{5 - at // 5}")
        except GamesearchError:  # a chain without liberties, or an empty point on which no stone may be placed
            continue
        found = bool(table[number // WORD_BITS] >> number % WORD_BITS & 1)
        assert found == is_pattern(square), square
        seen.add(found)
    assert seen == {True, False}


@pytest.mark.parametrize(
    ("rows", "last", "answers"),
    [
        ("...../..O../.OXO./...../.....", "C4", {"C2"}),  # a stone on C2 gives the chain three liberties
        ("...../...../...../O..../X.O..", "A2", set[str]()),  # on the edge, the chain would have only one liberty
        ("...../...../.XOX./..X../.....", "C3", {"C4"}),  # the chain is saved by capturing the last stone
        ("O.OX./XO.../...../...../.....", "B4", {"A3", "B5"}),  # A3 extends the chain of A4; B5 captures A5
        (".XO../XO.../...../...../.....", "C5", set[str]()),  # no chain is in atari
    ],
)
def test_playouts_reply_to_atari(rows: str, last: str, answers: set[str]) -> None:
    game = Go(5, superko=False)
    s = game.parse(rows + " X")
    stone = 1 << game.parse_move(game.initial(), last)
    mine, theirs = (s.black, s.white) if s.turn == MAX else (s.white, s.black)
    found = game.answers_to_atari(mine, theirs, s.ko, stone)
    assert {game.move_name(s, point) for point in range(30) if found >> point & 1} == answers


@pytest.mark.parametrize(
    ("rows", "last", "better", "worse"),
    [
        ("OX...../O....../X....../......./......./......./.......", None, "B6", "E3"),  # an escape that captures
        ("......./.OX..../..OX.../..O..../......./......./.......", None, "D4", "F6"),  # atari and a known pattern
        ("XX...../OO...../......./......./......./......./.......", None, "C7", "A5"),  # toward more liberties
        ("..O..../O....../......./......./......./......./.......", None, "E3", "A7"),  # self-atari
        ("......./......./......./...X.../......./......./.......", "D4", "D5", "F6"),  # near the last move
        ("......./.X...../......./......./......./......./.......", "B6", "E5", "E1"),  # no move on the empty edge
        ("......./.X...../......./......./......./......./.......", "B6", "E5", "E2"),
        (".X...../X.X..../.X...../......./......./......./.......", None, "E3", "B6"),  # no move into an own eye
    ],
)
def test_the_order_prefers_good_shape(rows: str, last: str | None, better: str, worse: str) -> None:
    game = Go(7)
    s = game.parse(rows + " X")
    if last is not None:
        s = s._replace(last=game.parse_move(game.initial(), last))
    good, bad = (game.order(s, game.parse_move(s, name)) for name in (better, worse))
    assert good > bad


def test_positions_with_different_last_moves_are_equal() -> None:
    game = Go(4)
    first, second = (game.initial(), game.initial())
    for name in ("A1", "C3", "D4"):
        first = game.result(first, game.parse_move(first, name))
    for name in ("D4", "C3", "A1"):
        second = game.result(second, game.parse_move(second, name))
    assert first.last != second.last
    assert game.key(first) == game.key(second) == game.key(game.parse(game.format(first)))


def test_uniform_playouts_differ() -> None:
    known, uniform = Go(5), Go(5, playouts="uniform")
    assert [known.random_payoff(known.initial(), n) for n in range(9)] != [
        uniform.random_payoff(uniform.initial(), n) for n in range(9)
    ]
