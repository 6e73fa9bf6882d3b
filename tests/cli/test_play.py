import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from commands import Play

from gamesearch.algorithms.engine.result import Monitor, Progress
from gamesearch.cli.terminal import interruptible
from gamesearch.commands.play.setup import named_sides
from gamesearch.errors import GamesearchError
from gamesearch.play.match import Match
from gamesearch.play.players.loading import load_player
from gamesearch.play.sessions.session import Session, Settings
from gamesearch.registry import load

QUEEN = "k7/8/K7/8/8/8/8/2Q5 w - - 0 1"


# Whole matches. ----------------------------------------------------------------------------------
def test_a_match_from_standard_input(play: Play) -> None:
    code, output, errors = play("tictactoe", "--min", "alphabeta(depth=2)", typed="5\n9\n7\n8\n6\n")
    assert code == 0
    lines = output.splitlines()
    assert lines[:5] == [" 1  2  3", " 4  5  6", " 7  8  9", "1. X: 5", "2. O: 1"]
    assert lines[5].startswith("   value 0 for X, line 1")
    assert "nodes, depth 2" in lines[5]
    assert lines[-1].endswith("moves")
    assert errors == "X: human; O: alphabeta(depth=2)\n"
    assert "\x1b" not in output + errors
    assert output.isascii()


def test_two_algorithms(play: Play) -> None:
    code, output, _ = play("tictactoe", "--max", "alphabeta(depth=9)", "--min", "alphabeta(depth=9)")
    assert code == 0
    assert output.endswith("draw after 9 moves\n")
    assert output.count("\n   a draw, line ") == 8
    assert "\n   the only move\n" in output
    again = play("tictactoe", "--players", "alphabeta(depth=9), alphabeta(depth=9)")
    assert again[1] == output


@pytest.mark.parametrize("player", ["alphabeta(time=1000)", "minimax(depth=1)"])
def test_the_only_move_is_played_at_once(play: Play, player: str) -> None:
    code, output, _ = play("tictactoe", "XOX/XOO/OX.", "--max", "human", "--min", player, typed="hint\n9\n")
    assert code == 0
    assert "hint: 9\n   the only move\n" in output
    output = play("tictactoe", "XOX/XOO/OX.", "--max", player, "--min", "human")[1]
    assert "1. X: 9\n   the only move\n" in output
    assert "the only move" not in play("tictactoe", "XOX/XOO/OX.", "--max", "random", "--min", "human")[1]


def test_a_match_is_played_again_move_by_move(play: Play) -> None:
    player = "alphabeta(depth=4, deepen=true, table=true, memory=1, order=killer+history, bounds=true, endgame=true)"
    arguments = ("connect4(rows=4, columns=5)", "--players", f"{player},{player}")
    assert play(*arguments)[1] == play(*arguments)[1]
    typed = "3\nundo\n2\n3\nresign\n"
    with_a_hint = typed.replace("undo", "hint\nundo\nhint")
    moves = [
        re.findall(r"^\d+\. .*$", play(arguments[0], "--min", player, typed=text)[1], re.MULTILINE)
        for text in (typed, typed, with_a_hint)
    ]
    assert moves[0] == moves[1] == moves[2], "hints change nothing that is played"


def test_a_win_is_announced_and_taken(play: Play) -> None:
    code, output, _ = play("tictactoe", "XX./OO./...", "--players", "alphabeta(depth=9),random")
    assert code == 0
    assert "1. X: 3\n   X has won, line 3, " in output
    assert output.endswith("X wins after 1 move\n")


