"""Alpha-beta search: finds the minimax value without searching moves that cannot change the value.

D. E. Knuth and R. W. Moore 1975, "An analysis of alpha-beta pruning", Artificial Intelligence 6; Russell and Norvig,
4th edition, figure 5.7. Max and Min need not alternate.
"""

import math
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any, ClassVar

from gamesearch.algorithms.engine.algorithm import value_and_distance, within_bounds, without_distance_by_bounds
from gamesearch.algorithms.engine.deepening import WindowSearch
from gamesearch.algorithms.engine.parameters import DATABASE_HELP, PATHS, PATHS_HELP, check_choice
from gamesearch.algorithms.engine.result import SearchResult
from gamesearch.algorithms.engine.root_windows import null_windows
from gamesearch.algorithms.engine.runner import Runner
from gamesearch.algorithms.node.bounds import (
    begin_moves,
    end_moves,
    is_settled,
    look_up,
    result_of_look_ahead,
    settled_value,
    store_result,
)
from gamesearch.algorithms.node.ordering import generate, make_move, next_move, note_refutation
from gamesearch.algorithms.node.values import drawn_value
from gamesearch.algorithms.node.workspace import FULL_DEPTH, MAX_PLY, BestSoFar, Search, begin_node, update_best
from gamesearch.algorithms.weaving.program import search_woven
from gamesearch.compiler import kernel
from gamesearch.errors import GamesearchError
from gamesearch.game import FORBIDDEN, MAX, Game
from gamesearch.textbook import alphabeta as textbook

__all__ = ["AlphaBeta", "alphabeta"]

GUESSED_DEPTH = 4
"""A search to the end of the game begins with a guess of the value: the result of a search to this depth."""


@kernel
def alphabeta(game: Game, s: Any, alpha: float, beta: float, depth: int, ply: int, search: Search) -> float:
    """Search s to `depth` plies. Returns the minimax value for Max if it lies between alpha and beta; otherwise a
    bound.

    The returned v is exact if alpha < v < beta, an upper bound if v <= alpha, and a lower bound if v >= beta
    (fail-soft). If `options.fail_hard` is true, v is clipped to [alpha, beta]. If `options.bounds` is true, the value
    of each searched position is clipped to the game's bounds. The value of the root is not clipped, because clipping
    could make the values of a good and a bad move equal.
    """
    options, run = search.options, search.run
    truncated = begin_node(s, alpha, beta, ply, search)
    # The rules, the horizon, the transposition table or the game's own bounds may decide the value without a search.
    bounds = look_up(game, s, alpha, beta, depth, ply, search)
    if is_settled(bounds, alpha, beta):
        value = settled_value(bounds, beta)
    else:
        saved, maximizing = begin_moves(truncated, run.path), game.player(s) == MAX
        only_needed = options.bounds and ply > 0 and depth > 1
        count, first = generate(game, s, bounds.move, ply, only_needed, search)
        value = result_of_look_ahead(game, s, bounds, alpha, beta, depth, ply, saved.top, search)
        if not math.isinf(value):
            count = 0  # the transposition table proves a cutoff, so no move is searched
        elif count == 0 and game.repetition == FORBIDDEN and not run.counts.stop:
            value = drawn_value(game, run)
        best = BestSoFar(value, -1, max(alpha, bounds.lower), min(beta, bounds.upper))
        for i in range(count):
            move = next_move(i, first, saved.top, count, search)
            after = make_move(game, s, move, depth, ply, search)
            child = alphabeta(game, after, best.low, best.high, depth - 1, ply + 1, search)
            if run.counts.stop:
                break
            best = update_best(best, move, child, maximizing, ply, run)
            if best.low >= best.high:
                note_refutation(game, s, move, i, count, depth, ply, search)
                break
        value = max(bounds.lower, min(bounds.upper, best.value))
        store_result(game, bounds, saved, value, alpha, beta, best.move, depth, ply, search)
        end_moves(saved, ply, run.path)
    if options.fail_hard:
        value = max(alpha, min(beta, value))
    if run.observer is not None:
        run.observer.leave(ply, value)
    return value


