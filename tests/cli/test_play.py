"""`gamesearch play` with typed lines: matches, commands, wrong input, Ctrl-C and pipes."""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from commands import Cli
from engine_support import fake_command

from gamesearch.algorithms.engine.result import Monitor, Progress
from gamesearch.cli.terminal import allow_interrupt
from gamesearch.commands.playing.play.setup import parse_sides
from gamesearch.errors import GamesearchError
from gamesearch.play.match import Match
from gamesearch.play.players.loading import load_player
from gamesearch.play.sessions.session import Session, Settings
from gamesearch.registry import load

QUEEN = "k7/8/K7/8/8/8/8/2Q5 w - - 0 1"
TWO = "--max human --min human"

pytestmark = pytest.mark.usefixtures("empty_folder")


# Whole matches. ----------------------------------------------------------------------------------
def test_a_match_from_standard_input(cli: Cli) -> None:
    output, errors = cli.run("play tictactoe --min alphabeta(depth=2)", typed="5\n9\n7\n8\n6\n")
    lines = output.splitlines()
    assert [line.split() for line in lines[:3]] == [["1", "2", "3"], ["4", "5", "6"], ["7", "8", "9"]]
    assert lines[3:5] == ["1. X: 5", "2. O: 1"]
    assert lines[5].startswith("   even, line 1")
    assert "nodes, depth 2" in lines[5]
    assert " after move " in lines[-1]
    assert errors == "X: human; O: alphabeta\n"
    assert output.isascii()


def test_two_algorithms(cli: Cli) -> None:
    output = cli.output("play tictactoe --max alphabeta(depth=9) --min alphabeta(depth=9)")
    assert output.endswith("draw after move 9\n")
    assert output.count("\n   a draw with best play, line ") == 8
    output = cli.output("play tictactoe XX./OO./... --players alphabeta(depth=9),random")
    assert "1. X: 3\n   X has won, line 3, " in output
    assert output.endswith("X wins after move 1\n")


def test_the_only_move_is_played_immediately(cli: Cli) -> None:
    last, player = "play tictactoe XOX/XOO/OX.", "alphabeta(time=1000)"
    assert "hint: 9\n   the only move\n" in cli.output(f"{last} --max human --min {player}", typed="hint\n9\n")
    assert "1. X: 9\n   the only move\n" in cli.output(f"{last} --max {player} --min human")
    assert "the only move" not in cli.output(f"{last} --max random --min human")


def test_a_match_is_repeated_move_by_move(cli: Cli) -> None:
    player = "alphabeta(depth=2, deepen=true, table=true, memory=1, order=killer+history, bounds=true, endgame=true)"
    command = ("play", "connect4(rows=4, columns=4)", "--players", f"{player},{player}")
    assert cli.output(*command) == cli.output(*command)
    typed = "3\nundo\n2\n3\nresign\n"
    moves = [
        re.findall(r"^\d+\. .*$", cli.output(*command[:2], "--min", player, typed=text), re.MULTILINE)
        for text in (typed, typed, typed.replace("undo", "hint\nundo\nhint"))
    ]
    assert moves[0] == moves[1] == moves[2], "hints do not change the moves"


def test_a_match_says_which_seed_repeats_it(cli: Cli) -> None:
    for game, parts in (("pig(target=10)", "dice and random moves"), ("tictactoe", "random moves")):
        output, errors = cli.run(f"play {game} --players random,random")
        said = re.search(rf"^--seed (\d+) repeats these {parts}$", errors, re.MULTILINE)
        assert said is not None
        assert cli.output(f"play {game} --players random,random --seed {said[1]}") == output
        records = [cli.data(f"play {game} --players random,random --seed {n}") for n in (1, 2, 3)]
        assert [record["seed"] for record in records] == [1, 2, 3]
        assert len({tuple(record["moves"]) for record in records}) == 3
    assert "--seed" not in cli.run("play tictactoe --players random(seed=1),random(seed=2)").err


