"""Helpers for the tests of databases: build a database, read its values, and compute the same values by definition."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gamesearch.algorithms.databases.codes import NO_POSITION, WON, code_in_layers, decode
from gamesearch.algorithms.node.database import Database
from gamesearch.game import MAX, Game
from gamesearch.optional import Numbered
from gamesearch.solvers.databases.building import build

__all__ = ["built", "code_of", "codes_of", "defined_wins", "positions_of", "told_wins"]


def built(game: Game, layers: str, folder: Path, speed: str = "interpreted", memory: int = 0) -> Database:
    """Build the layers of a game in a folder; return the database opened as searches open it."""
    for _ in build(game, layers, str(folder), speed=speed, memory=memory):
        pass
    return Database(str(folder), game)


def positions_of(database: Database) -> Iterator[tuple[Any, int]]:
    """Yield every position of a database with its code."""
    game = database.game
    for layer in database.headers:
        for number, code in enumerate(codes_of(database, layer).tolist()):
            if code != NO_POSITION:
                yield game.unrank(layer, number), code


def codes_of(database: Database, layer: int) -> Any:
    """Return all codes of a layer."""
    return database.codes[layer].unpack(database.headers[layer].numbers)  # type: ignore[union-attr]


def code_of(database: Database, s: Any) -> int:
    """Return the code of a position, read from the database as searches read it."""
    return code_in_layers(database.game, s, database.layers(is_compiled=False))


Place = tuple[int, int]
"""The layer of a position, and the position's number in this layer."""


def told_wins(database: Database) -> dict[Place, tuple[float, int]]:
    """Return the value for the side to move and the plies to the end of each won or lost position in the database."""
    game = database.game
    return {place_of(game, s): decode(game, code, MAX) for s, code in positions_of(database) if code >= WON}


def place_of(game: Numbered[Any], s: Any) -> Place:
    """Return the layer of a position and its number in the layer."""
    return game.layer(s), game.rank(s)


def defined_wins(game: Numbered[Any], states: list[Any]) -> dict[Place, tuple[float, int]]:
    """Compute the result of `told_wins` by definition: find positions decided in 0 plies, in 1 ply, and so on."""
    signs = {place_of(game, s): 1.0 if game.player(s) == MAX else -1.0 for s in states}
    assert game.MINSCORE == -game.MAXSCORE
    found = {
        place_of(game, s): (signs[place_of(game, s)] * game.utility(s), 0)
        for s in states
        if game.terminal(s) and game.utility(s) != game.draw_value()
    }
    after = {place_of(game, s): results(game, s) for s in states if not game.terminal(s)}
    plies, is_new = 0, True
    while is_new:
        plies += 1
        new: dict[Place, tuple[float, int]] = {}
        for place, moves in after.items():
            if place in found:
                continue
            values = [
                move if isinstance(move, float) else sign * found[move][0] if move in found else None
                for sign, move in moves
            ]
            if float(game.MAXSCORE) in values:
                new[place] = (float(game.MAXSCORE), plies)
            elif set(values) == {float(game.MINSCORE)}:
                new[place] = (float(game.MINSCORE), plies)
        found |= new
        is_new = bool(new)
    return found


def results(game: Numbered[Any], s: Any) -> list[tuple[float, Place | float]]:
    """Return for each move a pair whose product is the value of the move for the side to move.

    If the move ends the game, the pair is 1 and the payoff. If the game continues, the pair is a sign and the next
    position; the sign is 1 if the same side moves again, or else -1.
    """
    mine = 1.0 if game.player(s) == MAX else -1.0
    after = [game.result(s, move) for move in game.moves(s)]
    return [
        (1.0, mine * game.utility(t)) if game.terminal(t)
        else (1.0 if game.player(t) == game.player(s) else -1.0, place_of(game, t))
        for t in after
    ]  # fmt: skip
