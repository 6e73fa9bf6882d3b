"""A layer with loops, decided by its moves: written down once, sorted by where they lead to, and followed back.

The kernels are in `gamesearch.solvers.databases.predecessors`. Each thread has a share of the numbers, with the moves
that begin there.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from gamesearch.algorithms.parts.codes import DRAWN, Layers
from gamesearch.checking import endless_moves
from gamesearch.solvers.databases.pieces import Pieces
from gamesearch.solvers.databases.predecessors import (
    Share,
    add_up,
    count_links,
    link_layer,
    settle,
    sort_links,
    tell_predecessors,
)

__all__ = ["LinkedLayer", "NoRoomError"]

LINKED, LINK_BYTES = 8, 8
"""Bytes that a number, and a move within the layer, take at most, beside the codes and what each thread has."""
INDEX_BYTES = 4
BLOCK = 1 << 12
ROOM = 1 << 16
"""So many moves of a block are written down at once, at first."""
MOST_ROOM = 1 << 24
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
        self.count = 0
        self.found = np.zeros(4, np.int64)
        self.room = np.zeros(ROOM, self.kind)
        self.first = self.parents = self.settled = self.room[:0]

    def blocks(self) -> Iterator[tuple[int, int]]:
        """Yield where the blocks of the share begin and end."""
        place, shares, block, size = self.share
        for begin in range(place * block, size, shares * block):
            yield begin, min(begin + block, size)

    def keep(self, start: int, end: int) -> None:
        """Keep what was written into the room for some numbers; make more where there is too little for one."""
        count = int(self.found[2])
        if end > start:
            self.parts.append((start, end, self.room[:count].copy()))
            self.count += count
        else:
            self.room = np.zeros(2 * len(self.room), self.kind)
        self.found[2] = 0

    def sort(self, pieces: Pieces, degrees: Any) -> Iterator[int]:
        """Sort the moves by where they lead to; yields how many numbers are done."""
        self.first = np.zeros(self.share.size + 2, np.int32 if self.count < 1 << 31 else np.int64)
        self.parents = np.zeros(max(1, self.count), self.kind)
        self.settled = np.zeros(sum(end - start for start, end in self.blocks()) + 1, np.int64)
        for _, _, links in self.parts:
            pieces.call(count_links, links, self.first)
        pieces.call(add_up, self.first)
        self.parts.reverse()
        while self.parts:
            start, end, links = self.parts.pop()
            pieces.call(sort_links, start, end, degrees, links, self.first, self.parents)
            yield end - start


class LinkedLayer:
    """A layer whose positions can recur, as it is decided by one thread or several."""

    def __init__(self, pieces: Pieces, layer: int, size: int, most_bytes: int) -> None:
        self.pieces, self.layer, self.size, self.most_bytes = pieces, layer, size, most_bytes
        shares = pieces.workers
        block = max(1, min(BLOCK, size // (4 * shares)))
        self.links = [Links(Share(place, shares, block, size)) for place in range(shares)]
        self.refuse_too_large()

    def refuse_too_large(self) -> None:
        """Raise NoRoomError where memory does not hold what there is."""
        each = LINKED + INDEX_BYTES * len(self.links) + 2
        if self.size * each + LINK_BYTES * sum(links.count for links in self.links) > self.most_bytes:
            raise NoRoomError

    def solve(self, codes: Any, layers: Callable[[bool], Layers], widen: Widen) -> tuple[Any, int]:
        """The codes of the layer, and how many positions it has; -1 where one pays neither win, loss nor draw."""
        waiting = np.zeros(self.size, np.int16)
        self.link(codes, layers, waiting)
        found = np.array([links.found for links in self.links])
        if found[:, 1].any():
            return codes, -1
        last, plies = int(found[:, 3].max()), 0
        while plies <= last:
            codes = widen(codes, plies + 1)
            last = max(last, self.decide(plies, last, codes, waiting))
            plies += 1
        codes[waiting != 0] = DRAWN
        return codes, int(found[:, 0].sum())

    def link(self, codes: Any, layers: Callable[[bool], Layers], waiting: Any) -> None:
        """Begin the layer, and write all moves within it down."""
        degrees, game = np.zeros(self.size, np.int16), self.pieces.runner.game
        room, found = self.links[0].room, self.links[0].found
        code, given = self.pieces.ready(
            link_layer, game, self.layer, 0, 0, codes, layers, waiting, degrees, room, found
        )

        def job(links: Links) -> Iterator[int]:
            for begin, end in links.blocks():
                start = begin
                while start < end:
                    stop = int(code(*given[:2], start, end, *given[4:8], links.room, links.found))
                    links.keep(start, stop)
                    start = stop
                    if len(links.room) > MOST_ROOM:
                        raise endless_moves(game)
                self.refuse_too_large()
                yield end - begin

        self.pieces.together("finding moves", self.size, [job(links) for links in self.links])
        jobs = [links.sort(self.pieces, degrees) for links in self.links]
        self.pieces.together("sorting moves", self.size, jobs)

    def decide(self, plies: int, last: int, codes: Any, waiting: Any) -> int:
        """Decide what is won or lost in so many plies; the greatest plies of any code that was written, or -1."""
        settled: list[Any] = [None] * len(self.links)
        longest = [-1] * len(self.links)

        def deciding(place: int, links: Links) -> Iterator[int]:
            count = self.pieces.call(settle, links.share, plies, codes, waiting, links.settled)
            settled[place] = links.settled[:count]
            yield 0

        def telling(place: int, links: Links) -> Iterator[int]:
            for each in settled:
                if len(each):
                    told = self.pieces.call(tell_predecessors, plies, each, codes, waiting, links.first, links.parents)
                    longest[place] = max(longest[place], int(told))
            yield self.size // len(self.links)

        stage = f"{plies} of at least {last} plies"
        for job in (deciding, telling):
            self.pieces.together(stage, self.size, [job(place, links) for place, links in enumerate(self.links)])
        return max(longest)
