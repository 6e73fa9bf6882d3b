"""Principal variation search, with optional parts (such as quiescence search) that make it selective.

Each move after the first is searched with a null window: alpha and beta are almost equal. Such a search tests only
whether the move is better than the best move so far (J. Pearl 1980, "Scout"; R. A. Finkel and J. P. Fishburn 1980; T.
A. Marsland and M. Campbell 1982, "Parallel search of strongly ordered game trees"; A. Reinefeld 1983, "An improvement
to the Scout tree search algorithm"). If all optional parts are off, the search finds the minimax value. The optional
parts prune moves, or search moves to another depth. Their code is in `algorithms/selective`.
"""

import math
from collections.abc import Collection, Mapping
from typing import Any, ClassVar

from gamesearch.algorithms.engine.algorithm import within_bounds, without_distance_by_bounds
from gamesearch.algorithms.engine.deepening import WindowSearch
from gamesearch.algorithms.engine.parameters import DATABASE_HELP, PATHS, PATHS_HELP, check_choice
from gamesearch.algorithms.engine.result import SearchResult
from gamesearch.algorithms.engine.root_windows import aspiration
from gamesearch.algorithms.engine.runner import Runner
from gamesearch.algorithms.node.bounds import (
    Bounds,
    begin_moves,
    certain_value,
    end_moves,
    is_settled,
    known_bounds,
    result_of_look_ahead,
    settled_value,
    store_result,
)
from gamesearch.algorithms.node.ordering import generate, make_move, next_move, note_refutation
from gamesearch.algorithms.node.values import drawn_value, estimate_within, evaluated_value
from gamesearch.algorithms.node.workspace import FULL_DEPTH, MAX_PLY, BestSoFar, Search, begin_node, update_best
from gamesearch.algorithms.selective.cutoffs import (
    NOTHING,
    after_null_move,
    after_prediction,
    begin_null_move,
    begin_prediction,
    choose_prediction,
    depth_after_null_move,
)
from gamesearch.algorithms.selective.parts import (
    AUTO,
    PARTS,
    Node,
    Parts,
    SelectiveRunner,
    can_matter,
    is_threatened,
    null_window,
)
from gamesearch.algorithms.selective.pruning import (
    beyond_margin,
    estimate_for_futility,
    extension,
    internal_reduction,
    note_estimate,
    prune,
    reduction,
)
from gamesearch.algorithms.selective.quiescence import generate_forcing, goes_on, quiet_bounds
from gamesearch.compiler import kernel
from gamesearch.errors import GamesearchError
from gamesearch.game import FORBIDDEN, MAX, Game
from gamesearch.optional import TunedGame

__all__ = ["PARTS", "PrincipalVariationSearch", "pvs"]


