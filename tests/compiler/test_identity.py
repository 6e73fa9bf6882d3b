"""One identity for a game: what compiled code has read, copies and pickles of it, and weights, which are none of it."""

import copy
import importlib
import pickle
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import pytest
from countdown import COUNTDOWN, written
from hypothesis import given, settings
from hypothesis import strategies as st
from support import facts

from gamesearch.algorithms.reduction import RandomOpponent, Shuffled
from gamesearch.api import perft, search
from gamesearch.compiler import compilations
from gamesearch.errors import GamesearchError
from gamesearch.game import Game
from gamesearch.games.othello import Othello
from gamesearch.games.tictactoe import TicTacToe
from gamesearch.identity import digest_of
from gamesearch.registry import game_names, load, specification_of

LARGEST = "def largest(left):\n    return min(left, 3)\n"


def at_both_speeds(game: Game[Any], algorithm: str = "minimax") -> Any:
    """The facts of a search, after both speeds agreed on them."""
    slow, fast = (search(game, game.initial(), algorithm, speed=speed) for speed in ("interpreted", "compiled"))
    assert fast.statistics.speed == "compiled"
    assert facts(slow) == facts(fast)
    return facts(fast)


def leaves_at_both_speeds(game: Game[Any]) -> int:
    """How many ways there are to play on for a few plies, after both speeds agreed on it: quicker to compile."""
    slow, fast = (perft(game, game.initial(), 3, speed=speed) for speed in ("interpreted", "compiled"))
    assert slow == fast
    return fast


# What compiled code has read. ---------------------------------------------------------------------
IMPORTS = {
    "a constant": ("from {0}.limits import MOST\n", "return min(left, MOST)"),
    "of a whole module": ("from {0} import limits\n", "return min(left, limits.MOST)"),
    "by its full name": ("import {0}.limits\n", "return min(left, {0}.limits.MOST)"),
    "by way of a helper": ("from {0}.limits import most\n", "return min(left, most())"),
    "in a table": ("from {0}.limits import TABLE\n", "return min(left, TABLE[1])"),
    "of an enumeration": ("from {0}.limits import Few\n", "return min(left, Few.MOST.value)"),
}
LIMITS = """
import enum

import numpy as np

MOST = {most}
TABLE = np.array([0, {most}])


def most():
    return MOST


class Few(enum.IntEnum):
    MOST = {most}
"""


@pytest.mark.parametrize("kind", IMPORTS)
def test_what_rules_import_from_another_file_is_part_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    name = f"package_with_{kind.replace(' ', '_')}"
    (tmp_path / name).mkdir()
    imports, body = (text.format(name) for text in IMPORTS[kind])
    source = COUNTDOWN.replace(LARGEST, f"{imports}\n\ndef largest(left):\n    {body}\n")
    (tmp_path / name / "__init__.py").touch()
    (tmp_path / name / "countdown.py").write_text(source)
    (tmp_path / name / "limits.py").write_text(LIMITS.format(most=3))
    monkeypatch.syspath_prepend(tmp_path)
    before = leaves_at_both_speeds(importlib.import_module(f"{name}.countdown").Countdown(6))
    (tmp_path / name / "limits.py").write_text(LIMITS.format(most=22)[:-1].replace("22", "2 "))
    importlib.reload(importlib.import_module(f"{name}.limits"))
    edited = importlib.reload(importlib.import_module(f"{name}.countdown"))
    assert leaves_at_both_speeds(edited.Countdown(6)) < before


def test_edits_are_noticed_in_a_running_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = COUNTDOWN.replace(
        LARGEST, "MOST = 3\n\n\ndef most():\n    return MOST\n\n\n" + LARGEST.replace("3", "most()")
    )
    path = tmp_path / "countdown.py"
    path.write_text(source)
    game = load(str(path))
    module: ModuleType = sys.modules[type(game).__module__]
    nodes = [leaves_at_both_speeds(game)]
    monkeypatch.setattr(module, "MOST", 2)  # a name that a helper of a helper reads, which takes no game
    nodes.append(leaves_at_both_speeds(game))
    monkeypatch.setattr(module, "largest", lambda left: min(left, 1))
    nodes.append(leaves_at_both_speeds(game))
    monkeypatch.setattr(type(game), "utility", lambda self, s: 0)
    assert at_both_speeds(game)["value"] == 0
    assert nodes[0] > nodes[1] > nodes[2]


class Bounded(NamedTuple):
    """How much is left, and whose turn it is."""

    left: int
    turn: int


