"""Look for common mistakes in a user's rules and in the arguments of the public functions."""

import contextlib
import dataclasses
import inspect
import itertools
import math
import numbers
import pickle
import random
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from pathlib import Path
from types import FrameType
from typing import Any
from weakref import WeakSet

from gamesearch.errors import GamesearchError
from gamesearch.game import CHANCE, FORBIDDEN, MOST_MOVES, NEVER, Game
from gamesearch.optional import (
    GameWithVariants,
    ImpartialGame,
    LeveledGame,
    PlayoutGame,
    ReversibleGame,
    SelectiveGame,
    Shortcuts,
    StochasticGame,
)
from gamesearch.specification import near
from gamesearch.toolkit.boards import Board, Cell
from gamesearch.user_code.files import place_of

__all__ = [
    "ANSWER_SECONDS", "check_arguments", "check_class", "check_rules", "check_tunable", "endless_moves",
    "limited_answers",
]  # fmt: skip

ANSWER_SECONDS = 10.0
"""While rules are checked, each call of a method may take at most this number of seconds."""


@contextlib.contextmanager
def limited_answers(name: str) -> Iterator[Callable[[], None]]:
    """Raise GamesearchError if a method does not return within ANSWER_SECONDS. Yields a function that restarts the
    clock. The time is limited only in the main thread, and only on systems with interval timers."""
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield lambda: None
        return

    def is_late(_: int, frame: FrameType | None) -> Any:
        place = f" ({Path(frame.f_code.co_filename).name}, line {frame.f_lineno})" if frame is not None else ""
        method = frame.f_code.co_name if frame is not None else "a method"
        raise GamesearchError(
            f"{method} of {name}{place} has not returned after {ANSWER_SECONDS:g} s: does its loop end?"
        )

    def restart() -> None:
        signal.setitimer(signal.ITIMER_REAL, ANSWER_SECONDS)

    before = signal.signal(signal.SIGALRM, is_late)
    restart()
    try:
        yield restart
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


REQUIRED = ("initial", "player", "moves", "result", "terminal", "utility")
PLIES = 300
"""The greatest length, in plies, of a random game that is played to check the rules."""
MOST_GAMES = 20
"""The greatest number of random games that are played to check the rules. If games are long, fewer are played."""
MOST_SHOWN = 100
"""The boards and the names of moves are checked in the first positions of a game (at most this number), and in its last
position. If games are short, several games are checked."""
TEXT_SECONDS = 1.0
"""After this number of seconds, no further boards and names of moves are checked."""
FURTHER = 3_000
"""The greatest number of further plies in a random game that has reached its greatest length. The game continues only
if a number in its state has fallen below 0."""
REACHED = 2_000
"""The greatest number of positions that are examined to find a terminal position."""
ROUNDING = 1e-6
"""The greatest allowed difference between the sum of a chance node's probabilities and 1."""
CHANCE_ADVICE = "make each random event a chance node: `player` returns CHANCE, and `outcomes` yields the outcomes"
METHODS = {
    name: declaring
    for declaring in (Game, LeveledGame, ImpartialGame, GameWithVariants, PlayoutGame, ReversibleGame)
    for name, value in vars(declaring).items()
    if inspect.isfunction(value) and not name.startswith("_")
}
"""Maps each optional method of games to the class that declares it."""
OF_GROUPS = {
    "states_of_level": LeveledGame,
    "parents": ReversibleGame,
    "impartial": ImpartialGame,
    "octal_code": ImpartialGame,
    "subgames": ImpartialGame,
    "grundy": ImpartialGame,
    "for_perft": GameWithVariants,
    "for_solving": GameWithVariants,
    "random_payoff": PlayoutGame,
    "make_null_move": SelectiveGame,
    "is_needed": Shortcuts,
    "skips_table": Shortcuts,
    "bounds_hold_estimates": StochasticGame,
    "estimate_sees_chance": StochasticGame,
}
"""Methods and attributes that a game may define only if it inherits from the class given here."""
RENAMED = {"moves_by_lot": "moves_at_random", "tells_kinds": "has_move_kinds", "passed": "make_null_move"}
"""Old names of methods and attributes of games, with the new names."""


