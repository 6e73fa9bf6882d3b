"""How alpha-beta uses its kernel: with one window, with many that have no width, and again for how soon."""

import math
from dataclasses import replace
from typing import Any

from gamesearch.algorithms.algorithm import DeepeningSearch, without_age
from gamesearch.algorithms.alphabeta import alphabeta
from gamesearch.algorithms.result import SearchResult
from gamesearch.algorithms.session import Session
from gamesearch.algorithms.workspace import MAX_PLY
from gamesearch.errors import GamesearchError
from gamesearch.game import MAX, Game

__all__ = ["AlphaBeta"]


class AlphaBeta(DeepeningSearch):
    """Minimax's value without the moves that cannot change it.

    With `bounds`, the value of every position that is searched, the root's included, is clipped into what
    `game.bounds` says of it; finished games, draws by recurrence and estimates at the horizon stay as they
    are. The root is still searched for its best move: its bounds neither end that search nor narrow its
    window, and only its value is clipped. All windows find the same value.
    """

    name = "alphabeta"
    summary = "minimax without what cannot matter; with table, ordering, deepening"
    source = "Knuth & Moore 1975; Russell & Norvig, 4th ed., fig. 5.7"

    def __init__(
        self,
        depth: int | str = "",
        time: float = 0.0,
        deepen: bool = False,
        table: bool = False,
        memory: int = 64,
        order: str = "generated",
        bounds: bool = False,
        window: str = "full",
        fail: str = "soft",
        distance: bool = True,
    ) -> None:
        if window not in ("full", "null"):
            raise GamesearchError(f"window is full or null, not {window!r}")
        if fail not in ("soft", "hard"):
            raise GamesearchError(f"fail is soft or hard, not {fail!r}")
        if window == "null" and fail == "hard":
            raise GamesearchError("window=null learns from values outside its windows, which fail=hard clips")
        if window == "null" and not table:
            raise GamesearchError("window=null asks again and again, and needs table=true")
        self.take(depth, time, deepen, table, memory, order)
        self.bounds, self.window, self.fail, self.distance = bounds, window, fail, distance
        self.is_exact = not bounds  # the game's bounds may know more than a search to a depth sees

    def one_depth(self, session: Session, state: Any, depth: int) -> tuple[float, tuple[int, ...]]:
        """The value and line of a search from the root to a depth."""
        # While deepening, a win is found at the depth it takes; else `finish` looks for the soonest.
        ages = self.distance and self.deepen and session.game.win_or_loss
        session.begin(bounds=self.bounds, ages=ages, fail_hard=self.fail == "hard")
        session.note_iteration(depth, "search")
        if self.window == "null":
            return self.null_windows(session, state, depth)
        return self.window_search(session, state, -math.inf, math.inf, depth)

    def finish(self, session: Session, state: Any, depth: int, found: SearchResult) -> SearchResult:
        """Look for the soonest win, or the latest loss, of a position that is one; clip the value."""
        game = session.game
        is_decided = game.win_or_loss and found.value in (game.MINSCORE, game.MAXSCORE)
        if self.distance and is_decided and not self.deepen and not session.stopped:
            found = self.how_soon(session, state, depth, found)
        if not self.bounds or found.value is None:
            return found
        assert isinstance(found.value, float)
        least, greatest = game.bounds(state)
        value = max(float(least), min(float(greatest), found.value))
        return found if value == found.value else replace(found, value=value, distance=None)

    def window_search(
        self, session: Session, state: Any, alpha: float, beta: float, depth: int
    ) -> tuple[float, tuple[int, ...]]:
        """The value of the root as far as it lies in a window, and its line."""
        value = session.run(
            alphabeta,
            lambda: (
                session.game, state, float(alpha), float(beta), depth, 0,
                session.workspace, session.table, session.ordering, session.observer,
            ),
        )  # fmt: skip
        return float(value), session.line

    def null_windows(self, session: Session, state: Any, depth: int) -> tuple[float, tuple[int, ...]]:
        """The value of the root by searches that only ask whether it is more than so much.

        Windows without width cut most, and the table remembers what earlier ones found (Plaat,
        Schaeffer, Pijls and de Bruin 1996, Artificial Intelligence 87). The questions halve the range in
        which the value should lie. Each answer leaves less of it, so that none is asked twice; where one
        leaves nothing, the value lies outside, and a full window finds it.

        The line is that of the last window that the player to move came out of as he wished: only that
        shows a move that reaches the value. Behind it, the line of a window without width is of no value.
        """
        game = session.game
        maximizing = game.player(state) == MAX
        lower, upper = self.expected_range(game, state)
        even = game.draw_value() if game.win_or_loss else 0.0
        line: tuple[int, ...] = ()
        while lower != upper or not line:
            if lower > upper:
                value, tried = self.window_search(session, state, -math.inf, math.inf, depth)
                return (value, tried) if tried else (lower if maximizing else upper, line)
            alpha = question(lower, upper, even, maximizing)
            beta = math.nextafter(alpha, math.inf)
            value, tried = self.window_search(session, state, alpha, beta, depth)
            if session.stopped:
                break
            if value >= beta:
                lower = max(lower, value)
            else:
                upper = min(upper, value)
            if (value >= beta) == maximizing:
                line = tried[:1]
        return (lower if maximizing else upper), line

    def expected_range(self, game: Game[Any], state: Any) -> tuple[float, float]:
        """Where the value of the root should lie: what the game pays at all, and what its bounds say.

        Searched to a depth, the value can lie outside the bounds, since the estimates of the horizon do
        not know them.
        """
        least, greatest = game.bounds(state) if self.bounds else (game.MINSCORE, game.MAXSCORE)
        return max(float(least), float(game.MINSCORE)), min(float(greatest), float(game.MAXSCORE))

    def how_soon(self, session: Session, state: Any, depth: int, decided: SearchResult) -> SearchResult:
        """A second search, in which a win is worth less by each ply and only wins (or losses) count."""
        assert isinstance(decided.value, float)
        session.forget_table()
        session.begin(bounds=False, ages=True)
        session.note_iteration(depth, "distance")
        game, margin = session.game, session.age * (MAX_PLY + 1)
        least = decided.value - (margin if decided.value == game.MAXSCORE else 0)
        greatest = decided.value + (margin if decided.value == game.MINSCORE else 0)
        low, high = math.nextafter(least, -math.inf), math.nextafter(greatest, math.inf)
        value, line = self.window_search(session, state, low, high, depth)
        if session.stopped or not line or without_age(game, value, session.age)[1] is None:
            # Nothing was found where the game's bounds look further than the depth.
            return replace(decided, statistics=session.statistics())
        return self.result(session, state, value, session.extended_line(state, line, value, depth))


def question(lower: float, upper: float, even: float, maximizing: bool) -> float:
    """The alpha of a window without width that halves a range.

    Further from an even game first: whether a great win or loss is near takes less to find out (Pascal Pons,
    "Iterative deepening", blog.gamesolver.org). Where the range is a single value, the player to move is
    asked for a move that reaches it.
    """
    if lower == upper:
        return math.nextafter(lower, -math.inf) if maximizing else lower
    middle = (lower + upper) / 2
    alpha = min(middle, (lower + even) / 2) if middle <= even else max(middle, (upper + even) / 2)
    return max(lower, min(alpha, math.nextafter(upper, -math.inf)))
