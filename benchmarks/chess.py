"""Chess: how much of a search is spent in python-chess, and how many nodes a second there are."""

import cProfile
import pstats

import gamesearch

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"

SEARCHES = (
    ("", "minimax(depth=3)"),
    ("", "alphabeta(depth=4, order=game)"),
    (KIWIPETE, "alphabeta(depth=3, order=game)"),
)


def main() -> None:
    """Print nodes a second and the share of python-chess, as the profiler counts its own time."""
    game = gamesearch.load("chess")
    for position, algorithm in (
        ("", "minimax(depth=3)"),
        ("", "alphabeta(depth=4, order=game)"),
        (KIWIPETE, "alphabeta(depth=3, order=game)"),
    ):
        state = game.parse(position) if position else game.initial()
        result = gamesearch.search(game, state, algorithm)
        profile = cProfile.Profile()
        profile.runcall(gamesearch.search, game, state, algorithm)
        own: dict[str, float] = {"python-chess": 0.0, "gamesearch": 0.0}
        for (file, _, _), (_, _, own_time, _, callers) in pstats.Stats(profile).stats.items():  # type: ignore[attr-defined]
            if file == "~":  # a builtin: it belongs to those that call it
                for (caller, _, _), (_, _, time, _) in callers.items():
                    own["gamesearch" if "gamesearch" in caller else "python-chess"] += time
            else:
                own["gamesearch" if "gamesearch" in file else "python-chess"] += own_time
        share = own["python-chess"] / sum(own.values())
        counts = result.statistics
        print(
            f"{algorithm}, {position[:8] or 'start'}: {counts.nodes:,} nodes, "
            f"{counts.nodes / counts.seconds / 1e3:.0f} k nodes/s, {100 * share:.0f} % of it in python-chess (goal: 70)"
        )
