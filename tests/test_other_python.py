"""A second Python version finds the same results and reads the same files."""

import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from commands import SLOW, output

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
PACKAGES = ("pytest>=9,<9.2", "pytest-xdist>=3.7", "hypothesis>=6.100")

pytestmark = pytest.mark.xdist_group("another version of Python")

SHORT = "(all_searches and (tictactoe or pig or mcts)) or (test_conformance and nim and not known)"
"""A pytest expression that selects the tests of some signatures, and of the interpreted rules of one game."""
COMMANDS = """
import contextlib, io, json, shlex, sys
from gamesearch.cli import run
texts = []
for line in sys.argv[1:]:
    with contextlib.redirect_stdout(io.StringIO()) as text:
        assert run(shlex.split(line)) == 0, line
    texts.append(text.getvalue())
print(json.dumps(texts))
"""
"""A program that runs the commands in its arguments and prints a list of their outputs."""


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
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "PYTHON"))}
    command = [str(OTHER), *map(str, arguments)]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout


def test_signature_and_conformance_are_the_same_in_another_version() -> None:
    files = [f"tests/test_{name}.py" for name in ("signature", "conformance")]
    out = run_other("-m", "pytest", "-n", "0", "-p", "no:cacheprovider", "-k", SHORT, *files)
    assert int(out.rpartition(" passed")[0].split()[-1]) > 15, out


# Files and compiled code. -------------------------------------------------------------------------
@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in an empty folder."""
    monkeypatch.chdir(tmp_path)


def here(line: str, code: int = 0) -> None:
    """Run a gamesearch command interpreted, in this process."""
    assert run([*shlex.split(line), *SLOW]) == code


def there(*lines: str) -> list[str]:
    """Run gamesearch commands in one process of the second Python version, and return their outputs."""
    found: list[str] = json.loads(run_other("-c", COMMANDS, *lines, folder=Path.cwd()))
    return found


def test_files_are_read_and_continued_and_searches_are_compiled(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupt(self: Checkpoints) -> bool:
        raise KeyboardInterrupt

    checkers, nim = "database 'checkers(size=4)' 2", "database nim(heaps=3-4-5) start"
    solved = "solve 'checkers(size=4)' W:W4:B1 --json --database here --speed interpreted"
    compiled = "analyze tictactoe --algorithm minimax --json --speed compiled"
    book = "book tictactoe --plies 1 --to book.json"
    match = "match tictactoe random 'random(seed=1)' --json --workers 1"
    monkeypatch.setattr("gamesearch.solvers.graphs.graph.AT_ONCE", {True: 20, False: 20})
    here(f"{checkers} --to here")
    with monkeypatch.context() as patched:
        patched.setattr(Checkpoints, "is_due", interrupt)
        here(f"{nim} --to parts", code=130)
    assert [path.suffix for path in Path("parts").glob("start.*")] == [".part"]
    here(f"{nim} --to whole")
    here(book)
    assert run(["analyze", "tictactoe", "XX./OX./.OO", "--trace", "search.trace"]) == 0
    here(f"{match} --journal whole.jsonl --games 8")
    whole = Path("whole.jsonl").read_text().splitlines(keepends=True)
    Path("games.jsonl").write_text("".join(whole[:5]))
    monkeypatch.setattr("sys.stdin", io.StringIO("5\n"))
    here("play tictactoe --max human --min random --save game.json --plain", code=1)
    capsys.readouterr()
    mine = [json.loads(output(capsys, *shlex.split(each))) for each in (solved, compiled)]
    *found, nodes, trace, _, played = there(
        *(solved, compiled, f"{checkers} --to there", f"{nim} --to parts", book, "show search.trace"),
        *(
            f"{match} --journal games.jsonl --games 8 --speed interpreted",
            "play game.json --max random --min random --plain",
        ),
    )
    theirs = [json.loads(each) for each in found[:2]]
    for each in (*mine, *theirs):
        (each if "seconds" in each else each["statistics"])["seconds"] = 0
    assert mine == theirs
    assert "nodes" in nodes
    assert "XX" in trace.replace(" ", "")
    assert "after" in played
    assert Path("parts/start.layer").read_bytes() == Path("whole/start.layer").read_bytes()
    for path in Path("here").glob("*.layer"):
        assert path.read_bytes() == (Path("there") / path.name).read_bytes()
    games = Path("games.jsonl").read_text().splitlines()
    assert [json.loads(each)["moves"] for each in games[1:]] == [json.loads(each)["moves"] for each in whole[1:]]


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
    run_other("-c", code, folder=tmp_path)
    here_learned, both_learned = (json.loads(Path(name).read_text()) for name in ("here.json", "both.json"))
    assert here_learned["weights"] == both_learned["weights"]
