"""Connect Four from the empty board, and the computer with its book against BitBully with its databases.

`python -m benchmarks.book start FILE` solves the empty board by searches to the end: first whether X wins, then whether
X can win before the last stone. FILE keeps the results, so that the same command can continue after a stop. J. Tromp's
Fhourstones visits 1,479,113,766 positions for the first question.

`pip install bitbully bitbully-databases` for the other commands. `python -m benchmarks.book build FILE` writes the
book that comes with gamesearch, with values by BitBully. `verify [POSITIONS]` solves random positions by our own search
and compares them. `match [GAMES [SECONDS [SEED]]]` plays the default computer of `gamesearch play connect4` against
BitBully, which plays a random best move, from random openings. BitBully also judges our moves: which of them lose the
value (win, draw or loss) of the position.
"""

import random
import sys
import time
from pathlib import Path
from typing import Any, cast

from benchmarks.bitbully import random_position, searcher
from gamesearch import load
from gamesearch.commands.book import BookMaker, BookProgress
from gamesearch.files.books import ZERO, Book, read_book, write_book
from gamesearch.game import MAX
from gamesearch.play.match import Match
from gamesearch.play.players.loading import default_player, load_player
from gamesearch.play.players.player import Player

FHOURSTONES = 1_479_113_766
PLIES = 12
"""The book keeps positions of fewer plies."""
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
    print(f"value {book.bounds(game.initial())}: at 1, the last stone of the board, the 41st ply, wins")


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


def layers_by_ply(game: Any, last: int) -> list[dict[int, tuple[Any, list[int]]]]:
    """For each number of plies, the unfinished positions by their least number, with moves that lead to them."""
    layers: list[dict[int, tuple[Any, list[int]]]] = [{least_rank(game, game.initial()): (game.initial(), [])}]
    for _ in range(last):
        after = dict[int, tuple[Any, list[int]]]()
        for s, played in layers[-1].values():
            for m in game.moves(s):
                found = game.result(s, m)
                if not game.terminal(found):
                    after.setdefault(least_rank(game, found), (found, [*played, m]))
        layers.append(after)
    return layers


def least_rank(game: Any, s: Any) -> int:
    """The number of a position in its layer, the same for its mirror image."""
    return int(min(map(game.rank, game.symmetries(s))))


def backed_up(game: Any, s: Any, values: dict[int, int]) -> int:
    """The value of a position by the values of the next layer."""
    after = [game.result(s, m) for m in game.moves(s)]
    best = max if game.player(s) == MAX else min
    return int(best(game.utility(x) if game.terminal(x) else values[least_rank(game, x)] for x in after))


def code_layer(game: Any, layer: dict[int, tuple[Any, list[int]]], codes: dict[int, int], size: int) -> bytes:
    """The codes of a layer. Other numbers, and positions that the game's bounds decide, repeat the code before."""
    found, code = bytearray(size), ZERO
    for number in range(size):
        if number in layer:
            low, high = game.bounds(layer[number][0])
            code = code if low == high else codes[number]
        found[number] = code
    return bytes(found)


def build(name: str, exact: int = 8, last: int = 11) -> None:
    """Write a book of all positions: values to `exact` plies, and the winner after `last` plies."""
    game: Any = load("connect4")
    perfect, book, layers = Perfect(1), Book(game), layers_by_ply(game, last)

    def value(s: Any, played: list[int]) -> int:
        return perfect.score(played) if game.player(s) == MAX else -perfect.score(played)

    results = {number: 2 + sign(value(*each)) for number, each in layers[last].items()}
    values = {number: value(*each) for number, each in layers[exact].items()}
    book.layers[game.cells - last] = code_layer(game, layers[last], results, game.layer_size(game.cells - last))
    for ply in range(exact, -1, -1):
        if ply < exact:
            values = {number: backed_up(game, s, values) for number, (s, _) in layers[ply].items()}
        codes = {number: ZERO + each for number, each in values.items()}
        book.layers[game.cells - ply] = code_layer(game, layers[ply], codes, game.layer_size(game.cells - ply))
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


def game_against(perfect: Perfect, player: Player, ours: int, opening: list[int]) -> tuple[int, list[str]]:
    """The number of our moves in one game, and the positions in which our move lost value."""
    game = load("connect4")
    match = Match(game, game.initial(), (player, player))
    player.begin()
    for move in opening:
        match.play(move)
    made, lost = 0, list[str]()
    while not match.is_over:
        played = list(match.moves)
        if match.turn == ours:
            player.prepare(match.player_turn())  # compiles, which takes none of the time for the move
            found = player.answer(match.player_turn()).best
            assert found is not None
            scores, made = perfect.scores(played), made + 1
            if sign(scores[found]) != sign(max(scores.values())):
                lost.append("".join(str(column + 1) for column in (*played, found)))
        else:
            found = perfect.move(played)
        match.play(found)
    return made, lost


def play(games: int = 1000, seconds: float = 0.5, seed: int = 1) -> None:
    """Play games from random openings of 2 to 12 plies with both sides in turn, and print how often value was lost."""
    game: Any = load("connect4")
    text, source = default_player(game), random.Random(seed)
    print(f"{text} at {seconds} s a move")
    perfect, made, lost, begun = Perfect(seed), 0, 0, time.monotonic()
    with load_player(text, game, seconds) as player:
        for number in range(1, games + 1):
            opening = [int(column) - 1 for column in random_position(game, source.randint(2, 12), source)]
            moves, wrong = game_against(perfect, player, number % 2, opening)
            made, lost = made + moves, lost + bool(wrong)
            for played in wrong:
                print(
                    f"game {number}, {len(opening)} random plies: value lost by the last move of {played}", flush=True
                )
            if number % 10 == 0 or number == games:
                print(f"{number} games, {lost} lost value; {made} moves; {time.monotonic() - begun:.0f} s", flush=True)


if __name__ == "__main__":
    what, *rest = sys.argv[1:] or ["match"]
    if what in ("start", "build"):
        (start if what == "start" else build)(rest[0], *map(int, rest[1:]))
    elif what == "verify":
        verify(*map(int, rest))
    else:
        play(*map(int, rest[:1]), *map(float, rest[1:2]), *map(int, rest[2:]))
