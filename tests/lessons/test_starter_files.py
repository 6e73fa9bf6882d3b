"""`check` names the gaps of starter files, and accepts files whose gaps are filled."""

import re
import shlex
from pathlib import Path

import pytest
from commands import Cli, complaint
from student_files import remember_references

from gamesearch.cli import run
from gamesearch.lessons.lesson import Exercise, code_names, code_text, lesson_names, load_lesson
from gamesearch.study.marking import QUIESCENCE

FILLED = {
    "alpha-beta": ["max(alpha, best)", "best >= beta", "min(beta, best)", "best <= alpha"],
    "alpha-beta-search": ["max(alpha, v)", "v >= beta", "min(beta, v)", "v <= alpha"],
    "alpha-beta-table": [
        "value >= beta", "value <= alpha", "LOWER if best >= high else UPPER if best <= low else EXACT",
    ],
    "dynamic-programming": ["None not in values", "max(values) if game.player(position) == MAX else min(values)"],
    "expectimax": ["sum(values) / len(values)"],
    "expectiminimax": ["p * expectiminimax(game, game.result(s, outcome), depth - 1)"],
    "flat-monte-carlo": [
        "sum(playout(game, after, source) for _ in range(playouts)) / playouts", "source.choice(list(game.moves(s)))",
    ],
    "grundy": ["n not in below", "grundy(s) > 0"],
    "iterative-deepening": ["depth - 1", "values.get", "values[moves[0]]"],
    "maxn": ["lambda payoffs: payoffs[player]"],
    "mcts": [
        "math.sqrt(math.log(child.parent.playouts) / child.playouts)",
        "result if game.player(node.parent.state) == MAX else -result",
    ],
    "memoization": ["s in memory", "max(values) if game.player(s) == MAX else min(values)"],
    "minimax": ["max(values) if game.player(s) == MAX else min(values)"],
    "minimax-search": [
        "min_value(game, game.result(state, a), player)", "v2 > v",
        "max_value(game, game.result(state, a), player)", "v2 < v",
    ],
    "mtdf": ["value", "value"],
    "negamax": ["-negamax(game, game.result(s, move), depth - 1, -color)"],
    "negamax-alpha-beta": ["-beta", "-alpha", "alpha >= beta"],
    "null-window": ["-math.nextafter(alpha, math.inf)", "-alpha", "alpha < value < beta"],
    "paranoid": ["game.utility(s)[me]", "game.player(s) == me"],
    "proof-number-search": [
        'min(path[-1]["children"], key=lambda child: child[number])',
        'min(proofs) if node["is_or"] else sum(proofs)', 'sum(disproofs) if node["is_or"] else min(disproofs)',
    ],
    "quiescence": ["quiescence(game, s, alpha, beta)", "game.evaluate(s)", "game.kind_of_move(s, move) == CAPTURE"],
    "retrograde": ["values[position] == goal or unsolved[above] == 0"],
    "star1": ["(beta - total - rest * game.MINSCORE) / p", "highest"],
    "value-iteration": ["sum(p * values[game.result(s, outcome)] for outcome, p in game.outcomes(s))"],
}  # fmt: skip
"""The solutions of the gaps of each starter file, in their order."""
OPTIONS = re.compile(r"gamesearch\s+check \S+((?: (?:--\S+|\"[^\"]*\"|\S+))*)")
"""Matches the last command in the docstring of a starter file."""


def filled_text(name: str) -> str:
    text = code_text(name)
    for solution in FILLED.get(name, []):
        text = text.replace("...", solution, 1)
    return text


def test_check_names_the_gaps_of_starter_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "mine.py"
    for name in FILLED:
        file.write_text(code_text(name), encoding="utf-8")
        lines = [str(number) for number, line in enumerate(code_text(name).splitlines(), 1) if "..." in line]
        assert complaint(capsys, "check", str(file)).rstrip().endswith(", ".join(lines)), name


