"""Portable Draughts Notation (PDN), and the picture of the board."""

import re
from collections.abc import Iterator, Mapping

from gamesearch.errors import GamesearchError
from gamesearch.files.records import RecordedGame
from gamesearch.game import MAX, MIN
from gamesearch.games._shared.draughts_board import CAPTURED, COLOURS, SQUARE, TARGET, DraughtsBoard, Position
from gamesearch.games._shared.game_files import PDN_RESULTS, tagged_games
from gamesearch.notation import play_moves
from gamesearch.toolkit.bits import low_bit_index
from gamesearch.toolkit.boards import Board, Cell

__all__ = ["DraughtsNotation"]

GLYPHS = {"b": "⛂", "B": "⛃", "w": "⛀", "W": "⛁"}
SQUARES = re.compile(r"(K?)([0-9]{1,2})(?:-K?([0-9]{1,2}))?")
MOVES_PLAYED = re.compile(r"[-x:*×.,\s0-9]+", re.IGNORECASE)
"""A pattern that matches a list of moves. It matches no position, because a position contains the letters W and B."""
MOVE = re.compile(r"[0-9]{1,2}(?:(?:\s*[-x:*×]\s*|\s+)[0-9]{1,2})+", re.IGNORECASE)
LISTED = 6
"""The greatest number of moves that a message lists."""

KINDS = {"20": "draughts", "21": "checkers", "26": "draughts(size=8)"}
"""For each known number in the PDN tag GameType, the name of the game."""


