"""Which parts of a game's rules are compiled, and whether compiled rules give the same results."""

from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from countdown import write_game
from parted import total, total_at_both_speeds

from gamesearch.api import perft
from gamesearch.compiler import NotCompilable, kernel, prepare, run, speed_for
from gamesearch.compiler.cache_files import LIMIT_VARIABLE
from gamesearch.compiler.identity import digest_of
from gamesearch.errors import GamesearchError
from gamesearch.game import MAX, MIN, NEVER, REPETITION_DRAWS, Game
from gamesearch.games.connecting.tictactoe import TicTacToe
from gamesearch.registry import load
from gamesearch.toolkit.bits import replace_item


def test_an_unknown_speed_is_refused() -> None:
    game: Game = load("tictactoe")
    with pytest.raises(GamesearchError, match="auto, compiled, interpreted"):
        speed_for(game, "fast")


@kernel
def what_never_recurs(game: Any, s: Any) -> int:
    """A kernel with an uncompilable branch, which is omitted for games in which positions never repeat."""
    if game.repetition != NEVER:
        return len({s: [None, s]})
    return 1


class Loopy(TicTacToe):
    """A game that declares repetition."""

    repetition = REPETITION_DRAWS


def test_branches_that_a_game_never_takes_are_not_compiled() -> None:
    game, loopy = TicTacToe(), Loopy()
    assert prepare(what_never_recurs, game, (game, game.initial()))(game, game.initial()) == 1
    with pytest.raises(NotCompilable):
        prepare(what_never_recurs, loopy, (loopy, loopy.initial()))


class Heap(NamedTuple):
    left: int
    turn: int


class OneHeap(Game):
    """Take one to three counters; a state is a plain tuple of the number of counters and the player to move."""

    def initial(self) -> Any:
        return Heap(6, MAX)

    def player(self, s: Any) -> int:
        return int(s[1])

    def moves(self, s: Any) -> Iterator[int]:
        for taken in range(1, min(s[0], 3) + 1):
            yield taken

    def result(self, s: Any, m: int) -> Any:
        return replace_item(replace_item(s, 0, s[0] - m), 1, 1 - s[1])

    def terminal(self, s: Any) -> bool:
        return bool(s[0] == 0)

    def utility(self, s: Any) -> int:
        return 1 if s[1] == MIN else -1


def test_code_is_compiled_for_the_type_of_each_state() -> None:
    game = OneHeap()
    states: list[Any] = [Heap(6, MAX), (6, MAX), (6, MAX, 9), (np.int64(6), MAX)]
    for s in [*states, *reversed(states)]:
        assert perft(game, s, 3, speed="compiled") == perft(game, s, 3, speed="interpreted") == 17


class Idle(Game):
    """A game that never ends and in which both moves lead back to the same state."""

    def initial(self) -> Any:
        return 1

    def player(self, s: Any) -> int:
        return MAX

    def moves(self, s: Any) -> Iterator[int]:
        yield 0
        yield 1

    def result(self, s: Any, m: int) -> Any:
        return s

    def terminal(self, s: Any) -> bool:
        return False

    def utility(self, s: Any) -> int:
        return 0


class Sign(Idle):
    """A game in which the value of a state depends on the sign of a number."""

    def evaluate(self, s: Any) -> float:
        return 0.5 if s > 0 else -0.5


class FirstSign(Idle):
    """A game in which the value of a state depends on the sign of the first of several numbers."""

    def evaluate(self, s: Any) -> float:
        return 0.5 if s[0] > 0 else -0.5


@pytest.mark.parametrize(
    ("game", "states"),
    [
        (Sign(), [1 << 63, -1, 5, 1 << 70]),
        (FirstSign(), [memoryview(array("q", [1])), memoryview(array("b", [-5]))]),
        (FirstSign(), [(1, 0), (0.25, 0), (-1, 0), (1 << 70, 1), (1, ())]),
        (FirstSign(), [{0: 1}, {0: -1}]),
    ],
    ids=["whole numbers", "buffers", "tuples", "dictionaries"],
)
def test_states_of_any_type_have_their_values(game: Game, states: list[Any]) -> None:
    for s in [*states, *states]:
        assert run(total, game, "auto", s, 1)[0] == total(game, s, 1)


@kernel
def count_moves_of(game: Any, s: Any) -> int:
    """A kernel that calls a method of the game; if the kernel is compiled, it calls the compiled method."""
    count = 0
    for _ in game.moves(s):
        count += 1
    return count


