import inspect
import io
import json
import sys
from pathlib import Path

import pytest
from commands import Play

from gamesearch.algorithms.catalog import all_algorithms
from gamesearch.registry import game_class, game_names


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
    assert "old.json exists already: type save! old.json to replace it" in errors
    assert (tmp_path / "old.json").read_text() == "old"
    play("tictactoe", "--save", "old.json", "--force", "--min", "human", typed="1\nresign\n")
    assert json.loads((tmp_path / "old.json").read_text())["moves"] == ["1"]
    play("tictactoe", "--min", "human", typed="5\nsave! old.json\nresign\n")
    assert json.loads((tmp_path / "old.json").read_text())["moves"] == ["5"]


def test_save_option_and_how_to_go_on(play: Play, tmp_path: Path) -> None:
    code, _, errors = play("nim", "3,4", "--min", "human", "--save", "my game.json", typed="a1\n")
    assert code == 1
    assert "saved to my game.json" in errors
    command = errors.splitlines()[-1].removeprefix("continue with: ")
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
    assert "2... Black: Qh4#\n" in output
    assert output.endswith("Black wins after 2 moves\n")


def test_a_record_that_does_not_tell_the_rules(play: Play) -> None:
    """PGN contains the variant of chess, but not the parameters of the rules."""
    _, _, errors = play("chess(draws=false)", "--min", "human", "--save", "game.pgn", typed="f3\n")
    assert errors.endswith("gamesearch play 'chess(draws=false)' --load game.pgn --min human --speed interpreted\n")


def test_the_file_of_another_game(play: Play) -> None:
    play("tictactoe", "--min", "human", "--save", "game.json", typed="5\n")
    code, _, errors = play("connect4", "--min", "human", "--load", "game.json")
    assert code == 2
    assert "game.json: it is a game of tictactoe, not of connect4(" in errors
    play("chess", "--max", "human", "--min", "human", "--save", "game.pgn", typed="e4\n")
    _, output, errors = play("connect4", "--max", "human", "--min", "human", typed="load game.pgn\nquit\n")
    assert "game.pgn is a game of chess, not of connect4: open it with gamesearch play game.pgn" in output + errors


def test_a_saved_file_alone_is_enough_to_go_on(play: Play) -> None:
    play("nim", "3,4", "--min", "human", typed="a1\nsave game.json\nquit\n")
    code, output, errors = play("game.json", typed="b2\na2\nb2\n")
    assert code == 0
    assert "Max: human; Min: human" in errors
    assert output.endswith("wins after 4 moves\n")
    play("chess", "--min", "human", typed="f3\ne5\nsave game.pgn\nquit\n")
    code, output, errors = play("game.pgn", typed="g4\nQh4\n")
    assert (code, output.splitlines()[-1]) == (0, "Black wins after 2 moves")
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
    assert "missing.json is not a saved game" in errors


def test_going_on_twice_takes_no_more_words(play: Play, tmp_path: Path) -> None:
    first = play("tictactoe", "--min", "human", "--save", "-x.json", typed="5\n")[2].splitlines()[-1]
    assert first == "continue with: gamesearch play ./-x.json --min human --speed interpreted"
    again = play("./-x.json", "--save", "y.json", typed="1\n")[2].splitlines()[-1]
    assert again == "continue with: gamesearch play y.json --speed interpreted"