class AlphaBeta(WindowSearch):
    """Finds the minimax value without searching moves that cannot change the value.

    If `bounds` is true, the value of every searched position is clipped to the range of `game.bounds`. The value of the
    root is clipped after the search, not during it. The values of leaves (payoffs, draws by repetition and estimates at
    the horizon) are not clipped. The game's bounds on the root's value do not end the search or narrow the window,
    because the best move must still be found. The result does not depend on the parameter `window`.
    """

    name = "alphabeta"
    summary = "minimax that skips moves which cannot change the result; optional table, move ordering and deepening"
    source = "Knuth & Moore 1975; Russell & Norvig, 4th ed., fig. 5.7"
    narrows_windows = True
    kernel = staticmethod(alphabeta)
    choices: ClassVar[Mapping[str, Collection[str]]] = {
        **WindowSearch.choices,
        "window": ("full", "null"),
        "fail": ("soft", "hard"),
        "paths": PATHS,
    }
    parameter_help: ClassVar[Mapping[str, str]] = {
        **WindowSearch.parameter_help,
        "database": DATABASE_HELP,
        "window": "the windows of the root: full for a full window, null for several null windows (needs table=true)",
        "fail": "what a node returns if its value is outside the window: soft returns a bound on the value, and hard "
        "returns alpha or beta",
        "paths": PATHS_HELP,
        "endgame": "whether deepening without a depth limit tries a search to the end of the game if time allows; "
        "this search uses null windows if payoffs are whole numbers",
        "distance": "whether to find the fastest win; with deepen=false, a second search finds it; with deepen=true "
        "and bounds=true, it cannot be found in games that define bounds",
    }

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
        paths: str = "sound",
        endgame: bool = False,
        threads: int = 1,
        database: str = "",
        symmetries: bool = False,
    ) -> None:
        self.window = check_choice("window", window, self.choices["window"])
        self.fail = check_choice("fail", fail, self.choices["fail"])
        if window == "null" and fail == "hard":
            raise GamesearchError(
                "window=null and fail=hard cannot be used together, because null windows "
                "need bounds that are not clipped: leave out one of them"
            )
        if window == "null" and not table:
            raise GamesearchError("window=null searches the same nodes repeatedly, so it needs table=true")
        self.set_parameters(depth, time, deepen, table, memory, order, threads, database, symmetries)
        self.bounds, self.distance, self.endgame = bounds, distance, endgame
        self.paths = check_choice("paths", paths, PATHS)
        self.clips_values = fail == "hard"
        # At the root, a null window may cause a cutoff before the best move is searched.
        self.keeps_best_of_root = window == "full"
        # The game's bounds and databases may give values that minimax finds only at a greater depth.
        self.is_exact = not bounds and not database and paths == "sound"
        self.textbook = textbook.fail_hard_alphabeta if fail == "hard" else textbook.alphabeta
        is_plain = not table and not bounds and not database and order in ("generated", "game")
        self.woven_from = self.textbook if is_plain else None

    def one_depth(self, runner: Runner, state: Any, depth: int) -> tuple[float, tuple[int, ...]]:
        """Search the root to a depth. Returns the value and the principal variation."""
        game, guess = runner.game, None
        guessed: tuple[int, ...] = ()
        # If payoffs are points, the value may be far from a draw. If so, a shallow search first guesses the value, so
        # that fewer null windows are needed.
        is_points = game.whole_payoffs and not game.win_or_loss and not game.payoffs_tell_how_soon
        if depth == FULL_DEPTH and is_points and self.window == "null" and not self.deepen:
            guess, guessed = self.one_depth(runner, state, GUESSED_DEPTH)
            if runner.stopped:  # the value of the shallow search is only an estimate
                return float(game.MINSCORE if game.player(state) == MAX else game.MAXSCORE), guessed
        # With iterative deepening, the first win that is found is the fastest. Without deepening, `finish` finds the
        # fastest win.
        mate_distances = self.distance and self.deepen and runner.game.win_or_loss
        runner.begin(
            depth,
            "search",
            bounds=self.bounds,
            mate_distances=mate_distances,
            fail_hard=self.fail == "hard",
            practical=self.paths == "practical",
        )
        # All values are whole numbers if the search uses no estimates and a win is worth the same at every ply.
        whole = runner.game.whole_payoffs and depth == FULL_DEPTH and not mate_distances
        # If the value is a whole number, a few null windows are enough. If the value is an estimate, null windows visit
        # more nodes than one full window (see benchmarks/results.md).
        can_end_by_null_windows = whole and self.endgame and self.deepen and self.table and self.fail == "soft"
        if self.window == "null" or can_end_by_null_windows:
            value, variation = null_windows(
                runner,
                state,
                self.expected_range(runner.game, state),
                lambda low, high: self.window_search(runner, state, low, high, depth),
                whole,
                guess,
            )
            return value, variation or guessed
        return self.window_search(runner, state, -math.inf, math.inf, depth)

    def finish(self, runner: Runner, state: Any, depth: int, found: SearchResult) -> SearchResult:
        """Find the fastest win or the slowest loss if the root is a win or a loss. If `bounds` is true, clip the value
        to the game's bounds."""
        game = runner.game
        is_decided = game.win_or_loss and found.value in (game.MINSCORE, game.MAXSCORE)
        if self.distance and is_decided and not self.deepen and not runner.stopped:
            found = self.find_distance(runner, state, depth, found)
        if not self.bounds:
            return found
        found = within_bounds(game, state, found)
        return without_distance_by_bounds(game, found) if self.deepen else found

    def window_search(
        self, runner: Runner, state: Any, alpha: float, beta: float, depth: int
    ) -> tuple[float, tuple[int, ...]]:
        """The value of the root (a bound if the value is outside the window) and the principal variation."""
        if self.woven_from is not None and runner.ordering is None:
            value = search_woven(runner, self.woven_from, state, depth, float(alpha), float(beta))
            return float(value), runner.variation
        return super().window_search(runner, state, alpha, beta, depth)

    def expected_range(self, game: Game, state: Any) -> tuple[float, float]:
        """The range in which the root's value is expected: the payoffs that the game's bounds allow. A search to a
        limited depth may find a value outside this range, because estimates at the horizon are not clipped to the
        game's bounds."""
        least, greatest = game.bounds(state) if self.bounds else (game.MINSCORE, game.MAXSCORE)
        return max(float(least), float(game.MINSCORE)), min(float(greatest), float(game.MAXSCORE))

    def find_distance(self, runner: Runner, state: Any, depth: int, decided: SearchResult) -> SearchResult:
        """Find the distance of a win or loss by a second search, and add the distance to a result. The second search
        reduces the value of a win a little for each ply.

        The second search uses a window that contains only values of wins, or only values of losses.
        """
        assert isinstance(decided.value, float)
        before = runner.nodes_so_far
        runner.begin(depth, "distance", mate_distances=True, practical=self.paths == "practical")
        game = runner.game
        low, high = self.window_of_decisions(runner, decided.value)
        value, variation = self.window_search(runner, state, low, high, depth)
        if runner.stopped or not variation or value_and_distance(game, value, runner.ply_cost)[1] is None:
            # The game's bounds may have proven a win that lies deeper than this search.
            found = decided
        else:
            found = self.result(runner, state, value, runner.extend_variation(state, variation, value, depth))
        return replace(found, statistics=replace(runner.statistics(), distance_nodes=runner.nodes_so_far - before))

    def window_of_decisions(self, runner: Runner, value: float) -> tuple[float, float]:
        """The window around a decisive `value`. If `value` is a win, the window contains the values of all wins. If
        `value` is a loss, the window contains the values of all losses."""
        game, margin = runner.game, runner.ply_cost * (MAX_PLY + 1)
        least = value - (margin if value == game.MAXSCORE else 0)
        greatest = value + (margin if value == game.MINSCORE else 0)
        return math.nextafter(least, -math.inf), math.nextafter(greatest, math.inf)
