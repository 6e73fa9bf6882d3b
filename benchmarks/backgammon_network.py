"""Learn the network that comes with backgammon: play games with a network, then fit a new network to better estimates.

    python -m benchmarks.backgammon_network play 11 440 learned one.npz  # seed, seconds, weights, file
    python -m benchmarks.backgammon_network fit 256 network.json one.npz two.npz  # hidden units, weights, files

The old network chooses the moves of the games. For each position, a search over all rolls and the best move after each
roll backs up the outputs of the old network, and the new network learns to predict these probabilities without a search
(J. Veness, D. Silver, W. Uther and A. Blair 2009, "Bootstrapping from game tree search"). This can be repeated with the
new network.
"""

import math
import os
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from gamesearch import compiler
from gamesearch.compiler import kernel
from gamesearch.compiler.kernels import load_state, save_state
from gamesearch.game import MIN
from gamesearch.learn.greedy_play import choose_move, fraction_of, roll_dice
from gamesearch.learn.network_outcomes import Examples, fit_network
from gamesearch.learn.networks import game_with_network, learner
from gamesearch.learn.training import settings_for
from gamesearch.learned.networks import NetworkEvaluation
from gamesearch.learned.packed_files import LearnedNetwork
from gamesearch.registry import load
from gamesearch.toolkit.bits import mix

os.environ["GAMESEARCH_CACHE_MB"] = "0"  # a kernel that was loaded from a file cannot be called by another kernel

AT_ONCE, LONGEST, KEPT, EXPLORATION = 20_000, 400, 0.7, 0.05
"""The number of positions in an array, the greatest number of plies of a game, the share of the positions that are
kept, and the share of random moves."""
MOST_INPUTS = 64


@kernel
def play_games(game: NetworkEvaluation, start: Any, seed: int, rows: Any, goals: Any, games: Any) -> int:
    """Play games until the arrays are almost full. Returns the number of positions."""
    random, made, number, path = mix(seed), 0, 0, np.zeros(0, np.int64)
    while made + LONGEST < len(games):
        s, number = start, number + 1
        for ply in range(LONGEST):
            if game.terminal(s):
                break
            random = mix(random + 1)
            if ply > 0 and fraction_of(random) < KEPT:  # at first, the dice decide who begins
                save_state(rows, made, s)
                back_up(game, s, goals[made], path)
                games[made] = number
                made += 1
            random = mix(random + 1)
            s = game.result(s, roll_dice(game, s, fraction_of(random)))
            random = mix(random + 1)
            explores = fraction_of(random) < EXPLORATION
            s = game.result(s, choose_move(game, s, explores, mix(random + 2), 0, path)[1])
    return made


@kernel
def back_up(game: NetworkEvaluation, s: Any, goals: Any, path: Any) -> None:
    """Compute the outputs for a position before the roll: their means after all rolls, each with the best move."""
    last, hidden, viewer = len(goals) - 1, np.zeros(game.hidden_count), game.viewer(s)
    for roll, share in game.outcomes(s):
        rolled = game.result(s, roll)
        after = game.result(rolled, choose_move(game, rolled, False, 0, 0, path)[1])
        if game.terminal(after):
            payoff = -game.utility(after) if viewer == MIN else game.utility(after)
            for k in range(len(goals)):
                goals[k] += share if payoff >= game.payoffs[k + 1] else 0.0
        else:
            hidden[:] = 0.0
            game.fill_hidden(after, game.network, hidden)
            for k in range(len(goals)):  # the opponent's outputs, seen by the other side
                goals[k] += share * (1.0 - game.output_of(game.network, hidden, last - k))


def play(seed: int, seconds: float, weights: str, file: str) -> None:
    """Play games for some seconds, and write the positions with their goals."""
    game, end = load(f"backgammon(weights={weights})"), math.inf
    start, parts, games = game.initial(), list[tuple[Any, ...]](), 0
    outputs = len(game.payoffs) - 1  # type: ignore[attr-defined]
    while time.monotonic() < end:  # the time begins after the first games, because they include the compilation
        arrays = compiler.new_rows(start, AT_ONCE, True), np.zeros((AT_ONCE, outputs)), np.zeros(AT_ONCE, np.int64)
        made, _ = compiler.run(play_games, game, "compiled", start, seed * 1_000_003 + len(parts), *arrays)
        rows, goals, numbers = (each[:made] for each in arrays)
        parts.append((rows, goals.astype(np.float32), numbers + games))
        games = int(parts[-1][2][-1])
        end = min(end, time.monotonic() + seconds)
    rows, goals, numbers = (np.concatenate(each) for each in zip(*parts, strict=True))
    np.savez(file, rows=rows, goals=goals, games=numbers)
    print(f"{len(rows):,} positions of {games:,} games")


@kernel
def read_positions(game: NetworkEvaluation, like: Any, rows: Any, ends: Any, numbers: Any, amounts: Any) -> int:
    """Compute the inputs of the positions in `rows` (see `Examples`). Returns the number of inputs."""
    made = 0
    for i in range(len(rows)):
        for number, amount in game.inputs(load_state(rows, i, like)):
            numbers[made], amounts[made] = number, amount
            made += 1
        ends[i] = made
    return made


def fit(hidden: int, to: str, files: list[str]) -> None:
    """Fit a network with random initial weights to the positions in some files, and write its weights."""
    game = load("backgammon")
    settings = settings_for(game, "td", 20, 0, 1, 1, network=hidden)
    _, network = learner(settings.game, hidden)
    first = np.asarray(network.initial_weights(0))
    view = game_with_network(settings, first)
    parts, games = list[tuple[Any, ...]](), 0
    for file in files:
        with np.load(file) as data:
            parts.append((data["rows"], data["goals"].astype(float), data["games"].astype(float) + games))
        games = int(parts[-1][2][-1])
    rows, goals, numbers = (np.concatenate(each) for each in zip(*parts, strict=True))
    ends, most = np.zeros(len(rows), np.int64), MOST_INPUTS * len(rows)
    inputs, amounts = np.zeros(most, np.int32), np.zeros(most, np.float32)
    made, _ = compiler.run(read_positions, view, "compiled", game.initial(), rows, ends, inputs, amounts)
    examples = Examples(ends, inputs[:made], amounts[:made], np.zeros(len(rows)), goals, numbers)
    weights, loss = fit_network(view, examples, first, 0, "compiled")
    names = " ".join(Path(name).name for name in (to, *files))
    learned = LearnedNetwork(
        game="backgammon", parameters=game.parameters(), method="outcomes", games=games, seed=0, beat=(),
        command=f"python -m benchmarks.backgammon_network fit {hidden} {names}",
        network=network.sizes(),
    )  # fmt: skip
    Path(to).write_text(learned.with_table(weights).text(), encoding="utf-8")
    print(f"{len(rows):,} positions, loss {loss:.4f}")


if __name__ == "__main__":
    if sys.argv[1] == "play":
        play(int(sys.argv[2]), float(sys.argv[3]), sys.argv[4], sys.argv[5])
    else:
        fit(int(sys.argv[2]), sys.argv[3], sys.argv[4:])
