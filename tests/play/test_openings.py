"""Openings from files in several formats, and balanced random openings."""

from pathlib import Path

import pytest

from gamesearch.api import search
from gamesearch.errors import GamesearchError
from gamesearch.game import MAX, MIN
from gamesearch.play.matches.game_task import Opening
from gamesearch.play.matches.openings import CANDIDATES, advantage, find_balanced, play_opening, read_openings
from gamesearch.registry import load

TWO_GAMES = """[Event "A"]
[White "x"]
[Black "y"]
[Result "*"]

1. e4 e5 2. Nf3 *

[Event "B"]
[Result "1-0"]
[SetUp "1"]
[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]

1. e4 {a pawn} Kd7 1-0
"""
EPD = """# two positions
r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - bm Nf6; id "one";

4k3/8/8/8/8/8/4P3/4K3 w - - hmvc 0;
"""
OBF = "---------------------------OX------XO--------------------------- X; d3:+0; c4:+0;\n"


@pytest.mark.parametrize(
    ("game", "suffix", "text", "plies", "found"),
    [
        ("chess", ".pgn", TWO_GAMES, None, [("", "e4 e5 Nf3"), ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e4 Kd7")]),
        ("chess", ".pgn", TWO_GAMES, 1, [("", "e4"), ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e4")]),
        ("othello", ".obf", OBF, None, [(OBF.partition(";")[0], "")]),
        ("othello", ".txt", "f5 d6 c3\nf5,f6  # a comment\n\n", None, [("", "f5 d6 c3"), ("", "f5 f6")]),
        ("othello", ".txt", "f5 d6 c3\n", 2, [("", "f5 d6")]),
        ("chess", ".txt", "1. e4 e5 2.Nf3\n", None, [("", "e4 e5 Nf3")]),
        ("tictactoe", ".txt", "XX./OX./.OO\n5 1\n", None, [("XX./OX./.OO", ""), ("", "5 1")]),
    ],
)
def test_files_of_all_kinds_are_read(
    game: str, suffix: str, text: str, plies: int | None, found: list[tuple[str, str]], tmp_path: Path
) -> None:
    path = tmp_path / f"openings{suffix}"
    path.write_text(text)
    rules = load(game)
    openings = read_openings(str(path), rules, plies)
    assert [(each.position, " ".join(each.moves)) for each in openings] == found
    for each in openings:
        states, moves = play_opening(rules, each)
        assert len(states) == len(moves) + 1 == len(each.moves) + 1


def test_positions_of_epd_are_read(tmp_path: Path) -> None:
    path = tmp_path / "a.epd"
    path.write_text(EPD)
    chess = load("chess")
    boards = [chess.format(play_opening(chess, each)[0][0]) for each in read_openings(str(path), chess)]
    assert [each.split()[:2] for each in boards] == [line.split()[:2] for line in EPD.splitlines() if "/" in line]


@pytest.mark.parametrize(
    ("suffix", "text", "said"),
    [
        (".txt", "5 1\n5 5\n", "line 2 of .* is not an opening: move 2, '5', cannot be made"),
        (".txt", "what\n", "line 1 of .* is not an opening"),
        (".txt", "# nothing\n\n", "contains no openings"),
        (".txt", "XXX/OO./...\n", "line 1 of .* it ends the game"),
        (".txt", "1 4 2 5 3 6\n", "line 1 of .* the game is already over"),
        (".json", "{}", "it is not a game saved"),
        (".txt", None, "there is no file"),
        (".txt", b"\xff\xfe\x00", "it is not text"),
    ],
)
def test_files_without_openings_are_refused(suffix: str, text: str | bytes | None, said: str, tmp_path: Path) -> None:
    path = tmp_path / f"openings{suffix}"
    if isinstance(text, bytes):
        path.write_bytes(text)
    elif text is not None:
        path.write_text(text)
    with pytest.raises(GamesearchError, match=said):
        read_openings(str(path), load("tictactoe"))


def test_random_openings_are_legal_and_depend_on_their_seed() -> None:
    game = load("connect4")
    lines = {play_opening(game, Opening(plies=6, seed=seed))[1].__repr__() for seed in range(4)}
    assert len(lines) == 4
    states, moves = play_opening(game, Opening(plies=6, seed=1))
    assert len(moves) == 6
    assert all(m in game.steps(s) for s, m in zip(states, moves, strict=False))
    assert play_opening(game, Opening(plies=6, seed=1))[1] == moves


def test_random_openings_are_balanced() -> None:
    """Balanced openings of Tic-tac-toe are draws, although fewer than half of all openings are draws."""
    game = load("tictactoe")
    for seed in range(6):
        states, moves = play_opening(game, Opening(plies=4, seed=seed))
        assert len(moves) == 4
        assert search(game, states[-1], "alphabeta", speed="interpreted").value == 0


def test_openings_end_before_the_game_ends() -> None:
    nim = load("nim")
    line = find_balanced(nim, nim.parse("0,1,1"), 5, 0)
    assert len(line) == 1
    assert find_balanced(nim, nim.parse("0,0,1"), 3, 0) == ()
    pig = load("pig")
    for plies in (1, 2, 3):
        states, moves = play_opening(pig, Opening(plies=plies))
        assert len(moves) >= plies
        assert pig.player(states[-1]) in (MAX, MIN), "an opening ends with the turn of a player, after the dice"


def test_each_search_for_an_opening_is_announced_and_none_is_repeated() -> None:
    game, noted = load("tictactoe"), list[int]()
    line = find_balanced(game, game.initial(), 2, 12345, lambda: noted.append(1))
    assert 1 <= len(noted) <= CANDIDATES
    searched = advantage.cache_info().misses
    assert find_balanced(game, game.initial(), 2, 12345) == line
    assert advantage.cache_info().misses == searched, "the second game of a pair needs no search"
