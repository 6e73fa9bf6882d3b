"""What a position of gomoku is worth, and which moves to try first."""

from collections.abc import Iterator

from gamesearch.game import CAPTURE, FORWARD, MAX, THREAT
from gamesearch.games.gomoku.position import GomokuBoard, Position
from gamesearch.optional import Networked, Selective
from gamesearch.toolkit.bits import Wide256, popcount, replaced

__all__ = ["GomokuEvaluation"]

EVEN_ODDS = 60.0
"""How large a sum of weighted features makes an estimate halfway to a win."""
KINDS_OF_ROWS, MOST_TOLD = 8, 3
INPUTS_OF_KIND = MOST_TOLD + 1
"""For a network, whether there are 1, 2, or 3 rows of a kind and more; and an eighth of their number."""


class GomokuEvaluation(GomokuBoard, Selective[Position], Networked[Position]):
    """Features of a position, and the order of its moves."""

    parts_off = ("quiescence",)  # 3 % more nodes to depth 4, and 51 % of 36 games with 3,000 nodes a move
    # Set by hand: fours, open threes, threes and twos of the side to move and of the other; pairs taken.
    weights = (60.0, -25.0, 30.0, -10.0, 4.0, -2.5, 1.0, -0.8, 8.0)
    feature_names = (
        "rows lacking one: the mover's",
        "rows lacking one: the other's",
        "open threes: the mover's",
        "open threes: the other's",
        "rows lacking two: the mover's",
        "rows lacking two: the other's",
        "rows lacking three: the mover's",
        "rows lacking three: the other's",
        "pairs taken",
    )

    def features(self, s: Position) -> tuple[float, ...]:
        """Rows that lack one stone, that can become open fours, that lack two, three; mine, theirs; pairs taken."""
        mine, theirs = self.mine(s), self.theirs(s)
        counts: tuple[int, ...] = (0, 0, 0, 0, 0, 0, 0, 0)
        for i in range(2):
            for step in self.directions:
                rows = self.open_rows(mine, theirs, step)
                twos = self.lacking(rows, 2)
                counts = replaced(counts, i, counts[i] + popcount(self.lacking(rows, 1)))
                counts = replaced(counts, 2 + i, counts[2 + i] + popcount(self.open_threes(twos, mine | theirs, step)))
                counts = replaced(counts, 4 + i, counts[4 + i] + popcount(twos))
                counts = replaced(counts, 6 + i, counts[6 + i] + popcount(self.lacking(rows, 3)))
            mine, theirs = theirs, mine
        side = 1.0 if s.turn == MAX else -1.0
        return (
            side * counts[0], side * counts[1], side * counts[2], side * counts[3], side * counts[4], side * counts[5],
            side * counts[6], side * counts[7], float(s.max_pairs - s.min_pairs),
        )  # fmt: skip

    def evaluate(self, s: Position) -> float:
        total = 0.0
        features = self.features(s)
        for i in range(len(features)):
            total += features[i] * self.weights[i]
        return total / (EVEN_ODDS + abs(total))

    plays_by_learned = True  # 58 % of 200 games at 0.05 s a move
    input_count = KINDS_OF_ROWS * INPUTS_OF_KIND + 1

    def inputs(self, s: Position) -> Iterator[tuple[int, float]]:
        """Of each kind of rows how many there are, the mover's and the other's; then the pairs taken."""
        features, side = self.features(s), 1.0 if s.turn == MAX else -1.0
        for kind in range(KINDS_OF_ROWS):
            number, first = int(side * features[kind]), kind * INPUTS_OF_KIND
            if number > 0:
                yield first + min(number, MOST_TOLD) - 1, 1.0
                yield first + MOST_TOLD, number / 8
        yield KINDS_OF_ROWS * INPUTS_OF_KIND, side * features[KINDS_OF_ROWS] / self.pairs_to_win

    def order(self, s: Position, m: int) -> float:
        """The longest row that the stone makes or stops; where it is short, the order of the moves will do."""
        mine, theirs, stone = self.mine(s), self.theirs(s), Wide256(1) << m
        longest = 0
        for step in self.directions:
            longest = max(longest, 2 * run(mine, stone, step) + 1, 2 * run(theirs, stone, step))
        return longest if longest > 4 else 0

    def kind_of_move(self, s: Position, m: int) -> int:
        """A threat makes a row that lacks one stone, or none, so that it must be answered; open threes do not count.

        With all rows of three as threats, quiescence took three times the nodes to a depth and found no better moves.
        """
        mine, theirs, stone = self.mine(s), self.theirs(s), Wide256(1) << m
        if self.captures and self.taken_by(stone, mine, theirs) != 0:
            return CAPTURE
        for step in self.directions:
            rows = self.open_rows(mine | stone, theirs, step)
            made = self.lacking(rows, 1) | self.lacking(rows, 0)
            for i in range(self.connect):
                if made & stone >> step * i:
                    return THREAT
        return FORWARD

    def is_threatened(self, s: Position) -> bool:
        """Whether the other side has a row that lacks one stone."""
        return self.completing(self.theirs(s), self.mine(s), 1) != 0

    def is_evasion(self, s: Position, m: int) -> bool:
        """Whether the stone completes a row, or keeps the other side from it; where stones are taken, any may do."""
        if self.captures:
            return True
        mine, theirs, stone = self.mine(s), self.theirs(s), Wide256(1) << m
        for step in self.directions:
            if max(run(mine, stone, step), run(theirs, stone, step)) + 1 >= self.connect:
                return True
        return False

    def passed(self, s: Position) -> Position:
        return Position(s.crosses, s.noughts, s.max_pairs, s.min_pairs, 1 - s.turn)


def run(stones: int, stone: int, step: int) -> int:
    """How many of the stones are in a row with a cell, next to it."""
    length = 0
    cell = stone << step
    while stones & cell:
        length += 1
        cell <<= step
    cell = stone >> step
    while stones & cell:
        length += 1
        cell >>= step
    return length
