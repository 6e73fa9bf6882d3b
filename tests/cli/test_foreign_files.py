"""All commands read files of other programs in the same way, report problems in them, and work in any locale."""

import gzip
import os
import subprocess
import sys
from pathlib import Path

import pytest
from commands import Cli

from gamesearch.learn.categories import played_games
from gamesearch.notation import line_names
from gamesearch.play import files
from gamesearch.play.files import read_file, saved_game
from gamesearch.play.matches.openings import read_openings
from gamesearch.play.matches.ratings import read_encounters
from gamesearch.registry import load

TWO = """[White "Ann"]
[Black "Bob"]

1. e4 e5 1-0
[White "Bob"]
[Black "Ann"]
[Result "1-0"]

1. d4 D {x} d5 N 2. c4 += 1-0
"""
LATIN = (
    '[White "M\u00fcller"]\n[Black "B"]\n[Result "1-0"]\n\n1. e4 1-0\n\n'
    '[White "M\u00f6ller"]\n[Black "B"]\n[Result "0-1"]\n\n1. d4 0-1\n'
)
ASCII = {"LC_ALL": "C", "LANG": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


pytestmark = pytest.mark.usefixtures("empty_folder")


BLANK = '[White "A"]\n\n[Black "B"]\n[Result "1-0"]\n\n1. e4  e5  1-0\n'


@pytest.mark.parametrize(("text", "games"), [(TWO, ["e4 e5", "d4 d5 c4"]), (BLANK, ["e4 e5"])])
def test_all_commands_have_one_reader(text: str, games: list[str]) -> None:
    Path("a.pgn").write_text(text, encoding="utf-8-sig")
    game = load("chess")
    start, moves = read_file("a.pgn", game)
    assert " ".join(line_names(game, start, moves)) == games[0]
    assert [" ".join(each.moves) for each in read_openings("a.pgn", game)] == games
    played = list(played_games("a.pgn", game))
    assert [" ".join(line_names(game, each.states[0], each.moves)) for each in played] == games
    assert [each.won for each in played] == [1.0] * len(games)
    assert [each.points for each in read_encounters("a.pgn")] == [1.0] * len(games)


def test_a_pgn_names_its_variant() -> None:
    for variant, game in (("", "chess"), ("Atomic", "chess(variant=atomic)"), ("Chess960", "chess(variant=chess960)")):
        tag = f'[Variant "{variant}"]\n' if variant else ""
        Path("a.pgn").write_text(f'[White "a"]\n{tag}\n1. e4 *\n')
        found = saved_game("a.pgn")
        assert found is not None
        assert found[0] == game


def test_all_commands_name_the_place_of_an_unreadable_text() -> None:
    Path("a.pgn").write_text('[White "A"]\n\n1. e4 e5\n2. ed? 1-0\n')
    game = load("chess")
    for read in (
        lambda: read_file("a.pgn", game),
        lambda: read_openings("a.pgn", game),
        lambda: list(played_games("a.pgn", game)),
    ):
        with pytest.raises(ValueError, match=r"^a\.pgn: game 1, line 4: 'ed'"):
            read()


def test_latin_1_is_read_with_a_notice(cli: Cli) -> None:
    Path("a.pgn").write_text(LATIN, encoding="latin-1")
    data = cli.data("ratings a.pgn")
    assert {each["player"] for each in data["players"]} == {"M\u00fcller", "M\u00f6ller", "B"}
    for command in ("ratings a.pgn", "analyze a.pgn --depth 1"):
        assert "a.pgn is not valid UTF-8: it was read as Latin-1" in cli.run(command).err
    Path("a.epd").write_text('7k/8/6K1/8/8/8/8/R7 w - - bm Ra8#; c0 "M\u00fcller";', encoding="latin-1")
    assert "a.epd is not valid UTF-8: it was read as Latin-1" in cli.run("suite a.epd --depth 2").err
    Path("b.pgn").write_bytes(b"\xff\x00\x01")
    assert "b.pgn is not a file of games: it is not text" in cli.refusal("ratings b.pgn")


def test_play_names_the_loaded_game_and_replaces_no_other_game(cli: Cli) -> None:
    Path("a.pgn").write_text(TWO)
    errors = cli.run("play a.pgn --players human,human", typed="save\nNf3\nsave b.pgn\nquit\n").err
    assert "a.pgn has 2 games: this is the first one, Ann - Bob" in errors
    assert "save needs a name" in errors
    assert Path("a.pgn").read_text() == TWO
    assert "Nf3" in Path("b.pgn").read_text()
    assert "--force" in cli.refusal("play a.pgn --players human,human --save a.pgn", typed="Nf3\n")
    assert "a.pgn has 2 games" in cli.run("play chess --min human", typed="load a.pgn\nsave\nquit\n").err
    assert Path("a.pgn").read_text() == TWO


@pytest.mark.parametrize(
    ("name", "text", "game", "position"),
    [
        ("a.pdn", '[GameType "20"]\n1. 32-28 *', "draughts", "B:W28,31,33"),
        ("a.sgf", "(;SZ[5]KM[0.5];B[aa];W[bb])", "go(size=5, komi=0.5", "X..../.O.../...../...../..... X"),
        ("a.ggf", "(;GM[Othello]B[d3]W[c5];)", "othello", "-------------------X-------XX-----OOO"),
    ],
)
def test_analyze_takes_files_of_games(name: str, text: str, game: str, position: str, cli: Cli) -> None:
    Path(name).write_text(text)
    data = cli.data("analyze", name, "--depth", "1")
    assert data["position"].startswith(position)
    assert data["game"].startswith(game)


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("a.sgf", "(;SZ[9];B[ee]\n;W[ee])", "a.sgf: game 1, line 2: W[ee] is not a legal move"),
        ("a.ggf", "(;GM[Othello]BO[10 --- *]B[d3];)", "a.ggf: game 1, line 1: its board has 10 rows, not 8"),
        ("a.pdn", '[GameType "21"]\n1. c3-d4 *', "a.pdn: game 1, line 2: 'c3-d4' is not a move such as"),
        ("a.pdn", '[White "A"]\n[GameType "99"]\n1. 32-28*', "a.pdn: game 1, line 2: GameType 99 is not supported"),
        ("a.sgf", "(;GM[1]\nSZ[x];B[ee])", "a.sgf: game 1, line 2: "),
        ("a.pgn", '[White "A"]\n\n[FEN "8/8 w"]\n1. e4*', "a.pgn: game 1, line 3: '8/8 w' is not a position"),
        ("a.pgn", '\n[Variant "Shogi"]\n\n1. e4 *', "a.pgn: game 1, line 2: unknown variant 'Shogi': the choices are"),
    ],
)
def test_faults_of_files_are_named(name: str, text: str, reason: str, cli: Cli) -> None:
    Path(name).write_text(text)
    assert reason in cli.refusal("analyze", name, "--depth", "1")
    if "Shogi" in text:  # also if the file is given as a position
        assert reason in cli.refusal("analyze", "chess", name, "--depth", "1")


