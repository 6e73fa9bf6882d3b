"""The signature of all searches: a hash of their results on fixed positions, like the bench signature of an engine.

Each specification in `OPTIONS` searches its own random position, or its own two positions, of each game of its kind.
Each algorithm that is not in `OPTIONS` searches one more position of each game that it supports. The signature depends
on the values, best moves, principal variations and counts that these searches return. A change that does not affect
searches does not change the signature. Each game has its own signature, and so does each algorithm that is not in
`OPTIONS`. These signatures show which searches changed. Interpreted searches (the default) and compiled searches have
the same signature.
"""

import hashlib
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from rich.console import RenderResult
from rich.text import Text

from gamesearch import algorithms, games
from gamesearch.algorithms.catalog import all_algorithms, load_algorithm
from gamesearch.algorithms.engine.deepening import DeepeningSearch
from gamesearch.algorithms.engine.result import Limits, Monitor, SearchResult
from gamesearch.algorithms.root.search import search
from gamesearch.cli.consoles import print_found
from gamesearch.cli.progress import exit_code, show_progress
from gamesearch.compiler import why_interpreted
from gamesearch.errors import GamesearchError
from gamesearch.game import Game
from gamesearch.registry import game_names, load
from gamesearch.render.tables import table_of_numbers, view
from gamesearch.toolkit.random_games import after_random_moves

__all__ = ["SMALLER", "kind_of", "print_signature", "signature_data", "signatures"]


# The searches. ------------------------------------------------------------------------------------
POSITIONS = 13  # the number of positions of each game that the algorithms in `OPTIONS` search
PLIES = 40  # the greatest number of random moves before a position
NODES = 1_500  # the node limit of a search
NODES_IN_TREE = 300  # the node limit of searches that keep a tree, which take longer for each node
SMALLER = {"go": "go(5)", "gomoku": "gomoku(size=7)", "hex": "hex(size=4)", "y": "y(size=4)"}
"""Smaller boards for games in which every search on the usual board would stop at the node limit."""
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
"""Specifications of algorithms for each kind of game. Their results determine the signature of a game. Any other
algorithm has its own signature."""


@dataclass(frozen=True)
class Signature:
    """The signature of the searches of one game, of one algorithm, or of all games and algorithms."""

    name: str  # the name of the game or the algorithm; empty for the signature of all searches
    is_algorithm: bool
    searches: int
    nodes: int
    digest: str


class Task(NamedTuple):
    """The searches whose results are hashed into one signature."""

    name: str
    is_algorithm: bool
    nodes: int  # the node limit of each search
    searches: list[tuple[Game, int, str]]  # for each search, the game, the number of the position, and the algorithm


def signatures(*, speed: str = "interpreted", monitor: Monitor | None = None) -> Iterator[Signature]:
    """Yield the signatures of the games and of the algorithms that are not in `OPTIONS`, in alphabetical order."""
    for task in tasks():
        found = signature_of(task, speed, monitor)
        if found is None:
            return
        yield found


def tasks() -> Iterator[Task]:
    """Yield the searches from which the signatures are computed."""
    ours = [
        game
        for game in (load(SMALLER.get(name, name)) for name in game_names())
        if type(game).__module__.startswith(games.__name__)
    ]
    for game in ours:
        options = OPTIONS[kind_of(game)]
        searches = [(game, number, options[number % len(options)]) for number in range(POSITIONS)]
        yield Task(game.name, False, NODES, searches)
    for name, kind in sorted(all_algorithms().items()):
        if name not in named_algorithms() and kind.__module__.startswith(algorithms.__name__):
            nodes = NODES if issubclass(kind, DeepeningSearch) else NODES_IN_TREE
            yield Task(name, True, nodes, [(game, POSITIONS, name) for game in ours if fits(game, name)])


