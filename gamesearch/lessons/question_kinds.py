"""The kinds of questions whose answers a search or a solver computes."""

import functools
import operator
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from gamesearch.algorithms.engine.formatting import plural, value_text
from gamesearch.algorithms.engine.result import Monitor, Progress
from gamesearch.algorithms.weaving.bookkeeping import color_of
from gamesearch.errors import GamesearchError, Interrupted
from gamesearch.game import Game
from gamesearch.lessons.instances import UnclearError, read_instance, record_instance
from gamesearch.lessons.lesson import Question
from gamesearch.notation import player_name
from gamesearch.optional import is_impartial
from gamesearch.trace import answers
from gamesearch.trace import questions as quiz
from gamesearch.trace.node_values import numbers as numbers_of
from gamesearch.trace.recording import RecordedNode, Recording
from gamesearch.trace.stepping import Stepper
from gamesearch.trace.wording.phrases import best_values_words, statistics_sentence, turn_words, window_words
from gamesearch.trace.wording.sentences import sentence

if TYPE_CHECKING:
    from gamesearch.solvers.solving import Solution

__all__ = ["ASKED", "Answer", "count"]

MOST_SOLVED = 5_000_000
"""The greatest number of nodes for solving a position. If the limit were a time, a slow computer would refuse more
questions."""
SHORT = 20_000
"""A position is first solved in interpreted code, which visits at most this number of nodes."""
NAMED = 40
"""The reason for an answer lists at most this number of moves."""
COUNTS = ("nodes", "leaves", "cutoffs", "playouts")

Answer = tuple[answers.Question, tuple[str, ...]]
"""A question of the quiz with its answer, and other answers that are also right."""


def values_text(shown: Mapping[str, str]) -> str:
    """A sentence about the values of moves. Moves with the same value form a group. If the largest group has several
    moves, these moves are called "the other moves".

    >>> values_text({"a": "3", "b": "2"}), values_text({"a": "+1", "b": "-1", "c": "-1"})
    ('a is worth 3, b is worth 2', 'a is worth +1, each of the other moves is worth -1')
    """
    groups: dict[str, list[str]] = {}
    for name, value in shown.items():
        groups.setdefault(value, []).append(name)
    subjects = {value: "each of " * (len(names) > 1) + ", ".join(names) for value, names in groups.items()}
    most = max(groups, key=lambda value: len(groups[value]))
    if len(groups[most]) > 1:
        del subjects[most]
        subjects[most] = "each of the other moves" if subjects else "every move"
    return ", ".join(f"{subject} is worth {value}" for value, subject in subjects.items())


# Questions about a recorded search. --------------------------------------------------------------
def node_at(recording: Recording, path: Sequence[str]) -> tuple[RecordedNode, list[str]]:
    """Follow a path of moves from the root; returns the last visited node on the path, and the rest of the path."""
    node, left = recording.root, list(path)
    if node is None:
        raise GamesearchError("the search visited no nodes")
    while left:
        after = [child for child in recording.children(node) if child.move == left[0] and not child.is_probe]
        if not after:
            break
        node, left = after[-1], left[1:]
    return node, left


def visited_node(recording: Recording, path: Sequence[str]) -> RecordedNode:
    """The node on a path; raises GamesearchError if the search did not visit it."""
    node, left = node_at(recording, path)
    if left:
        moves = ", ".join(dict.fromkeys(str(child.move) for child in recording.children(node)))
        where = f"after {' '.join(path[: -len(left)])}" if left != path else "at the root"
        raise UnclearError(
            f"the search does not visit {' '.join(path)}: {where}, "
            + (f"it visits {moves}" if moves else "it visits no moves")
        )
    return node


def ask_value(question: Question, path: list[str], on: str, _: random.Random) -> Answer:
    """The value of a node."""
    game, state = read_instance(on)
    if game.terminal(state) and not path:
        value = game.utility(state)
        shown = value_text(value, signed=game.win_or_loss, only_ascii=True)
        numbers = value if isinstance(value, tuple) else (float(value),)
        return answers.Question("value", 0, "", shown, "the game is over, and this is its payoff.", numbers=numbers), ()
    recording = record_instance(on, question.algorithm)
    node = visited_node(recording, path)
    children = recording.children(node)
    if node.value is None or node.bound != "exact":
        raise UnclearError(f"the search does not find the exact value of {' '.join(path)}")
    if not children:
        reason = (
            "the game is over there." if node.kind == "end" else "the search ends there, and estimates the position."
        )
        return answers.Question("value", 0, "", node.shown, reason, numbers=numbers_of(node.value)), ()
    found = quiz.value(Stepper(recording), node, children)
    if node.side == "chance":  # the weighted sum contains the values of the outcomes
        choices = [
            f"after the outcome {child.move}, {child.side} chooses {child.shown}"
            for child in children
            if child.children
        ]
        reason = "; ".join([*choices, found.reason])
    else:
        reason = f"from this node, {values_text({str(each.move): each.shown for each in children})}; {found.reason}"
    return answers.Question("value", 0, "", found.answer, reason, numbers=found.numbers), ()


