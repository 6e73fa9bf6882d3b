import io
import json
import sys
from pathlib import Path

import pytest
from commands import Play


def test_save_and_load(play: Play, tmp_path: Path) -> None:
    typed = "5\nsave game.json\nundo\n9\nsave\nload game.json\nsave! game.json\nsave other.json\nquit\n"
    code, output, errors = play("tictactoe", "--min", "human", typed=typed)
    assert code == 0
    assert errors.count("saved to game.json") == 3
    assert json.loads((tmp_path / "other.json").read_text())["moves"] == ["9"]
    code, output, _ = play("tictactoe", "--min", "human", "--load", "game.json", typed="board\nresign\n")
    assert code == 0
    assert output.startswith(" 1  2  3\n 4  5  6\n 7  8  X\n")


def test_a_file_is_not_overwritten_without_being_told(play: Play, tmp_path: Path) -> None:
    (tmp_path / "old.json").write_text("old")
    code, _, errors = play("tictactoe", "--save", "old.json", "--min", "random", typed="5\n")
    assert code == 2
    assert "old.json exists already: name another file, or replace it with --force" in errors
    code, _, errors = play("tictactoe", "--min", "human", typed="5\nsave old.json\nresign\n")
    assert "old.json exists already: save! old.json replaces it" in errors
    assert (tmp_path / "old.json").read_text() == "old"
    play("tictactoe", "--save", "old.json", "--force", "--min", "human", typed="1\nresign\n")
    assert json.loads((tmp_path / "old.json").read_text())["moves"] == ["1"]
    play("tictactoe", "--min", "human", typed="5\nsave! old.json\nresign\n")
    assert json.loads((tmp_path / "old.json").read_text())["moves"] == ["5"]


def test_save_option_and_how_to_go_on(play: Play, tmp_path: Path) -> None:
    code, _, errors = play("nim", "3,4", "--min", "human", "--save", "my game.json", typed="a1\n")
    assert code == 1
    assert "saved to my game.json" in errors
    command = errors.splitlines()[-1].removeprefix("go on with: ")
    assert command == "gamesearch play 'my game.json' --min human --speed interpreted"
    game = "nim(heaps=3-4, misere=false, max_take=0)"
    files = ("--load", "my game.json", "--save", "my game.json")
    assert play(game, "--min", "human", *files, typed="b1\nquit\n")[0] == 0
    assert json.loads((tmp_path / "my game.json").read_text())["moves"] == ["a1", "b1"]


def test_chess_is_saved_as_pgn(play: Play, tmp_path: Path) -> None:
    play("chess", "--min", "human", typed="f3\ne5\nsave game.pgn\ng4\nd8h4\n")
    text = (tmp_path / "game.pgn").read_text()
    assert '[White "human"]' in text
    assert "1. f3 e5 *" in text
    code, output, _ = play("chess", "--min", "human", "--load", "game.pgn", typed="g4\nQh4\n")
    assert code == 0
    assert "4. Black: Qh4#\n" in output
    assert output.endswith("Black wins after 4 moves\n")


def test_a_record_that_does_not_tell_the_rules(play: Play) -> None:
    """PGN tells a variant of chess, but not by which weights it is evaluated."""
    _, _, errors = play("chess(draws=false)", "--min", "human", "--save", "game.pgn", typed="f3\n")
    assert errors.endswith("gamesearch play 'chess(draws=false)' --load game.pgn --min human --speed interpreted\n")


def test_the_file_of_another_game(play: Play) -> None:
    play("tictactoe", "--min", "human", "--save", "game.json", typed="5\n")
    code, _, errors = play("connect4", "--min", "human", "--load", "game.json")
    assert code == 2
    assert "game.json: it is a game of tictactoe, not of connect4(" in errors


def test_a_saved_file_alone_is_enough_to_go_on(play: Play) -> None:
    play("nim", "3,4", "--min", "human", typed="a1\nsave game.json\nquit\n")
    code, output, errors = play("game.json", typed="b2\na2\nb2\n")
    assert code == 0
    assert "Max: human; Min: human" in errors
    assert output.endswith("wins after 4 moves\n")
    play("chess", "--min", "human", typed="f3\ne5\nsave game.pgn\nquit\n")
    code, output, errors = play("game.pgn", typed="g4\nQh4\n")
    assert (code, output.splitlines()[-1]) == (0, "Black wins after 4 moves")
    assert "White: human; Black: human" in errors


