"""`gamesearch play` with typed lines at a terminal, and the terminal's contents."""

import json
import shlex
import sys
import time
from pathlib import Path

import pytest
from terminal import Terminal


def test_a_match_with_lines_that_are_edited_and_recalled(terminal: Terminal) -> None:
    pytest.importorskip("readline")
    terminal.run("play", "--plain", "tictactoe", "--min", "alphabeta(depth=2)", "--speed", "interpreted")
    terminal.wait_for("X: human; O: alphabeta", "Type a move, or ? for the commands.", "move 1, X>")
    terminal.tmux("send-keys", "-l", "mov")
    terminal.press("Tab")
    terminal.wait_for("move 1, X> moves")
    terminal.press("Enter")
    terminal.wait_for("1 2 3 4 5 6 7 8 9\nmove 1, X>")  # keys before the prompt would not be edited
    terminal.press("Up")
    terminal.wait_for("9\nmove 1, X> moves")
    terminal.press("C-u")
    terminal.type("5")
    terminal.wait_for("1. X: 5", "2. O: 1", "even, line 1 2, 23 nodes, depth 2", "move 3, X>")
    terminal.type("undoo")
    terminal.wait_for("'undoo' is not a legal move here: did you mean undo?")
    terminal.type("undo")
    terminal.wait_for("move 1, X>")
    terminal.type("resign")
    terminal.wait_for("X resigned before the first move: O wins", "code=0")
    terminal.assert_sane()


def test_ctrl_d_at_the_prompt_saves_the_game(terminal: Terminal) -> None:
    terminal.run("play", "--plain", "tictactoe", "--min", "human")
    terminal.wait_for("move 1, X>")
    terminal.type("5")
    terminal.wait_for("move 2, O>")
    terminal.press("C-d")
    screen = terminal.wait_for("the game was stopped after move 1", "saved to", "code=1")
    command = "".join(screen.partition("continue with: ")[2].partition("code=")[0].split("\n"))
    terminal.assert_sane()
    terminal.start(command.replace("gamesearch", f"{shlex.quote(sys.executable)} -m gamesearch", 1) + " --plain")
    terminal.wait_for("4   │   ╳   │   6", "move 2, O>")


@pytest.mark.parametrize(("words", "key"), [(["--plain"], "C-c"), (["--plain"], "C-d"), ([], "C-c"), ([], "C-q")])
def test_a_player_who_leaves_gets_no_time_back(terminal: Terminal, tmp_path: Path, words: list[str], key: str) -> None:
    if not words:
        pytest.importorskip("textual")
    terminal.run("play", "tictactoe", "--min", "human", "--clock", "100", *words)
    terminal.wait_for("move 1, X>")
    terminal.type("5")
    terminal.wait_for("move 2, O>")
    time.sleep(1.5)
    terminal.press(key)
    terminal.wait_for("saved to", "code=")
    (file,) = (tmp_path / "gamesearch" / "games").glob("*.json")
    left = json.loads(file.read_text())["headers"]["SecondsLeft"].split()
    assert float(left[1]) <= 98.5


def test_ctrl_c_while_something_is_compiled_leaves_at_once(terminal: Terminal, tmp_path: Path) -> None:
    program = f"XDG_CACHE_HOME={tmp_path} {shlex.quote(sys.executable)} -m gamesearch"
    terminal.start(f"{program} analyze chess; echo code=$?")
    terminal.wait_for("compiling ")
    terminal.press("C-c")
    terminal.wait_for("gamesearch: interrupted while ", "was being compiled", "code=130")
    terminal.assert_sane()


def test_input_during_the_computers_turn_is_kept(terminal: Terminal) -> None:
    terminal.run("play", "--plain", "tictactoe", "--min", "minimax", "--speed", "interpreted")  # it takes a while
    terminal.wait_for("move 1, X>")
    terminal.type("5")
    terminal.wait_for("thinking ... ")
    terminal.type("moves")
    screen = terminal.wait_for("2. O: 1", "move 3, X> moves", "2 3 4 6 7 8 9")
    assert screen.count("moves") == 1, "the typed text must not appear before the prompt"
    terminal.type("quit")
    terminal.wait_for("code=0")
    terminal.assert_sane()


def test_the_full_screen(terminal: Terminal) -> None:
    """On the full screen, keys and the mouse work; at its end, the program saves the game and restores the terminal."""
    pytest.importorskip("textual")
    terminal.run("play", "tictactoe", "--min", "alphabeta(depth=2)", "--speed", "interpreted")
    terminal.wait_for("X  human", "O  alphabeta  ", "O: alphabeta", "move 1, X>", "^q quit")
    terminal.type("5")
    terminal.wait_for("2. O: 1", "move 3, X>", "1. 5")
    terminal.tmux("resize-window", "-x", "60", "-y", "18")
    terminal.wait_for("move 3, X>")
    terminal.press("Tab", "Enter")
    terminal.wait_for("move 5, X>", "3. 2")
    terminal.press("C-c")
    screen = terminal.wait_for("the game was stopped after move 4", "saved to", "code=130")
    assert "continue with: gamesearch play /" in screen.replace("\n", "")
    terminal.assert_sane()
