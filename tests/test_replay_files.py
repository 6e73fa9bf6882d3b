"""Every command gives the expected answer for files of other programs and for damaged files: a `Case` each."""

import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from commands import Cli

FOLDER = Path(__file__).resolve().parents[2] / "shared" / "data"
FILE = "FILE"
SUITE = ("suite", FILE, "--depth", "2", "--speed", "interpreted")
RATINGS = ("ratings", FILE)
SHOW = ("show", FILE)
PLAY = ("play", FILE, "--plain", "--speed", "interpreted", "--players", "random,random", "--seed", "1")
DATA = ("analyze", FILE, "--depth", "1", "--speed", "interpreted", "--json")
SUITE_DATA = (*SUITE, "--json")


@dataclass(frozen=True)
class Case:
    """A file, the command that reads the file, and the expected answer."""

    file: str
    about: str
    arguments: tuple[str, ...]
    code: int = 0
    texts: tuple[str, ...] = ()


F = "foreign_files"
CASES = (
    Case(f"{F}/german.pgn", "Sf3 and Sc6 are knights", DATA, 0, ("r1bqkbnr/pppp1ppp/2n5",)),
    Case(f"{F}/blank_line_in_tags.pgn", "one game, won by Black", RATINGS, 0, ("S", "1 game", "not 2 games")),
    Case(f"{F}/blank_line_in_tags.pgn", "five plies", DATA, 0, ("2n5/1B2p3/4P3/5N2",)),
    Case(f"{F}/op_noblank_between.pgn", "two games", PLAY, 0, ("2 games: this is the first one, A - B",)),
    Case(f"{F}/op_noheaders.pgn", "three games", PLAY, 0, ("3 games: this is the first one",)),
    Case(f"{F}/two_games.pgn", "two games, the first is played", PLAY, 0, ("2 games: this is the first one, A - B",)),
    Case(f"{F}/r_slim.pgn", "four games without moves", RATINGS, 0, ("4 games", "62.5%")),
    Case(f"{F}/r_latin1.pgn", "Latin-1, and three players", RATINGS, 0, ("as Latin-1", "M\u00fcller", "M\u00f6ller")),
    Case(f"{F}/latin1.pgn", "Latin-1", DATA, 0, ("as Latin-1", "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2")),
    Case(f"{F}/r_noresult.pgn", "the result after the moves counts", RATINGS, 0, ("2 games", "2 50.0%")),
    Case(f"{F}/r_quotes.pgn", "two players, and no backslashes", RATINGS, 0, ('Joe "the" Bot', "not \\")),
    Case(f"{F}/from_position.pgn", "chess from the position in FEN", DATA, 0, ("8/3k4/8/8/4P3/8/8/4K3 w",)),
    Case(f"{F}/fifty_unclaimed.pgn", "all five plies", DATA, 0, ("2k5/8/8/8/4P3/8/8/2K5 b - - 0 62",)),
    Case(f"{F}/s_fenclock.epd", "the clocks 99 and 80", SUITE_DATA, 0, ("4KR2 w - - 99 80",)),
    Case(f"{F}/s_bom.epd", "the byte order mark is skipped", SUITE, 0, ("1 of 1 position right",)),
    Case(f"{F}/s_illegal.epd", "two answers, line 2 is reported", SUITE, 2, ("2 of 2 positions", "line 2", "'Qa8#'")),
    Case(f"{F}/s_latin1.epd", "Latin-1", SUITE, 0, ("1 of 1 position right", "as Latin-1")),
    Case(
        f"{F}/s_dm0.epd",
        "dm 0 is read, and means that the player to move is mated; here Kxb3 is legal, so the line is reported",
        SUITE, 2, ("line 1", "dm 0 means that the player to move is mated"),
    ),
    Case(f"{F}/s_emptybm.epd", "line 1 has no move to compare with", SUITE, 2, ("line 1", "bm has no move")),
    Case(f"{F}/obf_inline_comment.obf", "% begins a comment", SUITE, 0, ("1 of 1 position right",)),
    Case(f"{F}/obf_pass_pa.obf", "PA is a pass", SUITE, 0, ("right pass pass",)),
    Case(f"{F}/game.sgf", "Go on 9 rows: a move at E5, then a pass", PLAY, 0, ("Black passed",)),
    Case(f"{F}/game.sgf", "Go with komi 6.5", DATA, 0, ("go(size=9, komi=6.5", "....O....")),
    Case(f"{F}/game.pdn", "English draughts, four plies", DATA, 0, ("B:W17,19,21,24",)),
    Case(f"{F}/game.ggf", "Othello, two plies", DATA, 0, ("---OX------OXX-----O",)),
    Case("damaged/journal-1.txt", "line 2 has no counts of nodes", RATINGS, 2, ("line 2", "field nodes is invalid")),
    *(
        Case(f"damaged/trace-{number}.txt", about, command, 2, (text, "not Error"))
        for number, about, text in (
            (1, "the window in line 15 is a number", "broken at line 15: its window"),
            (3, "a probability in line 24 is a text", "broken at line 24: its chance"),
            (5, "the best line in the last line is not a list", "broken at line 33: its line"),
            (7, "the version is negative", "its version"),
        )
        for command in (SHOW, ("watch", "--trace", FILE))
    ),
)  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.file}-{case.arguments[0]}")
def test_files_have_the_right_answers(case: Case, cli: Cli) -> None:
    if not (FOLDER / case.file).is_file():
        pytest.skip("the folder with the files is not there")
    words = [FOLDER / case.file if each == FILE else each for each in case.arguments]
    printed = re.sub(r"\s+", " ", "".join(cli.run(str(words[0]), *words[1:], code=case.code)))
    for text in case.texts:
        is_wanted = not text.startswith("not ")
        assert (text.removeprefix("not ") in printed) == is_wanted, f"{case.about}: {text!r} in {printed}"


def test_no_file_is_without_an_expectation() -> None:
    files = [path for part in ("foreign_files", "damaged") for path in (FOLDER / part).glob("*")]
    known = {FOLDER / case.file for case in CASES}
    assert [path for path in files if path not in known and path.suffix != ".md"] == []
