"""Sessions of the GTP server: for a given input, the server prints the expected output."""

import io
import sys

import pytest

from gamesearch.cli import run
from gamesearch.play.clock import RESERVE
from gamesearch.play.serving.gtp_server import GtpServer, load_server_algorithm
from gamesearch.registry import load


def answers(text: str, game: str = "go(size=5)", algorithm: str = "alphabeta(depth=1)") -> list[str]:
    """Return the answers of a GTP server to the lines of an input text."""
    said: list[str] = []
    server = GtpServer(load(game), load_server_algorithm(algorithm, 0.0), said.append, "interpreted")
    server.run(text.splitlines(keepends=True))
    return said


def test_administration() -> None:
    said = answers(
        "1 protocol_version\nname\n\n  # a comment\n22 known_command genmove # and more\nknown_command\nquit\nname\n"
    )
    assert said == ["=1 2\n\n", "= gamesearch\n\n", "=22 true\n\n", "= false\n\n", "=\n\n"]
    (listed,) = answers("list_commands")
    required = "protocol_version name version known_command list_commands quit boardsize clear_board komi play genmove"
    assert set(required.split()) <= set(listed[2:].split())


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("7 foo", "?7 unknown command\n\n"),
        ("3", "?3 a command is missing\n\n"),
        ("boardsize -3", "? boardsize not an integer\n\n"),
        ("komi nan", "? komi not a float\n\n"),
        ("play black", "? invalid color or coordinate\n\n"),
        ("play green A1", "? invalid color or coordinate\n\n"),
        ("play black I3", "? invalid color or coordinate\n\n"),
        ("play black Z9", "? invalid color or coordinate\n\n"),
        ("play black A6", "? invalid color or coordinate\n\n"),
        ("undo", "? cannot undo\n\n"),
        ("time_settings 1 2", "? syntax error\n\n"),
        ("time_left black soon 0", "? syntax error\n\n"),
        ("\x01na\x7fme\x02", "= gamesearch\n\n"),
    ],
)
def test_mistakes_get_an_error_message_and_change_nothing(line: str, answer: str) -> None:
    assert answers(f"{line}\nfinal_score\n") == [answer, "= 0\n\n"]


def test_learned_weights_are_used_in_games_in_which_they_are_stronger() -> None:
    said: list[str] = []
    algorithm = load_server_algorithm("alphabeta(depth=2)", 0.0)
    server = GtpServer(load("othello"), algorithm, said.append, "interpreted", learned=True)
    assert server.player.evaluation_game is not None
    server.run(["genmove black\n", "boardsize 6\n", "genmove black\n"])
    assert server.player.evaluation_game is None  # no weights have been learned for this smaller board
    assert [each[:2] for each in said] == ["= ", "=\n", "= "]


def test_a_game_of_go() -> None:
    said = answers("play black c3\nplay W C4\nplay b D4\nshowboard\nundo\nkomi 2.5\nfinal_score\n")
    assert "4 . . O X .\n3 . . X . .\n" in said[3]
    assert said[4:] == ["=\n\n", "=\n\n", "= W+2.5\n\n"]


def test_go_is_scored_without_dead_stones_after_two_passes() -> None:
    stones = "play b c3\nplay w b1\nplay b b2\nplay b b3\nplay w e5\n"
    asked = "final_score\nfinal_status_list dead\nfinal_status_list alive\nfinal_status_list seki\n"
    refused = "? cannot score: the game is not over\n\n"
    before = answers(f"{stones}{asked}")[5:]
    assert before == ["= B+1\n\n", refused, refused, refused]
    said = answers(f"{stones}play b pass\nplay w pass\n{asked}play b d4\nfinal_score\nfinal_status_list\n")[7:]
    assert said[0] == "= B+25\n\n"
    assert sorted(said[1][2:].split("\n")[:2]) == ["B1", "E5"]
    assert sorted(said[2][2:].split()) == ["B2", "B3", "C3"]
    assert said[3:] == ["=\n\n", "=\n\n", "= B+2\n\n", "? status is not one of alive, seki, dead\n\n"]


@pytest.mark.parametrize(
    ("game", "move"), [("othello", "d3"), ("hex", "i11"), ("gomoku", "J1"), ("go", "J1"), ("hex(swap=true)", "a2")]
)
def test_each_game_has_its_coordinates(game: str, move: str) -> None:
    said = answers(f"play black {move}\nplay white {move}\nundo\nplay black {move.upper()}\nplay white z9\n", game)
    assert said[1::3] == ["? illegal move\n\n", "? invalid color or coordinate\n\n"]
    assert [answer[0] for answer in said] == ["=", "?", "=", "=", "?"]


