"""Go: surround more of the board than the opponent. Stones without liberties are captured."""

import math
import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any, ClassVar

from gamesearch.errors import GamesearchError
from gamesearch.files.records import RecordedGame
from gamesearch.game import FORBIDDEN, MAX, MIN, REPETITION_DRAWS, Game
from gamesearch.games._shared.board_notation import (
    draw_boards,
    mark_at,
    read_stones,
    square_name,
    square_rows,
)
from gamesearch.games._shared.cells import flood, members
from gamesearch.games._shared.game_files import PropertyGame, property_games
from gamesearch.games.capturing.go.playouts import PLAYOUTS, GoPlayouts
from gamesearch.games.capturing.go.position import LARGEST, NOWHERE, Position
from gamesearch.games.capturing.go.sgf import komi_of, point_of, points_of, size_of
from gamesearch.notation import play_moves
from gamesearch.optional import AreaScoring, SelectiveGame
from gamesearch.specification import format_specification
from gamesearch.toolkit.bits import Wide128, popcount
from gamesearch.toolkit.boards import Board, Cell
from gamesearch.toolkit.known import Known

__all__ = ["Go"]


LETTERS = "ABCDEFGHJKLMNOPQRST"
"""The names of the columns. The letter I is not used."""
MOVES_PLAYED = re.compile(r"^[^/]*(?:\d|pass)[^/]*$", re.IGNORECASE)
"""Matches a list of moves, but not the rows of a board."""
SIDES = ("B", "W")
"""The SGF properties that contain a move of Black and a move of White."""
SETUP = ("AB", "AW", "AE")
"""The SGF properties that set points to black, to white and to empty."""
LARGEST_COMPILED = 10
"""The greatest size of a board that fits into Wide128."""
CUSTOMARY_KOMI, SMALLEST_WITH_KOMI = 7.5, 9
"""The usual komi (points for White) under Chinese and AGA rules, and the size of the smallest board with komi."""
SMALLEST_PLAYED_OUT = 5
"""The smallest board on which the computer uses Monte Carlo tree search. Smaller boards are searched to the end."""
STRONGEST = "mcts(exploration=0, wins=1, rave=300, prior=20, temperature=0.5)"
"""The parameters that were best in matches with 300 and 800 playouts for each move (benchmarks/results.md)."""
TROMP = "John Tromp, tromp.github.io/go.html"


