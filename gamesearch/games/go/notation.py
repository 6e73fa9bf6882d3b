"""How Go's positions and points are written and drawn."""

import math
from collections.abc import Iterator, Mapping

from gamesearch.errors import GamesearchError
from gamesearch.files.records import WINS, RecordedGame
from gamesearch.game import MAX, MIN
from gamesearch.games._shared.board_notation import draw_boards, mark_at, read_stones, square_name, square_rows
from gamesearch.games._shared.members import members
from gamesearch.games._shared.property_games import PropertyGame, property_games
from gamesearch.games.go.position import NOWHERE, GoBoard, Position
from gamesearch.games.go.sgf import komi_of, point_of, points_of, size_of
from gamesearch.specification import format_specification
from gamesearch.toolkit.bits import Wide128, popcount
from gamesearch.toolkit.boards import Board, Cell

__all__ = ["GoNotation"]

LETTERS = "ABCDEFGHJKLMNOPQRST"
"""The names of the columns; there is no I."""
SIDES = ("B", "W")
"""The names of the players' moves in SGF."""
SETUP = ("AB", "AW", "AE")
"""Black stones, white stones and empty points that SGF puts on the board."""


class GoNotation(GoBoard):
    """Reads, writes and draws rows of stones with passes and ko, and moves by their points."""

    notation = (
        "rows from the top with X, O and '.', joined by '/', then whose turn it is, X or O, then pass for each pass "
        "just made, or ko and the point where it may not be retaken (only without superko); moves are points (D4, "
        "columns without I, rows from the bottom) or pass"
    )
    example = ".XO./XO.O/.XO./.... X"
    names = ("Black", "White")
    shows_captures = True

    def value_words(self, s: Position, value: float) -> str:
        """An estimate as a chance: the fewer stones there are, the less it says of the end."""
        points, stones = self.size * self.size, popcount(s.black) + popcount(s.white)
        lead = math.tanh(4 * value / points) * min(1.0, 1.5 * stones / points)
        return f"{50 + 50 * lead:.0f} % chance for {self.names[MAX]}"

    # Positions. ----------------------------------------------------------------------------------
    def parse(self, text: str) -> Position:
        words = text.upper().split()
        boards = read_stones(text, words[0].split("/") if words else [], square_rows(self.size, self.width))
        s = Position(Wide128(boards[MAX]), Wide128(boards[MIN]), *self.read_words(text, words[1:]))
        if not self.consistent(s):
            raise GamesearchError(f"{text!r} has a chain without liberties")
        if s.ko != NOWHERE and not self.can_be_ko(s):
            raise GamesearchError(f"in {text!r} no single stone can just have been taken at {self.move_name(s, s.ko)}")
        return s

    def read_words(self, text: str, words: list[str]) -> tuple[int, int, int]:
        """Whose turn it is, how many passes were made, and the ko or NOWHERE, from what stands behind the board."""
        turn = MIN if words[:1] == ["O"] else MAX
        rest = words[1:] if words[:1] in (["O"], ["X"]) else words
        if set(rest) <= {"PASS"} and len(rest) <= 2:
            return turn, len(rest), NOWHERE
        ko = self.read_point(rest[1]) if len(rest) == 2 and rest[0] == "KO" else None
        if ko is None:
            raise GamesearchError(f"{text!r} should end with X or O for whose turn it is, and pass or ko and its point")
        if self.superko:
            raise GamesearchError(f"{text!r} has a ko, which is only for go(superko=false): superko forbids more")
        return turn, 0, ko

    def can_be_ko(self, s: Position) -> bool:
        """Whether a lone stone next to the ko may just have taken one there."""
        mine, theirs = (s.black, s.white) if s.turn == MAX else (s.white, s.black)
        ko = Wide128(1) << s.ko
        around = self.neighbours(ko)
        if (mine | theirs) & ko or around & ~theirs:
            return False
        return any(self.ko_after(1 << taker, theirs, mine, mine | ko) == s.ko for taker in members(around))

    def format(self, s: Position) -> str:
        rows = draw_boards((s.black, s.white), square_rows(self.size, self.width))
        words = [rows, "XO"[s.turn], *["pass"] * s.passes]
        return " ".join(words + (["ko", self.move_name(s, s.ko)] if s.ko != NOWHERE else []))

    # Games in SGF. -------------------------------------------------------------------------------
    def read_records(self, text: str) -> Iterator[RecordedGame[Position]]:
        if text.lstrip().startswith("{"):
            yield from super().read_records(text)
            return
        for game in property_games(text):
            moves, line = list[int](), game.line
            try:
                if size_of(game.tags) != self.size:
                    raise GamesearchError(f"its board has {size_of(game.tags)} rows, not {self.size}")
                start = s = self.start_of(game)
                past = [start]
                for each in game.properties:
                    line = each.line
                    if each.name in SETUP and moves:
                        raise GamesearchError(f"{each.name} changes the position in the middle of the game")
                    if each.name in SIDES and not (self.terminal(s) and not each.values[0].strip()):
                        moves.append(self.recorded_move(s, SIDES.index(each.name), each.values[0], past))
                        s = self.result(s, moves[-1])
                        past.append(s)
            except GamesearchError as error:
                raise game.error(line, str(error)) from None
            white = WINS.get(game.result)
            yield RecordedGame(start, moves, game.tags, None if white is None else 1 - white, game.number)

    def start_of(self, game: PropertyGame) -> Position:
        """The position before the first move: the stones of AB and AW, and the player of PL or of the first move."""
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
        """A move of a record, which has to be legal."""
        if self.terminal(s):
            raise GamesearchError("the game goes on after two passes")
        if player != s.turn:
            mover = self.names[s.turn]
            raise GamesearchError(f"{SIDES[player]}[{value}] is a move of {self.names[player]}, and {mover} is to move")
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

    # Moves. --------------------------------------------------------------------------------------
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
                problem = "would take back at once, which ko forbids"
            else:
                problem = "is taken" if (s.black | s.white) >> point & 1 else "would be suicide"
            raise GamesearchError(f"{wanted!r} {problem}") from None

    def read_point(self, text: str) -> int | None:
        """The point with a name such as D4; None if there is no such point."""
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
            rows=[[self.drawn_point(s, point) for point in row] for row in square_rows(self.size, self.width)],
            row_labels=[str(row) for row in range(self.size, 0, -1)],
            column_labels=LETTERS[: self.size],
            notes=passed * (s.passes > 0) + turn * (s.passes < 2) + komi * (self.komi != 0),
        )

    def drawn_point(self, s: Position, point: int) -> Cell:
        """A point with its stone, or with the dot of the board's handicap points."""
        mark = mark_at(point, (s.black, s.white))
        if mark == ".":
            return Cell("+" if self.is_star(point) else ".", faint=True)
        return Cell(mark, glyph="●" if mark == "X" else "○", owner="XO".index(mark))

    def is_star(self, point: int) -> bool:
        """Whether stones of a handicap go there: near the corners, in the middle, and on large boards at the sides."""
        edge = 2 if self.size < 12 else 3
        lines = [edge, self.size - 1 - edge] + [self.size // 2] * (self.size % 2)
        row, column = (lines.index(line) if line in lines else -1 for line in divmod(point, self.width))
        is_at_side = (row == 2) != (column == 2)
        return self.size >= 7 and min(row, column) >= 0 and (self.size >= 15 or not is_at_side)
