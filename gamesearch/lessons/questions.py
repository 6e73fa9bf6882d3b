"""The questions of lessons: a question is posed for an instance (a game and a position), and its answer is computed.

A field `ask` names the kind of question, and for some kinds a node by the moves that lead to it:

- `value b a`: the value of a node, by the textbook's algorithm or by the algorithm in the field `algorithm`
- `searched b c`: whether the algorithm visits a node
- `window b`: the window with which the search enters a node
- `visits b`: the number of playouts through a node
- `nodes`, `leaves`, `cutoffs`: the counts of a search
- `quiz cut`: a question of the given kind from `gamesearch watch --quiz`, such as `cut`, `value` or `window`
- `move`: a best move; `winner`: who wins if both play best; `turn`: whose turn it is; `moves`: how many moves there are
- `json KEY`: an entry in the output of the field `command`, such as `value` or `moves.0.value`
- `choice`: one of several options
"""

import json
import random
import re
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.engine.formatting import plural, value_text
from gamesearch.algorithms.engine.result import Limits, Monitor
from gamesearch.algorithms.root.search import search
from gamesearch.errors import GamesearchError, Interrupted
from gamesearch.game import Game
from gamesearch.lessons.lesson import Question
from gamesearch.lessons.running import opens_files
from gamesearch.registry import load
from gamesearch.study.exercises import after_random_moves
from gamesearch.trace import answers
from gamesearch.trace import questions as quiz
from gamesearch.trace.node_values import numbers as numbers_of
from gamesearch.trace.phrases import statistics_sentence, turn_words, window_words
from gamesearch.trace.recorder import Recorder, TreeRecorder
from gamesearch.trace.recording import RecordedNode, Recording
from gamesearch.trace.sentences import sentence
from gamesearch.trace.stepping import Stepper

if TYPE_CHECKING:
    from gamesearch.solvers.solving import Solution

__all__ = ["PosedQuestion", "RunCommand", "pose", "read_instance", "record_instance", "with_instance"]

MOST_NODES = 20_000
"""The greatest number of nodes of a search that is recorded for a question."""
LONGEST = 20
"""The time limit, in seconds, for solving a position."""
TRIES = 100
"""The greatest number of random instances that are drawn until one of them has a clear answer."""
NAMED = 40
"""The greatest number of moves that the reason of an answer lists."""
NUMBERS = "0 20"
"""The range of random numbers, unless the question gives another range."""
UNKNOWN = re.compile(r"\?")
RANDOM = re.compile(r"random\((\d{1,3})\)")
COUNTS = ("nodes", "leaves", "cutoffs", "playouts")
LETTERS = "abcdefgh"

RunCommand = Callable[[str], str]
"""A function that runs a command of gamesearch and returns its output."""


@dataclass(frozen=True)
class PosedQuestion:
    """A question about one instance, with its answer."""

    prompt: str
    """The text of the question, in Markdown."""
    question: answers.Question
    """The question with its answer and reason, in the form of the quiz, which judges the student's answer."""
    on: str = ""
    """The game and the position, as on the command line."""
    options: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    """Other right answers, such as moves that are as good as the move in the answer."""
    reasons: tuple[str, ...] = ()
    """For each option, the reason why it is right or wrong."""
    explanation: str = ""

    def judge(self, given: str) -> answers.Verdict:
        """Judge an answer. Raises GamesearchError if the answer is of the wrong kind."""
        question, text = self.question, given.strip()
        if question.kind == "count":
            text = re.sub(r"(?<=\d)[,_ ](?=\d{3})", "", text)
        if question.kind == "option":
            text = text.rstrip(".)")
        if question.kind in ("option", "word", "choice"):
            text = next((each for each in question.moves if each.casefold() == text.casefold()), text)
        if question.kind == "text":
            is_right = text.casefold() in (each.casefold() for each in question.moves)
        else:
            is_right = question.judge(text).is_right or text in self.also
        said = question.verdict(is_right).text
        if question.kind == "option":
            chosen = f"{text}: {self.reasons[question.moves.index(text)] or question.reason}"
            said = f"Right. The answer is {chosen}"
            if not is_right:
                said = f"Wrong. {chosen}\nThe answer is {question.solution}"
        return answers.Verdict(is_right, said + (f"\n{self.explanation}" if self.explanation else ""))


