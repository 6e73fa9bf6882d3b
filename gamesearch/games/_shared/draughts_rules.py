"""The common rules of draughts: moves, the end of the game, and evaluation."""

from collections.abc import Iterator, Mapping
from typing import ClassVar

from gamesearch.game import BACKWARD, CAPTURE, FORWARD, MAX, MIN, REPETITION_DRAWS
from gamesearch.games._shared.draughts_board import CAPTURED, SQUARE, TARGET, Position
from gamesearch.games._shared.draughts_notation import DraughtsNotation
from gamesearch.optional import PatternGame, SelectiveGame, TunedGame
from gamesearch.toolkit.bits import Board64, low_bit_index, popcount, replace_item
from gamesearch.toolkit.boards import Place

__all__ = ["DraughtsRules"]

HIGH, WIDE = 3, 2
"""The area of a pattern has HIGH rows of WIDE dark squares."""
DIGITS = 4
"""The number of bits that store how many rows a piece must still advance to be crowned."""
POSITIONAL = 0.3
"""A quiet move almost never improves the evaluation by more than this number, unless it crowns a piece or brings a
piece close to crowning."""
LEAD, NEXT_TO_CROWNING = 6, 9
"""The indices of two features in `feature_names`. The first feature is "lead when few are left". The second feature
counts the pieces that are about to be crowned."""
CAPTURES_AT_A_TIME = 4
NO_CAPTURES = (0,) * CAPTURES_AT_A_TIME


