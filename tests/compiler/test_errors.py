"""Rules that Numba cannot compile run interpreted, and the error message says what Numba cannot compile."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from choices import EVERYTHING
from countdown import write_game
from numba.core.errors import TypingError
from parted import total
from support import facts

from gamesearch.api import perft, search
from gamesearch.compiler import NotCompilable, compilations, run, speed_for, why_interpreted
from gamesearch.compiler.errors import sentence
from gamesearch.errors import GamesearchError
from gamesearch.game import Game
from gamesearch.registry import game_class, load
from gamesearch.study.perft import count_leaves

UNCOMPILABLE = {
    "a dictionary": ("return s.left == 0", "return s.left in {0: True, None: 1}"),
    "a state of text": ("return State(self.start, 0)", "return State('', self.start, 0)"),
}


@pytest.mark.parametrize("kind", UNCOMPILABLE)
def test_uncompilable_games_are_played_interpreted(tmp_path: Path, kind: str) -> None:
    changes = [UNCOMPILABLE[kind]]
    if kind == "a state of text":
        changes += [
            ("    left: int", "    text: str\n    left: int"),
            ("State(s.left - m", "State(s.text + str(m), s.left - m"),
        ]
    game = load(write_game(tmp_path, "countdown.py", *changes))
    plain = load(write_game(tmp_path, "plain.py"))
    s = game.initial()
    wanted = search(plain, plain.initial(), "minimax", speed="interpreted")
    result = search(game, s, "minimax")
    assert result.statistics.speed == "interpreted"
    assert (result.value, result.best) == (wanted.value, wanted.best)
    reason = why_interpreted(game)
    assert reason
    assert "\n" not in reason
    with pytest.raises(GamesearchError, match="cannot be compiled") as caught:
        search(game, s, "minimax", speed="compiled")
    assert "\n" not in str(caught.value)
    assert speed_for(game, "auto") == ("interpreted" if kind == "a state of text" else "compiled")


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
    "try": (
        PAYS,
        "try:\n            return 2 * s.turn - 1\n        except ValueError:\n            return 0",
        "Exception",
    ),
    "a global list": (OVER, "return s.left in LIST", "the list 'LIST'; a tuple will do"),
    "a global dictionary": (PAYS, "return DICTIONARY[s.turn]", "cannot use 'DICTIONARY' (dict)"),
    "a method as a value": (
        PAYS,
        "return sorted([0, 1], key=self.weight)[0] + 2 * s.turn - 1",
        "cannot use a method as a key; use a function outside",
    ),
    "a list that stays empty": (PAYS, "return len([]) + 2 * s.turn - 1", "an empty list"),
    "an assignment to a global": (
        PAYS,
        "global LIST; LIST = [s.turn]\n        return 2 * s.turn - 1",
        "change a global",
    ),
}


@pytest.mark.parametrize("kind", [*BEYOND][:: 1 if EVERYTHING else 3])
def test_code_that_numba_cannot_compile_is_reported_with_a_line(tmp_path: Path, kind: str) -> None:
    old, new, words = BEYOND[kind]
    weight = "    def weight(self, number=0):\n        return number\n\n    def initial"
    constants = "LIST = [0]\nDICTIONARY = {0: -1, 1: 1}\n\n\nclass Countdown"
    given = (("class Countdown", constants), ("    def initial", weight))
    path = write_game(tmp_path, "c.py", *given, (old, new))
    game = load(path)
    assert search(game, game.initial(), "minimax(depth=2)").statistics.speed == "interpreted"
    reason = why_interpreted(game) or ""
    assert words in reason
    number = next(i for i, line in enumerate(Path(path).read_text().splitlines(), 1) if new.splitlines()[0] in line)
    place = re.fullmatch(r"Numba [^\n]+ \((?:c\.py, line (\d+)|in \w+)\)", reason)
    assert place, reason
    assert place[1] is None or number <= int(place[1]) <= number + new.count("\n")


TEXT = "int(f'{s.left}')"
"""An expression that computes a number, but that Numba cannot compile."""
QUESTIONS = {
    "order": (
        f"    def order(self, s, m):\n        return float({TEXT} - m)\n\n    def utility",
        ("alphabeta(order=game)",),
        ("perft",),
    ),
    "bounds": (
        f"    def bounds(self, s):\n        return -1 - {TEXT}, 1 + {TEXT}\n\n    def utility",
        ("alphabeta(bounds=true)",),
        ("perft",),
    ),
}
"""For each method: its uncompilable source, algorithms that call the method, and algorithms that do not."""


def answer(game: Game, asked: str, speed: str) -> tuple[Any, str]:
    """Return the result of an algorithm for a game's initial position, and the speed (interpreted or compiled)."""
    s = game.initial()
    if asked == "perft":
        return run(count_leaves, game, speed, s, 3, np.zeros(4, np.int64) if speed == "auto" else [0] * 4, None)
    result = search(game, s, asked, speed=speed)
    return facts(result), result.statistics.speed


