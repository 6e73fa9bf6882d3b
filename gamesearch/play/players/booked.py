"""A player with an opening book: it plays from the book as long as the book has a move, and then searches.

When the game leaves the book, the player knows a bound on the result of the game, such as a certain win. The player
first searches as usual, with an evaluation. If this search does not reach the end of the game, a second search to the
end of the game follows. It uses alpha-beta with a null window, and looks for a move that keeps the bound. A null-window
search is much faster than a search for the best move. If the bound is not a win, other searches find out whether a
mistake of the opponent has made a draw or a win possible. If these searches reach their limit first, the player plays
the move that the usual search found.
"""

import math
from dataclasses import replace

from gamesearch.algorithms.catalog.alphabeta import AlphaBeta
from gamesearch.algorithms.engine.deepening import DeepeningSearch
from gamesearch.algorithms.engine.result import Limits, Monitor, SearchResult, Statistics
from gamesearch.algorithms.engine.runner import Runner
from gamesearch.algorithms.node.workspace import FULL_DEPTH
from gamesearch.files.books import SHIPPED, Bounds, has_shipped_book, read_book
from gamesearch.game import MAX, Game
from gamesearch.play.players.player import Player, Turn
from gamesearch.play.players.searching import AlgorithmPlayer
from gamesearch.specification import format_specification, parse_specification

__all__ = ["NO_BOOK", "BookPlayer", "default_book", "split_book"]

PARAMETER = "book"
NO_BOOK = "none"
PART = 5  # the usual search gets a fifth of the time or nodes, and the search for a bound gets the rest
LEAST_TIME = 0.05  # the least time in seconds for the usual search, so that the search completes a depth


def split_book(text: str) -> tuple[str, str]:
    """Return the specification of a player without the parameter `book`, and the value of `book` ("" if it is
    missing)."""
    given = parse_specification(text)
    if PARAMETER not in given.parameters:
        return text, ""
    others = {name: value for name, value in given.parameters.items() if name != PARAMETER}
    return format_specification(given.name, others, given.values), str(given.parameters[PARAMETER]).strip()


def default_book(game: Game) -> str:
    """The default book of the computer: the book that is shipped with gamesearch, or none."""
    return SHIPPED if has_shipped_book(game) else NO_BOOK


