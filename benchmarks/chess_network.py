"""Learn the network that comes with chess: write positions of self-play, then fit the network to these positions.

    python -m benchmarks.chess_network play 11 6600 180 one.npz  # seed, seconds, nodes, file
    python -m benchmarks.chess_network fit network.json one.npz two.npz

This program does the same as `gamesearch learn "chess(features=tapered)" --network 32 --method outcomes`, with these
differences: a kernel plays whole games; the first games are also played with the network that comes with gamesearch;
nodes limit each search; a game ends when it is decided or a position occurs twice; and positions with a great advantage
are left out.
"""

import math
import os
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from gamesearch import compiler
from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.catalog.pvs import pvs
from gamesearch.algorithms.engine.result import Limits
from gamesearch.algorithms.engine.searcher import Searcher
from gamesearch.algorithms.node.repetition import is_among, note_position
from gamesearch.algorithms.node.workspace import NOWHERE, Search
from gamesearch.algorithms.selective.parts import PARTS, Parts
from gamesearch.compiler import kernel
from gamesearch.compiler.kernels import load_state, save_state
from gamesearch.game import MIN, THREAT, Game
from gamesearch.learn.greedy_play import choose_move, fraction_of
from gamesearch.learn.network_outcomes import SHARE_OF_SEARCH, Examples, fit_network
from gamesearch.learn.networks import game_with_network, learner
from gamesearch.learn.training import settings_for
from gamesearch.learned.networks import NetworkEvaluation
from gamesearch.learned.packed_files import LearnedNetwork
from gamesearch.play.players.loading import best_play
from gamesearch.registry import load
from gamesearch.toolkit.bits import mix

os.environ["GAMESEARCH_CACHE_MB"] = "0"  # a kernel that was loaded from a file cannot be called by another kernel

GAME, ALGORITHM, HIDDEN = "chess(features=tapered)", "pvs(endgame=false, paths=practical, memory=8)", 32
AT_ONCE, LONGEST, DEEPEST, EXPLORATION = 20_000, 240, 40, 0.03
LEAST_OPENING, OPENINGS = 4, 6  # a game begins with 4 to 9 random moves
DECIDED, LEAST_DECIDED, MOST_OF_OPENING, MOST = 8.0, 4, 2.5, 12.0
"""A game counts as won after LEAST_DECIDED successive values above DECIDED pawns. Openings with a value above
MOST_OF_OPENING pawns, and positions with a value above MOST pawns, are left out."""


class Positions(NamedTuple):
    """Quiet positions of games, with the values of the search for White, and White's scores (1, 1/2 or 0)."""

    rows: Any
    values: Any
    shares: Any
    games: Any
    keys: Any  # the hashes of the positions of the current game, by ply


@kernel
def play_games(game: Game, start: Any, seed: int, nodes: int, search: Search, found: Positions) -> int:
    """Play games until the arrays are almost full. Returns the number of positions."""
    random, made, number = mix(seed), 0, 0
    while made + LONGEST < len(found.values):
        random, number = mix(random + 1), number + 1
        end, share = play_game(game, start, random, nodes, search, found, made)
        for place in range(made, end):
            found.shares[place], found.games[place] = share, number
        made = end
    return made


