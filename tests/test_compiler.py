import importlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import facts

from gamesearch.api import perft, search, solve
from gamesearch.bits import low_bit_index, mix, popcount, replaced
from gamesearch.compiler import (
    NotCompilable,
    compiled,
    kernel,
    kernels_digest,
    prepared,
    speed_for,
    why_interpreted,
)
from gamesearch.errors import GamesearchError
from gamesearch.game import NEVER, RECURRENCE_DRAWS, Game
from gamesearch.games.tictactoe import TicTacToe
from gamesearch.registry import game_names, load

COUNTDOWN = '''
"""A game of one's own."""

from typing import NamedTuple

from gamesearch import Game


class State(NamedTuple):
    left: int
    turn: int


def largest(left):
    return min(left, 3)


class Countdown(Game):
    """Count down by one to three; who says zero wins."""

    def __init__(self, start: int = 7):
        self.start = start

    def initial(self):
        return State(self.start, 0)

    def player(self, s):
        return s.turn

    def moves(self, s):
        for m in range(1, largest(s.left) + 1):
            yield m

    def result(self, s, m):
        return State(s.left - m, 1 - s.turn)

    def terminal(self, s):
        return s.left == 0

    def utility(self, s):
        return 1 if s.turn == 1 else -1
'''
SCRIPT = """
import sys
from gamesearch.registry import load
from gamesearch.api import search, perft, solve
from gamesearch.compiler import compilations
started = []
with compilations(started.append, lambda seconds: None):
    game = load(sys.argv[1])
    s = game.initial()
    for _ in range(int(sys.argv[2])):
        s = game.result(s, next(game.moves(s)))
    for algorithm in sys.argv[3:]:
        slow, fast = (search(game, s, algorithm, speed=speed) for speed in ("interpreted", "compiled"))
        assert slow.statistics.nodes == fast.statistics.nodes, (slow, fast)
        assert slow.value == fast.value
    print(len(started), slow.statistics.nodes)
"""


def in_new_process(cache: Path, game: str, *algorithms: str, plies: int = 0) -> list[int]:
    """The compilations, and the nodes of the last search, that a process of its own counted."""
    environment = os.environ | {"XDG_CACHE_HOME": str(cache)}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, game, str(plies), *algorithms],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [int(word) for word in done.stdout.split()]


def written(folder: Path, name: str, *changes: tuple[str, str]) -> str:
    source = COUNTDOWN
    for old, new in changes:
        assert old in source
        source = source.replace(old, new)
    path = folder / name
    path.write_text(source)
    return str(path)


# Games from a file. ------------------------------------------------------------------------------
def test_a_game_from_a_file_runs_alike_at_both_speeds(tmp_path: Path) -> None:
    game = load(written(tmp_path, "countdown.py") + "(start=9)")
    s = game.initial()
    assert why_interpreted(game) is None
    for algorithm in ("minimax", "alphabeta(table=true, memory=1)"):
        results = [search(game, s, algorithm, speed=speed) for speed in ("interpreted", "compiled")]
        assert facts(results[0]) == facts(results[1])
        assert results[0].value == 1
    assert perft(game, s, 3, speed="compiled") == perft(game, s, 3, speed="interpreted") == 27
    assert solve(game, s).best == (1,)


def test_helpers_in_a_file_beside_the_game_are_compiled_and_their_edits_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from gamesearch import numba_games

    helper = "def largest(left):\n    return min(left, 3)\n"
    assert helper in COUNTDOWN
    package = tmp_path / "games_of_a_test"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "_steps.py").write_text(helper)
    (package / "countdown.py").write_text(COUNTDOWN.replace(helper, "from games_of_a_test._steps import largest\n"))
    monkeypatch.syspath_prepend(tmp_path)
    game = importlib.import_module("games_of_a_test.countdown").Countdown(9)
    results = [search(game, game.initial(), "minimax", speed=speed) for speed in ("interpreted", "compiled")]
    assert facts(results[0]) == facts(results[1])
    before = numba_games._digest(game)
    (package / "_steps.py").write_text(helper.replace("3", "2"))
    assert numba_games._digest(game) != before