def test_go_names_the_counted_points_and_the_dead_stones(cli: Cli) -> None:
    game, typed = f"play 'go(size=5, komi=2.5)' {TWO}", "C3\nD4\nB2\npass\npass\n"
    result, counted, dead, without = cli.output(game, typed=typed).splitlines()[-4:]
    assert result == "White wins by 1.5 points after move 5"
    assert counted == "score with all stones: Black 2, White 1 and 2.5 of komi"
    assert re.fullmatch(r"dead, according to \d+00 random games: White's D4", dead)
    assert without == "without dead stones: Black 25, White 0 and 2.5 of komi; Black wins by 22.5 points"
    recorded = cli.data(game, typed=typed)
    assert (recorded["winner"], recorded["utility"]) == ("White", -1.5)
    status = recorded["final_status"]
    assert (status["dead"], status["alive"]) == (["D4"], ["B2", "C3"])
    assert (status["utility"], status["utility_without_dead"]) == (-1.5, 22.5)
    game = f"play go(size=5) {TWO}"
    assert "White 0\nnothing is dead, according to 100 random games" in cli.output(game, typed="C3\npass\npass\n")
    assert cli.output(game, typed="pass\npass\n").endswith("score with all stones: Black 0, White 0\n")
    assert "score with" not in cli.output(game, "--json", typed="C3\nresign\n")


def test_the_result_in_words(cli: Cli) -> None:
    for game, position, typed, result in (
        ("chess", "8/8/K5R1/8/1b6/8/k7/8 b - - 98 170", "Ka1 Rg1+", "drawn by the fifty-move rule after move 171"),
        ("chess", "8/8/K7/8/1b6/8/kP6/8 b - - 8 170", "Kxb2", "drawn by insufficient material after move 170"),
        ("chess", QUEEN, "Qc7", "drawn by stalemate after move 1"),
        ("chess", QUEEN, 2 * "Qd1 Kb8 Qc1 Ka8 ", "drawn by repetition after move 4"),
        ("chess(rules=python-chess)", QUEEN, 2 * "Qd1 Kb8 Qc1 Ka8 ", "drawn by threefold repetition after move 4"),
        ("tictactoe", "XOX/XOO/OX.", "9", "draw after move 1"),
        ("connect4", "121212", "1", "X wins after move 7"),
        ("buildorder", "", "resign", "builder resigned before the first move"),
        ("dotsandboxes(rows=1, columns=1)", "a1-b1 a1-a2 a2-b2", "b1-b2", "B wins by 1 box after move 1"),
    ):
        output = cli.output("play", game, position, "--min", "human", typed=typed.replace(" ", "\n") + "\n")
        assert output.endswith(f"\n{result}\n"), (game, position)


def test_standard_output_contains_only_json(cli: Cli) -> None:
    output, errors = cli.run("play tictactoe --json --min human", typed="1\n4\n2\n5\n3\n")
    assert json.loads(output) == {
        "game": "tictactoe", "players": ["human", "human"], "seed": None, "position": ".../.../...",
        "moves": ["1", "4", "2", "5", "3"], "final": "XXX/OO./...", "result": "X wins after move 5", "winner": "X",
        "utility": 1.0,
    }  # fmt: skip
    assert "1. X: 1" in errors
    record = cli.data("play tictactoe --min human", typed="1\nquit\n")
    assert (record["moves"], record["winner"], record["utility"]) == (["1"], None, None)


# Commands. ---------------------------------------------------------------------------------------
def test_commands(cli: Cli) -> None:
    typed = "?\nmoves\n5\nhint\nundo\nredo\nundo\n\nboard\nflip\n9\nquit\n"
    output, errors = cli.run("play tictactoe --min alphabeta(depth=2)", typed=typed)
    assert "  undo       take back" in output
    assert "\n1 2 3 4 5 6 7 8 9\n" in output
    assert re.search(r"^hint: \d\n   (a draw with best play|estimate \S+ for X), line ", output, re.MULTILINE)
    assert " 9  8  7\n 6  5  4\n 3  2  1\n1. X: 9\n" in output
    assert "the game was stopped after move 2" in errors
    assert "saved" not in errors, "without a terminal, nothing is left in the user's folders"
    output, errors = cli.run("play tictactoe --min alphabeta(depth=1)", typed="5\nswap\nresign\n")
    assert "X: alphabeta; O: human" in errors
    assert "3. X: " in output
    assert output.endswith("O resigned after move 3: X wins\n")
    output = cli.output("play chess --min human", typed="flip\nquit\n")
    assert "1  R  N  B  K  Q  B  N  R\n" in output
    assert "   h  g  f  e  d  c  b  a\n" in output


