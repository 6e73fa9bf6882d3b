"""Principal variation search equals alpha-beta if no selective part is on; otherwise its proven values are correct."""

import itertools
import json
import math
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from choices import EVERYTHING
from support import facts, playout

from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.catalog.pvs import PARTS, PrincipalVariationSearch
from gamesearch.algorithms.engine.result import Limits
from gamesearch.algorithms.node.workspace import FULL_DEPTH
from gamesearch.algorithms.selective import parts
from gamesearch.algorithms.selective.cutoffs import LEAST_DEPTH, NOTHING, choose_prediction, shallow_depth
from gamesearch.algorithms.selective.parts import Node, SelectiveRunner, note_predictions
from gamesearch.api import search
from gamesearch.cli import run as run_command
from gamesearch.commands.measuring.bench.parts import TERMS
from gamesearch.commands.measuring.bench.probcut import fit_lines
from gamesearch.game import MAX, Game
from gamesearch.optional import Prediction, SelectiveGame, TunedGame
from gamesearch.registry import game_names, load
from gamesearch.study.bench import agreement, measure, parse_algorithms
from gamesearch.trace.reading import read_recording
from gamesearch.trace.recorder import Recorder
from gamesearch.trace.stepping import Stepper
from gamesearch.trace.wording.sentences import explanations

ALL_OFF = ", ".join(f"{part}=false" for part in PARTS)
FOR_TWO = [name for name in game_names() if load(name).players <= 2 and not load(name).chance]


SHALLOW = Limits(depth=4)


def find(game: Game, s: Any, algorithm: str, depth: int, **given: Any) -> Any:
    return search(game, s, algorithm, limits=Limits(depth=depth, **given), speed="interpreted")


