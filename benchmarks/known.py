"""Solve positions whose values are published, in every game, and count perft 8 of English draughts."""

from benchmarks.measuring import time_call
from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.api import perft, search, solve
from gamesearch.registry import game_class, game_names, load
from gamesearch.solvers.solving import METHODS

SEARCH = "alphabeta(table=true, order=game, bounds=true, window=null, depth=full)"
MOST = 5_000_000
"""Games with more than this number of positions are left out."""
PERFT = ("checkers", 8, 845_931)


def main() -> None:
    """Print the computed value of each position, and the time."""
    name, depth, leaves = PERFT
    game = load(name)
    perft(game, game.initial(), 1)
    found, seconds = time_call(lambda: perft(game, game.initial(), depth))
    print(f"{name} perft {depth}: {found:,}, known {leaves:,}, {seconds:.3f} s")
    for name in game_names():
        for known in game_class(name).known:
            if known.value is None or name == "chess" or (known.positions or 0) > MOST:
                continue
            text = f"{name}({known.parameters})" if known.parameters else name
            game, state = load(text).setup(known.position)
            if known.method in METHODS or not known.method:
                solution = solve(game, state, known.method or "auto")
                value, seconds = solution.value, solution.seconds
            else:
                algorithm = SEARCH if known.method == "alphabeta" else f"{known.method}(depth=full)"
                result = search(game, state, load_algorithm(algorithm))
                assert isinstance(result.value, float)
                value, seconds = result.value, result.statistics.seconds
            verdict = "as known" if abs(value - known.value) < 5e-7 else f"BUT {known.value:g} IS KNOWN"
            print(f"{text} {known.position}: {value:g}, {verdict} ({known.source}), {seconds:.3f} s", flush=True)