def ask_negamax(question: Question, path: list[str], on: str, source: random.Random) -> Answer:
    """The value of a node from the point of view of the player to move. If the game is over, this is the player who
    would move next, as in the negamax of the textbook."""
    found, _ = ask_value(question, path, on, source)
    game, state = read_instance(on)
    for name in path:
        state = game.result(state, next(m for m in game.steps(state) if game.move_name(state, m) == name))
    if len(found.numbers) > 1 or color_of(game, state) == 1:
        return found, ()
    value = -found.numbers[0]
    mover = "Min would move next" if game.terminal(state) else "Min has the move"
    reason = f"the value for Max is {found.answer}, and {mover}: {found.reason}"
    return replace(found, answer=value_text(value, only_ascii=True), numbers=(value,), reason=reason), ()


def ask_searched(question: Question, path: list[str], on: str, _: random.Random) -> Answer:
    """Whether a search visits a node."""
    recording = record_instance(on, question.algorithm or "alphabeta")
    node, left = node_at(recording, path)
    stepper = Stepper(recording)
    if not left:
        window = f"; it is entered with {window_words(node.window_shown)}" if node.window_shown else ""
        return answers.Question("searched", 0, "", "yes", f"nothing cuts it off{window}."), ()
    if left[0] not in node.pruned:
        raise GamesearchError(f"{' '.join(path)} is not a node of {on}")
    stepper.go(node.last_event)
    while stepper.event["event"] != "cutoff":
        stepper.back()
    return answers.Question("cut", 0, "", "no", sentence(stepper)), ()


def ask_window(question: Question, path: list[str], on: str, _: random.Random) -> Answer:
    """The window (alpha and beta) when the search enters a node."""
    recording = record_instance(on, question.algorithm or "alphabeta")
    node = visited_node(recording, path)
    if node.window is None:
        raise GamesearchError("this search has no windows: choose alphabeta")
    alpha, beta = node.window
    numbers = (-float("inf") if alpha is None else alpha, float("inf") if beta is None else beta)
    ends = ["none yet" if end is None else f"{end:g}" for end in node.window]
    reason = best_values_words(ends, recording.sides)
    return answers.Question("window", 0, "", node.window_shown, reason, numbers=numbers), ()


def ask_visits(question: Question, path: list[str], on: str, _: random.Random) -> Answer:
    """The number of playouts through a node."""
    recording = record_instance(on, question.algorithm or "mcts(playouts=20)")
    node = visited_node(recording, path)
    shares = ", ".join(f"{child.move} {child.visits}" for child in recording.children(recording.path(node.number)[0]))
    return count(node.visits, f"the numbers of playouts through the moves of the root are {shares}.")


def ask_count(question: Question, __: list[str], on: str, _: random.Random) -> Answer:
    """One of the counts of a search, such as its nodes."""
    recording = record_instance(on, question.algorithm)
    name = question.ask.split()[0]
    if name not in recording.end:
        raise GamesearchError(f"this search does not count {name}")
    return count(recording.end[name], f"the search counts {statistics_sentence(recording)}.")


def count(number: int, reason: str) -> Answer:
    """A question whose answer is a whole number."""
    return answers.Question("count", 0, "", f"{number:,}", reason, numbers=(float(number),)), ()


def ask_quiz(question: Question, kinds: list[str], on: str, source: random.Random) -> Answer:
    """A random question of the quiz about a search. All possible `kinds` are equally likely."""
    recording = record_instance(on, question.algorithm or "alphabeta")
    fitting = [each for each in quiz.questions(recording) if not kinds or each.kind in kinds]
    if not fitting:
        known = ", ".join(sorted({each.kind for each in quiz.questions(recording)})) or "none"
        raise UnclearError(f"the quiz about {on} has no question of the kind {' or '.join(kinds)}; its kinds: {known}")
    chosen = source.choice(sorted({each.kind for each in fitting}))
    return source.choice([each for each in fitting if each.kind == chosen]), ()


# Questions about a game. -------------------------------------------------------------------------
def solve_position(game: Game, state: Any) -> "Solution":
    """Solve a position; raises GamesearchError if this takes too long."""
    # Imported here because it imports NumPy, which the list of lessons does not need.
    from gamesearch.solvers.solving import fitting_method, solve

    attempts = [("auto", MOST_SOLVED)]
    if fitting_method(game, "auto") == "memo":  # other methods cannot be stopped quickly
        attempts.insert(0, ("interpreted", SHORT))  # most instances are small, and compiling new rules takes seconds
    for speed, most in attempts:

        def exceeds(progress: Progress, most: int = most) -> bool:
            return progress.nodes > most

        monitor = Monitor(poll=exceeds)
        try:
            return solve(game, state, speed=speed, monitor=monitor)
        except Interrupted:
            if monitor.interrupted:
                raise
    raise GamesearchError(
        f"{game.format(state)!r} could not be solved within {MOST_SOLVED:,} nodes: ask about a smaller position"
    )