def test_any_komi_is_accepted_and_each_size_has_a_default_komi() -> None:
    said = answers("final_score\nkomi -1000.25\nfinal_score\nboardsize 5\nfinal_score\nkomi 1e9\n", "go")
    assert said == ["= W+7.5\n\n", "=\n\n", "= B+1000.25\n\n", "=\n\n", "= B+1000.25\n\n", "=\n\n"]
    assert answers("boardsize 5\nfinal_score\n", "go") == ["=\n\n", "= 0\n\n"]


@pytest.mark.parametrize(
    ("size", "count", "points"),
    [
        (19, 2, "D4 Q16"),
        (13, 9, "D4 K10 D10 K4 D7 K7 G4 G10 G7"),
        (9, 7, "C3 G7 C7 G3 C5 G5 E5"),
        (8, 4, "C3 F6 C6 F3"),
    ],
)
def test_fixed_handicaps_agree_with_the_protocol(size: int, count: int, points: str) -> None:
    """The expected points are listed in the specification of GTP 2, section 4.1.1."""
    said = answers(f"fixed_handicap {count}\nshowboard\nfixed_handicap 2\n", f"go(size={size}, komi=0)")
    assert said[0] == f"= {points}\n\n"
    assert said[1].count("X") == count
    assert said[2] == "? board not empty\n\n"


def test_handicaps_are_placed_and_white_moves() -> None:
    bad = "? bad vertex list\n\n"
    lines = "set_free_handicap A1\nset_free_handicap A1 A1\nset_free_handicap A1 pass\nset_free_handicap A1 Z9\n"
    said = answers(f"{lines}set_free_handicap A1 e5 C3\ngenmove white\nshowboard\n")
    assert said[:5] == [bad] * 4 + ["=\n\n"]
    assert said[6].count("X") == 3
    assert said[6].count("O") == 1
    assert answers("fixed_handicap 2\n") == ["? invalid number of stones\n\n"]
    assert answers("place_free_handicap 25\n", "go(size=9)")[0].count(" ") == 9
    assert answers("fixed_handicap 2\n", "hex") == ["? hex has no handicap\n\n"]


def test_the_swap_of_hex() -> None:
    said = answers(
        "play black a2\nplay white swap-pieces\nshowboard\nplay black swap-pieces\n", "hex(size=3, swap=true)"
    )
    assert said[:2] == ["=\n\n"] * 2
    assert " 1 . O .\n" in said[2]
    assert said[3] == "? illegal move\n\n"


def test_reg_genmove_changes_nothing() -> None:
    said = answers("reg_genmove black\nreg_genmove black\ngenmove black\n", "hex(size=3)")
    assert len(set(said)) == 1


@pytest.mark.parametrize(
    ("lines", "seconds"),
    [
        ("", None),
        ("time_settings 0 5 1", 5 - RESERVE),
        ("time_settings 0 5 0", None),
        ("time_settings 60 0 0", (60 - RESERVE) / 30),
        ("time_settings 60 10 2", (60 - RESERVE) / 30 + 4),
        ("time_settings 60 10 5\ntime_left black 8 4", (8 - RESERVE) / 4),
        ("time_settings 60 0 0\ntime_left black 0 0", 0.001),
    ],
)
def test_the_time_for_a_move_is_a_share_of_the_clock(lines: str, seconds: float | None) -> None:
    server = GtpServer(load("go(size=5)"), load_server_algorithm("minimax", 0.0), lambda _: None, "interpreted")
    server.run(lines.splitlines())
    clock = server.clock(0)
    assert (None if clock is None else clock.allowance(0)) == (None if seconds is None else pytest.approx(seconds))


def test_time_passes_without_time_left_commands() -> None:
    server = GtpServer(load("go(size=5)"), load_server_algorithm("minimax", 0.0), lambda _: None, "interpreted")
    server.run(["time_settings 10 6 3"])
    left = []
    for _ in range(6):
        server.spend(0, 4.0)
        left.append(server.left[0])
    assert left == [(6.0, 0), (2.0, 0), (4.0, 3), (0.0, 2), (-4.0, 1), (6.0, 3)]


def test_the_command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("boardsize 3\ngenmove b\n"))
    assert run(["gtp", "go", "--algorithm", "alphabeta(depth=1)", "--speed", "interpreted"]) == 0
    assert capsys.readouterr().out == "=\n\n= B2\n\n"
    assert run(["gtp", "chess"]) == 2
    assert "GTP is for boards with stones, not for chess" in capsys.readouterr().err


def test_in_go_any_color_may_move_at_any_time() -> None:
    said = answers("play white A1\nplay white B1\nplay black pass\nplay white pass\nplay black C3\nfinal_score\n")
    assert said[:5] == ["=\n\n"] * 5
    assert said[5] == "= W+1\n\n"
