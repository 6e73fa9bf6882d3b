"""Makes the class of an algorithm from a person's own file, with the parameters of its function."""

import inspect
from typing import Any

from gamesearch.algorithms.own.algorithm import OwnAlgorithm
from gamesearch.algorithms.own.source import FILLED_IN, OwnFile
from gamesearch.algorithms.parts.algorithm import Algorithm
from gamesearch.errors import GamesearchError
from gamesearch.own_files import place_of

__all__ = ["own_algorithm"]


def own_algorithm(file: OwnFile) -> type[OwnAlgorithm]:
    """The class of the algorithm in a file."""
    names = dict(file.arguments)
    if file.is_class:
        names = {**inspect.signature(file.chosen).parameters, **names}
    hidden = {*FILLED_IN} - {"depth"}
    parameters = [as_parameter(file, each) for name, each in names.items() if name not in hidden]
    summary, _, rest = (inspect.getdoc(file.chosen) or "an algorithm of your own").partition("\n")
    facts = {
        "__doc__": rest.strip(),
        "__signature__": inspect.Signature(parameters),
        "name": file.name,
        "summary": summary.rstrip("."),
        "source": place_of(file.function),
        "file": file,
        "handles_chance": file.knows_chance,
        "parameter_help": {each.name: "" for each in parameters} | {"depth": Algorithm.parameter_help["depth"]},
    }
    return type("OwnAlgorithm", (OwnAlgorithm,), facts)


def as_parameter(file: OwnFile, given: inspect.Parameter) -> inspect.Parameter:
    """A parameter of a file's function as one of the algorithm, with the kind of its default where it tells none."""
    default: Any = given.default
    if given.name == "depth":
        default, annotation = ("" if default is given.empty else default), "int | str"
        return inspect.Parameter("depth", inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
    if hasattr(Algorithm, given.name) or given.name in ("file", "player"):
        raise GamesearchError(
            f"{file.function.__name__} ({place_of(file.function)}) has a parameter {given.name}, "
            "which every algorithm has with a meaning of its own: name it otherwise"
        )
    annotation = given.annotation
    if annotation is given.empty and isinstance(default, bool | int | float | str):
        annotation = type(default).__name__
    return inspect.Parameter(given.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
