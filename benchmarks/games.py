"""Measure the speed of perft and of random moves in every game, compiled and interpreted."""

from functools import partial

from benchmarks.measuring import time_call
from benchmarks.random_play import play_at_random
from gamesearch.api import perft
from gamesearch.compiler import why_interpreted
from gamesearch.game import Game
from gamesearch.registry import game_names, load

MOVES = 1_000_000
INTERPRETED_MOVES = 10_000
ENOUGH = 0.5
"""A perft is printed if it takes at least this number of seconds."""
TOO_LONG = 20.0
"""The next depth is searched if its expected time in seconds is at most this number."""
DEEPEST = 24


def leaves_per_second(game: Game, speed: str) -> tuple[int, int, float]:
    """Depth, leaves and leaves per second of the first perft that takes long enough, or else of the deepest perft."""
    perft(game, game.initial(), 1, speed=speed)  # which compiles
    found, before = (0, 0, 0.0), 1
    for depth in range(1, DEEPEST):
        leaves, seconds = time_call(partial(perft, game, game.initial(), depth, speed=speed))
        if leaves:
            found = (depth, leaves, leaves / seconds)
        if not leaves or seconds > ENOUGH or seconds * leaves / before > TOO_LONG:
            break
        before = leaves
    return found


def random_play(game: Game, speed: str, moves: int) -> float:
    """Moves per second of random play in which every state is checked."""
    play_at_random(game, game.initial(), 10, speed=speed)
    return moves / time_call(lambda: play_at_random(game, game.initial(), moves, speed=speed))[1]


def main() -> None:
    """Print a row for each game."""
    heads = ("perft compiled", "interpreted", "ratio", "random moves", "interpreted")
    print(f"{'game':14} {heads[0]:>18} {heads[1]:>12} {heads[2]:>6} {heads[3]:>14} {heads[4]:>12}")
    for name in game_names():
        game = load(name)
        interpreted = leaves_per_second(game, "interpreted")[2]
        slow = random_play(game, "interpreted", INTERPRETED_MOVES)
        if why_interpreted(game) is not None:
            print(f"{name:14} {'-':>18} {interpreted:12,.0f} {'':6} {'-':>14} {slow:12,.0f}", flush=True)
            continue
        depth, _, compiled = leaves_per_second(game, "compiled")
        fast = random_play(game, "compiled", MOVES)
        leaves = f"({depth}) {compiled:,.0f}"
        ratio = compiled / interpreted
        print(f"{name:14} {leaves:>18} {interpreted:12,.0f} {ratio:6.0f} {fast:14,.0f} {slow:12,.0f}", flush=True)
    print(
        f"perft: leaves per second at the depth in brackets; random play: moves per second ({MOVES:,} compiled, "
        f"{INTERPRETED_MOVES:,} interpreted); no state was faulty"
    )
