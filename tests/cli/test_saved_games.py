"""Games are saved, loaded and continued; a file from another person can neither run code nor open other files."""

import inspect
import io
import json
import os
import sys
from pathlib import Path

import pytest
from commands import Cli

from gamesearch.algorithms.catalog import all_algorithms
from gamesearch.registry import game_class, game_names

pytestmark = pytest.mark.usefixtures("empty_folder")


def moves_in(file: str) -> list[str]:
    found: list[str] = json.loads(Path(file).read_text())["moves"]
    return found


def last_line(cli: Cli, command: str, typed: str = "") -> str:
    """Type some lines in a game and leave the game; return the printed command that continues it."""
    return cli.run(command, typed=typed, code=1).err.splitlines()[-1]


def test_save_and_load(cli: Cli) -> None:
    typed = "5\nsave game.json\nundo\n9\nsave\nload game.json\nsave! game.json\nsave other.json\nquit\n"
    errors = cli.run("play tictactoe --min human", typed=typed).err
    assert errors.count("saved to game.json") == 3
    assert moves_in("other.json") == ["9"]
    output = cli.output("play tictactoe --min human --load game.json", typed="board\nresign\n")
    assert output.startswith(" 1  2  3\n 4  5  6\n 7  8  X\n")


def test_a_file_is_not_overwritten_without_force(cli: Cli) -> None:
    Path("old.json").write_text("old")
    assert "or replace it with --force" in cli.refusal("play tictactoe --save old.json --min random", typed="5\n")
    errors = cli.run("play tictactoe --min human", typed="5\nsave old.json\nresign\n").err
    assert "old.json exists already: type save! old.json to replace it" in errors
    assert Path("old.json").read_text() == "old"
    for command in ("play tictactoe --save -", "solve tictactoe --strategy -", "match nim random random --journal -"):
        assert "- is not a file: name a file" in cli.refusal(command)
    cli.run("play tictactoe --save old.json --force --min human", typed="1\nresign\n")
    assert moves_in("old.json") == ["1"]


@pytest.mark.skipif(os.name != "posix", reason="other systems have no such modes")
def test_links_and_modes_remain_and_write_protected_files_are_not_extended(cli: Cli) -> None:
    """If a file is replaced, it keeps its mode, and a symbolic link to it remains."""
    commands = {
        "book tictactoe --to new --plies 1": "book tictactoe --to link --plies 2",
        "play tictactoe --min human --save new": "play tictactoe --min human --load link --save link",
        "analyze tictactoe -a minimax --depth 1 --trace new": "analyze tictactoe -a minimax --depth 2 --trace link -f",
        "learn connect4 --games 20 --to new": "learn connect4 --games 21 --to link -f",
    }
    for number, (begin, replace) in enumerate(commands.items()):
        target, link = Path(f"real{number}", "file.json"), Path(f"link{number}.json")
        target.parent.mkdir()
        link.symlink_to(target)
        cli.run(begin.replace("new", str(target)), typed="5\nquit\n")
        before = target.read_bytes()
        target.chmod(0o600 if "-f" not in replace else 0o444)
        mode = target.stat().st_mode
        cli.run(replace.replace("link", str(link)), typed="1\nquit\n")
        assert link.is_symlink(), replace
        assert (target.stat().st_mode, target.read_bytes() == before) == (mode, False), replace
        if "-f" not in replace:
            before = target.read_bytes()
            target.chmod(0o444)
            refusal = cli.refusal(replace.replace("link", str(link)).replace("plies 2", "plies 3"), typed="1\nquit\n")
            assert "write-protected" in refusal or "exists already" in refusal
            assert target.read_bytes() == before
    journal = "match tictactoe random random --games 2 --journal journal"
    cli.run(journal)
    Path("journal").chmod(0o444)
    assert "journal is write-protected: allow writing with chmod u+w" in cli.refusal(journal)


