"""The weaver produces the stored text for each textbook function, and reports functions that it cannot weave.

`make generated` updates the stored texts in the folder `woven`.
"""

import ast
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gamesearch.algorithms.weaving.call_graph import NotWovenError
from gamesearch.algorithms.weaving.program import woven_text
from gamesearch.algorithms.weaving.weaver import weave
from gamesearch.textbook import all_functions

WOVEN = Path(__file__).parent / "woven"


def can_be_woven(function: Callable[..., Any]) -> bool:
    try:
        woven_text(function)
    except NotWovenError:
        return False
    return True


FUNCTIONS = tuple(filter(can_be_woven, all_functions().values()))


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_the_woven_text_equals_the_stored_text(function: Callable[..., Any]) -> None:
    path = WOVEN / f"{function.__name__}.txt"
    text = woven_text(function)
    if "GAMESEARCH_WRITE" in os.environ:
        path.write_text(text)
    assert text == path.read_text()


def test_every_stored_text_belongs_to_a_function() -> None:
    assert {path.stem for path in WOVEN.iterdir()} == {function.__name__ for function in FUNCTIONS}


VISIT = "f(game, game.result(s, m), d)"


@pytest.mark.parametrize(
    ("body", "line", "reason"),
    [
        ("return 0", 1, "no function calls itself"),
        (f"g = lambda m: {VISIT}\n return g(0)", 2, "a search is called in a lambda"),
        (f"for m in game.moves(s):\n  if m and {VISIT}: return 1\n return 0", 3, "after `and` or `or`"),
        (f"for m in game.moves(s):\n  while {VISIT}: pass\n return 0", 3, "in the condition of a loop"),
        (f"for m in game.moves(s):\n  {VISIT}", 1, "f may end without return"),
        (f"for m in game.moves(s):\n  {VISIT}\n return", 4, "it returns no value"),
        ("for m in game.moves(s):\n  s = game.result(s, m)\n  f(game, s, d)\n return 0", 1, "assigns to its state"),
        ("t = (s, 1)[0]\n return f(game, t, d)", 3, "it is not clear which move leads to the state"),
        (f"m = 0\n v = {VISIT}\n return f(game, s, d - 1)", 1, "f calls itself, directly or"),
        (f"def g(m): return {VISIT}\n return g(0)", 2, "g is defined inside f"),
        (f"m = 0\n try:\n  return {VISIT}\n except ValueError:\n  return 0", 3, "try is not supported"),
        ("return f(*(game, s, d))", 2, "a search is called with unpacked arguments"),
        (f"yield from (yield {VISIT})", 2, "yield from is not supported"),
        (f"m = 0\n best_ = {VISIT}\n return best_", 3, "best_ is a name that gamesearch uses itself"),
        ("m = 0\n return f(game, game.result(s, m))", 3, "f is called without d"),
        ("m = 0\n return max((f(game, game.result(s, m), d), m) for m in game.moves(s))", 3, "give it a key"),
    ],
)
def test_functions_that_cannot_be_woven_are_reported_with_a_line(body: str, line: int, reason: str) -> None:
    with pytest.raises(NotWovenError, match=rf"to line {line}, because .*{reason}"):
        weave(ast.parse(f"def f(game, s, d):\n {body}"), "f")


@pytest.mark.parametrize(
    ("source", "line", "reason"),
    [
        ("n = 3\nf = lambda game, s: game.utility(s)", 2, "not defined by `def`"),
        ("n = 3\nasync def f(game, s):\n return 0", 2, "not defined by `def`"),
        ("if True:\n def f(game, s):\n  return f(game, s)", 2, "not defined by `def` without indentation"),
        ("n = 3\nclass f:\n def search(self, game, s):\n  return 0", 2, "f is a class"),
        ("n = 3\n@cached\ndef f(game, s):\n return f(game, game.result(s, 0))", 3, "f is decorated"),
    ],
)
def test_definitions_that_cannot_be_woven_are_reported_with_their_line(source: str, line: int, reason: str) -> None:
    with pytest.raises(NotWovenError, match=rf"to line {line}, because .*{reason}"):
        weave(ast.parse(source), "f")
