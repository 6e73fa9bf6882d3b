import json
from typing import Any

import chess
import numpy as np
import pytest
from support import playout

from gamesearch.api import search
from gamesearch.cli import run
from gamesearch.commands.solving.analyze.explanation import terms_of
from gamesearch.errors import GamesearchError
from gamesearch.game import MAX, MIN
from gamesearch.games.capturing.chess.features import FEATURES
from gamesearch.games.capturing.chess.position import Position
from gamesearch.games.capturing.chess.rules import Chess
from gamesearch.play.match import Match
from gamesearch.play.players.player import Human
from gamesearch.registry import load, specification_of
from gamesearch.toolkit.bits import mix

pytestmark = pytest.mark.xdist_group("chess")
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
ALL_FEATURES = "+".join(name for name in FEATURES if name != "race")  # in "race", both sides run in one direction


def play_moves(game: Any, s: Position, names: str) -> Position:
    for name in names.split():
        s = game.result(s, game.parse_move(s, name))
    return s


def test_positions_that_are_not_yet_drawn() -> None:
    game = Chess()
    assert not game.terminal(game.parse("k7/8/8/8/8/8/8/K1R5 b - - 99 80"))
    assert not game.terminal(game.parse("startpos moves Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1"))
    # After a pawn move, no earlier position can repeat. A position with other castling rights is a different position.
    assert not game.terminal(game.parse("startpos moves Nf3 Nf6 Ng1 Ng8 e4 Nf6 Nf3 Ng8 Ng1 Nf6 Nf3 Ng8"))
    line = "4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves Kf1 Kf8 Ke1 Ke8 Kf1 Kf8 Ke1 Ke8"
    s = game.parse(line)
    assert not game.terminal(s)
    assert game.terminal(game.parse(line + " Kf1 Kf8"))
    by_python_chess = load("chess(rules=python-chess)")
    assert by_python_chess.terminal(play_moves(by_python_chess, by_python_chess.parse(line), "Kf1 Kf8"))
    # A mate on the hundredth ply wins.
    s = play_moves(game, game.parse("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 99 90"), "Rd8")
    assert game.terminal(s)
    assert game.utility(s) == 1000


def test_keys_distinguish_a1_from_f8() -> None:
    game = Chess()
    keys = [game.key(game.parse(f"{rows} w - - 0 1")) for rows in ("5R2/8/8/1k5K/8/8/8/8", "8/8/8/1k5K/8/8/8/R7")]
    assert len({mix(key) for key in keys}) == 2
    assert all(isinstance(part, int) for part in keys[0])


def test_keys_contain_only_possible_en_passant_captures() -> None:
    game = Chess()
    after = game.parse("startpos moves e4")
    assert game.key(after) == game.key(game.parse(game.format(after)))
    with_passing = "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1"
    assert game.key(game.parse(with_passing)) != game.key(game.parse(with_passing.replace("e3", "-")))


@pytest.mark.parametrize(
    ("name", "value"), [("standard", 0), ("kaufman", 0.5), ("fischer", 0.5), ("berliner", 0.26), ("turing", 1)]
)
def test_two_bishops_against_two_knights(name: str, value: float) -> None:
    game = Chess(values=name)
    assert game.evaluate(game.parse("k5nn/8/8/8/8/8/8/KBB5 w - - 0 1")) == pytest.approx(value)


def test_selected_features_and_weights() -> None:
    game = Chess(features="material+mobility:0.05+check")
    assert game.feature_names == ("material", "mobility", "check")
    assert game.weights == (1, 0.05, 0.5)
    s = game.parse(KIWIPETE)
    assert game.evaluate(s) == pytest.approx(sum(f * w for f, w in zip(game.features(s), game.weights, strict=True)))


@pytest.mark.parametrize("values", ["standard", "evans"])
def test_evaluation_is_antisymmetric(values: str) -> None:
    game = Chess(values=values, features=ALL_FEATURES)
    for s in playout(game, 3)[::5]:
        mirrored = game.state_of(game.board_of(s).mirror())
        assert game.evaluate(s) == -game.evaluate(mirrored)
        assert game.MINSCORE < game.evaluate(s) < game.MAXSCORE


@pytest.mark.parametrize("depth", [1, 2])
def test_among_equal_moves_one_towards_the_middle_is_played(depth: int) -> None:
    game = load("chess")
    algorithm = f"alphabeta(depth={depth}, table=true, order=game+previous+killer)"
    best = search(game, game.initial(), algorithm, speed="interpreted").best
    assert best is not None
    assert game.move_name(game.initial(), best) in ("e4", "d4", "Nf3", "Nc3")


def test_bad_pgn_header() -> None:
    with pytest.raises(GamesearchError, match="header"):
        Chess().record(Chess().initial(), [], {"Whi te": "Ann"})


def test_wins_in_variants_need_no_mate() -> None:
    atomic, crazyhouse = load("chess(atomic)"), load("chess(crazyhouse)")
    assert atomic.win_text(atomic.initial(), MAX, 3) == "White wins in 2 moves"
    assert crazyhouse.win_text(crazyhouse.initial(), MIN, 2) == "Black mates in 1"


