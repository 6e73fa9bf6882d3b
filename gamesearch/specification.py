"""The common grammar for games, algorithms and players: `name(parameter=value, ...)`.

Values are whole numbers, decimals, true, false, plain text, and quoted text. A value may contain brackets
(`tree([[3,12,8],[2,4,6]])`) and other specifications. If gamesearch prints a specification, users can enter this text
again.
"""

import contextlib
import difflib
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from gamesearch.errors import GamesearchError, list_names
from gamesearch.parameterized import parameters_of

__all__ = [
    "EVALUATION", "SHIPPED_EVALUATIONS", "Specification", "construct", "describes", "file_named", "files_named",
    "format_specification", "format_value", "is_typed_tree", "near", "nearest", "parse_specification", "parse_value",
    "runs_own_code", "split_at_commas", "typed_text",
]  # fmt: skip

EVALUATION = "evaluation"
"""Every game has a parameter with this name. The parameter replaces the game's evaluation. The value is a file, or the
name of an evaluation that is part of this package. A game may define its own parameter of this name."""
SHIPPED_EVALUATIONS = ("lines", "landmarks", "resources")
"""The names of the additional evaluations that are part of this package."""
SHIPPED_FILES = (
    *((EVALUATION, name) for name in SHIPPED_EVALUATIONS),
    ("weights", "learned"),
    ("weights", "terms"),
    ("book", "shipped"),
    ("book", "none"),
)
"""Pairs of a parameter and a value. These values never name a user's file, even if a file of this name exists."""
OPENING = {"(": ")", "[": "]", "{": "}"}
QUOTES = "\"'"
USUAL_NAMES = {
    "playouts": "iterations simulations rollouts samples trials visits nodes budget",
    "exploration": "c cp cpuct explorationconstant explorationweight explorationparameter",
    "depth": "maxdepth depthlimit searchdepth plies ply",
    "time": "timelimit seconds secs timeout movetime maxtime",
    "memory": "hash hashsize tablesize ttsize",
    "table": "tt transpositiontable hashtable",
    "transpositions": "tt transpositiontable hashtable table",
    "threads": "workers cores cpus processes",
    "deepen": "iterativedeepening deepening",
    "order": "moveordering ordering killer killers",
    "null_move": "nmp nullmovepruning",
    "reductions": "lmr latemovereductions",
    "late": "lmp latemovepruning",
    "quiescence": "qsearch qs quiescencesearch",
    "urgency": "fpu firstplayurgency",
    "seed": "randomseed",
}
"""Maps each parameter to its alternative names (without underscores). Error messages about such a name suggest the
parameter."""
NAME = re.compile(r"\w+(?:[-&^' \u2019]+\w+)*")
"""A name: words that may be separated by spaces, hyphens and apostrophes, as in the usual names of games."""
TREE = re.compile(r"(?:[-+.\d/]+\s*:\s*)?(?:(?:max|min|p[1-8])\s*)?[\[{]", re.IGNORECASE)
"""Matches the start of a tree that a user types: a bracket. An estimate and the name of a player may come before the
bracket."""


@dataclass(frozen=True)
class Specification:
    """A name and its parameters. `values` are the positional arguments, which are written without the name of a
    parameter."""

    name: str
    values: tuple[Any, ...] = ()
    parameters: Mapping[str, Any] = field(default_factory=dict)


def parse_specification(text: str) -> Specification:
    """Parse `name` or `name(parameter=value, ...)`. The name may be the path of a Python file. Raises GamesearchError
    for any other text."""
    file = file_named(text)
    name, bracket, rest = text.strip().partition("(") if file is None else text.strip()[len(file) :].partition("(")
    name = name.strip() if file is None else file
    if bracket and not rest.endswith(")"):
        raise GamesearchError(f"{text!r} has an opening bracket without a closing bracket")
    if file is None and NAME.fullmatch(name) is None:
        raise GamesearchError(f"{text!r} is not of the form name(parameter=value, ...)")
    values: list[Any] = []
    parameters: dict[str, Any] = {}
    for item in split_at_commas(rest[:-1]) if bracket else ():
        key, equals, value = item.partition("=")
        if equals and key.strip().isidentifier():
            if key.strip() in parameters:
                raise GamesearchError(f"{text!r} gives {key.strip()} twice")
            parameters[key.strip()] = parse_value(value)
        elif parameters:
            raise GamesearchError(
                f"in {text!r}, {item.strip()!r} needs the name of its parameter (a list is written as 3-4-5)"
            )
        else:
            values.append(parse_value(item))
    return Specification(name, tuple(values), parameters)


