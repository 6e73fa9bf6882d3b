"""Evaluation by patterns equals a slow second implementation, interpreted, compiled and in other processes."""

import base64
import json
import math
import pickle
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from choices import choose
from commands import output
from support import random_states

import gamesearch
from gamesearch.commands.solving.analyze.explanation import terms_of
from gamesearch.compiler import compilations
from gamesearch.errors import GamesearchError
from gamesearch.game import MAX, MIN
from gamesearch.learn.matches import RANDOM
from gamesearch.learned.evaluation import half_range
from gamesearch.learned.packed_files import LearnedPatterns, keep_predictions
from gamesearch.learned.patterns import (
    LARGEST_ESTIMATE,
    SYMMETRIES,
    PatternEvaluation,
    Patterns,
    choose_cells,
    patterns_of,
)
from gamesearch.learned.weights_files import MatchScore
from gamesearch.optional import Prediction, SelectiveGame, TunedGame
from gamesearch.registry import game_names, load, specification_of
from gamesearch.specification import format_specification

SHIPPED = Path(gamesearch.__file__).parent / "learned" / "shipped"


def write(
    path: Path, name: str, text: str = "own", seed: int = 1, unit: float = 0.0, alone: bool = False
) -> tuple[str, Patterns, Any]:
    """Write random weights to a file; return a game that reads this file, its patterns, and the weights.

    Symmetric patterns have equal weights. If `unit` is positive, the weights are measured in this unit, and the game's
    evaluation is added to their sum, unless `alone` is set.
    """
    adds = unit > 0 and not alone
    game: Any = load(name)
    patterns = patterns_of(game, choose_cells(game, text, seed))
    width = sum(patterns.sizes)
    weights = np.random.default_rng(seed).normal(0, 0.1, (patterns.stages, width))
    for number, twin in enumerate(patterns.twins.tolist()):
        while twin != number:
            weights[:, twin] = weights[:, number]
            twin = int(patterns.twins[twin])
    learned = LearnedPatterns(
        game=type(game).name, parameters=game.parameters(), method="td", games=10, seed=1, command="none",
        patterns=patterns.cells, symmetry=game.pattern_symmetry, things=patterns.things, stages=patterns.stages,
        unit_of_sum=unit, most_change=unit / 2, adds_to_own=adds,
    ).with_table(weights)  # fmt: skip
    path.write_text(learned.text())
    head = name[:-1] + ", " if name.endswith(")") else name + "("
    return f"{head}weights={path})", patterns, learned.weights("x", patterns.size)


def content(game: Any, s: Any, cell: int) -> int:
    """Return the content of a cell, or 0 if the cell is empty or the game has no board."""
    return next((i for i, board in enumerate(game.contents(s), 1) if board >> cell & 1), 0)


def slow_estimate(game: Any, patterns: Patterns, weights: Any, s: Any, own: float | None = None) -> float:
    """Compute the estimate by definition: add the weights of all patterns in all their different symmetric images.

    If each pattern is a single cell, empty cells have no weight.
    """
    start, total = game.stage(s) * sum(patterns.sizes), 0.0
    for cells, size in zip(patterns.cells, patterns.sizes, strict=True):
        seen = set()
        for taken in patterns.maps:
            image = [taken[cell] for cell in cells]
            if frozenset(image) not in seen:
                seen.add(frozenset(image))
                number = sum(patterns.things**i * content(game, s, cell) for i, cell in enumerate(image))
                total += 0.0 if game.is_by_cell and number == 0 else weights[start + number]
        start += size
    total, most = -total if game.player(s) == MIN else total, LARGEST_ESTIMATE * half_range(game)
    if own is not None:
        return float(max(-most, min(most, own + game.unit_of_sum[0] * total)))
    return float(game.draw_value() + most * math.tanh(total))


GAMES = [
    ("tictactoe", "6x4", 0.0), ("othello(size=6)", "own", 0.0), ("connect4(rows=4, columns=5)", "own", 0.0),
    ("tictactoe", "9x1", 0.0), ("chess", "own", 8.0), ("chess", "3x3", 3.0), ("checkers", "2x4", 7.0),
    ("draughts", "own", 500.0), ("morris(rings=2, men=5)", "own", 2.0), ("hex(size=8)", "4x5", 0.0),
]  # fmt: skip