@pytest.mark.parametrize(
    ("imports", "calls"),
    [
        ("from . import _{0}", "_{0}.largest("),
        ("from package_{0} import _{0} as steps", "steps.largest("),
        ("import package_{0}._{0}", "package_{0}._{0}.largest("),
    ],
    ids=["relative", "by its full name", "as a whole"],
)
def test_a_whole_file_beside_the_game_is_compiled_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest, imports: str, calls: str
) -> None:
    from gamesearch import numba_cache, numba_games

    helper = "def largest(left):\n    return min(left, 3)\n"
    word = request.node.callspec.id.replace(" ", "_")
    package = tmp_path / f"package_{word}"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / f"_{word}.py").write_text(helper)
    source = COUNTDOWN.replace(helper, imports.format(word) + "\n").replace(" largest(", " " + calls.format(word))
    (package / "countdown.py").write_text(source)
    monkeypatch.syspath_prepend(tmp_path)
    game = importlib.import_module(f"package_{word}.countdown").Countdown(5)
    assert search(game, game.initial(), "minimax", speed="compiled").statistics.speed == "compiled"
    assert not numba_cache.is_recursive(game)
    before = numba_games._digest(game)
    (package / f"_{word}.py").write_text("def largest(left):\n    return left if left < 4 else largest(left - 1)\n")
    again = importlib.reload(importlib.import_module(f"package_{word}._{word}"))
    assert numba_games._digest(game) != before
    assert again.largest(9) == 3
    assert numba_cache.is_recursive(game)


def test_rules_in_a_class_that_is_no_game_are_compiled_and_their_edits_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from gamesearch import numba_games

    rules = COUNTDOWN.replace("class Countdown(Game):", "class Rules:")
    (tmp_path / "rules_of_a_test.py").write_text(rules)
    heir = tmp_path / "heir.py"
    heir.write_text(
        "from typing import Generic, TypeVar\n\nfrom rules_of_a_test import Rules\n\nfrom gamesearch import Game\n\n"
        "T = TypeVar('T')\n\n\nclass Heir(Rules, Game, Generic[T]):\n    'Count down.'\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    game = load(str(heir))
    results = [search(game, game.initial(), "minimax", speed=speed) for speed in ("interpreted", "compiled")]
    assert facts(results[0]) == facts(results[1])
    before = numba_games._digest(game)
    (tmp_path / "rules_of_a_test.py").write_text(rules.replace("min(left, 3)", "min(left, 2)"))
    assert numba_games._digest(game) != before


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, int]:
    """A folder with a game and the cache of a process that searched it, and the nodes."""
    folder = tmp_path_factory.mktemp("kept")
    compilations, nodes = in_new_process(folder / "cache", written(folder, "countdown.py"), "minimax")
    assert compilations >= 1
    return folder, nodes


@pytest.mark.xdist_group("kept")
def test_a_second_process_compiles_nothing(kept: tuple[Path, int]) -> None:
    folder, nodes = kept
    assert list((folder / "cache").rglob("*.nbc"))
    assert in_new_process(folder / "cache", str(folder / "countdown.py"), "minimax") == [0, nodes]


@pytest.mark.xdist_group("kept")
def test_a_cache_that_is_damaged_is_as_good_as_none(kept: tuple[Path, int], tmp_path: Path) -> None:
    folder, nodes = kept
    shutil.copytree(folder / "cache", tmp_path / "cache")
    for file in (tmp_path / "cache").rglob("*.nb[ic]"):
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


@pytest.mark.xdist_group("kept")
def test_a_game_from_a_file_leaves_the_cache_of_others_alone(kept: tuple[Path, int], tmp_path: Path) -> None:
    """Numba cannot read an index that names the types of a file which nobody has loaded."""
    folder, _ = kept
    shutil.copytree(folder / "cache", tmp_path / "cache")
    other = written(tmp_path, "countdown.py")
    assert in_new_process(tmp_path / "cache", other, "minimax")[0] >= 1
    for path in (other, str(folder / "countdown.py")):
        assert in_new_process(tmp_path / "cache", path, "minimax")[0] == 0


def test_a_wrapped_game_is_kept_on_disk_too(tmp_path: Path) -> None:
    path = written(tmp_path, "countdown.py")
    first, nodes = in_new_process(tmp_path / "cache", path, "expectimax(pruning=star2)")
    assert first >= 1
    assert in_new_process(tmp_path / "cache", path, "expectimax(pruning=star2)") == [0, nodes]


