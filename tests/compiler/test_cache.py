"""Compiled code is stored on disk, and used only with the rules from which it was compiled."""

import shutil
import types
from pathlib import Path

import pytest
from choices import only_with_everything
from countdown import in_new_process, written

from gamesearch.algorithms.catalog import alphabeta
from gamesearch.compiler.identity import Code, code_of
from gamesearch.registry import game_names, load
from gamesearch.toolkit.derived_games import RandomOpponent


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, int]:
    """Search a game in another process; return the folder that contains the game's file and the cache, and the number
    of nodes."""
    folder = tmp_path_factory.mktemp("kept")
    compilations, nodes = in_new_process(folder / "cache", written(folder, "countdown.py"), "minimax")
    assert compilations >= 1
    return folder, nodes


@pytest.mark.xdist_group("kept")
def test_a_second_process_compiles_nothing(kept: tuple[Path, int]) -> None:
    folder, nodes = kept
    assert list((folder / "cache").rglob("*.code"))
    assert in_new_process(folder / "cache", str(folder / "countdown.py"), "minimax") == [0, nodes]


@pytest.mark.xdist_group("kept")
def test_a_damaged_cache_is_ignored(kept: tuple[Path, int], tmp_path: Path) -> None:
    folder, nodes = kept
    shutil.copytree(folder / "cache", tmp_path / "cache")
    for file in (tmp_path / "cache").rglob("*.code"):
        file.write_bytes(b"nonsense")
    assert in_new_process(tmp_path / "cache", str(folder / "countdown.py"), "minimax")[1] == nodes


@pytest.mark.xdist_group("kept")
def test_an_edited_file_is_noticed(kept: tuple[Path, int], tmp_path: Path) -> None:
    folder, nodes = kept
    shutil.copytree(folder / "cache", tmp_path / "cache")
    path = written(folder, "countdown.py", ("min(left, 3)", "min(left, 2)"))
    compilations, fewer = in_new_process(tmp_path / "cache", path, "minimax")
    written(folder, "countdown.py")
    assert compilations >= 1
    assert fewer < nodes


@only_with_everything
def test_a_wrapped_game_is_kept_on_disk_too(tmp_path: Path) -> None:
    path = written(tmp_path, "countdown.py")
    first, nodes = in_new_process(tmp_path / "cache", path, "expectimax(pruning=star2)")
    assert first >= 1
    assert in_new_process(tmp_path / "cache", path, "expectimax(pruning=star2)") == [0, nodes]


@only_with_everything
def test_a_selective_search_is_kept_on_disk_too(tmp_path: Path) -> None:
    """The test also uses a game that supports selective search but has no null move."""
    game = "connect4(rows=4, columns=4)"
    first, nodes = in_new_process(tmp_path / "cache", game, "pvs(depth=3)")
    assert first >= 1
    assert in_new_process(tmp_path / "cache", game, "pvs(depth=3)") == [0, nodes]


def test_helpers_that_call_each_other_work_in_every_process(tmp_path: Path) -> None:
    recursive = (
        "def largest(left):\n    if left < 4:\n        return left\n"
        "    return 1 + (smaller(left // 2) + 5 * largest(left // 3)) % 3\n\n\n"
        "def smaller(left):\n    if left < 1:\n        return 0\n"
        "    return largest(left // 2) + 7 * largest(left // 3 - 1)"
    )
    path = written(tmp_path, "countdown.py", ("def largest(left):\n    return min(left, 3)", recursive))
    runs = [in_new_process(tmp_path / "cache", path, "minimax") for _ in range(2)]
    assert runs[0][1] == runs[1][1]


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


@pytest.mark.parametrize(
    "method",
    [
        *("def kind_of_move(self, s, m):", "def make_null_move(self, s):", "def is_needed(self, s, m):"),
        *("def random_payoff(self, s, seed):", "def rank(self, s):", "def unrank(self, layer, number):"),
    ],
)
def test_a_recursive_method_that_kernels_may_call_is_found(tmp_path: Path, method: str) -> None:
    from gamesearch.compiler import cache

    groups = ("from gamesearch import Game", "from gamesearch.optional import PlayedOut, Selective, Shortcuts")
    bases = ("class Countdown(Game)", "class Countdown(PlayedOut, Selective, Shortcuts)")
    added = ("    def initial", f"    {method}\n        return halvings(self.start)\n\n    def initial")
    assert cache.is_recursive(load(written(tmp_path, "countdown.py", RECURSIVE, groups, bases, added)))
    assert not cache.is_recursive(load(written(tmp_path, "other.py", RECURSIVE)))  # no code calls the helpers


@pytest.mark.parametrize(
    ("method", "algorithm"),
    [
        pytest.param(
            "def kind_of_move(self, s, m):\n        return halvings(s.left) % 4",
            "alphabeta(order=game)",
            marks=only_with_everything,
        ),
        ("def evaluate(self, s):\n        return 0.01 * halvings(s.left)", "expectimax(depth=3)"),
    ],
    ids=["the kind of a move", "the evaluation, in a wrapped game"],
)
def test_recursive_methods_work_in_every_process(tmp_path: Path, method: str, algorithm: str) -> None:
    path = written(tmp_path, "countdown.py", RECURSIVE, ("    def initial", f"    {method}\n\n    def initial"))
    runs = [in_new_process(tmp_path / "cache", path, algorithm) for _ in range(2)]
    assert runs[0][1] == runs[1][1]


def test_rules_that_ask_a_part_of_the_same_class_work_in_every_process(tmp_path: Path) -> None:
    part = "self.start = start\n        self.part = Countdown(start - 1) if start > 6 else 0"
    body = "return self.part.most(left) if self.start > 6 else min(left, 3)"
    most = f"def most(self, left):\n        {body}\n\n    def moves"
    changes = (("self.start = start", part), ("def moves", most), ("largest(s.left)", "self.most(s.left)"))
    path = written(tmp_path, "countdown.py", *changes)
    runs = [in_new_process(tmp_path / "cache", path, "minimax") for _ in range(2)]
    assert runs[0][1] == runs[1][1]


def test_states_whose_types_change_work_in_every_process(tmp_path: Path) -> None:
    """In this game, the player to move is 0 in the first state, and True or False in later states."""
    path = written(tmp_path, "countdown.py", ("1 - s.turn", "s.turn == 0"))
    runs = [in_new_process(tmp_path / "cache", path, "minimax", plies=plies) for plies in (1, 0, 0)]
    assert runs[1][1] == runs[2][1]


def test_a_cache_that_cannot_be_written_does_no_harm(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file instead of a folder")
    compilations, nodes = in_new_process(tmp_path / "cache", written(tmp_path, "countdown.py"), "minimax")
    assert compilations >= 1
    assert nodes > 1


@pytest.mark.parametrize("name", game_names())
def test_the_code_of_every_game_of_our_own_is_kept(name: str) -> None:
    from gamesearch.compiler import cache

    game = load(name)
    assert not cache.is_recursive(game)
    assert not cache.is_recursive(RandomOpponent(game))


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