class DraughtsNotation(DraughtsBoard):
    """Reads and writes PDN, and draws the board."""

    notation = (
        "a list of moves, or PDN: the side to move, then the squares of each side, with K before a king "
        "(B:W18,24,K27:B12,K16). If no_progress is set, :H7 at the end means that the last seven moves were king moves "
        "without a capture. A move is two squares: 11-15, or 22x15 for a capture. If two captures begin and end on the "
        "same squares, write all squares of the capture (22x15x8)"
    )

    # Positions. ----------------------------------------------------------------------------------
    def parse(self, text: str) -> Position:
        if MOVES_PLAYED.fullmatch(text):
            return play_moves(self, self.initial(), text)[-1]
        fields = re.sub(r"\s", "", text).upper().removesuffix(".").split(":")
        if len(fields) > 3 and re.fullmatch("F[0-9]{1,5}", fields[-1]):  # the number of the next move, which is ignored
            fields.pop()
        quiet = self.read_count(fields.pop(), text) if len(fields) > 3 and fields[-1][:1] == "H" else 0
        if len(fields) != 3 or fields[0] not in COLOURS or {field[:1] for field in fields[1:]} != set(COLOURS):
            raise GamesearchError(
                f"{quote(text)} is neither a list of moves nor a position in PDN: write, for example, {self.example}"
            )
        pieces, kings = {"B": 0, "W": 0}, 0
        for field in fields[1:]:
            for item in field[1:].split(",") if field[1:] else ():
                for number, is_king in self.read_squares(item):
                    square = 1 << self.bit_of(number)
                    if square & (pieces["B"] | pieces["W"]):
                        raise GamesearchError(f"{quote(text)} contains the square {number} twice")
                    pieces[field[0]] |= square
                    kings |= square * is_king
        turn = self.colors.index(fields[0])
        s = Position(pieces[self.colors[MAX]], pieces[self.colors[MIN]], kings, turn, quiet)
        self.refuse_impossible(s, text)
        return s

    def positions_before(self, text: str) -> list[Position]:
        return play_moves(self, self.initial(), text)[:-1] if MOVES_PLAYED.fullmatch(text) else []

    def read_squares(self, item: str) -> list[tuple[int, bool]]:
        """The squares in an item such as 18, K18 or 1-12. Each square is followed by True if its piece is a king,
        otherwise by False."""
        match = SQUARES.fullmatch(item)
        if match is None:
            raise GamesearchError(f"{quote(item)} is neither a square (18 or K18) nor a range (1-12)")
        first, last = int(match[2]), int(match[3] or match[2])
        if not 1 <= first <= last <= self.square_count:
            raise GamesearchError(f"{quote(item)} is not on this board: its squares are 1 to {self.square_count}")
        return [(number, match[1] == "K") for number in range(first, last + 1)]

    def read_count(self, field: str, text: str) -> int:
        """Read the number of plies without progress from a field such as H7. Positions of lidraughts.org have such
        fields."""
        count = int(field[1:]) if re.fullmatch(r"[0-9]{1,5}", field[1:]) else -1
        if count > 0 and not self.no_progress:
            raise GamesearchError(
                f"{quote(text)} needs a limit on plies without progress: use {type(self).name}(no_progress=40)"
            )
        if not 0 <= count <= 2 * self.no_progress:
            raise GamesearchError(f"{quote(text)} ends with {field}: write H and a number up to {2 * self.no_progress}")
        return count

    def refuse_impossible(self, s: Position, text: str) -> None:
        """Raise GamesearchError if pieces are on impossible squares."""
        if not (s.min_pieces if s.turn == MAX else s.max_pieces):
            raise GamesearchError(f"{quote(text)} has no piece of {self.names[1 - s.turn]}, who moved last")
        for player, pieces in enumerate((s.max_pieces, s.min_pieces)):
            if pieces.bit_count() > self.most_pieces:
                count = f"{pieces.bit_count()} {self.names[player].lower()} pieces"
                raise GamesearchError(f"{quote(text)} has {count}: a side can have at most {self.most_pieces}")
            uncrowned = pieces & ~s.kings & self.last_row[player]
            if uncrowned:
                number = self.number_of(low_bit_index(uncrowned))
                raise GamesearchError(f"in {quote(text)}, the piece on {number} must be a king: write K{number}")

    def format(self, s: Position) -> str:
        sides = dict(zip(self.colors, (s.max_pieces, s.min_pieces), strict=True))
        kings = self.numbers_in(s.kings)
        pieces = {
            color: ",".join(f"K{number}" if number in kings else f"{number}" for number in self.numbers_in(squares))
            for color, squares in sides.items()
        }
        quiet = f":H{s.quiet}" if s.quiet else ""
        return f"{self.colors[s.turn]}:W{pieces['W']}:B{pieces['B']}{quiet}"

    def read_other_records(self, text: str) -> Iterator[RecordedGame[Position]]:
        for game in tagged_games(text, PDN_RESULTS):
            with game.at(game.line_of("GameType")):
                kind = game_type(game.tags)
            if kind and kind not in (self.name, f"{self.name}(size={self.size})"):
                raise game.error(game.line_of("GameType"), f"it is a game of {kind}, not of {self!r}")
            with game.at(game.line_of("FEN")):
                start = s = self.parse(game.tags["FEN"]) if "FEN" in game.tags else self.initial()
            moves = list[int]()
            for token in game.moves:
                with game.at(token.line):
                    moves.append(self.parse_move(s, token.text))
                s = self.result(s, moves[-1])
            yield game.record_game(start, moves, is_white_max=self.colors[MAX] == "W")

    @classmethod
    def rules_of_headers(cls, headers: Mapping[str, str]) -> str:
        return game_type(headers) or cls.name

    # Moves. --------------------------------------------------------------------------------------
    def ends_of(self, m: int) -> tuple[int, int]:
        """The numbers of the first and the last square of a move."""
        return self.number_of(m & SQUARE), self.number_of(m >> TARGET & SQUARE)

    def extend(self, s: Position, partial: int, found: list[int]) -> bool:
        """Extend a partial capture by each possible jump, and add the results to `found`. Returns whether a jump is
        possible. A partial capture is encoded like a move. Before the first jump, its target is its origin."""
        raise NotImplementedError

    def ways(self, s: Position, m: int) -> list[tuple[int, ...]]:
        """All sequences of jumps that make the capture `m`. Each sequence consists of the numbers of the visited
        squares."""
        found: list[tuple[int, ...]] = []
        waiting: list[tuple[int, tuple[int, ...]]] = [(m & SQUARE | (m & SQUARE) << TARGET, self.ends_of(m)[:1])]
        while waiting:
            partial, way = waiting.pop()
            if partial == m:
                found.append(way)
            longer: list[int] = []
            self.extend(s, partial, longer)
            for capture in longer:
                if not capture >> CAPTURED & ~(m >> CAPTURED):
                    waiting.append((capture, (*way, self.ends_of(capture)[1])))
        return sorted(found)

    def move_name(self, s: Position, m: int) -> str:
        origin, target = self.ends_of(m)
        if not m >> CAPTURED:
            return f"{origin}-{target}"
        reads_alike = [self.ends_of(other) for other in self.moves(s)].count((origin, target)) > 1
        return "x".join(map(str, self.ways(s, m)[0] if reads_alike else (origin, target)))

    def parse_move(self, s: Position, text: str) -> int:
        """The legal move that a text describes. The text contains the first and the last square of the move, or all
        visited squares."""
        legal = list(self.moves(s))
        if not legal:
            raise GamesearchError(f"{quote(text)} is not legal here: the game is over")
        if not MOVE.fullmatch(text.strip()):
            raise GamesearchError(f"{quote(text)} is not a move such as {self.list_moves(s, legal[:2])}")
        numbers = tuple(map(int, re.findall(r"[0-9]+", text)))
        found = [m for m in legal if self.ends_of(m) == (numbers[0], numbers[-1])]
        if len(numbers) > 2:
            found = [m for m in found if m >> CAPTURED and numbers in self.ways(s, m)]
        if len(found) == 1:
            return found[0]
        if found:
            raise GamesearchError(f"{quote(text)} may mean {self.list_moves(s, found)}")
        if legal[0] >> CAPTURED:
            raise GamesearchError(f"{quote(text)} is not legal here: you must play {self.list_moves(s, legal)}")
        same_piece = [m for m in legal if self.ends_of(m)[0] == numbers[0]]
        raise GamesearchError(
            f"{quote(text)} is not legal here: you can play {self.list_moves(s, same_piece or legal)}"
        )

    def list_moves(self, s: Position, moves: list[int]) -> str:
        """The names of up to LISTED moves, joined for a message."""
        shown = sorted(moves, key=lambda m: (self.ends_of(m), m))[:LISTED]
        *names, last = [self.move_name(s, m) for m in shown] + ["..."] * (len(moves) > LISTED)
        return f"{', '.join(names)} or {last}" if names and last != "..." else ", ".join([*names, last])

    # The picture. --------------------------------------------------------------------------------
    def board(self, s: Position) -> Board:
        dark = {self.place_of(number): self.cell(s, number) for number in range(1, self.square_count + 1)}
        rows = [[dark.get((row, column), Cell(" ")) for column in range(self.size)] for row in range(self.size)]
        labels = [f"{row * self.half + 1}-{(row + 1) * self.half}" for row in range(self.size)]
        return Board(rows, labels, notes=self.notes(s))

    def notes(self, s: Position) -> tuple[str, ...]:
        """The lines below the board. They name the side to move and the number of plies without progress, or say how
        the game ended."""
        name = self.names[s.turn]
        if not self.terminal(s):
            counted = f"{s.quiet} of {2 * self.no_progress} plies without progress"
            return (f"{name} to move", counted) if s.quiet else (f"{name} to move",)
        if self.utility(s) == self.draw_value():
            return (f"draw by {self.no_progress} moves of each side without progress",)
        return (f"{name} cannot move",)

    def cell(self, s: Position, number: int) -> Cell:
        """The picture of a dark square: its piece (a king is a capital letter), or the number of an empty square."""
        square = 1 << self.bit_of(number)
        if not square & (s.max_pieces | s.min_pieces):
            return Cell(str(number), faint=True, dark=True)
        owner = MAX if square & s.max_pieces else MIN
        mark = self.colors[owner] if square & s.kings else self.colors[owner].lower()
        return Cell(mark, GLYPHS[mark], owner, dark=True, label="K" if square & s.kings else "")


def game_type(headers: Mapping[str, str]) -> str:
    """The game that the tag GameType names, such as `draughts`; empty if the tag is missing. Raises GamesearchError if
    gamesearch does not have this game."""
    number = headers.get("GameType", "").split(",")[0].strip()
    if number and number not in KINDS:
        known = ", ".join(f"{kind} ({name})" for kind, name in KINDS.items())
        raise GamesearchError(f"GameType {number} is not supported; the supported types are {known}")
    return KINDS.get(number, "")


def quote(text: str) -> str:
    """Quote a text in a message; a text of more than 80 characters is shortened."""
    stripped = text.strip()
    return repr(stripped if len(stripped) <= 80 else stripped[:77] + "...")
