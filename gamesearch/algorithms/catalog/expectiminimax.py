"""Expectiminimax: minimax with expected values at chance nodes, and Ballard's pruning of chance nodes.

Russell and Norvig, 4th edition, section 5.5.1; B. W. Ballard 1983, "The *-minimax search procedure for trees containing
chance nodes", Artificial Intelligence 21. If the game has no Min, the search is expectimax. If the game has no chance
nodes, the search with pruning is alpha-beta.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Any, ClassVar

from gamesearch.algorithms.engine.deepening import DeepeningSearch
from gamesearch.algorithms.engine.runner import Runner
from gamesearch.algorithms.node.bounds import begin_moves, end_moves, is_settled, look_up, settled_value, store_result
from gamesearch.algorithms.node.chance import bound_outcomes, fallible, list_outcomes, parse_opponent
from gamesearch.algorithms.node.ordering import generate, make_move, next_move
from gamesearch.algorithms.node.values import drawn_value
from gamesearch.algorithms.node.workspace import (
    FULL_DEPTH,
    BestSoFar,
    Options,
    Path,
    Search,
    begin_node,
    note_cutoff,
    record_variation,
    update_best,
)
from gamesearch.algorithms.weaving.program import search_woven
from gamesearch.compiler import kernel
from gamesearch.errors import GamesearchError
from gamesearch.game import CHANCE, FORBIDDEN, IGNORED, MAX, MIN, NEVER, Game
from gamesearch.optional import bounds_hold_estimates, estimate_sees_chance
from gamesearch.specification import nearest
from gamesearch.textbook import expectiminimax as textbook
from gamesearch.toolkit.derived_games import RandomOpponent, Reduction

__all__ = ["AUTO", "NO_PRUNING", "STAR1", "STAR2", "Expectimax", "Expectiminimax", "expectiminimax"]

NO_PRUNING, STAR1, STAR2, AUTO = range(4)
"""The values of `pruning`. NO_PRUNING searches every outcome. Star1 skips the remaining outcomes of a chance node if
they cannot bring the value of the node back into the window. Star2 first probes the outcomes: to probe an outcome, it
searches only the first move after the outcome. After all probes, Star2 continues like Star1. AUTO uses Star2 if players
have many moves, and Star1 if they have few."""
MANY_MOVES = 4
"""Star2 saves time if a player has at least this number of moves."""
BOTH, NEITHER = 2, CHANCE
"""The kinds of values that a search finds for an outcome: BOTH, NEITHER, MAX or MIN. BOTH is an exact value, which is
both a lower and an upper bound. NEITHER means that the search gives neither bound. A probe gives only a lower bound
(MAX) or an upper bound (MIN)."""


@kernel
def expectiminimax(
    game: Game, s: Any, alpha: float, beta: float, depth: int, ply: int, probing: bool, search: Search
) -> float:
    """Search s to `depth` plies. Returns the expected value for Max if it lies between alpha and beta; otherwise a
    bound.

    A returned value below the window is an upper bound; a value above the window is a lower bound. If `probing` is
    True, only the first move of a Max or Min node is searched, so the value is a lower bound at a Max node and an upper
    bound at a Min node. `options.bounds` is set only if every value lies within the game's bounds.
    """
    options, run = search.options, search.run
    counts, path, truncated = run.counts, run.path, begin_node(s, alpha, beta, ply, search)
    if run.observer is not None and probing:
        run.observer.probe(ply)
    bounds = look_up(game, s, alpha, beta, depth, ply, search)
    if is_settled(bounds, alpha, beta):
        value = settled_value(bounds, beta)
    else:
        saved, best_move = begin_moves(truncated, path), -1
        top = saved.top
        if game.player(s) == CHANCE:
            value, least, count = 0.0, math.inf, list_outcomes(game, s, ply, run)
            if game.repetition == FORBIDDEN and count == 0 and not counts.stop:
                value = drawn_value(game, run)
            at_least, at_most = bound_outcomes(game, s, top, count, options, path)
            # The value of the chance node lies between `at_least` and `at_most`. Star2 searches the outcomes in two
            # passes. The first pass only probes the outcomes.
            for step in range(0 if probes_first(game, s, depth, top, count, options, path) else count, 2 * count):
                i = top + step % count
                move, p = path.moves[i], path.scores[i]
                after = game.result(s, move)
                kind = BOTH if step >= count else bound_of_probe(game, after, depth - 1)
                if kind == NEITHER:
                    continue
                if run.observer is not None:
                    run.observer.move(ply, move)
                others_least = at_least - p * path.scores[i + count]
                others_most = at_most - p * path.scores[i + 2 * count]
                # If the value of this outcome is at most `low`, the value of the node is at most `alpha`, whatever the
                # other outcomes are worth. If the value of this outcome is at least `high`, the value of the node is at
                # least `beta`.
                low = -math.inf if kind == MAX else (alpha - others_most) / p
                high = math.inf if kind == MIN else (beta - others_least) / p
                probes = kind != BOTH
                child = expectiminimax(game, after, low, high, depth - 1, ply + 1, probes, search)
                if counts.stop:
                    break
                tighten_bounds(game, i, count, kind, child, path)
                at_least = others_least + p * path.scores[i + count]
                at_most = others_most + p * path.scores[i + 2 * count]
                if child <= low or child >= high:
                    value = max(at_least, beta) if child >= high else min(at_most, alpha)
                    note_cutoff(ply, i - top, count, run)
                    break
                if kind == BOTH:
                    value += p * child
                    if ply == 0 and child < least:
                        least = child
                        record_variation(ply, move, run.line)  # used only if the outcomes are moves of a random Min
        else:
            maximizing, probes = game.player(s) == MAX, ply < 0
            count, first = generate(game, s, bounds.move, ply, False, search)
            value = -math.inf if maximizing else math.inf
            if game.repetition == FORBIDDEN and count == 0 and not counts.stop:
                value = drawn_value(game, run)
            best = BestSoFar(value, -1, max(alpha, bounds.lower), min(beta, bounds.upper))
            for i in range(min(count, 1) if probing else count):
                move = next_move(i, first, top, count, search)
                after = make_move(game, s, move, depth, ply, search)
                if options.pruning == NO_PRUNING:
                    best = BestSoFar(best.value, best.move, alpha, beta)
                child = expectiminimax(game, after, best.low, best.high, depth - 1, ply + 1, probes, search)
                if counts.stop:
                    break
                best = update_best(best, move, child, maximizing, ply, run)
                if options.pruning != NO_PRUNING and best.low >= best.high:
                    note_cutoff(ply, i, count, run)
                    break
            value, best_move = best.value, best.move
        if not probing:
            store_result(game, bounds, saved, value, alpha, beta, best_move, depth, ply, search)
        end_moves(saved, ply, path)
    if run.observer is not None:
        run.observer.leave(ply, value)
    return value


@kernel
def probes_first(game: Game, s: Any, depth: int, top: int, count: int, options: Options, path: Path) -> bool:
    """Whether the search probes the outcomes of a chance node before it searches them fully."""
    if options.pruning == AUTO:
        for i in range(top, top + count):
            after = game.result(s, path.moves[i])
            if bound_of_probe(game, after, depth - 1) != NEITHER and has_many_moves(game, after):
                return True
        return False
    return bool(options.pruning == STAR2)


@kernel
def has_many_moves(game: Game, s: Any) -> bool:
    """Whether the player to move has at least MANY_MOVES moves. If so, a probe (a search of one move) visits few nodes
    compared with a search of all moves."""
    missing = MANY_MOVES
    for _ in game.moves(s):
        missing -= 1
        if missing == 0:
            return True
    return False


@kernel
def bound_of_probe(game: Game, s: Any, depth: int) -> int:
    """A probe finds the value of the first move of s. Return MAX if this value is a lower bound on the value of s, MIN
    if it is an upper bound, and otherwise NEITHER."""
    return NEITHER if depth <= 0 or game.terminal(s) else game.player(s)


@kernel
def tighten_bounds(game: Game, place: int, count: int, kind: int, value: float, path: Path) -> None:
    """Tighten the bounds on an outcome. The new value is a lower bound if the kind is MAX, an upper bound if it is MIN,
    and exact if it is BOTH."""
    if kind == BOTH:
        path.scores[place + count] = value
        path.scores[place + 2 * count] = value
    elif kind == MAX:
        path.scores[place + count] = max(path.scores[place + count], min(value, float(game.MAXSCORE)))
    else:
        path.scores[place + 2 * count] = min(path.scores[place + 2 * count], max(value, float(game.MINSCORE)))


PRUNINGS = {"none": NO_PRUNING, "star1": STAR1, "star2": STAR2, "auto": AUTO}
"""The values of the parameter `pruning`."""


class Expectiminimax(DeepeningSearch):
    """Minimax with expected values at chance nodes, and with pruning by Ballard's Star1 and Star2.

    `pruning=auto` chooses between Star1 and Star2 at each chance node (`benchmarks/results.md` compares the numbers of
    nodes). The textbook search, without pruning, is `expectiminimax(pruning=none, order=generated)`.
    """

    name = "expectiminimax"
    summary = "minimax with expected values at chance nodes; Star1 and Star2 pruning"
    source = "Russell & Norvig, 4th ed., section 5.5.1; Ballard 1983"
    handles_chance = True
    example = "pig"
    choices: ClassVar[Mapping[str, Collection[str]]] = {
        **DeepeningSearch.choices,
        "pruning": PRUNINGS,
        "opponent": ("best", "random", "softmax(1)"),
    }
    parameter_help: ClassVar[Mapping[str, str]] = {
        **DeepeningSearch.parameter_help,
        "pruning": "how to prune outcomes that cannot change the result (Ballard 1983): none (the textbook search), "
        f"star1, star2, or auto (star2 if {MANY_MOVES} or more moves follow a roll, otherwise star1). Nothing is "
        "pruned if Min makes errors (options error and opponent=softmax)",
        "opponent": "how Min chooses a move: best, random, or softmax(T), such as softmax(1). With softmax(T), a "
        "move that is worse than the best move by T is chosen 1/e times as often as the best move. If Min is to move, "
        "the result still shows Min's best move",
        "error": "the probability that Min makes a random move instead of the move that `opponent` chooses",
    }

    def __init__(
        self,
        depth: int | str = "",
        time: float = 0.0,
        deepen: bool = False,
        pruning: str = "auto",
        table: bool = False,
        memory: int = 64,
        order: str = "game",
        opponent: str = "best",
        error: float = 0.0,
    ) -> None:
        if pruning not in PRUNINGS:
            raise GamesearchError(f"pruning {pruning!r} is unknown: {nearest(pruning, PRUNINGS)}")
        self.fallibility = parse_opponent(opponent, error)
        self.set_parameters(depth, time, deepen, table, memory, order)
        self.pruning, self.opponent, self.error = pruning, opponent, error
        self.expects_errors = self.fallibility != (0.0, 0.0)
        self.is_exact = not self.expects_errors
        self.weighs_replies = self.expects_errors and opponent != "random"
        """Whether the value of a Min node depends on all of Min's moves. If so, no move can be pruned."""
        self.narrows_windows = pruning != "none" and not self.weighs_replies
        self.visits_everything = pruning == "none" and not table and not self.deepen and self.is_exact
        is_plain = pruning == "none" and not table and order in ("generated", "game")
        self.textbook = textbook.expectiminimax
        self.woven_from = textbook.expectiminimax if is_plain and not self.weighs_replies else None

    def game_to_search(self, game: Game, state: Any) -> Game:  # noqa: ARG002
        """Return the game to search. If `opponent` is `random`, return a game in which Min moves at random. Otherwise,
        return the game itself."""
        is_reduced = isinstance(game, Reduction) or self.opponent != "random"
        return game if is_reduced else RandomOpponent(game)

    def uses_bounds(self, game: Game, depth: int) -> bool:
        """Whether the game's own bounds can prune outcomes. This is possible if all values of the search lie within the
        bounds.

        All values of a search to the end of the game lie within the bounds. The values of a depth-limited search do so
        only if the game declares that its bounds also hold for estimates.
        """
        if not self.narrows_windows or type(game).bounds is Game.bounds:
            return False
        sees_the_end = depth == FULL_DEPTH and game.repetition in (NEVER, IGNORED)
        return bounds_hold_estimates(game) or sees_the_end

    def depths(self, game: Game, state: Any, limit: int) -> Sequence[int]:
        """The depths to search, in order. If all outcomes of a chance node have the same estimate, a search finds the
        same value whether it ends just before or just after this node. So if a game's estimates ignore chance, every
        second depth is skipped."""
        depths = super().depths(game, state, limit)
        if estimate_sees_chance(game) or len(depths) == 1:
            return depths
        return depths[1 if game.player(state) == CHANCE else 0 :: 2]

    def one_depth(self, runner: Runner, state: Any, depth: int) -> tuple[float, tuple[int, ...]]:
        """Search the root to a depth. Returns the expected value of the root and the principal variation."""
        bounds = self.uses_bounds(runner.game, depth)
        runner.begin(depth, "search", bounds=bounds, pruning=PRUNINGS[self.pruning])
        if self.weighs_replies:
            value = runner.execute(
                fallible, lambda: (runner.game, state, depth, 0, *self.fallibility, runner.arguments)
            )
        elif self.woven_from is not None and runner.ordering is None:
            value = search_woven(runner, self.woven_from, state, depth)
        else:
            value = runner.execute(
                expectiminimax, lambda: (runner.game, state, -math.inf, math.inf, depth, 0, False, runner.arguments)
            )
        return float(value), runner.variation if self.has_line(runner, state) else ()

    def has_line(self, runner: Runner, state: Any) -> bool:
        """Whether the last run found a best move. If Min moves at random, Min's best move is known only after a
        complete search."""
        game = runner.game
        if isinstance(game, RandomOpponent) and game.game.player(state) == MIN:
            return not runner.stopped
        return game.player(state) != CHANCE


class Expectimax(Expectiminimax):
    """Expectiminimax against a random opponent."""

    name = "expectimax"
    summary = "expectiminimax against a random opponent"
    example = "tictactoe"

    def __init__(
        self, depth: int | str = "", time: float = 0.0, deepen: bool = False, pruning: str = "none", table: bool = False
    ) -> None:
        super().__init__(depth, time, deepen, pruning, table, order="generated", opponent="random")
        self.textbook = textbook.expectimax  # the kernel is expectiminimax
