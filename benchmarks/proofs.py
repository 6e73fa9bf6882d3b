"""Compare the nodes and the time of proof-number search and alpha-beta to solve a position, or to find a mate."""

import time
from collections.abc import Callable
from typing import Any

import gamesearch
from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.engine.result import Limits, Monitor
from gamesearch.algorithms.engine.runner import Runner
from gamesearch.algorithms.engine.searcher import search_with
from gamesearch.errors import GamesearchError, Interrupted
from gamesearch.solvers.proof.mates import forced_win
from gamesearch.solvers.proof.search import ProofSearch, prover_for
from gamesearch.solvers.solving import solve

SECONDS = 30.0
"""The time limit of a search, in seconds."""
ALPHABETA = "alphabeta(depth=full, table=true, memory=256, order=game, bounds=true, window=null, distance=false)"
"""The algorithm of `solve --method search`."""
MATING = "alphabeta(depth={plies}, deepen=true, table=true, memory=256, order=previous+game+killer+history)"
SEARCHES = ("dfpn", "pn", "pn2")
MEMORY = 256
POSITIONS = (
    ("tictactoe", ""),
    ("hex(size=4)", ""),
    ("hex(size=4)", "a1"),
    ("hex(size=4)", "b2"),
    ("y(size=4)", ""),
    ("connect4(rows=4, columns=5)", ""),
    ("connect4(rows=5, columns=5)", "3 3 3 3"),
    ("gomoku(size=4, connect=4)", ""),
    ("dotsandboxes(rows=2, columns=2)", ""),
    ("hex(size=5)", "c3"),
)
"""Games, each with the moves that lead to the searched position."""
MATES = (
    ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2),
    ("r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ - 0 1", 2),
    ("4r1k1/3n1ppp/4r3/3n3q/Q2P4/5P2/PP2BP1P/R1B1R1K1 b - - 0 1", 3),
    ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3),
)
"""Chess positions, each with the number of moves within which a mate is searched."""
ENDINGS = (
    ("checkers(size=4)", "", 0),
    ("checkers", "W:WK18,K23:BK1", 19),
    ("checkers", "W:W25:B1,6,9", 4),
    ("chess", "8/8/8/3k4/8/8/8/KQ6 w - - 0 1", 17),
    ("chess", "8/8/8/8/8/2k5/8/K1R5 b - - 0 1", 30),
    ("chess", "8/8/8/8/4k3/8/4P3/4K3 w - - 0 1", 0),
    ("go(size=3, superko=false)", "", 0),
)
"""Positions of games with repetition, and the plies of the fastest win by `solve`; 0 if alpha-beta cannot search deep
enough for this win."""
MORRIS = (
    ("B../.../WB./....W./.../.WB/... 0,0 white", 5),
    (".../B../B../...B.W/W../..W/... 0,0 white", 7),
    (".../.../.B./....WB/.BW/.../W.. 0,0 white", 9),
    ("B../.../.../W..W../BB./.../W.. 0,0 white", 11),
)
"""Endings of morris with three pieces each, and the plies to White's win according to the endgame database."""
Found = tuple[Any, int, float]
"""A value, nodes and seconds."""


def limit_time(processor: float = 0.0) -> Monitor:
    """A monitor that stops a search after a time limit. Compilation does not count.

    With a limit in processor seconds, the result does not depend on other programs.
    """
    if processor:
        end = time.process_time() + processor
        return Monitor(poll=lambda _: time.process_time() > end, interval=0.2)
    return Monitor(poll=lambda progress: progress.seconds > SECONDS, interval=0.2)


def by_alphabeta(game: Any, state: Any, text: str, processor: float = 0.0) -> Found:
    """The value, nodes and seconds of a search by alpha-beta."""
    found = search_with(game, state, load_algorithm(text), Limits(), monitor=limit_time(processor))
    if found.stopped:
        raise Interrupted("stopped")
    return found.value, found.statistics.nodes, found.statistics.seconds


def by_proof(game: Any, state: Any, search: str, processor: float = 0.0, memory: int = MEMORY) -> Found:
    """The value, nodes and seconds of a search by proof numbers."""
    runner = Runner(game, monitor=limit_time(processor))
    runner.begin()
    prover = prover_for(runner, ProofSearch(search, memory))
    value = prover.value(state)
    return value, int(runner.counts.nodes), runner.seconds


