"""List the algorithms, or describe one."""

import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import click

from gamesearch.algorithms.catalog import all_algorithms, is_algorithm, load_algorithm
from gamesearch.algorithms.engine.algorithm import Algorithm
from gamesearch.algorithms.own.algorithm import OwnAlgorithm
from gamesearch.algorithms.weaving.program import woven_text
from gamesearch.aliases import METHODS, plain
from gamesearch.cli.consoles import print_code, print_found
from gamesearch.cli.help import Command
from gamesearch.cli.options import flag_option, json_option, offer_algorithms
from gamesearch.commands.building.games import (
    Description,
    choices_data,
    described_parameters,
    description_view,
    listing_view,
    quote_for_shell,
)
from gamesearch.errors import GamesearchError
from gamesearch.support.escaping import markdown_text
from gamesearch.textbook import all_functions
from gamesearch.textbook.minimax import memoized_minimax, values_by_dynamic_programming
from gamesearch.textbook.proof_numbers import proof_number_search

__all__ = ["command"]

SOLVED: Mapping[str, tuple[Callable[..., Any] | None, str]] = {
    "memo": (memoized_minimax, "gamesearch/solvers/dynamic_programming.py"),
    "dynamic_programming": (values_by_dynamic_programming, "gamesearch/solvers/dynamic_programming.py"),
    "retrograde": (None, "gamesearch/solvers/graphs/retrograde.py"),
    "iteration": (None, "gamesearch/solvers/graphs/iteration.py"),
    "grundy": (None, "gamesearch/solvers/grundy.py"),
    "proof": (proof_number_search, "gamesearch/solvers/proof/search.py"),
}
"""The textbook functions of solving methods, if any, each with the file of the code that runs."""


@click.command(
    cls=Command,
    examples=[
        "gamesearch algorithms",
        "gamesearch algorithms alphabeta",
        "gamesearch algorithms minimax --source",
        "gamesearch algorithms --json",
    ],
)
@click.argument("name", default="", required=False, shell_complete=offer_algorithms, metavar="[NAME]")
@flag_option("--source", "shows_source", text="Print the textbook function of an algorithm or a solving method.")
@flag_option(
    "--woven",
    "shows_woven",
    text="Print the woven code: the textbook function, with code added to count nodes and check limits.",
)
@flag_option("--markdown", text="Print the list as a table in Markdown.")
@json_option
def command(name: str, shows_source: bool, shows_woven: bool, markdown: bool, as_json: bool) -> None:
    """List the algorithms, or describe one: its source and its parameters."""
    if shows_source or shows_woven:
        if not name:
            raise click.UsageError("name an algorithm, for example: gamesearch algorithms minimax --source")
        title, reference, note, code = (woven_code if shows_woven else textbook_code)(name)
        text = "\n".join([f"# {title}: {reference}", *([f"# {note}"] if note else []), "", code])
        print_code(text, lambda: {"name": name, "source": reference, "code": code}, as_json)
        return
    if name:
        algorithm = load_algorithm(name)
        view = description_view(algorithm_description(algorithm))
        print_found(view, lambda: algorithm_data(type(algorithm)), as_json)
        return
    if markdown:
        click.echo(markdown_table(all_algorithms().values()), nl=False)
        return
    hint = (
        "gamesearch algorithms NAME lists the parameters of an algorithm. Write them in parentheses, for example "
        "'alphabeta(depth=6, table=true)'"
    )
    listed = [{"name": cls.name, "summary": cls.summary, "source": cls.source} for cls in all_algorithms().values()]
    print_found(listing_view([(each["name"], each["summary"]) for each in listed], hint), lambda: listed, as_json)


def markdown_table(classes: Iterable[type[Algorithm]]) -> str:
    """Return the table of algorithms in the README, in Markdown."""
    rows = [f"| `{cls.name}` | {markdown_text(cls.summary)} | {markdown_text(cls.source)} |" for cls in classes]
    return "\n".join(["| algorithm | what it does | source |", "| --- | --- | --- |", *rows]) + "\n"


