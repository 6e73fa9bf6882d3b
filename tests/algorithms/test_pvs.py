"""Principal variation search: without parts it is alpha-beta; with them, what it claims is true."""

import json
import random
from typing import Any

import pytest
from support import facts, playout

from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.parts.result import Limits
from gamesearch.algorithms.parts.workspace import FULL_DEPTH
from gamesearch.algorithms.pvs import PARTS
from gamesearch.algorithms.selective.aspiration import aspiration
from gamesearch.algorithms.selective.depths import plies_reduced
from gamesearch.algorithms.selective.runner import null_step
from gamesearch.api import search
from gamesearch.cli import run as run_command
from gamesearch.errors import GamesearchError
from gamesearch.game import Game
from gamesearch.questions import Selective
from gamesearch.registry import game_names, load
from gamesearch.trace.recorder import Recorder
from gamesearch.trace.sentences import told
from gamesearch.trace.stepping import Stepper

ALL_OFF = ", ".join(f"{part}=false" for part in PARTS)
FOR_TWO = [name for name in game_names() if load(name).players <= 2 and not load(name).chance]


def found(game: Game[Any], s: Any, algorithm: str, depth: int, **given: Any) -> Any:
    return search(game, s, algorithm, limits=Limits(depth=depth, **given), speed="interpreted")


