"""A layer with loops, decided by its moves: written down once, sorted by where they lead to, and followed back.

The kernels are in `gamesearch.solvers.databases.predecessors`. Each thread has a share of the numbers: it finds the
moves that begin there, sorts these in among those of the others, and decides these numbers.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from gamesearch.algorithms.databases.codes import Layers
from gamesearch.solvers.databases.predecessors import (
    Share,
    add_up,
    added,
    count_links,
    draw_the_rest,
    link_layer,
    settle,
    sort_links,
    tell_predecessors,
)
from gamesearch.solvers.databases.workers import Workers
from gamesearch.user_code.checking import endless_moves

__all__ = ["LinkedLayer", "NoRoomError"]

LINKED, LINK_BYTES = 14, 8
"""Bytes that a number, and a move within the layer, take at most, with the codes, beside what each thread has."""
INDEX_BYTES = 4
BLOCK = 1 << 12
ROOM, LARGE_ROOM, MOST_ROOM = 1 << 16, 1 << 22, 1 << 24
"""Moves are written down in rooms for so many, at first. Later ones are larger, as the system gives these more quickly;
only a single number with more moves gets more, up to the last."""
AT_ONCE = 1 << 16
"""So many numbers are looked at last at a time."""
NARROW = 1 << 30
"""A link to a smaller number fits 32 bits."""

Widen = Callable[[Any, int], Any]
"""Gives codes the width that wins in so many plies take."""


class NoRoomError(Exception):
    """The moves within a layer do not fit memory."""


class Links:
    """The moves within a layer that begin in a share of it."""

    def __init__(self, share: Share) -> None:
        self.share = share
        self.kind = np.int32 if share.size < NARROW else np.int64
        self.parts: list[tuple[int, int, Any]] = []
        """Numbers, from and to, and where their moves lead to, one after another."""
        self.count = self.used = 0
        self.found = np.zeros(4, np.int64)
        self.room = np.empty(ROOM, self.kind)
        self.settled = np.zeros(sum(end - start for start, end in self.blocks()) + 1, np.int64)

    def blocks(self) -> Iterator[tuple[int, int]]:
        """Yield where the blocks of the share begin and end."""
        place, shares, block, size = self.share
        for begin in range(place * block, size, shares * block):
            yield begin, min(begin + block, size)

    def keep(self, start: int, end: int) -> None:
        """Keep what was written into the room for some numbers."""
        count = int(self.found[2])
        if end > start:
            self.parts.append((start, end, self.room[self.used : count]))
            self.count += count - self.used
            self.used = count

    def make_room(self) -> None:
        """Take another room, as this one is full; a larger one, if it holds the moves of no number."""
        size = 2 * len(self.room)
        self.room = np.empty(min(size, LARGE_ROOM) if self.used else size, self.kind)
        self.used = self.found[2] = 0


class Predecessors:
    """The moves within a layer, sorted by where they lead to.

    Those that lead to one number are next to each other, those of the first thread first; `first` has a row for each
    thread, in which it finds where its own begin. Once all are sorted, the first row alone is asked.
    """

    def __init__(self, workers: Workers, size: int, links: list[Links]) -> None:
        self.workers, self.size, self.links = workers, size, links
        count = sum(each.count for each in links)
        self.first = np.zeros((len(links), size + 2), np.int32 if count < 1 << 31 else np.int64)
        self.parents = np.zeros(max(1, count), links[0].kind)

    def sort(self, degrees: Any) -> None:
        """Sort all moves in, by as many threads as have found some."""
        length, shares = self.size + 2, len(self.links)
        ranges = [(length * place // shares, length * (place + 1) // shares) for place in range(shares)]
        before = [0] * shares

        def adding(place: int) -> Iterator[int]:
            before[place] = int(self.workers.call(added, self.first, *ranges[place]))
            yield 0

        def adding_up(place: int) -> Iterator[int]:
            self.workers.call(add_up, self.first, *ranges[place], sum(before[:place]))
            yield 0

        for job in (self.counting, adding, adding_up, lambda place: self.sorting(place, degrees)):
            self.workers.together("sorting moves", self.size, [job(place) for place in range(shares)])

    def counting(self, place: int) -> Iterator[int]:
        """Count moves by where they lead to."""
        for _, _, found in self.links[place].parts:
            self.workers.call(count_links, found, self.first[place])
            yield 0

    def sorting(self, place: int, degrees: Any) -> Iterator[int]:
        """Sort moves in, and forget them where they were; yields how many numbers are done."""
        parts = self.links[place].parts
        parts.reverse()
        while parts:
            start, end, found = parts.pop()
            self.workers.call(sort_links, start, end, degrees, found, self.first[place], self.parents)
            yield end - start

    def tell(self, plies: int, settled: Any, codes: Any, waiting: Any) -> int:
        """Tell the predecessors of what was settled; the greatest plies of any code that was written, or -1."""
        told, is_shared = (plies, settled, codes, waiting), len(self.links) > 1
        return int(self.workers.call(tell_predecessors, *told, self.first[0], self.parents, is_shared))


class LinkedLayer:
    """A layer whose positions can recur, as it is decided by one thread or several."""

    def __init__(self, workers: Workers, layer: int, size: int, most_bytes: int) -> None:
        self.workers, self.layer, self.size, self.most_bytes = workers, layer, size, most_bytes
        shares = workers.count
        block = max(1, min(BLOCK, size // (4 * shares)))
        self.links = [Links(Share(place, shares, block, size)) for place in range(shares)]
        self.refuse_too_large()

    def refuse_too_large(self) -> None:
        """Raise NoRoomError where memory does not hold what there is."""
        each = LINKED + INDEX_BYTES * len(self.links)
        if self.size * each + LINK_BYTES * sum(links.count for links in self.links) > self.most_bytes:
            raise NoRoomError

    def solve(self, codes: Any, layers: Callable[[bool], Layers], widen: Widen) -> tuple[Any, int]:
        """The codes of the layer, and how many positions it has; -1 where one pays neither win, loss nor draw."""
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
        self.workers.over("drawing the rest", self.size, AT_ONCE, draw_the_rest, self.layer, codes, waiting)
        return codes, int(found[:, 0].sum())

    def link(self, codes: Any, layers: Callable[[bool], Layers], waiting: Any) -> Predecessors:
        """Begin the layer, and sort all moves within it."""
        degrees, game = np.zeros(self.size, np.int16), self.workers.runner.game
        room, found = self.links[0].room, self.links[0].found
        code, given = self.workers.ready(
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

        self.workers.together("finding moves", self.size, [job(links) for links in self.links])
        before = Predecessors(self.workers, self.size, self.links)
        before.sort(degrees)
        return before

    def decide(self, plies: int, last: int, before: Predecessors, codes: Any, waiting: Any) -> int:
        """Decide what is won or lost in so many plies; the greatest plies of any code that was written, or -1."""
        settled: list[Any] = [None] * len(self.links)
        longest = [-1] * len(self.links)

        def deciding(place: int, links: Links) -> Iterator[int]:
            count = self.workers.call(settle, links.share, plies, codes, waiting, links.settled)
            settled[place] = links.settled[:count]
            yield 0

        def telling(place: int, _: Links) -> Iterator[int]:
            longest[place] = before.tell(plies, settled[place], codes, waiting)
            yield self.size // len(self.links)

        stage = f"{plies} of at least {last} plies"
        for job in (deciding, telling):
            self.workers.together(stage, self.size, [job(place, links) for place, links in enumerate(self.links)])
        return max(longest)