class DraughtsRules(DraughtsNotation, PatternGame[Position], SelectiveGame[Position]):
    """The rules of draughts. The attributes of this class define English draughts. Subclasses change the attributes for
    other variants.

    A *man* is a piece that is not crowned. A player who cannot move loses. If a position repeats, the game is drawn. If
    `no_progress` is not 0, the game is also drawn when each side has made this number of successive king moves without
    a capture.
    """

    repetition = REPETITION_DRAWS
    shortest_cycle = 4  # each player moves a king and moves it back
    suggested_depth = 8
    MINSCORE = -100
    MAXSCORE = 100
    suggested_algorithm = "pvs"  # benchmarks/results.md, "pvs against alpha-beta"
    plays_by_learned = True  # benchmarks/results.md, "Learned weights"
    kings_fly: ClassVar[bool] = False
    """Whether kings move and capture over any distance."""
    men_capture_backwards: ClassVar[bool] = False
    crowning_ends_capture: ClassVar[bool] = True
    """Whether a capture ends when a piece reaches the last row and is crowned."""
    must_capture_most: ClassVar[bool] = False
    """Whether only the captures that take the most pieces are legal."""
    parts_off = (*TunedGame.parts_off, "extensions")  # benchmarks/results.md, "matches of single parts"
    feature_names = (
        "men", "kings", "rows advanced", "pieces in the centre", "men at home", "steps",
        "lead when few are left", "pieces behind men", "men at the side", "men about to be crowned",
    )  # fmt: skip
    stages = 3

    def __init__(self, size: int, first: str, no_progress: int) -> None:
        super().__init__(size, first, no_progress)
        self.rows_to_go = tuple(
            tuple(sum(row for left, row in enumerate(reversed(rows)) if left >> digit & 1) for digit in range(DIGITS))
            for rows in self.rows_by_player()
        )
        self.most_to_go = 2 * self.most_pieces * (2 * size - 1)
        middle = range(self.half - 2, self.half + 2)
        self.center = sum(
            1 << self.bit_of(number)
            for number in range(1, self.square_count + 1)
            if all(place in middle for place in self.place_of(number))
        )
        self.side = sum(
            1 << self.bit_of(number)
            for number in range(1, self.square_count + 1)
            if self.place_of(number)[1] in (0, size - 1)
        )

    def initial(self) -> Position:
        top = sum(1 << self.bit_of(number) for number in range(1, self.most_pieces + 1))
        bottom = sum(1 << self.bit_of(self.square_count + 1 - number) for number in range(1, self.most_pieces + 1))
        return Position(top, bottom, 0, MAX, 0) if self.colors[MAX] == "B" else Position(bottom, top, 0, MAX, 0)

    def player(self, s: Position) -> int:
        return s.turn

    def moves(self, s: Position) -> Iterator[int]:
        jumping = self.jumpers(s)
        if jumping == 0:
            empty, kings = self.empty(s), self.own(s) & s.kings
            for step in self.directions:
                flying = shift(kings, step) & empty
                reached, distance = shift(self.movers(s, step), step) & empty, step
                while reached:
                    while reached:
                        target = low_bit_index(reached)
                        yield target - distance | target << TARGET
                        reached &= reached - 1
                    if self.kings_fly:
                        flying = shift(flying, step) & empty
                        reached, distance = flying, distance + step
        elif (jumping & s.kings and self.kings_fly) or self.can_jump_on(s):
            count, first = 1, 0
            while first < count:
                count, found = self.long_captures(s, jumping, first)
                for i in range(min(CAPTURES_AT_A_TIME, count - first)):
                    yield found[i]
                first += CAPTURES_AT_A_TIME
        else:
            while jumping:
                origin = low_bit_index(jumping)
                for step in self.directions:
                    if 1 << origin & self.short_jumpers(s, step):
                        jumped = 1 << origin + step
                        yield origin | origin + 2 * step << TARGET | jumped >> self.half << CAPTURED
                jumping &= jumping - 1

    def result(self, s: Position, m: int) -> Position:
        origin, target = 1 << (m & SQUARE), 1 << (m >> TARGET & SQUARE)
        captured = m >> CAPTURED << self.half
        own = self.own(s) & ~origin | target  # a capture may end on the square on which it began
        other = self.other(s) & ~captured
        kings, quiet = s.kings & ~captured, 0
        if kings & origin:
            kings = kings & ~origin | target
            if self.no_progress > 0 and captured == 0:
                quiet = s.quiet + 1
        else:
            kings |= target & self.last_row[s.turn]
        if s.turn == MAX:
            return Position(own, other, kings, MIN, quiet)
        return Position(other, own, kings, MAX, quiet)

    def terminal(self, s: Position) -> bool:
        return self.is_counted_out(s) or not self.can_move(s)

    def utility(self, s: Position) -> float:
        if self.is_counted_out(s) and self.can_move(s):
            return self.draw_value()
        return float(self.MINSCORE if s.turn == MAX else self.MAXSCORE)

    def is_counted_out(self, s: Position) -> bool:
        """Whether the game is drawn because of too many moves without progress."""
        return self.no_progress > 0 and s.quiet >= 2 * self.no_progress

    # Pieces and steps. ---------------------------------------------------------------------------
    def own(self, s: Position) -> int:
        """The pieces of the side to move."""
        return s.max_pieces if s.turn == MAX else s.min_pieces

    def other(self, s: Position) -> int:
        """The pieces of the side that is not to move."""
        return s.min_pieces if s.turn == MAX else s.max_pieces

    def empty(self, s: Position) -> int:
        """The squares without a piece."""
        return self.full & ~(s.max_pieces | s.min_pieces)

    def movers(self, s: Position, step: int) -> int:
        """All pieces of the side to move if `step` goes forward; otherwise, only its kings."""
        own = self.own(s)
        return own if (step > 0) == (self.forward[s.turn][0] > 0) else own & s.kings

    def can_move(self, s: Position) -> bool:
        """Whether the side to move has a move."""
        return self.can_step(s) or self.jumpers(s) != 0

    def can_step(self, s: Position) -> bool:
        """Whether a piece of the side to move can step to an empty square."""
        empty = self.empty(s)
        for step in self.directions:
            if self.movers(s, step) & shift(empty, -step):
                return True
        return False

    # Captures. Most captures are a single jump. Longer captures are built jump by jump in a list of moves. --
    def jumpers(self, s: Position) -> int:
        """The pieces with which the side to move can capture."""
        flying, other, empty = self.own(s) & s.kings, self.other(s), self.empty(s)
        jumping = 0
        for step in self.directions:
            before = shift(other & shift(empty, -step), -step)
            jumping |= self.capturers(s, step) & before
            if self.kings_fly and flying:
                before &= empty
                while before:
                    before = shift(before, -step)
                    jumping |= flying & before
                    before &= empty
        return jumping

    def capturers(self, s: Position, step: int) -> int:
        """The pieces of the side to move that may capture in the direction `step`."""
        return self.own(s) if self.men_capture_backwards else self.movers(s, step)

    def short_jumpers(self, s: Position, step: int) -> int:
        """The pieces of the side to move that can capture an adjacent piece and land behind it."""
        return self.capturers(s, step) & shift(self.other(s) & shift(self.empty(s), -step), -step)

    def can_jump_on(self, s: Position) -> bool:
        """Whether a capture can continue after its first jump. If no capture can continue, which is the usual case, a
        faster generator of moves is used."""
        other, empty = self.other(s), self.empty(s)
        for step in self.directions:
            jumping = self.short_jumpers(s, step)
            kings, men = shift(jumping & s.kings, 2 * step), shift(jumping & ~s.kings, 2 * step)
            if self.crowning_ends_capture:
                men &= ~self.last_row[s.turn]
            for onwards in self.directions:
                if onwards == -step:  # the direction leads back over the captured piece
                    continue
                before = shift(other & shift(empty, -onwards), -onwards)
                if kings & before or (men & before and self.capturers(s, onwards) & jumping & ~s.kings):
                    return True
        return False

    def long_captures(self, s: Position, jumping: int, first: int) -> tuple[int, tuple[int, ...]]:
        """Return the number of legal captures, and a tuple of a few captures, which begins with the capture at index
        `first`. A tuple is faster than a list in compiled generators."""
        partial: list[int] = []
        complete: list[int] = []
        while jumping:  # each partial capture begins as a move from a square to itself
            square = low_bit_index(jumping)
            partial.append(square | square << TARGET)
            jumping &= jumping - 1
        i = 0
        while i < len(partial):  # the longest captures come last
            if not self.extend(s, partial[i], partial):
                complete.append(partial[i])
            i += 1
        begin = 0
        if self.must_capture_most:
            most = popcount(complete[len(complete) - 1] >> CAPTURED)
            while popcount(complete[begin] >> CAPTURED) < most:
                begin += 1
        count, found = len(complete) - begin, NO_CAPTURES
        for i in range(first, min(count, first + CAPTURES_AT_A_TIME)):
            found = replace_item(found, i - first, complete[begin + i])
        return count, found

    def extend(self, s: Position, partial: int, found: list[int]) -> bool:
        start = partial & SQUARE
        origin, square = 1 << start, 1 << (partial >> TARGET & SQUARE)
        if self.crowning_ends_capture and square & self.last_row[s.turn] and not origin & s.kings:
            return False
        captured = partial >> CAPTURED << self.half
        flies = self.kings_fly and origin & s.kings != 0
        other, empty = self.other(s) & ~captured, self.empty(s) | origin
        goes_on = False
        for step in self.directions:
            if self.men_capture_backwards or origin & self.movers(s, step):
                jumped = shift(square, step)
                while flies and jumped & empty:
                    jumped = shift(jumped, step)
                jumped &= other
                target = shift(jumped, step) & empty
                while target:
                    goes_on = True
                    capture = start | low_bit_index(target) << TARGET | (captured | jumped) >> self.half << CAPTURED
                    if capture not in found:  # the path between origin and target does not matter
                        found.append(capture)
                    target = shift(target, step) & empty if flies else 0
        return goes_on

    # Identity and progress. -----------------------------------------------------------------------
    def key(self, s: Position) -> tuple[int, int, int, int]:
        return s.max_pieces, s.min_pieces, s.kings, s.turn | s.quiet << 1

    def arrangement(self, s: Position) -> tuple[int, int, int, int]:
        return s.max_pieces, s.min_pieces, s.kings, s.turn  # a position can repeat with a different `quiet`

    def progress(self, s: Position) -> int:
        # Progress is made when the sum of the distances of all pieces falls. The distance of a king is `size`. The
        # distance of an uncrowned piece is `size` plus the number of rows that it must still advance to be crowned. So
        # every capture reduces the sum, even a backward capture.
        pieces = popcount(s.max_pieces | s.min_pieces)
        rows = self.rows_left(s.max_pieces & ~s.kings, MAX) + self.rows_left(s.min_pieces & ~s.kings, MIN)
        return self.most_to_go - self.size * pieces - rows

    def rows_left(self, men: int, player: int) -> int:
        """The total number of rows that a player's uncrowned pieces must still advance."""
        rows = 0
        for digit in range(DIGITS):
            rows += popcount(men & self.rows_to_go[player][digit]) << digit
        return rows

    def consistent(self, s: Position) -> bool:
        pieces = s.max_pieces | s.min_pieces
        at_the_end = s.max_pieces & self.last_row[MAX] | s.min_pieces & self.last_row[MIN]
        return (
            s.max_pieces & s.min_pieces == 0
            and pieces & ~self.full == 0
            and s.kings & ~pieces == 0
            and at_the_end & ~s.kings == 0
            and max(popcount(s.max_pieces), popcount(s.min_pieces)) <= self.most_pieces
            and s.turn in (MAX, MIN)
            and 0 <= s.quiet <= 2 * self.no_progress
        )

    # Evaluation and move ordering. ----------------------------------------------------------------
    def features(self, s: Position) -> tuple[float, ...]:
        """For each feature in `feature_names`, the value for Max minus the value for Min.

        The feature "lead when few are left" is a product: the lead in pieces times the fraction of pieces that have
        left the board. The first six features come from A. L. Samuel, "Some studies in machine learning using the game
        of checkers", IBM Journal of Research and Development 3 (1959). The weights were learned with `gamesearch learn
        GAME --method outcomes --games 800 --depth 4`. Then all weights were multiplied by the same number. So estimates
        have the same scale as with the earlier weights, which were chosen by hand.
        """
        max_men, min_men = s.max_pieces & ~s.kings, s.min_pieces & ~s.kings
        men = popcount(max_men) - popcount(min_men)
        kings = popcount(s.max_pieces & s.kings) - popcount(s.min_pieces & s.kings)
        advanced = (self.size - 1) * men - self.rows_left(max_men, MAX) + self.rows_left(min_men, MIN)
        center = popcount(s.max_pieces & self.center) - popcount(s.min_pieces & self.center)
        home = popcount(max_men & self.first_row[MAX]) - popcount(min_men & self.first_row[MIN])
        side = popcount(max_men & self.side) - popcount(min_men & self.side)
        empty, steps, behind_men, crowning = self.empty(s), 0, 0, 0
        next_max, next_min = max_men & self.before_last_row[MAX], min_men & self.before_last_row[MIN]
        for step in self.forward[MAX]:
            ahead, behind = shift(empty, -step), shift(empty, step)
            steps += popcount(s.max_pieces & ahead) + popcount(s.max_pieces & s.kings & behind)
            steps -= popcount(s.min_pieces & behind) + popcount(s.min_pieces & s.kings & ahead)
            behind_men += popcount(max_men & shift(s.max_pieces, step))
            behind_men -= popcount(min_men & shift(s.min_pieces, -step))
            crowning += popcount(next_max & ahead) - popcount(next_min & behind)
        few = 1.0 - popcount(s.max_pieces | s.min_pieces) / (2 * self.most_pieces)
        return (
            float(men), float(kings), float(advanced), float(center), float(home), float(steps),
            few * (men + kings), float(behind_men), float(side), float(crowning),
        )  # fmt: skip

    def kind_of_move(self, s: Position, m: int) -> int:
        origin, target = m & SQUARE, m >> TARGET & SQUARE
        if m >> CAPTURED or (not 1 << origin & s.kings and 1 << target & self.last_row[s.turn]):
            return CAPTURE
        return FORWARD if (target > origin) == (self.forward[s.turn][0] > 0) else BACKWARD

    def order(self, s: Position, m: int) -> float:
        """Prefer large captures, then crowning, then moves to the center. Moves that leave the first row come last."""
        origin, target = 1 << (m & SQUARE), 1 << (m >> TARGET & SQUARE)
        guess = popcount(m >> CAPTURED) + 0.1 * (popcount(target & self.center) - popcount(origin & self.center))
        if not origin & s.kings:
            guess += 0.5 * popcount(target & self.last_row[s.turn]) - 0.2 * popcount(origin & self.first_row[s.turn])
        return guess

    def is_threatened(self, s: Position) -> bool:
        """Whether the side to move can capture. Captures are compulsory, so quiescence search must not stop before a
        capture."""
        return self.jumpers(s) != 0

    def most_gain(self, s: Position, m: int) -> float:
        """An upper bound on the gain of a move: captured pieces (all counted as kings), crowning, and coming close to
        crowning."""
        origin, target = 1 << (m & SQUARE), 1 << (m >> TARGET & SQUARE)
        gain = POSITIONAL
        if target & self.before_last_row[s.turn] and not origin & s.kings:
            gain += 2 * abs(self.weights[NEXT_TO_CROWNING])
        if self.kind_of_move(s, m) == CAPTURE:
            worth = max(self.weights[0], self.weights[1]) + max(self.weights[LEAD], 0.0)
            gain += popcount(m >> CAPTURED) * worth + abs(self.weights[1] - self.weights[0])
        return gain

    # Patterns. ------------------------------------------------------------------------------------
    def cells_of_patterns(self) -> Mapping[int, Place]:
        return {self.bit_of(number): self.place_of(number) for number in range(1, self.square_count + 1)}

    def patterns(self) -> tuple[tuple[int, ...], ...]:
        """Each pattern consists of two adjacent dark squares in each of three successive rows."""
        rows, wide = min(HIGH, self.size), min(WIDE, self.half)
        return tuple(
            tuple(self.bit_of((row + i) * self.half + column + j + 1) for i in range(rows) for j in range(wide))
            for row in range(self.size - rows + 1)
            for column in range(self.half - wide + 1)
        )

    def contents(self, s: Position) -> tuple[Board64, ...]:
        """Bitboards of the uncrowned pieces and kings of the side to move, then of the opponent. If Min is to move, the
        board is turned."""
        own, other, kings = s.max_pieces, s.min_pieces, s.kings
        if s.turn == MIN:
            own, other, kings = self.turn_around(other), self.turn_around(own), self.turn_around(kings)
        return own & ~kings, own & kings, other & ~kings, other & kings

    def stage(self, s: Position) -> int:
        """The stage of the game, which depends on the number of pieces."""
        gone = 2 * self.most_pieces - popcount(s.max_pieces | s.min_pieces)
        return gone * self.stages // (2 * self.most_pieces + 1)


def shift(squares: int, step: int) -> int:
    """Move every given square by a step; returns the resulting squares. A step off the board ends on a bit that is not
    a square."""
    return squares << step if step > 0 else squares >> -step
