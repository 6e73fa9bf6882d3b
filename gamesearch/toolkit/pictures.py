"""Pictures of positions in the game's colors, with marks on the cells that a move changed."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from gamesearch.game import Game
from gamesearch.notation import player_name
from gamesearch.toolkit.boards import (
    LAST,
    Board,
    Footprint,
    Palette,
    changed_places,
    differing_places,
    footprint_between,
)

__all__ = ["footprints", "picture", "picture_after"]

DEFAULT = Game.palette
BLACK_AND_WHITE = {"black": "#101010", "white": "#ffffff", "red": "#d0342c"}
"""The colors of sides named Black, White or Red, in games that define no palette."""


def picture(game: Game, s: Any) -> Board:
    """The board of a position, with the game's colors and player names."""
    return replace(
        game.board(s), palette=palette_of(game), sides=[player_name(game, player) for player in range(game.players)]
    )


def picture_after(game: Game, before: Any, m: int, after: Any) -> Board:
    """The board after a move. The cells that the move changed are marked. If the game itself has marked a cell, this
    mark is kept."""
    board = picture(game, after)
    touched = game.cells_of_move(before, m)
    changed = changed_places(game.board(before), board, game.player(before))
    if touched is not None or any(board.cell(place).marked for place in board.places()):  # the game has marked cells
        changed = {place: mark for place, mark in changed.items() if mark != LAST} | dict.fromkeys(touched or (), LAST)
    return replace(board, marks=changed | board.marks)


def footprints(game: Game, s: Any, moves: Collection[int]) -> dict[int, Footprint]:
    """The places that a user can click to make each move. A move that belongs to no place is omitted."""
    board = game.board(s)
    found = {m: Footprint(frozenset(at[:-1][:1]), frozenset(at[-1:])) for m in moves if (at := game.pointing_at(s, m))}
    left = [m for m in moves if m not in found] if board.rows else []
    found |= find_places(board, {m: game.move_name(s, m) for m in left})
    after = {m: game.board(game.result(s, m)) for m in left if m not in found}
    found |= {m: footprint_between(board, each, game.player(s)) for m, each in after.items()}
    if not any(each.places for each in found.values()):  # no pieces move, so compare the texts of cells
        written = {m: differing_places(board, each) for m, each in after.items()}
        found = {m: Footprint(ends=places) for m, places in written.items()} if all(written.values()) else {}
    return {m: each for m, each in found.items() if each.places}


def find_places(board: Board, names: Mapping[int, str]) -> dict[int, Footprint]:
    """Use the names of moves to find their places. A name must be a cell (column and row, such as d3) or a column.

    One move, such as a pass, may have a name that is not a cell. If several moves have such names, the result is empty,
    because the other names may not be complete descriptions of their moves. For example, the name `e4` in chess
    contains only the square on which a move ends. Reading the names is much faster than comparing the boards before and
    after hundreds of moves.
    """
    columns = [] if board.top_labels else list(board.column_labels)
    places = {name: [place for place in board.places() if place[1] == column] for column, name in enumerate(columns)}
    for row, label in enumerate(board.row_labels):
        places |= {f"{name}{label.strip()}": [(row, column)] for column, name in enumerate(columns)}
    found = {m: Footprint(ends=frozenset(places[name])) for m, name in names.items() if places.get(name)}
    return found if len(found) >= len(names) - 1 else {}


def palette_of(game: Game) -> Palette:
    """The palette of a game. If the game has none, sides named Black and White are drawn in black and white."""
    if game.palette is not DEFAULT:
        return game.palette
    names = [player_name(game, player).casefold() for player in range(game.players)]
    if not set(names) & {"black", "white"}:
        return DEFAULT
    sides = [BLACK_AND_WHITE.get(name, color) for name, color in zip(names, DEFAULT.sides, strict=False)]
    return replace(DEFAULT, board="#a9814f", dark="#8a6238", sides=tuple(sides))
