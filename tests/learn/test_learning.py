"""`gamesearch learn` works with users' games and included games, can be interrupted, and depends only on the seed."""

import errno
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest
from commands import complaint, output

from gamesearch import compiler, registry
from gamesearch.cli import run
from gamesearch.errors import GamesearchError, NotCompilable
from gamesearch.files.whole import lock_output
from gamesearch.learn import greedy_play, network_outcomes, training
from gamesearch.learn.method import Task
from gamesearch.learn.temporal import TemporalLearning
from gamesearch.learn.training import METHODS, NETWORK_METHODS, PATTERN_METHODS, Report, learn, settings_for
from gamesearch.learned.weights_files import LearnedWeights
from gamesearch.play.files import write_file
from gamesearch.registry import load

pytestmark = pytest.mark.usefixtures("unchecked")
OWN = str(Path(__file__).with_name("own_game.py"))
NETWORKED = str(Path(__file__).with_name("networked_game.py"))
SLOW = ("--speed", "interpreted")


KINDS: dict[str, tuple[str, str, Any]] = {
    **{method: (OWN, method, {}) for method in METHODS},
    **{f"patterns {method}": ("tictactoe", method, {"patterns": "own"}) for method in PATTERN_METHODS},
    **{f"network {method}": (NETWORKED, method, {"network": 5}) for method in NETWORK_METHODS},
}
"""For each kind of weights, the game, the method and the options of a test that learns such weights."""


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Measure the strength by few games, and fit networks in few steps."""
    monkeypatch.setattr(training, "GAMES_MEASURED", 2)
    monkeypatch.setattr(training, "GAMES_AT_THE_END", 4)
    monkeypatch.setattr(network_outcomes, "LEAST_BATCHES", 20)


def learn_weights(to: Path, kind: str = "td", games: int = 60, stop_after: int = 0, workers: int = 1) -> Report | None:
    """Learn weights; return the last report, or None if learning is killed after `stop_after` reports."""
    game, method, options = KINDS[kind]
    settings = settings_for(load(game), method, games, 1, 1, workers, **options)
    last = None
    for number, report in enumerate(learn(settings, str(to), workers, "interpreted", write_file), 1):
        if number == stop_after:
            return None
        last = report
    return last


def test_the_deciding_feature_of_a_user_game_is_learned(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    to = tmp_path / "own.json"
    arguments = ["learn", OWN, "--to", str(to), "--method", "td", "--games", "60", "--depth", "1", "--json", *SLOW]
    found = json.loads(output(capsys, *arguments))
    assert found["weights"][0] > 0  # the greater sum wins
    before, lot = found["beat"]
    assert before["points"] > 0.6 * before["games"]
    assert lot["points"] > 0.6 * lot["games"]
    assert load(f"{OWN}(weights={to})").weights == tuple(found["weights"])
    assert json.loads(to.read_text())["games"] == 60
    assert [each.name for each in tmp_path.iterdir()] == ["own.json"]  # no unfinished file remains


def test_weights_are_only_shown_without_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    text = output(capsys, "learn", "checkers(size=4)", "--method", "td", "--games", "20", *SLOW)
    assert "men at home" in text
    assert "play with it" not in text


@pytest.mark.usefixtures("short")
@pytest.mark.parametrize(
    "kind",
    [
        pytest.param(kind, marks=pytest.mark.xdist_group("network learning")) if kind.startswith("network") else kind
        for kind in KINDS
    ],
)
def test_a_stopped_and_continued_run_learns_the_same_weights(kind: str, tmp_path: Path) -> None:
    whole, parted = tmp_path / "whole.json", tmp_path / "parted.json"
    last = learn_weights(whole, kind)
    assert last is not None
    if kind in METHODS:
        assert isinstance(last.learned, LearnedWeights)
        assert last.learned.weights[0] > 0  # in the user's game, the greater sum wins
    assert learn_weights(parted, kind, stop_after=2) is None
    assert learn_weights(parted, kind, stop_after=1) is None
    again = learn_weights(parted, kind)
    assert again is not None
    assert (again.learned, again.curve) == (last.learned, last.curve)
    assert whole.read_text() == parted.read_text()


def test_a_killed_run_leaves_a_complete_file(tmp_path: Path) -> None:
    to = tmp_path / "killed.json"
    command = [sys.executable, "-m", "gamesearch", "learn", OWN, "--to", str(to), "--games", "400", "--method", "td"]
    process = subprocess.Popen([*command, "--depth", "1", *SLOW], stderr=subprocess.DEVNULL)
    state = to.with_name("killed.json.unfinished")
    while not state.exists() and process.poll() is None:
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    settings = settings_for(load(OWN), "td", 400, 0, 1, 1)
    first = next(learn(settings, str(to), 1, "interpreted", write_file))
    assert 20 <= first.done <= 400
    with np.load(state, allow_pickle=False) as arrays:
        assert np.isfinite(arrays["weights"]).all()
        assert arrays["weights"].any()


@pytest.mark.usefixtures("short")
def test_a_report_keeps_its_loss(tmp_path: Path) -> None:
    settings = settings_for(load(OWN), "outcomes", 40, 1, 1, 1)
    losses = [report.loss for report in list(learn(settings, str(tmp_path / "own.json"), 1, "interpreted", write_file))]
    assert len(set(losses)) > 1, losses


@pytest.mark.usefixtures("short")
def test_two_workers_learn_the_same_from_outcomes(tmp_path: Path) -> None:
    one, two = tmp_path / "one.json", tmp_path / "two.json"
    learn_weights(one, "outcomes", 40)
    learn_weights(two, "outcomes", 40, workers=2)
    assert one.read_text() == two.read_text()


@pytest.mark.xdist_group("learn")
def test_weights_depend_only_on_the_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load("pig(target=20)")

    def weights(seed: int, speed: str) -> Any:
        settings = settings_for(game, "td", 20, seed, None, 1)
        return TemporalLearning.play(Task(settings, 0, 20, TemporalLearning(settings).state, speed))["weights"]

    slow = weights(3, "interpreted")
    assert weights(3, "compiled") == pytest.approx(slow, rel=1e-9)
    assert not np.allclose(slow, game.weights)
    assert (weights(2, "interpreted") != slow).any()

    def refuse_rows(state: Any, size: int, is_compiled: bool) -> Any:
        if is_compiled:
            raise NotCompilable("its states have no rows")
        return compiler.new_rows(state, size, is_compiled)

    monkeypatch.setattr(greedy_play, "compiler", SimpleNamespace(**{**vars(compiler), "new_rows": refuse_rows}))
    assert np.array_equal(weights(3, "auto"), slow)
    with pytest.raises(NotCompilable, match="no rows"):
        weights(3, "compiled")


def test_another_run_is_not_continued(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    to = tmp_path / "own.json"
    assert learn_weights(to, stop_after=1) is None
    said = complaint(capsys, "learn", OWN, "--to", str(to), "--method", "td", "--games", "70", "--depth", "1", *SLOW)
    assert "other settings (games was 60, now 70; seed was 1, now 0): repeat the command" in said
    state = to.with_name("own.json.unfinished")
    state.write_bytes(state.read_bytes()[:200])
    with pytest.raises(GamesearchError, match="begin again with --force"):
        learn_weights(to)
    arguments = ["learn", OWN, "--to", str(to), "--method", "td", "--games", "20", "--depth", "1", "--force", *SLOW]
    assert run(arguments) == 0
    assert "sum" in capsys.readouterr().out
    assert "exists already" in complaint(capsys, *arguments[:8])
    with lock_output(to, "learning"):
        assert f"another process is learning {to}: wait" in complaint(capsys, *arguments)


def test_an_interrupted_run_names_the_file_to_continue(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    started = list[str]()

    def interrupt(*arguments: Any) -> Iterator[Report]:
        started.append("a run")
        if len(started) > 1:
            yield next(learn(*arguments))
        raise KeyboardInterrupt

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("gamesearch.commands.learning.learn.learn", interrupt)
    command = ["learn", OWN, "--to", "own.json", "--method", "td", "--games", "70", *SLOW]
    assert run(command) == 130
    assert "nothing has been learned yet" in capsys.readouterr().err
    assert run(command) == 130
    said = capsys.readouterr().err
    assert f"{Path('own.json')} is not written yet" in said
    assert "saved in own.json.unfinished; to continue, repeat the command" in said
    asked = ("analyze", f"{OWN}(weights=own.json)")
    assert "own.json is not finished: repeat the command that began it, which continues from own.json.unfinished" in (
        complaint(capsys, *asked)
    )
    Path("own.json").write_text("{}")
    assert run([*command, "--force"]) == 130
    assert "move own.json away and repeat the command without --force" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("rules", "network", "right", "other"),
    [
        (OWN, None, "(3, 1, 4, 1, 5, 9, 2, 6)", "(3, 1, 4, 1, 5, 9, 2, 7)"),
        (NETWORKED, 3, "return Position(s.noughts, s.crosses)", "return s"),  # another view for the network
    ],
)
def test_a_run_does_not_continue_with_other_rules(
    rules: str, network: int | None, right: str, other: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, to = tmp_path / "own_game.py", tmp_path / "own.json"
    text = Path(rules).read_text()
    own.write_text(text)
    settings = settings_for(load(str(own)), "td", 60, 1, 1, 1, network=network)

    def first_report(changed: str) -> Report:
        own.write_text(changed)
        monkeypatch.setattr(registry, "_in_files", {})
        return next(learn(settings, str(to), 1, "interpreted", write_file))

    first_report(text)
    assert first_report(f"# a comment changes no rule\n{text}").done > 10
    with pytest.raises(GamesearchError, match=r"begun with other rules of .*own_game.py: begin again with --force"):
        first_report(text.replace(right, other))


def test_a_full_disk_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    to = tmp_path / "own.json"
    assert learn_weights(to, stop_after=1) is None
    before = to.with_name("own.json.unfinished").read_bytes()
    for number, said in ((errno.ENOSPC, "no space left on device"), (errno.EACCES, "permission denied")):
        error = OSError(number, os.strerror(number))
        monkeypatch.setattr(np, "savez", Mock(side_effect=error))
        with pytest.raises(GamesearchError, match=f"{said}; the earlier progress is saved: (make room|give the same)"):
            learn_weights(to)
    assert to.with_name("own.json.unfinished").read_bytes() == before
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("backgammon", "--network", "5000"), "from 1 to 1000 hidden units"),
        (
            ("backgammon", "--network", "8", "--method", "tdleaf"),
            "a network learns only with --method td or outcomes, not with tdleaf",
        ),
        (("backgammon", "--network", "8", "--patterns", "own"), "give only one of them"),
        (("kalah(weights=learned)",), "leave out weights="),
        (("nim", "--network", "8"), "nim has no inputs for a network"),
        (("nim", "--patterns", "4x4"), "has no cells"),
        (("othello", "--patterns", "own", "--method", "tdleaf"), "not with tdleaf"),
        (("pacman",), "--method td"),
        (("tictactoe",), "define a method features(self, s)"),
        (("tictactoe",), "16x6"),
    ],
)
def test_a_game_that_cannot_be_learned_is_refused(
    arguments: tuple[str, ...], reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert reason in complaint(capsys, "learn", *arguments, "--to", str(tmp_path / "x.json"))


def test_games_for_three_cannot_be_learned() -> None:
    three: Any = load(OWN)
    three.players = 3
    with pytest.raises(GamesearchError, match="has 3 players: only games for one or two"):
        settings_for(three, "td", 20, 0, 1, 1)
