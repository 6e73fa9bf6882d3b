"""`check` finds the fault if a single operator, sign or number of a textbook function is changed."""

import inspect
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from choices import chosen

from gamesearch.study.marking import task_for
from gamesearch.textbook import alphabeta, expectiminimax, many_players, minimax

FUNCTIONS = (
    minimax.minimax_value, minimax.minimax, minimax.negamax, alphabeta.alphabeta, alphabeta.fail_hard_alphabeta,
    expectiminimax.expectiminimax, many_players.maxn,
)  # fmt: skip
CHANGES = (
    (">=", ">"),
    ("<=", "<"),
    (" == ", " != "),
    (" - 1", " - 2"),
    (" == 0", " == 1"),
    ("= -", "= "),
    (" * ", " + "),
)
"""Pairs of a text and its replacement; replacing one occurrence of the text makes one faulty function."""
HEAD = "import math\n\nfrom gamesearch import CHANCE, MAX\n\n\n"


def faults(function: Callable[..., Any]) -> list[str]:
    """Return copies of the source of a function; each copy has a different fault."""
    source = inspect.getsource(function)
    helpers = "\n\n".join(
        inspect.getsource(helper)
        for name, helper in inspect.getmembers(inspect.getmodule(function), inspect.isfunction)
        if helper is not function and re.search(rf"\b{name}\(", source)
    )
    body = source.index('"""\n', source.index('"""') + 3) + 4
    found = []
    for old, new in CHANGES:
        for each in re.finditer(re.escape(old), source[body:]):
            start = body + each.start()
            found.append(HEAD + helpers + "\n\n" + source[:start] + new + source[start + len(old) :])
    return found


FAULTY = {
    f"{function.__name__}-{number}": source for function in FUNCTIONS for number, source in enumerate(faults(function))
}


def test_many_faults_are_made() -> None:
    assert len(FAULTY) >= 30


@pytest.mark.parametrize("name", chosen([*FAULTY][::4], [each for number, each in enumerate(FAULTY) if number % 4]))
def test_a_fault_is_found(name: str, tmp_path: Path) -> None:
    path = tmp_path / f"{name.partition('-')[0]}.py"
    path.write_text(FAULTY[name])
    task = task_for(str(path))
    assert any(each.kind != "agrees" for each in task.verdicts()), FAULTY[name]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_the_functions_themselves_agree(function: Callable[..., Any], tmp_path: Path) -> None:
    path = tmp_path / f"{function.__name__}.py"
    source = Path(str(inspect.getsourcefile(function))).read_text()
    path.write_text(source)
    task = task_for(str(path))
    assert {each.kind for each in replace(task, exercises=task.exercises[::5]).verdicts()} == {"agrees"}