@pytest.mark.parametrize(("name", "text", "unit"), GAMES)
def test_estimates_agree_with_the_definition(name: str, text: str, unit: float, tmp_path: Path) -> None:
    specification, patterns, weights = write(tmp_path / "weights.json", name, text, unit=unit, alone=text == "2x4")
    game: Any = load(specification)
    for s in random_states(game):
        own = load(name).evaluate(s) if unit and text != "2x4" else 0.0 if unit else None
        assert game.evaluate(s) == pytest.approx(slow_estimate(game, patterns, weights, s, own), abs=1e-9)
        parts, unknown = game.contributions(s), 0.0 if own is None else own
        total = math.fsum(each for _, each in parts)
        shown = unknown + unit * total if unit else LARGEST_ESTIMATE * half_range(game) * math.tanh(total)
        assert max(-95, min(95, shown)) == pytest.approx(max(-95, min(95, game.evaluate(s) - game.draw_value())))


@pytest.mark.parametrize("name", ["chess", "checkers", "draughts(size=6)"])
def test_exchanging_the_sides_keeps_the_estimate_for_the_player_to_move(name: str, tmp_path: Path) -> None:
    game: Any = load(write(tmp_path / "weights.json", name, unit=2.0)[0])
    for s in random_states(game):
        if name == "chess":
            other = game.state_of(game.board_of(s).mirror())
        else:
            swapped = game.turn_around(s.min_pieces), game.turn_around(s.max_pieces), game.turn_around(s.kings)
            other = s._replace(max_pieces=swapped[0], min_pieces=swapped[1], kings=swapped[2], turn=MAX + MIN - s.turn)
        assert game.contents(other) == game.contents(s)
        assert game.evaluate(other) == pytest.approx(-game.evaluate(s))


@pytest.mark.parametrize("symmetry", SYMMETRIES)
def test_symmetries_are_groups(symmetry: str) -> None:
    maps = gamesearch.learned.patterns.symmetry_maps({i: divmod(i, 3) for i in range(9)}, symmetry)
    tuples = {tuple(taken[i] for i in range(9)) for taken in maps}
    assert len(tuples) == len(maps) == len(SYMMETRIES[symmetry])
    assert {tuple(one[i] for i in other) for one in tuples for other in tuples} == tuples


@pytest.mark.xdist_group("patterns")
@pytest.mark.parametrize(
    ("name", "asked"),
    choose([("tictactoe", "minimax(depth=3)")], [("hex(size=4)", "pvs(depth=3)"), ("chess", "pvs(depth=3)")]),
)
def test_both_speeds_agree_and_other_weights_compile_nothing(name: str, asked: str, tmp_path: Path) -> None:
    found, started = [], list[str]()
    for seed, unit in ((1, 0.0), (2, 0.0), (3, 4.0), (4, 2.0)):
        game = load(write(tmp_path / f"{seed}.json", name, "own", seed, unit)[0])
        state = random_states(game)[20]
        with compilations(started.append, lambda _: None):
            fast = gamesearch.search(game, state, asked, speed="compiled")
        slow = gamesearch.search(game, state, asked, speed="interpreted")
        assert (fast.value, fast.best, fast.statistics.nodes) == (slow.value, slow.best, slow.statistics.nodes)
        assert len(started) <= 1 + (unit > 0)  # a sum with a unit and a sum without a unit need different code
        found.append(fast.value)
    assert len(set(found)) == 4


def test_specification_and_pickle_restore_a_game_with_patterns(tmp_path: Path) -> None:
    name = write(tmp_path / "weights.json", "tictactoe", "4x3")[0]
    game = load(name)
    assert [game.win_chance(value) for value in (-1.0, 0.0, 0.5)] == [0, 0.5, 0.75]
    assert load("tictactoe").win_chance(0.5) is None  # the game's handwritten evaluation is not a win probability
    for again in (load(specification_of(game)), pickle.loads(pickle.dumps(game))):
        assert type(again) is type(game)
        assert again == game
        assert [again.evaluate(s) for s in random_states(game)] == [game.evaluate(s) for s in random_states(game)]
    assert game != load("tictactoe")


def test_random_patterns_are_connected_and_reproducible() -> None:
    game: Any = load("connect4")
    cells = choose_cells(game, "20x6", 5)
    assert cells == choose_cells(game, "20x6", 5)
    assert cells != choose_cells(game, "20x6", 6)
    places = game.cells_of_patterns()
    for pattern in cells:
        joined = {pattern[0]}
        for _ in pattern:
            joined |= {each for each in pattern if gamesearch.learned.patterns.is_beside(places, each, joined)}
        assert joined == set(pattern)