def file_named(text: str) -> str | None:
    """The path of the Python file with which a specification starts; None if the specification starts with a plain
    name.

    >>> file_named("./mine.py(depth=3)"), file_named("connect4(evaluation=./mine.py)")
    ('./mine.py', None)
    """
    found = re.fullmatch(r"(.*?\.py)\s*(?:\(.*)?", text.strip(), re.DOTALL)
    return None if found is None or re.match(r"[\w-]+\s*\(", text.strip()) else found[1]


def is_typed_tree(text: str) -> bool:
    """Whether a text is a tree that is typed directly, without the name `tree`.

    >>> is_typed_tree(" [[3, 12], 8]"), is_typed_tree("P2 [(1, 2), (3, 0)]"), is_typed_tree("tree([[3, 12], 8])")
    (True, True, False)
    """
    return TREE.match(text.strip()) is not None


def typed_text(specification: str) -> str:
    """The specification of a game; for a typed tree, only the text that was typed.

    >>> typed_text("tree(text=[[3,12],8])"), typed_text("othello(size=6)")
    ('[[3,12],8]', 'othello(size=6)')
    """
    return re.sub(r"^tree\(text=(.*[])}])\)$", r"\1", specification)


def runs_own_code(text: str) -> bool:
    """Whether loading a specification runs a Python file of the user.

    If such a specification comes from a lesson or a strategy file, callers must not load it without the user's
    permission.

    >>> runs_own_code("seeing(game=connect4(evaluation=mine), algorithm=pvs)"), runs_own_code("tree('[1, 2]')")
    (True, False)
    >>> runs_own_code("tictactoe(evaluation=lines)")
    False
    """
    if is_typed_tree(text):
        return False
    try:
        named = parse_specification(text)
    except GamesearchError:  # nothing can be loaded from this text
        return ".py" in text
    evaluation = named.parameters.get(EVALUATION)
    if named.name.endswith(".py") or (evaluation is not None and (EVALUATION, evaluation) not in SHIPPED_FILES):
        return True
    return any(runs_own_code(value) for value in (*named.values, *named.parameters.values()) if isinstance(value, str))


def files_named(text: str) -> list[str]:
    """The existing files and folders that gamesearch may open to load a specification. Python files are not included.

    Each string in the specification is tried as a file name, because any parameter may name a file. Examples are the
    parameter `weights` of a game, `database` of an algorithm, and `book` of a player.

    >>> files_named("tree(file=/)"), files_named("seeing(game=nim, algorithm=alphabeta(database=/))")
    (['/'], ['/'])
    """
    if is_typed_tree(text):
        return [text] if is_file(text) else []
    try:
        named = parse_specification(text)
    except GamesearchError:
        return []
    found = list[str]()
    for name, value in (*(("", each) for each in named.values), *named.parameters.items()):
        if isinstance(value, str) and (name, value.strip()) not in SHIPPED_FILES:
            found += [value] if is_file(value.strip()) else files_named(value)
    return found


def is_file(text: str) -> bool:
    """Whether a text is the path of an existing file or folder."""
    if text.startswith(("//", "\\\\")):  # a network path: checking it might contact a server
        return True
    try:
        return Path(text).expanduser().exists()
    except (OSError, ValueError, RuntimeError):  # for example because the name is too long
        return False


