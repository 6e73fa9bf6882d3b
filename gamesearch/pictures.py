"""How a game looks: its board as a picture, its colours, and which cells a move touches."""

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from gamesearch.boards import LAST, Board, Footprint, Palette, Place, changed_places, footprint_between, places_written

__all__ = ["Pictures", "footprints", "picture", "picture_after"]

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
        def result(self, s: State, m: int) -> State: ...  # noqa: D102
        def move_name(self, s: State, m: int) -> str: ...  # noqa: D102

    def board(self, s: State) -> Board:
        """The position as a picture."""
        return Board(notes=(self.format(s),))

    def cells_of_move(self, s: State, m: int) -> Collection[Place] | None:  # noqa: ARG002
        """The places on the board that a move touches, as row and column from the top left.

        None, the default: those are marked in which the boards before and after it differ.
        """
        return None

    def pointing_at(self, s: State, m: int) -> Sequence[Place] | None:  # noqa: ARG002
        """The places that somebody points at, one after another, to make a move: where a man is, and where it goes.

        None, the default: the labels of the board tell, where moves are named after them, or the men that come and go.
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
    if touched is not None or any(board.cell(place).marked for place in board.places()):  # the game itself says
        changed = {place: mark for place, mark in changed.items() if mark != LAST} | dict.fromkeys(touched or (), LAST)
    return replace(board, marks=changed | board.marks)


def footprints(game: Pictures[Any], s: Any, moves: Collection[int]) -> dict[int, Footprint]:
    """The places that each move touches, for somebody who points at them; moves that touch none are left out."""
    board = game.board(s)
    found = {m: Footprint(frozenset(at[:-1][:1]), frozenset(at[-1:])) for m in moves if (at := game.pointing_at(s, m))}
    left = [m for m in moves if m not in found] if board.rows else []
    found |= places_named(board, {m: game.move_name(s, m) for m in left})
    after = {m: game.board(game.result(s, m)) for m in left if m not in found}
    found |= {m: footprint_between(board, each, game.player(s)) for m, each in after.items()}
    if not any(each.places for each in found.values()):  # no men come or go, but every move changes something
        written = {m: places_written(board, each) for m, each in after.items()}
        found = {m: Footprint(ends=places) for m, places in written.items()} if all(written.values()) else {}
    return {m: each for m, each in found.items() if each.places}


def places_named(board: Board, names: Mapping[int, str]) -> dict[int, Footprint]:
    """The places of moves that are named as a cell is, by its column and row, or as a whole column.

    Only where all are, but for one such as a pass: `e4` in chess is a move that begins somewhere else. It spares large
    boards the comparison of hundreds of positions.
    """
    columns = [] if board.top_labels else list(board.column_labels)
    places = {name: [place for place in board.places() if place[1] == column] for column, name in enumerate(columns)}
    for row, label in enumerate(board.row_labels):
        places |= {f"{name}{label.strip()}": [(row, column)] for column, name in enumerate(columns)}
    found = {m: Footprint(ends=frozenset(places[name])) for m, name in names.items() if places.get(name)}
    return found if len(found) >= len(names) - 1 else {}


def palette_of(game: Pictures[Any]) -> Palette:
    """The palette of a game; where it names none, Black is black and White is white all the same."""
    if game.palette is not DEFAULT:
        return game.palette
    names = [game.player_name(player).casefold() for player in range(game.players)]
    if not set(names) & {"black", "white"}:
        return DEFAULT
    sides = [BLACK_AND_WHITE.get(name, colour) for name, colour in zip(names, DEFAULT.sides, strict=False)]
    return replace(DEFAULT, board="#a9814f", dark="#8a6238", sides=tuple(sides))