def test_the_greatest_gain_of_a_move_uses_both_evaluations(tmp_path: Path) -> None:
    own: Any = load("chess")
    added: Any = load(write(tmp_path / "added.json", "chess", unit=3.0)[0])
    alone: Any = load(write(tmp_path / "alone.json", "chess")[0])
    state = own.parse("rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2")
    for move in own.steps(state):
        assert added.most_gain(state, move) == own.most_gain(state, move) + 1.5
        assert alone.most_gain(state, move) == SelectiveGame.most_gain(alone, state, move)


def test_an_explanation_adds_up_to_the_estimate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, alone in (("chess", False), ("checkers", True)):
        game: Any = load(write(tmp_path / f"{name}.json", name, unit=2.0, alone=alone)[0])
        for s in random_states(game, 5):
            terms = list(terms_of(game, s))
            assert math.fsum(each.amount * each.weight for each in terms) == pytest.approx(game.evaluate(s))
            assert (terms[0].name == "the game's own evaluation") is not alone
    arguments = ("--depth", "1", "--explain", "--speed", "interpreted")
    found = output(capsys, "analyze", "connect4(weights=learned)", "4453", *arguments)
    assert "cells " in found
    assert "all other places" in found
    assert "by a network" in output(capsys, "analyze", "backgammon(weights=learned)", "max 31", *arguments)


# Files. ------------------------------------------------------------------------------------------
def refusal(path: Path, data: Any, game: str = "tictactoe") -> str:
    path.write_text(data if isinstance(data, str) else json.dumps(data))
    with pytest.raises(GamesearchError) as found:
        load(f"{game}(weights={path})")
    assert "\n" not in str(found.value)
    return str(found.value)


def test_unsuitable_options_are_refused_in_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "weights.json"
    write(path, "tictactoe", "own")
    whole = path.read_text()
    data = json.loads(whole)
    assert "weights of tictactoe, not of connect4" in refusal(path, whole, "connect4")
    assert "version 9" in refusal(path, data | {"gamesearch weights": 9})
    for unit in (math.nan, "1", 0, -1.0, 1e308, True):
        assert "an invalid unit" in refusal(path, data | {"unit": unit})
    assert "table cannot be read" in refusal(path, data | {"table": 5})
    assert "the game in its header" in refusal(path, data | {"game": 5})
    assert "header is missing" in refusal(path, data | {"patterns": ["123"]})
    assert "header is missing" in refusal(path, data | {"patterns": [[0.5]]})
    for size in (2 * 161, 2 * 163, 10**8):  # the last table is not unpacked
        table = base64.b64encode(zlib.compress(bytes(size))).decode()
        assert "not have the 162 weights" in refusal(path, data | {"table": table})
    assert "table cannot be read" in refusal(path, data | {"table": data["table"][:-8] + "????????"})
    assert "not have the 162 weights" in refusal(path, data | {"table": data["table"][:-40]})
    assert "cannot have a pattern of the cells 0, 0" in refusal(path, data | {"patterns": [[0, 0]]})
    assert "weights.json does not fit: tictactoe cannot have a pattern of the cells 9" in refusal(
        path, data | {"patterns": [[9]]}
    )
    assert "stages or contents of" in refusal(path, data | {"stages": 2})
    for unit in (-1.0, math.nan, math.inf, "1", True):
        assert "header is missing" in refusal(path, data | {"unit_of_sum": unit})
        assert "header is missing" in refusal(path, data | {"most_change": unit})
    assert "header is missing" in refusal(path, data | {"adds_to_own": True})
    assert "header is missing" in refusal(path, data | {"adds_to_own": 1, "unit_of_sum": 1.0})
    assert "header is missing" in refusal(path, data | {"patterns": 3})
    for part in ("things", "unit", "table", "games", "beat"):
        assert "header is missing" in refusal(path, {name: data[name] for name in data if name != part})
    for cut in range(0, len(whole) - 2, 50):
        assert "is damaged" in refusal(path, whole[:cut])
    path.write_text(whole)
    with pytest.raises(GamesearchError, match=r"tictactoe\(\): give|no parameter|takes no"):
        load(f"tictactoe(size=4, weights={path})")


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("nim", "own", r"derive the game from gamesearch\.optional\.PatternGame"),
        ("tictactoe", "4y4", "not '4y4'"),
        ("tictactoe", "4x10", "at most 9 cells"),
        ("hex", "own", "patterns support only cells 0 to 63"),
    ],
)
def test_impossible_patterns_are_refused(name: str, text: str, said: str) -> None:
    with pytest.raises(GamesearchError, match=said):
        patterns_of(load(name), choose_cells(load(name), text, 0))