def split_at_commas(text: str) -> list[str]:
    """Split a text at its commas, but not at commas in brackets or quotes."""
    parts, closing, quote, start = [], [], "", 0
    for position, character in enumerate(text):
        if quote:
            quote = "" if character == quote else quote
        elif character in QUOTES:
            quote = character
        elif character in OPENING:
            closing.append(OPENING[character])
        elif closing and character == closing[-1]:
            closing.pop()
        elif character in OPENING.values():
            raise GamesearchError(f"{text!r} has a closing {character!r} without an opening bracket")
        elif character == "," and not closing:
            parts.append(text[start:position])
            start = position + 1
    if quote or closing:
        raise GamesearchError(f"{text!r} lacks a closing {quote or closing[-1]!r}")
    parts.append(text[start:])
    return [part for part in parts if part.strip()]


def parse_value(text: str) -> Any:
    """Parse the value of a parameter: a number, a truth value or a string."""
    text = text.strip()
    if len(text) >= 2 and text[0] in QUOTES and text[-1] == text[0]:
        return text[1:-1]
    if text.casefold() in ("true", "false"):
        return text.casefold() == "true"
    if len(text) < 400 and not any(character in text for character in "_ \t"):
        for number in (int, float):
            with contextlib.suppress(ValueError):
                return number(text)
    return text


def format_value(value: Any) -> str:
    """Convert a value to text that `parse_value` reads back. The text is quoted if necessary."""
    if isinstance(value, bool) or value is None:
        return str(value).lower()
    if isinstance(value, Iterable) and not isinstance(value, str):  # a tuple or array of numbers
        return f"[{', '.join(map(format_value, value))}]"
    text = str(value)
    try:
        plain = split_at_commas(text) == [text] and parse_value(text) == value
    except GamesearchError:
        plain = False
    if plain and text.strip() == text and "=" not in text:
        return text
    quote = '"' if '"' not in text else "'"
    return f"{quote}{text}{quote}"


def format_specification(name: str, parameters: Mapping[str, Any], values: Sequence[Any] = ()) -> str:
    """Convert a name, parameters and positional values to text that `parse_specification` reads back."""
    inside = [*map(format_value, values), *(f"{key}={format_value(value)}" for key, value in parameters.items())]
    return f"{name}({', '.join(inside)})" if inside else name


def describes(text: str, name: str, make: Any, values: Mapping[str, Any]) -> bool:
    """Whether the name of a specification is `name`, and its parameters are equal to `values`. A folder before the name
    is ignored. Parameters of `make` that the specification omits have their default values."""
    try:
        written = parse_specification(text)
    except GamesearchError:
        return False
    usual = {key: each.default for key, each in parameters_of(make).items()}
    return (
        written.name.rpartition("/")[2] == name.rpartition("/")[2]
        and not written.values
        and all(
            format_value(written.parameters.get(key, usual.get(key))) == format_value(value)
            for key, value in values.items()
        )
    )


def nearest(word: str, words: Iterable[str]) -> str:
    """Return a clause for an error message about an unknown `word`. The clause suggests a known word that contains
    `word` or is similar to `word`. If there is no such word, the clause lists the known words."""
    known = sorted(words)
    matches = near(word, known) or [each for each in known if len(word) > 3 and word.casefold() in each.casefold()]
    choices = "choice is" if len(known) == 1 else "choices are"
    return f"did you mean {matches[0]}?" if matches else f"the {choices} {list_names(known)}"


def nearest_parameter(word: str, words: Collection[str]) -> str:
    """Suggest a similar name for an unknown parameter, as `nearest` does. If USUAL_NAMES contains the word, the clause
    suggests the parameter that this word means.

    >>> nearest_parameter("max_depth", ["depth", "time"]), nearest_parameter("iterations", ["aspiration", "playouts"])
    ('did you mean depth?', 'did you mean playouts?')
    """
    plain = word.replace("_", "").casefold()
    meant = [name for name, others in USUAL_NAMES.items() if name in words and plain in others.split()]
    return nearest(meant[0] if meant else word, words)