def test_undo_takes_back_a_resignation() -> None:
    game = load("tictactoe")
    session = Session(Match(game, game.initial(), [load_player("human", game)] * 2), Settings(name="tictactoe"))
    session.match.play(4)
    session.resign()
    assert session.match.is_over
    for text in ("1", "hint", "moves", "redo", "resign", "swap"):
        with pytest.raises(GamesearchError, match="the game is over"):
            session.read(text)
    session.obey(session.read("undo"))
    assert not session.match.is_over
    assert len(session.match.moves) == 1


def test_wrong_input_is_reported_and_the_game_goes_on(cli: Cli) -> None:
    for game, typed, sentence in (
        ("chess", "Nf4", "'Nf4' is not a legal move here: did you mean f4 or Nf3?"),
        ("go", "e5\ne5", "'e5' is taken\n"),
        ("backgammon", "1/2", "'1/2' must go from higher to lower places: the bar (25), "),
        ("connect4", "flip", "this board has a fixed top"),
        ("tictactoe", "undo", "no move to take back"),
        ("tictactoe", "redo", "no move to redo"),
        ("tictactoe", "save", "save needs a name: save tictactoe.json"),
        ("tictactoe", "load", "load needs the name of a file"),
        ("tictactoe", "load nowhere.json", "there is no file nowhere.json"),
        ("tictactoe", "save nowhere/game.json", "there is no folder nowhere"),
    ):
        assert sentence in cli.run(f"play {game} --min human", typed=f"{typed}\nresign\n").err, sentence


def test_the_end_of_the_input_and_clocks_and_a_new_game(cli: Cli) -> None:
    errors = cli.run("play tictactoe -v --clock 5m+3s --min random(seed=3)", typed="5\n", code=1).err
    assert errors.startswith("interpreted: --speed interpreted was given\n")
    assert "X 5:00  O 5:00\n" in errors
    assert "X 5:02  O 5:0" in errors
    assert errors.endswith("the game was stopped after move 2: no more moves on standard input\n")
    errors = cli.run("play connect4(rows=5) --clock 19 --time 0.3", typed="hint\nquit\n").err
    assert re.search(r"X 0:19\.0  O 0:19\.0\nX 0:1(8\.[0-7]|[0-7])", errors), "the time for a hint counts"
    errors = cli.run("play tictactoe --min random", code=1).err
    assert errors.endswith("the game was stopped before the first move: standard input is empty\n")
    output, errors = cli.run("play pig --min human --seed 1", typed="roll\nnew\nroll\nquit\n")
    assert "a new game\n" in errors
    assert output.count("1. Max: roll") == 2, "a new game has other dice"
    assert "--seed 1 " in errors