def test_the_command_that_continues_a_game(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    command = last_line(cli, "play nim 3,4 --min human --save 'my game.json'", typed="a1\n")
    assert command == "continue with: gamesearch play 'my game.json' --min human --speed interpreted"
    game = "play 'nim(heaps=3-4, misere=false, max_take=0)' --min human"
    cli.run(f"{game} --load 'my game.json' --save 'my game.json'", typed="b1\nquit\n")
    assert moves_in("my game.json") == ["a1", "b1"]
    command = last_line(cli, "play tictactoe --min human --save -x.json", typed="5\n")
    assert command == "continue with: gamesearch play ./-x.json --min human --speed interpreted"
    command = last_line(cli, "play ./-x.json --save y.json", typed="1\n")
    assert command == "continue with: gamesearch play y.json --speed interpreted"
    # PGN stores the variant of chess, but not the parameters of the rules.
    command = last_line(cli, "play 'chess(draws=false)' --min human --save game.pgn", typed="f3\n")
    assert command.endswith("play 'chess(draws=false)' --load game.pgn --min human --speed interpreted")
    Path("gamesearch").touch(0o755)
    for folder in ("/nowhere", "."):  # the shell finds no program of this name, or another one
        monkeypatch.setenv("PATH", folder)
        command = last_line(cli, "play tictactoe --min human --save x.json --force", typed="5\n")
        assert command.startswith(f"continue with: {Path(sys.executable).with_name('gamesearch')} play x.json")


def test_chess_is_saved_as_pgn(cli: Cli) -> None:
    cli.run("play chess --min human", typed="f3\ne5\nsave game.pgn\ng4\nd8h4\n")
    text = Path("game.pgn").read_text()
    assert '[White "human"]' in text
    assert "1. f3 e5 *" in text
    output = cli.output("play chess --min human --load game.pgn", typed="g4\nQh4\n")
    assert "2... Black: Qh4#\n" in output
    assert output.endswith("Black wins after move 2\n")
    output, errors = cli.run("play game.pgn", typed="g4\nQh4\n")
    assert output.splitlines()[-1] == "Black wins after move 2"
    assert "White: human; Black: human" in errors


def test_the_file_of_another_game_or_format(cli: Cli) -> None:
    cli.run("play tictactoe --min human --save game.json", typed="5\n", code=1)
    said = cli.refusal("play connect4 --min human --load game.json")
    assert "game.json: it is a game of tictactoe, not of connect4(" in said
    cli.run("play chess --max human --min human --save game.pgn", typed="e4\n", code=1)
    printed = cli.run("play connect4 --max human --min human", typed="load game.pgn\nquit\n")
    assert "game.pgn is a game of chess, not of connect4: open it with gamesearch play game.pgn" in "".join(printed)
    errors = cli.run("play tictactoe --min human", typed="5\nsave other.sgf\nquit\n").err
    assert "tictactoe can be saved only as .json, not as .sgf" in errors
    said = cli.refusal("play chess --min human --save other.json", typed="e4\n")
    assert "chess can be saved only as .pgn, not as .json" in said
    assert not list(Path().glob("other.*"))


def test_a_saved_file_is_enough_to_continue(cli: Cli) -> None:
    cli.run("play nim 3,4 --min human", typed="a1\nsave game.json\nquit\n")
    output, errors = cli.run("play game.json", typed="b2\na2\nb2\n")
    assert "Max: human; Min: human" in errors
    assert output.endswith("wins after move 4\n")
    cli.run("play tictactoe --min random(seed=3) --save saved.json", typed="5\n", code=1)
    assert cli.run("play --load saved.json", code=1).err.startswith("X: human; O: random\n")
    for command in ("analyze", "solve"):
        assert cli.data(f"{command} saved.json")["position"] == ".../.X./O.."
    Path("list.json").write_text("[3, 12]")
    assert "list.json is not a game saved by gamesearch" in cli.refusal("analyze tictactoe list.json")
    assert cli.data("analyze tree list.json -a minimax")["value"] == 12
    assert "searches position .../.X./O.. of tictactoe" in cli.output("watch saved.json -a minimax(depth=1)")
    cli.run("play nim 2 --max human --min human --save small.json", typed="a1\n", code=1)
    assert "2 positions" in cli.output("graph small.json")
    assert "2 starts" in cli.output("graph nim(2) small.json 2")
    Path("saved.txt").write_text("1. e4")
    assert "saved.txt is not a saved game" in cli.refusal("play --load saved.txt")
    assert "there is no file missing.json" in cli.refusal("play --load missing.json", typed="5\n")


# Continuing. ---------------------------------------------------------------------------------------
class Typing(io.StringIO):
    """The input of a terminal at which a user types some lines and leaves the game."""

    def isatty(self) -> bool:
        return True


def test_an_unfinished_game_is_offered_until_it_is_finished(cli: Cli, tmp_path: Path) -> None:
    def at_a_terminal(text: str, command: str = "", code: int = 1) -> str:
        return "".join(cli.run(f"play {command} --plain", stdin=Typing(text), code=code))

    at_a_terminal("5\n1\n", "tictactoe --min human --clock 90")
    at_a_terminal("a1\n", "nim 3,4 --min human")
    said = at_a_terminal("new\n")
    assert said.index("1 2") < said.index("nim  Max: human; Min: human") < said.index("tictactoe  X: human")
    assert "Which game?" in said
    said = at_a_terminal("7\n2\n7\n")
    assert "the list has the numbers 1 to 2" in said
    assert "3. X: 7" in said
    assert "X 1:" in said, "the clock continues with the remaining time"
    said = at_a_terminal("\n5\n")
    assert "You have an unfinished game" not in said
    assert "'5' is taken" in said, "the game played last is listed first"
    at_a_terminal("\n3\n2\n8\n6\n")
    said = at_a_terminal("", "tictactoe --min human")
    assert "You have an unfinished game of tictactoe. Type gamesearch play to continue it." in said
    assert "draw after move 9" in at_a_terminal("1\n4\n9\n", code=0)
    at_a_terminal("a1\n", "yavalath --players human,human,maxn(depth=1)")
    assert "yavalath  White: human; Black: human; Red: maxn\n" in at_a_terminal("discard 1\n")
    said = at_a_terminal("discard 1\n")
    assert said.count("tictactoe") == said.count("tictactoe ") == 1, "the game is listed only once"
    folder = tmp_path / "state" / "gamesearch" / "games"
    assert list(folder.iterdir()) == []
    for typed, command in (("5\n", "tictactoe --min human --time 0.7"), ("\n1\n", "")):
        at_a_terminal(typed, command)
        (kept,) = folder.glob("*.json")
        record = json.loads(kept.read_text())
        assert "--time 0.7" in record["headers"]["Options"]
    assert record["moves"] == ["5", "1"]


def test_without_a_terminal_there_are_no_questions_and_no_saved_games(cli: Cli, tmp_path: Path) -> None:
    cli.run("play tictactoe --min human --plain", stdin=Typing("5\n"), code=1)
    (kept,) = (tmp_path / "state" / "gamesearch" / "games").iterdir()
    before = kept.read_text()
    assert "play needs the name of a game" in cli.refusal("play", typed="1\n")
    assert "unfinished" not in cli.run("play tictactoe --min human", typed="9\n", code=1).err
    assert [path.read_text() for path in kept.parent.iterdir()] == [before]


def test_without_a_game_the_setup_asks_for_missing_options_and_can_be_left(cli: Cli) -> None:
    def at_a_terminal(*typed: str, options: str = "") -> str:
        return "".join(cli.run(f"play --plain {options}", stdin=Typing("\n".join((*typed, ""))), code=0))

    said = at_a_terminal("99", "tictacto3", "tic", "P", "x", "hrad", "2", "quit")
    for text in (
        "  1 backgammon     Race ", "the list has the numbers 1 to ", "did you mean tictactoe?",
        "  1 X\n  2 O\n  3 both: no computer\n", "unknown side 'P'", "did you mean hard?",
        "X: human; O: computer, level 2",
    ):  # fmt: skip
        assert text in said
    assert "X: human; O: computer, level 3" in at_a_terminal("tictactoe", "", "quit", options="--level 3")
    assert "Which side" not in at_a_terminal("tictactoe", "quit", options="--players human,human")
    said = at_a_terminal("buildorder", "", "quit")
    assert "builder: human\n" in said
    assert "Level?" not in said, "a game for one player has no opponent"
    assert "  1 builder\n  2 none: " in said
    at_a_terminal("q")


# Dangerous files of other people. ------------------------------------------------------------------
def save(**changes: object) -> None:
    """Write saved.json, a saved game of Tic-tac-toe with some changed fields."""
    record = {"game": "tictactoe", "headers": {}, "position": ".../.../...", "moves": []}
    Path("saved.json").write_text(json.dumps(record | changes))


@pytest.mark.parametrize("options", ["--save x.json", "--max uci", "--seed", "--speed=compiled", "'"])
def test_a_file_gives_no_other_options(cli: Cli, options: str) -> None:
    save(headers={"Options": options})
    assert "saved.json has a header Options that cannot be read" in cli.refusal("play saved.json")


def test_a_saved_game_cannot_run_code(cli: Cli) -> None:
    for name in ("mine.py", "mine"):  # a file without a suffix counts as Python code, too
        Path(name).write_text("raise SystemExit('this ran')\n")
    save(game="./mine.py", position="9,0")
    for command in ("play saved.json", "play --load saved.json", "analyze saved.json"):
        said = cli.refusal(command)
        assert "the rules in saved.json would run ./mine.py: to allow this, name the rules in the command" in said
    save(game="nim(evaluation=mine)", position="9,0")
    assert "would run nim(evaluation=mine): to allow this, name the rules" in cli.refusal("play saved.json")
    save(game="[\"',evaluation=mine.py,x='", position="9,0")  # the quotes would end a quoted text
    assert "this ran" not in cli.run("play saved.json", code=2).err
    save(headers={"X": "human", "O": "external(path=./mine.py)"})
    assert "would run external(path=./mine.py): to allow this, name the players" in cli.refusal("play saved.json")
    cli.run("play saved.json --players human,human", typed="5\n", code=1)


def test_at_a_terminal_the_user_is_asked_whether_code_may_run(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    own = Path(__file__).parents[1] / "learn" / "networked_game.py"
    Path("mine.py").write_text(own.read_text())
    command = last_line(cli, "play ./mine.py --players 'human,random(seed=1)' --save x.json", typed="5\n")
    assert "gamesearch play ./mine.py --load x.json --players 'human,random(seed=1)'" in command
    asked = list[str]()

    def answer(question: str, **_: object) -> bool:
        asked.append(question)
        return len(asked) > 1

    monkeypatch.setattr("click.confirm", answer)
    assert "to allow this, name the rules" in cli.run("play x.json --plain", stdin=Typing(), code=2).err
    assert len(asked) == 1
    assert "the rules in x.json would run ./mine.py" in asked[0]
    assert asked[0].endswith("Run it?")
    cli.run("play x.json --plain", stdin=Typing(), code=1)


OPENED = list[str]()
"""The names of all files that the program opened since a test last emptied this list."""


def note_opened(event: str, arguments: tuple[object, ...]) -> None:
    if event == "open":
        OPENED.append(str(arguments[0]))


def texts_of(make: object) -> list[str]:
    """Return the parameters of a game or an algorithm that accept any text."""
    parameters = inspect.signature(make).parameters.values()  # type: ignore[arg-type]
    return [each.name for each in parameters if "str" in str(each.annotation)]


def test_a_saved_game_cannot_open_other_files(cli: Cli, tmp_path: Path) -> None:
    """Each text parameter of a game, algorithm or player is tested, because its value may name a file."""
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
        save(game=game, headers={"X": "human", "O": player} if player else {})
        OPENED.clear()
        said = cli.refusal("play saved.json")
        assert f"the {'players' if player else 'rules'} in saved.json would " in said, (game, player)
        assert not [name for name in OPENED if "secret" in name], (game, player)
