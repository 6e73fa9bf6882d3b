"""Opening books from searches to the end: first whether early positions are won, drawn or lost, then how much they pay.

A book is made for one side or for both. Beginning at the start, the side that is prepared plays a move that keeps what
it is sure of, and every reply to it is prepared for, up to a number of plies. So a book holds far fewer positions than
there are, and who follows it is never out of it before.

What a position is worth is asked as in `decide`: is it at least so much? Above the last plies, moves are tried one
after another until the book has the answer; there, alpha-beta with a null window finds it. Each answer is kept in the
book, so that work that was stopped goes on with all that was known, and mirrored positions are searched once.
"""

import contextlib
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from gamesearch.algorithms.alphabeta import AlphaBeta
from gamesearch.algorithms.engine.result import WHY_STOPPED, Limits, Monitor
from gamesearch.algorithms.engine.runner import Runner
from gamesearch.algorithms.engine.searcher import Searcher
from gamesearch.algorithms.node.workspace import FULL_DEPTH
from gamesearch.compiler import speed_for
from gamesearch.errors import GamesearchError, Interrupted, refuse
from gamesearch.files.books import Book, Bounds
from gamesearch.game import MAX, MIN, NEVER, Game

__all__ = ["BookMaker", "Made", "refuse_unfit"]

GLANCE = {"compiled": 10, "interpreted": 3}
"""Moves are tried in the order of their values by a search of so many plies: a wrong first move costs most here."""
SIDES = {"both": (MAX, MIN), "max": (MAX,), "min": (MIN,)}
"""Whom a book is made for."""


def refuse_unfit(game: Game[Any]) -> None:
    """Raise GamesearchError, with the reason, for a game whose positions have no certain values of their own."""
    it = f"there is no book of {game.name}: it"
    refuse(
        (game.payoff_count > 1, f"there is no book of {game.name}: values are {game.zero_sum_words()}"),
        (game.chance, f"{it} has chance nodes, which its searches do not know"),
        (game.recurrence != NEVER, f"{it} lets positions come again, so a position alone has no value"),
    )


@dataclass
class Made:
    """How far a book is."""

    positions: int = 0
    """In the book."""
    searched: int = 0
    """Positions searched to the end, in this run."""
    nodes: int = 0
    seconds: float = 0.0
    stage: str = ""
    is_finished: bool = False


