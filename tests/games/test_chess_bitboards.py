"""The chess rules on bitboards agree with the library python-chess."""

import pickle
import random

import chess
import pytest
from choices import EVERYTHING
from support import new_chess

from gamesearch.algorithms.node.repetition import REPETITIONS
from gamesearch.api import search
from gamesearch.commands.building.agree import RandomGame, choose_move, compare_games
from gamesearch.errors import GamesearchError
from gamesearch.game import CAPTURE
from gamesearch.games.capturing.chess.boards import decode
from gamesearch.games.capturing.chess.by_python_chess import ChessByPythonChess
from gamesearch.games.capturing.chess.features import FEATURES
from gamesearch.games.capturing.chess.rules import Chess
from gamesearch.registry import load, specification_of

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
MEASURED = "+".join(name for name in FEATURES if name not in ("checks", "hand"))
"""All evaluation features except "checks" and "hand", which only three-check and crazyhouse have."""

pytestmark = pytest.mark.xdist_group("chess")


def arrays(count: int) -> list[str]:
    """Return `count` random initial positions of Chess960."""
    source = random.Random(count)
    return [chess.Board.from_chess960_pos(source.randrange(960)).fen() for _ in range(count)]


@pytest.mark.parametrize(
    ("variant", "positions", "starts"),
    [
        ("standard", 9_000 if EVERYTHING else 600, ["", KIWIPETE]),
        ("chess960", 11_000 if EVERYTHING else 600, arrays(100)),
    ],
)
def test_python_chess_agrees(variant: str, positions: int, starts: list[str]) -> None:
    for values in ("standard", "evans"):
        ours, theirs = (
            new_chess(variant, values=values, features=MEASURED, rules=rules) for rules in ("usual", "python-chess")
        )
        found = compare_games(ours, theirs, positions // 2, starts=starts, seed=len(values), speed="interpreted")
        assert found is None


def test_repetitions_agree_with_python_chess() -> None:
    player, source, found = RandomGame(new_chess(), "interpreted"), random.Random(5), 0
    for start in 3 * [chess.STARTING_FEN, "6k1/7r/8/8/8/8/R7/1K6 w - - 0 1"]:
        player.begin(start)
        board = chess.Board(start)
        seen = player.examine()
        while not seen.is_over:
            move = choose_move(player, seen.moves, source)
            board.push(decode(move))
            player.make(move)
            seen = player.examine()
            assert board.is_repetition(seen.times)
            assert not board.is_repetition(seen.times + 1)
        found += seen.times == REPETITIONS
    assert found > 0


def test_players_get_the_moves_of_python_chess(monkeypatch: pytest.MonkeyPatch) -> None:
    game = new_chess()
    s = game.parse(KIWIPETE)
    legal = list(game.moves(s))
    assert game.steps(s) == legal
    assert len(legal) == 48
    monkeypatch.setattr(Chess, "moves", lambda self, s: iter(legal[:3]))
    assert game.steps(s) == legal


@pytest.mark.parametrize("position", [KIWIPETE, "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"])
def test_both_rules_visit_the_same_nodes(position: str) -> None:
    found = []
    for rules in ("usual", "python-chess"):
        game = new_chess(features="material+mobility+pair", rules=rules)
        result = search(
            game, game.parse(position), "alphabeta(depth=3, order=game+killer, table=true)", speed="interpreted"
        )
        found.append((result.value, result.line, result.statistics.nodes, result.statistics.cutoffs))
    assert found[0] == found[1]


@pytest.mark.parametrize(
    ("position", "move", "gain"),
    [
        ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "Rxe5", 100),  # nothing defends the pawn
        ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "Nxe5", -200),  # a knight for a pawn
        ("4k3/8/3p4/4p3/8/8/4R3/4K3 w - - 0 1", "Rxe5", -400),
        ("4k3/8/3p4/4p3/5P2/8/4R3/4K3 w - - 0 1", "fxe5", 100),
        ("k7/4P3/8/8/8/8/8/K7 w - - 0 1", "e8=Q", 800),
        ("k2r4/4P3/8/8/8/8/8/K7 w - - 0 1", "exd8=Q", 1300),
        ("1r1rk3/4P3/8/8/8/8/8/K7 w - - 0 1", "exd8=Q", 400),
        ("k7/8/8/3pP3/8/8/8/K7 w - d6 0 1", "exd6", 100),
        ("k7/8/8/4p3/8/2K5/8/4R3 w - - 0 1", "Kd3", 0),
        ("k3r3/4r3/8/4p3/8/8/4R3/K3R3 w - - 0 1", "Rxe5", -400),
        ("k7/4r3/8/4p3/8/8/4R3/K3R3 w - - 0 1", "Rxe5", 100),
        ("k7/8/3b4/4p3/8/8/8/K3R3 w - - 0 1", "Rd1", 300 - 300 + 0),
    ],
)
def test_gains_of_exchanges(position: str, move: str, gain: int) -> None:
    game = new_chess()
    s = game.parse(position)
    assert game.gain(s, game.parse_move(s, move)) == gain


def test_forcing_moves_include_all_captures_and_promotions_in_order() -> None:
    game, source, omitted = new_chess(), random.Random(8), 0
    for _ in range(4):
        s = game.initial()
        while not game.terminal(s):
            moves, forcing = list(game.moves(s)), list(game.forcing_moves(s))
            assert forcing == [each for each in moves if each in forcing]
            wanted = [each for each in moves if s.checkers or game.kind_of_move(s, each) == CAPTURE]
            assert set(wanted) <= set(forcing)
            omitted += len(moves) - len(forcing)
            s = game.result(s, source.choice(moves))
    assert omitted > 500


def test_variants_use_python_chess() -> None:
    assert not new_chess().interpreted_because
    assert not new_chess("chess960").interpreted_because
    for game in (new_chess("atomic"), new_chess(rules="python-chess"), new_chess("chess960", rules="python-chess")):
        assert type(game) is ChessByPythonChess
        assert "python-chess" in game.interpreted_because
        assert pickle.loads(pickle.dumps(game)) == load(specification_of(game)) == game
    with pytest.raises(
        GamesearchError, match=r"chess\(variant=atomic, .*rules of python-chess: create the game with gamesearch.load"
    ):
        Chess("atomic")
