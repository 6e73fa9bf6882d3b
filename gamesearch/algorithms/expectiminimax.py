"""Expectiminimax: minimax with expected values at chance nodes, and Ballard's pruning of these.

Russell and Norvig, 4th edition, section 5.5.1; B. W. Ballard 1983, "The *-minimax search procedure for trees
containing chance nodes", Artificial Intelligence 21. Without a Min player it is expectimax; without chance
nodes, and with pruning, it is alpha-beta.
"""

import math
from collections.abc import Collection, Mapping
from typing import Any, ClassVar

from gamesearch.algorithms.parts.algorithm import DeepeningSearch
from gamesearch.algorithms.parts.node_bounds import certain_bounds, is_settled, keep_result
from gamesearch.algorithms.parts.ordering import follow, generate, sort_moves
from gamesearch.algorithms.parts.reductions import RandomOpponent, Reduction
from gamesearch.algorithms.parts.runner import Runner
from gamesearch.algorithms.parts.values import drawn_value
from gamesearch.algorithms.parts.workspace import (
    NOWHERE,
    OUT_OF_SPACE,
    Memory,
    Options,
    Path,
    Run,
    enter,
    record_variation,
)
from gamesearch.compiler import kernel
from gamesearch.errors import GamesearchError
from gamesearch.game import CHANCE, FORBIDDEN, MAX, MIN, Game
from gamesearch.specification import nearest

__all__ = ["NO_PRUNING", "STAR1", "STAR2", "Expectimax", "Expectiminimax", "expectiminimax"]

NO_PRUNING, STAR1, STAR2 = range(3)
"""Search every outcome; leave a chance node when bounds on the remaining outcomes allow it; probe outcomes first."""
BOTH, NEITHER = 2, CHANCE
"""Which bounds on an outcome's value a search of it gives. A probe gives only MAX's lower or MIN's upper bound."""


@kernel
def expectiminimax(
    game: Game[Any],
    s: Any,
    alpha: float,
    beta: float,
    depth: int,
    ply: int,
    probing: bool,
    options: Options,
    memory: Memory,
    run: Run,
) -> float:
    """The expected value of s for Max to `depth` plies, as far as it lies between alpha and beta.

    A value below the window is an upper bound, one above it a lower bound. When `probing` a Max or Min node,
    only its first move is searched, so the value is a lower bound for Max and an upper bound for Min.
    """
    enter(ply, options, run)
    if run.observer is not None:
        run.observer.enter(s, ply, alpha, beta)
        if probing:
            run.observer.probe(ply)
    counts, path = run.counts, run.path
    truncated = counts.truncated
    lower, upper, key, table_move = certain_bounds(game, s, alpha, beta, depth, ply, options, memory, run)
    if is_settled(lower, upper, alpha, beta):
        value = lower if lower >= beta else upper
    else:
        recurred, top, best_move = path.recurred, path.top, -1
        path.recurred = NOWHERE
        if game.player(s) == CHANCE:
            value, at_least, at_most = 0.0, float(game.MINSCORE), float(game.MAXSCORE)
            count = list_outcomes(game, s, run)
            # Star2 goes through the outcomes twice, and at first only probes them.
            for step in range(0 if options.pruning == STAR2 else count, 2 * count):
                i = top + step % count
                move, p = path.moves[i], path.scores[i]
                after = game.result(s, move)
                tells = BOTH if step >= count else probe_tells(game, after, depth - 1)
                if tells == NEITHER:
                    continue
                if run.observer is not None:
                    run.observer.move(ply, move)
                others_least = at_least - p * path.scores[i + count]
                others_most = at_most - p * path.scores[i + 2 * count]
                low = -math.inf if tells == MAX else (alpha - others_most) / p
                high = math.inf if tells == MIN else (beta - others_least) / p
                probes = tells != BOTH
                child = expectiminimax(game, after, low, high, depth - 1, ply + 1, probes, options, memory, run)
                if counts.stop:
                    break
                learn(game, i, count, tells, child, path)
                at_least = others_least + p * path.scores[i + count]
                at_most = others_most + p * path.scores[i + 2 * count]
                if child <= low or child >= high:
                    value = max(at_least, beta) if child >= high else min(at_most, alpha)
                    note_cutoff(ply, i - top, count, run)
                    break
                if tells == BOTH:
                    value += p * child
        else:
            maximizing, probes = game.player(s) == MAX, ply < 0
            value, low, high = -math.inf if maximizing else math.inf, alpha, beta
            if options.pruning != NO_PRUNING:
                low, high = max(alpha, lower), min(beta, upper)
            count, first = generate(game, s, ply, table_move, memory, run)
            if game.recurrence == FORBIDDEN and count == 0 and not counts.stop:
                value = drawn_value(game, run)
            for i in range(top, top + (min(count, 1) if probing else count)):
                if i == top + 1:
                    sort_moves(top, first, top + count, memory, path)
                move = path.moves[i if i > top else first]
                if run.observer is not None:
                    run.observer.move(ply, move)
                if memory.ordering is not None:
                    follow(ply, move, memory.ordering)
                after = game.result(s, move)
                child = expectiminimax(game, after, low, high, depth - 1, ply + 1, probes, options, memory, run)
                if counts.stop:
                    break
                if child > value if maximizing else child < value:
                    value, best_move = child, move
                    record_variation(ply, move, run.line)
                if options.pruning != NO_PRUNING:
                    if maximizing:
                        low = max(low, child)
                    else:
                        high = min(high, child)
                    if low >= high:
                        note_cutoff(ply, i - top, count, run)
                        break
        path.top = top
        proven = counts.truncated == truncated
        if not probing:
            lower, upper = max(lower, value) if value > alpha else lower, min(upper, value) if value < beta else upper
            keep_result(game, lower, upper, key, depth, ply, proven, best_move, options, memory, run)
        path.recurred = min(recurred, path.recurred if path.recurred < ply else NOWHERE)
    if run.observer is not None:
        run.observer.leave(ply, value)
    return value