class BookMaker:
    """Makes a book, or goes on with one.

    `listen` is told how far the book is after each position that was searched; the book may then be written.
    """

    def __init__(
        self,
        book: Book,
        plies: int,
        *,
        exact: bool = False,
        memory: int = 256,
        threads: int = 1,
        speed: str = "auto",
        listen: Callable[[Made], None] = lambda _: None,
        monitor: Monitor | None = None,
    ) -> None:
        refuse_unfit(book.game)
        self.book, self.game, self.plies, self.exact = book, book.game, plies, exact
        self.speed, self.listen, self.monitor = speed, listen, monitor
        self.algorithm = AlphaBeta(
            "full", table=True, memory=memory, order="game", bounds=True, window="null", threads=threads
        )
        glance = AlphaBeta(GLANCE[speed_for(self.game, speed)], table=True, memory=1, order="game", bounds=True)
        self.glances = Searcher(self.game, glance, speed)
        self.runner: Runner
        self.made = Made()

    def make(self, sides: str, limit: float | None = None) -> Made:
        """Prepare one side or both; stops, with what is known so far, after `limit` seconds.

        Raises Interrupted after Ctrl-C.
        """
        with self.searching(limit):
            for is_exact in (False, True)[: 1 + self.exact]:
                for side in SIDES[sides]:
                    self.made.stage = f"{self.game.player_name(side)}, {'how soon' if is_exact else 'who wins'}"
                    self.prepare(self.game.initial(), side, 0, is_exact, set())
        return self.made

    def ask(self, s: Any, least: float) -> tuple[bool, Made]:
        """Whether the value of a position is at least so much, and what it took to find out."""
        with self.searching(None):
            answer = self.decide(s, least, 0)
        return answer, self.made

    @contextlib.contextmanager
    def searching(self, limit: float | None) -> Iterator[None]:
        """Have a table for the searches inside, which end quietly after `limit` seconds."""
        with self.algorithm.runner(self.game, self.speed) as self.runner, self.glances:
            self.runner.start(Limits(time=limit), monitor=self.monitor)
            self.runner.begin(bounds=True)
            with contextlib.suppress(TimeIsUpError):
                yield
                self.made.is_finished = True
            self.tell()

    def tell(self) -> None:
        """Say how far the book is."""
        self.made.positions, self.made.nodes = len(self.book.positions), self.runner.execution.nodes_so_far
        self.made.seconds = self.runner.seconds
        self.listen(self.made)

    def prepare(self, s: Any, side: int, ply: int, is_exact: bool, done: set[str]) -> None:
        """Prepare a side for a position and all that can follow while it plays its own moves."""
        if self.game.terminal(s) or self.book.hashed(s) in done:
            return
        done.add(self.book.hashed(s))
        while (least := self.question(self.book.bounds(s), side, is_exact)) is not None:
            self.decide(s, least, ply)
        self.book.note(s, self.book.bounds(s))
        if ply >= self.plies:
            return
        moves = self.book.moves(s)[:1] if self.game.player(s) == side else self.game.steps(s)
        for m in moves:
            self.prepare(self.game.result(s, m), side, ply + 1, is_exact, done)

    def question(self, known: Bounds, side: int, is_exact: bool) -> float | None:
        """What to ask next of a value: whether it is at least so much. None where enough is known.

        First what a side hopes for, a win; then whether it has a draw; then, away from the draw, how much it pays.
        """
        draw = float(self.game.draw_value())
        win = self.above(draw)
        for least in (win, draw) if side == MAX else (draw, win):
            if known.lower < least <= known.upper:
                return least
        if not is_exact or known.lower == known.upper:
            return None
        return self.above(known.lower) if known.lower >= win else known.upper

    def above(self, value: float) -> float:
        """The least payoff that is more than a value, as far as the game says."""
        if self.game.whole_payoffs:
            return math.floor(value) + 1.0
        return float(self.game.MAXSCORE) if self.game.win_or_loss else math.nextafter(value, math.inf)

    def decide(self, s: Any, least: float, ply: int) -> bool:
        """Whether the value of a position is at least so much; the book knows it then."""
        known = self.book.bounds(s)
        if known.lower < least <= known.upper:
            found = self.by_search(s, least) if ply >= self.plies else self.by_moves(s, least, ply)
            known = known.narrowed(found)
        self.book.note(s, known)
        return known.lower >= least

    def by_moves(self, s: Any, least: float, ply: int) -> Bounds:
        """Bounds that answer the question, from those of the positions after the moves."""
        wants = self.game.player(s) == MAX  # the answer that a single move can give
        after = [self.game.result(s, m) for m in self.game.steps(s)]
        for each in self.promising(s, after, least):
            if self.decide(each, least, ply + 1) == wants:
                found = self.book.bounds(each)
                return Bounds(lower=found.lower) if wants else Bounds(upper=found.upper)
        if wants:
            return Bounds(upper=max(self.book.bounds(each).upper for each in after))
        return Bounds(lower=min(self.book.bounds(each).lower for each in after))

    def promising(self, s: Any, after: list[Any], least: float) -> list[Any]:
        """The positions after the moves, those first that answer the question already, then the best at a glance."""
        sign = -1 if self.game.player(s) == MAX else 1
        settled, open_ones = list[Any](), dict[str, tuple[float, Any]]()
        for each in after:
            known = self.book.bounds(each)
            if not known.lower < least <= known.upper:
                settled.append(each)
            elif (place := self.book.hashed(each)) not in open_ones:
                open_ones[place] = sign * self.glance(each), each
        decisive = [each for each in settled if (self.book.bounds(each).lower >= least) == (sign < 0)]
        return decisive or [each for _, each in sorted(open_ones.values(), key=lambda found: found[0])]

    def glance(self, s: Any) -> float:
        """The value of a position by a shallow search."""
        value = self.glances.search(s).value
        assert isinstance(value, int | float)
        return value

    def by_search(self, s: Any, least: float) -> Bounds:
        """Bounds that answer the question, by alpha-beta to the end of the game."""
        value, _ = self.algorithm.window_search(self.runner, s, math.nextafter(least, -math.inf), least, FULL_DEPTH)
        if self.runner.stopped == "time":
            raise TimeIsUpError
        if self.runner.stopped == "interrupted":
            raise Interrupted("interrupted: the book is kept, and the same command goes on from there")
        if self.runner.stopped:
            raise GamesearchError(f"{self.game.name} cannot be solved by search: {WHY_STOPPED[self.runner.stopped]}")
        self.made.searched += 1
        if self.game.whole_payoffs:
            value = math.ceil(value) if value >= least else math.floor(value)
        found = Bounds(lower=value) if value >= least else Bounds(upper=value)
        self.book.note(s, found)
        self.tell()
        return found


class TimeIsUpError(Exception):
    """The time for making a book is up."""
