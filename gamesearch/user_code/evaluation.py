"""A game with the evaluation from a user's file: `connect4(evaluation=./mine.py)`.

The file's function becomes the method `evaluate` of a subclass of the game's class. So the function, like all methods,
is compiled, included in the digest of the rules, and watched for changes.
"""

import functools
import inspect
import random
from collections.abc import Mapping
from itertools import chain, islice
from pathlib import Path
from types import FunctionType
from typing import Any

from gamesearch.errors import GamesearchError
from gamesearch.game import CHANCE, Game
from gamesearch.optional import with_another_evaluation
from gamesearch.specification import EVALUATION, SHIPPED_FILES
from gamesearch.toolkit.random_games import random_game
from gamesearch.user_code.checking import check_estimate, limited_answers
from gamesearch.user_code.files import definitions_in, error_sentence, module_from_file, place_of, source_of

__all__ = ["check_evaluation", "with_evaluation"]

POSITIONS = 60
"""When an evaluation is loaded from a file, it is tested in this number of positions from random games."""

_made: dict[tuple[type[Game], str, Path, str], type[Game]] = {}
"""The derived classes. A key consists of the game's class, and of the name, the full path and the text of the
evaluation's file."""


def with_evaluation(cls: type[Game], name: str) -> type[Game]:
    """Return a class of the game with the evaluation from a file. The class stays the same until the file is edited.
    `name` is the name of a Python file, or of an evaluation that comes with the game."""
    if (EVALUATION, name) in SHIPPED_FILES:
        if name not in cls.shipped_evaluations:
            raise GamesearchError(f"{cls.name} has no evaluation {name!r}: give the name of a Python file")
        shipped = cls, name, Path(), ""
        if shipped not in _made:
            _made[shipped] = derive_class(cls, name, {"evaluate": Game.evaluate, **cls.shipped_evaluations[name]})
        return _made[shipped]
    path = Path(name).resolve()
    key = cls, name, path, source_of(Path(name))
    if key not in _made:
        _made[key] = derive_class(cls, name, {"evaluate": evaluation_in(name)})
    return _made[key]


def derive_class(cls: type[Game], name: str, evaluation: Mapping[str, Any]) -> type[Game]:
    """Return a subclass of a game's class. `evaluation` replaces methods and attributes of the game."""

    tunable = [each for each in cls.tunable if each != "weights" or "weights" in evaluation]

    def tuned_attributes(self: Any) -> dict[str, Any]:
        """The attributes that were changed after construction, including the evaluation."""
        return {
            EVALUATION: name,
            **{each: value for each, value in cls.tuned_attributes(self).items() if each in tunable},
        }

    make = vars(cls).get("load_class") or cls
    again = functools.partial(reload_class, make, str(Path(name).resolve()), name)
    return with_another_evaluation(cls, (), {**evaluation, "tuned_attributes": tuned_attributes, "load_class": again})


def reload_class(make: Any, path: str, name: str) -> type[Game]:
    """Unpickle a derived class in another process. This process may find the file only by its full path."""
    cls: type[Game] = make if isinstance(make, type) else make()
    is_same = (EVALUATION, name) in SHIPPED_FILES or Path(name).resolve() == Path(path)
    return with_evaluation(cls, name if is_same else path)


def evaluation_in(name: str) -> FunctionType:
    """The evaluation in a file: the function `evaluate`. If it is missing, the evaluation is the only public
    function."""
    functions = {
        each: value for each, value in definitions_in(module_from_file(Path(name))).items() if inspect.isfunction(value)
    }
    if "evaluate" not in functions and len(functions) != 1:
        remedy = f"has {', '.join(functions)}: rename one to" if functions else "has no function: define"
        raise GamesearchError(f"{name} {remedy} `evaluate(game, s)`")
    function: FunctionType = functions.get("evaluate") or next(iter(functions.values()))
    try:
        inspect.signature(function).bind("game", "s")
    except TypeError:
        raise GamesearchError(
            f"{function.__name__} ({place_of(function)}) has the parameters {inspect.signature(function)}: "
            f"write def {function.__name__}(game, s)"
        ) from None
    return function


def check_evaluation(game: Game) -> None:
    """Evaluate positions of random games. Raise GamesearchError if the evaluation fails or does not return a number."""
    source, path = random.Random(1), Path(game.tuned_attributes()[EVALUATION])
    games = (random_game(game, game.initial(), source) for _ in range(POSITIONS))
    with limited_answers(type(game).__name__) as restart:
        for s, _ in islice(chain.from_iterable(games), POSITIONS):
            if game.player(s) != CHANCE:
                try:
                    check_estimate(game, s)
                except GamesearchError:
                    raise
                except Exception as error:
                    raise GamesearchError(f"{error_sentence(error, path)}, in the state {s!r}") from error
            restart()
