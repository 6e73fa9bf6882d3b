"""The signature of all searches: one hash of what they find on fixed positions, as engines print one.

A change that shall not change any search leaves it as it is: values, moves, lines and every count,
over all games, algorithms and options. Where it differs, the signature of each game tells where to
look. The searches run interpreted unless compiled ones are asked for, which count the same.
"""

import hashlib
import itertools
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from gamesearch import games
from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.parts.result import Limits, Monitor, SearchResult
from gamesearch.api import search
from gamesearch.compiler import why_interpreted
from gamesearch.game import Game
from gamesearch.registry import game_names, load
from gamesearch.study.random_moves import after_random_moves

__all__ = ["Signature", "signatures", "whole"]

POSITIONS = 13
"""How many positions of each game are searched, each once."""
PLIES = 40
"""Positions are reached by so many random moves at the most."""
NODES = 1_500
"""Where each search is stopped, wherever it then is."""
SMALLER = {"go": "go(5)", "gomoku": "gomoku(size=7)", "hex": "hex(size=4)", "y": "y(size=4)"}
"""The boards of the games whose usual ones are so large that every search would be stopped."""
OPTIONS = {
    "one player or two": (
        "minimax(depth=2)",
        "minimax(depth=3, bounds=true)",
        "alphabeta(depth=3)",
        "alphabeta(depth=3, fail=hard, order=game)",
        "alphabeta(depth=4, deepen=true, order=previous)",
        "alphabeta(depth=3, table=true, memory=1)",
        "alphabeta(depth=4, table=true, memory=1, order=killer+history, bounds=true)",
        "alphabeta(depth=4, deepen=true, table=true, memory=1, order=game+previous+killer)",
        "alphabeta(depth=3, table=true, memory=1, window=null)",
        "alphabeta(depth=4, deepen=true, table=true, memory=1, window=null, bounds=true, order=game+previous)",
        "alphabeta(depth=full, table=true, memory=1, order=evaluate)",
        "alphabeta(deepen=true, order=previous+history)",
        "expectiminimax(depth=3, order=killer, pruning=none)",
    ),
    "chance": (
        "expectiminimax(depth=1, pruning=none, order=generated)",
        "expectiminimax(depth=2, pruning=none, order=generated)",
        "expectiminimax(depth=2, table=true, memory=1, pruning=none, order=generated)",
        "expectiminimax(depth=3, pruning=star1, order=generated)",
        "expectiminimax(depth=3, pruning=star2, order=generated)",
        "expectiminimax(depth=3, pruning=star1, table=true, memory=1, order=game)",
        "expectiminimax(depth=3, pruning=star2, table=true, memory=1, order=evaluate)",
        "expectiminimax(deepen=true, pruning=star2, order=previous+killer)",
        "expectiminimax(deepen=true, pruning=star1, table=true, memory=1, order=previous+history)",
        "expectimax(depth=2)",
        "expectimax(depth=3, pruning=star1)",
        "expectimax(depth=3, pruning=star2, table=true)",
        "expectimax(deepen=true)",
    ),
    "more players": (
        "maxn(depth=2)",
        "maxn(depth=3)",
        "maxn(depth=full)",
        "paranoid(depth=2)",
        "paranoid(depth=3, order=game)",
        "paranoid(depth=3, table=true, memory=1)",
        "paranoid(depth=4, deepen=true, table=true, memory=1, order=previous+killer)",
        "paranoid(deepen=true, order=history)",
    ),
}
"""The algorithms with their options, by the kinds of games that they are for."""


@dataclass(frozen=True)
class Signature:
    """What the searches of one game, or of all, come to."""

    game: str
    searches: int
    nodes: int
    digest: str


def signatures(*, speed: str = "interpreted", monitor: Monitor | None = None) -> Iterator[Signature]:
    """The signature of each game of gamesearch, in the order of their names."""
    for name in game_names():
        game = load(SMALLER.get(name, name))
        if not type(game).__module__.startswith(games.__name__):
            continue  # another package's
        possible = speed if why_interpreted(game) is None else "interpreted"
        digest, nodes, searches = hashlib.sha256(name.encode()), 0, 0
        for (past, state), algorithm in zip(positions_of(game), itertools.cycle(OPTIONS[kind_of(game)]), strict=False):
            limits, chosen = Limits(nodes=NODES), load_algorithm(algorithm)
            result = search(game, state, chosen, limits=limits, speed=possible, monitor=monitor, past=past)
            if monitor is not None and monitor.interrupted:
                return
            digest.update(f"{game.format(state)} {algorithm} {found(result)}\n".encode())
            nodes, searches = nodes + result.statistics.nodes, searches + 1
        yield Signature(name, searches, nodes, digest.hexdigest()[:16])


def whole(parts: Sequence[Signature]) -> Signature:
    """The one signature of all games."""
    digest = hashlib.sha256(" ".join(each.digest for each in parts).encode()).hexdigest()[:16]
    return Signature("", sum(each.searches for each in parts), sum(each.nodes for each in parts), digest)


def kind_of(game: Game[Any]) -> str:
    """Which algorithms a game is for."""
    return "more players" if game.players > 2 else "chance" if game.chance else "one player or two"


def positions_of(game: Game[Any]) -> Iterator[tuple[list[Any], Any]]:
    """Positions with moves, reached at random but always the same, each with those before it."""
    for seed in range(POSITIONS):
        source = random.Random(f"{type(game).name} {seed}")
        yield after_random_moves(game, source.randrange(PLIES) if seed else 0, source)


def found(result: SearchResult) -> str:
    """All of a result that does not depend on the machine."""
    counts = result.statistics
    return (
        f"{result.value} {result.bound} {result.best} {result.line} {result.distance} {result.stopped} "
        f"{counts.nodes} {counts.leaves} {counts.cutoffs} {counts.table_hits} {counts.depth}"
    )
