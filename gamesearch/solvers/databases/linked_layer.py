"""Solve a layer in which positions can repeat: go backward from decided positions to their predecessors in the layer.

Each position has a list of its predecessors, and is examined again only when one of its children is decided (K.
Thompson 1986; T. R. Lincke and A. Marzetta 2000, "Large endgame databases with limited memory space", ICGA Journal 23).
Moves are generated once, recorded as links, and sorted by the position after the move (the target). A link is an
integer: twice the number of the target, plus 1 if the side to move does not change.

If there are n threads, each thread decides one `Share` of the position numbers: every n-th block of the layer. Then the
thread updates the predecessors of the decided positions. Predecessors can lie in any share, so the counts in `waiting`
are changed atomically. A position is recorded as lost only by the thread that reduces its count to 0. So the result
does not depend on the number of threads.

For each position, `waiting` counts the moves within the layer that are not yet known to lose. 1 is added if a move to a
lower layer draws or wins. When the position is decided, `waiting` becomes 0. Until then, the position's code is
tentative. If a win is known, the code stands for the fastest known win. If no win is known and all moves to lower
layers lose, the code stands for the slowest of the losses.
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from gamesearch.algorithms.databases.codes import DRAWN, NO_POSITION, UNDECIDED, WON, Layers, code_seen_by, plies_of
from gamesearch.compiler import fetch_early, kernel
from gamesearch.compiler.kernels import add_atomically
from gamesearch.optional import NumberedGame
from gamesearch.solvers.databases.kernels import code_after, is_other, payoff_code
from gamesearch.solvers.databases.workers import Workers
from gamesearch.toolkit.vectors import LOOKED_AT, holds_either
from gamesearch.user_code.checking import endless_moves

__all__ = ["LinkedLayer", "NoRoomError"]


# Kernels. -----------------------------------------------------------------------------------------
AHEAD = 32  # the number of steps between prefetching an element of an array and using it; a power of two


class Share(NamedTuple):
    """The part of a layer that one thread decides. The fields determine which positions belong to the part."""

    place: int
    shares: int
    block: int
    size: int


@kernel
def link_layer(
    game: NumberedGame[Any], layer: int, start: int, end: int, codes: Any, layers: Layers, waiting: Any, degrees: Any,
    links: Any, found: Any,
) -> int:  # fmt: skip
    """Initialize the codes for the numbers from `start` to `end` - 1, and store each move within the layer as a link.

    Returns `end`, or the number of the first position whose moves do not fit into `links`. `found` contains the number
    of positions, the number of wrong payoffs, the number of links, and the greatest number of plies in a tentative
    code.
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
            code = code_seen_by(code_after(game, after, layer, codes, layers), is_same)
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
    """Count the links to each number; the count for number i is written into `first[i + 1]`."""
    for edge in range(len(links)):
        first[(links[edge] >> 1) + 1] += 1


@kernel
def count_predecessors(first: Any, start: int, end: int) -> int:
    """The number of links of all threads to the positions from `start` to `end` - 1."""
    count = 0
    for share in range(len(first)):
        for number in range(start, end):
            count += int(first[share, number])
    return count


@kernel
def add_up(first: Any, start: int, end: int, before: int) -> None:
    """Before the call, `first` contains the number of links to each position. Replace this number by the index at which
    the list of the position's predecessors ends. `before` is the number of links to positions with numbers below
    `start`."""
    for number in range(start, end):
        for share in range(len(first)):
            before += int(first[share, number])
            first[share, number] = before


@kernel
def sort_links(start: int, end: int, degrees: Any, links: Any, first: Any, parents: Any) -> None:
    """Fill the lists of predecessors from back to front. Before the call, `first` contains the ends of the lists; after
    the call, their beginnings."""
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
    """Decide all positions of one share that are won or lost in `plies` plies. Writes their numbers into `settled`, and
    returns how many there are."""
    count, wanted = 0, WON + 2 * plies
    for begin in range(share.place * share.block, share.size, share.shares * share.block):
        end = min(begin + share.block, share.size)
        for start in range(begin, end, LOOKED_AT):
            if start + LOOKED_AT <= share.size and not holds_either(codes, start, wanted):
                continue
            for number in range(start, min(start + LOOKED_AT, end)):
                code = int(codes[number])
                if code | 1 != wanted + 1 or (waiting[number] != 0 and code & 1 == 1):
                    continue  # not a win or loss in this number of plies, or a loss that is still tentative
                waiting[number] = 0
                settled[count] = number
                count += 1
    return count


@kernel
def count_one_less(waiting: Any, number: int, is_shared: bool) -> int:
    """Subtract 1 from `waiting` for a position, atomically if `is_shared`; returns the new number."""
    if is_shared:
        return int(add_atomically(waiting, number, -1)) - 1
    left = int(waiting[number]) - 1
    waiting[number] = left
    return left


