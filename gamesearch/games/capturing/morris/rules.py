"""Nine men's morris: a player who gets three pieces in a line (a mill) removes a piece of the opponent.

The rules follow R. Gasser 1996, "Solving nine men's morris", Games of No Chance, MSRI Publications 29. Gasser proved
that the game is a draw.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import groupby

from gamesearch.errors import GamesearchError
from gamesearch.game import CAPTURE, FORWARD, MAX, MIN, REPETITION_DRAWS
from gamesearch.games._shared.board_notation import LETTERS, draw_boards, mark_at, read_boards
from gamesearch.games._shared.cells import members
from gamesearch.games.capturing.morris.position import (
    FEWEST,
    HAND,
    NOBODY,
    ORIGIN,
    REMOVED,
    RING,
    MorrisBoard,
    Position,
)
from gamesearch.notation import play_moves
from gamesearch.optional import PatternGame, SelectiveGame
from gamesearch.toolkit.bits import Board64, low_bit_index, popcount
from gamesearch.toolkit.boards import Board, Cell, Place
from gamesearch.toolkit.known import Known

__all__ = ["Morris"]

POSITIONAL = 1.5
"""A move without a capture almost never changes the evaluation by more than this number of pieces."""
SIDE, CORNER = (0, 1, 2), (7, 0, 1)
"""Points of a ring for patterns: a side, and a corner with the two adjacent midpoints."""

MARKS = "WB"
NOTATION = re.compile(r"([wb./]+)(?:\s+([0-9])\s*,\s*([0-9]))?(?:\s+(w|white|b|black))?")
LIOU = "B. Liou, Morris tablebases, github.com/brianhliou/game-solver"


class Morris(MorrisBoard, SelectiveGame[Position], PatternGame[Position]):
    """Place nine pieces, then move them along the lines; White is Max and begins.

    A player who closes one or two mills removes one piece of the opponent. A piece in a mill is safe, unless all pieces
    of its side are in mills. A side with three pieces left and none to place may fly, unless flying=false: it may move
    a piece to any free point. A player with fewer than three pieces, or without a move, loses. A repetition is a draw.
    `men` is the number of pieces of each side: six men's morris is morris(men=6, rings=2).
    """

    repetition = REPETITION_DRAWS
    shortest_cycle = 4  # each player slides a piece and slides it back
    suggested_algorithm = "pvs"  # benchmarks/results.md, "pvs against alpha-beta"
    suggested_depth = 6
    MINSCORE = -100
    MAXSCORE = 100
    known = (
        Known("counted by brute force", perft=(24, 552, 12_144)),
        Known("counted by brute force", "men=3, rings=1, flying=false", value=0, positions=2_209),
        Known("counted by brute force", "men=3, rings=1", value=0, positions=2_241),
        Known("counted by brute force", "men=3, rings=2", value=0, positions=368_513),
        Known(LIOU, "men=6, rings=2, flying=false", value=0, positions=42_372_745),
        Known(LIOU, "men=6, rings=2", value=0, positions=42_383_945),
    )
    # The weights were set by hand. A piece has the weight 1.
    weights = (1.0, 0.25, 0.375, 0.75, 0.0625, -0.125)
    feature_names = ("pieces", "mills", "lines to close", "double mills", "steps", "blocked pieces")
    notation = (
        "a list of moves (d2, b6), or the points of each row from the top with W, B and '.' for an empty point, then "
        "the numbers of pieces that White and Black have in hand, then white or black for the side to move "
        "(W.B/.../.../....../.../.../... 8,8 white). A move puts a piece on a point (d7) or moves a piece "
        "(a1-a4). If the move closes a mill, add x and the piece to remove (a1-a4xd7)"
    )
    example = "W.B/.W./.../....B./.../.W./B.. 6,6 white"
    shows_captures = True
    names = ("White", "Black")
    numbers_rounds = True
    unit = "pieces"

    def __init__(self, men: int = 9, rings: int = 3, flying: bool = True) -> None:
        super().__init__(men, rings)
        self.flying = bool(flying)
        self.worth_compiling = rings > 1

    # The rules. -----------------------------------------------------------------------------------
    def initial(self) -> Position:
        return Position(0, 0, 2 * self.men, MAX)

    def player(self, s: Position) -> int:
        return s.turn

    def goes_anywhere(self, s: Position) -> bool:
        """Whether the side to move may put a piece on any free point, because it still has pieces to place or its
        pieces may fly."""
        return s.hands > 0 or (self.flying and popcount(s.mine) == FEWEST)

    def moves(self, s: Position) -> Iterator[int]:
        free = self.full ^ (s.mine | s.theirs)
        outside = s.theirs & ~self.completing_points(s.theirs)
        removable = outside if outside else s.theirs
        goes_anywhere = self.goes_anywhere(s)
        origins = 1 << HAND if s.hands > 0 else s.mine
        while origins:
            origin = low_bit_index(origins)
            origins &= origins - 1
            targets = free if goes_anywhere else self.neighbors(1 << origin) & free
            closing = self.completing_points(s.mine & ~(1 << origin)) if removable else 0
            while targets:
                target = low_bit_index(targets)
                targets &= targets - 1
                if not closing >> target & 1:
                    yield target | origin << ORIGIN | NOBODY << REMOVED
                else:
                    victims = removable
                    while victims:
                        yield target | origin << ORIGIN | low_bit_index(victims) << REMOVED
                        victims &= victims - 1

    def result(self, s: Position, m: int) -> Position:
        target, origin, removed = m & 31, m >> ORIGIN & 31, m >> REMOVED
        mine = s.mine & ~(1 << origin) | 1 << target
        theirs = s.theirs & ~(1 << removed)
        return Position(theirs, mine, s.hands - (origin == HAND), 1 - s.turn)

    def terminal(self, s: Position) -> bool:
        # If it is White's turn, both sides have the same number of pieces in hand. If it is Black's turn, Black has one
        # more.
        has_too_few = popcount(s.mine) + (s.hands + 1) // 2 < FEWEST
        return has_too_few or not (self.goes_anywhere(s) or self.neighbors(s.mine) & ~(s.mine | s.theirs))

    def utility(self, s: Position) -> int:
        return -100 if s.turn == MAX else 100

    def key(self, s: Position) -> int:
        return s.mine | s.theirs << 24 | s.hands << 48 | s.turn << 53

    def progress(self, s: Position) -> int:
        # Each placement and each removal of a piece increases the result by one.
        return 2 * (2 * self.men - s.hands) - popcount(s.mine | s.theirs)

    def consistent(self, s: Position) -> bool:
        mine, theirs = popcount(s.mine) + (s.hands + 1) // 2, popcount(s.theirs) + s.hands // 2
        in_turn = s.hands == 0 or s.turn == s.hands & 1
        return s.mine & s.theirs == 0 and mine <= self.men and theirs <= self.men and in_turn

    # Evaluation and move ordering. ----------------------------------------------------------------
    def features(self, s: Position) -> tuple[float, ...]:
        """The values of the features in `feature_names`. Each value is a count for Max minus the same count for Min."""
        free = self.full ^ (s.mine | s.theirs)
        sign = 1.0 if s.turn == MAX else -1.0
        mine, theirs = s.mine, s.theirs
        return (
            sign * (popcount(mine) - popcount(theirs) + (s.hands & 1)),
            sign * (self.mills(mine) - self.mills(theirs)),
            sign * (popcount(self.completing_points(mine) & free) - popcount(self.completing_points(theirs) & free)),
            sign * (self.double_mills(mine, free) - self.double_mills(theirs, free)),
            sign * (self.mobility(mine, free) - self.mobility(theirs, free)),
            sign * (popcount(mine & ~self.neighbors(free)) - popcount(theirs & ~self.neighbors(free))),
        )

    def mills(self, pieces: int) -> int:
        """The number of mills that the pieces form."""
        sides = pieces & self.clockwise(pieces) & self.anticlockwise(pieces) & self.middles
        spokes = pieces & pieces >> RING & pieces >> 2 * RING & self.middles
        return popcount(sides) + popcount(spokes)

    def double_mills(self, pieces: int, free: int) -> int:
        """The number of pieces that can step from one mill to another and back."""
        count = 0
        for point in members(pieces & self.completing_points(pieces)):
            count += popcount(self.neighbors(1 << point) & free & self.completing_points(pieces ^ 1 << point))
        return count

    def mobility(self, pieces: int, free: int) -> int:
        """The number of steps that the pieces can make along lines."""
        rounds = popcount(self.clockwise(pieces) & free) + popcount(self.anticlockwise(pieces) & free)
        return rounds + popcount(self.outwards(pieces) & free) + popcount(self.inwards(pieces) & free)

    # Patterns. -----------------------------------------------------------------------------------
    pattern_symmetry = "square"
    stages = 3
    plays_by_learned = True  # benchmarks/results.md, "Learned weights"

    def cells_of_patterns(self) -> Mapping[int, Place]:
        return {point: self.row_and_column(point) for point in range(self.points)}

    def cell_name(self, cell: int) -> str:
        return self.point_name(cell)

    def patterns(self) -> tuple[tuple[int, ...], ...]:
        """There is a pattern for each ring. Two more patterns combine all rings: one side of each ring, and one corner
        of each ring."""
        rings = [tuple(range(RING * ring, RING * (ring + 1))) for ring in range(self.rings)]
        side, corner = (
            tuple(RING * ring + point for ring in range(self.rings) for point in points) for points in (SIDE, CORNER)
        )
        return (*rings, side, corner)

    def contents(self, s: Position) -> tuple[Board64, ...]:
        return s.mine, s.theirs

    def stage(self, s: Position) -> int:
        """The stage of the game: 0 while pieces are placed, 1 while pieces step, and 2 when a side may fly."""
        if s.hands > 0:
            return 0
        return 1 if min(popcount(s.mine), popcount(s.theirs)) > FEWEST else 2

    def order(self, s: Position, m: int) -> float:
        """Prefer moves that close a mill, then moves that keep the opponent from closing one."""
        return 2 if m >> REMOVED != NOBODY else self.completing_points(s.theirs) >> (m & 31) & 1

    def kind_of_move(self, s: Position, m: int) -> int:
        return CAPTURE if m >> REMOVED != NOBODY else FORWARD

    def most_gain(self, s: Position, m: int) -> float:
        """An upper bound on the gain of a move: POSITIONAL. If the move closes a mill, the values of a piece and a mill
        are added."""
        return POSITIONAL + self.weights[0] + self.weights[1] if m >> REMOVED != NOBODY else POSITIONAL

    def rows(self) -> list[list[int]]:
        """The points of each row, from the top."""
        points = sorted(range(self.points), key=self.row_and_column)
        return [list(row) for _, row in groupby(points, lambda point: self.row_and_column(point)[0])]

    def sides(self, s: Position) -> tuple[int, int]:
        """White's pieces and Black's pieces."""
        return (s.mine, s.theirs) if s.turn == MAX else (s.theirs, s.mine)

    def parse(self, text: str) -> Position:
        if text and "/" not in text:
            return play_moves(self, self.initial(), text)[-1]
        match = NOTATION.fullmatch(text.strip().casefold())
        rows, each = self.rows(), self.men
        boards = read_boards(match[1].upper().split("/"), rows, MARKS) if match else None
        if match is None or boards is None:
            raise GamesearchError(
                f"{text!r} must be rows of W, B and '.', then the pieces in hand and the side to move, such as "
                f"{draw_boards((0, 0), rows, MARKS)} {each},{each} white"
            )
        turn = MIN if match[4] and match[4].startswith("b") else MAX
        in_hand = int(match[2] or 0), int(match[3] or 0)
        for name, side, hand in zip(self.names, boards, in_hand, strict=True):
            if side.bit_count() + hand > each:
                raise GamesearchError(f"in {text!r}, {name} has more than {each} pieces")
        if in_hand[MIN] - in_hand[MAX] != (turn == MIN and in_hand[MIN] > 0):
            raise GamesearchError(f"in {text!r}, the numbers of pieces in hand are impossible with this side to move")
        if boards[1 - turn].bit_count() + in_hand[1 - turn] < FEWEST:
            raise GamesearchError(f"in {text!r}, {self.names[1 - turn]} has already lost, with only two pieces left")
        return Position(boards[turn], boards[1 - turn], sum(in_hand), turn)

    def positions_before(self, text: str) -> list[Position]:
        return play_moves(self, self.initial(), text)[:-1] if text and "/" not in text else []

    def format(self, s: Position) -> str:
        white, black = hands(s)
        return f"{draw_boards(self.sides(s), self.rows(), MARKS)} {white},{black} {self.names[s.turn].casefold()}"

    def move_name(self, s: Position, m: int) -> str:
        target, origin, removed = m & 31, m >> ORIGIN & 31, m >> REMOVED
        name = self.point_name(target)
        if origin != HAND:
            name = f"{self.point_name(origin)}-{name}"
        return name if removed == NOBODY else f"{name}x{self.point_name(removed)}"

    def parse_move(self, s: Position, text: str) -> int:
        """The legal move that a text names, with or without dashes and spaces between the points."""
        wanted = re.sub(r"(?<=\d)\s*-?\s*(?=[a-zx])|(?<=x)\s+", "", text.strip().casefold())
        moves = {self.move_name(s, m): m for m in self.moves(s)}
        plain = {name.replace("-", ""): m for name, m in moves.items()}
        if wanted in plain:
            return plain[wanted]
        closing = [name for name in moves if wanted and name.replace("-", "").startswith(f"{wanted}x")]
        if closing:
            raise GamesearchError(f"{text.strip()!r} closes a mill: add the piece to remove, such as {closing[0]}")
        return super().parse_move(s, text)

    def board(self, s: Position) -> Board:
        side = range(2 * self.rings + 1)
        rows = [[between(abs(column - self.rings), abs(row - self.rings)) for column in side] for row in side]
        for point in range(self.points):
            row, column = self.row_and_column(point)
            mark = mark_at(point, self.sides(s), MARKS)
            rows[row][column] = Cell(mark, owner={"W": MAX, "B": MIN}.get(mark))
        white, black = hands(s)
        lines = [
            (self.row_and_column(a), self.row_and_column(b))
            for a in range(self.points)
            for b in range(a, self.points)
            if self.neighbors(1 << a) >> b & 1
        ]
        return Board(
            rows=rows,
            lines=lines,
            row_labels=[str(row + 1) for row in reversed(side)],
            column_labels=LETTERS[: len(side)],
            notes=[f"in hand: White {white}, Black {black}"] if s.hands else [],
        )


def between(across: int, up: int) -> Cell:
    """The picture of a place between the points: a line, or nothing on a diagonal."""
    if across == up:
        return Cell(" ", absent=True)
    return Cell("-" if across < up else "|", faint=True, absent=True)


def hands(s: Position) -> tuple[int, int]:
    """The numbers of pieces that White and Black have in hand."""
    return s.hands // 2, (s.hands + 1) // 2