def file_of(thing: Any) -> str:
    """Return the path of the file that defines a class or a function."""
    return f"{thing.__module__.replace('.', '/')}.py"


def solving_method(name: str) -> str:
    """Return the solving method in SOLVED with a name or an alias; if there is none, return the given name."""
    method = METHODS.same.get(plain(name), name).partition("(")[0]
    return method if method in SOLVED else name


def textbook_code(name: str) -> tuple[str, str, str, str]:
    """Return a title, a source, a note and the code of a textbook function. `name` is its own name, or the name of an
    algorithm or a solving method. The note names the code that runs; it is empty if this function runs."""
    name = solving_method(name)
    function = all_functions().get(name)
    solved = SOLVED.get(name) or next((each for each in SOLVED.values() if function and each[0] is function), None)
    if solved and solved[0] is None:
        raise GamesearchError(f"the method {name} has no textbook function: read {solved[1]}")
    function = solved[0] if solved else function
    if function is not None and not is_algorithm(name):
        running = f"`gamesearch solve` runs other code: {solved[1]}" if solved else "No command runs it."
        return name, file_of(function), f"This is the textbook function. {running}", inspect.getsource(function)
    algorithm = load_algorithm(name)
    function = function or algorithm.textbook
    if function is None:
        raise GamesearchError(f"{algorithm.name} has no textbook function: read {file_of(type(algorithm))}")
    running = "" if isinstance(algorithm, OwnAlgorithm) else code_that_runs(algorithm, function)
    note = f"This is the textbook function. {running}" if running else ""
    is_main = function is algorithm.textbook
    title, reference = (algorithm.specification, type(algorithm).source) if is_main else (name, file_of(function))
    return title, reference, note, inspect.getsource(function)


def woven_code(name: str) -> tuple[str, str, str, str]:
    """Return a title, a source, a note and the code that is woven for an algorithm; raises GamesearchError if the
    algorithm has no woven code."""
    if solved := SOLVED.get(solving_method(name)):
        raise GamesearchError(f"the code of the method {name} is not woven: read {solved[1]}")
    algorithm = load_algorithm(name)
    if isinstance(algorithm, OwnAlgorithm) and algorithm.woven_from is None:
        raise GamesearchError(f"there is no woven code of {algorithm.file.name}: {algorithm.file.why_not_woven}")
    if algorithm.woven_from is None:
        raise GamesearchError(
            f"the search of {algorithm.specification} is not made from a textbook function: "
            f"read {file_of(type(algorithm))}"
        )
    note = code_that_runs(algorithm, algorithm.textbook)
    return algorithm.specification, type(algorithm).source, note, woven_text(algorithm.woven_from)


def code_that_runs(algorithm: Algorithm, function: Callable[..., Any] | None) -> str:
    """Return a sentence about the code that an algorithm runs; empty if the algorithm runs the function."""
    woven, code = algorithm.woven_from, "other code"
    if woven is function:
        return ""
    if woven is not None and function is algorithm.textbook:
        code = f"{woven.__name__} in another game"
    return f"The search runs {code}: {file_of(type(algorithm))}"


def algorithm_description(algorithm: Algorithm) -> Description:
    """Return the texts that describe an algorithm: summary, source, parameters and an example."""
    cls = type(algorithm)
    specification = algorithm.specification
    return Description(
        name=specification,
        summary=cls.summary,
        text=inspect.cleandoc(cls.__doc__ or ""),
        parameters=described_parameters(cls, vars(algorithm), cls.choices, cls.parameter_help),
        facts=[("source", cls.source)],
        examples=[f"gamesearch analyze {cls.example} -a {quote_for_shell(specification)}"],
    )


def algorithm_data(cls: type[Algorithm]) -> dict[str, Any]:
    """Describe an algorithm as JSON."""
    return {
        "name": cls.name,
        "summary": cls.summary,
        "source": cls.source,
        "exact": cls.is_exact,
        "parameters": [
            {
                "name": name,
                "default": each.default,
                "meaning": cls.parameter_help[name],
                "choices": choices_data(cls.choices, name),
            }
            for name, each in inspect.signature(cls).parameters.items()
        ],
    }
