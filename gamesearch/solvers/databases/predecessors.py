"""Kernels that decide a layer from the finished games back, along the moves within the layer.

Each position knows its predecessors: the positions of the same layer with a move to it. It is looked at again only when
one of those after it is decided, and not in every sweep (K. Thompson 1986; T. R. Lincke and A. Marzetta 2000, "Large
endgame databases with limited memory space", ICGA Journal 23, who compare the ways). That takes 10 bytes a position
and 4 a move within the layer, beside the codes.

`waiting` is how many moves of a position are not yet known to lose, counted downwards from 0 for Min; 0 for a position
that is decided. A move out of the layer that draws or wins never goes out of the count, so such a position is not lost.
A code is tentative as long as the count is not 0: the soonest win by a move out of the layer, else the latest loss.
"""

from typing import Any

from gamesearch.algorithms.parts.codes import UNDECIDED, WON, Layers, plies_of
from gamesearch.compiler import kernel
from gamesearch.game import MAX, MIN
from gamesearch.questions import Numbered
from gamesearch.solvers.databases.kernels import code_after

__all__ = ["add_up", "count_predecessors", "decide_plies", "write_predecessors"]


@kernel
def count_predecessors(
    game: Numbered[Any], layer: int, start: int, end: int, codes: Any, layers: Layers, first: Any, waiting: Any
) -> int:
    """Count the moves of some positions within the layer, and write down what moves out of it lead to.

    Returns the greatest tentative plies to a win of these positions, or -1.
    """
    longest = -1
    for number in range(start, end):
        if codes[number] != UNDECIDED:
            continue
        s = game.unrank(layer, number)
        player = game.player(s)
        win = latest = UNDECIDED
        count, is_safe = 0, False
        for move in game.moves(s):
            after = game.result(s, move)
            if game.layer(after) == layer:
                first[game.rank(after) + 1] += 1
                count += 1
                continue
            code = code_after(game, after, layer, codes, layers)
            if code < WON:
                is_safe = True
            elif code - WON & 1 == (0 if player == MAX else 1):
                win = code + 2 if win == UNDECIDED else min(win, code + 2)
                is_safe = True
            else:
                latest = max(latest, code + 2)
        code = win if win != UNDECIDED else UNDECIDED if is_safe else latest
        if code != UNDECIDED:
            codes[number] = code
            longest = max(longest, plies_of(code))
        count += int(is_safe)
        waiting[number] = count if player == MAX else -count
    return longest


@kernel
def add_up(first: Any) -> int:
    """Turn counts of predecessors into places where they begin; how many there are in all."""
    for number in range(len(first) - 1):
        first[number + 1] += first[number]
    return int(first[len(first) - 1])


@kernel
def write_predecessors(
    game: Numbered[Any], layer: int, start: int, end: int, waiting: Any, first: Any, parents: Any
) -> None:
    """Write down some positions as predecessors; `first` moves back from the end of each list to its begin."""
    for number in range(start, end):
        if waiting[number] == 0:
            continue
        s = game.unrank(layer, number)
        for move in game.moves(s):
            after = game.result(s, move)
            if game.layer(after) == layer:
                place = game.rank(after) + 1
                first[place] -= 1
                parents[first[place]] = number


@kernel
def decide_plies(plies: int, start: int, end: int, codes: Any, waiting: Any, first: Any, parents: Any) -> int:
    """Decide those of some positions that are won or lost in so many plies, and tell their predecessors.

    Returns the greatest plies of any code that was written, tentative ones too, or -1. Calls with other positions may
    come in any order: what they write is of more plies.
    """
    longest, wanted = -1, WON + 1 + 2 * plies
    for number in range(start, end):
        code = int(codes[number])
        if code | 1 != wanted:
            continue
        winner = MAX if code & 1 == 0 else MIN
        if waiting[number] != 0:
            if (waiting[number] > 0) != (winner == MAX):
                continue  # moves are left that may not lose
            waiting[number] = 0
        sooner = code + 2
        for link in range(first[number + 1], first[number + 2]):
            parent = parents[link]
            left = waiting[parent]
            if left == 0:
                continue
            known = int(codes[parent])
            is_win = known >= WON and (left > 0) == (known & 1 == 0)
            if (left > 0) == (winner == MAX):
                if not is_win or known > sooner:
                    codes[parent] = sooner
                    longest = max(longest, plies + 1)
            else:
                waiting[parent] = left - 1 if left > 0 else left + 1
                if waiting[parent] == 0:
                    codes[parent] = max(known, sooner)
                    longest = max(longest, plies_of(max(known, sooner)))
    return longest
