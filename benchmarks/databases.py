"""Measure the speed of building and verifying databases, their size, and the time of a first lookup."""

import tempfile
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from benchmarks.measuring import time_call
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
"""Games, the layers that are built first so that all code is compiled, and the layers that are measured."""
ENDING = "W:WK18,K23:BK1"
IN_FULL = {"checkers 3": 536_632, "checkers 4": 14_722_180, "morris 4-3": 53_838_400}
"""The number of positions of a database if both sides to move and all symmetric positions are counted."""


def main() -> None:
    """Build and verify the databases of LAYERS one after another."""
    for specification, small, layers in LAYERS:
        with tempfile.TemporaryDirectory() as folder:
            verify_layers(specification, small, folder, build_layers(specification, small, folder))
        with tempfile.TemporaryDirectory() as folder:
            begun = time.process_time()
            headers, seconds = time_call(partial(build_layers, specification, layers, folder))
            computed = time.process_time() - begun
            positions = sum(header.positions for header in headers)
            size = sum(path.stat().st_size for path in Path(folder).glob("*.layer"))
            longest = max(header.longest for header in headers)
            print(f"{specification} {layers}: {positions:,} positions, the longest win takes {longest} plies")
            full = IN_FULL.get(f"{specification} {layers}", positions)
            print(f"  {seconds:.1f} s, {positions / computed / 1e6:.2f} M/s of processor time", end="")
            print(f", {full / computed / 1e6:.2f} M/s with symmetric positions; {size / positions:.2f} bytes each")
            print(f"  two workers: {seconds / by_two(specification, layers):.2f} times as quick", flush=True)
            speed = verify_layers(specification, layers, folder, headers)
            print(f"  verified at {speed:.2f} M positions/s", flush=True)
            if specification == "checkers":
                print(f"  first answer after {1000 * first_answer(folder):.0f} ms", flush=True)


def build_layers(specification: str, layers: str, folder: str, workers: int = 1) -> Sequence[Header]:
    """The headers of all layers that were built."""
    return [each.header for each in build(load(specification), layers, folder, workers=workers)]


def by_two(specification: str, layers: str) -> float:
    """The seconds in which two workers build the layers."""
    with tempfile.TemporaryDirectory() as folder:
        return time_call(partial(build_layers, specification, layers, folder, workers=2))[1]


def verify_layers(specification: str, layers: str, folder: str, headers: Sequence[Header]) -> float:
    """Millions of positions per second that `--verify` compares with a search of one ply. All codes must be correct."""
    layers_found, seconds = time_call(lambda: list(verify(load(specification), layers, folder)))
    assert all(isinstance(each, BuiltLayer) for each in layers_found)
    return sum(header.positions for header in headers) / seconds / 1e6


def first_answer(folder: str) -> float:
    """The seconds from opening a folder to the value of an ending, by an interpreted search of one ply."""
    game = load("checkers")
    state = game.parse(ENDING)
    algorithm = f"alphabeta(depth=1, database='{folder}')"
    search = partial(search_with, game, state, load_algorithm(algorithm), Limits(), speed="interpreted")
    found, seconds = time_call(search)
    assert found.distance == 19
    return seconds