class BookPlayer(Player):
    """Plays from a book while the book has a move; then another player chooses the moves. Raises GamesearchError if the
    book is for another game."""

    def __init__(self, player: Player, name: str, game: Game, speed: str = "auto") -> None:
        self.player, self.name, self.speed, self.book = player, name, speed, read_book(name, game)
        given = parse_specification(player.specification)
        self.specification = format_specification(given.name, {**given.parameters, PARAMETER: name})
        self.algorithm, self.is_own, self.is_search = player.algorithm, player.is_own, player.is_search
        self.evaluation_game = player.evaluation_game
        self.own_time, self.has_limit, self.needs_seed = player.own_time, player.has_limit, player.needs_seed
        threads = player.algorithm.threads if isinstance(player.algorithm, DeepeningSearch) else 1
        self.bound_search = AlphaBeta("full", table=True, order="game", bounds=True, window="null", threads=threads)
        self.runner: Runner | None = None

    def answer(self, turn: Turn, monitor: Monitor | None = None) -> SearchResult:
        """Return the first of the book's best moves; if the book has no move, search for a move."""
        known = self.from_book(turn)
        if known is not None:
            return known
        limits, guaranteed = self.limits(turn), self.first_question(turn)
        if guaranteed is None or (limits.time is None and limits.nodes is None):
            return self.player.answer(turn, monitor)
        first = limits.divide(PART)
        first = first if first.time is None else replace(first, time=max(LEAST_TIME, first.time))
        usual = self.player.answer(replace(turn, limits=first), monitor)
        left = limits.after_use(usual.statistics.seconds, usual.statistics.nodes)
        if usual.is_proven or usual.stopped == "interrupted" or left.time == 0:
            return usual
        return self.search_for_bound(turn, guaranteed, left, monitor) or usual

    def from_book(self, turn: Turn) -> SearchResult | None:
        """Return the first of the book's best moves; None if the book has no move."""
        moves = self.book.moves(turn.state)
        if not moves:
            return None
        found = self.book.bounds(turn.game.result(turn.state, moves[0]))
        return replace(self.result(moves[0], found, turn.mover, Statistics()), is_from_book=True)

    def limits(self, turn: Turn) -> Limits:
        """The limits for this move. They are a share of the clock, the limits of the turn, or the player's own time."""
        if turn.clock is not None:
            return replace(turn.limits, time=turn.clock.allowance(turn.mover))
        if turn.limits.nodes is not None:
            return turn.limits
        return replace(turn.limits, time=turn.limits.time or self.own_time or None)

    def search_for_bound(
        self, turn: Turn, guaranteed: float, limits: Limits, monitor: Monitor | None
    ) -> SearchResult | None:
        """Search for a move whose value is at least `guaranteed`. If `guaranteed` is less than a win and a move keeps
        this value, search for a better result: a draw, then a win. If a win was guaranteed and no move keeps the win,
        search for a draw. Return None if no move is found within the limits."""
        draw = turn.game.draw_value() * (1 if turn.mover == MAX else -1)
        if self.runner is None:
            self.runner = self.bound_search.runner(turn.game, self.speed)
        runner, best, seconds, nodes = self.runner, None, 0.0, 0
        cannot_win = self.book.contains(turn.state) and self.book.bounds(turn.state).floor(1 - turn.mover) >= -draw
        better = {draw} if cannot_win else {draw, math.nextafter(draw, math.inf)}
        for least in sorted({guaranteed} | better) if guaranteed <= draw else (guaranteed, draw):
            runner.start(limits.after_use(seconds, nodes), monitor=monitor)
            runner.begin(bounds=True)
            value, line = self.bound_search.window_search(runner, turn.state, *window(least, turn.mover), FULL_DEPTH)
            found, counts = Bounds(lower=value) if turn.mover == MAX else Bounds(upper=value), runner.statistics()
            seconds, nodes = seconds + counts.seconds, nodes + counts.nodes
            succeeded = not runner.stopped and bool(line) and found.floor(turn.mover) >= least
            if succeeded:
                best = self.result(line[0], found, turn.mover, replace(counts, seconds=seconds, nodes=nodes))
            if runner.stopped or succeeded == (least > draw):
                break
        return best

    def first_question(self, turn: Turn) -> float | None:
        """Return the value that the first null-window search tries to keep. This is the value that the book guarantees;
        None if it guarantees no value. If the book has complete layers, searches that begin after the book can reach
        the end of the game. The value is then a win if the book guarantees more than a draw, and otherwise a draw."""
        draw = turn.game.draw_value() * (1 if turn.mover == MAX else -1)
        guaranteed = self.guaranteed_value(turn)
        if not self.book.layers:
            return guaranteed
        return math.nextafter(draw, math.inf) if guaranteed is not None and guaranteed > draw else draw

    def guaranteed_value(self, turn: Turn) -> float | None:
        """Find the last position of the game that is in the book, and return the value that the book guarantees to the
        player in that position. Return None if the book contains no position of the game. If the player made a mistake
        after that position, no move keeps this value."""
        known = (self.book.guaranteed_value(s, turn.mover) for s in reversed(turn.states))
        return next((floor for floor in known if floor is not None), None)

    def result(self, move: int, found: Bounds, mover: int, statistics: Statistics) -> SearchResult:
        """Return the search result for a move with a known value or a known bound."""
        is_exact = found.lower == found.upper
        return SearchResult(
            algorithm=self.specification,
            value=found.lower if mover == MAX else found.upper,
            bound="exact" if is_exact else "lower" if mover == MAX else "upper",
            best=move,
            line=(move,),
            statistics=statistics,
            sees_the_end=is_exact,
        )

    def warm_up(self, game: Game) -> None:
        """Compile the code of the player."""
        self.player.warm_up(game)

    def prepare(self, turn: Turn, monitor: Monitor | None = None) -> None:
        """Compile the player's code and, if it may be needed, the search for a move that keeps a bound."""
        self.player.prepare(turn, monitor)
        if self.first_question(turn) is not None:
            AlgorithmPlayer(self.bound_search, self.speed).prepare(turn, monitor)

    def ponders(self, game: Game) -> bool:
        """Whether the player ponders after it has left the book."""
        return self.player.ponders(game)

    def ponder(self, turn: Turn) -> None:
        """Think on the opponent's time."""
        self.player.ponder(turn)

    def begin(self) -> None:
        """Forget the previous game, and release its memory."""
        if self.runner is not None:
            self.runner.release()
            self.runner = None
        self.player.begin()


def window(guaranteed: float, player: int) -> tuple[float, float]:
    """The null window that tests whether a player can get at least the value `guaranteed`."""
    if player == MAX:
        return math.nextafter(guaranteed, -math.inf), guaranteed
    return -guaranteed, math.nextafter(-guaranteed, math.inf)