@kernel
def prefetch_predecessors(settled: Any, place: int, codes: Any, waiting: Any, first: Any, parents: Any) -> None:
    """Prefetch data of later positions: first the index of the predecessors, then the list of the predecessors, and
    finally the codes of the predecessors."""
    fetch_early(first, settled[place + AHEAD] + 1)
    fetch_early(parents, first[settled[place + AHEAD // 2] + 1])
    soon = settled[place + AHEAD // 4]
    for edge in range(first[soon + 1], first[soon + 2]):
        fetch_early(waiting, parents[edge] >> 1)
        fetch_early(codes, parents[edge] >> 1)


@kernel
def update_predecessors(
    plies: int, settled: Any, codes: Any, waiting: Any, first: Any, parents: Any, is_shared: bool
) -> int:
    """Update the predecessors of settled positions, and write the codes of predecessors that are now decided. Returns
    the greatest number of plies in the written codes, or -1 if none is written."""
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
def draw_the_rest(_game: NumberedGame[Any], _layer: int, start: int, end: int, codes: Any, waiting: Any) -> int:
    """Record a draw for each undecided position from `start` to `end` - 1; returns the number of these positions."""
    count = 0
    for number in range(start, end):
        if waiting[number] != 0:
            codes[number] = DRAWN
            count += 1
    return count


# The layer. ---------------------------------------------------------------------------------------
LINKED, LINK_BYTES = 14, 8
"""A layer needs LINKED bytes for each position number, and LINK_BYTES for each move within the layer. Each thread needs
another INDEX_BYTES for each position number."""
INDEX_BYTES = 4
BLOCK = 1 << 12
ROOM, LARGE_ROOM, MOST_ROOM = 1 << 16, 1 << 22, 1 << 24
"""The number of links in the first buffer, in later buffers, and in the largest buffer (for positions with many
moves)."""
AT_ONCE = 1 << 16  # the number of positions that one call of `draw_the_rest` processes
NARROW = 1 << 30  # if all position numbers are smaller, links fit into 32 bits

Widen = Callable[[Any, int], Any]
"""A function that makes codes wide enough to represent wins in a given number of plies."""


class NoRoomError(Exception):
    """Raised if the moves within a layer do not fit into memory."""


class Links:
    """The links whose moves begin at the positions of one share."""

    def __init__(self, share: Share) -> None:
        self.share = share
        self.kind = np.int32 if share.size < NARROW else np.int64
        self.parts: list[tuple[int, int, Any]] = []
        """Ranges of position numbers, as (first, end, links): `links` are the links that begin at these positions."""
        self.count = self.used = 0
        self.found = np.zeros(4, np.int64)
        self.room = np.empty(ROOM, self.kind)
        self.settled = np.zeros(sum(end - start for start, end in self.blocks()) + 1, np.int64)

    def blocks(self) -> Iterator[tuple[int, int]]:
        """Yield the beginning and the end of each block of the share."""
        place, shares, block, size = self.share
        for begin in range(place * block, size, shares * block):
            yield begin, min(begin + block, size)

    def keep(self, start: int, end: int) -> None:
        """Keep the new links in the buffer: the links from the positions `start` to `end` - 1."""
        count = int(self.found[2])
        if end > start:
            self.parts.append((start, end, self.room[self.used : count]))
            self.count += count - self.used
            self.used = count

    def make_room(self) -> None:
        """Replace a full buffer by a new buffer, which is larger if the links of a single position did not fit."""
        size = 2 * len(self.room)
        self.room = np.empty(min(size, LARGE_ROOM) if self.used else size, self.kind)
        self.used = self.found[2] = 0


class Predecessors:
    """The moves within a layer, sorted by target.

    The moves to a position are adjacent in `parents`. `first` has a row for each thread. For each target, the row
    contains an index in `parents`. The thread's moves to this target begin there. After sorting, only the first row is
    used.
    """

    def __init__(self, workers: Workers, size: int, links: list[Links]) -> None:
        self.workers, self.size, self.links = workers, size, links
        count = sum(each.count for each in links)
        self.first = np.zeros((len(links), size + 2), np.int32 if count < 1 << 31 else np.int64)
        self.parents = np.zeros(max(1, count), links[0].kind)

    def sort(self, degrees: Any) -> None:
        """Sort all links by target, with one thread for each share that has links."""
        length, shares = self.size + 2, len(self.links)
        ranges = [(length * place // shares, length * (place + 1) // shares) for place in range(shares)]
        before = [0] * shares

        def add_links(place: int) -> Iterator[int]:
            before[place] = int(self.workers.call(count_predecessors, self.first, *ranges[place]))
            yield 0

        def sum_counts(place: int) -> Iterator[int]:
            self.workers.call(add_up, self.first, *ranges[place], sum(before[:place]))
            yield 0

        for job in (self.count_links, add_links, sum_counts, lambda place: self.sort_links(place, degrees)):
            self.workers.run_jobs("sorting moves", self.size, [job(place) for place in range(shares)])

    def count_links(self, place: int) -> Iterator[int]:
        """Count links by target."""
        for _, _, found in self.links[place].parts:
            self.workers.call(count_links, found, self.first[place])
            yield 0

    def sort_links(self, place: int, degrees: Any) -> Iterator[int]:
        """Add a share's links to the lists of predecessors, and free the memory of the links. This generator is a job
        for `run_jobs`."""
        parts = self.links[place].parts
        parts.reverse()
        while parts:
            start, end, found = parts.pop()
            self.workers.call(sort_links, start, end, degrees, found, self.first[place], self.parents)
            yield end - start

    def update(self, plies: int, settled: Any, codes: Any, waiting: Any) -> int:
        """Update the predecessors of settled positions, and return the result of `update_predecessors`."""
        given, is_shared = (plies, settled, codes, waiting), len(self.links) > 1
        return int(self.workers.call(update_predecessors, *given, self.first[0], self.parents, is_shared))


class LinkedLayer:
    """Solves a layer whose positions can repeat, in one or several threads."""

    def __init__(self, workers: Workers, layer: int, size: int, most_bytes: int) -> None:
        self.workers, self.layer, self.size, self.most_bytes = workers, layer, size, most_bytes
        shares = workers.count
        block = max(1, min(BLOCK, size // (4 * shares)))
        self.links = [Links(Share(place, shares, block, size)) for place in range(shares)]
        self.refuse_too_large()

    def refuse_too_large(self) -> None:
        """Raise NoRoomError if the links do not fit into memory."""
        each = LINKED + INDEX_BYTES * len(self.links)
        if self.size * each + LINK_BYTES * sum(links.count for links in self.links) > self.most_bytes:
            raise NoRoomError

    def solve(self, codes: Any, layers: Callable[[bool], Layers], widen: Widen) -> tuple[Any, int]:
        """Solve the layer. Returns the codes of the layer and its number of positions. The number is -1 if a payoff is
        not a win, a loss or a draw."""
        waiting = np.zeros(self.size, np.int16)
        before = self.link(codes, layers, waiting)
        found = np.array([links.found for links in self.links])
        if found[:, 1].any():
            return codes, -1
        last, plies = int(found[:, 3].max()), 0
        while plies <= last:
            codes = widen(codes, plies + 1)
            last = max(last, self.decide(plies, last, before, codes, waiting))
            plies += 1
        self.workers.run_blocks("drawing the rest", self.size, AT_ONCE, draw_the_rest, self.layer, codes, waiting)
        return codes, int(found[:, 0].sum())

    def link(self, codes: Any, layers: Callable[[bool], Layers], waiting: Any) -> Predecessors:
        """Initialize the codes of the layer, and sort all moves within the layer by target."""
        degrees, game = np.zeros(self.size, np.int16), self.workers.runner.game
        room, found = self.links[0].room, self.links[0].found
        code, given = self.workers.prepare(
            link_layer, game, self.layer, 0, 0, codes, layers, waiting, degrees, room, found
        )

        def job(links: Links) -> Iterator[int]:
            for begin, end in links.blocks():
                start = begin
                while start < end:
                    stop = int(code(*given[:2], start, end, *given[4:8], links.room, links.found))
                    links.keep(start, stop)
                    start = stop
                    if stop < end:
                        links.make_room()
                    if len(links.room) > MOST_ROOM:
                        raise endless_moves(game)
                self.refuse_too_large()
                yield end - begin

        self.workers.run_jobs("finding moves", self.size, [job(links) for links in self.links])
        before = Predecessors(self.workers, self.size, self.links)
        before.sort(degrees)
        return before

    def decide(self, plies: int, last: int, before: Predecessors, codes: Any, waiting: Any) -> int:
        """Mark the positions that are won or lost in `plies` plies as decided, and update their predecessors. Returns
        the result of `update_predecessors` for all threads together."""
        settled: list[Any] = [None] * len(self.links)
        longest = [-1] * len(self.links)

        def decide_positions(place: int, links: Links) -> Iterator[int]:
            count = self.workers.call(settle, links.share, plies, codes, waiting, links.settled)
            settled[place] = links.settled[:count]
            yield 0

        def notify_predecessors(place: int, _: Links) -> Iterator[int]:
            longest[place] = before.update(plies, settled[place], codes, waiting)
            yield self.size // len(self.links)

        stage = f"{plies} of at least {last} plies"
        for job in (decide_positions, notify_predecessors):
            self.workers.run_jobs(stage, self.size, [job(place, links) for place, links in enumerate(self.links)])
        return max(longest)
