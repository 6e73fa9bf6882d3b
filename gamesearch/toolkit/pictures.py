"""The board of a game as a picture, with its colors and the marks of a move."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from gamesearch.notation import Notation
from gamesearch.toolkit.boards import LAST, Board, Footprint, Palette, changed_places, footprint_between, places_written

__all__ = ["footprints", "picture", "picture_after"]

DEFAULT = Notation.palette
BLACK_AND_WHITE = {"black": "#101010", "white": "#ffffff", "red": "#d0342c"}
"""Sides with such a name have that colour, whatever a game without a palette is."""


def picture(game: Notation[Any], s: Any) -> Board:
    """The board of a position with the colours and the names of the game."""
    return replace(
        game.board(s),
        palette=palette_of(game),
        sides=[game.player_name(player) for player in range(game.players)],
    )


def picture_after(game: Notation[Any], before: Any, m: int, after: Any) -> Board:
    """The board after a move, with marks on what the move touched; those that the game itself sets stay."""
    board = picture(game, after)
    touched = game.cells_of_move(before, m)
    changed = changed_places(game.board(before), board, game.player(before))
    if touched is not None or any(board.cell(place).marked for place in board.places()):  # the game itself says
        changed = {place: mark for place, mark in changed.items() if mark != LAST} | dict.fromkeys(touched or (), LAST)
    return replace(board, marks=changed | board.marks)


def footprints(game: Notation[Any], s: Any, moves: Collection[int]) -> dict[int, Footprint]:
    """The places that a user points at for each move; moves without places are left out."""
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


def palette_of(game: Notation[Any]) -> Palette:
    """The palette of a game; the default draws Black in black and White in white."""
    if game.palette is not DEFAULT:
        return game.palette
    names = [game.player_name(player).casefold() for player in range(game.players)]
    if not set(names) & {"black", "white"}:
        return DEFAULT
    sides = [BLACK_AND_WHITE.get(name, colour) for name, colour in zip(names, DEFAULT.sides, strict=False)]
    return replace(DEFAULT, board="#a9814f", dark="#8a6238", sides=tuple(sides))