def signature_of(task: Task, speed: str, monitor: Monitor | None) -> Signature | None:
    """Search, and return the signature of the results; None if a search is interrupted."""
    digest, nodes = hashlib.sha256(task.name.encode()), 0
    for game, number, algorithm in task.searches:
        past, state = position_of(game, number)
        possible = speed if why_interpreted(game) is None else "interpreted"
        limits, chosen = Limits(nodes=task.nodes), load_algorithm(algorithm)
        result = search(game, state, chosen, limits=limits, speed=possible, monitor=monitor, past=past)
        if monitor is not None and monitor.interrupted:
            return None
        digest.update(f"{game.format(state)} {algorithm} {result_text(result)}\n".encode())
        nodes += result.statistics.nodes
    return Signature(task.name, task.is_algorithm, len(task.searches), nodes, digest.hexdigest()[:16])


def named_algorithms() -> set[str]:
    """The names of the algorithms in `OPTIONS`."""
    return {text.partition("(")[0] for options in OPTIONS.values() for text in options}


def fits(game: Game, algorithm: str) -> bool:
    """Whether an algorithm can search a game."""
    try:
        load_algorithm(algorithm).fits(game)
    except GamesearchError:
        return False
    return True


def total_signature(parts: Sequence[Signature]) -> Signature:
    """Combine the signatures of all games and algorithms into one signature."""
    digest = hashlib.sha256(" ".join(each.digest for each in parts).encode()).hexdigest()[:16]
    return Signature("", False, sum(each.searches for each in parts), sum(each.nodes for each in parts), digest)


def kind_of(game: Game) -> str:
    """Return the kind of a game, which determines the algorithms that search it."""
    return "more players" if game.payoff_count > 1 else "chance" if game.chance else "one player or two"


def position_of(game: Game, number: int) -> tuple[list[Any], Any]:
    """Return a random position that has legal moves, and the positions before it. The result is reproducible."""
    source = random.Random(f"{type(game).name} {number}")
    return after_random_moves(game, source.randrange(PLIES) if number else 0, source)


def result_text(result: SearchResult) -> str:
    """The text of a result, without times and speed. Numbers are rounded, because the last digits depend on the C
    library."""
    counts = result.statistics
    moves = "".join(f" {each}" for each in result.moves)
    text = (
        f"{result.value} {result.bound} {result.best} {result.line} {result.distance} {result.stopped} "
        f"{counts.nodes} {counts.leaves} {counts.cutoffs} {counts.table_hits} {counts.depth}{moves}"
    )
    return re.sub(r"\d+\.\d+(e-?\d+)?", lambda number: f"{float(number[0]):.9g}", text)


# The view. ----------------------------------------------------------------------------------------
@view
def signature_view(parts: Sequence[Signature]) -> RenderResult:
    """Show a row for each game and for each algorithm that has a signature, and the total signature."""
    rows = ((each.name, f"{each.searches}", f"{each.nodes:,}", each.digest) for each in parts)
    yield table_of_numbers("game or algorithm", "searches", "nodes", "signature", rows=rows)
    yield Text()
    every = total_signature(parts)
    yield Text(f"signature {every.digest}: {every.searches} searches, {every.nodes:,} nodes")


def signature_data(parts: Sequence[Signature]) -> dict[str, Any]:
    """The signatures as JSON."""
    every = total_signature(parts)
    return data_of(every) | {
        "games": {each.name: data_of(each) for each in parts if not each.is_algorithm},
        "algorithms": {each.name: data_of(each) for each in parts if each.is_algorithm},
    }


def data_of(each: Signature) -> dict[str, Any]:
    """One signature as JSON."""
    return {"signature": each.digest, "searches": each.searches, "nodes": each.nodes}


def print_signature(speed: str, only_ascii: bool, as_json: bool) -> int:
    """Search fixed positions of all games, print the signature, and return the exit code."""
    with show_progress("searching") as monitor:
        parts = list(signatures(speed="interpreted" if speed == "auto" else speed, monitor=monitor))
    if not monitor.interrupted:  # after Ctrl-C, the signature would be incomplete
        print_found(signature_view(parts), lambda: signature_data(parts), as_json, only_ascii)
    return exit_code(monitor)
