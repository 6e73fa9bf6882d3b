"""The instances of questions. An instance is a game and a position as text. This module makes random instances, and
records searches of them.

Lessons may come from strangers, so specifications and commands that open files or run programs are refused.
"""

import contextlib
import random
import re
import shlex
from collections.abc import Callable, Collection, Iterator
from typing import Any

from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.engine.result import Limits
from gamesearch.algorithms.root.search import search
from gamesearch.aliases import WATCHED
from gamesearch.errors import GamesearchError, Interrupted
from gamesearch.game import Game
from gamesearch.lessons.lesson import Block, Question
from gamesearch.play.players.loading import ENGINES
from gamesearch.registry import load_beginning
from gamesearch.specification import (
    SHIPPED_EVALUATIONS,
    files_named,
    is_typed_tree,
    near,
    runs_own_code,
    split_at_commas,
)
from gamesearch.toolkit.random_games import after_random_moves
from gamesearch.trace.recorder import Recorder, TreeRecorder
from gamesearch.trace.recording import Recording

__all__ = [
    "FieldError", "UnclearError", "blame", "draw_instance", "locate", "opens_files", "read_instance", "record_instance",
    "split_words", "words_of",
]  # fmt: skip

MOST_NODES = 20_000
"""If a search is recorded for a question, it may visit at most this number of nodes."""
NUMBERS = "0 20"
"""The range of random numbers, unless the question gives another range."""
UNKNOWN = "?"
RANDOM = re.compile(r"random\((\d{1,3})\)")


class UnclearError(GamesearchError):
    """A random instance has no clear answer. For example, all moves are equally good."""


class FieldError(GamesearchError):
    """A field of a question has a value that cannot be used."""

    def __init__(self, message: str, field: str) -> None:
        super().__init__(message)
        self.field = field


@contextlib.contextmanager
def blame(field: str) -> Iterator[None]:
    """Convert an error to a FieldError of the given field, unless the error already names a field."""
    try:
        yield
    except (FieldError, Interrupted, UnclearError):
        raise
    except GamesearchError as error:
        raise FieldError(str(error), field) from None


@contextlib.contextmanager
def locate(block: Block, default: str = "") -> Iterator[None]:
    """Begin each error message with the file and the line of the faulty field. If the error names no field, use the
    line of the field `default`."""
    try:
        yield
    except Interrupted:
        raise
    except GamesearchError as error:
        place = block.place(error.field if isinstance(error, FieldError) else default)
        kind = UnclearError if isinstance(error, UnclearError) else GamesearchError
        raise kind(": ".join(filter(None, (place, str(error))))) from None


def read_instance(on: str) -> tuple[Game, Any]:
    """The game and the state that a field `on` describes."""
    words = split_words(on)
    refuse_files(on, *words)
    return load_beginning(words[0], on).setup(" ".join(words[1:]))


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
    """Choose a random instance that fits the pattern in the field `again`.

    If the range is large enough, all numbers in a tree are different. So equal values affect neither the cutoffs
    nor the best move.
    """
    ranges, count = (question.numbers or NUMBERS).split(","), question.again.count(UNKNOWN)
    try:
        first, *others = (range(int(low), int(high) + 1) for low, high in map(str.split, ranges))
        is_tree = is_typed_tree(question.again.lstrip("'\""))
        draw = source.sample if is_tree and count <= len(first) else source.choices
        if others and 1 + len(others) != count:
            raise ValueError
        numbers = iter([source.choice(each) for each in (first, *others)] if others else draw(first, k=count))
        text = re.sub(re.escape(UNKNOWN), lambda _: str(next(numbers)), question.again)
    except (ValueError, IndexError):
        raise FieldError(
            f"{question.numbers!r} is not a range: give the least and the greatest number, for example 0 20. If there "
            "are several ?, you can also give one range for each ?, separated by commas",
            "numbers",
        ) from None
    if not (found := RANDOM.search(text)):
        return text
    game = read_instance(split_words(RANDOM.sub("", text))[0])[0]
    _, state = after_random_moves(game, int(found[1]), source)
    return RANDOM.sub(lambda _: shlex.quote(game.format(state)), text)


