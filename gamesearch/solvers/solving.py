"""The function `solve`: the exact value of a position, the distance to the end of the game, and all best moves."""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from gamesearch import aliases
from gamesearch.algorithms.databases.codes import UNDECIDED, code_in_layers, decode
from gamesearch.algorithms.engine.result import Monitor
from gamesearch.algorithms.engine.runner import Runner
from gamesearch.algorithms.node.database import Database
from gamesearch.algorithms.node.repetition import is_repeated, since_progress
from gamesearch.algorithms.node.table import physical_memory
from gamesearch.aliases import resolve
from gamesearch.compiler import speed_for
from gamesearch.errors import GamesearchError, list_names
from gamesearch.game import FORBIDDEN, MAX, NEVER, REPETITION_DRAWS, Game
from gamesearch.notation import zero_sum_words
from gamesearch.optional import GameWithVariants, LeveledGame, UserTree, is_determined, is_impartial
from gamesearch.solvers.dynamic_programming import solve_by_levels, solve_by_memo
from gamesearch.solvers.estimate import Estimate
from gamesearch.solvers.graphs.graph import graph_bytes
from gamesearch.solvers.graphs.iteration import solve_by_iteration
from gamesearch.solvers.graphs.retrograde import solve_by_predecessors
from gamesearch.solvers.grundy import solve_by_grundy, solve_impartial, with_grundy_numbers
from gamesearch.solvers.proof.search import ProofSearch, solve_by_proof
from gamesearch.solvers.search import MOST_REMEMBERED, solve_by_memo_and_search, solve_by_search, solving_alphabeta
from gamesearch.solvers.solution import Solution, solution_from
from gamesearch.solvers.store import prefers, store_bytes
from gamesearch.specification import construct, format_specification, parse_specification
from gamesearch.toolkit.symmetric_games import fold_symmetries
from gamesearch.user_code.checking import check_arguments

__all__ = [
    "METHODS", "Effort", "Solution", "effort_for", "fitting_method", "is_worth_estimating", "known_method",
    "solve", "solve_by_database",
]  # fmt: skip

METHODS = {
    "auto": "the method that fits the game; if the game has too many positions for memo, alpha-beta search takes over",
    "memo": "minimax that stores each solved position",
    "dynamic_programming": "bottom-up by levels, or by predecessors if the game does not list the states of a level",
    "retrograde": "backward from terminal positions to their predecessors; positions may repeat",
    "iteration": "value iteration, for games in which chance makes positions repeat",
    "grundy": "nim-sum of Grundy numbers, for impartial games",
    "search": "alpha-beta to the end of the game, with a transposition table",
    "proof": "proof-number search, first for a win of the player to move; proof(search=pn) and "
    "proof(search=pn2) are best-first searches; proof(attack=forcing) searches only threats and captures",
}


def solve(
    game: Game,
    state: Any,
    method: str = "auto",
    *,
    speed: str = "auto",
    monitor: Monitor | None = None,
    keep: bool = False,
    symmetries: bool = False,
    past: Sequence[Any] = (),
) -> Solution:
    """Find the exact value of a position, the distance to the end of the game, and all best moves.

    If `symmetries` is true, symmetric positions are solved once. If `keep` is true, the solution stays in memory and
    can `choose` moves in later positions. `past` contains the states of the game before `state`. They decide only
    whether the game is already drawn by repetition; if they could also matter later, the note of the solution says so.
    Raises GamesearchError if the method does not fit the game or if there is not enough memory.

    >>> from gamesearch import load
    >>> game = load("nim")
    >>> [game.move_name(game.initial(), move) for move in solve(game, game.initial()).best]
    ['a2']
    """
    check_arguments(game, state)
    method = known_method(method)
    if game.payoff_count > 1:
        raise GamesearchError(
            f"`gamesearch solve` is {zero_sum_words(game)}: use `gamesearch analyze` with the algorithm maxn"
        )
    if not is_determined(game, state):
        raise GamesearchError(
            f"the value of {game.format(state)!r} depends on unknown payoffs: use `gamesearch analyze` to estimate it"
        )
    if symmetries:
        game = fold_symmetries(game)
    if is_repeated(game, (*past, state)):
        return drawn_solution(game, state, method)
    solved, start, note = game, state, ""
    if isinstance(game, GameWithVariants) and not game.terminal(state):
        solved, start, note = game.for_solving(state)
    solution = solve_as_it_is(Runner(solved, speed, monitor=monitor), start, method, keep)
    if isinstance(game, UserTree) and game.has_unknown and solution.best:
        solution = without_assumed_moves(game, state, solution)
    solution = replace(solution, note=join_notes(solution.note, note, past_note(game, state, past)))
    return solution if keep else replace(solution, choose=None)


