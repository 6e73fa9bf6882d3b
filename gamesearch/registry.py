"""Load games: construct a `Game` from a text such as `connect4(rows=5, columns=4)`.

Games are found in three places: the folders of `gamesearch.games`, the entry points of other packages in the group
`gamesearch.games`, and the user's own Python files. A game is imported only when it is loaded. This module names no
game, so a new game needs only one new file.
"""

import ast
import functools
import importlib
import importlib.util
import inspect
import math
import pkgutil
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

from gamesearch import aliases, games
from gamesearch.errors import GamesearchError
from gamesearch.files.misplaced import refuse_file_as_game
from gamesearch.game import Game
from gamesearch.learned.weights_files import LEARNED, SUFFIX, is_weights_file, makes_a_class, read_weights
from gamesearch.optional import GameFamily, LearnableGame
from gamesearch.specification import (
    EVALUATION,
    Specification,
    construct,
    file_named,
    format_specification,
    format_value,
    is_typed_tree,
    near,
    nearest,
    parse_specification,
    parse_value,
)
from gamesearch.user_code.checking import check_class, check_rules
from gamesearch.user_code.evaluation import check_evaluation, with_evaluation
from gamesearch.user_code.files import module_from_file

__all__ = ["game_class", "game_names", "load", "load_beginning", "specification_of", "summary_of", "tunable"]

ENTRY_POINTS = "gamesearch.games"


@functools.cache
def game_names() -> tuple[str, ...]:
    """The names of all installed games, found without importing them."""
    return tuple(sorted({*_own_modules(), *_entry_points()}))


@functools.cache
def _own_modules() -> dict[str, str]:
    """Map the name of each game in the folders of `gamesearch.games` to its module."""
    home, folders = Path(games.__path__[0]), pkgutil.iter_modules(games.__path__)
    kinds = [folder.name for folder in folders if not folder.name.startswith("_")]
    return {
        module.name: f"{games.__name__}.{kind}.{module.name}" + ".rules" * module.ispkg
        for kind in kinds
        for module in pkgutil.iter_modules([str(home / kind)])
    }


def _entry_points() -> dict[str, Any]:
    """The entry points of games in other packages. The key is the name of the game."""
    from importlib import metadata  # slower to import than gamesearch's own games

    return {entry.name: entry for entry in metadata.entry_points(group=ENTRY_POINTS)}


def summary_of(name: str) -> str:
    """The summary of an installed game. It is read from the game's source, because some games are slow to import."""
    path = _source_of(name)
    try:
        tree = ast.parse(path.read_text(encoding="utf-8") if path is not None else "")
    except (OSError, SyntaxError, ValueError):
        return ""
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            declared = _declared_texts(node)
            if node.name.casefold() == name.casefold().replace("_", "") or declared.get("name") == name:
                return declared.get("summary") or _first_line(ast.get_docstring(node))
    return _first_line(ast.get_docstring(tree))


def _source_of(name: str) -> Path | None:
    """The file that defines an installed game."""
    if name in _own_modules():
        inside = _own_modules()[name].removeprefix(f"{games.__name__}.").split(".")
        return Path(games.__path__[0], *inside).with_suffix(".py")
    try:
        found = importlib.util.find_spec(_entry_points()[name].module)
    except (ImportError, KeyError, ValueError):
        return None
    return Path(found.origin) if found is not None and found.origin else None


def _declared_texts(node: ast.ClassDef) -> dict[str, str]:
    """A mapping from names to the constant strings that a class body assigns to them."""
    return {
        target.id: each.value.value
        for each in node.body
        if isinstance(each, ast.Assign) and isinstance(each.value, ast.Constant) and isinstance(each.value.value, str)
        for target in each.targets
        if isinstance(target, ast.Name)
    }


def _first_line(text: str | None) -> str:
    """The first line of a docstring, without its period."""
    return text.strip().partition("\n")[0].rstrip(".") if text else ""