def test_go_says_what_is_counted_and_what_is_dead(play: Play) -> None:
    typed = "C3\nD4\nB2\npass\npass\n"
    code, output, _ = play("go(size=5, komi=2.5)", "--max", "human", "--min", "human", typed=typed)
    assert code == 0
    result, counted, dead, without = output.splitlines()[-4:]
    assert result == "White wins by 1.5 points after 5 moves"
    assert counted == "counted as it stands: Black 2, White 1 and 2.5 of komi"
    assert re.fullmatch(r"dead, by \d+00 random games from here: White's D4", dead)
    assert without == "without the dead: Black 25, White 0 and 2.5 of komi; Black wins by 22.5 points"
    recorded = json.loads(play("go(size=5, komi=2.5)", "--max", "human", "--min", "human", "--json", typed=typed)[1])
    assert (recorded["winner"], recorded["utility"]) == ("White", -1.5)
    assert recorded["final_status"]["dead"] == ["D4"]
    assert recorded["final_status"]["alive"] == ["B2", "C3"]
    assert (recorded["final_status"]["utility"], recorded["final_status"]["utility_without_dead"]) == (-1.5, 22.5)


def test_go_says_that_nothing_is_dead_and_nothing_where_nobody_counts(play: Play) -> None:
    output = play("go(size=5)", "--max", "human", "--min", "human", typed="C3\npass\npass\n")[1]
    assert output.endswith("Black 25, White 0\nnothing is dead, by 100 random games from here\n")
    empty = play("go(size=5)", "--max", "human", "--min", "human", typed="pass\npass\n")[1]
    assert empty.endswith("counted as it stands: Black 0, White 0\n")
    resigned = play("go(size=5)", "--max", "human", "--min", "human", typed="C3\nresign\n")[1]
    assert resigned.endswith("White resigned after 1 move: Black wins\n")
    assert "counted" not in play("go(size=5)", "--max", "human", "--min", "human", "--json", typed="C3\nresign\n")[1]


def test_human_on_the_other_side_and_two_humans(play: Play) -> None:
    code, output, _ = play("tictactoe", "--max", "random", "--min", "human", typed="resign\n")
    assert code == 0
    assert "1. X: " in output
    assert output.endswith("O resigned after 1 move: X wins\n")
    code, output, _ = play("tictactoe", "--min", "human", typed="1\n4\n2\n5\n3\n")
    assert code == 0
    assert output.endswith("X wins after 5 moves\n")


def test_three_players(play: Play) -> None:
    code, output, _ = play("[[(1,2,3),(3,2,1)],(2,2,2)]", "--min", "maxn(depth=3)", typed="a\n")
    assert code == 0
    assert output.splitlines()[-1].startswith("P3 wins after 2 moves: P1 gets 1, P2 gets 2, P3 gets 3")
    assert "\n   value (1, 2, 3), line a, " in output
    code, output, _ = play("[[(1,2,3),(3,2,1)],(2,2,2)]", "--min", "paranoid(depth=3)", typed="a\n")
    assert "\n   value 2 for P2, line a, " in output


def test_dice_are_rolled_and_shown(play: Play) -> None:
    arguments = ("pig(target=20)", "--max", "random(seed=1)", "--min", "random(seed=2)", "--seed", "5")
    code, output, _ = play(*arguments)
    assert code == 0
    assert re.search(r"^   (Max|Min) rolls [1-6]$", output, re.MULTILINE)
    assert "wins after" in output
    assert play(*arguments)[1] == output


def test_a_match_says_which_seed_plays_it_again(play: Play) -> None:
    for game in ("pig(target=10)", "tictactoe"):
        code, output, errors = play(game, "--players", "random,random")
        assert code == 0
        said = re.search(r"^--seed (\d+) repeats these dice and random moves$", errors, re.MULTILINE)
        assert said is not None
        assert play(game, "--players", "random,random", "--seed", said[1])[1] == output
    assert "--seed" not in play("tictactoe", "--players", "random(seed=1),random(seed=2)")[2]
    records = [json.loads(play("tictactoe", "--json", "--players", "random,random", "--seed", n)[1]) for n in "123456"]
    assert [record["seed"] for record in records] == [1, 2, 3, 4, 5, 6]
    assert len({tuple(record["moves"]) for record in records}) == 6


