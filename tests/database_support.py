"""Helpers for the tests of databases: build a database, read its values, and compute the same values by definition."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from gamesearch.algorithms.databases.codes import NO_POSITION, code_in_layers
from gamesearch.algorithms.node.database import Database
from gamesearch.game import MAX, NEVER, Game
from gamesearch.solvers.databases.building import build

__all__ = ["build_database", "code_of", "codes_of", "positions_of", "values_and_plies"]


def build_database(game: Game, layers: str, folder: Path, speed: str = "interpreted", memory: int = 0) -> Database:
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


def values_and_plies(game: Game, starts: Iterable[Any]) -> dict[Any, tuple[float, int | None]]:
    """Return the value and the plies to the end of every position, by repeated passes over all positions.

    Pass n finds the positions from which the game ends in n plies. First all positions with the best payoff of a side
    are found, then those with the next payoff, and so on.
    """
    states = {game.key(s): s for s in starts}
    waiting = list(states.values())
    while waiting:
        s = waiting.pop()
        for after in () if game.terminal(s) else [game.result(s, m) for m in game.moves(s)]:
            if game.key(after) not in states:
                states[game.key(after)] = after
                waiting.append(after)
    after = {
        key: [game.key(game.result(s, m)) for m in game.moves(s)] for key, s in states.items() if not game.terminal(s)
    }
    even = float(game.draw_value())
    found = {key: (float(game.utility(s)), 0) for key, s in states.items() if game.terminal(s)}
    payoffs = {value for value, _ in found.values()} - {even}
    known = {key: each for key, each in found.items() if each[0] == even} if game.repetition == NEVER else {}
    for goal in sorted(payoffs, key=lambda payoff: -abs(payoff - even)):
        known |= {key: each for key, each in found.items() if each[0] == goal}
        eager, plies, is_new = MAX if goal > even else 1 - MAX, 0, True
        while is_new:
            plies, new = plies + 1, {}
            for key, children in after.items():
                if key in known:
                    continue
                ends = [child in known and known[child][0] == goal for child in children]
                worse = [child in known and (known[child][0] > goal) == (goal > even) for child in children]
                is_forced = all(end or bad for end, bad in zip(ends, worse, strict=True))
                if any(ends) and (game.player(states[key]) == eager or is_forced):
                    new[key] = goal, plies
            known |= new
            is_new = bool(new)
    return {key: known.get(key, (even, None)) for key in states}