def drawn_solution(game: Game, state: Any, method: str) -> Solution:
    """The solution of a position in which the game is already drawn by repetition."""
    note = "the game is drawn by repetition"
    value = float(game.draw_value())
    return Solution(value, None, (), method, 0, 0, 0, 0.0, "interpreted", note=note, searched=(game, state))


def join_notes(*notes: str) -> str:
    """Join the notes that are not empty."""
    return "; ".join(filter(None, notes))


def without_assumed_moves(game: UserTree, state: Any, solution: Solution) -> Solution:
    """The solution of a tree in which some payoffs are unknown. It leaves out moves whose value or rank depends on
    these payoffs."""
    moves = tuple(each for each in solution.moves if game.is_determined(game.result(state, each.move)))
    names = [game.move_name(state, each.move) for each in solution.moves if each not in moves]
    word, verb = ("value", "depends") if len(names) == 1 else ("values", "depend")
    note = f"the {word} of {list_names(names)} {verb} on the leaves marked ?" if names else ""
    return replace(solution, best=tuple(game.certain_moves(state)), moves=moves, note=note)


def past_note(game: Game, state: Any, past: Sequence[Any]) -> str:
    """A note about the earlier positions of the game, which a solution ignores; empty if they do not matter.

    A position that has occurred only once does not matter. It cannot occur for the third time on the way to the fastest
    win.
    """
    if game.terminal(state) or is_repeated(game, (*past, state)):
        return ""
    if past and game.repetition == FORBIDDEN:
        return "the earlier positions are ignored, so a move may repeat them; analyze forbids such moves"
    occurrences = Counter(game.arrangement(s) for s in since_progress(game, (*past, state))[:-1])
    if game.repetition == REPETITION_DRAWS and max(occurrences.values(), default=0) > 1:
        return "the earlier positions are ignored, although one of them has occurred twice; analyze counts them"
    return ""


def solve_as_it_is(runner: Runner, state: Any, method: str, keep: bool) -> Solution:
    """Solve the game by one of the methods, without symmetries."""
    game = runner.game
    name = fitting_method(game, method)
    if is_impartial(game) and (method == "grundy" or (method == "auto" and name == "memo")):
        return with_grundy_numbers(game, state, solve_impartial(runner, state, prefers_theory=method == "grundy"))
    if method == "auto" and name == "memo" and not game.chance:
        return solve_by_memo_and_search(runner, state)
    # Solving by levels does not keep all levels in memory, so it is not used if `keep` is true.
    if name == "proof":
        solution = solve_by_proof(runner, state, construct("the method", ProofSearch, parse_specification(method)))
    else:
        by_levels = name == "dynamic_programming" and isinstance(game, LeveledGame) and not keep
        solution = replace((solve_by_levels if by_levels else SOLVERS[name])(runner, state), method=name)
    return with_grundy_numbers(game, state, solution) if is_impartial(game) else solution


def known_method(method: str) -> str:
    """The full name of a method. The name of the method `proof` includes its parameters."""
    given = parse_specification(method)
    meant = resolve(given, METHODS, aliases.METHODS)
    if (given.parameters or given.values) and meant.name != "proof":
        raise GamesearchError(f"the method {meant.name} has no parameters: leave out the parentheses")
    return method if meant == given else format_specification(meant.name, meant.parameters)


def fitting_method(game: Game, method: str) -> str:
    """The given method or, for `auto`, the method that is tried first. Raises GamesearchError if the method does not
    fit."""
    method = parse_specification(known_method(method)).name
    can_repeat = game.repetition != NEVER
    if game.repetition == FORBIDDEN:
        if method not in ("auto", "search"):
            raise GamesearchError(
                f"moves of {game.name} depend on earlier positions, which the method {method} does not "
                f"support: use the method search"
            )
        return "search"
    if method == "auto":
        if not can_repeat:
            return "memo"
        return "iteration" if game.chance else "retrograde"
    reason = ""
    if method == "grundy" and not is_impartial(game):
        reason = f"{game.name} is not a sum of impartial games with normal play"
    elif method in ("memo", "dynamic_programming", "search") and can_repeat:
        reason = f"positions of {game.name} can repeat, which the method {method} does not support"
    elif method == "retrograde" and game.chance and can_repeat:
        reason = f"positions of {game.name} can repeat by chance, which the method {method} does not support"
    elif method in ("search", "proof") and game.chance:
        reason = f"{game.name} has chance nodes, which the method {method} does not support"
    if reason:
        raise GamesearchError(f"{reason}: use the method {fitting_method(game, 'auto')}")
    return method