@pytest.mark.parametrize("name", [name for name in code_names() if "wrong" not in name])
def test_check_accepts_a_filled_starter_file(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    remember_references(monkeypatch)
    text = filled_text(name)
    assert "..." not in text
    file = tmp_path / "mine.py"
    file.write_text(text, encoding="utf-8")
    if found := OPTIONS.findall(text):
        assert run(["check", str(file), *shlex.split(found[-1])]) == 0
    else:
        game = str(file) if "class " in text else f"connect4(evaluation={file})"
        assert run(["analyze", game, "--depth", "2", "--speed", "interpreted"]) == 0


def test_values_of_a_paranoid_file_are_for_the_player_at_the_root(tmp_path: Path, cli: Cli) -> None:
    tree, file = "p2[[(1,2,6),(4,3,2)],[(6,1,3),(7,4,1)]]", tmp_path / "mine.py"
    for payoff in ("game.utility(s)[me]", "game.utility(s, me)"):
        file.write_text(filled_text("paranoid").replace("game.utility(s)[me]", payoff), encoding="utf-8")
        found = [cli.data("analyze", tree, "-a", name, "--moves") for name in ("paranoid", file)]
        assert found[0]["value"] == found[1]["value"] == 2
        assert found[0]["moves"] == found[1]["moves"]
    assert "three or more players" in cli.refusal("analyze", "tictactoe", "-a", file)


def test_a_starter_file_with_an_error_does_not_name_the_error() -> None:
    for name in (name for name in code_names() if "wrong" in name):
        _, docstring, code = code_text(name).split('"""')
        summary, command = docstring.strip().split("\n\n")
        assert summary.endswith(". The program contains an error."), name
        assert command.startswith("To find a counterexample: gamesearch check ./wrong.py"), name
        comments = {line.partition("#")[2].strip() for line in code.splitlines()} - {""}
        assert comments <= {"selection", "expansion", "simulation", "back-propagation"}, name


def test_the_lecture_topics_name_all_starter_files() -> None:
    """The page also shows the counterexample of each wrong file; `test_shown_commands.py` runs the page's commands."""
    page = (Path(__file__).parents[2] / "docs" / "reference" / "lectures.md").read_text(encoding="utf-8")
    for name in code_names():
        assert (f"gamesearch lesson code {name} --to" if "wrong" in name else f"| `{name}` |") in page, name


WRONG = (
    ("maxn", "lambda payoffs: payoffs[player]", "sum", "maxn", ["value", "move", "visits"]),
    ("paranoid", "game.utility(s)[me]", "game.utility(s)[0]", "paranoid", ["value", "move", "visits"]),
    ("paranoid", "best >= beta", "best > beta", "paranoid", ["value", "move", "visits"]),
    ("paranoid", "best <= alpha", "best < alpha", "paranoid", ["value", "move", "visits"]),
    ("quiescence", "== CAPTURE", "== -1", QUIESCENCE, ["value", "move"]),
    ("flat-monte-carlo", "source.choice(", "min(", "minimax", ["move"]),
    ("dynamic-programming", "None not in values", "True", "minimax", ["value"]),
)


def test_a_wrong_solution_is_compared_with_the_right_algorithm(
    tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    remember_references(monkeypatch)
    for name, solution, wrong, against, compared in WRONG:
        file, text = tmp_path / f"{name}.py", filled_text(name)
        assert solution in text
        file.write_text(text.replace(solution, wrong), encoding="utf-8")
        found = cli.data("check", str(file), code=1)
        assert (found["against"], found["compared"]) == (against, compared)
        assert found["agree"] < found["positions"]


def test_each_exercise_writes_another_file() -> None:
    exercises = [
        item.markdown for name in lesson_names() for item in load_lesson(name).items() if isinstance(item, Exercise)
    ]
    written = [file for text in exercises for file in re.findall(r"lesson code \S+ --to (\S+)", text)]
    assert len(written) == len(set(written)) > 20
    used = {file for text in exercises for file in re.findall(r"\./(\w+\.py)", text)}
    assert used - {"mygame.py"} <= set(written)  # mygame.py is in the README


def test_a_starter_file_names_itself(tmp_path: Path, cli: Cli, empty_folder: None) -> None:
    for code, name in (("minimax", "mine.py"), ("negamax-wrong-sign", "wrong.py")):
        assert f"check ./{name}" in cli.output("lesson", "code", code)
        for file, shown in ((f"{code}.py", f"./{code}.py"), (str(tmp_path / f"a{name}"), str(tmp_path / f"a{name}"))):
            cli.output("lesson", "code", code, "--to", file)
            assert f"gamesearch check {shown}" in Path(file).read_text(encoding="utf-8")
        cli.output("lesson", "code", code, "--to", f"my {name}")
        assert Path(f"my {name}").read_text(encoding="utf-8") == code_text(code)