def test_functions_called_only_by_compiled_code_get_no_machine_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(LIMIT_VARIABLE, "0")  # cached code would have no signature
    game = OneHeap()
    s = game.initial()
    assert prepare(count_moves_of, game, (game, s))(game, s) == 3
    twin: Any = OneHeap.moves._compiled_twin_  # type: ignore[attr-defined]
    assert twin.signatures
    for each in twin.overloads.values():
        assert each.library.get_pointer_to_function(each.fndesc.llvm_func_name) == 0


# Methods. ----------------------------------------------------------------------------------------
MOST = "def most(self, left, ceiling=3):\n        return min(left, ceiling)\n\n    def moves"
CALLS = (
    "self.most(s.left)",
    "self.most(ceiling=3, left=s.left)",
    "self.most(*(s.left, 3))",
    "max(self.most(s.left), self.most(s.left, 2))",
    "most(s.left)",  # assigns another name to the method
    "self.part.most(s.left)",  # assigns a method of another game
)


@pytest.mark.parametrize("is_static", [False, True], ids=["method", "static method"])
def test_methods_are_compiled_however_they_are_called(tmp_path: Path, is_static: bool) -> None:
    most = MOST.replace("def most(self, ", "@staticmethod\n    def most(") if is_static else MOST
    path = write_game(
        tmp_path,
        "countdown.py",
        ("def moves", most),
        ("largest(s.left)", f"min({', '.join(CALLS)})"),
        ("for m in", "most = self.most\n        for m in"),
        ("self.start = start", "self.start = start\n        self.part = Countdown(start - 1) if start > 6 else None"),
    )
    game, plain = load(path), load(write_game(tmp_path, "plain.py"))
    assert total_at_both_speeds(game) == total(plain, plain.initial(), 9)


TWO = """def most(self, left, ceiling=3):
        return min(left, ceiling)

    def least(self, left, ceiling=2):
        return min(left, ceiling)

    def moves"""
CHOSEN = {
    "in two branches": "if s.turn == 0:\n            f = self.most\n        else:\n            f = self.least",
    "in a loop": "for _ in range(2):\n            f = self.most\n            f(s.left)",
    "of a part by another name": "a, b = self.parts\n        f = a.most\n        f = b.least",
    "where it is": "f = self.most if hasattr(self, 'most') else self.least",
}


@pytest.mark.parametrize("kind", CHOSEN)
def test_a_name_for_several_methods_means_the_same_at_both_speeds(tmp_path: Path, kind: str) -> None:
    path = write_game(
        tmp_path,
        "countdown.py",
        ("def moves", TWO),
        ("for m in range(1, largest(s.left) + 1)", f"{CHOSEN[kind]}\n        for m in range(1, f(s.left) + 1)"),
        (
            "self.start = start",
            "self.start = start\n        self.parts = () if start < 7 else (Countdown(2), Countdown(2))",
        ),
    )
    game = load(path)
    slow, fast = (run(total, game, speed, game.initial(), 9)[0] for speed in ("interpreted", "auto"))
    assert slow == fast


CONSTANTS = {
    "range": ("3", "self.range"),  # has the name of a builtin function
    "_most": ("3", "self._most"),
    "rows": ("(np.array([3, 1]), np.array([2]))", "self.rows[0][0]"),
    "parts": ("() if start < 7 else (Countdown(3),)", "self.parts[0].start"),
}
"""For each attribute: its value, and an expression by which the rules read the attribute."""


def test_constants_are_compiled_and_make_a_difference(tmp_path: Path) -> None:
    assigned = "".join(f"\n        self.{name} = {value}" for name, (value, _) in CONSTANTS.items())
    used = ", ".join(use for _, use in CONSTANTS.values())
    changes = [("self.start = start", f"self.start = start{assigned}"), ("largest(s.left)", f"min(s.left, {used})")]
    changes.append(("from typing import", "import numpy as np\nfrom typing import"))
    fails = "@property\n    def fails(self):\n        return 1 // 0\n\n    def {0}"  # a property that is not a constant
    hidden = "def range(self, number):\n        return number\n\n    def moves"  # the attribute hides this method
    path = write_game(tmp_path, "countdown.py", *changes, ("def player", fails.format("player")), ("def moves", hidden))
    game = load(path)
    total_at_both_speeds(game)
    for name in CONSTANTS:
        again = load(path)
        assert digest_of(again) == digest_of(game)
        value = getattr(again, name)
        setattr(again, name, value + 1 if isinstance(value, int) else (*value, 5))
        assert digest_of(again) != digest_of(game)


@kernel
def double(game: Any, number: int) -> int:
    return 2 * number


@kernel
def double_twice(game: Any, number: int) -> int:
    return double(game, double(game, number))


def test_a_kernel_that_compiled_code_calls_can_be_called_from_python() -> None:
    game = TicTacToe()
    for function in (double_twice, double, double_twice):
        assert run(function, game, "compiled", 5) == (function(game, 5), "compiled")
