"""Kernels that decide a layer from the finished games back, along the moves within the layer.

Each position knows its predecessors: the positions of the same layer with a move to it. It is looked at again only when
one of those after it is decided, and not in every sweep (K. Thompson 1986; T. R. Lincke and A. Marzetta 2000, "Large
endgame databases with limited memory space", ICGA Journal 23, who compare the ways). The rules are asked once: moves
are written down as they are found, and then sorted by where they lead to.

A `Share` of the numbers is decided by one thread: blocks of the layer, each `shares` blocks after the last. Of what is
decided in as many plies, each thread tells the predecessors, of whatever share; so counts are changed atomically where
there are several. None depends on the order: a position has its soonest win from any thread that finds it, all of which
write the same code, and its loss from the one that counts its last move, which no position has that wins. So any number
of threads finds the same.

`waiting` is how many moves of a position are not yet known to lose; 0 for one that is decided. A move out of the layer
that draws or wins never goes out of the count, so such a position is not lost. A code is tentative as long as the count
is not 0: the soonest win by a move out of the layer, else the latest loss.

A link is twice a number, and one more where both positions have the same side to move.
"""

from typing import Any, NamedTuple

from gamesearch.algorithms.databases.codes import DRAWN, NO_POSITION, UNDECIDED, WON, Layers, plies_of, seen_by
from gamesearch.compiler import fetch_early, kernel
from gamesearch.compiler.kernels import add_atomically
from gamesearch.optional import Numbered
from gamesearch.solvers.databases.kernels import code_after, is_other, payoff_code
from gamesearch.toolkit.vectors import LOOKED_AT, holds_either

__all__ = [
    "Share",
    "add_up",
    "added",
    "count_links",
    "draw_the_rest",
    "link_layer",
    "settle",
    "sort_links",
    "tell_predecessors",
]


AHEAD = 32
"""So many steps before a place of an array is asked for, the processor begins to fetch it; a power of two."""


class Share(NamedTuple):
    """Which numbers of a layer a thread decides."""

    place: int
    shares: int
    block: int
    """How many numbers a block has."""
    size: int
    """How many numbers the layer has."""


@kernel
def link_layer(
    game: Numbered[Any], layer: int, start: int, end: int, codes: Any, layers: Layers, waiting: Any, degrees: Any,
    links: Any, found: Any,
) -> int:  # fmt: skip
    """Begin some numbers of a layer, and write down where the moves of each lead to within it.

    Returns the number that it ends before, because there is no more room for links. Adds to `found` how many positions
    there are, how many payoffs are neither win, loss nor draw in a game of these, and how many links; the fourth is
    the greatest tentative plies to a win.
    """
    s = game.unrank(layer, start)
    edge = int(found[2])
    for number in range(start, end):
        if number > start:
            s = game.unrank_after(layer, number, s)
        if is_other(game, s, layer, number):
            codes[number] = NO_POSITION
            continue
        if game.terminal(s):
            codes[number] = code = payoff_code(game, s, layers)
            found[0] += 1
            found[1] += int(code == UNDECIDED)
            continue
        player, first = game.player(s), edge
        win = latest = UNDECIDED
        is_safe = False
        for move in game.moves(s):
            after = game.result(s, move)
            is_same = game.player(after) == player
            if game.layer(after) == layer:
                if edge == len(links):
                    return number
                links[edge] = 2 * game.rank(after) + int(is_same)
                edge += 1
                continue
            code = seen_by(code_after(game, after, layer, codes, layers), is_same)
            if code < WON:
                is_safe = True
            elif code & 1 == 0:
                win = code + 2 if win == UNDECIDED else min(win, code + 2)
                is_safe = True
            else:
                latest = max(latest, code + 2)
        code = win if win != UNDECIDED else UNDECIDED if is_safe else latest
        codes[number] = code
        waiting[number] = edge - first + int(is_safe)
        degrees[number] = edge - first
        found[0] += 1
        found[2] = edge
        found[3] = max(found[3], plies_of(code))
    return end


@kernel
def count_links(links: Any, first: Any) -> None:
    """Count how many links lead to each number, a place behind it."""
    for edge in range(len(links)):
        first[(links[edge] >> 1) + 1] += 1


@kernel
def added(first: Any, start: int, end: int) -> int:
    """How many predecessors some numbers have, by the counts of all threads."""
    count = 0
    for share in range(len(first)):
        for number in range(start, end):
            count += int(first[share, number])
    return count