def game_class(name: str) -> type[Game]:
    """The class of a game, given its name or the path of a Python file."""
    return _class_in_file(name) if name.endswith(".py") or "/" in name else _installed_class(name)


@functools.cache
def _installed_class(name: str) -> type[Game]:
    """The class of an installed game."""
    if name in _own_modules():
        return _class_in(importlib.import_module(_own_modules()[name]), name)
    entry = _entry_points().get(name)
    if entry is not None:
        loaded = entry.load()
        return loaded if isinstance(loaded, type) else _class_in(loaded, name)
    raise GamesearchError(f"there is no game {name!r}: {nearest(name, game_names())}")


_in_files: dict[Path, type[Game]] = {}
"""The classes of games in users' files. The key is the full path of the file, so loading a file again returns the same
class."""


def _class_in_file(name: str) -> type[Game]:
    """The class of the game in a file. Pickles contain the full path, so that other processes find the file."""
    path = Path(name).resolve()
    if path not in _in_files:
        cls = _class_in(module_from_file(Path(name)), name)
        cls.load_class = functools.partial(game_class, str(path))
        _in_files[path] = cls
    return _in_files[path]


def _class_in(module: Any, name: str) -> type[Game]:
    found = [
        value
        for value in vars(module).values()
        if inspect.isclass(value) and issubclass(value, Game) and value.__module__ == module.__name__
    ]
    leaves = [cls for cls in found if not any(cls in other.__mro__[1:] for other in found)]
    wanted = [cls for cls in found if cls.__name__.casefold() == Path(name).stem.casefold().replace("_", "")]
    chosen = wanted or leaves
    if wanted and name.endswith(".py"):  # a game in a user's file may have another name than the file
        chosen = [*wanted, *(cls for cls in leaves if cls not in wanted)]
    if not chosen:
        raise GamesearchError(
            f"{name} does not define a game (a class derived from gamesearch.Game): for an algorithm, write "
            f"--algorithm {name}; for an evaluation, write evaluation={name}"
            if any(map(inspect.isfunction, vars(module).values()))
            else f"{name} does not define a game (a class derived from gamesearch.Game)"
        )
    if len(chosen) > 1:
        raise GamesearchError(
            f"{name} defines several games ({', '.join(cls.__name__ for cls in chosen)}): keep only one in each file"
        )
    chosen[0].name = name
    return chosen[0]


def load(text: str) -> Game:
    """Load the game that a specification describes. The name in the specification may be an alias, such as reversi or
    Connect Four.

    Raises GamesearchError, with the nearest match, for unknown names and parameters.

    >>> load("connect4(rows=5)").rows
    5
    """
    if not isinstance(text, str):
        raise GamesearchError(f"write a game as text (for example 'tictactoe'), not {text!r}")
    stripped = text.strip()
    if is_typed_tree(stripped):
        return build_game(Specification("tree", (stripped,)), None)
    file = file_named(stripped)
    if file is None:
        refuse_file_as_game(stripped)
    given = parse_specification(stripped)
    if file is None and given.name not in _own_modules():
        given = aliases.resolve(given, game_names(), aliases.GAMES)
    return build_game(given, file)


def load_beginning(game: str, text: str) -> Game:
    """Load the game at the beginning of a text. If spaces split a typed tree, the error says that it needs quotes."""
    try:
        return load(game)
    except GamesearchError as error:
        tree = text[: max(map(text.rfind, "]})")) + 1].strip()
        if tree == game or not is_typed_tree(tree):
            raise
        try:
            load(tree)
        except GamesearchError:
            raise error from None
        raise GamesearchError(f"{error}; put a tree that contains spaces in quotes") from None