def check_arguments(game: Any, state: Any) -> None:
    """Raise GamesearchError if a game or a position is a string. Only the command line accepts strings."""
    if not isinstance(game, Game):
        raise GamesearchError(
            f"{game!r} is not a game" + (f": load({game!r}) gives one" if isinstance(game, str) else "")
        )
    check_tunable(game)
    if isinstance(state, str) and not isinstance(game.initial(), str):
        raise GamesearchError(f"{state!r} is text, not a position: pass game.parse({state!r})")


def check_tunable(game: Game) -> None:
    """Raise GamesearchError if a tunable attribute is not a tuple or array of numbers, or if the game has more or fewer
    weights than features.

    Tuples and arrays of 64-bit floats work in the same way in interpreted and in compiled code, and their changes can
    be detected.
    """
    holder: Any = game
    values = [getattr(game, name) for name in game.tunable]
    checked = getattr(holder, "_checked_", None)
    if checked is not None and all(x is y for x, y in zip(values, checked, strict=True)):
        return
    for name, value in zip(game.tunable, values, strict=True):
        if not is_row_of_numbers(value):
            raise GamesearchError(
                f"{name} of {game.name} is {value!r}: make it a tuple of numbers, or a NumPy array of float64"
            )
        wanted = len(game.features(game.initial())) if name == "weights" and game.has_features else len(value)
        if len(value) != wanted:
            raise GamesearchError(
                f"weights of {game.name} must be {wanted} numbers, one for each feature, not {len(value)}"
            )
    holder._checked_ = values


def is_row_of_numbers(value: Any) -> bool:
    """Whether a value is a tuple of numbers, or an array that compiled code can read without a copy."""
    if isinstance(value, tuple):
        return all(isinstance(each, numbers.Real) for each in value)
    flags = getattr(value, "flags", None)
    return flags is not None and str(value.dtype) == "float64" and value.ndim == 1 and bool(flags.c_contiguous)


def endless_moves(game: Game) -> GamesearchError:
    """The error for a position that has more than MOST_MOVES moves, probably because of an endless loop."""
    return GamesearchError(
        f"the method `moves` of {type(game).__name__} yields more than {MOST_MOVES:,} moves in a position: "
        "does its loop end?"
    )


sound_classes: WeakSet[type[Any]] = WeakSet()
"""Classes of games that passed the check. Rules that passed a check are not checked again, because a check takes a few
milliseconds."""


def check_class(cls: type[Game]) -> None:
    """Raise GamesearchError if a class of games lacks a required method, or if one of its methods has wrong
    parameters."""
    if cls in sound_classes:
        return
    for name in REQUIRED:
        if getattr(cls, name) is getattr(Game, name):
            own = [each for each in vars(cls) if not each.startswith("_") and not hasattr(Game, each)]
            guess = near(name, own)
            hint = f"it defines `{guess[0]}`, which is probably a misspelling" if guess else "every game needs it"
            raise GamesearchError(f"{cls.__name__} has no method `{name}`: {hint}")
    for name, declaring in METHODS.items():
        if issubclass(cls, declaring):
            check_method(cls, name)
    for old, new in RENAMED.items():
        if hasattr(cls, old) and issubclass(cls, OF_GROUPS.get(new, Game)):
            raise GamesearchError(f"{cls.__name__} defines `{old}`, which is now called `{new}`")
    for name, group in OF_GROUPS.items():
        if hasattr(cls, name) and not issubclass(cls, group):
            raise GamesearchError(
                f"{cls.__name__} defines `{name}`, a method of gamesearch.optional.{group.__name__}: "
                "derive the game from this class"
            )
    try:
        inspect.signature(cls)
    except ValueError:
        raise GamesearchError(
            f"the method `__init__` of {cls.__name__} has no parameter self: write def __init__(self)"
        ) from None
    sound_classes.add(cls)


