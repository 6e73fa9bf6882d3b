"""The points of boards as the Go Text Protocol has them, and how each game's board is set up by its commands."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from gamesearch.errors import GamesearchError
from gamesearch.game import Game
from gamesearch.specification import nearest

__all__ = ["COLOURS", "GO_LETTERS", "Dialect", "dialect_of"]

COLOURS = ("black", "white")
"""The colors of the first and the second player: Max begins and is black in all games."""
GO_LETTERS = "ABCDEFGHJKLMNOPQRST"
"""The columns of Go, without I (GTP 2, section 2.11)."""
LETTERS = "abcdefghijklmnopqrs"


def to_go_letter(name: str) -> str:
    """A cell of gomoku, whose columns are a, b, c, ..., as a vertex of Go, whose columns leave out I."""
    return GO_LETTERS[LETTERS.index(name[0])] + name[1:]


def from_go_letter(vertex: str) -> str:
    """A vertex of Go as a cell of gomoku; a text that is neither stays as it is."""
    if vertex[:1].upper() == "I":  # a column of our gomoku, but not of GTP
        return ""
    column = GO_LETTERS.find(vertex[:1].upper())
    return LETTERS[column] + vertex[1:] if column >= 0 else vertex


def to_swap_pieces(name: str) -> str:
    """A move of Hex: programs say swap-pieces for the swap that mirrors the stone."""
    return "swap-pieces" if name == "swap" else name


def from_swap_pieces(vertex: str) -> str:
    """A vertex of Hex as a move."""
    return "swap" if vertex.casefold() in ("swap-pieces", "swap") else vertex


@dataclass(frozen=True)
class Dialect:
    """The translation of a game and its moves to and from GTP."""

    vertex: Callable[[str], str] = str
    """The vertex of a move's name."""
    name: Callable[[str], str] = str
    """The move's name of a vertex."""
    stones: tuple[str, ...] = ()
    """The fields of a state with the stones of Max and Min, if a position can be set up stone by stone."""
    has_komi: bool = False
    has_forced_pass: bool = False
    """Whether passes are always forced: programs may then know them, and gtp-rhino does not accept them."""
    free_turns: bool = False
    """Whether either side may be asked, or move, at any time."""

    def setup(self, game: Game, start: Any) -> list[str]:
        """The commands that bring a program's board to the start of a game."""
        commands = [f"boardsize {getattr(game, 'size', 8)}", "clear_board"]
        if self.has_komi:
            commands.append(f"komi {getattr(game, 'komi', 0.0):g}")
        if start == game.initial():
            return commands
        if not self.stones:
            raise GamesearchError(f"GTP cannot send a position of {game.name}, only moves from the start")
        empty: Any = game.initial()
        boards = [(COLOURS[player], int(getattr(start, field))) for player, field in enumerate(self.stones)]
        return commands + [
            f"play {colour} {self.vertex(game.move_name(empty, point))}"
            for colour, board in boards
            for point in range(board.bit_length())
            if board >> point & 1
        ]


DIALECTS = {
    "go": Dialect(stones=("black", "white"), has_komi=True, free_turns=True),
    "othello": Dialect(has_forced_pass=True),
    "hex": Dialect(to_swap_pieces, from_swap_pieces, stones=("crosses", "noughts")),
    "gomoku": Dialect(to_go_letter, from_go_letter, stones=("crosses", "noughts")),
}


def dialect_of(game: Game) -> Dialect:
    """The dialect of a game; raises GamesearchError where programs play it by no GTP that is known."""
    name = type(game).name
    if name not in DIALECTS:
        raise GamesearchError(
            f"GTP is for boards with stones, not for {name}: {nearest(name, DIALECTS)}; external(...) plays any game"
        )
    if getattr(game, "captures", False):
        raise GamesearchError("GTP is for gomoku without captures: it cannot send captured pairs")
    return DIALECTS[name]