@pytest.mark.parametrize("name", FOR_TWO)
def test_without_parts_it_finds_the_value_of_alphabeta(name: str) -> None:
    game = load(name)
    states = playout(game, 5)
    for s in (states[0], states[len(states) // 3], states[-3:][0]):
        if game.terminal(s):
            continue
        width = len(game.steps(s))
        depth = 5 if width <= 5 else 3 if width <= 12 else 2 if width <= 40 else 1
        for bounds in ("true", "false"):
            wanted = found(game, s, f"alphabeta(bounds={bounds}, distance=false)", depth).value
            for options in ("exact=true", "exact=true, table=false, deepen=false", ALL_OFF):
                assert found(game, s, f"pvs(memory=1, {options}, bounds={bounds})", depth).value == wanted


def test_what_is_exact_says_so() -> None:
    assert load_algorithm("pvs(exact=true, bounds=false)").is_exact
    assert load_algorithm(f"pvs({ALL_OFF}, bounds=false)").is_exact
    assert not load_algorithm("pvs(bounds=false)").is_exact
    with pytest.raises(GamesearchError, match="width"):
        load_algorithm("pvs(exact=true, width=3)")


@pytest.mark.parametrize(
    "text", ["tictactoe", "connect4(rows=4, columns=4)", "kalah(pits=3, seeds=2)", "gomoku(size=4, connect=3)"]
)
@pytest.mark.parametrize("options", ["", "width=2", "bounds=false, width=1", "bounds=false, reductions=false"])
def test_what_it_claims_is_true(text: str, options: str) -> None:
    game, source = load(text), random.Random(text + options)
    claims = 0
    for seed in range(12):
        states = [s for s in playout(game, seed) if not game.terminal(s)]
        s = states[max(0, len(states) - 1 - source.randrange(7))]
        result = found(game, s, f"pvs(memory=1, {options})", source.randrange(1, 7))
        decided = game.win_or_loss and result.value in (game.MINSCORE, game.MAXSCORE)
        if result.sees_the_end or decided:
            claims += 1
            wanted = found(game, s, "alphabeta(table=true, memory=1, bounds=true, deepen=true)", FULL_DEPTH)
            assert result.value == wanted.value
            if result.distance is not None and wanted.distance is not None:
                assert result.distance >= wanted.distance
    assert claims or "width" in options


def test_a_search_to_the_end_proves_its_value_whatever_the_parts() -> None:
    game = load("tictactoe")
    for options in ("", "width=1", "null_move=false"):
        result = found(game, game.initial(), f"pvs(memory=1, {options})", FULL_DEPTH)
        assert (result.value, result.sees_the_end) == (0, True)


MATES = (
    ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 4, 3),  # P. Morphy
    ("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", 2, 1),
    ("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1", 2, 1),
)


@pytest.mark.parametrize(("position", "depth", "distance"), MATES)
def test_mates_of_chess_are_found_and_proven(position: str, depth: int, distance: int) -> None:
    game = load("chess")
    # To have to move is what loses in the first: passing, Black is safe.
    result = found(game, game.parse(position), "pvs(memory=1, null_move=false, reductions=false)", depth)
    assert (result.value, result.distance, result.bound) == (1000, distance, "exact")


def test_quiescence_sees_the_answer_to_a_capture() -> None:
    game = load("chess")
    s = game.parse("k7/3p4/4p3/8/8/8/4Q3/K7 w - - 0 1")  # Qxe6 loses the queen for a pawn
    assert found(game, s, "pvs(exact=true, memory=1)", 1).best == game.parse_move(s, "Qxe6")
    quiet = found(game, s, "pvs(memory=1)", 1)
    assert (quiet.value, quiet.best == game.parse_move(s, "Qxe6")) == (7.0, False)


def test_nobody_passes_in_check_and_passing_is_progress() -> None:
    game = load("chess")
    assert isinstance(game, Selective)
    s = game.parse("4k3/8/8/8/8/8/4r3/4K2R w K - 12 40")
    assert game.is_threatened(s)
    assert game.is_zugzwang_near(s)
    assert not game.is_zugzwang_near(game.initial())
    quiet = game.parse("4k3/p7/8/8/8/8/P7/4K3 w - - 12 40")
    passed = game.passed(quiet)
    assert game.is_zugzwang_near(quiet)
    assert game.player(passed) != game.player(quiet)
    assert game.progress(passed) > game.progress(quiet)


def test_width_follows_the_order_of_moves() -> None:
    game = load("chess")
    s = game.parse("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1")
    result = found(game, s, "pvs(width=1, memory=1, order=game, quiescence=false)", 1)
    assert result.best == game.parse_move(s, "exd5")
    assert result.statistics.nodes == 2


def test_it_stops_at_every_node_and_finds_the_same_again() -> None:
    game = load("gomoku(size=4, connect=3)")
    s = game.result(game.initial(), 5)
    whole = found(game, s, "pvs(memory=1, bounds=false)", 4)
    for nodes in range(1, min(200, whole.statistics.nodes), 13):
        first = found(game, s, "pvs(memory=1, bounds=false)", 4, nodes=nodes)
        assert first.statistics.nodes == nodes
        assert facts(first) == facts(found(game, s, "pvs(memory=1, bounds=false)", 4, nodes=nodes))


@pytest.mark.xdist_group("chess")
def test_both_speeds_agree_node_for_node_on_each_part() -> None:
    game = load("chess")
    states = playout(game, 3)
    choices = ["", "exact=true", "width=4", *(f"{part}=false" for part in PARTS)]
    for number, choice in enumerate(choices):
        s = states[5 * number % (len(states) - 1)]
        algorithm = f"pvs(memory=1, {choice})"
        fast = search(game, s, algorithm, limits=Limits(depth=3, nodes=200), speed="compiled")
        assert fast.statistics.speed == "compiled"
        assert facts(fast) == facts(found(game, s, algorithm, 3, nodes=200)), choice


def test_reductions_grow_with_depth_and_number() -> None:
    assert [plies_reduced(3, index) for index in (3, 8, 30)] == [0, 1, 1]
    table = [[plies_reduced(depth, index) for index in range(1, 40)] for depth in range(1, 20)]
    assert all(row == sorted(row) for row in table)
    assert all(list(column) == sorted(column) for column in zip(*table, strict=True))


def test_windows_are_opened_where_they_fail() -> None:
    tried = []

    def value_in(low: float, high: float) -> tuple[float, tuple[int, ...]]:
        tried.append((low, high))
        return 40.0, (1,)

    assert aspiration([0.0, 0.0, 0.0], -100, 100, value_in, lambda: False) == (40.0, (1,))
    assert [high for _, high in tried] == [0.5, 2.0, float("inf")]
    assert null_step(load("othello")) > 0


def test_a_trace_tells_why_each_node_is_searched() -> None:
    game = load("chess")
    s = game.parse("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR b KQkq - 3 3")
    algorithm = load_algorithm("pvs(memory=1, order=game)")
    recorder = Recorder(game, s, algorithm)
    result = search(game, s, algorithm, limits=Limits(depth=4, nodes=1_500), observer=recorder)
    recording = recorder.finish(result)
    purposes = {node.purpose for node in recording.nodes.values()}
    assert {"full", "scout", "reduced", "quiescence", "null move", "full window"} <= purposes
    text = "\n".join(told(Stepper(recording)))
    for part in ("only asks whether", "asks less deep", "only forcing moves", "passing is good enough", "standing pat"):
        assert part in text


def test_bench_measures_the_parts(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        run_command(["bench", "tictactoe", "XO.......", "--parts", "--depth", "2", "--speed", "interpreted", "--json"])
        == 0
    )
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert [row["parts"] for row in rows[:2]] == ["no part", "all parts"]
    assert len(rows) == 2 + 2 * len(PARTS)
    assert all(row["nodes"] > 0 for row in rows)