SOLVERS: dict[str, Callable[[Runner, Any], Solution]] = {
    "memo": solve_by_memo,
    "dynamic_programming": solve_by_predecessors,
    "retrograde": solve_by_predecessors,
    "iteration": solve_by_iteration,
    "grundy": solve_by_grundy,
    "search": solve_by_search,
}


def solve_by_database(game: Game, state: Any, folder: str, past: Sequence[Any] = ()) -> Solution:
    """Read the value of a position, the distance to the end, and all best moves from the layers in a folder. A position
    outside of the layers is solved if all its moves lead to positions in the layers. `past` is used as in `solve`.
    Raises GamesearchError if a move leads out of the layers."""
    check_arguments(game, state)
    if is_repeated(game, (*past, state)):
        return drawn_solution(game, state, "database")
    database = Database(folder, game)
    layers = database.layers(is_compiled=False)

    def look_up(s: Any) -> tuple[float, int] | None:
        if game.terminal(s):
            return float(game.utility(s)), 0
        code = code_in_layers(database.game, s, layers)
        if code == UNDECIDED:
            return None
        value, plies = decode(game, code, game.player(s))
        return value if game.win_or_loss else value + database.certain_payoff(s), plies

    def lookup(s: Any) -> tuple[float, int | None]:
        found = look_up(s) or value_from_moves(s)
        return found if game.win_or_loss else (found[0], None)

    def value_from_moves(s: Any) -> tuple[float, int]:
        maximizing = game.player(s) == MAX
        best, distance = -math.inf if maximizing else math.inf, 0
        for move in game.steps(s):
            found = look_up(game.result(s, move)) if s is state else None
            if found is None:
                raise GamesearchError(
                    f"{game.format(state)!r} is in no layer of {folder}, and its moves lead out of the "
                    f"layers: build larger layers with `gamesearch database`, or search with `gamesearch "
                    f"analyze` and an algorithm with the parameter database="
                )
            if prefers(found[0], found[1] + 1, best, distance, maximizing, game.draw_value()):
                best, distance = found[0], found[1] + 1
        return best, distance

    headers = database.headers.values()
    n, size = sum(each.positions for each in headers), sum(each.size for each in headers)
    note = join_notes(
        game.for_solving(state)[2] if isinstance(game, GameWithVariants) else "", past_note(game, state, past)
    )
    runner = Runner(game, "interpreted")
    return solution_from(runner, state, "database", lookup, positions=n, kept=n, bytes=size, note=note)


# Memory and time. ---------------------------------------------------------------------------------
FASTER = 100
"""Interpreted code estimates the size of a game. A compiled solver visits about this many times as many positions per
second."""


@dataclass(frozen=True)
class Effort:
    """The memory and the time that a method needs."""

    method: str
    bytes: float
    seconds: float
    remark: str = ""
    """A remark, such as "that is more than this machine's memory"; empty if there is nothing to add."""


def is_worth_estimating(game: Game, method: str) -> bool:
    """Whether the size of the task follows from the number of positions. This is true if the method visits each
    position once. With superko, it visits each position at least once."""
    name = fitting_method(game, method)
    is_by_theory = is_impartial(game) and (name == "grundy" or method == "auto")
    is_counted = name not in ("search", "proof") or game.repetition == FORBIDDEN
    return game.payoff_count == 1 and is_counted and not is_by_theory


def effort_for(game: Game, state: Any, method: str, speed: str, estimate: Estimate) -> Effort:
    """The memory and the time that a method needs. The time is only a rough estimate."""
    name, positions = fitting_method(game, method), estimate.positions
    if name == "search":
        remark = "values depend on earlier positions (superko), so the time is unknown"
        return Effort(name, solving_alphabeta(None).memory << 20, math.inf, remark)
    per_position = estimate.seconds / max(1, estimate.looked_at)
    seconds = positions * per_position / (FASTER if speed_for(game, speed) == "compiled" else 1)
    remark = ""
    if name == "memo":
        if method == "auto" and not game.chance and positions > MOST_REMEMBERED:
            remark = f"after {MOST_REMEMBERED:,} positions, alpha-beta search takes over, and its time is unknown"
            positions = MOST_REMEMBERED
        size = store_bytes(positions)
    else:
        size = graph_bytes(state, estimate)
    if not remark and size > physical_memory() / 2:
        remark = "that is more than this machine's memory"
    return Effort(name, size, seconds, remark)