@kernel
def play_game(
    game: Any, start: Any, random: int, nodes: int, search: Search, found: Positions, made: int
) -> tuple[int, float]:
    """Play one game. Returns the number of positions so far, and White's score. A game with a bad opening adds no
    positions."""
    s, first, decided, path = start, made, 0, search.run.path
    opening = LEAST_OPENING + int(fraction_of(random) * OPENINGS)
    for ply in range(LONGEST):
        if game.terminal(s):
            payoff = game.utility(s)
            return made, 1.0 if payoff > 0.0 else 0.0 if payoff < 0.0 else 0.5
        found.keys[ply] = mix(game.arrangement(s))
        if ply > 0 and is_among(found.keys, 0, ply - 1, found.keys[ply]):
            return made, 0.5
        random = mix(random + 2)
        _, move, _ = choose_move(game, s, True, random, ply, found.keys)
        if ply >= opening:
            path.past = ply
            random = mix(random + 4)
            best, value = search_position(game, s, nodes + int(fraction_of(random) * (nodes // 2)), search)
            if best < 0:
                return first, 0.5
            decided = decided + 1 if abs(value) > DECIDED else 0
            if decided >= LEAST_DECIDED:
                return made, 1.0 if value > 0.0 else 0.0
            if ply == opening and abs(value) > MOST_OF_OPENING:
                return first, 0.5
            if abs(value) < MOST and not game.is_threatened(s) and game.kind_of_move(s, best) < THREAT:
                save_state(found.rows, made, s)
                found.values[made] = value
                made += 1
            random = mix(random + 3)
            if fraction_of(random) >= EXPLORATION:
                move = best
        path.past = ply
        note_position(game, s, 0, path)
        s = game.result(s, move)
    return made, 0.5


@kernel
def search_position(game: Game, s: Any, nodes: int, search: Search) -> tuple[int, float]:
    """Search to depth 1, 2, 3, ... until `nodes` nodes are visited. Returns the best move and the value."""
    counts, path, line = search.run.counts, search.run.path, search.run.line
    counts.nodes, counts.stop, counts.deepest = 0, 0, 0
    path.first_repeated, path.top = NOWHERE, 0
    search.options.generation += 1
    best, value = -1, 0.0
    for depth in range(1, DEEPEST):
        search.selection.parts.root_depth = depth
        found = pvs(game, s, -math.inf, math.inf, depth, 0, search)
        if counts.stop:
            break
        best, value = line.moves[line.rows[0]][0], found
        if counts.nodes >= nodes:
            break
    return best, value


def play(seed: int, seconds: float, nodes: int, file: str) -> None:
    """Play games for some seconds, and write the quiet positions with the values of the search and the results."""
    game, algorithm, end = best_play(load("chess")).game, load_algorithm(ALGORITHM), math.inf
    rows = compiler.new_rows(game.initial(), AT_ONCE, True)
    arrays = np.zeros(AT_ONCE, np.float32), np.zeros(AT_ONCE, np.float32), np.zeros(AT_ONCE, np.int32)
    found, parts = Positions(rows, *arrays, np.zeros(LONGEST, np.int64)), list[tuple[Any, ...]]()
    with Searcher(game, algorithm, "compiled") as searcher:
        runner: Any = searcher.runner_for(game.initial())
        runner.start(algorithm.limits(game, Limits(nodes=3 * nodes)))
        deeper = algorithm.is_on("deeper", game)  # type: ignore[attr-defined]
        runner.begin(1, bounds=True, mate_distances=True, practical=True, deeper=deeper)
        on = {name: algorithm.is_on(name, game) for name in PARTS if name in Parts.FIELDS}  # type: ignore[attr-defined]
        runner.switch({**on, "width": 0, "active": True, "root_depth": 1})
        search, games = runner.prepare_arguments(lambda: (runner.arguments,))[0], 0
        while time.monotonic() < end:  # the time begins after the first games, because they include the compilation
            given = game.initial(), seed * 1_000_003 + len(parts), nodes, search, found
            made, _ = compiler.run(play_games, game, "compiled", *given)
            parts.append(tuple(each[:made].copy() for each in (rows, *arrays)))
            parts[-1][-1][:] += games
            games = int(parts[-1][-1][-1])
            end = min(end, time.monotonic() + seconds)
    columns = [np.concatenate(each) for each in zip(*parts, strict=True)]
    np.savez(file, rows=columns[0], values=columns[1], shares=columns[2], games=columns[3])
    print(f"{len(columns[0]):,} positions of {len(set(columns[3].tolist())):,} games")


@kernel
def read_positions(
    game: NetworkEvaluation, like: Any, rows: Any, ends: Any, numbers: Any, known: Any, is_black: Any
) -> int:
    """Compute the inputs of the positions in `rows` (see `Examples`). Returns the number of inputs."""
    made = 0
    for i in range(len(rows)):
        s = load_state(rows, i, like)
        view = s
        for k in range(game.seen_views):
            for number, _ in game.inputs(view):
                numbers[made] = number
                made += 1
            ends[i * game.seen_views + k] = made
            view = game.other_view(s)
        is_black[i] = game.viewer(s) == MIN
        known[i] = game.own_estimate(s) / game.unit_of_odds
    return made


def fit(to: str, files: list[str]) -> None:
    """Fit a network to the positions in some files, and write its weights."""
    game = load(GAME)
    settings = settings_for(game, "outcomes", 20, 0, 1, 1, network=HIDDEN)
    _, network = learner(settings.game, HIDDEN)
    first = np.asarray(network.initial_weights(0))
    view: Any = game_with_network(settings, first)
    parts, made, games = list[Any](), 0, 0
    for file in files:
        with np.load(file) as data:
            rows, values, shares, number = (data[name] for name in ("rows", "values", "shares", "games"))
        count = len(rows)
        numbers, ends = np.zeros(64 * count, np.int32), np.zeros(view.seen_views * count, np.int64)
        known, is_black = np.zeros(count), np.zeros(count, np.bool_)
        given = game.initial(), rows, ends, numbers, known, is_black
        inputs, _ = compiler.run(read_positions, view, "compiled", *given)
        chances = 1 / (1 + np.exp(-values.astype(float) / view.unit_of_odds))
        goals = shares + SHARE_OF_SEARCH * (chances - shares)
        known, goals = np.where(is_black, -known, known), np.where(is_black, 1 - goals, goals)
        parts.append((ends + made, numbers[:inputs].copy(), known, goals[:, None], number.astype(float) + games))
        made, games = made + inputs, games + int(number[-1])
    ends, numbers, known, goals, number = (np.concatenate(each) for each in zip(*parts, strict=True))
    examples = Examples(ends, numbers, np.ones(len(numbers), np.float32), known, goals, number)
    weights, loss = fit_network(view, examples, first, 0, "compiled")
    learned = LearnedNetwork(
        game="chess", parameters=game.parameters(), method="outcomes", games=games, seed=0, beat=(),
        command=" ".join(["python -m benchmarks.chess_network fit", *(Path(name).name for name in (to, *files))]),
        network=network.sizes(),
    )  # fmt: skip
    Path(to).write_text(learned.with_table(weights).text(), encoding="utf-8")
    print(f"{len(known):,} positions, loss {loss:.4f}")


if __name__ == "__main__":
    if sys.argv[1] == "play":
        play(int(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4]), sys.argv[5])
    else:
        fit(sys.argv[2], sys.argv[3:])