def test_only_the_first_game_is_read(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """Damage after the first game does not matter, and large files are read only in part."""
    first = '[White "A"]\n[Black "B"]\n1. e4 e5 2. Nf3 Nc6'
    begun = '\n\n[White "C"'
    for rest in (f"*{begun}\n1. e4 *", f"{begun}\n1. e4 *", f"*{begun}]\n1. e4 {{good *", "*\n1. d4 )"):
        Path("a.pgn").write_text(first + rest)
        printed = cli.run("analyze a.pgn --depth 1 --json")
        assert " b KQkq " not in printed.out
        assert "r1bqkbnr/pppp1ppp/2n5" in printed.out
        assert "a.pgn has 2 games: this is the first one, A - B; the other is ignored" in printed.err
        assert "open it with gamesearch analyze a.pgn" in cli.refusal("analyze connect4 a.pgn")
    monkeypatch.setattr(files, "LARGEST", 100)
    Path("a.pgn").write_text(first + '*\n\n[White "C"]\n1. e4 \u00e4 *\n' * 5)
    assert "a.pgn has many games" in cli.run("analyze a.pgn --depth 1").err
    Path("a.pgn").write_text(first + " {\n" + "good\n" * 30 + "} *\n")
    assert "has no end in the first 100 bytes (the rest is not read)" in cli.refusal("analyze a.pgn")
    with pytest.raises(ValueError, match="has no end in the first 100 bytes"):
        read_file("a.pgn", load("chess"))


def test_files_that_cannot_be_used_are_explained_to_all_commands(cli: Cli) -> None:
    saved = '{"game": "tictactoe", "headers": {}, "position": ".../.../... X", "moves": []}'
    files = {"half.json": saved[:30], "empty.json": "", "tree.json": "[3, 12]", "p.fen": "8/8/8 w", "good.json": saved}
    for name, text in files.items():
        Path(name).write_text(text)
    Path("utf16.pgn").write_text("1. e4 *", encoding="utf-16")
    for name in ("packed.pgn", "packed.pgn.gz"):
        Path(name).write_bytes(gzip.compress(b"1. e4 *"))
    for arguments, reason in {
        "half.json": "half.json is not a game saved by gamesearch",
        "empty.json": "empty.json is not a game saved by gamesearch",
        "tree half.json": "the tree cannot be read at column 2",
        "missing.pgn": "play and analyze also read saved games (.json) and files such as game.pgn",
        "chess missing.pgn": "there is no file missing.pgn",
        "chess missing.fen": "there is no file missing.fen",
        "packed.pgn.gz": "packed.pgn.gz is compressed: unpack it",
        "chess packed.pgn.gz": "packed.pgn.gz is compressed: unpack it",
        "packed.pgn": "it is not text, because it is compressed: unpack it",
        "utf16.pgn": "it is not text in UTF-8, but in UTF-16: save it as UTF-8",
        "p.fen": 'If it contains a FEN, write: chess "$(cat p.fen)"',
        "chess p.fen": 'p.fen is a file, not a position. If it contains one, write: "$(cat p.fen)"',
    }.items():
        for command in ("analyze", "solve", "bench", "play"):
            assert reason in cli.refusal(f"{command} {arguments}"), command
    assert "If it contains a tree, write: tree tree.json" in cli.refusal("analyze tree.json")
    assert "good.json is a saved game, which cannot be used here" in cli.refusal("book good.json --to book.json")


def test_a_fen_needs_no_quotes(cli: Cli) -> None:
    fen = "8/8/8/8/8/1p6/K7/7k w - - 3 9"
    data = cli.data("analyze chess", *fen.split(), "--depth", "1")
    assert data["position"] == fen


# Ratings. -----------------------------------------------------------------------------------------
def test_ratings_finds_the_journals_of_match(cli: Cli, tmp_path: Path) -> None:
    cli.run("match tictactoe random(seed=1) random(seed=2) --games 2")
    cli.run("match nim random(seed=1) random(seed=2) --games 2")
    [journal] = (tmp_path / "state").glob("**/matches/tictactoe-*.jsonl")
    for name in ("tictactoe-*.jsonl", journal.name, str(journal)):
        assert cli.data("ratings", name)["players"][0]["games"] == 2
    said = cli.refusal("ratings *.jsonl")
    assert "nim, tictactoe" in said
    for game in ("nim", "nim(misere=false)"):
        assert cli.data("ratings *.jsonl --game", game)["players"][0]["games"] == 2


def test_variants_of_one_file_are_not_rated_together(cli: Cli) -> None:
    Path("a.pgn").write_text(
        '[White "A"]\n[Black "B"]\n\n1. e4 1-0\n\n[Variant "Atomic"]\n[White "A"]\n[Black "C"]\n\n0-1\n'
    )
    assert "chess, chess(variant=atomic)" in cli.refusal("ratings a.pgn")
    data = cli.data("ratings a.pgn --game chess")
    assert {each["player"] for each in data["players"]} == {"A", "B"}
    assert "no game of go" in cli.refusal("ratings a.pgn --game go")


# Any text, anywhere. ------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("words", "typed", "code", "said"),
    [
        (("ratings", "a.pgn", "--json"), b"", 0, '"M\\u00fcller"'),
        (("analyze", "tictactoe", "\u00e9"), b"", 2, "not nine squares"),
        (("analyze", "tictactoe", "-"), b"\xff\n", 2, "not text"),
        (("uci",), "position fen \u00e9\nisready\nquit\n".encode(), 0, "info string"),
        (("play", "tictactoe", "--min", "human"), b"\xff\n5\nresign\n", 0, "not a legal move"),
    ],
)
def test_no_text_ends_a_command_in_a_locale_of_ascii(
    words: tuple[str, ...], typed: bytes, code: int, said: str
) -> None:
    Path("a.pgn").write_text(LATIN)
    command = [sys.executable, "-m", "gamesearch", *words]
    done = subprocess.run(command, input=typed, capture_output=True, env=os.environ | ASCII, check=False)
    text = (done.stdout + done.stderr).decode("ascii", errors="replace")  # Click writes UTF-8
    assert said in text
    assert done.returncode == code, text
    assert "codec" not in text
    assert "Traceback" not in text


BIG = 300_000


@pytest.mark.parametrize(
    ("name", "before", "repeated", "after"),
    [
        ("a.pgn", "", "x", ""),
        ("b.pgn", "1. e4 ", "x", ""),
        ("c.pgn", "", "1. e4 ", ""),
        ("a.epd", "", "x", ""),
        ("b.epd", "7k/8/6K1/8/8/8/8/R7 w - - bm ", "x", ";"),
        ("a.obf", "-" * 64 + " X; ", "x", ":1;"),
        ("a.sgf", "(;SZ[9];B[", "x", "])"),
        ("a.pdn", "", "1. 11-15 ", ""),
    ],
    ids=lambda text: text[:8],
)
def test_no_message_repeats_a_large_file(name: str, before: str, repeated: str, after: str, cli: Cli) -> None:
    Path(name).write_text(before + repeated * (BIG // len(repeated)) + after)
    assert len(cli.refusal("suite" if name.endswith(("epd", "obf")) else "play", name)) < 1000