# Instances. --------------------------------------------------------------------------------------
def read_instance(on: str) -> tuple[Game, Any]:
    """The game and the state of a field `on`."""
    words = split_words(on)
    refuse_files(on, *words)
    return load(words[0]).setup(" ".join(words[1:]))


def refuse_files(shown: str, *texts: str) -> None:
    """Raise GamesearchError if a text contains a specification that opens a file or runs a program."""
    if any(map(opens_files, texts)):
        raise GamesearchError(f"a lesson opens no files and runs no programs, but {shown!r} would")


def split_words(text: str) -> list[str]:
    """The words of a command line or an instance."""
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise GamesearchError(f"{text!r} cannot be read: {error}") from None
    if not words:
        raise GamesearchError("the game is missing: add a field 'on'")
    return words


def draw_instance(question: Question, source: random.Random) -> str:
    """Choose a random instance by the pattern in the field `again`."""
    low, _, high = (question.numbers or NUMBERS).partition(" ")
    try:
        least, greatest = int(low), int(high)
        text = UNKNOWN.sub(lambda _: str(source.randint(least, greatest)), question.again)
    except ValueError:
        raise GamesearchError(f"numbers: {question.numbers!r} is not a range, such as 0 20") from None
    if not (found := RANDOM.search(text)):
        return text
    game = read_instance(split_words(RANDOM.sub("", text))[0])[0]
    _, state = after_random_moves(game, int(found[1]), source)
    return RANDOM.sub(lambda _: shlex.quote(game.format(state)), text)


# Posing. -----------------------------------------------------------------------------------------
def pose(question: Question, seed: int | None = None, run: RunCommand | None = None) -> PosedQuestion:
    """Pose a question about its first instance or, with a seed, about a random instance.

    If the question has a command, `run` runs it. Raises GamesearchError if the answer cannot be computed.
    """
    if question.ask == "choice":
        return pose_choice(question, seed)
    source = random.Random(seed or 0)  # without a seed, the question is always the same
    if seed is None or not question.again:
        return pose_instance(question, question.on, source, run)
    for _ in range(TRIES):
        try:
            found = pose_instance(question, draw_instance(question, source), source, run)
        except UnclearError:
            continue
        return found
    raise GamesearchError(f"none of {TRIES} random instances of {question.again} has a clear answer")


class UnclearError(GamesearchError):
    """A random instance does not have a clear answer, for example because all moves are equally good."""


def pose_instance(question: Question, on: str, source: random.Random, run: RunCommand | None) -> PosedQuestion:
    """Pose a question about an instance."""
    kind, _, rest = question.ask.partition(" ")
    if kind == "json":
        found, also = from_command(question, rest, on, run)
    elif kind in ASKED:
        found, also = ASKED[kind](question, rest.split(), on, source)
    else:
        raise GamesearchError(f"unknown question {question.ask!r}: there are {', '.join((*ASKED, 'json', 'choice'))}")
    if kind == "json" and question.explanation:
        found = replace(found, reason="")
    prompt = question.prompt + (f"\n\n{found.text}" if found.text else "")
    if question.within and len(found.numbers) == 1:
        number, is_share, _ = question.within.partition("%")
        found = replace(found, within=float(number) * (abs(found.numbers[0]) / 100 if is_share else 1))
        prompt += f"\n\n(An answer within {question.within} is right.)"
    return PosedQuestion(prompt, found, on, also=also, explanation=question.explanation)


def pose_choice(question: Question, seed: int | None) -> PosedQuestion:
    """Pose a question with options; the seed determines their order."""
    options = list(question.options)
    if seed is not None:
        random.Random(seed).shuffle(options)
    letters = LETTERS[: len(options)]
    right = [letter for letter, option in zip(letters, options, strict=True) if option.is_right]
    reason = next(option.reason for option in options if option.is_right)
    found = answers.Question("option", 0, "", right[0], reason, moves=tuple(letters))
    return PosedQuestion(
        question.prompt,
        found,
        options=tuple(option.text for option in options),
        also=tuple(right[1:]),
        reasons=tuple(option.reason for option in options),
        explanation=question.explanation,
    )


Answer = tuple[answers.Question, tuple[str, ...]]
"""A question of the quiz with its answer, and other right answers."""


