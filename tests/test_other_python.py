"""A second Python version finds the same results and reads the same files."""

import io
import json
import os
import shlex
import subprocess
from pathlib import Path

import pytest
from commands import SLOW, output
from other_python import MISSING, OTHER, ROOT, is_ready

from gamesearch.cli import run
from gamesearch.learn.training import learn, settings_for
from gamesearch.play.files import write_file
from gamesearch.registry import load
from gamesearch.solvers.databases.checkpoints import Checkpoints

pytestmark = [pytest.mark.skipif(not is_ready(), reason=MISSING), pytest.mark.xdist_group("another version of Python")]

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
    def interrupted(self: Checkpoints) -> bool:
        raise KeyboardInterrupt

    checkers, nim = "database 'checkers(size=4)' 2", "database nim(heaps=3-4-5) start"
    solved = "solve 'checkers(size=4)' W:W4:B1 --json --database here --speed interpreted"
    compiled = "analyze tictactoe --algorithm minimax --json --speed compiled"
    book = "book tictactoe --plies 1 --to book.json"
    match = "match tictactoe random 'random(seed=1)' --json --workers 1"
    monkeypatch.setattr("gamesearch.solvers.graphs.graph.AT_ONCE", {True: 20, False: 20})
    here(f"{checkers} --to here")
    with monkeypatch.context() as patched:
        patched.setattr(Checkpoints, "is_due", interrupted)
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