class Parted(Game[Bounded]):
    """Take as many as a part, a table and a number allow."""

    def __init__(self, most: int = 3, part: Game[Any] | None = None) -> None:
        self.most, self.part = most, part
        self.table = np.array([most, most])

    def initial(self) -> Bounded:
        return Bounded(6, 0)

    def player(self, s: Bounded) -> int:
        return s.turn

    def moves(self, s: Bounded) -> Any:
        for m in range(1, min(s.left, self.most, self.table[0]) + 1):
            yield m

    def result(self, s: Bounded, m: int) -> Bounded:
        return Bounded(s.left - m, 1 - s.turn)

    def terminal(self, s: Bounded) -> bool:
        return s.left == 0

    def utility(self, s: Bounded) -> int:
        return 1 if s.turn == 1 else -1


def test_what_is_assigned_to_a_game_counts_and_arrays_cannot_be_changed_behind_its_back() -> None:
    game = Parted()
    most = leaves_at_both_speeds(game)
    game.most = 2
    fewer = leaves_at_both_speeds(game)
    assert fewer < most
    with pytest.raises(ValueError, match="read-only"):
        game.table[0] = 1
    game.table = np.array([1, 1])
    assert leaves_at_both_speeds(game) < fewer


def test_a_copy_goes_its_own_way() -> None:
    game = Parted()
    nodes = leaves_at_both_speeds(game)
    for copied in (copy.copy(game), copy.deepcopy(game)):
        assert copied == game
        copied.most = 2
        assert copied != game
        assert leaves_at_both_speeds(copied) < nodes
    assert leaves_at_both_speeds(game) == nodes


# Pickles. -----------------------------------------------------------------------------------------
UNPICKLE = """
import pickle, sys
from gamesearch.api import perft, search
from gamesearch.compiler import compilations
started = []
with compilations(started.append, lambda seconds: None):
    game = pickle.loads(sys.stdin.buffer.read())
    result = search(game, game.initial(), sys.argv[1], speed="compiled")
print(len(started), result.statistics.nodes, float(result.value))
"""


