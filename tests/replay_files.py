"""Read files of other programs and damaged files with gamesearch, and compare its answers with the expected ones.

    PYTHONPATH=tests python -m replay_files ../shared/data

prints, for each file in the folders `foreign_files` and `damaged`, the command, the expected answer and the actual one.
It exits with code 1 if one differs or if a file has no expectation.

To add a file, add a `Case` to CASES: its path below the folder, the words of a command with FILE for the path, the exit
code, and texts that the answer must contain. A text that begins with `not ` must be absent. `about` describes the right
answer in a sentence. Several cases may use one file.
"""

import contextlib
import io
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from gamesearch.cli import run

__all__ = ["CASES", "Case", "differences", "replay"]

FILE = "FILE"
SUITE = ("suite", FILE, "--depth", "2", "--speed", "interpreted")
RATINGS = ("ratings", FILE)
SHOW = ("show", FILE)
PLAY = ("play", FILE, "--plain", "--speed", "interpreted", "--players", "random,random", "--seed", "1")
DATA = ("analyze", FILE, "--depth", "1", "--speed", "interpreted", "--json")
SUITE_DATA = (*SUITE, "--json")


@dataclass(frozen=True)
class Case:
    """A file, a command that reads it, and the expected answer."""

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
    Case(f"{F}/r_noresult.pgn", "the first result is that after the moves", RATINGS, 0, ("2 games", "2 50.0%")),
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
    Case("damaged/journal-1.txt", "line 2 has no counts of nodes", RATINGS, 2, ("line 2", "its nodes is invalid")),
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


def answer(case: Case, folder: Path) -> tuple[int, str]:
    """Return the exit code of a case's command, and all that it printed, as one line."""
    arguments = [str(folder / case.file) if each == FILE else each for each in case.arguments]
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        code = run(arguments)
    return code, re.sub(r"\s+", " ", printed.getvalue())


def differences(case: Case, code: int, said: str) -> list[str]:
    """Return the differences from the expected answer."""
    found = [f"code {code} and not {case.code}"] if code != case.code else []
    for text in case.texts:
        is_absent = text.startswith("not ")
        if (text.removeprefix("not ") in said) == is_absent:
            found.append(f"{text.removeprefix('not ')!r} is {'there' if is_absent else 'missing'}")
    return found


def replay(folder: Path) -> Iterator[tuple[Case, int, str, list[str]]]:
    """Yield each case whose file exists, with the exit code, the answer, and how it differs from the expected one."""
    for case in CASES:
        if (folder / case.file).is_file():
            code, said = answer(case, folder)
            yield case, code, said, differences(case, code, said)


def unexpected(folder: Path) -> list[str]:
    """Return the files without a case."""
    known = {case.file for case in CASES}
    found = (
        path.relative_to(folder).as_posix()
        for part in ("foreign_files", "damaged")
        for path in folder.glob(f"{part}/*")
    )
    return sorted(name for name in found if name not in known and not name.endswith(".md"))


def main(folder: Path) -> int:
    """Print all answers; return 1 if one differs from the expected one."""
    wrong = 0
    for case, code, said, problems in replay(folder):
        wrong += bool(problems)
        print(f"{case.file}: {' '.join(case.arguments)}")
        print(f"  expected: {case.about} (code {case.code})")
        print(f"  actual:   {said[:300].strip()} (code {code})")
        print(f"  {'DIFFERENT: ' + '; '.join(problems) if problems else 'match'}")
    for name in unexpected(folder):
        wrong += 1
        print(f"{name}: NO EXPECTATION")
    print(f"{wrong} different" if wrong else "all match")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
