"""Connect Four: solve the empty board, build and verify the opening book, and play against BitBully with its databases.

`python -m benchmarks.book start FILE` solves the empty board by searches to the end: first whether X wins, then whether
X can win before the last stone. The results are kept in FILE, so that the same command can continue after a stop. J.
Tromp's Fhourstones visits 1,479,113,766 positions to find whether X wins.

The other commands need `pip install bitbully bitbully-databases`. `python -m benchmarks.book build FILE` writes the
book that comes with gamesearch, with values from BitBully. `verify [POSITIONS]` solves random positions by gamesearch's
own search, and compares the values. `match [GAMES [NODES [SEED]]]` plays the default computer of `gamesearch play
connect4` against BitBully, which plays a random best move, from random openings. BitBully also judges which moves of
gamesearch lose the value (win, draw or loss) of the position. Searches are limited by nodes, so that the load of the
machine does not matter. A usual search to DEPTH plies, which takes less than a tenth of a second, comes before the
search to the end, which visits at most NODES nodes.
"""

import math
import random
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np

from benchmarks.bitbully import random_position, searcher
from gamesearch import load
from gamesearch.algorithms.engine.result import Limits
from gamesearch.commands.solving.book import BookMaker, BookProgress
from gamesearch.files.books import ZERO, Book, read_book, write_book
from gamesearch.play.match import Match
from gamesearch.play.players.loading import default_player, load_player
from gamesearch.play.players.player import Player

FHOURSTONES = 1_479_113_766
PLIES = 12
"""The book contains the positions before this ply."""
NODES, DEPTH = 6_800_000, 8
"""The limits of a move in `match`: the nodes of the search to the end (0.4 s on one core), and the depth of the search
before it."""
QUESTIONS = {1: "X wins", 2: "X wins before its last stone"}


def start(name: str, memory: int = 4096, threads: int = 2) -> None:
    """Solve the empty board, and print the effort."""
    game, path = load("connect4"), Path(name)
    book = read_book(name, game) if path.exists() else Book(game)
    for least, says in QUESTIONS.items():

        def keep(progress: BookProgress) -> None:
            if progress.searched % 100 == 0:
                write_book(path, book)

        maker = BookMaker(book, PLIES, memory=memory, threads=threads, listen=keep)
        answer, progress = maker.ask(game.initial(), least)
        write_book(path, book)
        verdict = "yes" if answer else "no"
        print(
            f"{says}: {verdict}; {progress.nodes:,} nodes, {progress.seconds:.0f} s, {threads} threads, "
            f"{progress.searched:,} positions searched, {progress.positions:,} in the book",
            f"(Fhourstones {FHOURSTONES:,})",
            flush=True,
        )
    print(f"value {book.bounds(game.initial())} (1 means that X wins with its last stone, at ply 41)")


class Perfect:
    """BitBully with its databases: the score of each move, and the moves that it plays."""

    def __init__(self, seed: int) -> None:
        from bitbully import BitBully

        self.solver, self.source = BitBully(), random.Random(seed)

    def scores(self, played: list[int]) -> dict[int, int]:
        """The score of each column for the player to move."""
        from bitbully import Board

        return {int(column): int(score) for column, score in self.solver.score_all_moves(Board(played)).items()}

    def score(self, played: list[int]) -> int:
        """The score of a position for the player to move."""
        from bitbully import Board

        return int(self.solver.mtdf(Board(played)))

    def move(self, played: list[int]) -> int:
        """A random best move."""
        scores = self.scores(played)
        return self.source.choice([column for column, score in scores.items() if score == max(scores.values())])


class Layer(NamedTuple):
    """The unfinished positions after a number of plies, as arrays. A position and its mirror image have one entry."""

    mine: Any
    taken: Any
    played: Any
    """For each position, a row with moves that lead to it."""
    numbers: Any
    """The number of each position in its layer (`rank`), or of its mirror image, whichever is less."""


def layers_by_ply(game: Any, last: int) -> list[Layer]:
    """The layers up to `last` plies."""
    mine = taken = np.zeros(1, np.int64)
    layers = [Layer(mine, taken, np.zeros((1, 0), np.uint8), np.zeros(1, np.int64))]
    for _ in range(last):
        mine, taken, played, _ = layers[-1]
        wins, parts = game.winning_cells(mine), list[tuple[Any, ...]]()
        for column in range(game.columns):
            stone = (taken + game.bottom) & game.column_mask(column)
            goes_on = (stone != 0) & (stone & wins == 0)
            longer = np.insert(played[goes_on], played.shape[1], column, axis=1)
            parts.append(((mine ^ taken)[goes_on], (taken | stone)[goes_on], longer))
        mine, taken, played = map(np.concatenate, zip(*parts, strict=True))
        mirrored = game.mirrored(mine), game.mirrored(taken)
        _, first = np.unique(np.minimum(mine + taken, sum(mirrored)), return_index=True)  # game.key
        numbers = np.minimum(ranks(game, mine[first], taken[first]), ranks(game, *(each[first] for each in mirrored)))
        layers.append(Layer(mine[first], taken[first], played[first], numbers))
    return layers