def positions_to_search(game: Game) -> Iterator[tuple[Any, int]]:
    """Yield positions of a random game, and a depth to which a search takes less than a second."""
    states = playout(game, 5)
    for s in (states[0], states[len(states) // 3], states[-3:][0]):
        if not game.terminal(s):
            width = len(game.steps(s))
            yield s, 5 if width <= 5 else 3 if width <= 12 else 2 if width <= 40 else 1


@pytest.mark.parametrize("name", FOR_TWO if EVERYTHING else ("kalah", "othello"))
def test_without_parts_it_finds_the_value_of_alphabeta(name: str) -> None:
    game = load(name)
    for s, depth in positions_to_search(game):
        for bounds in ("true", "false"):
            wanted = find(game, s, f"alphabeta(bounds={bounds}, distance=false)", depth).value
            for options in ("exact=true", "exact=true, table=false, deepen=false", ALL_OFF):
                assert find(game, s, f"pvs(memory=1, {options}, bounds={bounds})", depth).value == wanted


@pytest.mark.parametrize("name", FOR_TWO if EVERYTHING else ("connect4", "go(3)", "kalah", "checkers(size=4)"))
def test_without_parts_and_null_windows_it_visits_the_same_nodes_as_alphabeta(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts, "null_step", lambda game: math.inf)
    game = load(name)
    for s, depth in positions_to_search(game):
        for bounds, table, order in itertools.product(("true", "false"), ("true", "false"), ("killer", "previous")):
            options = f"deepen=true, memory=1, bounds={bounds}, table={table}, order={order}"
            pair = [
                facts(find(game, s, each, depth)) for each in (f"alphabeta({options})", f"pvs(exact=true, {options})")
            ]
            assert pair[0] | {"algorithm": ""} == pair[1] | {"algorithm": ""}


def test_pvs_is_exact_if_no_active_part_applies_to_the_game() -> None:
    silent, othello = load("tictactoe"), load("othello")
    assert not load_algorithm("pvs(bounds=false)").is_exact_in(silent)
    off = "reductions=false, extensions=false, internal=false, aspiration=false, deeper=false"
    for more, exact in (("", (True, False)), ("futility=false, ", (True, True)), ("probcut=true, ", (True, False))):
        algorithm = load_algorithm(f"pvs(bounds=false, {more}{off})")
        assert (algorithm.is_exact_in(silent), algorithm.is_exact_in(othello)) == exact
    for more in ("width=2", "database=folder", "paths=practical"):
        assert not load_algorithm(f"pvs(bounds=false, {more}, {off})").is_exact_in(silent)
    # If `pvs` has only exact options, statistics and comparisons call it exact.
    algorithms = parse_algorithms(f"minimax,pvs(bounds=false, {off}, memory=1)")
    rows = list(measure(silent, silent.initial(), algorithms, SHALLOW, speed="interpreted"))
    assert agreement(rows) == (2, True)
    s = silent.result(silent.initial(), 0)
    wanted = find(silent, s, "pvs(exact=true, memory=1)", 4)
    assert facts(find(silent, s, f"pvs({off}, memory=1)", 4)) | {"algorithm": ""} == facts(wanted) | {"algorithm": ""}


class Waiting(SelectiveGame[tuple[int, ...]]):
    """A game with a zugzwang that the estimate does not show.

    Max wins after a pass, because Min must move; Max does not win after a move.

    At the root, Max can take a draw or start a long sequence of forced moves. At ply 2, Max is to move, and only a pass
    would win, because Min would then be in zugzwang.
    """

    passing_never_helps = True

    def __init__(self, length: int = 9) -> None:
        self.length = length

    def initial(self) -> tuple[int, ...]:
        return ()

    def player(self, s: tuple[int, ...]) -> int:
        return (len(s) + (9 in s)) % 2

    def moves(self, s: tuple[int, ...]) -> Iterator[int]:
        yield from (0, 1) if not s else (0,)

    def result(self, s: tuple[int, ...], m: int) -> tuple[int, ...]:
        return (*s, m)

    def make_null_move(self, s: tuple[int, ...]) -> tuple[int, ...]:
        return (*s, 9)

    def terminal(self, s: tuple[int, ...]) -> bool:
        return s[:1] == (0,) or len(s) >= self.length or self.is_lost(s)

    def is_lost(self, s: tuple[int, ...]) -> bool:
        """Whether Min has lost because Max passed at ply 2 and Min had to move."""
        return s[2:3] == (9,) and len(s) > 3

    def utility(self, s: tuple[int, ...]) -> float:
        return 1.0 if self.is_lost(s) else 0.0

    def evaluate(self, s: tuple[int, ...]) -> float:
        return 0.25

    def key(self, s: tuple[int, ...]) -> int:
        return hash(s)


@pytest.mark.parametrize("options", ["", "aspiration=false", "reductions=false, internal=false"])
def test_a_null_move_that_would_win_claims_no_win(options: str) -> None:
    game = Waiting()
    for depth in (5, 6, 7):
        result = find(game, game.initial(), f"pvs(memory=1, deepen=false, late=false, order=game, {options})", depth)
        assert 0 < result.value < game.MAXSCORE, "an estimate, even if it is the highest estimate"
        assert (result.distance, result.sees_the_end) == (None, False)
    whole = find(game, game.initial(), f"pvs(memory=1, {options})", FULL_DEPTH)
    assert (whole.value, whole.sees_the_end) == (0, True)


def test_a_mate_of_chess_is_found_and_proven() -> None:
    game = load("chess")
    s = game.parse("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1")  # a problem by P. Morphy; Black is in zugzwang
    result = find(game, s, "pvs(memory=1, null_move=false, reductions=false, late=false)", 4)
    assert (result.value, result.distance, result.bound) == (1000, 3, "exact")
    found_at = (
        next(depth for depth in range(1, 9) if find(game, s, f"{name}(memory=1)", depth).value == 1000)
        for name in ("pvs", "alphabeta")
    )
    page = (Path(__file__).parents[2] / "docs" / "explanation" / "selective-search.md").read_text(encoding="utf-8")
    assert "`pvs` finds the mate only at depth {}, and `alphabeta` finds it at depth {}.".format(*found_at) in page


def test_quiescence_sees_the_answer_to_a_capture() -> None:
    game = load("chess")
    s = game.parse("k7/3p4/4p3/8/8/8/4Q3/K7 w - - 0 1")  # Qxe6 loses the queen for a pawn
    assert find(game, s, "pvs(exact=true, memory=1)", 1).best == game.parse_move(s, "Qxe6")
    quiet = find(game, s, "pvs(memory=1)", 1)
    assert (quiet.value, quiet.best == game.parse_move(s, "Qxe6")) == (7.0, False)


# ProbCut. ----------------------------------------------------------------------------------------
def test_a_prediction_uses_about_half_the_depth_and_the_same_player_to_move() -> None:
    for depth in range(LEAST_DEPTH, 40):
        shallow = shallow_depth(depth)
        assert 1 <= shallow <= depth // 2 + (depth < 4)
        assert (depth - shallow) % 2 == 0


class Counted(TunedGame[int]):
    """A game whose state is the number of moves made so far. Max moves if the number is even, Min if it is odd."""

    MINSCORE, MAXSCORE = -1000, 1000
    win_or_loss = False

    def initial(self) -> int:
        return 0

    def player(self, s: int) -> int:
        return s % 2

    def moves(self, s: int) -> Iterator[int]:
        yield from (0, 1)

    def result(self, s: int, m: int) -> int:
        return s + 1

    def terminal(self, s: int) -> bool:
        return False

    def evaluate(self, s: int) -> float:
        return 7 * (s + 1) % 11 + 2.0 * s


def test_the_fitted_line_is_the_line_that_made_the_values() -> None:
    source = random.Random(1)
    values = []
    for _ in range(400):
        shallow = source.uniform(-20, 20)
        values.append({1: shallow, 3: 1.2 * shallow - 0.5 + source.gauss(0, 2), 2: source.uniform(-1, 1)})
    (fit,) = fit_lines(values)
    depth, shallow_plies, slope, intercept, deviation = fit.prediction
    assert (depth, shallow_plies, fit.positions) == (3, 1, 400)
    assert slope == pytest.approx(1.2, abs=0.05)
    assert intercept == pytest.approx(-0.5, abs=0.5)
    assert deviation == pytest.approx(2, rel=0.15)
    assert fit.correlation > 0.95


def test_probcut_chooses_the_bound_for_the_player_to_move() -> None:
    game = Counted()
    with SelectiveRunner(game, "interpreted") as runner:
        note_predictions(runner.record_of_parts, (Prediction(4, 2, 2.0, 3.0, 10.0),))
        runner.switch({"active": 1, "probcut": 1})
        parts = runner.selection.parts
        low, high = 100.0, 100.0 + parts.step

        def predict(s: int, depth: int = 4, ply: int = 1, threatened: bool = False) -> tuple[int, bool, float]:
            node = Node(low, high, game.player(s) == MAX, depth, ply, threatened)
            return choose_prediction(game, s, node, math.nan, runner.arguments)

        # The estimates are below 100, so ProbCut searches whether the value is at most 100 minus the margin of 15.
        assert predict(2) == (2, False, (100 - 15 - 3) / 2)
        assert predict(1) == (2, False, (100 - 15 + 3) / 2)
        # The estimates are above 100, so ProbCut searches whether the value is at least 100 plus the margin of 15.
        assert predict(60)[:2] == (2, True)
        assert predict(60)[2] == pytest.approx((100 + 15 - 3) / 2)
        assert [predict(2, depth=3)[0], predict(2, ply=0)[0], predict(2, threatened=True)[0]] == [NOTHING] * 3
        low, high = 100.0, 200.0
        assert predict(2)[0] == NOTHING, "ProbCut needs a null window"
        low, high = 1000.0, 1000.0 + parts.step
        assert predict(600)[0] == NOTHING, "the window is beyond all estimates"
        low, high = 20.0, 20.0 + parts.step
        assert [predict(s)[0] for s in (2, 40)] == [NOTHING, 2], "the estimate of position 2 is too close to the window"


def test_probcut_searches_fewer_nodes_and_proves_nothing() -> None:
    game = load("othello")
    s = playout(game, 5)[20]
    on, off = (find(game, s, f"pvs(memory=1, probcut={each}, reductions=false)", 5) for each in ("true", "false"))
    assert on.statistics.nodes < off.statistics.nodes
    assert not on.sees_the_end
    small = load("othello(size=6)")
    s = playout(small, 4)[8]
    on, off = (find(small, s, f"pvs(memory=1, probcut={each})", 4) for each in ("true", "false"))
    assert (on.value, on.statistics.nodes) == (off.value, off.statistics.nodes), "this board has no predictions"


def test_a_trace_reports_predictions_and_skipped_moves() -> None:
    told_of: list[str] = []
    chosen = ("othello", 5, 20, "probcut=true, reductions=false"), ("tictactoe", 1, 1, "width=2")
    for text, seed, ply, options in chosen:
        game = load(text)
        s = playout(game, seed)[ply]
        algorithm = load_algorithm(f"pvs(memory=1, {options})")
        recorder = Recorder(game, s, algorithm, most=1_200)
        result = search(game, s, algorithm, limits=Limits(depth=4, nodes=1_200), observer=recorder)
        recording = recorder.finish(result)
        told_of += explanations(Stepper(recording))
        assert read_recording(recording.text).nodes.keys() == recording.nodes.keys()
        if text == "tictactoe":
            assert all(set(node.left_out) <= {"width"} for node in recording.nodes.values())
            assert any(len(node.left_out["width"]) > 1 for node in recording.nodes.values() if node.left_out)
    told_text = "\n".join(told_of)
    for part in ("may predict that the value", "predicts a cutoff", "skipped: only the most plausible"):
        assert part in told_text


def test_bench_fits_the_predictions(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gamesearch.commands.measuring.bench.probcut.POSITIONS", 40)
    command = ["bench", "connect4(rows=5, columns=5)", "--probcut", "--depth", "3", "--speed", "interpreted"]
    assert run_command([*command, "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)["predictions"]
    assert (row["depth"], row["shallow"]) == (3, 1)
    assert row["deviation"] > 0
    assert run_command(command) == 0
    assert f"    Prediction(3, 1, {row['slope']:.4g}, " in capsys.readouterr().out
    for more in (["--depth", "2"], ["--parts"], ["--nodes", "5"]):
        assert run_command([*command, *more]) == 2
    assert run_command(["bench", "nim(heaps=2-2)", "--probcut", "--depth", "3", "--speed", "interpreted"]) == 2


# Enabled parts. ----------------------------------------------------------------------------------
def test_parts_without_gain_in_a_game_are_off_by_default() -> None:
    class Without(Counted):
        parts_off = ("extensions", "aspiration")

    game, plain = Without(), Counted()
    for part in PARTS:
        usual = load_algorithm("pvs")
        assert isinstance(usual, PrincipalVariationSearch)
        assert usual.is_on(part, plain) == (part not in TunedGame.parts_off)
        assert usual.is_on(part, game) == (part not in game.parts_off)
        for asked in (True, False):
            said = load_algorithm(f"pvs({part}={str(asked).lower()})")
            assert isinstance(said, PrincipalVariationSearch)
            assert said.is_on(part, game) == asked
    off = "pvs(memory=1, deepen=false, reductions=false, history=false, late=false"
    nodes = [
        find(each, 0, f"{off}{more})", 4).statistics.nodes
        for each, more in ((game, ""), (game, ", extensions=true"), (plain, ", extensions=false"), (plain, ""))
    ]
    assert nodes[0] == nodes[2]
    assert nodes[1] == nodes[3]


@pytest.mark.parametrize("name", FOR_TWO)
def test_parts_that_a_game_turns_off_exist(name: str) -> None:
    game = load(name)
    if isinstance(game, TunedGame):
        assert set(game.parts_off) <= PARTS.keys()
        assert [each.depth for each in game.predictions()] == sorted({each.depth for each in game.predictions()})
        assert all(0 < each.shallow < each.depth and each.slope > 0 for each in game.predictions())


def test_bench_answers_a_suite_with_each_choice_of_parts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    suite = tmp_path / "mates.epd"
    suite.write_text(
        'k7/8/1K6/8/8/8/8/7R w - - bm Rh8#; id "mate";\n6k1/5ppp/8/8/8/8/8/R6K w - - am Ra2; id "quiet";\n'
    )
    command = ["bench", "chess", "7k/8/5K2/6Q1/8/8/8/8 w - - 0 1", "--parts", "--depth", "1"]
    more = ["--suite", str(suite), "--nodes", "60", "--speed", "interpreted", "--json"]
    assert run_command([*command, *more]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert all((row["right"], row["problems"]) == (2, 2) for row in rows)
    assert run_command(["bench", "chess", "--suite", str(suite)]) == 2


def test_bench_measures_the_parts(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        run_command(["bench", "tictactoe", "XO.......", "--parts", "--depth", "2", "--speed", "interpreted", "--json"])
        == 0
    )
    assert set(TERMS) <= set(PARTS)
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert [row["parts"] for row in rows[:3]] == ["no part", "by default", "all parts"]
    parts = [row["parts"].removeprefix("only ") for row in rows if row["parts"].startswith("only ")]
    expected = ["reductions", "extensions", "internal", "aspiration", "deeper", "history", "late", "improving"]
    assert parts == expected, "only these parts can matter in tic-tac-toe"
    assert [row["parts"] for row in rows[3 : -len(parts)]] == [f"without {part}" for part in parts]
    assert all(row["nodes"] > 0 for row in rows)