def test_shipped_weights_are_small_and_beat_the_weights_before() -> None:
    files = sorted(SHIPPED.glob("*.json"))
    assert sum(path.stat().st_size for path in files) <= 5_000_000
    assert {path.stem.removesuffix("_terms") for path in files} <= set(game_names())
    for path in (path for path in files if path.stem in game_names()):
        data = json.loads(path.read_text())
        game = load(format_specification(path.stem, {**data["parameters"], "weights": "learned"}))
        assert game.evaluate(game.initial()) is not None
        if "features" not in data:  # handwritten weights of features name no command that learned them
            commands = (f"gamesearch learn {path.stem}", f"gamesearch learn '{path.stem}(", "python -m benchmarks.")
            assert data["command"].startswith(commands)
        beaten = [MatchScore(**each) for each in data["beat"]]
        # `beat` contains only 40 games; docs/how-to/learn.md shows 200 games.
        assert all(each.interval[1] > 0.5 for each in beaten)
        assert all(each.points > 0.9 * each.games for each in beaten if each.opponent == RANDOM)


# Predictions of ProbCut. -------------------------------------------------------------------------
def test_predictions_are_measured_and_kept_in_the_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gamesearch.commands.measuring.bench.probcut.POSITIONS", 20)
    name, _, weights = write(tmp_path / "mine.json", "othello(size=6)", "4x3")
    before = load(name)
    assert isinstance(before, PatternEvaluation)
    assert before.predictions() == ()
    assert isinstance(before, TunedGame)
    assert "probcut" in before.parts_off
    text = output(capsys, "bench", name, "--probcut", "--depth", "4", "--save", "--json", "--speed", "interpreted")
    measured = json.loads(text)["predictions"]
    after: Any = load(name)
    assert [(each.depth, each.shallow) for each in after.predictions()] == [(3, 1), (4, 2)]
    for kept, each in zip(after.predictions(), measured, strict=True):
        assert kept[2:] == pytest.approx((each["slope"], each["intercept"], each["deviation"]), rel=1e-3)
    assert "probcut" not in after.parts_off
    assert list(after.pattern_weights) == list(weights)
    (tmp_path / "link.json").symlink_to(tmp_path / "mine.json")
    line = Prediction(5, 1, 1.0, 0.0, 2.0)
    keep_predictions(load(f"othello(size=6, weights={tmp_path / 'link.json'})"), [line])
    assert (tmp_path / "link.json").is_symlink()
    known: Any = load(name)
    assert known.predictions() == (*after.predictions(), line)


def test_damaged_predictions_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    write(path, "othello(size=6)", "4x3")
    data, whole = json.loads(path.read_text()), Prediction(3, 1, 1.0, 0.0, 2.0)._asdict()
    damages: list[dict[str, Any]] = [
        {"deviation": math.nan}, {"slope": "x"}, {"depth": 2.5}, {"slope": 0.0}, {"deviation": -1.0}, {"shallow": 3},
        {"depth": -500},
    ]  # fmt: skip
    for damaged in ({"depth": 3}, *(whole | damage for damage in damages)):
        assert "is damaged" in refusal(path, data | {"predictions": [damaged]}, "othello")


@pytest.mark.parametrize(
    ("name", "first", "last"),
    [
        ("tictactoe", "1", "9"),
        ("connect4(rows=4, columns=4)", "a1", "d4"),
        ("connect4(rows=5, columns=10)", "1/1", "5/10"),
        ("morris", "", ""),
        ("hex(size=4)", "a1", "d4"),
        ("chess", "0", "63"),
    ],
)
def test_cells_have_the_names_of_moves(name: str, first: str, last: str) -> None:
    game: Any = load(name)
    names = {cell: game.cell_name(cell) for cell in game.cells_of_patterns()}
    assert len(set(names.values())) == len(names)
    assert not first or (names[min(names)], names[max(names)]) == (first, last)
    if name in ("tictactoe", "morris", "hex(size=4)"):  # at the start, a piece can be placed on any cell
        s = game.initial()
        assert {game.move_name(s, m) for m in game.moves(s)} == set(names.values())
        for cell in names:
            after = game.result(s, game.parse_move(s, names[cell]))
            assert sum(int(each) for each in game.contents(after)) == 1 << cell
