"""Connect Four from the empty board, and the computer with its book against BitBully with its databases.

`python -m benchmarks.book start FILE` solves the empty board by searches to the end: first whether X wins, then whether
X can win before the last stone. FILE keeps the results, so that the same command can continue after a stop. J. Tromp's
Fhourstones visits 1,479,113,766 positions for the first question.

`pip install bitbully bitbully-databases`, then `python -m benchmarks.book match [GAMES [SECONDS]]`: the default
computer of `gamesearch play connect4` plays games as X and as O. BitBully plays a random best move. Only its first two
moves go through all possibilities in turn, so that the games differ. It also judges our moves: which of them keep the
value (win, draw or loss) of the position.
"""

import random
import sys
from pathlib import Path
from typing import Any

from gamesearch import load
from gamesearch.commands.book import BookMaker, BookProgress
from gamesearch.files.books import Book, read_book, write_book
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

    def move(self, played: list[int]) -> int:
        """A random best move."""
        scores = self.scores(played)
        return self.source.choice([column for column, score in scores.items() if score == max(scores.values())])


def sign(score: float) -> int:
    """Whether a score is a win, a draw or a loss: 1, 0 or -1."""
    return (score > 0) - (score < 0)


def game_against(perfect: Perfect, player: Player, ours: int, number: int) -> tuple[float, int, int]:
    """Our payoff of one game, the number of our moves, and how many of them kept the value."""
    game = load("connect4")
    match = Match(game, game.initial(), (player, player), seed=number)
    player.begin()
    made = kept = theirs = 0
    while not match.is_over:
        played = list(match.moves)
        if match.turn == ours:
            scores, found = perfect.scores(played), player.answer(match.player_turn()).best
            assert found is not None
            made, kept = made + 1, kept + (sign(scores[found]) == sign(max(scores.values())))
        else:
            moves = list(game.moves(match.state))
            found = moves[number // 7**theirs % 7 % len(moves)] if theirs < 2 else perfect.move(played)
            theirs += 1
        match.play(found)
    payoff = float(game.utility(match.state))
    return (payoff if ours == MAX else -payoff), made, kept


def play(games: int = 50, seconds: float = 2.0) -> None:
    """Play games as X, then as O, and print the results."""
    game: Any = load("connect4")
    text = default_player(game)
    print(f"{text} at {seconds} s a move")
    perfect = Perfect(1)
    with load_player(text, game, seconds) as player:
        for ours in range(game.players):
            found = [game_against(perfect, player, ours, number) for number in range(games)]
            won, drawn = (sum(sign(payoff) == wanted for payoff, _, _ in found) for wanted in (1, 0))
            made, kept = sum(made for _, made, _ in found), sum(kept for _, _, kept in found)
            print(
                f"as {game.player_name(ours)}: {won} of {games} won, {drawn} drawn; "
                f"{kept} of {made} moves kept the value ({kept / made:.1%})",
                flush=True,
            )


if __name__ == "__main__":
    what, *rest = sys.argv[1:] or ["match"]
    if what == "start":
        start(rest[0], *map(int, rest[1:]))
    else:
        play(*map(int, rest[:1]), *map(float, rest[1:]))
