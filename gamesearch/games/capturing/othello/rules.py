"""Othello: place discs that flip the opponent's discs; the player with more discs wins."""

import re
from collections.abc import Collection, Iterator, Mapping
from typing import ClassVar

from gamesearch.errors import GamesearchError
from gamesearch.files.records import RecordedGame
from gamesearch.game import MAX
from gamesearch.games._shared.board_notation import LETTERS, draw_boards, read_boards, square_name
from gamesearch.games._shared.game_files import property_games
from gamesearch.games.capturing.othello.position import SIZES, OthelloBoard, Position
from gamesearch.notation import split_moves
from gamesearch.optional import CountingGame, PatternGame, Prediction, SelectiveGame, Shortcuts, TunedGame
from gamesearch.toolkit.bits import Board64, low_bit_index, popcount
from gamesearch.toolkit.boards import Board, Cell, Place
from gamesearch.toolkit.known import Known

__all__ = ["Othello"]

FEW = 5
"""If at most this many squares are empty, moves are ordered without counting the opponent's replies."""
LATE = 24
"""If at most this many squares are empty, moves are ordered as for a search to the end of the game."""
FAR_FROM_THE_END, NEAR_THE_END = (0.5, 1.0, 1.0), (0.65, 0.5, 1.3)
"""Weights for `order`: the bonus for an odd quadrant, the bonus for a corner, and the additional cost of a reply to a
corner. Each reply costs 1."""
WEIGHTS = (0.2, 0.2, 0.5, 0.05)
"""The weights of the features. Most of these weights come from a least-squares fit to 8,569 positions of games whose
endgames were solved. Small changes come from matches. The sum of the weights is below 1, so that no estimate is as
great as a win with all discs."""

PREDICTIONS = (
    Prediction(3, 1, 1.046, -0.7818, 3.702),
    Prediction(4, 2, 1.049, -0.1788, 4.026),
    Prediction(5, 1, 1.04, -0.9927, 5.293),
    Prediction(6, 2, 1.051, -0.433, 4.667),
    Prediction(7, 3, 1.066, -0.7675, 4.419),
    Prediction(8, 4, 1.082, -0.37, 4.097),
)
"""The predictions of deep values for ProbCut, from `gamesearch bench othello --probcut --depth 8`."""

QUIET_GAIN, CORNER_GAIN = 0.11, 0.35
"""Upper bounds on the gain of a move: CORNER_GAIN for a move to a corner, QUIET_GAIN for all other moves. Both are
fractions of the number of squares. Only one move in 1,000 of random games gains more than its bound."""


def share(ours: int, theirs: int) -> float:
    """The number of squares in `ours` minus the number in `theirs`, divided by the sum of both numbers."""
    mine, other = popcount(ours), popcount(theirs)
    return (mine - other) / max(1, mine + other)


SIDES = ("B", "W")
"""The GGF properties that contain a move of Black and a move of White."""
PASSES = ("pass", "pa", "ps", "--")
"""The ways to write a pass."""
MOVE = re.compile("pass|[a-h][1-8]", re.IGNORECASE)
EVERY_SQUARE = (1 << 64) - 1