@pytest.mark.parametrize(
    "recursive",
    [
        "def largest(left):\n    return left if left < 4 else largest(left - 1)",
        "def largest(left):\n    return left if left < 4 else smaller(left)\n\n\n"
        "def smaller(left):\n    return largest(left - 1) if left > 0 else 0",
    ],
    ids=["itself", "by way of another"],
)
def test_helpers_that_call_themselves_work_in_every_process(tmp_path: Path, recursive: str) -> None:
    path = written(tmp_path, "countdown.py", ("def largest(left):\n    return min(left, 3)", recursive))
    runs = [in_new_process(tmp_path / "cache", path, "minimax") for _ in range(2)]
    assert runs[0][1] == runs[1][1]


def test_states_whose_types_change_work_in_every_process(tmp_path: Path) -> None:
    """The first state has a 0 for whose turn it is, later ones have True or False."""
    path = written(tmp_path, "countdown.py", ("1 - s.turn", "s.turn == 0"))
    runs = [in_new_process(tmp_path / "cache", path, "minimax", plies=plies) for plies in (1, 0, 0)]
    assert runs[1][1] == runs[2][1]


def test_a_cache_that_cannot_be_written_does_no_harm(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file where a folder should be")
    compilations, nodes = in_new_process(tmp_path / "cache", written(tmp_path, "countdown.py"), "minimax")
    assert compilations >= 1
    assert nodes > 1


@pytest.mark.parametrize("name", game_names())
def test_the_code_of_every_game_of_our_own_is_kept(name: str) -> None:
    from gamesearch import numba_cache

    assert not numba_cache.is_recursive(load(name))


# Games beyond Numba. -----------------------------------------------------------------------------
UNCOMPILABLE = {
    "a dictionary": ("return s.left == 0", "return s.left in {0: True, None: 1}"),
    "text": ("return 1 if s.turn == 1 else -1", 'return int("1") if f"{s.turn}" == "1" else -1'),
    "a state of text": ("return State(self.start, 0)", "return State('', self.start, 0)"),
}


@pytest.mark.parametrize("kind", UNCOMPILABLE)
def test_a_game_that_does_not_compile_is_played_all_the_same(tmp_path: Path, kind: str) -> None:
    changes = [UNCOMPILABLE[kind]]
    if kind == "a state of text":
        changes += [
            ("    left: int", "    text: str\n    left: int"),
            ("State(s.left - m", "State(s.text + str(m), s.left - m"),
        ]
    game = load(written(tmp_path, "countdown.py", *changes))
    plain = load(written(tmp_path, "plain.py"))
    s = game.initial()
    wanted = search(plain, plain.initial(), "alphabeta(table=true, memory=1)", speed="interpreted")
    result = search(game, s, "alphabeta(table=true, memory=1)")
    assert result.statistics.speed == "interpreted"
    assert (result.value, result.best) == (wanted.value, wanted.best)
    reason = why_interpreted(game)
    assert reason
    assert "\n" not in reason
    with pytest.raises(GamesearchError, match="cannot be compiled") as caught:
        search(game, s, "minimax", speed="compiled")
    assert "\n" not in str(caught.value)
    assert speed_for(game, "auto") == "interpreted"


OVER = "return s.left == 0"
PAYS = "return 1 if s.turn == 1 else -1"
RANGE = "range(1, largest(s.left) + 1)"
BEYOND = {
    "a generator expression": (OVER, "return any(x == s.left for x in (0,))", "generator expressions; a for loop"),
    "yield from": (
        f"for m in {RANGE}:\n            yield m",
        f"yield from {RANGE}",
        "a for loop with yield does the same",
    ),
    "an empty dictionary": (OVER, "return {}.get(1) is None and s.left == 0", "empty Dict"),
    "a dictionary of numbers and None": (OVER, "return s.left in {0: True, None: 1}", "cast none to int64"),
    "text": (PAYS, "return 2 * int(f'{s.turn}') - 1", "no implementation of int(str)"),
    "try": (
        PAYS,
        "try:\n            return 2 * s.turn - 1\n        except ValueError:\n            return 0",
        "Exception",
    ),
    "a global list": (OVER, "return s.left in LIST", "the list 'LIST'; a tuple will do"),
    "a global dictionary": (PAYS, "return DICTIONARY[s.turn]", "cannot use 'DICTIONARY' (dict)"),
    "an attribute that is no number": (PAYS, "return self.pays[s.turn]", "'pays' of type Countdown"),
    "a missing return": (
        PAYS,
        "if s.turn == 1:\n            return 1\n        if s.turn == 0:\n            return -1",
        "None",
    ),
    "a list that stays empty": (PAYS, "return len([]) + 2 * s.turn - 1", "an empty list"),
    "an assignment to a global": (
        PAYS,
        "global LIST; LIST = [s.turn]\n        return 2 * s.turn - 1",
        "change a global",
    ),
    "tuples of two lengths": ("min(left, 3)", "len((1, 2) if left == 2 else (1,)[:left])", "Tuple"),
}


@pytest.mark.parametrize("kind", BEYOND)
def test_what_is_beyond_numba_is_said_with_its_line(tmp_path: Path, kind: str) -> None:
    old, new, words = BEYOND[kind]
    constants = "LIST = [0]\nDICTIONARY = {0: -1, 1: 1}\n\n\nclass Countdown"
    start = "self.start = start\n        self.pays = {0: -1, 1: 1}"
    path = written(tmp_path, "c.py", ("class Countdown", constants), ("self.start = start", start), (old, new))
    game = load(path)
    assert search(game, game.initial(), "minimax(depth=2)").statistics.speed == "interpreted"
    reason = why_interpreted(game) or ""
    assert words in reason
    number = next(i for i, line in enumerate(Path(path).read_text().splitlines(), 1) if new.splitlines()[0] in line)
    place = re.fullmatch(r"Numba [^\n]+ \((?:c\.py, line (\d+)|in \w+)\)", reason)
    assert place, reason
    assert place[1] is None or number <= int(place[1]) <= number + new.count("\n")


def test_what_goes_wrong_inside_numba_is_said_in_a_sentence() -> None:
    from gamesearch import numba_errors

    assert numba_errors.sentence(RecursionError("too\n deep")) == "Numba fails with RecursionError: too deep"
    assert numba_errors.sentence(AssertionError()) == "Numba fails with AssertionError"


def test_what_numba_warns_of_is_kept_from_the_user(tmp_path: Path, recwarn: pytest.WarningsRecorder) -> None:
    """Numba warns of code that it cannot keep, as where a helper is a lambda."""
    moves = "for m in sorted([1, 2, 3], key=lambda x: -x):\n            if m <= s.left:\n                yield m"
    old = "for m in range(1, largest(s.left) + 1):\n            yield m"
    game = load(written(tmp_path, "countdown.py", (old, moves)))
    assert search(game, game.initial(), "minimax", speed="compiled").statistics.speed == "compiled"
    assert not recwarn.list


@pytest.mark.parametrize("method", ["memo", "retrograde"])
def test_what_does_not_compile_is_solved_all_the_same(tmp_path: Path, method: str) -> None:
    game = load(written(tmp_path, "countdown.py", UNCOMPILABLE["a dictionary"]))
    plain = load(written(tmp_path, "plain.py"))
    found, wanted = (solve(each, each.initial(), method) for each in (game, plain))
    assert (found.speed, wanted.speed) == ("interpreted", "compiled")
    assert (found.value, found.distance, found.best) == (wanted.value, wanted.distance, wanted.best)


def test_one_game_that_does_not_compile_says_nothing_about_others(tmp_path: Path) -> None:
    game = load(written(tmp_path, "countdown.py", UNCOMPILABLE["a dictionary"]))
    assert search(game, game.initial(), "expectimax(depth=2)").statistics.speed == "interpreted"
    plain = load(written(tmp_path, "plain.py"))
    assert search(plain, plain.initial(), "expectimax(depth=2)").statistics.speed == "compiled"


def test_an_error_in_compiled_rules_is_not_taken_for_numbas(tmp_path: Path) -> None:
    estimate = "    def evaluate(self, s):\n        return 1 // (s.left - s.left)\n\n    def utility"
    game = load(written(tmp_path, "countdown.py", ("    def utility", estimate)))
    with pytest.raises(ZeroDivisionError):
        search(game, game.initial(), "minimax(depth=1)", speed="compiled")


def test_a_known_reason_is_given_at_once() -> None:
    game = load("connect4(rows=12, columns=12)")
    assert "64 bits" in (why_interpreted(game) or "")
    with pytest.raises(GamesearchError, match="64 bits"):
        perft(game, game.initial(), 1, speed="compiled")
    assert issubclass(NotCompilable, GamesearchError)


# Parameters are constants. -----------------------------------------------------------------------
def test_games_with_other_parameters_do_not_share_code(tmp_path: Path) -> None:
    path = written(tmp_path, "countdown.py")
    nodes = []
    for start in (4, 5, 4):
        game = load(f"{path}(start={start})")
        slow, fast = (search(game, game.initial(), "minimax", speed=speed) for speed in ("interpreted", "compiled"))
        assert facts(slow) == facts(fast)
        nodes.append(fast.statistics.nodes)
    assert nodes[0] == nodes[2] != nodes[1]
    code = [type(load(f"{path}(start={start})")) for start in (4, 5)]
    assert code[0] is code[1]


# Helpers that mean the same at both speeds. ------------------------------------------------------
whole = st.integers(-(2**63), 2**63 - 1)


@kernel
def mixed(key: Any) -> int:
    return mix(key)


@kernel
def counted(x: int) -> int:
    return 100 * popcount(x) + low_bit_index(x)


@kernel
def changed(items: tuple[int, ...], index: int, value: int) -> tuple[int, ...]:
    return replaced(items, index, value)


@settings(deadline=None)
@given(st.one_of(whole, st.tuples(whole, whole), st.tuples(whole, st.tuples(whole, st.booleans()), st.tuples(whole))))
def test_keys_are_hashed_alike(key: Any) -> None:
    assert mix(key) == compiled(mixed)(key)
    assert -(2**63) <= mix(key) < 2**63


@settings(deadline=None)
@given(whole.filter(bool))
def test_bits_are_counted_alike(x: int) -> None:
    assert counted(x) == compiled(counted)(x)


@settings(deadline=None)
@given(st.tuples(whole, whole, whole), st.integers(0, 2), whole)
def test_items_are_replaced_alike(items: tuple[int, ...], index: int, value: int) -> None:
    assert changed(items, index, value) == compiled(changed)(items, index, value)
    assert changed(items, index, value)[index] == value


@given(st.sets(whole, max_size=50))
def test_whole_numbers_never_share_a_hash(numbers: set[int]) -> None:
    assert len({mix(number) for number in numbers}) == len(numbers)


@given(st.sets(st.integers(1, 2**63 - 1), max_size=20), st.sampled_from([63, 64, 65, 130]))
def test_boards_too_large_to_compile_are_told_apart(numbers: set[int], shift: int) -> None:
    boards = numbers | {number << shift for number in numbers}
    assert len({mix(board) for board in boards}) == len({board % 2**64 if board < 2**64 else board for board in boards})


@given(whole)
def test_numpys_integers_are_hashed_like_pythons(number: int) -> None:
    assert mix(np.int64(number)) == mix(number)
    assert mix((np.int64(number), 1)) == mix((number, 1))


# The cache's name. -------------------------------------------------------------------------------
def test_the_digest_covers_every_file_with_a_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    import gamesearch

    root = Path(gamesearch.__file__).parent
    read: set[Path] = set()
    plain = Path.read_bytes

    def noted(path: Path) -> bytes:
        read.add(path)
        return plain(path)

    monkeypatch.setattr(Path, "read_bytes", noted)
    kernels_digest.cache_clear()
    kernels_digest()
    with_kernels = {path for path in root.rglob("*.py") if "\n@kernel\n" in path.read_text()}
    assert len(with_kernels) > 8
    assert with_kernels | {root / "numba_types.py", root / "bits.py"} <= read


def test_an_unknown_speed_is_refused() -> None:
    game: Game[Any] = load("tictactoe")
    with pytest.raises(GamesearchError, match="auto, compiled, interpreted"):
        speed_for(game, "fast")


@kernel
def what_never_recurs(game: Any, s: Any) -> int:
    """What no compiler could make of a game that recurs."""
    if game.recurrence != NEVER:
        return len({s: [None, s]})
    return 1


class Loopy(TicTacToe):
    """A game that is said to recur; of its own class, for what cannot be compiled is remembered of that."""

    recurrence = RECURRENCE_DRAWS


def test_branches_that_a_game_never_takes_are_not_compiled() -> None:
    game, loopy = TicTacToe(), Loopy()
    assert prepared(what_never_recurs, game, (game, game.initial()))(game, game.initial()) == 1
    with pytest.raises(NotCompilable):
        prepared(what_never_recurs, loopy, (loopy, loopy.initial()))
