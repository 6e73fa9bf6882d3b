"""Move numbers as people write them: one for each move, or one for a round of moves, as in `1. e4 e5 2. Nf3`."""

import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from gamesearch.game import CHANCE, Game

__all__ = ["label", "move_numbers", "number_moves"]


def move_numbers(game: Game, states: Iterable[Any], first: int | None = None) -> Iterator[int]:
    """Yield the number of the move that is made in each state of a game; a chance node has the number before.

    The end of the game is not among the states. `first` is the number of the first move,
    by default the number that the first state itself has.
    """
    before, number = CHANCE, first
    for s in states:
        number = game.first_number(s) if number is None else number
        player = game.player(s)
        if player != CHANCE:
            if before != CHANCE and (player <= before or not game.numbers_rounds):
                number += 1
            before = player
        yield number


def label(game: Game, number: int, player: int) -> str:
    """The number in front of a move; an ellipsis stands for the moves of a round that come before it.

    >>> from gamesearch.registry import load
    >>> label(load("chess"), 3, 0), label(load("chess"), 3, 1), label(load("tictactoe"), 2, 1)
    ('3.', '3...', '2.')
    """
    return f"{number}..." if game.numbers_rounds and player > 0 else f"{number}."


def number_moves(game: Game, s: Any, line: Sequence[int], number: int | None = None, skip: int = 0) -> list[str]:
    """The moves of a line from a state as people write them, numbered in games that number rounds.

    The first move has the `number`, by default the number that the state itself has. The first `skip` moves are left
    out.

    >>> from gamesearch.registry import load
    >>> chess = load("chess")
    >>> line = [12 | 28 << 6, 52 | 36 << 6, 6 | 21 << 6]
    >>> " ".join(numbered(chess, chess.initial(), line)), " ".join(numbered(chess, chess.initial(), line, skip=1))
    ('1. e4 e5 2. Nf3', '1... e5 2. Nf3')
    """
    names = game.line_names(s, line)
    if not game.numbers_rounds:
        return names[skip:]
    states = list(itertools.accumulate(line, game.result, initial=s))[:-1]
    shown, is_first = list[str](), True
    for state, name, own in list(zip(states, names, move_numbers(game, states, number), strict=True))[skip:]:
        player = game.player(state)
        has_label = player != CHANCE and (is_first or player == 0)
        shown.append(f"{label(game, own, player)} {name}" if has_label else name)
        is_first = is_first and player == CHANCE
    return shown