def check_method(cls: type[Game], name: str) -> None:
    """Raise GamesearchError if a method does not take the right arguments, for example because `self` is missing."""
    method = inspect.getattr_static(cls, name)
    if not callable(getattr(cls, name)):
        raise GamesearchError(f"`{name}` of {cls.__name__} is {getattr(cls, name)!r}, but must be a method")
    if not inspect.isfunction(method):
        return
    wanted, own = inspect.signature(vars(METHODS[name])[name]), inspect.signature(method)
    try:
        own.bind(*wanted.parameters)
    except TypeError:
        raise GamesearchError(
            f"the method `{name}` of {cls.__name__} ({place_of(method)}) has the parameters "
            f"({', '.join(own.parameters)}): write def {name}({', '.join(wanted.parameters)})"
        ) from None


def check_rules(game: Game) -> None:
    """Play some random games; raise GamesearchError if a method returns an impossible value, or if no game can end. Two
    games are played, or up to MOST_GAMES if the games are short."""
    for name, declaring in METHODS.items():
        if name in vars(game) and isinstance(game, declaring):
            raise GamesearchError(
                f"the attribute self.{name} of {type(game).__name__} hides the method `{name}`: rename the attribute"
            )
    with limited_answers(type(game).__name__) as restart:
        check_state(game, "initial", game.initial())
        check_features(game, game.initial())
        check_feature_names(game)
        check_tunable(game)
        play_some(game, restart)


def play_some(game: Game, restart: Callable[[], None]) -> None:
    """Play random games and check each step. If none of the games ends, search for terminal positions."""
    is_endless, met, plies, seconds = True, set(), 0, 0.0
    for seed in range(MOST_GAMES):
        if seed > 1 and plies >= 2 * PLIES:
            break
        states = random_states(game, random.Random(seed), restart)
        for s in [states[0], states[-1], *states[1:MOST_SHOWN]] if plies < MOST_SHOWN else ():
            if seconds > TEXT_SECONDS:
                break
            start = time.perf_counter()
            check_texts(game, s)
            restart()
            seconds += time.perf_counter() - start
        met.update(states)
        plies += len(states)
        if len(states) <= PLIES:
            is_endless = False
        elif game.repetition == NEVER:
            check_falling(game, states[0], states[-1], restart)
    if is_endless and game.repetition == NEVER and len(met) < PLIES:
        check_end(game)


def random_states(game: Game, source: random.Random, restart: Callable[[], None]) -> list[Any]:
    """Play a random game, check each step, and return the states of the game. If the game did not end, there are more
    than PLIES states."""
    s = game.initial()
    check_state(game, "initial", s)
    parameters = parameters_of(game)
    states = [s]
    while len(states) <= PLIES:
        if game.terminal(s):
            check_payoff(game, game.utility(s))
            break
        steps = check_steps(game, s)
        if game.repetition == FORBIDDEN:
            steps = game.steps(s, states[:-1])
            if not steps:  # a draw, because every move would repeat an earlier position
                break
        check_features(game, s)
        check_estimate(game, s)
        before, s = s, check_result(game, s, source.choice(steps), parameters)
        check_parents(game, before, s)
        restart()
        states.append(s)
    return states


