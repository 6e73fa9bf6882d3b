"""How Othello's positions and moves are written and drawn."""

import re
from collections.abc import Iterator

from gamesearch.errors import GamesearchError
from gamesearch.files.records import WINS, RecordedGame
from gamesearch.game import MAX
from gamesearch.games._shared.board_notation import LETTERS, draw_boards, read_boards, square_name
from gamesearch.games._shared.property_games import property_games
from gamesearch.games.othello.position import OthelloBoard, Position
from gamesearch.toolkit.bits import low_bit_index
from gamesearch.toolkit.boards import Board, Cell, Place

__all__ = ["OthelloNotation"]

SIDES = ("B", "W")
"""The names of the players' moves in GGF."""
PASSES = ("pass", "pa", "ps", "--")
"""The ways to write a pass."""
MOVES_PLAYED = re.compile("(?:PASS|[A-H][1-8])*")


class OthelloNotation(OthelloBoard):
    """Reads and writes positions by their moves or their squares, and moves by their squares."""

    notation = (
        "the moves played (f5d6c3), or OBF: the squares row by row from a1, X for Black, O for White and '-' or '.' "
        "for an empty square, then X or O for the side to move; moves are d3 or pass"
    )
    example = "f5d6c3d3c4f4"
    names = ("Black", "White")

    # Positions. ----------------------------------------------------------------------------------
    def parse(self, text: str) -> Position:
        written = "".join(text.partition(";")[0].split()).upper()
        if MOVES_PLAYED.fullmatch(written):
            return self.after_moves(written)
        squares, side = written[:-1].replace("-", "."), written[-1]
        discs = read_boards([squares], [range(self.cells)])
        if discs is None or side not in "XO":
            raise GamesearchError(
                f"{text!r} is neither {self.cells} squares of X, O and '-' with the side to move, nor moves such as d3"
            )
        turn = "XO".index(side)
        mine, theirs = discs[turn], discs[1 - turn]
        self.refuse_unreachable(mine | theirs, text)
        return self.initial()._replace(mine=mine, theirs=theirs, turn=turn, placements=self.placements(mine, theirs))

    def refuse_unreachable(self, discs: int, text: str) -> None:
        """Raise GamesearchError for boards that cannot come about, for discs are only put beside others."""
        if self.middle & ~discs:
            raise GamesearchError(f"in {text!r}, one of the four squares in the middle is empty: they never are")
        joined = self.middle
        for _ in range(self.cells):
            joined |= self.beside(joined) & discs
        if joined != discs:
            square = square_name(low_bit_index(discs & ~joined), self.size)
            raise GamesearchError(f"in {text!r}, the disc on {square} is not joined to the middle by others")

    def after_moves(self, played: str) -> Position:
        """The position after moves from the start; a pass may be left out, as in most records."""
        s = self.initial()
        for name in re.findall("PASS|..", played):
            if self.terminal(s):
                raise GamesearchError(f"{played.lower()!r} goes on at {name.lower()} after the game is over")
            if s.placements == 0 and name != "PASS":
                s = self.result(s, self.passing)
            s = self.result(s, self.parse_move(s, name))
        return s

    def format(self, s: Position) -> str:
        return f"{self.squares_text(s)} {'XO'[s.turn]}"

    def squares_text(self, s: Position) -> str:
        """X, O or '-' for each square."""
        discs = (s.mine, s.theirs) if s.turn == MAX else (s.theirs, s.mine)
        return draw_boards(discs, [range(self.cells)]).replace(".", "-")

    # Games in GGF. -------------------------------------------------------------------------------
    def read_records(self, text: str) -> Iterator[RecordedGame[Position]]:
        if text.lstrip().startswith("{"):
            yield from super().read_records(text)
            return
        for game in property_games(text):
            if game.value("GM").casefold() != "othello":
                raise game.error(game.line, f"GM[{game.value('GM')}] is not Othello")
            moves, line = list[int](), game.line
            try:
                start = s = self.read_board(game.value("BO"))
                for each in game.properties:
                    line = each.line
                    if each.name in SIDES:
                        move = each.values[0].partition("/")[0]  # then the player's estimate and time
                        if SIDES.index(each.name) != s.turn:
                            raise GamesearchError(f"{each.name}[{move}] is a move of the side that is not to move")
                        moves.append(self.parse_move(s, move))
                        s = self.result(s, moves[-1])
            except GamesearchError as error:
                raise game.error(line, str(error)) from None
            white = WINS.get(game.result)
            yield RecordedGame(start, moves, game.tags, None if white is None else 1 - white, game.number)

    def read_board(self, text: str) -> Position:
        """The position of BO: the size, the squares row by row with * for Black, and the player to move."""
        size, _, squares = text.strip().partition(" ")
        if not squares:
            return self.initial()
        if size != f"{self.size}":
            raise GamesearchError(f"its board has {size} rows, not {self.size}")
        return self.parse(squares.replace("*", "X"))

    # Moves. --------------------------------------------------------------------------------------
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
        raise GamesearchError(f"{wanted!r} turns over no disc: {side} can play {', '.join(names)}")

    # The picture. --------------------------------------------------------------------------------
    def cells_of_move(self, s: Position, m: int) -> list[Place]:
        """The square of the disc, without those that turn over."""
        return [] if m == self.passing else [divmod(m, self.size)]

    def board(self, s: Position) -> Board:
        """The board, with a + where the side to move can place a disc."""
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