@pytest.mark.parametrize(("question", "falling_first"), [("order", True), ("bounds", False)])
def test_if_one_kernel_cannot_be_compiled_the_others_still_can(
    tmp_path: Path, question: str, falling_first: bool
) -> None:
    method, falling, compiled = QUESTIONS[question]
    game = load(write_game(tmp_path, "countdown.py", ("    def utility", method)))
    wanted = dict.fromkeys(falling, "interpreted") | dict.fromkeys(compiled, "compiled")
    for asked in (*falling, *compiled) if falling_first else (*compiled, *falling, *compiled):
        found, speed = answer(game, asked, "auto")
        assert speed == wanted[asked], asked
        assert found == answer(game, asked, "interpreted")[0]
    assert "int(str)" in (why_interpreted(game) or "")


def test_a_kernel_that_did_not_compile_is_not_tried_again(tmp_path: Path) -> None:
    path = write_game(tmp_path, "countdown.py", ("    def utility", QUESTIONS["order"][0]))
    tried: list[str] = []
    with compilations(tried.append, lambda seconds: None):
        for _ in range(2):
            for game in (load(path), load(path)):  # two equal games
                assert answer(game, "alphabeta(order=game)", "auto")[1] == "interpreted"
                assert why_interpreted(game)
                with pytest.raises(GamesearchError, match="cannot be compiled"):
                    answer(game, "alphabeta(order=game)", "compiled")
    assert tried == ["alphabeta"]


def test_a_failed_compilation_is_remembered_only_for_its_parameters(tmp_path: Path) -> None:
    path = write_game(
        tmp_path, "countdown.py", (OVER, f"if self.start > 6:\n            return {TEXT} == 0\n        {OVER}")
    )
    texts, numbers = load(f"{path}(start=7)"), load(f"{path}(start=6)")
    assert answer(texts, "perft", "auto")[1] == "interpreted"
    assert answer(numbers, "perft", "auto")[1] == "compiled"
    assert why_interpreted(texts)
    assert why_interpreted(numbers) is None


def test_an_error_of_compiled_rules_is_not_reported_as_an_error_of_numba(tmp_path: Path) -> None:
    estimate = "    def evaluate(self, s):\n        return 1 // (s.left - s.left)\n\n    def utility"
    path = write_game(tmp_path, "countdown.py", ("    def utility", estimate))
    game = game_class(path)()  # `load` would try the rules
    with pytest.raises(ZeroDivisionError):
        run(total, game, "compiled", game.initial(), 0)


def test_known_reasons_are_reported_without_compiling() -> None:
    game = load("connect4(rows=12, columns=12)")
    assert "64 bits" in (why_interpreted(game) or "")
    with pytest.raises(GamesearchError, match="64 bits"):
        perft(game, game.initial(), 1, speed="compiled")
    assert issubclass(NotCompilable, GamesearchError)


def test_errors_inside_numba_are_reported_in_one_sentence_without_colors() -> None:
    assert sentence(RecursionError("too\n deep")) == "Numba fails with RecursionError: too deep"
    assert sentence(AssertionError()) == "Numba fails with AssertionError"
    lines = ("cannot unify int64 and none for 'x'", "During: typing of call at /rules/mine.py (3)")
    coloured = [f"\x1b[0m\x1b[1m{line}\x1b[0m" for line in lines]
    said = [sentence(TypingError("\n".join(each))) for each in (lines, coloured)]
    assert said[0] == said[1] == "Numba says: cannot unify int64 and none for 'x' (mine.py, line 3)"