@pytest.mark.parametrize(
    ("game", "position", "typed", "why"),
    [
        ("chess", "8/8/K5R1/8/1b6/8/k7/8 b - - 98 170", "Ka1 Rg1+", "drawn by the fifty-move rule after 2 moves"),
        ("chess", "8/8/K7/8/1b6/8/kP6/8 b - - 8 170", "Kxb2", "drawn by insufficient material after 1 move"),
        ("chess", QUEEN, "Qc7", "drawn by stalemate after 1 move"),
        ("chess", QUEEN, 2 * "Qd1 Kb8 Qc1 Ka8 ", "drawn by repetition after 4 moves"),
        ("chess(rules=python-chess)", QUEEN, 2 * "Qd1 Kb8 Qc1 Ka8 ", "drawn by threefold repetition after 4 moves"),
        ("tictactoe", "XOX/XOO/OX.", "9", "draw after 1 move"),
    ],
)
def test_why_it_is_a_draw(play: Play, game: str, position: str, typed: str, why: str) -> None:
    code, output, _ = play(game, position, "--min", "human", typed=typed.replace(" ", "\n") + "\n")
    assert code == 0
    assert output.endswith(f"\n{why}\n")


def test_json_alone_is_on_standard_output(play: Play) -> None:
    code, output, errors = play("tictactoe", "--json", "--min", "human", typed="1\n4\n2\n5\n3\n")
    assert code == 0
    assert json.loads(output) == {
        "game": "tictactoe",
        "players": ["human", "human"],
        "seed": None,
        "position": ".../.../...",
        "moves": ["1", "4", "2", "5", "3"],
        "final": "XXX/OO./...",
        "result": "X wins after 5 moves",
        "winner": "X",
        "utility": 1.0,
    }
    assert "1. X: 1" in errors


def test_json_of_a_stopped_game(play: Play) -> None:
    code, output, _ = play("tictactoe", "--json", "--min", "human", typed="1\nquit\n")
    record = json.loads(output)
    assert code == 0
    assert record["moves"] == ["1"]
    assert record["winner"] is record["utility"] is None


def test_verbose_says_the_speed(play: Play) -> None:
    _, output, errors = play("tictactoe", "-v", "--min", "alphabeta(depth=1)", typed="1\n")
    assert errors.startswith("interpreted: --speed interpreted asks for it\n")
    assert output.count("s interpreted") == 1


# Commands. ---------------------------------------------------------------------------------------
def test_commands(play: Play) -> None:
    typed = "?\nmoves\n5\nhint\nundo\nredo\nundo\n\nboard\nflip\n9\nquit\n"
    code, output, errors = play("tictactoe", "--min", "alphabeta(depth=2)", typed=typed)
    assert code == 0
    assert "  undo       take back" in output
    assert "\n1 2 3 4 5 6 7 8 9\n" in output
    assert re.search(r"^hint: \d\n   a draw, line ", output, re.MULTILINE)
    assert " 9  8  7\n 6  5  4\n 3  2  1\n1. X: 9\n" in output
    assert "the game was stopped after 2 moves" in errors
    assert "saved" not in errors, "without a terminal, nothing is left in the user's folders"


def test_a_board_with_one_upper_side_is_not_turned(play: Play) -> None:
    _, output, errors = play("connect4", "--min", "human", typed="4\nflip\nboard\n")
    assert "this board has one upper side" in errors
    assert "7 6 5" not in output


def test_flip_turns_the_labels_too(play: Play) -> None:
    _, output, _ = play("chess", "--min", "human", typed="flip\n")
    assert "1  R  N  B  K  Q  B  N  R\n" in output
    assert "   h  g  f  e  d  c  b  a\n" in output


def test_a_new_game_has_other_dice(play: Play) -> None:
    code, output, errors = play("pig", "--min", "human", "--seed", "1", typed="roll\nnew\nroll\nquit\n")
    assert code == 0
    assert "a new game\n" in errors
    assert output.count("1. Max: roll") == 2
    assert "saved" not in errors, "without a terminal, nothing is left in the user's folders"
    assert "--seed 1 " in errors