def test_a_hint_without_a_line_names_only_the_evaluation(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gamesearch.commands.playing.play.line_mode.words.analysis_line", lambda *_, **__: "")
    for evaluation, printed in (("counts", "   counts\n"), ("", "")):
        monkeypatch.setattr(
            "gamesearch.commands.playing.play.line_mode.words.hint_evaluation", lambda *_, text=evaluation: text
        )
        output = cli.output("play tictactoe --min alphabeta(depth=2)", typed="hint\nquit\n")
        assert re.search(rf"^hint: \d\n{printed}\Z", output, re.MULTILINE)


def test_three_players(cli: Cli) -> None:
    game = "play [[(1,2,3),(3,2,1)],(2,2,2)]"
    output = cli.output(f"{game} --min maxn(depth=3)", typed="a\n")
    assert output.splitlines()[-1].startswith("P3 wins after move 2: P1 gets 1, P2 gets 2, P3 gets 3")
    assert "\n   value (1, 2, 3), line a, " in output
    sides = ["P1", "P2", "P3"]
    assert [parse_sides(text, sides) for text in ("p2", "3", "4", "all", "5", "none")] == [
        {1}, {2}, {0, 1, 2}, {0, 1, 2}, set(), set(),
    ]  # fmt: skip


def test_one_side_is_not_offered_twice() -> None:
    assert [parse_sides(text, ["builder"]) for text in ("1", "2", "none")] == [{0}, set(), set()]
    with pytest.raises(GamesearchError):
        parse_sides("3", ["builder"])


def test_a_program_that_fails_stops_the_game_and_one_that_resigns_loses(cli: Cli, tmp_path: Path) -> None:
    for behaviour, code, said in (
        ("crash", 1, "the game was stopped before the first move: external("),
        ("resign", 0, "X resigned before the first move: O wins"),
    ):
        player = f"external(path='{fake_command('external', behaviour, tmp_path / behaviour)}')"
        printed = cli.run("play tictactoe --min random(seed=1) --max", player, code=code)
        assert said in " ".join("".join(printed).split())


def test_the_computer_plays_at_a_level(cli: Cli) -> None:
    errors = cli.run("play tictactoe --level Easy", typed="5\nquit\n").err
    assert "X: human; O: computer, easy\n" in errors
    assert "--seed " in errors
    repeated = "play tictactoe --min human --level 3 --seed 1"
    output, errors = cli.run(repeated, typed="quit\n")
    assert "X: computer, level 3; O: human\n" in errors
    assert output == cli.output(repeated, typed="quit\n")
    assert "--ponder has no effect" in cli.run(f"{repeated} --ponder", typed="quit\n").err
    assert "--ponder" not in cli.run("play connect4 --speed auto --ponder", typed="quit\n").err
    errors = cli.run("play tictactoe --max random(seed=1) --level 1 --seed 4 --save game.json").err
    assert "X: random; O: computer, level 1\n" in errors


# Ctrl-C. -----------------------------------------------------------------------------------------
def test_the_first_ctrl_c_stops_a_search_and_the_second_is_raised() -> None:
    monitor = Monitor()
    with allow_interrupt(monitor):
        os.kill(os.getpid(), signal.SIGINT)
        assert monitor.poll(Progress())
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)


def test_ctrl_c_while_an_algorithm_thinks_takes_the_best_move_so_far(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    @contextlib.contextmanager
    def watching(ending: str) -> Iterator[Monitor]:
        def poll(progress: Progress) -> bool:
            if progress.nodes > 100 and not monitor.interrupted:  # the computer has started a search too deep to finish
                os.kill(os.getpid(), signal.SIGINT)
            return False

        monitor = Monitor(poll=poll, interval=0.01)
        yield monitor

    monkeypatch.setattr("gamesearch.commands.playing.play.line_mode.show_progress", watching)
    deep = "alphabeta(depth=20, deepen=true)"
    output, errors = cli.run("play chess --min", deep, typed="e4\nresign\n")
    assert "interrupted: playing the best move so far" in errors
    assert "1... Black: " in output
    errors = cli.run("play chess --players", f"{deep},{deep}", code=130).err
    assert errors.count("interrupted: ") == 1
    assert "the game was stopped after move 1\n" in errors
    assert len(list((tmp_path / "state" / "gamesearch" / "games").glob("chess-*.pgn"))) == 1


# Pipes. ------------------------------------------------------------------------------------------
def start_play(*words: str, **environment: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "gamesearch", "play", *words]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, env=os.environ | environment)


def test_another_program_plays_and_a_closed_pipe_loses_nothing(tmp_path: Path) -> None:
    """A program can play by reading each answer before it writes its next move."""
    file = tmp_path / "game.json"
    words = ("tictactoe", "--min", "alphabeta", "--speed", "interpreted", "--save", str(file))
    with start_play(*words, FORCE_COLOR="1") as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdin.write("5\n")
        process.stdin.flush()
        assert any("2. O: 1" in line for line in process.stdout)
        process.stdout.close()
        process.stdin.write("9\n")
        process.stdin.flush()
        said = process.stderr.read()
        process.stdin.close()
        assert process.wait(timeout=60) == 0
    assert "error" not in said.lower()
    assert f"gamesearch play {file} " in said
    assert json.loads(file.read_text())["moves"][:2] == ["5", "1"]


def test_a_game_for_one_player_names_no_opponent(cli: Cli) -> None:
    for line in ("play buildorder --clock 60", "games buildorder"):
        said = "".join(cli.run(line, typed="quit\n"))
        assert "builder" in said
        assert "nobody" not in said