@pytest.mark.parametrize(("rules", "drawn"), [("", True), ("rules=python-chess", True), ("draws=false", False)])
def test_moves_in_a_position_text_count_for_repetition(
    capsys: pytest.CaptureFixture[str], rules: str, drawn: bool
) -> None:
    text = "7k/8/8/8/8/8/P7/K7 w - - 0 1 moves Kb1 Kg8 Ka1 Kh8"
    command = ["analyze", f"chess({rules})", text, "--algorithm", "alphabeta(depth=1)", "--moves", "--json"]
    assert run([*command, "--speed", "interpreted"]) == 0
    values = {each["move"]: each["value"] for each in json.loads(capsys.readouterr().out)["moves"]}
    assert values == {"Kb2": 1, "a3": 1, "a4": 1, "Kb1": 0 if drawn else 1}


def test_without_draws_a_game_continues_after_repetitions() -> None:
    for text, is_over in (("chess", True), ("chess(draws=false)", False), ("chess(atomic, draws=false)", False)):
        game = load(text)
        match = Match(game, game.initial(), [Human(), Human()])
        for name in 2 * ["Nf3", "Nf6", "Ng1", "Ng8"]:
            match.play(game.parse_move(match.state, name))
        assert match.is_over == is_over


@pytest.mark.parametrize("rules", ["usual", "python-chess"])
@pytest.mark.parametrize(
    ("fen", "move", "cells"),
    [
        ("4k3/8/8/8/8/8/8/4KR2 w F - 0 1", "O-O", {"e1", "g1"}),
        ("4k3/8/8/8/8/8/8/1R3K2 w B - 0 1", "O-O-O", {"f1", "c1"}),
        ("r3k3/8/8/8/8/8/8/4K3 b a - 0 1", "O-O-O", {"e8", "c8"}),
        ("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "O-O", {"f1", "g1"}),
    ],
)
def test_castling_in_chess960_marks_the_squares_of_the_king(rules: str, fen: str, move: str, cells: set[str]) -> None:
    game: Any = load(f"chess(chess960, rules={rules})")
    s = game.parse(fen)
    after = game.result(s, game.parse_move(s, move))
    for state in (after, game.parse(f"{fen} moves {move}")):
        rows = enumerate(game.board(state).rows)
        marked = {f"{'abcdefgh'[x]}{8 - y}" for y, row in rows for x, cell in enumerate(row) if cell.marked}
        assert marked == cells


def test_piece_values_can_be_given_as_numbers() -> None:
    game: Any = load("chess(worths=[1, 3, 3, 5, 20, 0])")
    s = game.parse("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
    assert game.evaluate(s) == 20
    assert load(specification_of(game)) == game
    assert specification_of(load("chess(values=kaufman)")).count("worths") == 0
    assert specification_of(load("chess(values=lasker1947)")) == specification_of(load("chess(values=lasker)"))


# The tapered evaluation. --------------------------------------------------------------------------
def tapered_chess() -> Any:
    """Return chess with the tapered evaluation."""
    return load("chess(features=tapered)")


def positions(count: int) -> list[Any]:
    """Return positions of random games."""
    game = tapered_chess()
    return [s for seed in range(count) for s in playout(game, seed)[::5] if not game.terminal(s)]


def test_it_is_the_evaluation_that_comes_with_gamesearch() -> None:
    game = tapered_chess()
    assert load(specification_of(game)) == load("chess(features=tapered)") == game
    assert load("chess(variant=chess960, weights=learned)").weights == game.weights
    learned: Any = load("chess(weights=learned)")
    corrections = [learned.evaluate(s) - game.evaluate(s) for s in positions(4)]
    assert 0.05 < np.std(corrections) < 3
    assert all(learned.own_estimate(s) == game.evaluate(s) for s in positions(1))
    for text in ("chess", "chess(values=kaufman)", "chess(features=material+mobility)"):
        assert load(text).feature_names[0] == "material"


@pytest.mark.parametrize("weights", ["terms", "learned"])
def test_the_mirrored_position_has_the_opposite_value(weights: str) -> None:
    game = load(f"chess(weights={weights})")
    for s in positions(2):
        mirrored = game.parse(chess.Board(game.format(s)).mirror().fen())
        assert game.evaluate(mirrored) == pytest.approx(-game.evaluate(s))
        flipped = chess.Board(game.format(s)).transform(chess.flip_horizontal)
        flipped.castling_rights, flipped.ep_square = chess.BB_EMPTY, None
        assert game.evaluate(game.parse(flipped.fen())) == pytest.approx(game.evaluate(s))


def test_it_is_the_sum_of_its_terms() -> None:
    game, source = tapered_chess(), np.random.default_rng(1)
    game.weights = source.normal(0, 1, len(game.weights))
    for s in positions(1):
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
        ("k7/8/2K5/8/8/8/8/3Q4 w - - 0 1", "8/8/2K1k3/8/8/8/8/3Q4 w - - 0 1"),  # a bare king in a corner
        ("k7/8/1K6/8/8/8/8/3R4 w - - 0 1", "k7/8/8/8/8/8/1K6/3R4 w - - 0 1"),  # the kings are near to each other
        ("k7/8/2K5/8/8/8/8/3BN3 w - - 0 1", "8/8/8/8/8/2K5/8/k2BN3 w - - 0 1"),  # the corner of the bishop's color
    ],
)
def test_better_positions_have_greater_values(better: str, worse: str) -> None:
    game = tapered_chess()
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
    game = tapered_chess()
    value = game.evaluate(game.parse(position))
    assert (abs(value) < 1) == is_drawn