def check_result(game: Game, s: Any, m: int, parameters: dict[str, Any]) -> Any:
    """The state after a move. Raises GamesearchError if the state is invalid, if `result` changes the state that it is
    given, or if two calls of `result` return different states."""
    who, before, after = type(game).__name__, contents(s), []
    for _ in range(2):
        after.append(game.result(s, m))
        check_state(game, "result", after[-1])
        for name, value in parameters_of(game).items():
            if repr(parameters.setdefault(name, value)) != repr(value):
                raise GamesearchError(
                    f"self.{name} of {who} changes during a game: move data that changes into the state, so "
                    "that `result` returns it"
                )
        if (after[-1] is s or not is_equal_only_to_itself(s)) and is_changed(s, before):
            raise GamesearchError(
                f"the method `result` of {who} changes the state that it is given: leave this state as it is, and "
                "return a new state, such as a NamedTuple"
            )
    if after[0] == after[1] and hash(after[0]) == hash(after[1]):
        return after[0]
    one, other = differing_parts(*after)
    if one == other or (is_equal_only_to_itself(one) and type(one) is type(other)):
        raise GamesearchError(
            f"Python cannot see that two positions of {who} are equal, because objects of the class "
            f"{type(one).__name__} are equal only to themselves: use tuples, such as a NamedTuple"
        )
    if one != one and other != other:
        raise GamesearchError(f"a position of {who} contains NaN, which is equal to nothing: use another number")
    raise GamesearchError(
        f"the method `result` of {who} returned {after[0]!r} and then {after[1]!r} for the same move: " + CHANCE_ADVICE
    )


def contents(s: Any) -> bytes | None:
    """A state as bytes. They show later whether the state was changed. None if Python cannot pickle the state."""
    try:
        return pickle.dumps(s)
    except Exception:
        return None


def is_changed(s: Any, before: bytes | None) -> bool:
    """Whether a state has changed since `contents` returned `before`."""
    with contextlib.suppress(Exception):  # the user's classes may raise any exception
        return before is not None and contents(s) != before and bool(pickle.loads(before) != s)
    return False


def is_equal_only_to_itself(value: Any) -> bool:
    """Whether the class of an object does not define `__eq__`."""
    equality: Any = type(value).__eq__
    return equality is object.__eq__


def differing_parts(one: Any, other: Any) -> tuple[Any, Any]:
    """The first part that differs between two states, as it is in each state. Elements of tuples and fields of
    dataclasses are parts. If no part differs, returns the states themselves."""
    if type(one) is type(other):
        for pair in zip(parts_of(one), parts_of(other), strict=False):
            if pair[0] != pair[1]:
                return differing_parts(*pair)
    return one, other


def parts_of(value: Any) -> Sequence[Any]:
    """The elements of a tuple, or the values of the compared fields of a dataclass."""
    if isinstance(value, tuple):
        return value
    if not dataclasses.is_dataclass(value) or is_equal_only_to_itself(value):
        return ()
    return [getattr(value, each.name) for each in dataclasses.fields(value) if each.compare]


def check_parents(game: Game, before: Any, s: Any) -> None:
    """Raise GamesearchError if the parents of s do not include `before`, or if no move leads from a parent to s."""
    if not isinstance(game, ReversibleGame):
        return
    who, where, key = type(game).__name__, game.format(s), game.key(s)
    parents = list(game.parents(s))
    if game.key(before) not in map(game.key, parents):
        raise GamesearchError(
            f"the method `parents` of {who} leaves out {game.format(before)}, from which a move leads to {where}"
        )
    for each in parents:
        after = [] if game.terminal(each) else [game.key(game.result(each, m)) for m in game.steps(each)]
        if key not in after:
            raise GamesearchError(
                f"the method `parents` of {who} yields {game.format(each)} as a parent of {where}, but no move "
                "of this parent leads there"
            )


def parameters_of(game: Game) -> dict[str, Any]:
    """The public numbers, strings and tuples of a game, which must not change during a game."""
    return {
        name: value
        for name, value in vars(game).items()
        if name[0] != "_" and isinstance(value, int | float | str | tuple)
    }


