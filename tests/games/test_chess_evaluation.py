"""The tapered evaluation of chess."""

from typing import Any

import chess
import numpy as np
import pytest
from choices import only_with_everything
from support import facts, playout

from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.engine.result import Limits
from gamesearch.algorithms.engine.searcher import Searcher
from gamesearch.api import search
from gamesearch.commands.solving.analyze.explanation import terms_of
from gamesearch.registry import load, specification_of

pytestmark = pytest.mark.xdist_group("chess")


def tapered() -> Any:
    """Return chess with the tapered evaluation."""
    return load("chess(features=tapered)")


def positions(count: int) -> list[Any]:
    """Return positions of random games."""
    game = tapered()
    return [s for seed in range(count) for s in playout(game, seed)[::5] if not game.terminal(s)]


def test_it_is_the_evaluation_that_comes_with_gamesearch() -> None:
    game = tapered()
    assert load(specification_of(game)) == load("chess(features=tapered)") == game
    assert load("chess(variant=chess960, weights=learned)").weights == game.weights
    learned: Any = load("chess(weights=learned)")
    corrections = [learned.evaluate(s) - game.evaluate(s) for s in positions(4)]
    assert 0.05 < np.std(corrections) < 1.5
    assert all(learned.own_estimate(s) == game.evaluate(s) for s in positions(1))
    for text in ("chess", "chess(values=kaufman)", "chess(features=material+mobility)"):
        assert load(text).feature_names[0] == "material"


@pytest.mark.parametrize("weights", ["terms", "learned"])
def test_the_mirrored_position_has_the_opposite_value(weights: str) -> None:
    game = load(f"chess(weights={weights})")
    for s in positions(6):
        mirrored = game.parse(chess.Board(game.format(s)).mirror().fen())
        assert game.evaluate(mirrored) == pytest.approx(-game.evaluate(s))
        flipped = chess.Board(game.format(s)).transform(chess.flip_horizontal)
        flipped.castling_rights, flipped.ep_square = chess.BB_EMPTY, None
        assert game.evaluate(game.parse(flipped.fen())) == pytest.approx(game.evaluate(s))


def test_it_is_the_sum_of_its_terms() -> None:
    game, source = tapered(), np.random.default_rng(1)
    game.weights = source.normal(0, 1, len(game.weights))
    for s in positions(3):
        assert game.evaluate(s) == pytest.approx(np.dot(game.features(s), game.weights))
        assert game.evaluate(s) == pytest.approx(sum(term.product for term in terms_of(game, s)))


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("8/3k4/8/3P4/8/3K4/8/8 w - - 0 1", "8/8/3k4/8/3P4/3K4/8/8 w - - 0 1"),  # a pawn that has advanced
        ("4k3/8/8/8/8/8/PP6/4K3 w - - 0 1", "4k3/8/8/8/8/P7/P7/4K3 w - - 0 1"),  # pawns that are not doubled
        ("4k3/pp6/8/8/8/8/PP6/R3K3 w - - 0 1", "4k3/pp6/8/8/8/8/PP6/4KB2 w - - 0 1"),  # a rook, not a bishop
        ("4k3/p7/8/8/8/8/P7/3RK3 w - - 0 1", "4k3/p7/8/8/8/8/P7/R3K3 w - - 0 1"),  # a rook on an open file
        ("rn1q1rk1/5ppp/8/8/8/8/5PPP/RN1Q1RK1 w - - 0 1", "rn1q1rk1/5ppp/8/8/8/8/PPP5/RN1Q1RK1 w - - 0 1"),
        ("4k3/p6p/8/3N4/2P5/8/P6P/4K3 w - - 0 1", "4k3/p6p/8/8/2P5/8/P6P/N3K3 w - - 0 1"),  # an outpost
        ("4k3/5ppp/4b3/8/4B3/8/5PPP/4K3 w - - 0 1", "4k3/5ppp/4b3/8/8/8/5PPP/4K3 w - - 0 1"),
    ],
)
def test_better_positions_have_greater_values(better: str, worse: str) -> None:
    game = tapered()
    assert game.evaluate(game.parse(better)) > game.evaluate(game.parse(worse))


@pytest.mark.parametrize(
    ("position", "is_drawn"),
    [
        ("8/8/4k3/8/8/2N5/2K5/8 w - - 0 1", True),
        ("8/8/4k3/8/8/2N1N3/2K5/8 w - - 0 1", True),
        ("8/8/4k3/4b3/8/2R5/2K5/8 w - - 0 1", True),
        ("k7/8/8/P7/8/4B3/2K5/8 w - - 0 1", True),  # the bishop does not control a8
        ("k7/8/8/P7/8/3B4/2K5/8 w - - 0 1", False),  # this one does
        ("8/8/4k3/8/8/3BB3/2K5/8 w - - 0 1", False),
        ("8/8/4k3/8/8/2R5/2K5/8 w - - 0 1", False),
    ],
)
def test_endgames_that_cannot_be_won_are_nearly_drawn(position: str, is_drawn: bool) -> None:
    game = tapered()
    value = game.evaluate(game.parse(position))
    assert (abs(value) < 1) == is_drawn


@only_with_everything
@pytest.mark.parametrize(
    "position",
    [
        "8/8/8/2k5/8/8/3QK3/8 w - - 0 1",
        "8/8/8/2k5/8/8/3RK3/8 w - - 0 1",
        "8/8/8/3k4/8/8/2BBK3/8 w - - 0 1",
        "8/8/8/3k4/8/8/2BNK3/8 w - - 0 1",
    ],
)
def test_elementary_mates_are_found(position: str) -> None:
    game = load("chess")
    s, past = game.parse(position), list[Any]()
    with Searcher(tapered(), load_algorithm("pvs(endgame=true, paths=practical)")) as searcher:
        while not game.terminal(s):
            found = searcher.search(s, Limits(nodes=8000), past=past)
            assert found.best is not None
            past.append(s)
            s = game.result(s, found.best)
    assert game.utility(s) == game.MAXSCORE


@only_with_everything
def test_both_speeds_visit_the_same_nodes() -> None:
    game = tapered()
    for s in positions(1)[2:14:4]:
        found = [search(game, s, "pvs(depth=4, memory=1)", speed=speed) for speed in ("interpreted", "compiled")]
        assert facts(found[0]) == facts(found[1])