def near(word: str, words: Iterable[str], most: int = 1) -> list[str]:
    """The known words that a mistyped word may mean, nearest first. They are similar to the mistyped word. If no known
    word is similar, they begin with the mistyped word.

    >>> near("minmax", ["maxn", "minimax"]), near("human", ["maxn", "minimax"]), near("exp", ["expectimax"])
    (['minimax'], [], ['expectimax'])
    """
    wanted, known = word.casefold(), {each.casefold(): each for each in words}
    # Short words are often similar by chance. So if two words begin with different letters, more of their other letters
    # must agree.
    alike = difflib.get_close_matches(wanted, known, len(known) or 1, 0.7)
    candidates = [each for each in known if each[:1] == wanted[:1] or each in alike]
    close = difflib.get_close_matches(wanted, candidates, most, 0.6)
    begun = [each for each in candidates if wanted and each.startswith(wanted)]
    return [known[each] for each in close or begun[:most]]


def construct(what: str, make: Callable[..., Any], specification: Specification, others: Collection[str] = ()) -> Any:
    """Call a constructor with the parameters of a specification, after checking them against the signature.

    The caller handles the parameters `others` itself, and removes them from the specification before this call. Raises
    GamesearchError for a value of the wrong type, and for an unknown parameter. The message about an unknown parameter
    suggests the most similar known parameter. The annotations of the constructor give the types: int, float, bool and
    str.
    """
    known = {name: p for name, p in parameters_of(make).items() if p.kind is not p.VAR_KEYWORD and name != "self"}
    numbers, first = specification.values, next(iter(known.values()), None)
    is_list = first is not None and "Sequence[int]" in str(first.annotation)
    if is_list and len(numbers) > 1 and all(type(number) is int for number in numbers):  # nim(3,4,5) means nim(3-4-5)
        specification = replace(specification, values=("-".join(map(str, numbers)),))
    if len(specification.values) > len(known):
        raise GamesearchError(
            f"{what} {specification.name} has {len(known)} parameter{'' if len(known) == 1 else 's'}, "
            f"but {len(specification.values)} value{' was' if len(specification.values) == 1 else 's were'} given"
        )
    given = dict(zip(known, specification.values, strict=False))
    for name, value in specification.parameters.items():
        if name not in known:
            hint = nearest_parameter(name, {*known, *others}) if known or others else "it has none"
            raise GamesearchError(f"{what} {specification.name} has no parameter {name!r}: {hint}")
        if name in given:
            raise GamesearchError(f"{what} {specification.name} has the parameter {name!r} twice")
        given[name] = value
    for name, p in known.items():
        if p.default is p.empty and p.kind is not p.VAR_POSITIONAL and name not in given:
            raise GamesearchError(
                f"{what} {specification.name} needs a value for the parameter {name!r}: write "
                f"{specification.name}({name}=...), or give {name!r} a default value in `__init__` of "
                f"{getattr(make, '__name__', make)}"
            )
    names = {name: f"{name} of {specification.name}" for name in given}
    if len(specification.values) > 1:  # say which parameter each value belongs to
        for number, name in enumerate([*given][: len(specification.values)], 1):
            names[name] = f"value {number} of {specification.name}, {name},"
    return make(**{name: _convert(names[name], value, known[name].annotation) for name, value in given.items()})


def _convert(what: str, value: Any, annotation: Any) -> Any:
    """Convert a value to the type of the annotation; raises GamesearchError if that is impossible."""
    kinds = set(str(getattr(annotation, "__name__", annotation)).replace(" ", "").split("|"))
    if not kinds & {"bool", "int", "float", "str"} or ("bool" in kinds and isinstance(value, bool)):
        return value
    if "int" in kinds and isinstance(value, int) and not isinstance(value, bool):
        if not -(1 << 62) < value < 1 << 62:
            raise GamesearchError(f"{what} is out of range: {value}")
        return value
    if "float" in kinds and isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    if "None" in kinds and str(value).casefold() == "none":
        return None
    if "str" in kinds:
        return str(value).lower() if isinstance(value, bool) else str(value)
    wanted = {"bool": "true or false", "int": "a whole number", "float": "a number"}
    named = " or ".join(wanted[kind] for kind in wanted if kind in kinds)
    raise GamesearchError(f"{what} must be {named}, not {value!r}")