def check_steps(game: Game, s: Any) -> list[int]:
    """Check a state, and return its moves or outcomes. Raises GamesearchError if a move, an outcome or the player is
    invalid."""
    who, player = type(game).__name__, game.player(s)
    if player != CHANCE and player not in range(game.players):
        raise GamesearchError(
            f"the method `player` of {who} returned {player!r}, but the players are numbered 0 to {game.players - 1}"
        )
    if player == CHANCE and not game.chance:
        raise GamesearchError(
            f"the method `player` of {who} returned CHANCE, but its class does not declare chance: add chance = True"
        )
    name = "moves" if player != CHANCE else "outcomes"
    found = getattr(game, name)(s)
    if not isinstance(found, Iterable):
        raise GamesearchError(
            f"the method `{name}` of {who} returned {found!r}, which is not iterable: use `yield` for each {name[:-1]}"
        )
    first = list(itertools.islice(found, MOST_MOVES))
    if player == CHANCE and not all(isinstance(each, tuple | list) and len(each) == 2 for each in first):
        raise GamesearchError(f"the method `outcomes` of {who} must yield pairs: write `yield outcome, probability`")
    if player == CHANCE and 0 < len(first) < MOST_MOVES:
        check_probabilities(game, s, [probability for _, probability in first])
    steps = game.steps(s)
    if not steps:
        raise GamesearchError(
            f"{who} has no move in the position {game.format(s)}, but the method `terminal` does not return true there"
        )
    if player != CHANCE and (len(first) != len(steps) or any(step not in steps for step in first)):
        raise GamesearchError(
            f"the method `moves` of {who} yields {first} in the position {game.format(s)}, but {steps} when it is "
            "called again: " + CHANCE_ADVICE
        )
    if not all(isinstance(step, numbers.Integral) for step in steps):
        raise GamesearchError(f"the method `moves` of {who} yields {steps[0]!r}, but moves must be whole numbers")
    if player != CHANCE and len(set(steps)) < len(steps):
        twice = next(step for step in steps if steps.count(step) > 1)
        raise GamesearchError(
            f"the method `moves` of {who} yields {twice!r} more than once in the position {game.format(s)}"
        )
    return steps


def check_probabilities(game: Game, s: Any, probabilities: list[Any]) -> None:
    """Raise GamesearchError unless all probabilities are from 0 to 1 and their sum is 1."""
    who, where = type(game).__name__, game.format(s)
    for each in probabilities:
        is_number = isinstance(each, numbers.Real)
        if not (is_number and 0 <= each <= 1):
            what = "between 0 and 1" if is_number else "a number"
            raise GamesearchError(
                f"the method `outcomes` of {who} yields the probability {each!r} in the position {where}, "
                f"but a probability must be {what}"
            )
    total = math.fsum(map(float, probabilities))
    if abs(total - 1) > ROUNDING:
        raise GamesearchError(
            f"the probabilities of the outcomes of {who} add up to {total:g} in the position {where}, but "
            "must add up to 1"
        )


def check_state(game: Game, method: str, s: Any) -> None:
    """Raise GamesearchError if a value cannot be a state, because it is None or not hashable."""
    problem = "" if s is not None else "perhaps because a `return` is missing"
    try:
        hash(s)
    except TypeError:
        problem = "which is not hashable: make it a tuple, such as a NamedTuple"
    if problem:
        raise GamesearchError(f"the method `{method}` of {type(game).__name__} returned {s!r}, {problem}")


def check_falling(game: Game, first: Any, s: Any, restart: Callable[[], None]) -> None:
    """Raise GamesearchError if a number of the state falls below 0 and keeps falling. Then the game may never end. A
    typical cause: `terminal` tests for exactly 0 stones, but a move can take more stones than are left."""
    at_first, before = fields_of(first), fields_of(s)
    falling = {name: value for name, value in before.items() if value < 0 <= at_first.get(name, -1)}
    source = random.Random(0)
    for _ in range(FURTHER):
        if not falling or game.terminal(s):
            return
        s = game.result(s, source.choice(check_steps(game, s)))
        after = fields_of(s)
        restart()
        falling = {name: after[name] for name, value in falling.items() if name in after and after[name] <= value}
    for name, value in falling.items():
        if value < before[name]:
            raise GamesearchError(
                f"{type(game).__name__} does not end: {name} was {at_first[name]} and is {value} after "
                f"{PLIES + FURTHER:,} plies. Does `terminal` check only for exactly 0, or can a move take more "
                "than is left?"
            )