def ask_move(question: Question, _: list[str], on: str, __: random.Random) -> Answer:
    """A best move. If an algorithm is given, its search chooses the move. If not, the move is a best move of the exact
    solution."""
    if question.algorithm:
        recording = record_instance(on, question.algorithm)
        children = recording.children(visited_node(recording, []))
        shown = {str(child.move): child.shown for child in children}
        best = [str(recording.end["best"])]
        best += [str(each.move) for each in children if each.shown == shown[best[0]] and each.move != best[0]]
    else:
        game, state = read_instance(on)
        solution = solve_position(game, state)
        shown = {game.move_name(state, move): "unknown" for move in game.steps(state)}  # in trees with unknown leaves
        for each in solution.moves:
            name = game.move_name(state, each.move)
            shown[name] = value_text(each.value, signed=game.win_or_loss, only_ascii=True)
        best = [game.move_name(state, each.move) for each in solution.moves if each.value == solution.value]
    if not best:
        raise UnclearError(f"the player has no moves in {on}: choose another position")
    moves = tuple(shown)
    if len(best) == len(moves) > 1:
        raise UnclearError(f"all moves are equally good in {on}")
    return answers.Question("choice", 0, "", best[0], f"{values_text(shown)}.", moves=moves), (*best[1:],)


def ask_winner(_: Question, __: list[str], on: str, ___: random.Random) -> Answer:
    """The winner if both sides play perfectly."""
    game, state = read_instance(on)
    solution = solve_position(game, state)
    sides = (player_name(game, 0), player_name(game, 1))
    difference = solution.value - game.draw_value()
    answer = sides[0] if difference > 0 else sides[1] if difference < 0 else "draw"
    distance = plural(solution.distance or 0, "ply", "plies")
    plies = f", and with best play the game ends in {distance}" if solution.distance else ""
    reason = f"the value is {value_text(solution.value, signed=True, only_ascii=True)}{plies}."
    also = {sides[0]: "Max", sides[1]: "Min"}.get(answer, answer)
    moves = tuple(dict.fromkeys((*sides, "draw", "Max", "Min")))
    return answers.Question("word", 0, "", answer, reason, moves=moves), (also,) if also != answer else ()


def ask_turn(_: Question, __: list[str], on: str, ___: random.Random) -> Answer:
    """Whose turn it is."""
    game, state = read_instance(on)
    if game.terminal(state):
        raise UnclearError(f"the game is over in {on}: choose another position")
    names = tuple(player_name(game, player) for player in range(game.players))
    answer = player_name(game, game.player(state))
    return answers.Question("word", 0, "", answer, f"{turn_words(answer)}.", moves=names), ()


def ask_moves(_: Question, __: list[str], on: str, ___: random.Random) -> Answer:
    """The number of moves."""
    game, state = read_instance(on)
    names = [] if game.terminal(state) else [game.move_name(state, move) for move in game.steps(state)]
    reason = f"the moves are {', '.join(names)}." if names else "the game is over."
    return count(len(names), reason if len(names) <= NAMED else "")


def ask_estimate(question: Question, path: list[str], on: str, source: random.Random) -> Answer:
    """The evaluation of a position. If an algorithm is given, the answer is the estimate that its search finds."""
    if question.algorithm:
        if record_instance(on, question.algorithm).end["distance"] is not None:
            raise UnclearError(f"the search of {on} finds a win or a loss, not an estimate: choose another position")
        return ask_value(question, path, on, source)
    game, state = read_instance(on)
    if game.players > 2 or game.terminal(state):
        raise UnclearError(f"{on} has no single estimate: the game is over, or has more than two players")
    estimate = float(game.evaluate(state))
    shown = value_text(estimate, only_ascii=True)
    return answers.Question("value", 0, "", shown, "", numbers=(estimate,)), ()


def ask_grundy(_: Question, __: list[str], on: str, ___: random.Random) -> Answer:
    """The Grundy number of a position."""
    game, state = read_instance(on)
    if not is_impartial(game):
        raise GamesearchError(f"{on} has no Grundy number: the game is not impartial")

    def nim_sum(s: Any) -> int:
        return functools.reduce(operator.xor, map(game.grundy, game.subgames(s)), 0)

    sizes = game.subgames(state)
    if len(sizes) > 1:
        parts = ", ".join(f"{size} has {game.grundy(size)}" for size in sizes)
        return count(nim_sum(state), f"the nim-sum of the Grundy numbers of its parts: {parts}.")
    after = sorted({nim_sum(game.result(state, move)) for move in game.steps(state)})
    return count(
        nim_sum(state),
        f"the positions after the moves have the Grundy numbers {', '.join(map(str, after))}, and the answer is the "
        "smallest number that is not among them.",
    )


ASKED: dict[str, Callable[[Question, list[str], str, random.Random], Answer]] = {
    "value": ask_value,
    "negamax": ask_negamax,
    "searched": ask_searched,
    "window": ask_window,
    "visits": ask_visits,
    **dict.fromkeys(COUNTS, ask_count),
    "quiz": ask_quiz,
    "move": ask_move,
    "winner": ask_winner,
    "turn": ask_turn,
    "moves": ask_moves,
    "estimate": ask_estimate,
    "grundy": ask_grundy,
}
"""For each kind of question (the first word of `ask`), the function that finds the answer."""
