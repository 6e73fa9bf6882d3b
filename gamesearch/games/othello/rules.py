"""Othello: place discs that turn over the opponent's; the most discs win."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import ClassVar, NamedTuple

from gamesearch.bits import low_bit_index, popcount
from gamesearch.boards import Board
from gamesearch.errors import GamesearchError
from gamesearch.game import MAX, Game
from gamesearch.games.othello.lines import signed, squares_down, squares_up
from gamesearch.games.othello.notation import drawn, find_move, position_text, read_position, square_name
from gamesearch.known import Known

__all__ = ["Othello"]

FEW = 5
"""With so few empty squares, moves are ordered without counting replies."""
WEIGHTS = (0.2, 0.2, 0.5, 0.05)
"""Of the features. Near a least-squares fit to 8,569 positions of games whose endings were solved, and
adjusted by hand in matches; together less than 1, so that no estimate is as good as a win of every disc."""


class Position(NamedTuple):
    """Bitboards of the discs of the side to move and of the other side; the layout of 8x8 is

             a  b  c  d  e  f  g  h
          1  0  1  2  3  4  5  6  7
          2  8  9 10 11 12 13 14 15
          :  :
          8 56 57 58 59 60 61 62 63

    and smaller boards are packed alike. A board is an integer of 64 bits with a sign, which is h8.
    `placements` follow from the discs: the squares where the side to move can place one.
    """

    mine: int
    theirs: int
    turn: int
    placements: int


def share(ours: int, theirs: int) -> float:
    """How many more squares are ours, as a share of both."""
    mine, other = popcount(ours), popcount(theirs)
    return (mine - other) / max(1, mine + other)


class Othello(Game[Position]):
    """Place discs so that those of the opponent between two of yours turn over; X (black) begins.

    Who can turn over none must pass, and nobody else may; when neither can, the game is over (World
    Othello Federation, official rules). It pays the difference in discs, the empty squares being the
    winner's: the convention of WZebra and of the FFO's endgame tests.
    """

    choices: ClassVar[Mapping[str, Collection[int]]] = {"size": (4, 6, 8)}
    notation = (
        "the moves played (f5d6c3), or the squares row by row from a1 with X, O and '-' or '.', then the side to "
        "move (OBF); moves are d3 or pass"
    )
    example = "f5d6c3d3c4f4"
    names = ("X", "O")
    win_or_loss = False
    known = (
        Known("counted by many programs", perft=(4, 12, 56, 244, 1_396, 8_200, 55_092, 390_216, 3_005_288)),
        Known("counted by brute force on a grid", "size=6", perft=(4, 12, 56, 244, 1_364, 7_604, 47_740)),
        Known(
            "solved by brute force on a grid: O wins 11-3, two squares empty", "size=4",
            perft=(4, 12, 44, 128, 424, 1_256), value=-10, nodes=224_821, leaves=60_060, positions=62_789,
        ),
        Known(
            "FFO #1", position="--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X",
            value=18, best=("g8",), method="alphabeta",
        ),
        Known(
            "FFO #11", position="---O-XOX----XXOX---XXOOXO-XXOXOXXXXOOXOX-XOOXXXXXOOOXX-XOOOOOOO- O",
            value=-30, best=("b3",), method="alphabeta",
        ),
    )  # fmt: skip
    feature_names = ("mobility", "potential mobility", "corners", "discs")

    def __init__(self, size: int = 8) -> None:
        if size not in self.choices["size"]:
            raise GamesearchError(f"size={size} is not 4, 6 or 8")
        self.size = int(size)
        self.cells = self.passing = size * size
        self.MAXSCORE, self.MINSCORE = self.cells, -self.cells
        every, inner, ends = range(size), range(1, size - 1), (0, size - 1)
        halves = range(size // 2), range(size // 2, size)
        middle = range(size // 2 - 1, size // 2 + 1)
        self.full = self.squares(every, every)
        self.lines = (
            (1, self.squares(every, inner)),
            (size, self.squares(inner, every)),
            (size - 1, self.squares(inner, inner)),
            (size + 1, self.squares(inner, inner)),
        )
        self.not_first_column, self.not_last_column = self.squares(every, every[1:]), self.squares(every, every[:-1])
        self.not_last_row = self.squares(every[:-1], every)
        self.corners, self.middle = self.squares(ends, ends), self.squares(middle, middle)
        self.quadrants = tuple(self.squares(rows, columns) for rows in halves for columns in halves)
        self.weights = tuple(self.cells * weight for weight in WEIGHTS)
        if size > 4:
            self.suggested_depth = 8

    def squares(self, rows: Sequence[int], columns: Sequence[int]) -> int:
        """The board of the squares in some rows and columns."""
        return signed(sum(1 << row * self.size + column for row in rows for column in columns))

    def initial(self) -> Position:
        first = (self.size // 2 - 1) * (self.size + 1)
        mine, theirs = 1 << first + 1 | 1 << first + self.size, 1 << first | 1 << first + self.size + 1
        return Position(mine, theirs, MAX, self.placements(mine, theirs))

    def placements(self, mine: int, theirs: int) -> int:
        """The empty squares where a disc of mine turns over some of theirs."""
        found = 0
        for step, inside in self.lines:
            through = theirs & inside
            found |= signed(squares_up(mine, through, step) << step) | squares_down(mine, through, step) >> step
        return found & self.full & ~(mine | theirs)

    def turned(self, mine: int, theirs: int, disc: int) -> int:
        """The discs of theirs that a new disc of mine turns over."""
        found = 0
        for step, inside in self.lines:
            up = squares_up(disc, theirs & inside, step)
            down = squares_down(disc, theirs & inside, step)
            found |= (up if mine & (up << step) else 0) | (down if mine & (down >> step) else 0)
        return found

    def player(self, s: Position) -> int:
        return s.turn

    def moves(self, s: Position) -> Iterator[int]:
        remaining = s.placements
        if remaining == 0:
            yield self.passing
        while remaining != 0:
            square = low_bit_index(remaining)
            yield square
            remaining ^= signed(1 << square)

    def result(self, s: Position, m: int) -> Position:
        mine, theirs = s.mine, s.theirs
        if m != self.passing:
            disc = signed(1 << m)
            turned = self.turned(mine, theirs, disc)
            mine |= disc | turned
            theirs ^= turned
        return Position(theirs, mine, 1 - s.turn, self.placements(theirs, mine))

    def terminal(self, s: Position) -> bool:
        return s.placements == 0 and self.placements(s.theirs, s.mine) == 0

    def utility(self, s: Position) -> int:
        mine, theirs = popcount(s.mine), popcount(s.theirs)
        value = self.payoff(mine - theirs, self.cells - mine - theirs)
        return value if s.turn == MAX else -value

    def payoff(self, difference: int, empty: int) -> int:
        """A difference in discs, with the empty squares for the winner."""
        if difference == 0:
            return 0
        return difference + empty if difference > 0 else difference - empty

    # For the search. -----------------------------------------------------------------------------
    def bounds(self, s: Position) -> tuple[float, float]:
        # The last disc is counted without being placed, which saves a quarter of an endgame's nodes.
        # (Discs that are stable on the edges were tried: 1.5 % fewer nodes, each slower by a tenth.)
        empty = self.full & ~(s.mine | s.theirs)
        if popcount(empty) != 1:
            return self.MINSCORE, self.MAXSCORE
        value = popcount(s.mine) - popcount(s.theirs)
        if s.placements != 0:
            value += 1 + 2 * popcount(self.turned(s.mine, s.theirs, empty))
        else:
            value -= 1 + 2 * popcount(self.turned(s.theirs, s.mine, empty))
        return (value, value) if s.turn == MAX else (-value, -value)

    def order(self, s: Position, m: int) -> float:
        # Few replies first, and those to a corner count twice; a corner is worth a reply, and an odd
        # number of empty squares around, of which one has the last, half of one. Where few squares
        # are empty, counting replies costs more than it saves.
        if m == self.passing:
            return 0.0
        empty = self.full & ~(s.mine | s.theirs)
        quadrant = self.quadrants[m // self.size * 2 // self.size * 2 + m % self.size * 2 // self.size]
        score = 0.5 * (popcount(empty & quadrant) & 1) + (self.corners >> m & 1)
        if popcount(empty) > FEW:
            replies = self.result(s, m).placements
            score -= popcount(replies) + popcount(replies & self.corners)
        return score

    def key(self, s: Position) -> tuple[int, int]:
        # The squares in the middle are never empty, so that the complement is no board of discs.
        return s.mine, s.theirs ^ -s.turn

    def features(self, s: Position) -> tuple[float, ...]:
        """Mobility, potential mobility, corners and discs: Max's share less Min's, each from -1 to 1.

        Potential mobility is the number of empty squares beside discs of the other side, its frontier
        (Rosenbloom 1982, "A world-championship-level Othello program", Artificial Intelligence 19).
        """
        empty = self.full & ~(s.mine | s.theirs)
        sign = 1 if s.turn == MAX else -1
        return (
            sign * share(s.placements, self.placements(s.theirs, s.mine)),
            sign * share(self.beside(s.theirs) & empty, self.beside(s.mine) & empty),
            sign * (popcount(s.mine & self.corners) - popcount(s.theirs & self.corners)) / 4,
            sign * share(s.mine, s.theirs),
        )

    def beside(self, discs: int) -> int:
        """The discs and the squares next to them, in all eight directions."""
        wide = discs | signed(discs << 1) & self.not_first_column | discs >> 1 & self.not_last_column
        return (wide | signed(wide << self.size) | wide >> self.size & self.not_last_row) & self.full

    def consistent(self, s: Position) -> bool:
        discs = s.mine | s.theirs
        is_sound = s.mine & s.theirs == 0 and discs & self.middle == self.middle and discs & ~self.full == 0
        return is_sound and s.placements == self.placements(s.mine, s.theirs)

    # Notation and picture. -----------------------------------------------------------------------
    def parse(self, text: str) -> Position:
        return read_position(self, text)

    def format(self, s: Position) -> str:
        return position_text(self, s)

    def move_name(self, s: Position, m: int) -> str:
        return "pass" if m == self.passing else square_name(self, m)

    def parse_move(self, s: Position, text: str) -> int:
        return find_move(self, s, text)

    def board(self, s: Position) -> Board:
        return drawn(self, s)
