"""The identity of a game contains exactly those attributes of the game that compiled code depends on."""

import copy
import importlib
import pickle
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from countdown import COUNTDOWN, write_game
from parted import Bounded, Parted, Tuned, leaves_at_both_speeds, total, total_at_both_speeds

from gamesearch.compiler import run
from gamesearch.compiler.cache import is_recursive
from gamesearch.compiler.identity import digest_of
from gamesearch.registry import load

LARGEST = "def largest(left):\n    return min(left, 3)\n"


IMPORTS = {
    "a constant": ("from {0}.limits import MOST\n", "MOST"),
    "of a whole module": ("from {0} import limits\n", "limits.MOST"),
    "by its full name": ("import {0}.limits\n", "{0}.limits.MOST"),
    "by way of a helper": ("from {0}.limits import most\n", "most()"),
    "by way of a helper of a module": ("from {0} import limits as others\n", "others.most()"),
    "by way of a helper by its full name": ("import {0}.limits\n", "{0}.limits.most()"),
    "by way of a helper next to the rules": ("from . import limits as neighbors\n", "neighbors.most()"),
    "in a table": ("from {0}.limits import TABLE\n", "TABLE[1]"),
    "of an enumeration": ("from {0}.limits import Few\n", "Few.MOST.value"),
}
"""For each kind of import: the import statement, and an expression that reads the limit from the imported module."""
LIMITS = """
import enum

import numpy as np

MOST = {most}
TABLE = np.array([0, {most}])


def most(times=1):
    return {helper}


class Few(enum.IntEnum):
    MOST = {most}
"""


def package_of_rules(folder: Path, name: str, kinds: Sequence[str]) -> None:
    """Write a package whose rules read a limit from another file by the given kinds of import."""
    (folder / name).mkdir()
    imports = "".join(IMPORTS[kind][0].format(name) for kind in kinds)
    read = ", ".join(IMPORTS[kind][1].format(name) for kind in kinds)
    source = COUNTDOWN.replace(LARGEST, f"{imports}\n\ndef largest(left):\n    return min(left, {read})\n")
    (folder / name / "__init__.py").touch()
    (folder / name / "countdown.py").write_text(source)
    (folder / name / "limits.py").write_text(LIMITS.format(most=3, helper="MOST"))


def edit(folder: Path, name: str, helper: str = "MOST") -> Any:
    """Change the limit in a package written by `package_of_rules`, and return its game; the file size also changes."""
    (folder / name / "limits.py").write_text(LIMITS.format(most=22, helper=helper))
    importlib.reload(importlib.import_module(f"{name}.limits"))
    return importlib.reload(importlib.import_module(f"{name}.countdown")).Countdown(6)


@pytest.mark.parametrize("kind", IMPORTS)
def test_imports_from_other_files_are_part_of_the_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    name = f"package_with_{kind.replace(' ', '_')}"
    package_of_rules(tmp_path, name, [kind])
    monkeypatch.syspath_prepend(tmp_path)
    before = digest_of(importlib.import_module(f"{name}.countdown").Countdown(6))
    again = edit(tmp_path, name, "MOST if times < 1 else most(times - 1)")
    assert digest_of(again) != before
    assert is_recursive(again) == ("helper" in kind)


def test_functions_that_rules_import_are_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package_of_rules(tmp_path, "package_with_all_imports", [*IMPORTS])
    monkeypatch.syspath_prepend(tmp_path)
    before = leaves_at_both_speeds(importlib.import_module("package_with_all_imports.countdown").Countdown(6))
    assert leaves_at_both_speeds(edit(tmp_path, "package_with_all_imports")) > before


def test_assigned_attributes_count_and_arrays_are_read_only() -> None:
    game = Parted()
    most = fewer = leaves_at_both_speeds(game)
    for copied in (copy.copy(game), copy.deepcopy(game)):
        assert copied == game
        copied.most = 2
        assert copied != game
        fewer = leaves_at_both_speeds(copied)
        assert fewer < most == leaves_at_both_speeds(game)
    with pytest.raises(ValueError, match="read-only"):
        game.table[0] = 1
    game.table = np.array([1, 1])
    assert leaves_at_both_speeds(game) < fewer


def test_tuples_that_compiled_code_cannot_read_do_not_prevent_compiling() -> None:
    class Labelled(Tuned):
        def __init__(self, extra: Any = ()) -> None:
            super().__init__()
            self.extra = extra

    for extra in ((Tuned(), "x"), (), (Tuned(), None), (Tuned(2), None)):
        total_at_both_speeds(Labelled(extra), 2)