def test_undo_takes_back_that_somebody_gave_up() -> None:
    game = load("tictactoe")
    session = Session(Match(game, game.initial(), [load_player("human", game)] * 2), Settings(name="tictactoe"))
    session.match.play(4)
    session.resign()
    assert session.match.is_over
    for text in ("1", "hint", "moves"):
        with pytest.raises(GamesearchError, match="the game is over"):
            session.read(text)
    session.obey(session.read("undo"))
    assert not session.match.is_over
    assert len(session.match.moves) == 1


def test_undo_and_redo_without_a_history(play: Play) -> None:
    _, _, errors = play("tictactoe", "--min", "random", typed="undo\nredo\n")
    assert "no move to take back" in errors
    assert "no move to redo" in errors


def test_swap(play: Play) -> None:
    code, output, errors = play("tictactoe", "--min", "alphabeta(depth=1)", typed="5\nswap\nresign\n")
    assert code == 0
    assert "X: alphabeta(depth=1); O: human" in errors
    assert "3. X: " in output
    assert output.endswith("O resigned after 3 moves: X wins\n")


@pytest.mark.parametrize(
    ("game", "typed", "sentence"),
    [
        ("pig", "rol1", "did you mean roll?"),
        ("chess", "Nf4", "'Nf4' is not a legal move here: did you mean f4 or Nf3?"),
        ("tictactoe", "qiut", "did you mean quit?"),
        ("gomoku", "qiut", "did you mean quit?"),
        ("tictactoe", "d2", "'d2' is not a legal move here: type moves for those that are"),
        ("go", "e5\ne5", "'e5' is taken\n"),
        ("hex", "e5\ne5", "'e5' is taken\n"),
        ("backgammon", "1/2", "'1/2' does not go down: the bar is 25, "),
        ("tictactoe", "x" * 10_000, "is not a legal move here"),
        ("tictactoe", "save", "save needs a name: save tictactoe.json"),
        ("tictactoe", "load", "load needs the name of a file"),
        ("tictactoe", "load nowhere.json", "there is no file nowhere.json"),
        ("tictactoe", "save nowhere/game.json", "there is no folder nowhere"),
    ],
)
def test_what_is_wrong_is_said_and_asked_again(play: Play, game: str, typed: str, sentence: str) -> None:
    code, _, errors = play(game, "--min", "human", typed=f"{typed}\nresign\n")
    assert code == 0
    assert sentence in errors
    assert "Traceback" not in errors


# The end of input, and bad input. ----------------------------------------------------------------
def test_running_out_of_moves(play: Play) -> None:
    code, _, errors = play("tictactoe", "--min", "random", typed="5\n")
    assert code == 1
    assert errors.endswith("the game was stopped after 2 moves: no more moves on standard input\n")


def test_empty_input(play: Play) -> None:
    code, _, errors = play("tictactoe", "--min", "random")
    assert code == 2
    assert errors.splitlines()[-1] == "gamesearch: standard input is empty: it should contain the moves, one per line"


# Ctrl-C. -----------------------------------------------------------------------------------------
class Interrupted:
    """Standard input whose user presses Ctrl-C after the given lines."""

    def __init__(self, *lines: str) -> None:
        self.lines = list(lines)

    def isatty(self) -> bool:
        return False

    def readline(self, most: int = -1) -> str:
        if not self.lines:
            raise KeyboardInterrupt
        return self.lines.pop(0)