class Go(GoPlayouts, AreaScoring[Position], SelectiveGame[Position]):
    """Go with area scoring: each player scores their stones and the empty points that only these stones reach.

    The rules of Tromp and Taylor (tromp.github.io/go.html): Black (X, Max) begins, two passes end the game, and no move
    may repeat an earlier arrangement of stones (positional superko). If `superko=false`, only one repetition is
    forbidden: to retake a single stone immediately. Longer cycles are draws. If `suicide=true`, a move may remove its
    own chain, but not a single stone, because that would be a pass. White gets `komi` points: by default 7.5 on boards
    of 9 or more lines, as under Chinese and AGA rules, and 0 on smaller boards. The players in playouts answer atari
    and use patterns of 3x3 points. If `playouts=uniform`, all moves are equally likely.
    """

    known = (
        Known("counted on grids", perft=(82, 6_643, 531_522)),
        Known("counted on grids", "size=3", perft=(10, 91, 738, 5_281)),
        Known("counted on grids", "size=2", perft=(5, 21, 68, 156, 316, 604, 1_088)),
        Known("counted on grids", "size=2, superko=false", perft=(5, 21, 68, 156, 316, 604, 1_168)),
        Known(TROMP, "size=2", value=1, best=("A1", "A2", "B1", "B2"), method="alphabeta"),
        Known(TROMP, "size=3", value=9, best=("B2",), method="alphabeta"),
    )
    win_or_loss = False

    choices: ClassVar[Mapping[str, Collection[str]]] = {"playouts": PLAYOUTS}
    # The weights were set by hand, in points.
    weights = (1.0, 0.1, 0.5)
    feature_names = ("points nearer to one's stones", "liberties", "eyes")
    passing_never_helps = True  # the rules allow passing anyway
    notation = (
        "the moves so far (D4 E5), or the rows from the top, joined by '/', with X, O and '.' for an empty point, "
        "then X or O for the side to move. Add `pass` for each pass that was just made. If superko=false, add `ko` "
        "and the point that the side to move may not retake. A move is a point or `pass`. A point is a letter for the "
        "column (without I) and a number for the row, counted from the bottom (D4)"
    )
    example = ".XO./XO.O/.XO./.... X"
    names = ("Black", "White")
    shows_captures = True

    def __init__(
        self,
        size: int = 9,
        komi: float | None = None,
        superko: bool = True,
        suicide: bool = False,
        playouts: str = "patterns",
    ) -> None:
        super().__init__(size, superko, suicide, playouts)
        if komi is None:
            komi = default_komi(size)
        if not math.isfinite(komi):
            raise GamesearchError(f"`komi` must be a number of points, not {komi}")
        self.komi = float(komi)
        # `whole_payoffs` is false with superko, even if all payoffs are whole numbers. If `whole_payoffs` were true,
        # the search would begin with null windows next to the value of a draw. These are the hardest windows in Go: a
        # search that halves the range of values visits far fewer nodes.
        self.whole_payoffs = self.komi.is_integer() and not superko
        self.repetition = FORBIDDEN if superko else REPETITION_DRAWS
        self.MAXSCORE = size * size + abs(self.komi)
        self.MINSCORE = -self.MAXSCORE
        if size > LARGEST_COMPILED:
            self.interpreted_because = f"a board of {size} rows does not fit into an integer of 128 bits"
        elif size >= SMALLEST_PLAYED_OUT:
            self.suggested_algorithm = STRONGEST
        if size > 2:
            self.suggested_depth = 4 if size < 7 else 3

    # The rules. -----------------------------------------------------------------------------------
    def initial(self) -> Position:
        return Position(Wide128(0), Wide128(0), MAX, 0, NOWHERE, NOWHERE)

    def player(self, s: Position) -> int:
        return s.turn

    def moves(self, s: Position) -> Iterator[int]:
        mine, theirs = (s.black, s.white) if s.turn == MAX else (s.white, s.black)
        empty = self.full & ~(mine | theirs)
        open_points = empty & self.neighbors(empty)
        for point in self.points_from_centre:
            if empty >> point & 1 and point != s.ko:
                if open_points >> point & 1 or self.may_fill(mine, theirs, Wide128(1) << point):
                    yield point
        yield self.pass_move

    def result(self, s: Position, m: int) -> Position:
        if m == self.pass_move:
            return Position(s.black, s.white, 1 - s.turn, s.passes + 1, NOWHERE, NOWHERE)
        stone = Wide128(1) << m
        mine, before = (s.black, s.white) if s.turn == MAX else (s.white, s.black)
        mine, theirs = self.after_stone(mine, before, stone)
        black, white = (mine, theirs) if s.turn == MAX else (theirs, mine)
        return Position(black, white, 1 - s.turn, 0, self.ko_after(stone, mine, theirs, before), m)

    def key(self, s: Position) -> tuple[int, ...]:
        return s.black, s.white, s.turn, s.passes, s.ko

    def arrangement(self, s: Position) -> Any:
        # Superko compares only the stones. If superko is not used, the number of passes is compared, too.
        return (s.black, s.white) if self.superko else self.key(s)

    def terminal(self, s: Position) -> bool:
        return s.passes == 2

    def utility(self, s: Position) -> float:
        black, white = self.areas(s)
        return popcount(black) - popcount(white) - self.komi

    def bounds(self, s: Position) -> tuple[float, float]:
        # A player who can end the game by a second pass gets at least the current score. Living chains stay alive.
        least, greatest = self.MINSCORE, self.MAXSCORE
        if not self.suicide:
            points = self.size * self.size
            least = max(least, 2.0 * self.certain_points(s.black, s.white) - points - self.komi)
            greatest = min(greatest, points - 2.0 * self.certain_points(s.white, s.black) - self.komi)
        if s.passes == 1:
            if s.turn == MAX:
                least = max(least, self.utility(s))
            else:
                greatest = min(greatest, self.utility(s))
        return least, greatest

    def consistent(self, s: Position) -> bool:
        taken = s.black | s.white
        empty = self.full & ~taken
        is_apart = s.black & s.white == 0 and taken & self.full == taken
        return is_apart and s.passes <= 2 and self.all_breathe(s.black, empty) and self.all_breathe(s.white, empty)

    def all_breathe(self, stones: int, empty: int) -> bool:
        """Whether each chain of the given stones has a liberty."""
        return flood(self, self.neighbors(empty) & stones, stones) == stones

    def setup(self, text: str) -> tuple[Game, Position]:
        # The number of rows, separated by '/', determines the size of the board.
        size = text.count("/") + 1
        if size == self.size or not 2 <= size <= LARGEST:
            return self, self.parse(text) if text else self.initial()
        komi = None if self.komi == default_komi(self.size) else self.komi
        game = Go(size, komi, self.superko, self.suicide, self.playouts)
        return game, game.parse(text)

    # Evaluation and move ordering. ----------------------------------------------------------------
    def features(self, s: Position) -> tuple[float, ...]:
        """Each feature is Black's number minus White's number. The features count liberties, eyes, and the points that
        are nearer to the side's own stones."""
        empty = self.full & ~(s.black | s.white)
        black, white, unclaimed = s.black, s.white, Wide128(empty)
        growing = True
        while growing:
            by_black, by_white = self.neighbors(black) & unclaimed, self.neighbors(white) & unclaimed
            black |= by_black & ~by_white
            white |= by_white & ~by_black
            unclaimed &= ~(by_black | by_white)
            growing = (by_black | by_white) != 0
        liberties = popcount(self.neighbors(s.black) & empty) - popcount(self.neighbors(s.white) & empty)
        eyes = popcount(self.eyes(s.black, empty)) - popcount(self.eyes(s.white, empty))
        return float(popcount(black) - popcount(white)), float(liberties), float(eyes)

    def eyes(self, stones: int, empty: int) -> int:
        """The empty points whose only neighbors are stones of one side."""
        return empty & ~self.neighbors(self.full & ~stones)

    def evaluate(self, s: Position) -> float:
        return max(self.MINSCORE + 0.5, min(self.MAXSCORE - 0.5, self.weighted_sum(s) - self.komi))

    def make_null_move(self, s: Position) -> Position:
        # Unlike a real pass, a null move never ends the game.
        return Position(s.black, s.white, 1 - s.turn, 0, NOWHERE, NOWHERE)

    # Scoring. -------------------------------------------------------------------------------------
    def areas(self, s: Position) -> tuple[int, int]:
        """Return Black's area and White's area. An area consists of the stones of a color and the empty points that
        only this color reaches."""
        empty = self.full & ~(s.black | s.white)
        reached_by_black = flood(self, self.neighbors(s.black) & empty, empty)
        reached_by_white = flood(self, self.neighbors(s.white) & empty, empty)
        return s.black | reached_by_black & ~reached_by_white, s.white | reached_by_white & ~reached_by_black

    def areas_at_random(self, s: Position, seed: int) -> tuple[int, int]:
        going_on = Position(s.black, s.white, seed >> 1 & 1, 0, NOWHERE, NOWHERE)
        return self.areas(self.random_game(going_on, seed, None, 0, True)[0])

    def groups(self, s: Position) -> Iterator[tuple[int, int]]:
        for player, stones in ((MAX, int(s.black)), (MIN, int(s.white))):
            left = stones
            while left:
                chain = int(flood(self, left & -left, stones))
                left &= ~chain
                yield player, chain

    def points_next_to(self, points: int) -> int:
        return self.neighbors(points)

    def without(self, s: Position, points: int) -> Position:
        return s._replace(black=s.black & ~points, white=s.white & ~points)

    def score_words(self, s: Position) -> str:
        black, white = (popcount(area) for area in self.areas(s))
        komi = f" and {abs(self.komi):g} of komi" if self.komi else ""
        return f"{self.names[MAX]} {black}{komi * (self.komi < 0)}, {self.names[MIN]} {white}{komi * (self.komi > 0)}"

    def value_words(self, s: Position, value: float) -> str:
        """Describe an estimate as a chance of winning. The chance is near 50 % if few stones are on the board."""
        points, stones = self.size * self.size, popcount(s.black) + popcount(s.white)
        lead = math.tanh(4 * value / points) * min(1.0, 1.5 * stones / points)
        return f"{50 + 50 * lead:.0f} % chance for {self.names[MAX]}"

    # Positions. ----------------------------------------------------------------------------------
    def parse(self, text: str) -> Position:
        if MOVES_PLAYED.search(text):
            return play_moves(self, self.initial(), text)[-1]
        words = text.upper().split()
        boards = read_stones(text, words[0].split("/") if words else [], square_rows(self.size, self.width))
        s = Position(Wide128(boards[MAX]), Wide128(boards[MIN]), *self.read_words(text, words[1:]), NOWHERE)
        if not self.consistent(s):
            raise GamesearchError(f"{text!r} has a chain without liberties")
        if s.ko != NOWHERE and not self.can_be_ko(s):
            raise GamesearchError(
                f"in {text!r}, ko is impossible: the last move cannot have captured one stone at "
                f"{self.move_name(s, s.ko)}"
            )
        return s

    def positions_before(self, text: str) -> list[Position]:
        return play_moves(self, self.initial(), text)[:-1] if MOVES_PLAYED.search(text) else []

    def read_words(self, text: str, words: list[str]) -> tuple[int, int, int]:
        """Read the words after the board: the player to move, the number of passes, and a ko point or NOWHERE."""
        turn = MIN if words[:1] == ["O"] else MAX
        rest = words[1:] if words[:1] in (["O"], ["X"]) else words
        if set(rest) <= {"PASS"} and len(rest) <= 2:
            return turn, len(rest), NOWHERE
        ko = self.read_point(rest[1]) if len(rest) == 2 and rest[0] == "KO" else None
        if ko is None:
            raise GamesearchError(f"{text!r} must end with X or O for the side to move, `pass`, or `ko` and a point")
        if self.superko:
            raise GamesearchError(f"{text!r} contains a ko, which is possible only in go(superko=false)")
        return turn, 0, ko

    def can_be_ko(self, s: Position) -> bool:
        """Whether the last move may have made this ko: a single stone next to the ko point captured a stone on it."""
        mine, theirs = (s.black, s.white) if s.turn == MAX else (s.white, s.black)
        ko = Wide128(1) << s.ko
        around = self.neighbors(ko)
        if (mine | theirs) & ko or around & ~theirs:
            return False
        return any(self.ko_after(1 << taker, theirs, mine, mine | ko) == s.ko for taker in members(around))

    def format(self, s: Position) -> str:
        rows = draw_boards((s.black, s.white), square_rows(self.size, self.width))
        words = [rows, "XO"[s.turn], *["pass"] * s.passes]
        return " ".join(words + (["ko", self.move_name(s, s.ko)] if s.ko != NOWHERE else []))

    # Games in SGF. -------------------------------------------------------------------------------
    def read_other_records(self, text: str) -> Iterator[RecordedGame[Position]]:
        for game in property_games(text):
            with game.at(game.line_of("SZ")):
                if size_of(game.tags) != self.size:
                    raise GamesearchError(f"its board has {size_of(game.tags)} rows, not {self.size}")
            with game.at(game.line_of("AB", "AW")):
                start = s = self.start_of(game)
            moves, past = list[int](), [start]
            for each in game.properties:
                if each.name in SETUP and moves:
                    raise game.error(each.line, f"{each.name} changes the position in the middle of the game")
                if each.name in SIDES and not (self.terminal(s) and not each.values[0].strip()):
                    with game.at(each.line):
                        moves.append(self.recorded_move(s, SIDES.index(each.name), each.values[0], past))
                    s = self.result(s, moves[-1])
                    past.append(s)
            yield game.record_game(start, moves, is_white_max=False)

    def start_of(self, game: PropertyGame) -> Position:
        """The position before the first move: AB and AW place stones, and PL or the first move names the player to
        move."""
        first = game.nodes[0]
        black, white, _ = (points_of(first, name, self.size, self.width) for name in SETUP)
        movers = [*(value[:1].upper() for each in first if each.name == "PL" for value in each.values)]
        movers += [each.name for each in game.properties if each.name in SIDES]
        turn = SIDES.index(movers[0]) if movers and movers[0] in SIDES else MAX
        stones = [Wide128(sum(1 << point for point in points)) for points in (black, white)]
        s = self.initial()._replace(black=stones[0], white=stones[1], turn=turn)
        if not self.consistent(s):
            raise GamesearchError("its first position has a chain without liberties")
        return s

    def recorded_move(self, s: Position, player: int, value: str, past: list[Position]) -> int:
        """Convert a recorded move; raises GamesearchError if the move is illegal."""
        if self.terminal(s):
            raise GamesearchError("the record continues after two passes, which end the game")
        if player != s.turn:
            mover = self.names[s.turn]
            raise GamesearchError(f"{SIDES[player]}[{value}] is a move of {self.names[player]}, but {mover} is to move")
        point = point_of(value, self.size, self.width)
        if point is None:
            return self.pass_move
        repeats = self.superko and self.arrangement(self.result(s, point)) in map(self.arrangement, past)
        if point not in self.moves(s) or repeats:
            raise GamesearchError(f"{SIDES[player]}[{value}] is not a legal move")
        return point

    @classmethod
    def rules_of_headers(cls, headers: Mapping[str, str]) -> str:
        return format_specification(cls.name, {"size": size_of(headers), "komi": komi_of(headers)})

    def move_name(self, s: Position, m: int) -> str:
        return "pass" if m == self.pass_move else square_name(m, self.width, LETTERS)

    def parse_move(self, s: Position, text: str) -> int:
        wanted = "".join(text.split())
        try:
            return super().parse_move(s, wanted)
        except GamesearchError:
            point = self.read_point(wanted.upper())
            if point is None:
                raise
            if point == s.ko:
                problem = "would retake a stone immediately, which ko forbids"
            else:
                problem = "is taken" if (s.black | s.white) >> point & 1 else "would be suicide"
            raise GamesearchError(f"{wanted!r} {problem}") from None

    def read_point(self, text: str) -> int | None:
        """The point with a name such as D4; None if the board has no such point."""
        column, row = LETTERS.find(text[:1]), text[1:]
        if not text or not row.isascii() or not row.isdecimal() or len(row) > 2:
            return None
        is_on_board = 0 <= column < self.size and 1 <= int(row) <= self.size
        return (int(row) - 1) * self.width + column if is_on_board else None

    # The picture. --------------------------------------------------------------------------------
    def board(self, s: Position) -> Board:
        passed = ["Both passed: the game is over" if s.passes == 2 else f"{self.names[1 - s.turn]} passed"]
        turn = [f"{self.names[s.turn]} to move"]
        komi = [f"komi: {self.komi:g} points for {self.names[MIN]}"]
        return Board(
            rows=[[self.picture_of_point(s, point) for point in row] for row in square_rows(self.size, self.width)],
            row_labels=[str(row) for row in range(self.size, 0, -1)],
            column_labels=LETTERS[: self.size],
            notes=passed * (s.passes > 0) + turn * (s.passes < 2) + komi * (self.komi != 0),
        )

    def picture_of_point(self, s: Position, point: int) -> Cell:
        """The picture of a point: its stone, or an empty point. Empty handicap points are drawn as `+`."""
        mark = mark_at(point, (s.black, s.white))
        if mark == ".":
            return Cell("+" if self.is_star(point) else ".", faint=True)
        return Cell(mark, glyph="●" if mark == "X" else "○", owner="XO".index(mark))

    def is_star(self, point: int) -> bool:
        """Whether a point is a handicap point. Handicap points are near the corners, in the center, and on large boards
        at the sides."""
        edge = 2 if self.size < 12 else 3
        lines = [edge, self.size - 1 - edge] + [self.size // 2] * (self.size % 2)
        row, column = (lines.index(line) if line in lines else -1 for line in divmod(point, self.width))
        is_at_side = (row == 2) != (column == 2)
        return self.size >= 7 and min(row, column) >= 0 and (self.size >= 15 or not is_at_side)


def default_komi(size: int) -> float:
    """The default komi for a board of this size."""
    return CUSTOMARY_KOMI if size >= SMALLEST_WITH_KOMI else 0.0
