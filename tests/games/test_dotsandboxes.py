import random
from functools import cache
from itertools import product

import pytest

from gamesearch.game import MAX, MIN
from gamesearch.games.counting.dotsandboxes import DotsAndBoxes, Position

BOARDS = [(1, 1), (1, 4), (2, 2), (3, 2), (5, 5), (12, 2)]


class Paper:
    """A second implementation of the game: lines are pairs of dots (column, row), and rows are counted from below."""

    def __init__(self, rows: int, columns: int) -> None:
        across = [frozenset([(x, y), (x + 1, y)]) for x in range(columns) for y in range(rows + 1)]
        up = [frozenset([(x, y), (x, y + 1)]) for x in range(columns + 1) for y in range(rows)]
        self.open = set(across + up)
        self.corners = list(product(range(columns), range(rows)))
        self.owners: dict[tuple[int, int], int] = {}
        self.turn = MAX

    def draw(self, line: frozenset[tuple[int, int]]) -> None:
        self.open.remove(line)
        made = [corner for corner in self.corners if corner not in self.owners and not self.sides(*corner) & self.open]
        self.owners |= dict.fromkeys(made, self.turn)
        if not made:
            self.turn = 1 - self.turn

    def sides(self, x: int, y: int) -> set[frozenset[tuple[int, int]]]:
        dots = [(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)]
        return {frozenset([dots[i - 1], dots[i]]) for i in range(4)}

    def lead(self) -> int:
        return sum(1 if owner == MAX else -1 for owner in self.owners.values())


def line_of(name: str) -> frozenset[tuple[int, int]]:
    return frozenset((ord(dot[0]) - ord("a"), int(dot[1:]) - 1) for dot in name.split("-"))


@pytest.mark.parametrize(("rows", "columns"), BOARDS)
def test_random_games_agree_with_the_second_implementation(rows: int, columns: int) -> None:
    game, source = DotsAndBoxes(rows, columns), random.Random(rows)
    for _ in range(5):
        paper, s = Paper(rows, columns), game.initial()
        while not game.terminal(s):
            names = {line_of(game.move_name(s, m)): m for m in game.moves(s)}
            assert set(names) == paper.open
            assert (game.player(s), game.lead(s)) == (paper.turn, paper.lead())
            assert game.consistent(s)
            line = source.choice(sorted(names, key=sorted))
            paper.draw(line)
            s = game.result(s, names[line])
            drawing = game.format(s).split()[0].split("/")
            for x, y in paper.corners:
                owner = {MAX: "A", MIN: "B", None: "."}[paper.owners.get((x, y))]
                assert drawing[2 * (rows - y) - 1][2 * x + 1] == owner
        assert not paper.open
        assert game.utility(s) == paper.lead()


@pytest.mark.parametrize(("rows", "columns"), [(1, 3), (2, 2)])
def test_taking_a_free_box_is_best(rows: int, columns: int) -> None:
    game = DotsAndBoxes(rows, columns)

    def drawn(lines: int) -> Position:
        return Position(lines, game.complete(lines), 0, MAX)

    @cache
    def gained(lines: int) -> int:
        s = drawn(lines)
        return max((gained_by(s, m) for m in game.moves(s)), default=0)

    def gained_by(s: Position, m: int) -> int:
        after = game.result(s, m)
        made = (after.max_boxes ^ s.max_boxes).bit_count()
        return made + gained(after.lines) if made else -gained(after.lines)

    left_out = 0
    for s in map(drawn, range(game.full)):
        moves = list(game.moves(s))
        needed = [m for m in moves if game.is_needed(s, m)]
        assert gained(s.lines) == max(gained_by(s, m) for m in needed)
        assert len(needed) == 1 or not game.skips_table(s)
        left_out += len(moves) - len(needed)
    assert left_out > game.full / 3


def test_positions_differ_by_score_and_turn_but_not_by_owners() -> None:
    game = DotsAndBoxes(1, 3)
    keys = [game.key(game.parse(f"-.-/|{a}|.|{b}|/-.- {turn}")) for a, b, turn in ("ABA", "BAA", "ABB", "AAA")]
    assert keys[0] == keys[1]
    assert len(set(keys)) == 3