def test_the_command_to_go_on_is_one_that_the_shell_finds(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    said = play("tictactoe", "--min", "human", "--save", "x.json", typed="5\n")[2].splitlines()[-1]
    assert said.startswith(f"continue with: {Path(sys.executable).with_name('gamesearch')} play x.json")


# Continuing. ---------------------------------------------------------------------------------------
def typing(text: str, monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    """A terminal at which a user types some lines and leaves."""
    terminal = io.StringIO(text)
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    return terminal


def test_an_unfinished_game_is_offered_until_it_is_finished(
    play: Play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def at_a_terminal(text: str, *words: str) -> tuple[int, str]:
        code, output, errors = play(*words, "--plain", stdin=typing(text, monkeypatch))
        return code, output + errors

    assert at_a_terminal("5\n1\n", "tictactoe", "--min", "human", "--clock", "90")[0] == 1
    assert at_a_terminal("a1\n", "nim", "3,4", "--min", "human")[0] == 1
    code, said = at_a_terminal("new\n")
    assert code == 1
    assert said.index("1 2") < said.index("nim  Max: human; Min: human") < said.index("tictactoe  X: human")
    assert "Which game?" in said
    code, said = at_a_terminal("7\n2\n7\n")
    assert "the list has the numbers 1 to 2" in said
    assert "3. X: 7" in said
    assert "X 1:" in said, "the clock goes on with the time that was left"
    code, said = at_a_terminal("\n5\n")
    assert "You have an unfinished game" not in said
    assert "'5' is not a legal move here" in said, "the last one that was played comes first"
    assert at_a_terminal("\n3\n2\n8\n6\n")[0] == 1
    code, said = at_a_terminal("", "tictactoe", "--min", "human")
    assert "You have an unfinished game of tictactoe: gamesearch play continues it." in said
    code, said = at_a_terminal("1\n4\n9\n")
    assert code == 0
    assert "draw after 9 moves" in said
    code, said = at_a_terminal("discard 1\n")
    assert said.count("tictactoe") == said.count("tictactoe ") == 1, "in the list of all games only"
    assert list((tmp_path / "state" / "gamesearch" / "games").iterdir()) == []


def test_a_loaded_game_is_kept_from_the_first_change(
    play: Play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "state" / "gamesearch" / "games"
    game = '[White "a"]\n[Black "b"]\n\n1. e4 e5 *\n\n'
    (tmp_path / "two.pgn").write_text(2 * game)
    (tmp_path / "one.pgn").write_text(game)
    players = ("--players", "human,human", "--plain")
    code, _, errors = play("one.pgn", *players, stdin=typing("quit\n", monkeypatch))
    assert code == 0
    assert "saved to one.pgn" in errors
    assert not folder.exists() or list(folder.iterdir()) == []
    play("one.pgn", *players, stdin=typing("Nf3\n", monkeypatch))
    assert len(list(folder.iterdir())) == 1
    assert "Nf3" not in (tmp_path / "one.pgn").read_text()
    code, _, errors = play("two.pgn", *players, stdin=typing("quit\n", monkeypatch))
    assert code == 0
    assert len(list(folder.iterdir())) == 2
    assert str(folder) in errors.replace("\n", "")


def test_without_a_terminal_nothing_is_asked_or_kept(
    play: Play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play("tictactoe", "--min", "human", "--plain", stdin=typing("5\n", monkeypatch))
    (kept,) = (tmp_path / "state" / "gamesearch" / "games").iterdir()
    before = kept.read_text()
    code, output, errors = play(typed="1\n")
    assert (code, output) == (2, "")
    assert "play needs the name of a game" in errors
    code, _, errors = play("tictactoe", "--min", "human", typed="9\n")
    assert code == 1
    assert "unfinished" not in errors
    assert [path.read_text() for path in kept.parent.iterdir()] == [before]


@pytest.mark.parametrize("options", ["--save x.json", "--max uci", "--seed", "--speed=compiled", "'"])
def test_a_file_gives_no_other_options(play: Play, tmp_path: Path, options: str) -> None:
    record = {"game": "tictactoe", "headers": {"Options": options}, "position": ".../.../...", "moves": []}
    (tmp_path / "saved.json").write_text(json.dumps(record))
    code, _, errors = play("saved.json")
    assert code == 2
    assert "saved.json has a header Options that cannot be read" in errors


# Dangerous files of other people. ------------------------------------------------------------------
def test_a_saved_game_runs_no_code_that_nobody_named(play: Play, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("raise SystemExit('this ran')\n")
    record = {"game": "./mine.py", "headers": {}, "position": "9,0", "moves": []}
    (tmp_path / "saved.json").write_text(json.dumps(record))
    for words in (("saved.json",), ("--load", "saved.json")):
        code, _, errors = play(*words)
        assert code == 2
        assert "the rules in saved.json would run ./mine.py: also give rules if you trust it" in errors
    (tmp_path / "mine").write_text("raise SystemExit('this ran')\n")  # a file without a suffix is Python, too
    (tmp_path / "saved.json").write_text(json.dumps(record | {"game": "nim(evaluation=mine)"}))
    assert "would run nim(evaluation=mine): also give rules" in play("saved.json")[2]
    tree = "[\"',evaluation=mine.py,x='"  # as typed by hand, with quotes that end a quoted text
    (tmp_path / "saved.json").write_text(json.dumps(record | {"game": tree}))
    code, output, errors = play("saved.json")
    assert code == 2
    assert "this ran" not in output + errors
    players = {"X": "human", "O": "external(path=./mine.py)"}
    record |= {"game": "tictactoe", "headers": players, "position": ".../.../..."}
    (tmp_path / "saved.json").write_text(json.dumps(record))
    code, _, errors = play("saved.json")
    assert code == 2
    assert "would run external(path=./mine.py): also give players" in errors
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
    assert "also give rules" in errors
    assert play("x.json", "--plain", stdin=terminal)[0] == 1


OPENED = list[str]()
"""The files that were opened while a test records them."""


def note_opened(event: str, arguments: tuple[object, ...]) -> None:
    if event == "open":
        OPENED.append(str(arguments[0]))


def texts_of(make: object) -> list[str]:
    """Return the parameters of a game or an algorithm that accept a text."""
    parameters = inspect.signature(make).parameters.values()  # type: ignore[arg-type]
    return [each.name for each in parameters if "str" in str(each.annotation)]


def test_a_saved_game_opens_no_file_that_nobody_named(play: Play, tmp_path: Path) -> None:
    """Any parameter of any game, algorithm or player may name a file."""
    secret = tmp_path / "secret"
    secret.write_text("[1, 2]")
    games = {f"{name}({each}={secret})" for name in game_names() for each in (*texts_of(game_class(name)), "weights")}
    games |= {f"tree({secret})", f"tictactoe(evaluation={secret})"}
    players = {f"{name}({each}={secret})" for name, cls in all_algorithms().items() for each in texts_of(cls)}
    players |= {f"computer(book={secret})", f"seeing(game=tictactoe(weights={secret}), algorithm=minimax)"}
    assert {f"tree(file={secret})", f"pacman(layout={secret})"} <= games
    assert f"alphabeta(database={secret})" in players
    sys.addaudithook(note_opened)
    for game, player in (*((game, "") for game in games), *(("tictactoe", player) for player in players)):
        headers = {"X": "human", "O": player} if player else {}
        record = {"game": game, "headers": headers, "position": ".../.../...", "moves": []}
        (tmp_path / "saved.json").write_text(json.dumps(record))
        OPENED.clear()
        code, _, errors = play("saved.json")
        assert code == 2
        assert f"the {'players' if player else 'rules'} in saved.json would " in errors, (game, player)
        assert not [name for name in OPENED if "secret" in name], (game, player)