class Othello(
    OthelloBoard, SelectiveGame[Position], PatternGame[Position], CountingGame[Position], Shortcuts[Position]
):
    """Turn over the opponent's discs by enclosing them between two of your discs; Black is Max and begins.

    A player who cannot turn over any disc must pass; otherwise, passing is not allowed. When neither player can move,
    the game is over (World Othello Federation, official rules). The payoff is the difference in discs. Empty squares
    count for the winner, as in WZebra and in the FFO endgame tests.
    """

    choices: ClassVar[Mapping[str, Collection[int]]] = {"size": SIZES}
    win_or_loss = False
    whole_payoffs = True
    suggested_algorithm = "pvs"  # benchmarks/results.md, "pvs against alpha-beta"
    suggested_order = "game+history"  # killer moves would add nodes (benchmarks/results.md)
    parts_off = (*TunedGame.parts_off, "probcut")  # benchmarks/results.md, "matches of single parts"
    reduction_divisor = 1.5  # benchmarks/results.md, "reduction divisor"
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
    notation = (
        "the moves played (f5d6c3), or OBF: the squares row by row from a1 with X for Black, O for White and - or "
        ". for an empty square, then X or O for the side to move. A move is a square (d3) or `pass`"
    )
    example = "f5d6c3d3c4f4"
    names = ("Black", "White")

    def __init__(self, size: int = 8) -> None:
        super().__init__(size)
        self.MAXSCORE, self.MINSCORE = self.cells, -self.cells
        self.weights = tuple(self.cells * weight for weight in WEIGHTS)
        if size > 4:
            self.suggested_depth = 8

    # The rules. -----------------------------------------------------------------------------------
    def initial(self) -> Position:
        first = (self.size // 2 - 1) * (self.size + 1)
        mine, theirs = 1 << first + 1 | 1 << first + self.size, 1 << first | 1 << first + self.size + 1
        return Position(mine, theirs, MAX, self.placements(mine, theirs))

    def player(self, s: Position) -> int:
        return s.turn

    def moves(self, s: Position) -> Iterator[int]:
        remaining = s.placements
        if remaining == 0:
            yield self.passing
        while remaining != 0:
            yield low_bit_index(remaining)
            remaining &= remaining - 1

    def result(self, s: Position, m: int) -> Position:
        mine, theirs = s.mine, s.theirs
        if m != self.passing:
            flipped = self.flipped_discs(mine, theirs, m)
            mine |= Board64(1) << m | flipped
            theirs ^= flipped
        return Position(theirs, mine, 1 - s.turn, self.placements(theirs, mine))

    def terminal(self, s: Position) -> bool:
        return s.placements == 0 and self.placements(s.theirs, s.mine) == 0

    def count_moves(self, s: Position) -> int:
        return popcount(s.placements) if s.placements else 0 if self.terminal(s) else 1

    def utility(self, s: Position) -> int:
        mine, theirs = popcount(s.mine), popcount(s.theirs)
        value = self.payoff(mine - theirs, self.cells - mine - theirs)
        return value if s.turn == MAX else -value

    def predictions(self) -> tuple[Prediction, ...]:
        return PREDICTIONS if self.size == 8 else ()

    def key(self, s: Position) -> tuple[int, int]:
        # If it is Min's turn, the key contains the complement of `theirs`. A position with Max to move cannot have the
        # same key: its discs would leave a center square empty, or occupy it twice.
        return s.mine, s.theirs if s.turn == MAX else s.theirs ^ EVERY_SQUARE

    def consistent(self, s: Position) -> bool:
        discs = s.mine | s.theirs
        is_sound = s.mine & s.theirs == 0 and discs & self.middle == self.middle and discs & ~self.full == 0
        return is_sound and s.placements == self.placements(s.mine, s.theirs)

    def features(self, s: Position) -> tuple[float, ...]:
        """The features are mobility, potential mobility, corners and discs. Potential mobility counts empty squares
        next to opposing discs (Rosenbloom 1982, Artificial Intelligence 19). If a is Max's number and b is Min's
        number, the feature is (a - b) / (a + b); for corners, it is (a - b) / 4."""
        empty = self.full & ~(s.mine | s.theirs)
        sign = 1 if s.turn == MAX else -1
        return (
            sign * share(s.placements, self.placements(s.theirs, s.mine)),
            sign * share(self.add_neighbors(s.theirs) & empty, self.add_neighbors(s.mine) & empty),
            sign * (popcount(s.mine & self.corners) - popcount(s.theirs & self.corners)) / 4,
            sign * share(s.mine, s.theirs),
        )

    # Patterns. -----------------------------------------------------------------------------------
    pattern_symmetry = "square"
    stages = 6
    plays_by_learned = True

    def cells_of_patterns(self) -> Mapping[int, Place]:
        return {square: divmod(square, self.size) for square in range(self.cells)}

    def cell_name(self, cell: int) -> str:
        return square_name(cell, self.size)

    def patterns(self) -> tuple[tuple[int, ...], ...]:
        """The patterns of Logistello: edges with X-squares, rows, diagonals, and corners of 3x3 and 5x2 squares."""
        n = self.size
        edge = (*range(n), n + 1, 2 * n - 2)
        rows = [tuple(range(n * row, n * row + n)) for row in range(1, n // 2)]
        diagonals = [tuple(i * n + i + n - length for i in range(length)) for length in range(min(4, n - 1), n + 1)]
        corners = [tuple(n * row + column for row in range(3) for column in range(3))]
        corners += [tuple(n * row + column for row in range(2) for column in range(min(5, n)))]
        return (edge, *rows, *diagonals, *corners)

    def contents(self, s: Position) -> tuple[Board64, ...]:
        return s.mine, s.theirs

    def stage(self, s: Position) -> int:
        """The stage of the game, which depends on the number of discs."""
        return (popcount(s.mine | s.theirs) - 4) * self.stages // (self.cells - 3)

    def order(self, s: Position, m: int) -> float:
        # Prefer moves with few replies. A reply to a corner counts more. A move to a corner gets a bonus. A move to a
        # quadrant with an odd number of empty squares also gets a bonus, because the player can then get the last
        # square of the quadrant. Far from the end, each empty square next to the player's discs counts as half a reply,
        # because it may become a reply. Near the end, the player's own possible next moves count too: four of them make
        # up for one reply. If few squares are empty, counting replies costs more time than it saves. Figures:
        # benchmarks/results.md.
        if m == self.passing:
            return 0.0
        empty = self.full & ~(s.mine | s.theirs)
        is_far = popcount(empty) > LATE
        odd, corner, corner_reply = FAR_FROM_THE_END if is_far else NEAR_THE_END
        quadrant = self.quadrants[m // self.size * 2 // self.size * 2 + m % self.size * 2 // self.size]
        score = odd * (popcount(empty & quadrant) & 1) + corner * popcount(self.corners & 1 << m)
        if popcount(empty) > FEW:
            after = self.result(s, m)
            replies = after.placements
            score -= popcount(replies) + corner_reply * popcount(replies & self.corners)
            if is_far:
                score -= 0.5 * popcount(self.add_neighbors(after.theirs) & empty)
            else:
                score += 0.25 * popcount(self.placements(after.theirs, after.mine))
        return score

    def most_gain(self, s: Position, m: int) -> float:
        is_corner = m != self.passing and self.corners & 1 << m != 0
        return self.cells * (CORNER_GAIN if is_corner else QUIET_GAIN)

    # Notation. ------------------------------------------------------------------------------------
    def parse(self, text: str) -> Position:
        text = text.partition(";")[0]
        names = split_moves(text, MOVE)
        if all(map(MOVE.fullmatch, names)):
            return self.after_moves(names)
        written = "".join(text.split()).upper()
        squares, side = written[:-1].replace("-", "."), written[-1]
        discs = read_boards([squares], [range(self.cells)])
        if discs is None or side not in "XO":
            raise GamesearchError(
                f"{text!r} is not a position: write {self.cells} squares and the side to move (X or O), or moves such "
                "as d3"
            )
        turn = "XO".index(side)
        mine, theirs = discs[turn], discs[1 - turn]
        self.refuse_unreachable(mine | theirs, text)
        return self.initial()._replace(mine=mine, theirs=theirs, turn=turn, placements=self.placements(mine, theirs))

    def refuse_unreachable(self, discs: int, text: str) -> None:
        """Raise GamesearchError if a disc is not connected with the center, because no game leads to such a
        position."""
        if self.middle & ~discs:
            raise GamesearchError(f"in {text!r}, one of the four squares in the middle is empty, which is impossible")
        joined = self.middle
        for _ in range(self.cells):
            joined |= self.add_neighbors(joined) & discs
        if joined != discs:
            square = square_name(low_bit_index(discs & ~joined), self.size)
            raise GamesearchError(f"in {text!r}, the disc on {square} is not joined to the middle by other discs")

    def after_moves(self, names: list[str]) -> Position:
        """The position after moves from the initial state. Passes may be omitted, because most records omit them."""
        s = self.initial()
        for name in names:
            if self.terminal(s):
                raise GamesearchError(f"{' '.join(names)!r} continues at {name} after the end of the game")
            if s.placements == 0 and name.casefold() != "pass":
                s = self.result(s, self.passing)
            s = self.result(s, self.parse_move(s, name))
        return s

    def format(self, s: Position) -> str:
        return f"{self.squares_text(s)} {'XO'[s.turn]}"

    def squares_text(self, s: Position) -> str:
        """A text with X, O or '-' for each square."""
        discs = (s.mine, s.theirs) if s.turn == MAX else (s.theirs, s.mine)
        return draw_boards(discs, [range(self.cells)]).replace(".", "-")

    def read_other_records(self, text: str) -> Iterator[RecordedGame[Position]]:
        for game in property_games(text):
            if game.value("GM").casefold() != "othello":
                raise game.error(game.line_of("GM"), f"GM[{game.value('GM')}] is not Othello")
            with game.at(game.line_of("BO")):
                start = s = self.read_board(game.value("BO"))
            moves = list[int]()
            for each in game.properties:
                if each.name in SIDES:
                    move = each.values[0].partition("/")[0]  # after the slash: the player's estimate and time
                    if SIDES.index(each.name) != s.turn:
                        other, mover = self.names[1 - s.turn], self.names[s.turn]
                        problem = f"{each.name}[{move}] is a move of {other}, but {mover} is to move"
                        raise game.error(each.line, problem)
                    with game.at(each.line):
                        moves.append(self.parse_move(s, move))
                    s = self.result(s, moves[-1])
            yield game.record_game(start, moves, is_white_max=False)

    def read_board(self, text: str) -> Position:
        """The position in the property BO: the size, the squares row by row (* is Black), and the player to move."""
        size, _, squares = text.strip().partition(" ")
        if not squares:
            return self.initial()
        if size != f"{self.size}":
            raise GamesearchError(f"its board has {size} rows, not {self.size}")
        return self.parse(squares.replace("*", "X"))

    def move_name(self, s: Position, m: int) -> str:
        return "pass" if m == self.passing else square_name(m, self.size)

    def parse_move(self, s: Position, text: str) -> int:
        wanted = "".join(text.split()).casefold()
        wanted = "pass" if wanted in PASSES else wanted
        names = {self.move_name(s, m): m for m in self.moves(s)}
        if wanted in names:
            return names[wanted]
        side = self.names[s.turn]
        if s.placements == 0:
            raise GamesearchError(f"{wanted!r} is not legal: {side} cannot turn over a disc and has to pass")
        is_square = wanted == "pass" or wanted in {square_name(square, self.size) for square in range(self.cells)}
        why = "turns over no disc" if is_square else "is not a square of the board"
        raise GamesearchError(f"{wanted!r} {why}: {side} can play {', '.join(names)}")

    def cells_of_move(self, s: Position, m: int) -> list[Place]:
        """The square of the new disc, but not the squares of the flipped discs."""
        return [] if m == self.passing else [divmod(m, self.size)]

    def board(self, s: Position) -> Board:
        """The board, with + on the squares of legal moves."""
        marks = self.squares_text(s)
        cells = [
            Cell("+" if s.placements >> square & 1 else ".", faint=True)
            if mark == "-"
            else Cell(mark, owner="XO".index(mark))
            for square, mark in enumerate(marks)
        ]
        side = self.names[s.turn]
        counts = ", ".join(f"{name} {marks.count(mark)}" for name, mark in zip(self.names, "XO", strict=True))
        turn = "game over" if self.terminal(s) else f"{side} can play on +" if s.placements else f"{side} has to pass"
        return Board(
            rows=[cells[i : i + self.size] for i in range(0, self.cells, self.size)],
            row_labels=[str(row + 1) for row in range(self.size)],
            column_labels=LETTERS[: self.size],
            notes=[f"{counts}; {turn}"],
        )