def fields_of(s: Any) -> dict[str, int]:
    """The names and values of a state's integer fields."""
    if not isinstance(s, tuple):
        s = (s,)
    names = getattr(s, "_fields", [f"number {i}" for i in range(1, len(s) + 1)] if len(s) > 1 else ["the state"])
    return {name: int(each) for name, each in zip(names, s, strict=False) if isinstance(each, numbers.Integral)}


def check_end(game: Game) -> None:
    """Raise GamesearchError if the game has at most REACHED positions and none of them is terminal."""
    reached = dict.fromkeys([game.initial()])
    waiting = list(reached)
    while waiting:
        s = waiting.pop()
        after = dict.fromkeys(game.result(s, m) for m in game.steps(s))
        if len(reached) > REACHED or any(map(game.terminal, after)):
            return
        waiting += [each for each in after if each not in reached]
        reached |= after
    raise GamesearchError(
        f"{type(game).__name__} never ends: its moves reach only {len(reached)} positions, "
        "and `terminal` is false for all of them. Does `result` change the fields that `terminal` checks?"
    )


def check_features(game: Game, s: Any) -> None:
    """Raise GamesearchError if the features of a state are not numbers, or if their number changes between states."""
    if not game.has_features:
        return
    found, who = game.features(s), type(game).__name__
    if not isinstance(found, Sized) or not isinstance(found, Iterable) or isinstance(found, str):
        hint = ": perhaps a `return` is missing" if found is None else ": write, for example, (1.0,)"
        raise GamesearchError(f"the method `features` of {who} returned {found!r} instead of a tuple of numbers{hint}")
    for number, each in enumerate(found, 1):
        if not isinstance(each, numbers.Real):
            raise GamesearchError(f"feature {number} of {who} is {each!r}, which is not a number")
    first = len(game.features(game.initial()))
    if len(found) != first:
        raise GamesearchError(
            f"the method `features` of {who} returned {len(found)} numbers in the position {game.format(s)}, but "
            f"{first} in the initial position"
        )


def check_feature_names(game: Game) -> None:
    """Raise GamesearchError if the names of the features are too many or too few, or if a name is not a string."""
    names: Any = game.feature_names
    count = len(game.features(game.initial())) if game.has_features and names is not None and len(names) else 0
    if count and not (isinstance(names, tuple | list) and len(names) == count and is_text(*names)):
        raise GamesearchError(
            f"feature_names of {type(game).__name__} is {names!r}: make it a tuple of "
            + (f"{count} strings, one for each feature" if count > 1 else "one string, such as ('mobility',)")
        )


def check_texts(game: Game, s: Any) -> None:
    """Raise GamesearchError if the text or the board of a state has a wrong type, or if two moves have the same name
    but lead to different states."""
    who, text, names = type(game).__name__, game.format(s), dict[str, int]()
    if not is_text(text):
        raise GamesearchError(f"the method `format` of {who} returned {text!r}, which is not a string")
    check_board(who, game.board(s))
    reads_case = type(game).parse_move is not Game.parse_move
    for m in [] if game.terminal(s) else dict.fromkeys(game.steps(s)):
        name = game.move_name(s, m)
        if not is_text(name):
            raise GamesearchError(f"the method `move_name` of {who} returned {name!r}, which is not a string")
        other = names.setdefault(name if reads_case else name.casefold(), m)
        if other != m and game.result(s, other) != game.result(s, m):
            raise GamesearchError(
                f"the method `move_name` of {who} returned {name!r} for the moves {other} and {m} in the position "
                f"{text}: give each move a different name" + ("" if reads_case else ", not only in upper or lower case")
            )