def test_a_file_is_not_written_in_another_format_than_its_name_says(play: Play, tmp_path: Path) -> None:
    _, _, errors = play("tictactoe", "--min", "human", typed="5\nsave game.sgf\n")
    assert "tictactoe is saved as .json alone, not as .sgf" in errors
    code, _, errors = play("chess", "--min", "human", "--save", "game.json", typed="e4\n")
    assert code == 2
    assert "chess is saved as .pgn alone, not as .json" in errors
    assert not list(tmp_path.glob("game.*"))


def test_a_saved_game_without_the_name_of_its_game_has_its_players(play: Play) -> None:
    code, _, errors = play("tictactoe", "--min", "random(seed=3)", "--save", "saved.json", typed="5\n")
    assert code == 1
    code, _, errors = play("--load", "saved.json", typed="")
    assert errors.startswith("X: human; O: random(seed=3)\n")
    code, _, errors = play("--load", "missing.json", typed="5\n")
    assert code == 2
    assert "missing.json is no saved game that is there" in errors


def test_going_on_twice_takes_no_more_words(play: Play, tmp_path: Path) -> None:
    first = play("tictactoe", "--min", "human", "--save", "-x.json", typed="5\n")[2].splitlines()[-1]
    assert first == "go on with: gamesearch play ./-x.json --min human --speed interpreted"
    again = play("./-x.json", "--save", "y.json", typed="1\n")[2].splitlines()[-1]
    assert again == "go on with: gamesearch play y.json --speed interpreted"


def test_the_command_to_go_on_is_one_that_the_shell_finds(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    said = play("tictactoe", "--min", "human", "--save", "x.json", typed="5\n")[2].splitlines()[-1]
    assert said.startswith(f"go on with: {Path(sys.executable).with_name('gamesearch')} play x.json")


# What a file of somebody else may not do. ----------------------------------------------------------
def test_a_saved_game_runs_no_code_that_nobody_named(play: Play, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("raise SystemExit('this ran')\n")
    record = {"game": "./mine.py", "headers": {}, "position": "9,0", "moves": []}
    (tmp_path / "saved.json").write_text(json.dumps(record))
    for words in (("saved.json",), ("--load", "saved.json")):
        code, _, errors = play(*words)
        assert code == 2
        assert "the rules in saved.json would run ./mine.py: name rules, too, if you trust it" in errors
    (tmp_path / "mine").write_text("raise SystemExit('this ran')\n")  # a file is Python without a suffix, too
    (tmp_path / "saved.json").write_text(json.dumps(record | {"game": "nim(evaluation=mine)"}))
    assert "would run nim(evaluation=mine): name rules, too" in play("saved.json")[2]
    tree = "[\"',evaluation=mine.py,x='"  # typed by hand, and with the quotes to end a quoted text
    (tmp_path / "saved.json").write_text(json.dumps(record | {"game": tree}))
    code, output, errors = play("saved.json")
    assert code == 2
    assert "this ran" not in output + errors
    players = {"X": "human", "O": "external(path=./mine.py)"}
    record |= {"game": "tictactoe", "headers": players, "position": ".../.../..."}
    (tmp_path / "saved.json").write_text(json.dumps(record))
    code, _, errors = play("saved.json")
    assert code == 2
    assert "would run external(path=./mine.py): name players, too" in errors
    assert play("saved.json", "--players", "human,human", typed="5\n")[0] == 1


def test_somebody_at_a_terminal_is_asked_whether_it_may_run(
    play: Play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = Path(__file__).parents[1] / "learn" / "networked_game.py"
    (tmp_path / "mine.py").write_text(own.read_text())
    code, _, errors = play("./mine.py", "--players", "human,random(seed=1)", "--save", "x.json", typed="5\n")
    assert "gamesearch play ./mine.py --load x.json --players 'human,random(seed=1)'" in errors
    asked = list[str]()

    def answer(question: str, **_: object) -> bool:
        asked.append(question)
        return len(asked) > 1

    monkeypatch.setattr("click.confirm", answer)
    terminal = io.StringIO("")
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    code, _, errors = play("x.json", "--plain", stdin=terminal)
    assert (code, asked) == (2, ["the rules in x.json would run ./mine.py: do you trust it?"])
    assert "name rules, too" in errors
    assert play("x.json", "--plain", stdin=terminal)[0] == 1