def test_ctrl_c_at_the_prompt_saves(play: Play, tmp_path: Path) -> None:
    code, _, errors = play("tictactoe", "--min", "random(seed=3)", stdin=Interrupted("5\n"))
    assert code == 130
    (saved,) = (tmp_path / "state" / "gamesearch" / "games").iterdir()
    assert json.loads(saved.read_text())["moves"][0] == "5"
    assert f"saved to {saved}\n" in errors
    again = f"gamesearch play {saved} --min 'random(seed=3)' --speed interpreted"
    assert errors.endswith(f"continue with: {again}\n")
    code, _, errors = play("tictactoe", "--min", "random(seed=3)", stdin=Interrupted())
    assert code == 130
    assert "saved" not in errors, "nothing was played"


@pytest.mark.skipif(threading.current_thread() is not threading.main_thread(), reason="signals need the main thread")
def test_the_first_ctrl_c_stops_a_search_and_the_second_is_raised() -> None:
    monitor = Monitor()
    with interruptible(monitor):
        assert not monitor.poll(Progress())
        os.kill(os.getpid(), signal.SIGINT)
        assert monitor.poll(Progress())
        assert monitor.interrupted
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_ctrl_c_while_an_algorithm_thinks_takes_the_best_move_so_far(
    play: Play, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    @contextlib.contextmanager
    def watching(ending: str) -> Iterator[Monitor]:
        def poll(progress: Progress) -> bool:
            if progress.nodes > 100 and not monitor.interrupted:  # during a search too deep to finish
                os.kill(os.getpid(), signal.SIGINT)
            return False

        monitor = Monitor(poll=poll, interval=0.01)
        yield monitor

    monkeypatch.setattr("gamesearch.commands.play.line_mode.watching", watching)
    code, output, errors = play("chess", "--min", "alphabeta(depth=20, deepen=true)", typed="e4\nresign\n")
    assert code == 0
    assert "interrupted: playing the best move so far" in errors
    assert "1... Black: " in output
    both = "alphabeta(depth=20, deepen=true)"
    code, output, errors = play("chess", "--players", f"{both},{both}")
    assert code == 130
    assert errors.count("interrupted: ") == 1
    assert "the game was stopped after 1 move\n" in errors
    assert len(list((tmp_path / "state" / "gamesearch" / "games").glob("chess-*.pgn"))) == 1


# Pipes. ------------------------------------------------------------------------------------------
def test_in_a_pipe_nothing_but_text() -> None:
    words = [sys.executable, "-m", "gamesearch", "play", "chess", "--max", "human", "--min", "random"]
    environment = {name: value for name, value in os.environ.items() if name != "FORCE_COLOR"}
    environment["PYTHONIOENCODING"] = "utf-8"
    done = subprocess.run(
        words, input="e4\nresign\n", capture_output=True, text=True, check=False, timeout=60, env=environment
    )
    assert done.returncode == 0
    assert done.stdout.isascii()
    assert "\x1b" not in done.stdout + done.stderr
    assert done.stdout.endswith("White resigned after 1 move: Black wins\n")


def started(*words: str, **environment: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "gamesearch", "play", *words]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, env=os.environ | environment)


@pytest.mark.parametrize("force_colour", ["", "1"])
def test_a_closed_pipe_ends_quietly_and_loses_nothing(tmp_path: Path, force_colour: str) -> None:
    file = tmp_path / "game.json"
    words = ("connect4", "--max", "random(seed=1)", "--min", "human", "--save", str(file))
    with started(*words, FORCE_COLOR=force_colour) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        assert process.stdout.readline().startswith("1. X: ")
        process.stdout.close()
        process.stdin.write("4\n")
        process.stdin.flush()
        said = process.stderr.read()
        process.stdin.close()
        assert process.wait(timeout=60) == 0
    assert "error" not in said.lower()
    assert f"gamesearch play {file} " in said
    assert len(json.loads(file.read_text())["moves"]) in (1, 2)


