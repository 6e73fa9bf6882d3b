"""Play each level of the computer against the level two below: `python -m benchmarks.levels --games 60 connect4`.

Levels are limited by nodes, so the same command prints the same scores on every machine.
"""

import argparse

from benchmarks.measuring import play_series
from gamesearch.play.matches.running import LocalWorkers
from gamesearch.play.matches.series import Series
from gamesearch.play.matches.standings import Standings
from gamesearch.play.players.computer import LEVELS
from gamesearch.registry import load

__all__ = ["main"]

GAMES = ("connect4", "othello", "chess", "backgammon", "checkers")
ENOUGH = 0.55
"""The score that a level should reach against the level two below."""


def standings(game: str, level: int, below: int, games: int, seed: int, workers: LocalWorkers) -> Standings:
    """The result of a level against a lower level, in pairs of games from random openings."""
    players = (f"computer(level={level})", f"computer(level={below})")
    series = Series(game, players, plies=0 if load(game).chance else 4, seed=seed)
    return play_series(series, games, workers).standings


def main() -> None:
    """Print a row for each pair of levels in each game."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("games", nargs="*", metavar="GAME", help=f"by default {', '.join(GAMES)}")
    options.add_argument("--games", dest="number", type=int, default=60, metavar="N", help="of each two levels")
    options.add_argument("--levels", default="3-10", metavar="N-N", help="the stronger level of each two")
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--workers", type=int, default=1, metavar="N")
    chosen = options.parse_args()
    least, _, most = chosen.levels.partition("-")
    workers = LocalWorkers(chosen.workers)
    try:
        for game in chosen.games or GAMES:
            for level in range(max(3, int(least)), min(len(LEVELS), int(most or least)) + 1):
                found = standings(game, level, level - 2, chosen.number, chosen.seed, workers)
                stronger = found.players[0]
                score, error = stronger.pairs.share, stronger.pairs.error
                verdict = "" if score >= ENOUGH else f"  below {100 * ENOUGH:.0f} %"
                print(
                    f"{game:11} {level:2} against {level - 2}: {100 * score:5.1f} % +- {196 * error:4.1f} of "
                    f"{stronger.games}, {found.plies_a_game:.0f} plies a game, "
                    f"{stronger.nodes // max(1, stronger.moves):,} nodes a move{verdict}",
                    flush=True,
                )
    finally:
        workers.stop()


if __name__ == "__main__":
    main()
