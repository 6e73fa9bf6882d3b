"""Play games with 1 s for all moves and 10 ms more for each move, to test whether a player exceeds its time.

A player that exceeds its time by any amount loses: the matches have no time margin. The command is
`python -m benchmarks.clocks --games 70`.
"""

import argparse

from benchmarks.measuring import play_series
from gamesearch.play.matches.game_task import TIME, Terms
from gamesearch.play.matches.running import LocalWorkers
from gamesearch.play.matches.series import Series
from gamesearch.play.players.loading import default_algorithm
from gamesearch.registry import load

__all__ = ["main"]

GAMES = ("connect4", "othello", "chess")


def main() -> None:
    """Print a row for each game; the exit code is 1 if a player exceeded its time."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("games", nargs="*", metavar="GAME", help=f"by default {', '.join(GAMES)}")
    options.add_argument("--games", dest="number", type=int, default=70, metavar="N", help="of each game")
    options.add_argument("--clock", type=float, default=1.0, metavar="S")
    options.add_argument("--increment", type=float, default=0.01, metavar="S")
    chosen = options.parse_args()
    terms = Terms(clock=chosen.clock, increment=chosen.increment, margin=0.0)
    workers, fallen = LocalWorkers(1), 0
    try:
        for game in chosen.games or GAMES:
            player = default_algorithm(load(game))
            series = Series(game, (player, player), plies=4, terms=terms)
            records = play_series(series, chosen.number, workers).counting_games
            late = sum(record.reason == TIME for record in records)
            moves = sum(sum(record.asked) for record in records)
            used = sum(sum(record.seconds) for record in records) / (2 * len(records))
            fallen += late
            print(
                f"{game:11} {len(records)} games at {chosen.clock:g} s + {1000 * chosen.increment:g} ms: {late} lost "
                f"on time, {moves:,} moves, {used:.2f} s a player and game",
                flush=True,
            )
    finally:
        workers.stop()
    raise SystemExit(fallen > 0)


if __name__ == "__main__":
    main()