def test_a_game_goes_on_where_nobody_listens_to_the_notes(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    with started("tictactoe", "--min", "random(seed=1)", "--save", str(file)) as process:
        assert process.stdin
        assert process.stderr
        assert process.stderr.readline() == "X: human; O: random(seed=1)\n"
        process.stderr.close()
        process.stdin.write("5\nnonsense\nquit\n")
        process.stdin.close()
        assert process.wait(timeout=60) == 0
    assert json.loads(file.read_text())["moves"][0] == "5"


def test_another_program_can_play() -> None:
    """Each answer can be read before the next move is written."""
    with started("tictactoe", "--min", "alphabeta", "--speed", "interpreted") as process:
        assert process.stdin
        assert process.stdout
        assert "".join(process.stdout.readline() for _ in range(3)).split() == list("123456789")
        process.stdin.write("5\n")
        process.stdin.flush()
        assert process.stdout.readline() == "1. X: 5\n"
        assert process.stdout.readline() == "2. O: 1\n"
        process.communicate()


@pytest.mark.parametrize(
    ("game", "typed", "written"),
    [
        ("chess", "1. e4", "1. White: e4"),
        ("chess", "ng1-f3", "1. White: Nf3"),
        ("chess", "e2 to e4", "1. White: e4"),
        ("chess", "Nf3!?", "1. White: Nf3"),
        ("checkers", "11-15!", "1. Black: 11-15"),
        ("checkers", "11 to 15", "1. Black: 11-15"),
        ("tictactoe", "b2", "1. X: 5"),
        ("tictactoe", "C3", "1. X: 9"),
        ("connect4", "d", "1. X: 4"),
    ],
)
def test_moves_as_people_write_them(play: Play, game: str, typed: str, written: str) -> None:
    _, output, _ = play(game, "--min", "human", typed=f"{typed}\n")
    assert f"{written}\n" in output


def test_a_result_is_said_in_words(play: Play) -> None:
    _, output, _ = play("connect4", "121212", "--min", "human", typed="1\n")
    assert output.endswith("X wins after 1 move\n")
    _, output, _ = play("dotsandboxes(rows=1, columns=1)", "a1-b1 a1-a2 a2-b2", "--min", "human", typed="b1-b2\n")
    assert output.endswith("B wins by 1 box after 1 move\n")


# Strength. ---------------------------------------------------------------------------------------
def test_the_computer_plays_at_a_level(play: Play) -> None:
    code, _, errors = play("tictactoe", "--level", "Easy", typed="5\nquit\n")
    assert code == 0
    assert "X: human; O: computer(level=easy)\n" in errors
    assert "--seed " in errors
    _, output, errors = play("tictactoe", "--min", "human", "--level", "3", "--seed", "1", typed="quit\n")
    assert "X: computer(level=3); O: human\n" in errors
    again = play("tictactoe", "--min", "human", "--level", "3", "--seed", "1", typed="quit\n")[1]
    assert output == again
    _, _, errors = play("tictactoe", "--max", "random(seed=1)", "--level", "1", "--seed", "4", "--save", "game.json")
    assert "X: random(seed=1); O: computer(level=1)\n" in errors


def test_nobody_is_asked_where_nobody_is_there(play: Play) -> None:
    code, output, errors = play(typed="tictactoe\n")
    assert (code, output) == (2, "")
    assert errors == ("gamesearch: play needs the name of a game, such as tictactoe: gamesearch games lists them\n")


def test_a_game_of_three_asks_for_one_of_three_sides() -> None:
    sides = ["P1", "P2", "P3"]
    assert [named_sides(text, sides) for text in ("", "p2", "3", "4", "all", "5", "none")] == [
        {0}, {1}, {2}, {0, 1, 2}, {0, 1, 2}, set(), set(),
    ]  # fmt: skip


def test_both_clocks_are_said_before_each_move_of_a_person(play: Play) -> None:
    code, _, errors = play("tictactoe", "--clock", "5m+3s", "--min", "random(seed=3)", typed="5\n")
    assert code == 1
    assert "X 5:00  O 5:00\n" in errors
    assert "X 5:02  O 5:0" in errors
    assert play("tictactoe", "--clock", "soon")[0] == 2