@kernel
def pvs(game: Game, s: Any, alpha: float, beta: float, depth: int, ply: int, search: Search) -> float:
    """Search s to about `depth` plies. Returns the value for Max if it lies between alpha and beta, and otherwise a
    bound.

    The returned v is the value if alpha < v < beta, an upper bound if v <= alpha, and a lower bound if v >= beta
    (fail-soft). If all optional parts are off, the search finds the minimax value. In other searches, v is an estimate,
    except in two cases. First, a win for Max is proven if v is above alpha, and a win for Min is proven if v is below
    beta. A faster win may still exist. Second, if the search prunes no move and uses no estimate (`counts.truncated`
    does not change), v is an exact value or a bound.
    """
    run, path, selection = search.run, search.run.path, search.selection
    counts, parts, truncated, threatened = run.counts, selection.parts, begin_node(s, alpha, beta, ply, search), False
    reach = max(depth, game.shortest_cycle) if parts.active else depth  # extensions may search beyond `depth`
    is_known, value = certain_value(game, s, reach, ply, search)
    bounds = Bounds(value, value, 0, -1)
    if not is_known:
        threatened = is_threatened(game, s, search)
        depth += extension(ply, threatened, selection)
        if depth > 0:
            bounds = known_bounds(game, s, alpha, beta, depth, reach, ply, search)
        elif goes_on(game, depth, threatened, selection):
            bounds = quiet_bounds(game, s, alpha, beta, reach, ply, threatened, search)
        else:
            value = evaluated_value(game, s, run)
            bounds = Bounds(value, value, 0, -1)
    if is_settled(bounds, alpha, beta):
        value = settled_value(bounds, beta)
    else:
        saved = begin_moves(truncated, path)
        maximizing, top = game.player(s) == MAX, saved.top
        low, high = max(alpha, bounds.lower), min(beta, bounds.upper)
        value, count, first, is_cut = -math.inf if maximizing else math.inf, 0, top, False
        depth -= internal_reduction(ply, depth, bounds.move, selection)
        node = Node(low, high, maximizing, depth, ply, threatened)
        # Three parts may cut off the node before its moves are searched: reverse futility, the null move and ProbCut.
        estimate = note_estimate(game, s, node, search)
        if depth > 0:
            is_cut, value, estimate = beyond_margin(game, s, node, value, estimate, search)
        if search.groups.selective is not None and not is_cut:
            if game.passing_never_helps:  # type: ignore[attr-defined]  # nested: Numba omits this code for other games
                left, estimate = depth_after_null_move(game, s, node, estimate, search)
                if left >= 0:
                    floor, ceiling = begin_null_move(node, search)
                    child = pvs(game, game.make_null_move(s), floor, ceiling, left, ply + 1, search)  # type: ignore[attr-defined]
                    is_cut, value = after_null_move(game, child, value, node, run)
        if parts.probcut and not is_cut:
            prediction = choose_prediction(game, s, node, estimate, search)
            if prediction.depth != NOTHING:
                floor, ceiling = begin_prediction(node, prediction, search)
                child = pvs(game, s, floor, ceiling, prediction.depth, ply, search)
                is_cut, value = after_prediction(child, value, node, prediction, search)
        if not is_cut and depth > 0:
            estimate = estimate_for_futility(game, s, node, estimate, search)
            only_needed = search.options.bounds and ply > 0 and depth > 1 and not parts.active
            count, first = generate(game, s, bounds.move, ply, only_needed, search)
            value = result_of_look_ahead(game, s, bounds, low, high, depth, ply, top, search)
            if count == 1:
                depth += extension(ply, True, selection)
            if not math.isinf(value):
                count = 0  # the transposition table proves a cutoff, so no move is searched
        elif not is_cut:
            count, first, value = generate_forcing(game, s, bounds, node, search)
        if game.repetition == FORBIDDEN and count == 0 and math.isinf(value) and not counts.stop:
            value = drawn_value(game, run)
        searched, best_move = 0, -1
        for i in range(count):
            move = next_move(i, first, top, count, search)
            node = Node(low, high, maximizing, depth, ply, threatened)
            if parts.active:
                is_pruned, value = prune(game, s, move, i, value, node, estimate, search)
                if is_pruned:
                    continue
            after = make_move(game, s, move, depth, ply, search)
            selection.trail.moves[ply] = move
            # A null window tests whether the move is better than the best move so far. Late moves are first searched
            # to a reduced depth.
            less = reduction(game, s, move, after, node, searched, search) if searched > 0 else 0
            floor, ceiling = null_window(low, high, maximizing, parts.step) if searched > 0 else (low, high)
            left = depth - 1 - less
            if run.observer is not None:
                is_quiet = left <= 0 and goes_on(game, left, search.groups.selective is not None, selection)
                run.observer.purpose(ply, "quiescence" if is_quiet else purpose(searched, less))
            searched += 1
            while True:
                child = pvs(game, after, floor, ceiling, left, ply + 1, search)
                if counts.stop or not (child > low if maximizing else child < high):
                    break
                # The move is better than expected. If its depth was reduced, search it again to the full depth; if not,
                # search it again with the full window.
                if left < depth - 1:
                    left = depth - 1
                elif low < child < high and (floor > low or ceiling < high):
                    floor, ceiling = low, high
                else:
                    break
                if run.observer is not None:
                    run.observer.search_again(ply, "full window" if (floor, ceiling) == (low, high) else "not reduced")
            if counts.stop:
                break
            best = BestSoFar(value, best_move, low, high)
            value, best_move, low, high = update_best(best, move, child, maximizing, ply, run)
            if low >= high:
                note_refutation(game, s, move, i, count, depth, ply, search)
                break
        value = max(bounds.lower, min(bounds.upper, value))
        if depth > 0:
            if parts.history and (value <= alpha if maximizing else value >= beta):
                best_move = -1  # all moves failed low, so none is known to be best
            store_result(game, bounds, saved, value, alpha, beta, best_move, depth, ply, search)
        end_moves(saved, ply, path)
    if run.observer is not None:
        run.observer.leave(ply, value)
    return value