def ranks(game: Any, mine: Any, taken: Any) -> Any:
    """The numbers (`rank`) of many positions with the same number of stones, computed together."""
    ways = np.array(game.ways).reshape(game.columns + 1, game.cells + 1)
    heights, sets = np.zeros_like(taken), np.zeros_like(taken)
    stones, movers = np.zeros_like(taken), np.zeros_like(taken)
    for cell in range(game.columns * game.height):  # from the first column to the last, and upwards in each
        is_taken, is_mine = taken >> cell & 1, mine >> cell & 1
        movers += is_mine
        sets += is_mine * BINOMIALS[stones, movers]
        stones += is_taken
    left = stones.copy()
    for column in range(game.columns):
        cells = taken & game.column_mask(column)
        while cells.any():
            heights += np.where(cells != 0, ways[game.columns - 1 - column, left - np.bitwise_count(cells) + 1], 0)
            cells &= cells - 1
        left -= np.bitwise_count(taken & game.column_mask(column))
    return heights * BINOMIALS[stones, stones // 2] + sets


BINOMIALS = np.array([[math.comb(n, k) for k in range(22)] for n in range(43)])


def is_decided(game: Any, layer: Layer) -> Any:
    """For each position of a layer, whether the game's own bounds decide it."""
    mine, taken = layer.mine, layer.taken
    threats, dangers = game.winning_cells(mine), game.winning_cells(mine ^ taken)
    reachable = (taken + game.bottom) & game.full
    forced = reachable & dangers
    safe = np.where(forced & (forced - 1), 0, np.where(forced, forced, reachable) & ~(dangers >> 1))
    return (threats & reachable != 0) | (safe == 0) | (safe & threats >> 1 & threats >> 2 != 0)


def code_layer(game: Any, layer: Layer, size: int, code_of: Callable[[int], int], perfect: "Perfect") -> bytes:
    """The codes of a layer. A number gets the code of the previous number if it has no position, or if the game's
    bounds decide its position."""
    codes = np.zeros(size, np.uint8)
    sign = -1 if layer.played.shape[1] & 1 else 1
    undecided = ~is_decided(game, layer)
    for number, played in zip(layer.numbers[undecided].tolist(), layer.played[undecided].tolist(), strict=True):
        codes[number] = code_of(sign * perfect.score(played))
    known = np.maximum.accumulate(np.where(codes, np.arange(size), -1))
    return bytes(np.where(known < 0, ZERO, codes[known]).astype(np.uint8))


def build(name: str, exact: int = 8, last: int = 12) -> None:
    """Write a book of all positions up to `last` plies: exact values up to `exact` plies, and then only the winners."""
    game: Any = load("connect4")
    perfect, book = Perfect(1), Book(game)
    for ply, layer in enumerate(layers_by_ply(game, last)):
        if ply <= exact or ply == last:
            code_of = (lambda value: 2 + sign(value)) if ply == last else (lambda value: ZERO + value)
            size = game.layer_size(game.cells - ply)
            book.layers[game.cells - ply] = code_layer(game, layer, size, code_of, perfect)
            print(f"{ply} plies: {len(layer.taken):,} positions", flush=True)
    write_book(Path(name), book)


def verify(positions: int = 200, plies: int = 8, seed: int = 1) -> None:
    """Solve random positions of the book by alpha-beta to the end, half of them after exactly `plies` plies."""
    game: Any = load("connect4")
    book, source, solver, agreed = read_book("shipped", game), random.Random(seed), searcher(), 0
    begun = time.process_time()
    for number in range(1, positions + 1):
        s = game.parse(random_position(game, plies if number % 2 else source.randint(plies - 1, plies + 3), source))
        value, known = float(cast(float, solver.search(s).value)), book.bounds(s)
        agreed += known.lower <= value <= known.upper
        if number % 10 == 0 or number == positions:
            print(f"{agreed} of {number} agree; {time.process_time() - begun:.0f} s of processor time", flush=True)


def sign(score: float) -> int:
    """Whether a score is a win, a draw or a loss: 1, 0 or -1."""
    return (score > 0) - (score < 0)


def game_against(
    perfect: Perfect, player: Player, ours: int, opening: list[int], limits: Limits
) -> tuple[int, list[str]]:
    """The number of gamesearch's moves in one game, and the positions in which its move lost value."""
    game = load("connect4")
    match = Match(game, game.initial(), (player, player))
    player.begin()
    for move in opening:
        match.play(move)
    made, lost = 0, list[str]()
    while not match.is_over:
        played = list(match.moves)
        if match.turn == ours:
            found = player.answer(replace(match.player_turn(), limits=limits)).best
            assert found is not None
            scores, made = perfect.scores(played), made + 1
            if sign(scores[found]) != sign(max(scores.values())):
                lost.append("".join(str(column + 1) for column in (*played, found)))
        else:
            found = perfect.move(played)
        match.play(found)
    return made, lost


def play(games: int = 1000, nodes: int = NODES, seed: int = 1) -> None:
    """Play games from random openings of 2 to 12 plies, alternating sides, and print how often gamesearch lost
    value."""
    game: Any = load("connect4")
    text, source, limits = default_player(game), random.Random(seed), Limits(depth=DEPTH, nodes=nodes)
    print(f"{text}, depth {DEPTH} and {nodes:,} nodes a move")
    perfect, made, lost, begun = Perfect(seed), 0, 0, time.process_time()
    with load_player(text, game, math.inf) as player:
        for number in range(1, games + 1):
            opening = [int(column) - 1 for column in random_position(game, source.randint(2, 12), source)]
            moves, wrong = game_against(perfect, player, number % 2, opening, limits)
            made, lost = made + moves, lost + bool(wrong)
            for played in wrong:
                print(f"game {number}, {len(opening)} random plies: the last move of {played} loses value", flush=True)
            if number % 10 == 0 or number == games:
                used = time.process_time() - begun
                print(f"{number} games, {lost} lost value; {made} moves; {used:.0f} s of processor time", flush=True)


if __name__ == "__main__":
    what, *rest = sys.argv[1:] or ["match"]
    if what in ("start", "build"):
        (start if what == "start" else build)(rest[0], *map(int, rest[1:]))
    elif what == "verify":
        verify(*map(int, rest))
    else:
        play(*map(int, rest))