def build_game(specification: Specification, file: str | None) -> Game:
    """Make the game that a specification describes. `file` is the Python file that the specification names, or None."""
    cls = class_for(specification)
    check_class(cls)
    others = [*tunable(cls), *([] if EVALUATION in inspect.signature(cls).parameters else [EVALUATION])]
    if issubclass(cls, LearnableGame) and "weights" not in (*others, *inspect.signature(cls).parameters):
        others.append("weights")  # a file with the weights of patterns or of a network
    tuned = {name: specification.parameters[name] for name in others if name in specification.parameters}
    parameters = {name: value for name, value in specification.parameters.items() if name not in tuned}
    own = tuned.pop(EVALUATION, None)
    if own is not None:
        cls = with_evaluation(cls, str(own))
        if "weights" in tuned and not cls.has_features:
            raise GamesearchError(f"{EVALUATION}={own} has its own weights: leave out `weights`")
    learned = tuned.pop("weights") if is_weights_file(tuned.get("weights")) else None
    if learned is not None and makes_a_class(learned, cls):
        from gamesearch.learned.packed_files import with_learned  # imports NumPy, which a list of games does not need

        cls, learned = with_learned(cls, learned), None
    hints = others if any(near(name, [EVALUATION]) for name in parameters) else tunable(cls)
    if issubclass(cls, GameFamily):
        hints = [*hints, *cls.parameters_of_others]
    game: Game = construct("the game", cls, replace(specification, parameters=parameters), hints)
    if file is not None:
        check_rules(game)  # with the default weights, because other weights may give estimates outside of the payoffs
    if "weights" in tuned and not cls.has_features:
        raise GamesearchError(f"{game.name} has no features to weigh: use a {SUFFIX} file for `weights`")
    for name, value in tuned.items():
        setattr(game, name, read_numbers(name, value, game))
    if learned is not None:
        game.weights = read_weights(learned, game)
    if own is not None:
        check_evaluation(game)
    return game


def class_for(specification: Specification) -> type[Game]:
    """The class of the game that a specification describes. In a family of games, the class depends on the
    parameters."""
    cls = game_class(specification.name)
    if not issubclass(cls, GameFamily):
        return cls
    given = dict(zip(inspect.signature(cls).parameters, specification.values, strict=False))
    return cls.class_for(**(given | dict(specification.parameters)))


def tunable(cls: type[Game]) -> list[str]:
    """The tunable attributes that a specification may set. The attribute `weights` is included only if the game has
    features."""
    own = inspect.signature(cls).parameters
    return [name for name in cls.tunable if name not in own and (name != "weights" or cls.has_features)]


def read_numbers(name: str, value: Any, game: Game) -> tuple[float, ...]:
    """Convert the value of a tunable attribute, such as the text [1, 0.5], to numbers. Raises GamesearchError if the
    value is not a list of numbers, or if the game needs more or fewer numbers."""
    usual = getattr(game, name)
    inside = re.fullmatch(r"\s*(?:\[(.*)\]|\((.*)\)|([^\[(].*))\s*", str(value), re.DOTALL)
    parts = next((each for each in inside.groups() if each is not None), "").split(",") if inside is not None else []
    numbers = tuple(float(each) for each in map(parse_value, parts) if type(each) in (int, float))
    if not len(numbers) == len(parts) == len(usual) or not all(map(math.isfinite, numbers)):
        if name == "weights" and near(str(value), [LEARNED]):
            raise GamesearchError(f"weights={value} is unknown in {type(game).name}: did you mean {LEARNED}?")
        raise GamesearchError(
            f"{name} of {type(game).name} must be {'one number' if len(usual) == 1 else f'{len(usual)} numbers'}, "
            f"not {value}: the default is {name}={format_value(tuple(usual))}"
            + (", or the name of a file such as learned.json" if name == "weights" else "")
        )
    return numbers


def specification_of(game: Game) -> str:
    """Return a text from which `load` makes an equal game. It contains all parameters and changed tunable
    attributes."""
    return format_specification(type(game).name, game.parameters() | game.tuned_attributes())
