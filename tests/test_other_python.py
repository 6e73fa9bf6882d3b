"""A second Python version finds the same results and reads the same files."""

import io
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from commands import SLOW

from gamesearch.cli import run
from gamesearch.learn.training import learn, settings_for
from gamesearch.play.files import write_file
from gamesearch.registry import load
from gamesearch.solvers.databases.checkpoints import Checkpoints

ROOT = Path(__file__).parents[1]
PYPROJECT = ROOT / "pyproject.toml"
FOLDER = ROOT / ".venv-other"
OTHER = FOLDER / "bin" / "python"
READY = FOLDER / "tested"
PACKAGES = ("pytest>=9,<9.2", "pytest-xdist>=3.5", "hypothesis>=6.100")

pytestmark = pytest.mark.xdist_group("another version of Python")

SHORT = (
    "(all_searches and (tictactoe or pig or chess or yavalath or mcts)) or (rules_return_the_same and tictactoe)"
    " or ((tictactoe or pig or nim) and test_conformance and not known)"
)
"""A pytest expression that selects the tests of some signatures, of the interpreted rules of some games, and of one
game at both speeds."""


def candidates() -> Iterator[str]:
    """Yield the other Python versions of pyproject.toml that are on the path or that pyenv has installed."""
    own = "{}.{}".format(*sys.version_info)
    versions = re.findall(r"Python :: (3\.\d+)", PYPROJECT.read_text())
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for version in sorted(set(versions) - {own}, key=lambda each: int(each.partition(".")[2])):
        places = [shutil.which(f"python{version}"), *map(str, sorted(pyenv.glob(f"{version}.*/bin/python")))]
        for python in filter(None, places):
            asked = [python, "-c", "import sys, venv, ensurepip; print('{}.{}'.format(*sys.version_info))"]
            answer = subprocess.run(asked, capture_output=True, text=True)
            if answer.stdout.strip() == version:
                yield python


def install() -> str:
    """Install gamesearch and the packages that the tests need for a second Python version, if it is not installed yet.

    Return the reason if the installation fails, otherwise an empty text.
    """
    if OTHER.exists() and READY.exists() and READY.read_text() == PYPROJECT.read_text():
        return ""
    python = next(candidates(), None)
    if python is None:
        return "no other supported Python was found"
    pip = [str(OTHER), "-m", "pip", "install", "--quiet", "--no-compile", "--disable-pip-version-check"]
    for command in ([python, "-m", "venv", "--clear", str(FOLDER)], [*pip, "--editable", str(ROOT), *PACKAGES]):
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            return f"{' '.join(command[1:4])} failed: {(done.stderr.strip().splitlines() or [''])[-1]}"
    READY.write_text(PYPROJECT.read_text())
    return ""


@pytest.fixture(scope="module", autouse=True)
def second_version() -> None:
    """Install gamesearch for a second version of Python."""
    if reason := install():
        pytest.skip(f"gamesearch is not installed for a second version of Python: {reason}")


def run_other(*arguments: object, folder: Path = ROOT) -> str:
    """Return the output of the second Python version for these arguments."""
    command = [str(OTHER), "-m", *map(str, arguments)]
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "PYTHON"))}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout


def test_signature_and_conformance_are_the_same_in_another_version() -> None:
    files = [f"tests/test_{name}.py" for name in ("signature", "conformance", "speeds")]
    out = run_other("pytest", "-n", "0", "-p", "no:cacheprovider", "-k", SHORT, *files)
    assert int(out.rpartition(" passed")[0].split()[-1]) > 40, out