SHARED = 3


def limit_by_default(left: int, most: int = 3) -> int:
    return min(left, most, SHARED)


def fewer(left: int, most: int = 3) -> int:
    return min(left, most - 1)


def with_a_cell() -> tuple[Any, Any]:
    most = 3

    def limit_by_cell(left: int) -> int:
        return min(left, most)

    def change(number: int) -> None:
        nonlocal most
        most = number

    return limit_by_cell, change


limit_by_cell, change_cell = with_a_cell()


class Reading(Parted):
    """A game whose moves depend on helpers, a global, a closure, and an attribute from `__slots__`."""

    __slots__ = ("limit",)

    def __init__(self, limit: int = 3) -> None:
        super().__init__()
        self.limit = limit

    def moves(self, s: Bounded) -> Any:
        for m in range(1, min(limit_by_default(s.left), limit_by_cell(s.left), self.limit) + 1):
            yield m


class Heir(Reading):
    """A game that inherits its rules, so that it changes if they change."""


def test_every_change_of_what_rules_read_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Reading()
    assert pickle.loads(pickle.dumps(game)) == game != Reading(2)
    assert copy.copy(game).limit == 3
    most = leaves_at_both_speeds(game)
    digests = {digest_of(game)}
    for change in (
        lambda: setattr(limit_by_default, "__defaults__", (2,)),
        lambda: monkeypatch.setattr(sys.modules[__name__], "SHARED", 2),
        lambda: change_cell(2),
        lambda: setattr(game, "limit", 2),
        lambda: setattr(limit_by_default, "__code__", fewer.__code__),
    ):
        change()
        digests |= {digest_of(game)}
    assert len(digests) == 6
    assert leaves_at_both_speeds(game) == leaves_at_both_speeds(Heir(2)) < most


def test_a_changed_helper_of_our_own_rules_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    from gamesearch.games.capturing.othello import rules

    game = load("othello(size=4)")
    before = digest_of(game)
    monkeypatch.setattr(rules, "share", lambda ours, theirs: 0.5)
    assert digest_of(game) != before
    monkeypatch.undo()
    assert digest_of(game) == before


TABLE = np.array([3, 3])
TABLES = (np.array([1]), (np.array([3]),))


class Tabled(Parted):
    """A game whose limit comes from arrays and views of arrays."""

    def __init__(self) -> None:
        super().__init__()
        self.rows = np.array([3, 3, 3])
        self.view = self.rows[1:]

    def moves(self, s: Bounded) -> Any:
        for m in range(1, min(s.left, TABLE[0], TABLES[1][0][0], self.view[0]) + 1):
            yield m


def test_arrays_that_are_compiled_cannot_be_changed_wherever_they_are() -> None:
    game = Tabled()
    leaves_at_both_speeds(game)
    for array in (TABLE, TABLES[1][0], game.view, game.rows):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_attributes_that_replace_a_method_are_used() -> None:
    game: Any = Parted(3)
    before = total_at_both_speeds(game)
    game.utility = lambda s: 0
    slow, fast = (run(total, game, speed, game.initial(), 9)[0] for speed in ("interpreted", "auto"))
    assert slow == fast != before


@pytest.mark.parametrize("kind", ["itself", "static"])
def test_functions_that_cannot_be_included_run_interpreted(kind: str) -> None:
    import math

    class Odd(Parted):
        root = staticmethod(math.sqrt)

        def moves(self, s: Bounded) -> Any:
            for m in range(1, min(s.left, int(self.root(9))) + 1):
                yield m

    game: Any = Odd() if kind == "static" else Parted()
    if kind == "itself":
        game.me = game
    slow, fast = (run(total, game, speed, game.initial(), 9)[0] for speed in ("interpreted", "auto"))
    assert slow == fast


def test_files_of_one_name_in_two_folders_are_two_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number, folder in enumerate(("one", "two"), 2):
        (tmp_path / folder).mkdir()
        write_game(tmp_path / folder, "g.py", ("min(left, 3)", f"min(left, {number})"))
    moves = []
    for folder in ("one", "two"):
        monkeypatch.chdir(tmp_path / folder)
        game = load("g.py")
        moves.append(len(list(game.moves(game.initial()))))
    assert moves == [2, 3]
