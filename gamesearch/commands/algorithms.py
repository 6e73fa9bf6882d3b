"""`gamesearch algorithms`: what there is to search with, and the parameters of each."""

import inspect
from typing import Any

import click

from gamesearch.algorithms.catalog import all_algorithms, load_algorithm
from gamesearch.algorithms.engine.algorithm import Algorithm
from gamesearch.cli.completing import offer_algorithms
from gamesearch.cli.consoles import print_found
from gamesearch.cli.options import json_option
from gamesearch.commands.games import (
    Description,
    choices_data,
    described_parameters,
    description_view,
    listing_view,
    shell_quoted,
)

__all__ = ["command"]


@click.command(
    epilog="\b\nExamples:\n  gamesearch algorithms\n  gamesearch algorithms alphabeta\n  gamesearch algorithms --json\n"
)
@click.argument("name", default="", required=False, shell_complete=offer_algorithms, metavar="[NAME]")
@json_option
def command(name: str, as_json: bool) -> None:
    """List the algorithms; or describe one: where it is from, its parameters, their defaults and meanings."""
    if name:
        algorithm = load_algorithm(name)
        view = description_view(algorithm_description(algorithm))
        print_found(view, lambda: algorithm_data(type(algorithm)), as_json)
        return
    hint = "gamesearch algorithms NAME lists the parameters, as in 'alphabeta(depth=6, table=true)'"
    listed = [{"name": cls.name, "summary": cls.summary, "source": cls.source} for cls in all_algorithms().values()]
    print_found(listing_view([(each["name"], each["summary"]) for each in listed], hint), lambda: listed, as_json)


def algorithm_description(algorithm: Algorithm) -> Description:
    """What there is to know of an algorithm."""
    cls = type(algorithm)
    specification = algorithm.specification
    return Description(
        name=specification,
        summary=cls.summary,
        text=inspect.cleandoc(cls.__doc__ or ""),
        parameters=described_parameters(cls, vars(algorithm), cls.choices, cls.parameter_help),
        facts=[("source", cls.source)],
        examples=[f"gamesearch analyze {cls.example} -a {shell_quoted(specification)}"],
    )


def algorithm_data(cls: type[Algorithm]) -> dict[str, Any]:
    """What there is to know of an algorithm, as JSON says it."""
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