@kernel
def list_outcomes(game: Game[Any], s: Any, run: Run) -> int:
    """Write the outcomes of a chance node into the path from `top` on, and return how many there are.

    `scores` holds their n probabilities at the same places, then n lower bounds on the values of the outcomes,
    then n upper bounds.
    """
    path = run.path
    top, count = path.top, 0
    for outcome, probability in game.outcomes(s):
        if probability > 0.0:
            if top + 3 * (count + 1) >= len(path.moves):
                run.counts.stop = OUT_OF_SPACE
                break
            path.moves[top + count] = outcome
            path.scores[top + count] = probability
            count += 1
    for i in range(top + count, top + 2 * count):
        path.scores[i] = game.MINSCORE
        path.scores[i + count] = game.MAXSCORE
    path.top = top + 3 * count
    return count


@kernel
def probe_tells(game: Game[Any], s: Any, depth: int) -> int:
    """Which bound on the value of s a search of its first move alone gives: MAX's lower, MIN's upper, or NEITHER."""
    return NEITHER if depth <= 0 or game.terminal(s) else game.player(s)


@kernel
def learn(game: Game[Any], place: int, count: int, tells: int, value: float, path: Path) -> None:
    """Tighten the bounds on an outcome's value by the result of a search of it."""
    if tells == BOTH:
        path.scores[place + count] = value
        path.scores[place + 2 * count] = value
    elif tells == MAX:
        path.scores[place + count] = max(path.scores[place + count], min(value, float(game.MAXSCORE)))
    else:
        path.scores[place + 2 * count] = min(path.scores[place + 2 * count], max(value, float(game.MINSCORE)))


@kernel
def note_cutoff(ply: int, searched: int, count: int, run: Run) -> None:
    """Count a cutoff after so many moves, or outcomes, of the node at this ply."""
    run.counts.cutoffs += 1
    if run.observer is not None:
        run.observer.cutoff(ply, searched, count)


PRUNINGS = {"none": NO_PRUNING, "star1": STAR1, "star2": STAR2}
"""The values of the parameter `pruning`."""


class Expectiminimax(DeepeningSearch):
    """Expected values at chance nodes; with pruning by Ballard's Star1 and Star2."""

    name = "expectiminimax"
    summary = "expected values at chance nodes, with star1 and star2 pruning"
    source = "Russell & Norvig, 4th ed., section 5.5.1; Ballard 1983"
    handles_chance = True
    example = "pig"
    choices: ClassVar[Mapping[str, Collection[str]]] = {
        **DeepeningSearch.choices,
        "pruning": PRUNINGS,
        "opponent": ("best", "random"),
    }
    parameter_help: ClassVar[Mapping[str, str]] = {
        **DeepeningSearch.parameter_help,
        "pruning": "how to leave out outcomes that cannot matter (Ballard 1983)",
        "opponent": "whether Min plays the best moves, or any with equal probability",
    }

    def __init__(
        self,
        depth: int | str = "",
        time: float = 0.0,
        deepen: bool = False,
        pruning: str = "none",
        table: bool = False,
        memory: int = 64,
        order: str = "generated",
        opponent: str = "best",
    ) -> None:
        if pruning not in PRUNINGS:
            raise GamesearchError(f"there is no pruning {pruning!r}: {nearest(pruning, PRUNINGS)}")
        if opponent not in ("best", "random"):
            raise GamesearchError(f"opponent is best or random, not {opponent!r}")
        self.set_parameters(depth, time, deepen, table, memory, order)
        self.pruning, self.opponent = pruning, opponent
        self.is_exact = opponent == "best"

    @property
    def visits_everything(self) -> bool:
        """Whether every node is visited, and Min plays his best moves."""
        return self.pruning == "none" and not self.table and not self.deepen and self.is_exact

    @property
    def narrows_windows(self) -> bool:
        """Whether values found so far narrow the windows of later nodes."""
        return self.pruning != "none"

    def fits(self, game: Game[Any]) -> None:
        """Raise GamesearchError for games of more than two players, and for a random Min whom superko restrains."""
        super().fits(game)
        if self.opponent == "random" and game.recurrence == FORBIDDEN:
            raise GamesearchError(
                f"Min moves at random here, from whose moves the superko of {game.name} takes none: use opponent=best, "
                "or alphabeta"
            )

    def as_searched(self, game: Game[Any], state: Any) -> Game[Any]:  # noqa: ARG002
        """The game itself, or the same game with a Min who moves at random."""
        is_reduced = isinstance(game, Reduction) or self.opponent == "best"
        return game if is_reduced else RandomOpponent(game)

    def one_depth(self, runner: Runner, state: Any, depth: int) -> tuple[float, tuple[int, ...]]:
        """The expected value of the root to a depth, and its principal variation."""
        runner.begin(pruning=PRUNINGS[self.pruning])
        runner.note_iteration(depth, "search")
        value = runner.execute(
            expectiminimax,
            lambda: (runner.game, state, -math.inf, math.inf, depth, 0, False, *runner.arguments),
        )
        return float(value), () if runner.game.player(state) == CHANCE else runner.variation


class Expectimax(Expectiminimax):
    """Expectiminimax against an opponent who moves at random."""

    name = "expectimax"
    summary = "expectiminimax against an opponent who moves at random"
    example = "tictactoe"

    def __init__(
        self,
        depth: int | str = "",
        time: float = 0.0,
        deepen: bool = False,
        pruning: str = "none",
        table: bool = False,
    ) -> None:
        super().__init__(depth, time, deepen, pruning, table, opponent="random")