# Files. ------------------------------------------------------------------------------------------
@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in an empty folder."""
    monkeypatch.chdir(tmp_path)


def here(*arguments: str) -> None:
    """Run a gamesearch command interpreted, in this process."""
    assert run([*arguments, *SLOW]) == 0


def there(folder: Path, *arguments: str) -> str:
    """Run a gamesearch command interpreted in the second Python version, and return its output."""
    return run_other("gamesearch", *arguments, *SLOW, folder=folder)


@pytest.mark.parametrize(
    ("game", "layers", "position"), [("checkers(size=4)", "2", "W:W4:B1"), ("hex(size=2)", "start", "X./..")]
)
def test_a_database_is_read_and_continued(
    game: str, layers: str, position: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    here("database", game, layers, "--to", "here")
    asked = ("solve", game, position, "--json")
    capsys.readouterr()
    here(*asked, "--database", "here")
    mine: dict[str, Any] = json.loads(capsys.readouterr().out)
    theirs: dict[str, Any] = json.loads(there(tmp_path, *asked, "--database", "here"))
    assert {**mine, "seconds": 0} == {**theirs, "seconds": 0}
    there(tmp_path, "database", game, layers, "--to", "there")
    for path in Path("here").glob("*.layer"):
        assert path.read_bytes() == (tmp_path / "there" / path.name).read_bytes()
    assert "already exists" not in there(tmp_path, "database", game, layers, "--to", "there", "--verify")


def test_an_unfinished_database_is_finished_in_another_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gamesearch.solvers.graphs.graph.AT_ONCE", {True: 20, False: 20})
    game = ("database", "nim(heaps='3,4,5')", "start", "--to")

    def interrupted(self: Checkpoints) -> bool:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Checkpoints, "is_due", interrupted)
        assert run([*game, "parts", *SLOW]) == 130
    assert [path.suffix for path in Path("parts").glob("start.*")] == [".part"]
    there(tmp_path, *game, "parts")
    here(*game, "whole")
    assert Path("parts/start.layer").read_bytes() == Path("whole/start.layer").read_bytes()


def test_learning_is_continued_in_another_version(tmp_path: Path) -> None:
    game = "connect4(rows=4, columns=4)"
    settings = settings_for(load(game), "td", 30, 1, 1, 1)
    for to in ("here.json", "both.json"):
        reports = learn(settings, to, 1, "interpreted", write_file)
        next(reports)
        if to == "here.json":
            list(reports)
        del reports
    code = f"""
from gamesearch.learn.training import learn, settings_for
from gamesearch.play.files import write_file
from gamesearch.registry import load
first, *rest = learn(settings_for(load({game!r}), "td", 30, 1, 1, 1), "both.json", 1, "interpreted", write_file)
assert first.done > 10, first.done
"""
    Path("goes_on.py").write_text(code)
    run_other("goes_on", folder=tmp_path)
    here_learned, both_learned = (json.loads(Path(name).read_text()) for name in ("here.json", "both.json"))
    assert here_learned["weights"] == both_learned["weights"]
    there(
        tmp_path, "analyze", f"connect4(rows=4, columns=4, weights={tmp_path / 'both.json'})", "-a", "minimax(depth=1)"
    )


def test_books_traces_journals_and_games_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(["book", "tictactoe", "--plies", "1", "--to", "book.json", *SLOW]) == 0
    assert "nodes" in there(tmp_path, "book", "tictactoe", "--plies", "1", "--to", "book.json")
    assert run(["analyze", "tictactoe", "XX./OX./.OO", "--trace", "search.trace"]) == 0
    assert "XX" in run_other("gamesearch", "show", "search.trace", folder=tmp_path).replace(" ", "")
    players = ("match", "tictactoe", "random", "random(seed=1)", "--journal", "games.jsonl", "--json")
    here(*players, "--games", "4")
    there(tmp_path, *players, "--games", "8")
    games = Path("games.jsonl").read_text().splitlines()[1:]
    here(*players[:-3], "--journal", "again.jsonl", "--json", "--games", "8")
    again = Path("again.jsonl").read_text().splitlines()[1:]
    assert [json.loads(each)["moves"] for each in games] == [json.loads(each)["moves"] for each in again]
    monkeypatch.setattr("sys.stdin", io.StringIO("5\n"))
    run(["play", "tictactoe", "--max", "human", "--min", "random", "--save", "game.json", "--plain", *SLOW])
    assert "after" in there(tmp_path, "play", "game.json", "--max", "random", "--min", "random", "--plain")
