"""Compiled code is stored on disk, and used only with the rules from which it was compiled."""

import shutil
import types
from pathlib import Path

import pytest
from choices import only_with_everything
from countdown import in_new_process, write_game

from gamesearch.algorithms.catalog import alphabeta
from gamesearch.compiler.cache import is_recursive
from gamesearch.compiler.identity import Code, code_of
from gamesearch.registry import game_names, load
from gamesearch.toolkit.derived_games import RandomOpponent


@pytest.fixture(scope="module")
def filled_cache(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, int]:
    """Search a game in another process; return the folder that contains the game's file and the cache, and the number
    of nodes."""
    folder = tmp_path_factory.mktemp("kept")
    compilations, nodes = in_new_process(folder / "cache", write_game(folder, "countdown.py"), "minimax")
    assert compilations >= 1
    return folder, nodes


@pytest.mark.xdist_group("kept")
def test_a_second_process_compiles_nothing(filled_cache: tuple[Path, int]) -> None:
    folder, nodes = filled_cache
    assert list((folder / "cache").rglob("*.code"))
    path = f"{folder}/../{folder.name}/countdown.py"  # the spelling of the path does not matter
    assert in_new_process(folder / "cache", path, "minimax") == [0, nodes]


@pytest.mark.xdist_group("kept")
def test_an_edited_file_is_noticed(filled_cache: tuple[Path, int], tmp_path: Path) -> None:
    folder, nodes = filled_cache
    shutil.copytree(folder / "cache", tmp_path / "cache")
    path = write_game(folder, "countdown.py", ("min(left, 3)", "min(left, 2)"))
    compilations, fewer = in_new_process(tmp_path / "cache", path, "minimax")
    write_game(folder, "countdown.py")
    assert compilations >= 1
    assert fewer < nodes


RECURSIVE = (
    "class Countdown",
    "def halvings(n):\n    if n < 2:\n        return n\n"
    "    return 1 + (thirds(n // 2) + 5 * halvings(n // 3)) % 3\n\n\n"
    "def thirds(n):\n    if n < 1:\n        return 0\n"
    "    return halvings(n // 2) + 7 * halvings(n // 3 - 1)\n\n\n"
    "class Countdown",
)
"""An edit of the source that adds two helpers which call each other.

If the compiled code of these two helpers were cached, it would crash.
"""


PART = "self.start = start\n        self.part = Countdown(start - 1) if start > 6 else 0"
ASKS_PART = (
    "def most(self, left):\n        return self.part.most(left) if self.start > 6 else min(left, 3)\n\n    def moves"
)
RULES = {
    "helpers of the rules": (("return min(left, 3)", "return min(left, 3) + 0 * halvings(left)"),),
    "a part of the same class": (
        ("self.start = start", PART),
        ("def moves", ASKS_PART),
        ("largest(s.left)", "self.most(s.left)"),
    ),
    **{
        method: (("    def initial", f"    def {method}:\n        return halvings(self.start)\n\n    def initial"),)
        for method in (
            "kind_of_move(self, s, m)", "make_null_move(self, s)", "is_needed(self, s, m)",
            "random_payoff(self, s, seed)", "rank(self, s)", "unrank(self, layer, number)",
        )
    },
}  # fmt: skip
"""Changes by which kernels call, directly or indirectly, a function that calls itself."""


@pytest.mark.parametrize("kind", RULES)
def test_recursion_that_kernels_may_reach_is_found(tmp_path: Path, kind: str) -> None:
    groups = ("from gamesearch import Game", "from gamesearch.optional import PlayoutGame, SelectiveGame, Shortcuts")
    bases = ("class Countdown(Game)", "class Countdown(PlayoutGame, SelectiveGame, Shortcuts)")
    assert is_recursive(load(write_game(tmp_path, "countdown.py", RECURSIVE, groups, bases, *RULES[kind])))
    assert not is_recursive(load(write_game(tmp_path, "other.py", RECURSIVE)))  # no code calls the helpers


def test_recursive_methods_work_in_every_process(tmp_path: Path) -> None:
    evaluate = "    def evaluate(self, s):\n        return 0.01 * halvings(s.left)\n\n    def initial"
    path = write_game(tmp_path, "countdown.py", RECURSIVE, ("    def initial", evaluate))
    runs = [in_new_process(tmp_path / "cache", path, "minimax(depth=3)") for _ in range(2)]
    assert runs[0][1] == runs[1][1]


def test_states_whose_types_change_work_in_every_process(tmp_path: Path) -> None:
    """In this game, the player to move is 0 in the first state, and True or False in later states."""
    path = write_game(tmp_path, "countdown.py", ("1 - s.turn", "s.turn == 0"))
    for plies in (1, 0):  # each process compares its compiled search with an interpreted search
        in_new_process(tmp_path / "cache", path, "minimax", plies=plies)


@only_with_everything
def test_the_code_of_every_built_in_game_is_cached() -> None:
    for game in map(load, game_names()):
        assert not is_recursive(game)
        assert not is_recursive(RandomOpponent(game))


KERNEL = '''
from gamesearch.compiler import kernel

MOST = 3


@kernel
def helper(number):
    """Return the smaller number."""
    return min(number, MOST)


@kernel
def unused(number):
    return number


@kernel
def search(number):
    return helper(number) + 1
'''


def test_the_digest_of_a_kernel_covers_the_code_that_it_calls_and_nothing_else() -> None:
    def digest(old: str = "", new: str = "") -> bytes:
        module = types.ModuleType("gamesearch.algorithms.example")
        exec(KERNEL.replace(old, new, 1), vars(module))
        return code_of(module.search).digest

    whole = digest()
    for change in (
        ("MOST = 3", "MOST = 4"),
        ("min(number", "max(number"),
        ("helper(number) + 1", "helper(number) - 1"),
    ):
        assert digest(*change) != whole
    for change in (("smaller number", "smaller of two"), ("    return number", "    return 0"), ("\nMOST", "\n\nMOST")):
        assert digest(*change) == whole


def test_the_digest_of_a_search_covers_every_kernel_and_constant_that_it_reaches(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = Code(alphabeta.alphabeta)
    names = {each.__qualname__ for each in whole.nodes.values()}
    assert {"alphabeta", "enter", "record_variation", "terminal_value"} <= names
    monkeypatch.setattr(alphabeta, "MAX", 2)
    assert Code(alphabeta.alphabeta).digest != whole.digest