def check_board(who: str, board: Any) -> None:
    """Raise GamesearchError if a value is not a Board, or if its rows, cells or texts have a wrong type."""
    start = f"the method `board` of {who} returned"
    if not isinstance(board, Board):
        hint = (
            "perhaps a `return` is missing" if board is None else "write, for example, Board([[Cell('x'), Cell('o')]])"
        )
        raise GamesearchError(f"{start} {board!r}, not a gamesearch.Board: {hint}")
    if not isinstance(board.rows, Sequence) or not all(isinstance(row, Sequence) for row in board.rows):
        raise GamesearchError(f"{start} a board whose rows are {board.rows!r}: write a list of lists of cells")
    for cell in itertools.chain.from_iterable(board.rows):
        if not isinstance(cell, Cell):
            raise GamesearchError(f"{start} a board that contains {cell!r}: write gamesearch.Cell({str(cell)!r})")
        for text in (cell.text, cell.glyph, cell.label):
            if not is_text(text):
                raise GamesearchError(f"{start} a board with a cell that contains {text!r} instead of a string")
        if not isinstance(cell.owner, numbers.Integral | None):
            raise GamesearchError(f"{start} a board with a cell whose owner is {cell.owner!r}: give a player's number")
    for name in ("row_labels", "column_labels", "top_labels", "notes", "sides"):
        texts = getattr(board, name)
        if not isinstance(texts, Sequence) or not is_text(*texts) or (name == "notes" and is_text(texts)):
            raise GamesearchError(f"{start} a board with {name}={texts!r}: make it a list of strings")


def is_text(*values: Any) -> bool:
    """Whether all values are strings."""
    return all(isinstance(each, str) for each in values)


def check_estimate(game: Game, s: Any) -> None:
    """Raise GamesearchError if an evaluation is not a possible payoff, or not a tuple of the right length."""
    if game.players == 2 and game.zero_sum and not game.terminal(s):
        estimate, who = game.evaluate(s), type(game).__name__
        if not isinstance(estimate, numbers.Real):
            hint = ": perhaps a `return` is missing" if estimate is None else ""
            raise GamesearchError(f"the method `evaluate` of {who} returned {estimate!r} instead of a number{hint}")
        if not game.MINSCORE <= float(estimate) <= game.MAXSCORE:
            raise GamesearchError(
                f"the method `evaluate` of {who} returned {estimate!r} in the position {game.format(s)}, but "
                f"payoffs range from {game.MINSCORE:g} to {game.MAXSCORE:g}: scale the estimate, or set MINSCORE "
                "and MAXSCORE"
            )
    if game.payoff_count > 1 and not game.terminal(s):
        estimate = game.evaluate(s)
        if not isinstance(estimate, tuple) or len(estimate) != game.payoff_count:
            raise GamesearchError(
                f"the method `evaluate` of {type(game).__name__} returned {estimate!r} instead of a tuple of "
                f"{game.players} numbers: define `evaluate`; if you search only to the end of the game, return zeros"
            )


def check_payoff(game: Game, payoff: Any) -> None:
    """Raise GamesearchError if a payoff contradicts the game's declarations."""
    who = type(game).__name__
    payoffs = payoff if isinstance(payoff, tuple) else (payoff,)
    are_numbers = all(isinstance(each, numbers.Real) and not isinstance(each, bool) for each in payoffs)
    if isinstance(payoff, tuple) != (game.payoff_count > 1) or not are_numbers:
        wanted = f"a tuple of {game.players} numbers" if game.payoff_count > 1 else "a number"
        raise GamesearchError(f"the method `utility` of {who} returned {payoff!r} instead of {wanted}")
    if not all(game.MINSCORE <= each <= game.MAXSCORE for each in payoffs):
        raise GamesearchError(
            f"the method `utility` of {who} returned {payoff!r}, which is not between {game.MINSCORE:g} and "
            f"{game.MAXSCORE:g}: set MINSCORE and MAXSCORE"
        )
    is_decided = game.players == 2 and game.zero_sum and game.win_or_loss and not game.chance
    if is_decided and payoff not in (game.MINSCORE, game.draw_value(), game.MAXSCORE):
        raise GamesearchError(
            f"the method `utility` of {who} returned {payoff!r}, which is not the payoff of a win, a loss or a draw: "
            "set win_or_loss = False"
        )