@kernel
def add_up(first: Any, start: int, end: int, before: int) -> None:
    """Turn counts of predecessors into the places where those of each thread end, of some numbers.

    There are so many predecessors of the numbers before.
    """
    for number in range(start, end):
        for share in range(len(first)):
            before += int(first[share, number])
            first[share, number] = before


@kernel
def sort_links(start: int, end: int, degrees: Any, links: Any, first: Any, parents: Any) -> None:
    """Write down some numbers as predecessors; `first` moves back from the end of each thread's list to its begin."""
    edge = 0
    for number in range(start, end):
        for _ in range(degrees[number]):
            if edge + AHEAD < len(links):
                fetch_early(first, (links[edge + AHEAD] >> 1) + 1)
                fetch_early(parents, first[(links[edge + AHEAD // 2] >> 1) + 1] - 1)
            target = links[edge] >> 1
            place = first[target + 1] - 1
            first[target + 1] = place
            parents[place] = 2 * number + (links[edge] & 1)
            edge += 1


@kernel
def settle(share: Share, plies: int, codes: Any, waiting: Any, settled: Any) -> int:
    """Decide which of a share are won or lost in so many plies, and write them down; how many."""
    count, wanted = 0, WON + 2 * plies
    for begin in range(share.place * share.block, share.size, share.shares * share.block):
        end = min(begin + share.block, share.size)
        for start in range(begin, end, LOOKED_AT):
            if start + LOOKED_AT <= share.size and not holds_either(codes, start, wanted):
                continue
            for number in range(start, min(start + LOOKED_AT, end)):
                code = int(codes[number])
                if code | 1 != wanted + 1 or (waiting[number] != 0 and code & 1 == 1):
                    continue  # another value, or moves are left that may not lose
                waiting[number] = 0
                settled[count] = number
                count += 1
    return count


@kernel
def count_one_less(waiting: Any, number: int, is_shared: bool) -> int:
    """How many moves a position still waits for when one more is known to lose; other threads may count as well."""
    if is_shared:
        return int(add_atomically(waiting, number, -1)) - 1
    left = int(waiting[number]) - 1
    waiting[number] = left
    return left


@kernel
def prefetch_predecessors(settled: Any, place: int, codes: Any, waiting: Any, first: Any, parents: Any) -> None:
    """Fetch what some of the settled after a place need: where predecessors begin, these, and what is known of them.

    Each stands where the one before says, so each is fetched at another time.
    """
    fetch_early(first, settled[place + AHEAD] + 1)
    fetch_early(parents, first[settled[place + AHEAD // 2] + 1])
    soon = settled[place + AHEAD // 4]
    for edge in range(first[soon + 1], first[soon + 2]):
        fetch_early(waiting, parents[edge] >> 1)
        fetch_early(codes, parents[edge] >> 1)


@kernel
def tell_predecessors(
    plies: int, settled: Any, codes: Any, waiting: Any, first: Any, parents: Any, is_shared: bool
) -> int:
    """Tell the predecessors of what is settled.

    Returns the greatest plies of any code that was written, tentative ones too, or -1.
    """
    longest = -1
    for place in range(len(settled)):
        if place + AHEAD < len(settled):
            prefetch_predecessors(settled, place, codes, waiting, first, parents)
        number = settled[place]
        is_win_here = codes[number] & 1 == 0
        for edge in range(first[number + 1], first[number + 2]):
            parent = parents[edge] >> 1
            if waiting[parent] == 0:
                continue
            known = int(codes[parent])
            if is_win_here == (parents[edge] & 1 == 1):
                sooner = WON + 2 * (plies + 1)
                if known < WON or known & 1 == 1 or known > sooner:
                    codes[parent] = sooner
                    longest = max(longest, plies + 1)
            elif count_one_less(waiting, parent, is_shared) == 0:
                codes[parent] = max(known, WON + 1 + 2 * (plies + 1))
                longest = max(longest, plies_of(int(codes[parent])))
    return longest


@kernel
def draw_the_rest(_game: Numbered[Any], _layer: int, start: int, end: int, codes: Any, waiting: Any) -> int:
    """Write down as drawn those of some numbers that were never decided; how many."""
    count = 0
    for number in range(start, end):
        if waiting[number] != 0:
            codes[number] = DRAWN
            count += 1
    return count