def purpose(searched: int, less: int) -> str:
    """How a move is searched, in one word for the observer."""
    if searched == 0:
        return "full"
    return "reduced" if less else "scout"


class PrincipalVariationSearch(WindowSearch):
    """A selective search. Its optional parts, such as quiescence search, can be switched on and off.

    If the parameter of a part is `auto`, the part is on, unless the game lists it in `parts_off`. The option `exact`
    turns all optional parts off. The search then finds the minimax value, like alpha-beta. A search to the end of the
    game also finds the minimax value. The values of other searches are estimates, except wins, losses and values that
    are marked as proven. A win takes at most the reported number of plies, but a faster win may exist. If
    `paths=practical`, the transposition table is used even if repetitions could make its values wrong; most chess
    engines do this.
    """

    name = "pvs"
    summary = "principal variation search with quiescence, null move, reductions, extensions"
    source = "Pearl 1980; Marsland & Campbell 1982; Reinefeld 1983; parts: Beal 1989, 1990; Shannon 1950"
    narrows_windows = True
    kind = SelectiveRunner
    kernel = staticmethod(pvs)
    choices: ClassVar[Mapping[str, Collection[str]]] = {**WindowSearch.choices, "paths": PATHS}
    parameter_help: ClassVar[Mapping[str, str]] = {
        **WindowSearch.parameter_help,
        "database": DATABASE_HELP,
        "paths": PATHS_HELP,
        "endgame": "whether iterative deepening without a depth limit tries a search to the end of the game if there "
        "is enough time; this search uses no optional parts",
        "exact": "whether to turn all optional parts off; then the search finds the minimax value (unless the options "
        "bounds, database or paths=practical provide values of deeper searches)",
        **{name: f"{meaning}; auto: on if it helps in the game" for name, meaning in PARTS.items()},
        "width": "how many of the first moves in the move order to search at each node (Shannon's type B); 0 for all",
    }

    def __init__(
        self,
        depth: int | str = "",
        time: float = 0.0,
        deepen: bool = True,
        table: bool = True,
        memory: int = 64,
        order: str = "game+killer+history",
        bounds: bool = True,
        paths: str = "sound",
        endgame: bool = False,
        exact: bool = False,
        quiescence: bool | str = AUTO,
        null_move: bool | str = AUTO,
        reductions: bool | str = AUTO,
        futility: bool | str = AUTO,
        extensions: bool | str = AUTO,
        internal: bool | str = AUTO,
        aspiration: bool | str = AUTO,
        probcut: bool | str = AUTO,
        deeper: bool | str = AUTO,
        width: int = 0,
        threads: int = 1,
        database: str = "",
        symmetries: bool = False,
        history: bool | str = AUTO,
        reverse: bool | str = AUTO,
        late: bool | str = AUTO,
        exchanges: bool | str = AUTO,
        improving: bool | str = AUTO,
    ) -> None:
        if width < 0:
            raise GamesearchError(
                f"width must be the number of moves to search at each node, or 0 for all moves, not {width}"
            )
        if exact and width:
            raise GamesearchError("a search with width= omits moves, so it cannot be exact: leave out exact= or width=")
        self.set_parameters(depth, time, deepen, table, memory, order, threads, database, symmetries)
        self.bounds, self.endgame, self.exact = bounds, endgame, exact
        self.paths = check_choice("paths", paths, PATHS)
        self.quiescence, self.null_move, self.reductions, self.futility = quiescence, null_move, reductions, futility
        self.extensions, self.internal, self.aspiration, self.deeper = extensions, internal, aspiration, deeper
        self.probcut, self.history, self.reverse = probcut, history, reverse
        self.late, self.exchanges, self.improving, self.width = late, exchanges, improving, width
        for name in PARTS:
            if getattr(self, name) not in (AUTO, True, False):
                raise GamesearchError(f"{name} must be true, false or {AUTO}, not {getattr(self, name)!r}")
        self.is_selective = not exact and (bool(width) or any(getattr(self, name) for name in PARTS))
        self.is_exact = not self.is_selective and not bounds and not database and paths == "sound"

    def is_on(self, part: str, game: Game) -> bool:
        """Whether a part of the search is switched on for a game. The option `exact`, which turns all parts off, is
        ignored."""
        asked = getattr(self, part)
        parts_off = game.parts_off if isinstance(game, TunedGame) else TunedGame.parts_off
        return part not in parts_off if asked == AUTO else bool(asked)

    def is_selective_in(self, game: Game) -> bool:
        """Whether the search is selective in a game: `width` is set, or a part is on that can have an effect in the
        game. If `exact` is on, the search is never selective."""
        is_any = bool(self.width) or any(self.is_on(part, game) and can_matter(part, game) for part in PARTS)
        return self.is_selective and is_any

    def is_exact_in(self, game: Game) -> bool:
        """Whether a search always finds the minimax value. Optional parts, the bounds of the game, and stored values
        must not be able to change it."""
        return not self.is_selective_in(game) and not self.bounds and not self.database and self.paths == "sound"

    def searches_beyond_horizon(self, game: Game) -> bool:
        """Whether searches of a game use quiescence or extensions."""
        parts = ("quiescence", "extensions")
        return not self.exact and any(self.is_on(part, game) and can_matter(part, game) for part in parts)

    def one_depth(self, runner: Runner, state: Any, depth: int) -> tuple[float, tuple[int, ...]]:
        """Search the root to a depth. Returns the value and the principal variation."""
        assert isinstance(runner, SelectiveRunner)
        game = runner.game
        # Two signs together show that the search may see the end of every line: the last principal variation has
        # reached the end of the game, and no line so far is longer than depth - 2 plies. Then search with all optional
        # parts off. This search proves the value.
        sees_ends = runner.sees_end and depth > runner.counts.deepest + 1
        is_selective = self.is_selective_in(game) and depth < FULL_DEPTH and not sees_ends
        runner.begin(
            depth,
            "search",
            bounds=self.bounds,
            mate_distances=game.win_or_loss,
            practical=self.paths == "practical",
            deeper=self.is_on("deeper", game) and not self.exact and not sees_ends,
        )
        # The kernel does not read the parts `aspiration` and `deeper`.
        parts = {name: is_selective and self.is_on(name, game) for name in PARTS if name in Parts.FIELDS}
        root_depth = min(max(depth, 1), MAX_PLY)
        runner.switch({**parts, "width": self.width * is_selective, "active": is_selective, "root_depth": root_depth})

        def search(alpha: float, beta: float) -> tuple[float, tuple[int, ...]]:
            return self.window_search(runner, state, alpha, beta, depth)

        if not (is_selective and self.is_on("aspiration", game)):
            return search(-math.inf, math.inf)
        least, greatest = (estimate_within(game, end) for end in (-math.inf, math.inf))
        maximizing = game.player(state) == MAX
        return aspiration(runner.values, least, greatest, maximizing, search, lambda: bool(runner.stopped))

    def depth_result(
        self, runner: Runner, state: Any, depth: int, value: float, variation: tuple[int, ...]
    ) -> SearchResult:
        """Make the result of a search that has reached `depth`, and store its value for the aspiration window of
        the next search."""
        assert isinstance(runner, SelectiveRunner)
        runner.values.append(value)
        end = state
        for move in variation:
            end = runner.game.result(end, move)
        runner.sees_end = runner.game.terminal(end)
        return super().depth_result(runner, state, depth, value, variation)

    def finish(self, runner: Runner, state: Any, depth: int, found: SearchResult) -> SearchResult:  # noqa: ARG002
        """Clip the value of the result to the game's bounds if the option `bounds` is true."""
        if not self.bounds:
            return found
        return without_distance_by_bounds(runner.game, within_bounds(runner.game, state, found))