def in_another_process(game: Game[Any], algorithm: str) -> tuple[int, int, float]:
    """The compilations, nodes and value of a search of a game that another process reads from a pickle."""
    command = [sys.executable, "-c", UNPICKLE, algorithm]
    done = subprocess.run(command, input=pickle.dumps(game), capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    compiled, nodes, value = done.stdout.split()
    return int(compiled), int(nodes), float(value)


@pytest.mark.parametrize("name", game_names())
def test_a_game_comes_back_from_a_pickle_as_it_was(name: str) -> None:
    game = load(name)
    again = pickle.loads(pickle.dumps(game))
    assert again == game
    assert hash(again) == hash(game)
    assert specification_of(again) == specification_of(game)
    assert digest_of(again) == digest_of(game)


def test_games_of_one_class_differ_by_their_parameters() -> None:
    assert load("connect4(rows=5)") == load("connect4(5)") != load("connect4")
    assert load("connect4") != load("tictactoe")


def test_a_game_that_was_used_is_compiled_from_the_cache_in_another_process(tmp_path: Path) -> None:
    game = load(written(tmp_path, "countdown.py") + "(start=8)")
    found = at_both_speeds(game)
    again = pickle.loads(pickle.dumps(game))
    assert again == game
    assert type(again) is type(game)
    assert in_another_process(game, "minimax") == (0, found["statistics"]["nodes"], found["value"])


def test_what_was_assigned_is_pickled_too() -> None:
    othello = load("othello(size=4)")
    othello.weights = (1.0, 2.0, 3.0, 4.0)
    found = at_both_speeds(othello, "alphabeta(depth=3)")
    again = pickle.loads(pickle.dumps(othello))
    assert again == othello
    assert specification_of(again) == specification_of(othello) == "othello(size=4, weights=[1.0, 2.0, 3.0, 4.0])"
    assert in_another_process(othello, "alphabeta(depth=3)") == (0, found["statistics"]["nodes"], found["value"])


# Weights. -----------------------------------------------------------------------------------------
weights = st.lists(st.floats(-9, 9, width=32), min_size=4, max_size=4).map(tuple)


@pytest.mark.xdist_group("weights")
def test_other_weights_need_no_other_code() -> None:
    game = load("othello(size=4)")
    values = {at_both_speeds(game, "alphabeta(depth=3)")["value"]}
    digest = digest_of(game)
    started: list[str] = []

    @settings(max_examples=20, deadline=None)
    @given(weights)
    def check(numbers: tuple[float, ...]) -> None:
        game.weights = numbers
        values.add(at_both_speeds(game, "alphabeta(depth=3)")["value"])
        other = load(specification_of(game))
        assert other.weights == numbers
        assert at_both_speeds(other, "alphabeta(depth=3)") == at_both_speeds(game, "alphabeta(depth=3)")

    with compilations(started.append, lambda _: None):
        check()
    assert not started
    assert digest_of(game) == digest
    assert len(values) > 5


@pytest.mark.xdist_group("weights")
def test_an_array_of_weights_can_be_changed_in_place() -> None:
    game: Any = load("othello(size=4)")
    game.weights = np.array(game.weights)
    before = at_both_speeds(game, "alphabeta(depth=3)")["value"]
    game.weights *= 0.5
    after = at_both_speeds(game, "alphabeta(depth=3)")["value"]
    assert after == pytest.approx(before / 2)
    assert after != 0


@pytest.mark.parametrize("wrong", [(1.0,), (1.0,) * 5, (), ((1.0, 2.0), (3.0, 4.0))])
def test_weights_that_do_not_fit_the_features_are_refused(wrong: Any) -> None:
    game = load("othello(size=4)")
    game.weights = wrong
    with pytest.raises(GamesearchError, match=r"4 numbers|tuple of numbers"):
        search(game, game.initial(), "alphabeta(depth=1)", speed="compiled")


class Tuned(Parted):
    """A game with features of its own, and with other numbers to tune."""

    tunable = ("weights", "slopes")

    def __init__(self, most: int = 3, slopes: tuple[float, ...] = (0.25, 0.5)) -> None:
        super().__init__(most)
        self.weights = (0.125, 0.0625)
        self.slopes = slopes

    def features(self, s: Bounded) -> tuple[float, ...]:
        return float(s.left), float(s.turn)

    def evaluate(self, s: Bounded) -> float:
        value = 0.0
        for feature, weight in zip(self.features(s), self.weights):  # noqa: B905
            value += feature * weight
        for slope in self.slopes:
            value *= slope
        return value + self.slopes[-1] / len(self.slopes)


class Around(Parted):
    """A game whose estimate is another's: of a part, of one in a tuple, and of one that the code names."""

    def __init__(self, kind: str = "part") -> None:
        super().__init__(3, Tuned())
        self.kind = kind
        self.parts = (1, (Tuned(2), 2.0))

    def evaluate(self, s: Bounded) -> float:
        parts = self.part.evaluate(s) + 2 * self.parts[1][0].evaluate(s) + 4 * NAMED.evaluate(s)  # type: ignore
        return float(parts / 64)


NAMED = Tuned(slopes=(0.75,))


def test_numbers_of_any_length_are_tuned_without_compiling() -> None:
    game = Tuned()
    values = [at_both_speeds(game, "minimax(depth=2)")["value"]]
    started: list[str] = []
    with compilations(started.append, lambda _: None):
        for slopes in ((0.5,), (0.9, 0.8, 0.7, 0.6), (0.25, 0.75)):
            game.slopes = slopes
            values.append(at_both_speeds(game, "minimax(depth=2)")["value"])
    assert not started
    assert len(set(values)) == 4


def test_games_inside_games_bring_their_own_weights() -> None:
    game = Around()
    values = [at_both_speeds(game, "minimax(depth=2)")["value"]]
    started: list[str] = []
    with compilations(started.append, lambda _: None):
        game.part.weights = (0.5, 0.25)  # type: ignore[union-attr]
        values.append(at_both_speeds(game, "minimax(depth=2)")["value"])
        game.parts[1][0].weights = (0.25, 0.125)
        values.append(at_both_speeds(game, "minimax(depth=2)")["value"])
        game.part = Tuned(slopes=(0.125,))
        values.append(at_both_speeds(game, "minimax(depth=2)")["value"])
    assert not started
    before = NAMED.weights
    NAMED.weights = (3.0, 1.0)  # the code names this one: its weights are part of the code
    values.append(at_both_speeds(game, "minimax(depth=2)")["value"])
    NAMED.weights = before
    assert len(set(values)) == 5


@pytest.mark.parametrize("wrapped", [RandomOpponent, lambda game: Shuffled(game, 3)])
def test_what_algorithms_make_of_a_game_hands_its_weights_on(wrapped: Any) -> None:
    values = set()
    for numbers in ((1.0, 2.0, 3.0, 4.0), (4.0, -3.0, 2.0, -1.0)):
        game = Othello(4)
        game.weights = numbers
        outer = wrapped(game)
        results = [
            search(outer, outer.initial(), "expectiminimax(depth=3)", speed=speed) for speed in ("interpreted", "auto")
        ]
        assert facts(results[0]) == facts(results[1])
        values.add(results[0].value)
    assert len(values) == 2


def test_every_game_with_features_takes_weights() -> None:
    for name in game_names():
        game = load(name)
        if type(game).features is not Game.features:
            doubled = "[" + ", ".join(str(2 * weight) for weight in game.weights) + "]"
            again = load(f"{name}(weights={doubled})")
            assert again.weights == tuple(2 * weight for weight in game.weights)
            assert load(specification_of(again)) == again != game
    with pytest.raises(GamesearchError, match="4 numbers, not \\[1, 2\\]"):
        load("othello(weights=[1, 2])")
    with pytest.raises(GamesearchError, match="no parameter 'weights'"):
        load("tictactoe(weights=[1])")
    assert TicTacToe().tuned() == {}


# Found by trying to break it. ---------------------------------------------------------------------
def test_code_for_a_game_is_not_made_of_another_that_was_changed_meanwhile() -> None:
    first = Parted(3)
    before = leaves_at_both_speeds(first)
    first.most = 1
    later = Parted(3)
    assert at_both_speeds(later, "alphabeta(order=game)")["statistics"]["nodes"] > 0
    assert leaves_at_both_speeds(later) == before


def test_tuples_that_compiled_code_cannot_read_are_in_no_row() -> None:
    class Labelled(Tuned):
        def __init__(self, extra: Any = ()) -> None:
            super().__init__()
            self.extra = extra

    for extra in ((Tuned(), "x"), (), (Tuned(), None), (Tuned(2), None)):
        at_both_speeds(Labelled(extra), "minimax(depth=2)")


@pytest.mark.parametrize("place", [1, -2, 7, 1 << 40])
def test_an_index_beyond_the_tunable_numbers_is_an_error_at_both_speeds(place: int) -> None:
    class Beyond(Tuned):
        place = 0

        def evaluate(self, s: Bounded) -> float:
            return self.slopes[self.place]

    game = Beyond(slopes=(0.5,))
    game.place = place
    for speed in ("interpreted", "compiled"):
        with pytest.raises(IndexError):
            search(game, game.initial(), "minimax(depth=1)", speed=speed)
    game.place = -1
    at_both_speeds(game, "minimax(depth=1)")


SHARED = 3


def shared() -> int:
    return SHARED


class First(Parted):
    """Takes what a function allows that another class asks, too."""

    def moves(self, s: Bounded) -> Any:
        for m in range(1, min(s.left, shared()) + 1):
            yield m


class Second(First):
    """The same."""


def test_a_helper_of_two_classes_is_compiled_anew_for_both(monkeypatch: pytest.MonkeyPatch) -> None:
    before = leaves_at_both_speeds(First())
    monkeypatch.setattr(sys.modules[__name__], "SHARED", 2)
    assert leaves_at_both_speeds(Second()) == leaves_at_both_speeds(First()) < before


def functions_changed() -> Any:
    def one(left: int, most: int = 3) -> int:
        return min(left, most)

    def other(left: int, most: int = 3) -> int:
        return min(left, most - 1)

    return one, other


helper, other_helper = functions_changed()


class Helped(Parted):
    """Takes what a helper allows."""

    def moves(self, s: Bounded) -> Any:
        for m in range(1, helper(s.left) + 1):
            yield m


def test_functions_that_are_changed_in_place_are_noticed() -> None:
    nodes = [leaves_at_both_speeds(Helped())]
    helper.__defaults__ = (2,)
    nodes.append(leaves_at_both_speeds(Helped()))
    helper.__code__ = other_helper.__code__
    nodes.append(leaves_at_both_speeds(Helped()))
    assert nodes[0] > nodes[1] > nodes[2]


def with_a_cell() -> tuple[Any, Any]:
    most = 3

    def allowed(left: int) -> int:
        return min(left, most)

    def change(number: int) -> None:
        nonlocal most
        most = number

    return allowed, change


allowed, change = with_a_cell()


class Closed(Parted):
    """Takes what a closure allows."""

    def moves(self, s: Bounded) -> Any:
        for m in range(1, allowed(s.left) + 1):
            yield m


def test_variables_of_closures_are_noticed() -> None:
    before = leaves_at_both_speeds(Closed())
    change(2)
    assert leaves_at_both_speeds(Closed()) < before


TABLE = np.array([3, 3])
TABLES = (np.array([1]), (np.array([3]),))


class Tabled(Parted):
    """Takes what arrays beside it allow."""

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


class Computed(Tuned):
    """Has properties that depend on weights."""

    @property
    def total(self) -> float:
        return sum(self.weights)

    def evaluate(self, s: Bounded) -> float:
        return self.total / 2


def test_properties_follow_what_they_are_computed_from() -> None:
    game = Computed()
    before = at_both_speeds(game, "alphabeta(depth=1)")["value"]
    game.weights = (0.5, 0.25)
    assert at_both_speeds(game, "alphabeta(depth=1)")["value"] != before


PAIR = (Tuned(slopes=(0.25,)), 1.0)


class Naming(Tuned):
    """Its code names games in a tuple, its class has another."""

    kept = Tuned(slopes=(0.5,))

    def evaluate(self, s: Bounded) -> float:
        return float((PAIR[0].evaluate(s) + 2 * self.kept.evaluate(s)) / 64)


def test_games_in_globals_and_classes_are_watched(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Naming()
    values = [at_both_speeds(game, "minimax(depth=2)")["value"]]
    for named in (PAIR[0], Naming.kept):
        monkeypatch.setattr(named, "weights", (3.0, 1.0))
        values.append(at_both_speeds(game, "minimax(depth=2)")["value"])
    monkeypatch.setattr(Tuned, "evaluate", lambda self, s: 0.5)
    values.append(at_both_speeds(game, "minimax(depth=2)")["value"])
    assert len(set(values)) == 4


class Slotted(Parted):
    """Keeps a number in a slot."""

    __slots__ = ("limit",)

    def __init__(self, limit: int = 3) -> None:
        super().__init__()
        self.limit = limit

    def moves(self, s: Bounded) -> Any:
        for m in range(1, min(s.left, self.limit) + 1):
            yield m


def test_slots_are_attributes_like_others() -> None:
    game = Slotted(3)
    before = leaves_at_both_speeds(game)
    assert pickle.loads(pickle.dumps(game)) == game != Slotted(2)
    assert copy.copy(game).limit == 3
    game.limit = 2
    assert leaves_at_both_speeds(game) < before


def test_what_hides_a_method_is_noticed() -> None:
    game: Any = Parted(3)
    at_both_speeds(game)
    game.utility = lambda s: 0
    slow, fast = (search(game, game.initial(), "minimax", speed=speed) for speed in ("interpreted", "auto"))
    assert facts(slow) == facts(fast)
    assert slow.value == 0


@pytest.mark.parametrize("kind", ["itself", "static"])
def test_what_cannot_be_taken_in_runs_interpreted(kind: str) -> None:
    import math

    class Odd(Parted):
        root = staticmethod(math.sqrt)

        def moves(self, s: Bounded) -> Any:
            for m in range(1, min(s.left, int(self.root(9))) + 1):
                yield m

    game: Any = Odd() if kind == "static" else Parted()
    if kind == "itself":
        game.me = game
    slow, fast = (search(game, game.initial(), "minimax", speed=speed) for speed in ("interpreted", "auto"))
    assert facts(slow) == facts(fast)


@pytest.mark.parametrize(
    "wrong", [[1.0, 2.0, 3.0, 4.0], np.zeros(4, np.float32), np.zeros((4, 1)), np.zeros(8)[::2], "1234", None, (1, 2)]
)
def test_weights_that_could_be_changed_unnoticed_are_refused_at_both_speeds(wrong: Any) -> None:
    game = load("othello(size=4)")
    game.weights = wrong
    for speed in ("interpreted", "compiled"):
        with pytest.raises(GamesearchError, match=r"weights of othello"):
            search(game, game.initial(), "alphabeta(depth=1)", speed=speed)


def test_pickles_hold_whatever_was_assigned() -> None:
    game: Any = Parted()
    game.rules, game.levels = {"a": [1, 2.5]}, [3, (4, "x")]
    again = pickle.loads(pickle.dumps(game))
    assert (again.rules, again.levels) == (game.rules, game.levels)
    assert again == game
    again.levels.append(1)
    assert again != game
    game.rules["nan"] = float("nan")
    assert pickle.loads(pickle.dumps(game)) == game


def test_files_of_one_name_in_two_folders_are_two_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number, folder in enumerate(("one", "two"), 2):
        (tmp_path / folder).mkdir()
        written(tmp_path / folder, "g.py", ("min(left, 3)", f"min(left, {number})"))
    moves = []
    for folder in ("one", "two"):
        monkeypatch.chdir(tmp_path / folder)
        game = load("g.py")
        moves.append(len(list(game.moves(game.initial()))))
    assert moves == [2, 3]
