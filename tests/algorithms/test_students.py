"""Small algorithms as students write them. `check` finds the mistake in each wrong file and accepts the correct files.

`students.txt` contains the files, whose folders are the expected results: files in `wrong` find other values or moves;
files in `wrong_order` find the right values, but visit nodes in another order; files in `right` agree in everything,
and files in `right_by_values` only in values and moves. Most files are a few changed lines of another file, as in a
unified diff. A new wrong file is worth adding if it has another form, such as a class, or if it is found by fewer
exercises than the other files. Most files are found by less than a fifth of the exercises.

The following command tests all positions with the seeds 1 to 20:

    GAMESEARCH_TEST_ALL=1 pytest tests/algorithms/test_students.py
"""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from choices import EVERYTHING
from student_files import FILES, remember_references

from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.errors import GamesearchError
from gamesearch.study import marking
from gamesearch.study.marking import Verdict, mark, task_for

WRONG = [name for name in FILES if name.startswith("wrong")]
RIGHT = [name for name in FILES if name.startswith("right")]
SEEDS = range(1, 21) if EVERYTHING else (1,)
EVERY = 1 if EVERYTHING else 5
"""The step between the tested positions of a correct file: 1 (all positions) if everything is tested, else 5."""


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Allow one minute for each search, because other programs may slow it down; search with references only once."""
    monkeypatch.setattr(marking, "SECONDS", 60.0)
    remember_references(monkeypatch)


@pytest.fixture(scope="module")
def students(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files of all students."""
    folder = tmp_path_factory.mktemp("students")
    for name, source in FILES.items():
        path = folder / f"{name}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(source)
    return folder


def first_difference(path: Path, seed: int, every: int = 1) -> Verdict | None:
    """Return the first exercise in which a student's file differs from the expected algorithm, or None."""
    only_values = path.parent.name in ("wrong", "right_by_values")
    task = task_for(str(path), only_values=only_values, seed=seed)
    # `check` finds most mistakes on positions that were chosen to reveal them.
    chosen = sorted(task.exercises, key=lambda each: each.group not in ("trees with chance", "transpositions"))
    task = replace(task, exercises=chosen[seed % every :: every])
    return next((each for each in task.verdicts() if each.kind != "agrees"), None)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", WRONG)
def test_a_mistake_is_found(students: Path, name: str, seed: int) -> None:
    assert first_difference(students / f"{name}.py", seed) is not None


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", RIGHT)
def test_a_correct_file_passes(students: Path, name: str, seed: int) -> None:
    found = first_difference(students / f"{name}.py", seed, EVERY)
    assert found is None, (found.kind, found.message, found.exercise.game.format(found.exercise.state))


@pytest.mark.parametrize(
    ("name", "against"),
    [
        ("wrong/chance_clipped", "expectiminimax"),
        ("right/alphabeta_with_chance", "expectiminimax"),
        ("right/maxn", "maxn"),
        ("right/berkeley", "alphabeta"),
        ("wrong/maximizing_player", "minimax"),
    ],
)
def test_the_reference_fits_the_file(students: Path, name: str, against: str) -> None:
    task = task_for(str(students / f"{name}.py"))
    assert task.against.partition("(")[0] == against
    has_chance = any(each.game.chance for each in task.exercises)
    assert has_chance == (against == "expectiminimax")


def test_a_memory_between_searches_is_noticed(students: Path) -> None:
    game = "[[3,12],[2,4]]"
    assert mark(str(students / "wrong/global_memo.py"), games=[game, "[[5,1],[7,9]]"]).remembers
    assert not mark(str(students / "wrong/chance_clipped.py"), games=[game]).remembers


def test_the_reference_keeps_its_depth(students: Path, tmp_path: Path) -> None:
    name = str(students / "right/minimax.py")
    found = mark(name, "minimax(depth=2)", games=["tictactoe"])
    assert {each.exercise.depth for each in found.verdicts} == {2}
    assert found.worst is None
    assert {each.depth for each in task_for(f"{name}(depth=3)").exercises} == {3}
    fixed = tmp_path / "two_plies.py"
    fixed.write_text(FILES["right/minimax"].replace("s, depth):", "s, depth_left=2):").replace(
        "depth == 0", "depth_left == 0").replace("depth - 1", "depth_left - 1"))  # fmt: skip
    assert mark(str(fixed), "minimax(depth=2)", only_values=True).worst is None
    assert mark(str(fixed), "minimax(depth=3)", only_values=True).worst is not None


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("def f(game, s, depth, a, b): return f(game, s, depth, a, b)", "rename it to alpha"),
        ("def f(game, s, depth, player): return f(game, s, depth, player)", r"rename it to color \(if it is 1 or -1\)"),
        ("def f(game, s, depth):\n    if depth == DEEPEST: return 0\n    return f(game, s, depth + 1)",
         "counts `depth` up to DEEPEST, which gamesearch cannot set: add a parameter max_depth"),
        ("def f(node, depth, maximizingPlayer): return 0", r"write def f\(game, s, ...\)"),
        ("def f(game, depth): return 0", r"write def f\(game, s, ...\)"),
        ("def max_value(game, s): return min_value(game, s)\ndef min_value(game, s): return max_value(game, s)",
         "write a function value"),
        ("class Agent:\n    def get_action(self, state): return 0", r"rename `get_action` to search\(self, game, s\)"),
    ],
)  # fmt: skip
def test_an_unknown_form_gets_advice(tmp_path: Path, source: str, message: str) -> None:
    path = tmp_path / "mine.py"
    path.write_text(source)
    with pytest.raises(GamesearchError, match=message):
        load_algorithm(str(path))


@pytest.mark.parametrize("default", ["float('inf')", "None", "4"])
def test_a_default_depth_may_be_no_limit(tmp_path: Path, default: str) -> None:
    path = tmp_path / "mine.py"
    path.write_text(FILES["right/minimax"].replace("s, depth):", f"s, depth={default}):"))
    assert load_algorithm(str(path)).depth == (4 if default == "4" else "full")
    assert mark(str(path), games=["[[3,12],[2,[4,5]]]"]).worst is None


def test_greek_letters_are_alpha_and_beta(tmp_path: Path) -> None:
    source = FILES["right/alphabeta"]
    path = tmp_path / "greek.py"
    for word, letter in (("alpha", "\N{GREEK SMALL LETTER ALPHA}"), ("beta", "\N{GREEK SMALL LETTER BETA}")):
        source = re.sub(rf"\b{word}\b", letter, source)
    path.write_text(source, encoding="utf-8")
    found = mark(str(path), games=["[[3,12],[2,[4,5]]]"])
    assert (found.against, found.worst) == ("alphabeta", None)


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("game.moves_of(s)", "a game has evaluate, moves, outcomes, player, result, terminal, utility"),
        ("s.is_terminal()", r"write game\.terminal\(s\)"),
        ("s.result(0)", r"write game\.result\(s, move\)"),
    ],
)
def test_an_unknown_attribute_gets_advice(tmp_path: Path, expression: str, message: str) -> None:
    path = tmp_path / "mine.py"
    path.write_text(f"def f(game, s):\n    return {expression}\n")
    found = mark(str(path), games=["[1,2]"]).worst
    assert found is not None
    assert re.search(message, found.message)
