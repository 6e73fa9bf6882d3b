"""What the README shows is true: its game runs as it stands, and its commands work."""

import io
import re
import shlex
import shutil
import sys
from pathlib import Path

import pytest

import gamesearch
from gamesearch.cli import run

README = Path(__file__).parents[1] / "README.md"
TEXT = README.read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```", TEXT, flags=re.S | re.M)
GAME, PROGRAM, BUGGY = (code for language, code in BLOCKS if language == "python")
FEATURES = next(block for _, block in BLOCKS if "feature_names" in block)
COMMANDS = [
    line.removeprefix("$ ")
    for language, block in BLOCKS
    if not language
    for line in block.splitlines()
    if re.match(r"(\$ )?gamesearch ", line)
]


TOO_LONG = (
    "solve pig|solve chess| play( |$)| match | ratings | suite | check | --quiz| [|<] "
    "|learn | --evaluation|database|book |tree[.]trace"
)
"""Commands that other tests run: they take long, ask somebody, or need files of the reader's."""
TRACES = {
    "lecture.trace": ["analyze", "[[3,12,8],[2,4,6],[14,5,2]]"],
    "hex.trace": ["solve", "hex(size=3)", "--method", "proof(search=pn)", "--speed", "interpreted"],
}
"""The searches whose traces commands read."""
INTERPRETED = {"compare"}
"""Commands of examples that are short enough interpreted: they say the same, and to compile takes longer."""
SHOWN = [
    session.split("\n", 1)
    for language, block in BLOCKS
    if not language
    for session in re.findall(r"^\$ (.*?\n(?:(?!\$ |gamesearch ).*\n)+)", block, flags=re.M)
]
"""Commands, and what is shown of their output."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "mygame.py").write_text(GAME, encoding="utf-8")
    (tmp_path / "buggy.py").write_text(BUGGY, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_game_has_about_thirty_lines_and_the_algorithm_about_twenty() -> None:
    assert len([line for line in GAME.splitlines() if line.strip()]) <= 30
    assert len([line for line in BUGGY.splitlines() if line.strip()]) <= 21


@pytest.mark.parametrize("speed", ["interpreted", "compiled"])
def test_the_game_runs_at_both_speeds(folder: Path, speed: str) -> None:
    game = gamesearch.load(str(folder / "mygame.py"))
    result = gamesearch.search(game, game.initial(), "alphabeta", speed=speed)
    assert (result.value, result.best, result.distance) == (1, 1, 11)
    assert result.statistics.speed == speed


def test_the_game_learns_by_the_features_that_are_added(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "mygame.py").write_text(GAME + "\n" + FEATURES, encoding="utf-8")
    command = ["learn", "./mygame.py", "--to", "learned.json", "--games", "40", "--speed", "interpreted"]
    assert run(command) == 0
    assert "a multiple of four left to the other side" in capsys.readouterr().out
    for name in ("./mygame.py(weights=learned.json)", "./mygame.py(weights=[0.5])"):
        game = gamesearch.load(name)
        assert game.weights[0] > 0  # it is what wins
        results = [
            gamesearch.search(game, game.initial(), "alphabeta(depth=5)", speed=s) for s in ("interpreted", "compiled")
        ]
        assert results[0].value == results[1].value == game.weights[0]


def test_the_program_runs(capsys: pytest.CaptureFixture[str]) -> None:
    scope: dict[str, object] = {}
    exec(PROGRAM, scope)
    assert scope["leaves"] == 7**4
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("command", [c for c in COMMANDS if not re.search(TOO_LONG, c)])
def test_the_commands_work(folder: Path, command: str, capsys: pytest.CaptureFixture[str]) -> None:
    for trace, search in TRACES.items():
        if trace in command and "--trace" not in command:
            assert run([*search, "--trace", trace]) == 0
            capsys.readouterr()
    if re.search(r" graph .*--to \S+\.(html|svg)", command) and shutil.which("dot") is None:
        pytest.skip("Graphviz, which draws, is not installed")
    before = set(folder.iterdir())
    words = shlex.split(command, comments=True)[1:]
    assert run([*words, "--speed", "interpreted"] if words[0] in INTERPRETED else words) == 0
    assert capsys.readouterr().out.strip() or set(folder.iterdir()) - before


@pytest.mark.parametrize(("command", "shown"), SHOWN, ids=[command for command, _ in SHOWN])
def test_what_is_shown_is_printed(
    folder: Path, command: str, shown: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    typed, _, words = command.rpartition(" | ")
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed.removeprefix("echo ")))
    assert run(shlex.split(words)[1:]) == (1 if typed or " check " in command else 0)
    printed = [line.split() for line in capsys.readouterr().out.splitlines()]
    for line in shown.splitlines():
        if line != "..." and "/s" not in line:  # speeds differ
            assert line.split() in printed


def test_every_game_and_algorithm_is_named() -> None:
    from gamesearch.algorithms.catalog import all_algorithms
    from gamesearch.cli import COMMANDS as SUBCOMMANDS

    words, names = " ".join(TEXT.split()), [*gamesearch.game_names(), *SUBCOMMANDS, *set(all_algorithms()) - {"random"}]
    assert [each for each in names if f"`{each}" not in words and f"gamesearch {each}" not in words] == []


def test_the_table_of_games_is_what_the_registry_says(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["games", "--markdown"]) == 0
    shown = TEXT.partition("<!-- gamesearch games --markdown -->\n")[2].partition("\n<!-- end -->")[0]
    is_same = shown.strip() == capsys.readouterr().out.strip()
    assert is_same, "paste what `gamesearch games --markdown` prints"


def test_pictures_are_there() -> None:
    for picture in re.findall(r"!\[[^]]*\]\(([^)]*)\)", TEXT):
        assert (README.parent / picture).is_file()


def test_the_database_does_what_is_said_of_it(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    alone, build, asked = (each for each in COMMANDS if "checkers(size=4)" in each)
    for command, shown in (
        (alone, ["value  +0.01 men for Black (Max), an estimate", "300 nodes"]),
        (build, ["positions"]),
        (asked, ["Black wins in 7 moves", "94 nodes"]),
    ):
        assert run([*shlex.split(command)[1:], "--speed", "interpreted"]) == 0
        printed = capsys.readouterr().out
        assert all(part in printed for part in shown)
    section = " ".join(TEXT[TEXT.index("**Databases**") :].split("```")[0].split())
    assert "nearly even, +0.01 men for Black; " in section
    assert "Black wins in 7 moves, found after 94 nodes" in section
    assert (folder / "endings").is_dir()