# Permissions. ------------------------------------------------------------------------------------
READING = (
    *("analyze", "solve", "perft", "graph", "compare", "horizon", "bench", "opponents"),
    *("games", "algorithms", "learn"),
)
"""The commands that a lesson may run."""
OPENING = re.compile(
    rf"\.py\b|\b({'|'.join(ENGINES)})\s*\(|\b(evaluation|database|file|layout|book|weights)\s*="
    rf"(?!\s*(learned|shipped|none|material|small|{'|'.join(SHIPPED_EVALUATIONS)})\b)|\.(json|pgn|pdn|sgf|ggf|epd|obf|trace)$",
    re.IGNORECASE,
)
"""Text that shows that a specification runs code, starts a program or opens a file."""


def words_of(line: str, file_options: Callable[[str], Collection[str]]) -> list[str]:
    """The arguments of a command line that begins with `gamesearch`.

    `file_options` takes the name of a command, and returns the options whose values are file names. Raises
    GamesearchError if lessons are not allowed to run the command.
    """
    words = split_words(line)
    if len(words) < 2 or words[0] != "gamesearch":
        raise GamesearchError(f"a lesson runs only commands of gamesearch, not {line!r}")
    name, arguments = words[1], words[2:]
    if name not in READING:
        guess = near(name, READING)
        hint = f"did you mean {guess[0]}?" if guess else f"put {line!r} into an exercise"
        raise GamesearchError(f"a lesson runs only {', '.join(READING)}: {hint}")
    for word in arguments:
        option, _, value = word.partition("=") if word.startswith("-") else ("", "", word)
        if option in file_options(name):
            raise GamesearchError(f"a lesson does not write files: put {line!r} into an exercise")
        if word == "-" or opens_files(value):
            raise GamesearchError(f"a lesson opens no files and runs no programs: put {line!r} into an exercise")
    return words[1:]


def opens_files(text: str) -> bool:
    """Whether a text contains a specification that may open a file, or may run a program or a user's code."""
    return bool(OPENING.search(text)) or any(runs_own_code(each) or files_named(each) for each in parts_of(text))


def parts_of(text: str) -> list[str]:
    """The specifications in a text. The text may be a single specification, or a list with commas."""
    try:
        return split_at_commas(text)
    except GamesearchError:
        return [text]


# Recorded searches. ------------------------------------------------------------------------------
def record_instance(on: str, algorithm: str, plies: int = 0) -> Recording:
    """Record a search of an instance. If `plies` is not 0, only the nodes down to that ply are kept.

    `algorithm` may be a method of `gamesearch watch`, such as `retrograde` or `proof(search=pn)`.
    """
    game, state = read_instance(on)
    with blame("algorithm" if algorithm else "on"):
        return record(game, state, on, algorithm, plies)


def record(game: Game, state: Any, on: str, algorithm: str, plies: int) -> Recording:
    """Record a search of a parsed instance."""
    refuse_files(algorithm, algorithm)
    if algorithm.partition("(")[0] in WATCHED:
        return record_method(game, state, algorithm)
    chosen = load_algorithm(algorithm or default_algorithm(game))
    recorder: Recorder | TreeRecorder = Recorder(game, state, chosen, MOST_NODES)
    if plies:
        recorder = TreeRecorder(game, state, chosen, plies, None, boards=True)
    limits = Limits(chosen.limits(game, Limits()).depth, nodes=MOST_NODES)
    result = search(game, state, chosen, limits=limits, observer=recorder)
    if result.stopped:
        raise GamesearchError(f"the search of {on} visits more than {MOST_NODES:,} nodes: ask about a smaller search")
    return recorder.finish(result)


def record_method(game: Game, state: Any, method: str) -> Recording:
    """Record a proof, or the steps by which a method fills a table of values."""
    # Imported late, because these modules import NumPy, which the list of lessons does not need.
    from gamesearch.solvers.proof.watching import proof_to_watch, watch_proof
    from gamesearch.trace.recorder.tables import TABLES, record_table

    if method in TABLES:
        return record_table(game, state, method, MOST_NODES)
    proof = proof_to_watch(game, state, method)
    recorder = Recorder(game, state, proof, MOST_NODES)
    return recorder.finish(watch_proof(game, state, proof, recorder, nodes=MOST_NODES))


def default_algorithm(game: Game) -> str:
    """The textbook algorithm for a game."""
    if game.players > 2 or not game.zero_sum:
        return "maxn"
    return "expectiminimax(pruning=none, order=generated)" if game.chance else "minimax"