# Questions about a recorded search. --------------------------------------------------------------
def record_instance(on: str, algorithm: str, plies: int = 0) -> Recording:
    """Record a search of an instance. If `plies` is not 0, only the nodes down to that ply are kept."""
    game, state = read_instance(on)
    refuse_files(algorithm, algorithm)
    chosen = load_algorithm(algorithm or default_algorithm(game))
    recorder: Recorder | TreeRecorder = Recorder(game, state, chosen, MOST_NODES)
    if plies:
        recorder = TreeRecorder(game, state, chosen, plies, None, boards=True)
    limits = Limits(chosen.limits(game, Limits()).depth, nodes=MOST_NODES)
    result = search(game, state, chosen, limits=limits, observer=recorder)
    if result.stopped:
        raise GamesearchError(f"the search of {on} visits more than {MOST_NODES:,} nodes: ask about a smaller search")
    return recorder.finish(result)


def default_algorithm(game: Game) -> str:
    """The textbook algorithm for a game."""
    if game.players > 2 or not game.zero_sum:
        return "maxn"
    return "expectiminimax(pruning=none, order=generated)" if game.chance else "minimax"


def node_at(recording: Recording, path: Sequence[str]) -> tuple[RecordedNode, list[str]]:
    """The deepest visited node on a path of moves from the root, and the rest of the path."""
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
        raise UnclearError(f"the search does not visit {' '.join(path)}")
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
    values = ", ".join(f"{child.move} is worth {child.shown}" for child in children)
    return answers.Question("value", 0, "", found.answer, f"{values}; {found.reason}", numbers=found.numbers), ()


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
    """The window with which a node is entered."""
    recording = record_instance(on, question.algorithm or "alphabeta")
    node = visited_node(recording, path)
    if node.window is None:
        raise GamesearchError("this search has no windows: choose alphabeta")
    alpha, beta = node.window
    numbers = (-float("inf") if alpha is None else alpha, float("inf") if beta is None else beta)
    ends = ["none yet" if end is None else f"{end:g}" for end in node.window]
    sides = recording.sides
    reason = f"alpha is the best value so far for {sides[0]} on the path ({ends[0]}), beta for {sides[1]} ({ends[1]})."
    return answers.Question("window", 0, "", node.window_shown, reason, numbers=numbers), ()


def ask_visits(question: Question, path: list[str], on: str, _: random.Random) -> Answer:
    """The number of playouts through a node."""
    recording = record_instance(on, question.algorithm or "mcts(playouts=20)")
    node = visited_node(recording, path)
    shares = ", ".join(f"{child.move} {child.visits}" for child in recording.children(recording.path(node.number)[0]))
    return count(node.visits, f"the moves of the root have these playouts: {shares}.")


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
    """A random question of the quiz about a search. All `kinds` that the quiz has for this search are equally
    likely."""
    recording = record_instance(on, question.algorithm or "alphabeta")
    fitting = [each for each in quiz.questions(recording) if not kinds or each.kind in kinds]
    if not fitting:
        raise UnclearError(f"the quiz about {on} has no question {' or '.join(kinds)}")
    chosen = source.choice(sorted({each.kind for each in fitting}))
    return source.choice([each for each in fitting if each.kind == chosen]), ()


# Questions about a game. -------------------------------------------------------------------------
def solve_position(game: Game, state: Any) -> "Solution":
    """Solve a position; raises GamesearchError if this takes too long."""
    from gamesearch.solvers.solving import solve  # imports NumPy, which a list of lessons does not need

    try:
        return solve(game, state, monitor=Monitor(poll=lambda progress: progress.seconds > LONGEST))
    except Interrupted:
        raise GamesearchError(
            f"{game.format(state)!r} is not solved in {LONGEST} s: ask about a smaller position"
        ) from None


def ask_move(question: Question, _: list[str], on: str, __: random.Random) -> Answer:
    """A best move, from the exact solution or, if an algorithm is given, from its search."""
    if question.algorithm:
        recording = record_instance(on, question.algorithm)
        children = recording.children(visited_node(recording, []))
        shown = {str(child.move): child.shown for child in children}
        best = [str(recording.end["best"])]
        best += [str(each.move) for each in children if each.shown == shown[best[0]] and each.move != best[0]]
    else:
        game, state = read_instance(on)
        solution = solve_position(game, state)
        names = [game.move_name(state, each.move) for each in solution.moves]
        best = [name for name, each in zip(names, solution.moves, strict=True) if each.value == solution.value]
        texts = (value_text(each.value, signed=game.win_or_loss, only_ascii=True) for each in solution.moves)
        shown = dict(zip(names, texts, strict=True))
    if not best:
        raise UnclearError(f"the player has no moves in {on}")
    values = ", ".join(f"{name} {text}" for name, text in shown.items())
    moves = tuple(shown)
    if len(best) == len(moves) > 1:
        raise UnclearError(f"all moves are equally good in {on}")
    others = f" {' and '.join(best[1:])} {'is' if len(best) == 2 else 'are'} as good." if len(best) > 1 else ""
    return answers.Question("choice", 0, "", best[0], f"the values of the moves are {values}.{others}", moves=moves), (
        *best[1:],
    )


