"""List the algorithms, or describe one."""

import inspect
from collections.abc import Iterable
from typing import Any

import click

from gamesearch.algorithms.catalog import all_algorithms, load_algorithm
from gamesearch.algorithms.engine.algorithm import Algorithm
from gamesearch.algorithms.own.algorithm import OwnAlgorithm
from gamesearch.algorithms.weaving.program import woven_text
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

__all__ = ["command"]


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
@flag_option("--source", "shows_source", text="Print the textbook function of the algorithm.")
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
        algorithm = load_algorithm(name)
        if shows_woven:
            code = woven_code(algorithm)
        elif algorithm.textbook is not None:
            code = inspect.getsource(algorithm.textbook)
        else:
            raise GamesearchError(f"{algorithm.name} has no textbook function: read {file_of(algorithm)}")
        reference = type(algorithm).source
        text = f"# {algorithm.specification}: {reference}\n{'' if shows_woven else kernel_note(algorithm)}\n{code}"
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


def file_of(algorithm: Algorithm) -> str:
    """Return the path of an algorithm's file, which contains its class and its kernel."""
    return f"{type(algorithm).__module__.replace('.', '/')}.py"


def woven_code(algorithm: Algorithm) -> str:
    """Return the code woven from the textbook function of an algorithm; raises GamesearchError if the algorithm has no
    woven code."""
    if isinstance(algorithm, OwnAlgorithm) and algorithm.woven_from is None:
        raise GamesearchError(f"there is no woven code of {algorithm.file.name}: {algorithm.file.why_not_woven}")
    if algorithm.woven_from is None:
        raise GamesearchError(
            f"the search of {algorithm.specification} is not made from a textbook function: read {file_of(algorithm)}"
        )
    return woven_text(algorithm.woven_from)


def kernel_note(algorithm: Algorithm) -> str:
    """If the search does not run the printed textbook function, return a comment that names the file with the kernel.
    Otherwise, return an empty string."""
    is_other = algorithm.woven_from is None and "textbook" in algorithm.textbook.__module__.split(".")
    return f"# This is the textbook function. The search runs other code: {file_of(algorithm)}\n" if is_other else ""


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
