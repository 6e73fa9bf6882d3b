"""Databases: positions a second and bytes a position, whether they verify, and how soon the first answer comes."""

import tempfile
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from benchmarks.measuring import timed
from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.databases.layer_files import Header
from gamesearch.algorithms.engine.result import Limits
from gamesearch.algorithms.engine.searcher import search_with
from gamesearch.registry import load
from gamesearch.solvers.databases.building import build, verify
from gamesearch.solvers.databases.folders import BuiltLayer

LAYERS = (
    ("chess", "KRK", "3"),
    ("checkers", "2", "3"),
    ("checkers", "2", "4"),  # 500 MB
    ("morris", "3-3", "4-3"),
    ("connect4(rows=4, columns=5)", "8", "20"),
    ("kalah(pits=4, seeds=2)", "4", "16"),
    ("tictactoe", "3", "9"),
)
"""Games, the layers that are built first, so that all is compiled, and those that are measured."""
ENDING = "W:WK18,K23:BK1"
IN_FULL = {"checkers 3": 536_632, "checkers 4": 14_722_180, "morris 4-3": 53_838_400}
"""How many positions stand for those that are kept, with either side to move and turned in all ways."""


def main() -> None:
    """Build and verify what LAYERS names, one after the other."""
    for specification, small, layers in LAYERS:
        with tempfile.TemporaryDirectory() as folder:
            verified(specification, small, folder, built(specification, small, folder))
        with tempfile.TemporaryDirectory() as folder:
            begun = time.process_time()
            headers, seconds = timed(partial(built, specification, layers, folder))
            computed = time.process_time() - begun
            positions = sum(header.positions for header in headers)
            size = sum(path.stat().st_size for path in Path(folder).glob("*.layer"))
            longest = max(header.longest for header in headers)
            print(f"{specification} {layers}: {positions:,} positions, the longest win takes {longest} plies")
            full = IN_FULL.get(f"{specification} {layers}", positions)
            print(f"  {seconds:.1f} s, {positions / computed / 1e6:.2f} M/s of processor time", end="")
            print(f", {full / computed / 1e6:.2f} M with all that they stand for; {size / positions:.2f} bytes each")
            print(f"  two workers: {seconds / by_two(specification, layers):.2f} times as quick", flush=True)
            print(f"  verified at {verified(specification, layers, folder, headers):.2f} M positions/s", flush=True)
            if specification == "checkers":
                print(f"  first answer after {1000 * first_answer(folder):.0f} ms", flush=True)


def built(specification: str, layers: str, folder: str, workers: int = 1) -> Sequence[Header]:
    """The headers of all layers that are built."""
    return [each.header for each in build(load(specification), layers, folder, workers=workers)]


def by_two(specification: str, layers: str) -> float:
    """The seconds that two workers take."""
    with tempfile.TemporaryDirectory() as folder:
        return timed(partial(built, specification, layers, folder, workers=2))[1]


def verified(specification: str, layers: str, folder: str, headers: Sequence[Header]) -> float:
    """How many millions of positions are compared a second with those after one ply; all must be right."""
    layers_found, seconds = timed(lambda: list(verify(load(specification), layers, folder)))
    assert all(isinstance(each, BuiltLayer) for each in layers_found)
    return sum(header.positions for header in headers) / seconds / 1e6


def first_answer(folder: str) -> float:
    """The seconds from opening a folder to the value of an ending, by a search a ply deep, interpreted."""
    game = load("checkers")
    state = game.parse(ENDING)
    algorithm = f"alphabeta(depth=1, database='{folder}')"
    found, seconds = timed(lambda: search_with(game, state, load_algorithm(algorithm), Limits(), speed="interpreted"))
    assert found.distance == 19
    return seconds
