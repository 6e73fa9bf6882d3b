"""Real engines, if they are installed, play a few moves and report on their searches."""

import random
from typing import Any

import pytest
from engine_support import need

from gamesearch.algorithms.engine.result import SearchResult
from gamesearch.cli import run
from gamesearch.game import CHANCE
from gamesearch.play.match import Match
from gamesearch.play.players.loading import load_player
from gamesearch.registry import load


def answers(text: str, name: str, most: int = 3, position: str = "") -> list[tuple[Any, SearchResult]]:
    """Play against a random player; return the player's first answers with their states; all moves must be legal."""
    game, start = load(name).setup(position)
    found: list[tuple[Any, SearchResult]] = []
    dice = random.Random(1)
    with load_player(text, game) as player:
        match = Match(game, start, [player, player], seed=3)
        while not match.is_over and len(found) < most:
            if match.turn == CHANCE:
                match.roll()
                continue
            if len(match.moves) % 2:
                match.play(dice.choice(match.steps))
                continue
            result = player.answer(match.player_turn())
            assert result.best in match.steps
            assert result.line[:1] == (result.best,)
            found.append((match.state, result))
            match.play(result.best)
    return found


@pytest.mark.parametrize(
    ("program", "text", "game"),
    [
        ("gnugo", 'gtp(path="gnugo --mode gtp --level 1")', "go(size=7, komi=5.5)"),
        ("gnugo", 'gtp(path="gnugo --mode gtp --level 1", time=1)', "go(size=5)"),
        ("gtp-rhino", 'gtp(path="gtp-rhino -l 1")', "othello"),
        ("stockfish", "uci(path=stockfish, depth=5, elo=1350, hash=1)", "chess"),
        ("stockfish", "uci(path=stockfish, nodes=100)", "chess(variant=chess960, start=7)"),
        ("gnuchess", 'uci(path="gnuchess --uci", depth=3)', "chess"),
        ("fairy-stockfish", "uci(path=fairy-stockfish, depth=4)", "chess(variant=crazyhouse)"),
        ("fairy-stockfish", "uci(path=fairy-stockfish, depth=4)", "chess(variant=threecheck)"),
    ],
)
def test_moves_are_legal(program: str, text: str, game: str) -> None:
    need(program)
    assert len(answers(text, game)) == 3


def test_stockfish_reports_its_search() -> None:
    need("stockfish")
    (_, result), *_ = answers("uci(path=stockfish, depth=8)", "chess", 1, "7k/8/8/8/8/8/R7/1R4K1 w - - 0 1")
    assert (result.value, result.distance) == (1000, 3)
    (_, result), *_ = answers("uci(path=stockfish, depth=5)", "chess", 1, "6k1/5ppp/8/8/8/8/q4PPP/6K1 w - - 0 1")
    assert isinstance(result.value, float)
    assert result.value < -3
    assert result.statistics.depth == 5
    assert result.statistics.nodes > 5


def test_gnubg_plays_published_openings() -> None:
    need("gnubg")
    game = load("backgammon")
    with load_player("gnubg(plies=0)", game) as player:
        for roll, best in (("31", "8/5 6/5"), ("42", "8/4 6/4"), ("61", "13/7 8/7")):
            for side, sign in (("max", 1), ("min", -1)):
                start = game.parse(f"4HPwATDgc/ABMA {side} {roll}")
                result = player.answer(Match(game, start, [player, player]).player_turn())
                assert result.best is not None
                assert game.move_name(start, result.best) == best
                assert isinstance(result.value, float)
                assert 0.05 < sign * result.value < 0.3


def test_gnu_go_reads_a_position_with_captured_stones(capsys: pytest.CaptureFixture[str]) -> None:
    need("gnugo")
    words = ["analyze", "go(size=5)", ".OO../.XXO./.X.../...../..... X", "--depth", "1", "--speed", "interpreted"]
    assert run([*words, "--ask", 'gtp(path="gnugo --mode gtp --level 1")']) == 0
    assert "plays" in capsys.readouterr().out.splitlines()[-1]
