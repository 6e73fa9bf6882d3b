"""How a game looks: its board as a picture, its colours, and which cells a move touches."""

from collections.abc import Collection, Hashable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from gamesearch.boards import LAST, Board, Palette, Place, changed_places

__all__ = ["Pictures", "picture", "picture_after"]

State = TypeVar("State", bound=Hashable)

DEFAULT = Palette()
BLACK_AND_WHITE = {"black": "#101010", "white": "#ffffff", "red": "#d0342c"}
"""Sides with such a name have that colour, whatever a game without a palette is."""


class Pictures(Generic[State]):
    """The part of a game that people look at: a base class of Game."""

    palette: ClassVar[Palette] = DEFAULT
    """The colours of the board and of the sides, and what the board is made of."""

    if TYPE_CHECKING:  # what it needs of the notation and the rules
        names: tuple[str, ...]
        players: int

        def format(self, s: State) -> str: ...  # noqa: D102
        def player(self, s: State) -> int: ...  # noqa: D102
        def player_name(self, player: int) -> str: ...  # noqa: D102

    def board(self, s: State) -> Board:
        """The position as a picture."""
        return Board(notes=(self.format(s),))

    def cells_of_move(self, s: State, m: int) -> Collection[Place] | None:  # noqa: ARG002
        """The places on the board that a move touches, as row and column from the top left.

        None, the default: those are marked in which the boards before and after it differ.
        """
        return None


def picture(game: Pictures[Any], s: Any) -> Board:
    """The board of a position with the colours and the names of the game."""
    sides = [game.player_name(player) for player in range(game.players)]
    return replace(game.board(s), palette=palette_of(game), sides=sides)


def picture_after(game: Pictures[Any], before: Any, m: int, after: Any) -> Board:
    """The board after a move, with marks on what the move touched; those that the game itself sets stay."""
    board = picture(game, after)
    touched = game.cells_of_move(before, m)
    changed = changed_places(game.board(before), board, game.player(before))
    if touched is not None:
        changed = {place: mark for place, mark in changed.items() if mark != LAST}
        changed |= dict.fromkeys(touched, LAST)
    elif any(board.cell(place).marked for place in board.places()):  # the game marks the move itself
        changed = {place: mark for place, mark in changed.items() if mark != LAST}
    return replace(board, marks=changed | board.marks)


def palette_of(game: Pictures[Any]) -> Palette:
    """The palette of a game; where it names none, Black is black and White is white all the same."""
    if game.palette is not DEFAULT:
        return game.palette
    names = [game.player_name(player).casefold() for player in range(game.players)]
    if not set(names) & {"black", "white"}:
        return DEFAULT
    sides = [BLACK_AND_WHITE.get(name, colour) for name, colour in zip(names, DEFAULT.sides, strict=False)]
    return replace(DEFAULT, board="#a9814f", dark="#8a6238", sides=tuple(sides))