def by_solving(game: Any, state: Any, method: str) -> Found:
    """The value, nodes and seconds of a method of `solve`."""
    found = solve(game, state, method, monitor=limit_time())
    return found.value, found.positions, found.seconds


def by_mates(game: Any, state: Any, moves: int) -> Found:
    """The mate that proof-number search finds."""
    found = forced_win(game, state, moves, monitor=limit_time())
    return found.moves, found.nodes, found.seconds


def row(name: str, searches: dict[str, Callable[[], Found]]) -> None:
    """Print the result of each search of a position, and whether they agree."""
    print(name, flush=True)
    values = set()
    for search, run in searches.items():
        begun = time.perf_counter()
        try:
            value, nodes, seconds = run()
        except Interrupted:
            print(f"  {search:10} not in {SECONDS:.0f} s", flush=True)
            continue
        except GamesearchError as error:
            print(f"  {search:10} {error} ({time.perf_counter() - begun:.0f} s)", flush=True)
            continue
        values.add(value)
        print(f"  {search:10} {value!s:>6} {nodes:>13,} nodes {seconds:>9.3f} s", flush=True)
    if len(values) > 1:
        print("  BUT THEY DO NOT AGREE")


def after(game: Any, played: str) -> Any:
    """The position after some moves."""
    state = game.initial()
    for name in played.split():
        state = game.result(state, game.parse_move(state, name))
    return state


def main() -> None:
    """Print the table: positions of games without repetition, endings with repetition, then mates."""
    for text, played in POSITIONS:
        game = gamesearch.load(text)
        state = after(game, played)
        searches: dict[str, Callable[[], Found]] = {
            "alpha-beta": lambda game=game, state=state: by_alphabeta(game, state, ALPHABETA)  # type: ignore[misc]
        }
        for search in SEARCHES:
            searches[search] = lambda game=game, state=state, search=search: by_proof(game, state, search)  # type: ignore[misc]
        row(f"{text} {played}".strip(), searches)
    for text, position, plies in ENDINGS:
        game = gamesearch.load(text)
        state = game.parse(position) if position else game.initial()
        methods = {"graph": f"proof(memory={4 * MEMORY})", "retrograde": "retrograde"}
        searches = {
            name: lambda game=game, state=state, method=method: by_solving(game, state, method)  # type: ignore[misc]
            for name, method in methods.items()
        }
        if plies:
            deepening = MATING.format(plies=plies)
            searches["alpha-beta"] = lambda game=game, state=state, text=deepening: by_alphabeta(game, state, text)  # type: ignore[misc]
        row(f"{text} {position}".strip(), searches)
    measure_morris()
    chess = gamesearch.load("chess")
    for position, moves in MATES:
        state, mating = chess.parse(position), MATING.format(plies=2 * moves - 1)
        row(
            f"{position}, mate in {moves}",
            {
                "alpha-beta": lambda state=state, mating=mating, moves=moves: find_mate(chess, state, mating, moves),  # type: ignore[misc]
                "dfpn": lambda state=state, moves=moves: by_mates(chess, state, moves),  # type: ignore[misc]
            },
        )


def measure_morris() -> None:
    """Print the effort to prove endings of morris. The depth of alpha-beta is the length of the win."""
    morris = gamesearch.load("morris")
    for position, plies in MORRIS:
        state, deepening = morris.parse(position), MATING.format(plies=plies)
        row(
            f"morris {position}, won in {plies} plies",
            {
                "alpha-beta": lambda state=state, deepening=deepening: by_alphabeta(morris, state, deepening),  # type: ignore[misc]
                "graph": lambda state=state: by_proof(morris, state, "graph", memory=4 * MEMORY),  # type: ignore[misc]
            },
        )


def find_mate(chess: Any, state: Any, mating: str, moves: int) -> Found:
    """The number of moves to mate (None if alpha-beta does not find the mate), the nodes and the seconds."""
    value, nodes, seconds = by_alphabeta(chess, state, mating)
    sign = 1 if chess.player(state) == gamesearch.MAX else -1
    return moves if value * sign == chess.MAXSCORE else None, nodes, seconds
