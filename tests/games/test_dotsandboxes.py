from functools import cache

import pytest

from gamesearch.game import MAX
from gamesearch.games.counting.dotsandboxes import DotsAndBoxes, Position


@pytest.mark.parametrize(("rows", "columns"), [(1, 3), (2, 2)])
def test_taking_a_free_box_is_best(rows: int, columns: int) -> None:
    game = DotsAndBoxes(rows, columns)

    def position_of(lines: int) -> Position:
        return Position(lines, game.complete(lines), 0, MAX)

    @cache
    def gain(lines: int) -> int:
        s = position_of(lines)
        return max((gain_of(s, m) for m in game.moves(s)), default=0)

    def gain_of(s: Position, m: int) -> int:
        after = game.result(s, m)
        made = (after.max_boxes ^ s.max_boxes).bit_count()
        return made + gain(after.lines) if made else -gain(after.lines)

    left_out = 0
    for s in map(position_of, range(game.full)):
        moves = list(game.moves(s))
        needed = [m for m in moves if game.is_needed(s, m)]
        assert gain(s.lines) == max(gain_of(s, m) for m in needed)
        assert len(needed) == 1 or not game.skips_table(s)
        left_out += len(moves) - len(needed)
    assert left_out > game.full / 3


def test_positions_differ_by_score_and_turn_but_not_by_owners() -> None:
    game = DotsAndBoxes(1, 3)
    keys = [game.key(game.parse(f"-.-/|{a}|.|{b}|/-.- {turn}")) for a, b, turn in ("ABA", "BAA", "ABB", "AAA")]
    assert keys[0] == keys[1]
    assert len(set(keys)) == 3