def ask_winner(_: Question, __: list[str], on: str, ___: random.Random) -> Answer:
    """The winner if both sides play best."""
    game, state = read_instance(on)
    solution = solve_position(game, state)
    sides = (game.player_name(0), game.player_name(1))
    difference = solution.value - game.draw_value()
    answer = sides[0] if difference > 0 else sides[1] if difference < 0 else "draw"
    plies = f", and best play takes {plural(solution.distance, 'ply', 'plies')}" if solution.distance else ""
    reason = f"the value is {value_text(solution.value, signed=True, only_ascii=True)}{plies}."
    also = {sides[0]: "Max", sides[1]: "Min"}.get(answer)
    moves = tuple(dict.fromkeys((*sides, "draw", "Max", "Min")))
    return answers.Question("word", 0, "", answer, reason, moves=moves), (also,) if also else ()


def ask_turn(_: Question, __: list[str], on: str, ___: random.Random) -> Answer:
    """Whose turn it is."""
    game, state = read_instance(on)
    if game.terminal(state):
        raise UnclearError(f"the game is over in {on}")
    names = tuple(game.player_name(player) for player in range(game.players))
    answer = game.player_name(game.player(state))
    return answers.Question("word", 0, "", answer, f"{turn_words(answer)}.", moves=names), ()


def ask_moves(_: Question, __: list[str], on: str, ___: random.Random) -> Answer:
    """The number of moves."""
    game, state = read_instance(on)
    names = [] if game.terminal(state) else [game.move_name(state, move) for move in game.steps(state)]
    reason = f"the moves are {', '.join(names)}." if names else "the game is over."
    return count(len(names), reason if len(names) <= NAMED else "")


ASKED: dict[str, Callable[[Question, list[str], str, random.Random], Answer]] = {
    "value": ask_value,
    "searched": ask_searched,
    "window": ask_window,
    "visits": ask_visits,
    **dict.fromkeys(COUNTS, ask_count),
    "quiz": ask_quiz,
    "move": ask_move,
    "winner": ask_winner,
    "turn": ask_turn,
    "moves": ask_moves,
}
"""For each kind of question (the first word of `ask`), the function that finds the answer."""


# Questions about the output of a command. --------------------------------------------------------
def with_instance(command: str, on: str) -> str:
    """A command in which `{on}` is replaced by an instance."""
    return command.replace("{on}", shlex.join(split_words(on)) if on else "")


def from_command(question: Question, key: str, on: str, run: RunCommand | None) -> Answer:
    """An entry in the JSON output of a command; if the entry is a list, each of its elements is a right answer."""
    if run is None or not question.command:
        raise GamesearchError(
            "a question 'json KEY' needs a field 'command', such as: gamesearch solve nim 3,4,5 --json"
        )
    line = with_instance(question.command, on)
    found: Any = json.loads(run(line))
    for part in key.split("."):
        try:
            found = found[int(part) if isinstance(found, list) else part]
        except (KeyError, IndexError, ValueError, TypeError):
            raise GamesearchError(f"the output of {line} has no {key}") from None
    reason = f"{line} prints it."
    if isinstance(found, bool) or found is None:
        return answers.Question("searched", 0, "", "yes" if found else "no", reason), ()
    if isinstance(found, int):
        return count(found, reason)
    if isinstance(found, float):
        shown = value_text(found, only_ascii=True)
        return answers.Question("value", 0, "", shown, reason, numbers=(found,)), ()
    words = tuple(map(str, found)) if isinstance(found, list) else (str(found),)
    if not words:
        raise UnclearError(f"{key} is empty in the output of {line}")
    return answers.Question("text", 0, "", words[0], reason, moves=words), words[1:]
