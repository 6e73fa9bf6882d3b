"""Learn the network that comes with chess: write positions of self-play, then fit the network to these positions.

    python -m benchmarks.chess_network play 11 4500 350 one.npz     # seed, seconds, nodes per move, file
    python -m benchmarks.chess_network fit network.json one.npz two.npz

This program does the same as `gamesearch learn "chess(features=tapered)" --network 16 --method outcomes`, but it stops
a game when it is decided, limits each search by nodes, and needs less memory.
"""

import random
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.engine.result import Limits
from gamesearch.algorithms.engine.searcher import Searcher
from gamesearch.game import MIN
from gamesearch.learn.method import Numbers, share_won
from gamesearch.learn.network_outcomes import SHARE_OF_SEARCH, arrays_of, fit_network, known_odds
from gamesearch.learn.networks import game_with_network, learner
from gamesearch.learn.outcomes import is_quiet
from gamesearch.learn.training import settings_for
from gamesearch.learned.packed_files import LearnedNetwork
from gamesearch.registry import load

GAME, ALGORITHM, HIDDEN = "chess(features=tapered)", "pvs(endgame=false, paths=practical)", 16
BOARD = (1 << 64) - 1
LONGEST, OPENING, EXPLORATION = 240, (4, 9), 0.03
DECIDED, LEAST_DECIDED, MOST_OF_OPENING, MOST = 8.0, 4, 2.5, 12.0
"""A game counts as won after LEAST_DECIDED successive values above DECIDED pawns. Openings with a value above
MOST_OF_OPENING pawns, and positions with a value above MOST pawns, are left out."""


def play(seed: int, seconds: float, nodes: int, file: str) -> None:
    """Play games for some seconds, and write the quiet positions with the values of the search and the results."""
    game, source, end = load(GAME), random.Random(seed), time.monotonic() + seconds
    rows, values, shares, games, number = list[Any](), list[float](), list[float](), list[int](), 0
    with Searcher(game, load_algorithm(ALGORITHM), "compiled") as searcher:
        while time.monotonic() < end:
            found, share = play_game(searcher, source, nodes)
            if share is None:
                continue
            number += 1
            for s, value in found:
                rows.append([int(field) & BOARD for field in s])
                values.append(value)
                shares.append(share)
                games.append(number)
    np.savez(file, rows=np.array(rows, np.uint64), values=values, shares=shares, games=games)
    print(f"{len(rows):,} positions of {number:,} games")


def play_game(searcher: Searcher, source: random.Random, nodes: int) -> tuple[list[tuple[Any, float]], float | None]:
    """Play one game.

    Returns the quiet positions with their values for White, and White's score (1, 1/2 or 0), or None for a bad opening.
    """
    game, past, found, decided = searcher.game, list[Any](), list[tuple[Any, float]](), 0
    s, random_moves = game.initial(), source.randint(*OPENING)
    for ply in range(LONGEST):
        if game.terminal(s):
            return found, share_won(game, float(game.utility(s)))
        move = source.choice(list(game.moves(s)))
        if ply >= random_moves:
            result = searcher.search(s, Limits(nodes=nodes + source.randint(0, nodes // 2)), past=past)
            if result.best is None or result.value is None:
                return [], None
            value = float(result.value)  # type: ignore[arg-type]
            decided = decided + 1 if abs(value) > DECIDED else 0
            if decided >= LEAST_DECIDED:
                return found, float(value > 0)
            if ply == random_moves and abs(value) > MOST_OF_OPENING:
                return [], None
            if abs(value) < MOST and is_quiet(game, s, result.best):
                found.append((s, value))
            if source.random() >= EXPLORATION:
                move = result.best
        past.append(s)
        s = game.result(s, move)
    return found, 0.5


def fit(to: str, files: list[str]) -> None:
    """Fit a network to the positions in some files, and write its weights."""
    game = load(GAME)
    settings = settings_for(game, "outcomes", 20, 0, 1, 1, network=HIDDEN)
    _, network = learner(settings.game, HIDDEN)
    first = np.asarray(network.initial_weights(0))
    view: Any = game_with_network(settings, first)
    ends, numbers, known, goals, games = list[int](), list[int](), list[float](), list[Any](), list[int]()
    for place, file in enumerate(files):
        with np.load(file) as data:
            columns = [data[name] for name in ("rows", "values", "shares", "games")]
        for row, value, share, number in zip(*columns, strict=True):
            s = type(game.initial())(*map(int, row))._replace(last=-1)
            numbers += [each for each, _ in view.inputs(s)]
            ends.append(len(numbers))
            known.append(known_odds(view, s))
            goal = share + SHARE_OF_SEARCH * (float(view.win_chance(value)) - share)
            goals.append([1 - goal if view.viewer(s) == MIN else goal])
            games.append(1_000_000 * place + int(number))
    examples = arrays_of(ends, numbers, np.ones(len(numbers)), known, np.array(goals), games)
    weights, loss = fit_network(view, examples, first, 0, "compiled")
    write(to, settings.game, network, weights, len(set(games)), " ".join(files))
    print(f"{len(ends):,} positions, loss {loss:.4f}")


def write(to: str, name: str, network: Any, weights: Numbers, games: int, files: str) -> None:
    """Write the weights into a file that `chess(weights=FILE)` reads."""
    size = {"inputs": network.inputs, "hidden": network.hidden, "payoffs": network.payoffs}
    learned = LearnedNetwork(
        game="chess", parameters=load(name).parameters(), method="outcomes", games=games, seed=0, beat=(),
        command=f"python -m benchmarks.chess_network fit {to} {files}", network=size,
    )  # fmt: skip
    Path(to).write_text(learned.with_table(weights).text(), encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1] == "play":
        play(int(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4]), sys.argv[5])
    else:
        fit(sys.argv[2], sys.argv[3:])
