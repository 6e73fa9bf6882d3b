"""Damage files of every kind, and lines of every protocol, and read them: `python -m torture.readers`.

The result of each case depends only on its kind and number. A reader must succeed or report in one sentence what is
wrong, within some seconds and without an internal error. A reader must not run a program, write outside its folder, or
print a character that a terminal reads as a command. For each failure, a line is printed that reproduces it
(`--reproduce KIND:NUMBER`).
"""

import argparse
import contextlib
import functools
import io
import json
import os
import random
import re
import signal
import sys
import tempfile
import time
import traceback
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.databases.layer_files import HEADER_BYTES
from gamesearch.algorithms.node.database import Database
from gamesearch.cli import run
from gamesearch.errors import GamesearchError
from gamesearch.files.books import Book, Bounds, read_book, write_book
from gamesearch.game import CHANCE, Game
from gamesearch.learn.categories import played_games
from gamesearch.play.files import read_file, saved_game
from gamesearch.play.matches.game_task import GameRecord
from gamesearch.play.matches.openings import read_openings
from gamesearch.play.matches.series import Series
from gamesearch.play.serving.gtp_server import GtpServer
from gamesearch.play.serving.uci_server import UciServer
from gamesearch.registry import game_names, load
from gamesearch.solvers.databases.building import build
from gamesearch.solvers.solving import solve_by_database
from gamesearch.support.escaping import terminal_text
from torture.mutation import mutate

__all__ = ["KINDS", "Kind", "failure_of", "main"]

SECONDS = 120.0
"""Seconds after which a case counts as hanging."""
TRAP = "trap.py"
"""A Python file in the folder of each case, which may run only if a command line names it."""
GAMES = tuple(game_names())
SLOW = ("--speed", "interpreted")
FEW = ("--nodes", "50", *SLOW)
RUN = ("suite", "one.epd", "--nodes", "1", *SLOW, "-a", "alphabeta(depth=1)")


@dataclass(frozen=True)
class Kind:
    """A kind of file or input: examples without damage, and a function that reads it."""

    suffix: str
    examples: Callable[[], Sequence[bytes]]
    use: Callable[[Path], object]
    """A function that reads the file; the current folder contains no other file, unless `with_files` puts it there."""
    with_files: Callable[[Path], object] = lambda _: None
    """A function that puts the other files that the reader needs into the folder."""


# Failures. ----------------------------------------------------------------------------------------
class Hang(BaseException):
    """Raised if a case takes too long."""


class Intrusion(BaseException):
    """Raised if reading a file causes a forbidden action, such as running a program."""


class InternalError(Exception):
    """Raised if a command ends with an internal error."""


is_watching = False
"""Whether a case is being read, so that forbidden actions raise an exception."""
FORBIDDEN = (
    "os.system",
    "subprocess.Popen",
    "os.exec",
    "os.posix_spawn",
    "os.fork",
    "pickle.find_class",
    "socket.connect",
)


def notice(event: str, arguments: tuple[Any, ...]) -> None:
    """Raise Intrusion for a forbidden action; Python calls this audit hook before each action."""
    if not is_watching:
        return
    if event in FORBIDDEN:
        raise Intrusion(f"{event} {arguments}")
    if event == "exec" and TRAP in getattr(arguments[0], "co_filename", ""):
        raise Intrusion(f"{TRAP} was run")
    if event == "open" and isinstance(arguments[0], str) and isinstance(arguments[2], int):
        is_written = arguments[2] & (os.O_WRONLY | os.O_RDWR)
        if is_written and not os.path.realpath(arguments[0]).startswith((tempfile.gettempdir(), "/dev/null")):
            raise Intrusion(f"{arguments[0]} was written")


@functools.cache
def begin_to_watch() -> None:
    """Register `notice` as an audit hook of Python, which cannot be removed."""
    sys.addaudithook(notice)


@contextlib.contextmanager
def watch(seconds: float) -> Iterator[None]:
    """Raise Hang after some seconds, and Intrusion for a forbidden action."""
    global is_watching

    def too_long(_: int, frame: FrameType | None) -> None:
        where = traceback.extract_stack(frame)[-1] if frame is not None else ""
        raise Hang(f"more than {seconds} seconds, in {where}")

    begin_to_watch()
    before = signal.signal(signal.SIGALRM, too_long)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    is_watching = True
    try:
        yield
    finally:
        is_watching = False
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def failure_of(kind: str, data: bytes, seconds: float = SECONDS) -> str:
    """Read data of a kind; return a description of the failure, or an empty text if it succeeds."""
    chosen, here = KINDS[kind], Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"case{chosen.suffix}"
        chosen.with_files(Path(folder))
        path.write_bytes(data)
        (Path(folder) / TRAP).write_text("open('sprung', 'w').close()\n")
        os.chdir(folder)
        try:
            with watch(seconds):
                chosen.use(path)
        except GamesearchError as error:
            return "" if str(error).strip() else "an error without a sentence"
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            frames = [f"{Path(each.filename).name}:{each.lineno}" for each in traceback.extract_tb(error.__traceback__)]
            return f"{type(error).__name__}: {str(error)[:300]!r} ({' '.join(frames[-4:])})"
        finally:
            os.chdir(here)
        return f"{TRAP} was run" if (Path(folder) / "sprung").exists() else ""


CODES: list[int] = []
"""The exit codes of all commands that have run."""


# Readers. -----------------------------------------------------------------------------------------
def call(*arguments: str, typed: bytes = b"") -> str:
    """Return the output of a command; a bad exit code or invisible characters in the output raise InternalError."""
    given, printed, said = sys.stdin, io.StringIO(), io.StringIO()
    sys.stdin = io.TextIOWrapper(io.BytesIO(typed), encoding="utf-8", errors="surrogateescape")
    try:
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(said):
            code = run(arguments)
    finally:
        sys.stdin = given
    CODES.append(code)
    output, errors = printed.getvalue(), said.getvalue()
    if code not in (0, 1, 2):
        raise InternalError(f"exit code {code}: {errors}")
    if code == 2 and not errors.strip():
        raise InternalError("exit code 2 without a sentence")
    for text in (output, errors):
        if terminal_text(text) != text or any("\ud800" <= character <= "\udfff" for character in text):
            raise InternalError(f"unescaped: {text[:200]!r}")
    return output


def use_trace(path: Path) -> None:
    """Show a trace, replay it, start its quiz, and export it."""
    call("show", str(path), "--plies", "200")
    json.loads(call("show", str(path), "--json") or "{}")
    call("watch", "--trace", str(path))
    call("watch", str(path), "--quiz", "--seed", "1", typed=b"3\nyes\na\n[1, 2]\n" * 9)
    for suffix in ("svg", "dot", "mmd", "tex", "html"):
        for more in ((), ("--blank",), ("--nodes", "3"), ("--fit",)):
            call("export", str(path), "--to", f"tree.{suffix}", "--force", *more)
            written = Path(f"tree.{suffix}")
            if written.exists() and terminal_text(written.read_text()) != written.read_text():
                raise InternalError(f"tree.{suffix} has invisible characters")


def use_journal(path: Path) -> None:
    """Rate the players of a journal, and read its games."""
    call("ratings", str(path), "--to", "ratings.svg", "--force")
    json.loads(call("ratings", str(path), "--json") or "{}")
    with contextlib.suppress(GamesearchError):
        list(played_games(str(path), load("tictactoe")))


def use_pgn(path: Path) -> None:
    """Read the games of a PGN file with each command that reads PGN."""
    for read in (
        lambda: call("ratings", str(path)),
        lambda: read_openings(str(path), load("chess")),
        lambda: list(played_games(str(path), load("chess"))),
    ):
        with contextlib.suppress(GamesearchError):
            read()
    use_saved_game(path)


def use_saved_game(path: Path) -> None:
    """Continue a saved game."""
    found = saved_game(str(path))
    if found is not None:
        for value in map(str, found):
            terminal_text(value)
    call("play", str(path), "--plain", *SLOW, "--max", "human", "--min", "human", typed=b"board\nquit\n")
    for game in ("tictactoe", "chess", "pig"):
        with contextlib.suppress(GamesearchError):
            read_file(str(path), load(game))


def use_lines(path: Path) -> None:
    """Play a game with the lines of a file as typed input."""
    try:
        call("play", "tictactoe", "--plain", *SLOW, "--max", "human", "--min", "human", typed=path.read_bytes())
    except Intrusion as error:
        if not str(error).endswith("was written"):  # users may save a game anywhere, but this check forbids it
            raise


def use_suite(path: Path) -> None:
    """Let `suite` search the positions of a file."""
    call("suite", str(path), "--nodes", "1", *SLOW, "-a", "alphabeta(depth=1)")
    if path.suffix != ".txt":
        with contextlib.suppress(GamesearchError):
            read_openings(str(path), load("chess" if path.suffix == ".epd" else "othello"))


def use_book(path: Path) -> None:
    """Look up moves in an opening book."""
    game = load("tictactoe")
    book = read_book(str(path), game)
    book.moves(game.initial())
    write_book(path.with_suffix(".again"), book)


def use_weights(game: str) -> Callable[[Path], object]:
    """Return a reader that evaluates a position with the weights from a file."""

    def use(path: Path) -> None:
        for text in (game, game.replace("(", "(fold=true, ") if "fold" in game else game):
            rules: Any = load(text.replace("FILE", str(path)))
            value = rules.evaluate(rules.initial())
            if not isinstance(value, float | int) or value != value:
                raise InternalError(f"the estimate is {value}")

    return use


def use_database(path: Path, is_header: bool = False) -> None:
    """Look up positions in a database in which the file is a layer, or replaces only the header of a layer."""
    game, folder = load(DATABASE), path.parent / "database"
    if is_header:
        whole = database()["2.layer"]
        path.write_bytes(path.read_bytes()[: HEADER_BYTES - 1].ljust(HEADER_BYTES - 1) + b"\n" + whole[HEADER_BYTES:])
    folder.mkdir()
    for name, whole in database().items():
        (folder / name).write_bytes(whole)
    path.replace(folder / "2.layer")
    Database(str(folder), game)
    solve_by_database(game, game.setup("W:W4:B1")[1], str(folder))


def use_specification(path: Path) -> None:
    """Load the text as if typed, as a game and as an algorithm, unless it names a Python file."""
    text = as_typed(path)
    if ".py" not in text:
        for read in (load, load_algorithm):
            with contextlib.suppress(GamesearchError):
                read(text)


def use_typed_tree(path: Path) -> None:
    """Search a typed tree."""
    text = as_typed(path)
    if ".py" not in text:
        call("analyze", text, *FEW, "--tree", "--moves")


def use_positions(path: Path) -> None:
    """Parse each line as a position of the game named by its first word, and as moves from the game's start."""
    for line in as_typed(path).splitlines():
        name, _, text = line.partition(" ")
        game = rules_of(name)
        if game is None:
            continue
        with contextlib.suppress(GamesearchError):
            played, state = game.setup(text)
            past = played.positions_before(text)
            check_position(played, state)
            assert isinstance(past, list | tuple)
        for word in text.split()[:3]:
            with contextlib.suppress(GamesearchError):
                if game.player(game.initial()) != CHANCE:
                    game.move_name(game.initial(), game.parse_move(game.initial(), word))


@functools.cache
def rules_of(name: str) -> Game | None:
    """Return the game with a name, or None if it does not come with gamesearch."""
    return load(name) if name in GAMES else None


def check_position(game: Game, state: Any) -> None:
    """Raise InternalError if a parsed position cannot be played and formatted."""
    game.board(state)
    if not game.terminal(state):
        moves = game.steps(state)
        for move in moves[:3]:
            game.move_name(state, move)
            game.format(game.result(state, move))
    again = game.format(state)
    if game.format(game.setup(again)[1]) != again:
        raise InternalError(f"{again!r} is read back as another position")


def use_uci(path: Path) -> None:
    """Run a UCI server with the lines of a file as the client's input."""
    said: list[str] = []
    server = UciServer(said.append, "alphabeta(depth=1)", "interpreted")
    server.run(as_typed(path).splitlines())
    check_protocol(said)


def use_gtp(path: Path) -> None:
    """Run a GTP server with the lines of a file as the controller's input."""
    said: list[str] = []
    GtpServer(load("go(size=5)"), load_algorithm("alphabeta(depth=1)"), said.append, "interpreted").run(
        as_typed(path).splitlines()
    )
    check_protocol(said)


def check_protocol(said: Sequence[str]) -> None:
    """Raise InternalError if an answer of a server contains control characters or names an internal error."""
    for text in said:
        if terminal_text(text) != text:
            raise InternalError(f"unescaped: {text[:200]!r}")
        if re.search(r"\b(?!Gamesearch)\w+Error: ", text):
            raise InternalError(text)


def as_typed(path: Path) -> str:
    """Return the text that a program would receive if these bytes were typed at a terminal."""
    return path.read_bytes().decode(errors="surrogateescape").replace("\0", "")


# Examples. ----------------------------------------------------------------------------------------
def output_of(*arguments: str) -> bytes:
    """Return the output of a command as bytes."""
    return call(*arguments).encode()


TRACED = (
    ("analyze", "[[3,12,8],[2,4,6],[14,5,2]]", "", "-a", "alphabeta"),
    ("analyze", "[[(1,2,6),(4,2,3)],[(6,1,2),(7,4,1)]]", "", "-a", "maxn"),
    ("analyze", "[[(1,2,6),(4,2,3)],[(6,1,2),(7,4,1)]]", "", "-a", "paranoid"),
    ("analyze", "pig(target=4)", "", "-a", "expectiminimax(depth=3, pruning=star2)"),
    ("analyze", "tictactoe", "XO./XO./...", "-a", "alphabeta(table=true, memory=1, deepen=true, depth=3)"),
    ("analyze", "tictactoe", "XO./XO./...", "-a", "pvs(depth=3)"),
    ("analyze", "tictactoe", "XO./XO./...", "-a", "mcts(playouts=6)"),
    ("analyze", "pig(target=4)", "", "-a", "mcts(playouts=6)"),
    ("analyze", "tictactoe", "XO./XO./...", "-a", "bestfirst(expansions=4)"),
    ("analyze", "[[99,1000,1000,1000],[100,101,102,100]]", "", "-a", "beliefs(error=5, leaves=payoffs)"),
    ("solve", "tictactoe", "XO./XO./...", "--method", "proof(search=pn)"),
    ("solve", "checkers(size=4)", "W:W4,5:B1,6", "--method", "proof(search=graph)"),
)
"""The command that makes each trace: one for each kind of search."""


def traces() -> Sequence[bytes]:
    """Return traces, one of each kind of search."""
    return [output_of(*each, "--trace-nodes", "12", "--trace", "-", *SLOW) for each in TRACED]


def journals() -> Sequence[bytes]:
    """Return journals of matches between two and between three players."""
    found = []
    for players in (("random", "minimax(depth=2)"), ("random", "random", "mcts")):
        series = Series("tictactoe", players, plies=0)
        lines = [json.dumps(series.header())]
        for number in range(6):
            task = series.task(number)
            winner = (None, 0, 1)[number % 3]
            record = GameRecord(
                number, task.labels, "", (), ("5", "1", "3", "7", "6"), winner=winner, nodes=(5, number)
            )
            lines.append(record.text())
        failed = GameRecord(6, series.task(6).labels).with_failure_of(0, "crash", "it ended")
        found.append("\n".join([*lines, failed.text(), ""]).encode())
    return found


def saved_games() -> Sequence[bytes]:
    """Return saved games of all games except chess, whose games are saved as PGN."""
    found = []
    for name in sorted(set(GAMES) - {"chess"}):
        game, state, moves = load(name), load(name).initial(), list[int]()
        source = random.Random(name)
        while len(moves) < 6:
            move = source.choice(game.steps(state))
            if game.terminal(game.result(state, move)):
                break
            moves.append(move)
            state = game.result(state, move)
        found.append(game.record(game.initial(), moves, {"White": "somebody", "Black": "computer(level=3)"}).encode())
    return found


def pgns() -> Sequence[bytes]:
    """Return files of chess games written by other programs."""
    headers = '[Event "a \\"b\\""]\n[White "Ann"]\n[Black "Bob"]\n[Result "1-0"]\n'
    return [
        f"{headers}\n1. e4 e5 2. Nf3 {{a comment}} Nc6 (2... d6 3. d4) 3. Bb5 $1 a6 1-0\n".encode(),
        f'{headers}[FEN "{ENDING} 0 1"]\n[SetUp "1"]\n\n1. Qb5+ Kd6 1-0\n\n{headers}\n1. d4 1-0\n'.encode(),
        f'{headers}[Variant "Atomic"]\n\n1. e3 *\n'.encode(),
        b"1. e4 c5 2. Nf3 *\n",
        f"\ufeff{headers}\r\n1.e4 e5 2.O-O 1/2-1/2\r\n".encode(),
    ]


def books() -> Sequence[bytes]:
    """Return a book."""
    game = load("tictactoe")
    book = Book(game)
    for number, move in enumerate(game.moves(game.initial())):
        book.note(game.result(game.initial(), move), Bounds(-1.0 * (number > 3), 1.0 * (number < 6)))
    with tempfile.TemporaryDirectory() as folder:
        write_book(Path(folder) / "book.json", book)
        return [(Path(folder) / "book.json").read_bytes()]


def shipped_files(*names: str) -> Callable[[], Sequence[bytes]]:
    """Return the files of weights that come with gamesearch."""
    folder = Path(str(sys.modules["gamesearch"].__file__)).parent / "learned" / "shipped"
    return lambda: [(folder / f"{name}.json").read_bytes() for name in names]


DATABASE = "checkers(size=4)"


@functools.cache
def database() -> dict[str, bytes]:
    """Return the files of a small database."""
    with tempfile.TemporaryDirectory() as folder:
        for _ in build(load(DATABASE), "2", folder, speed="interpreted", memory=1):
            pass
        return {path.name: path.read_bytes() for path in Path(folder).glob("*.layer")}


def strategies() -> Sequence[bytes]:
    """Return strategies of small games."""
    found: list[bytes] = []
    with tempfile.TemporaryDirectory() as folder:
        for game, position in (("tictactoe", "XX./OO./..."), ("nim", "1,2"), ("pig(target=3)", "")):
            path = Path(folder) / f"{len(found)}.jsonl"
            call("solve", game, position, *SLOW, "--strategy", str(path))
            if path.exists():
                found.append(path.read_bytes())
    return found


def earlier_runs() -> Sequence[bytes]:
    """Return the output of `suite` for an earlier run."""
    with tempfile.TemporaryDirectory() as folder:
        put_suite(Path(folder))
        path = str(Path(folder) / "one.epd")
        return [output_of("suite", path, "--nodes", "1", *SLOW, "-a", "alphabeta(depth=1)", "--json")]


ENDING = "8/8/8/3k4/8/8/8/KQ6 w - -"
EPD = 'r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - bm Qxf7#; id "one \\"a\\"";\n'


def put_suite(folder: Path) -> None:
    """Write a file of test positions for `suite` into a folder."""
    (folder / "one.epd").write_text(EPD)


def positions() -> Sequence[bytes]:
    """Return positions of every game; each line begins with the name of the game."""
    found = []
    for name in GAMES:
        game = load(name)
        state, source, lines = game.initial(), random.Random(name), [f"{name} {game.example}"]
        for _ in range(12):
            lines.append(f"{name} {game.format(state)}")
            if game.terminal(state) or not game.steps(state):
                break
            state = game.result(state, source.choice(game.steps(state)))
        found.append("\n".join(line.replace("\n", " ") for line in lines).encode())
    return found


def of(*texts: str) -> Callable[[], Sequence[bytes]]:
    """Encode text examples."""
    return lambda: [text.encode() for text in texts]


TREES = of(
    "[[3,12,8],[2,4,6],[14,5,2]]", "max[min[3,{1/2: 4, 1/2: [1,2]}],-7]", "[[(1,2,6),(4,2,3)],[(6,1,2),(7,4,1)]]",
    '{"max": [{"min": [3, 12]}, {"chance": [[0.5, 2], [0.5, 4.5]]}]}', "{0.3: 1, 0.7: [2, 3]}",
)  # fmt: skip
SPECIFICATIONS = of(
    "connect4(rows=5, columns=4)", "alphabeta(depth=6, table=true, order=killer+history)", "nim(heaps=3-4-5)",
    'tree(text="[1,2]")', "random_tree(depth=3, branching=2, seed=1)", "mcts(playouts=50, exploration=0.7)",
    "chess(variant=atomic)", "go(size=5, komi=6.5)", "pvs(depth=4, quiescence=true)",
)  # fmt: skip
UCI = of(
    "uci\nsetoption name Hash value 16\nsetoption name MultiPV value 2\nisready\nucinewgame\n"
    "position startpos moves e2e4 e7e5\ngo depth 1\nstop\n"
    f"position fen {ENDING} 0 1 moves b1b5\ngo nodes 5\nquit\n",
    "uci\nsetoption name UCI_Variant value atomic\nposition startpos\ngo wtime 10 btime 10 winc 1 binc 1 movestogo 2\n"
    "setoption name Algorithm value minimax(depth=1)\ngo movetime 1 searchmoves e2e4\nponderhit\ndebug on\nquit\n",
)
GTP = of(
    "1 protocol_version\nlist_commands\nboardsize 5\nclear_board\nkomi 6.5\nplay black C3\ngenmove white\n"
    "undo\nshowboard\nfinal_score\ntime_settings 10 5 1\ntime_left black 3 0\nfinal_status_list dead\n"
    "known_command play\nquit\n"
)
LINES = of("5\n1\n?\nundo\nhint\nmoves\nsave game.json\nboard\nflip\nload game.json\n3\nresign\nquit\n", "a1\nb2\n")

KINDS: dict[str, Kind] = {
    "trace": Kind(".trace", traces, use_trace),
    "journal": Kind(".jsonl", journals, use_journal),
    "saved game": Kind(".json", saved_games, use_saved_game),
    "PGN": Kind(".pgn", pgns, use_pgn),
    "book": Kind(".json", books, use_book),
    "weights": Kind(".json", shipped_files("gomoku"), use_weights("gomoku(weights=FILE)")),
    "patterns": Kind(".json", shipped_files("othello"), use_weights("othello(weights=FILE)")),
    "network": Kind(".json", shipped_files("backgammon"), use_weights("backgammon(weights=FILE)")),
    "database": Kind(".layer", lambda: [database()["2.layer"]], use_database),
    "header": Kind(
        ".layer", lambda: [database()["2.layer"][:HEADER_BYTES].strip()], lambda path: use_database(path, True)
    ),
    "strategy": Kind(".jsonl", strategies, lambda path: call("solve", "--check", str(path))),
    "EPD": Kind(".epd", of(EPD, EPD + f"{ENDING} dm 4; am Kb2; hmvc 3; fmvn 9;\n"), use_suite),
    "OBF": Kind(
        ".obf", of("--XXXXX--OOOXX-O-OOOXXOXOOOXXOX-OOOXXXX-XOOXXXX--OOOXX-X-XXXXX-- X; A8:+18; H4:+16;\n"), use_suite
    ),
    "scores": Kind(".txt", of("4453 1\n12345671 -2\n", "44444 3\n"), use_suite),
    "openings": Kind(
        ".lines",
        of("5 1 3\n1. 5 2. 9\nXO./.../...\n# a comment\n"),
        lambda path: read_openings(str(path), load("tictactoe")),
    ),
    "earlier run": Kind(".json", earlier_runs, lambda path: call(*RUN, "--compare", str(path)), put_suite),
    "tree file": Kind(".tree", TREES, lambda path: call("analyze", f"tree(file={path})", *FEW, "--tree")),
    "typed tree": Kind(".text", TREES, use_typed_tree),
    "specification": Kind(".text", SPECIFICATIONS, use_specification),
    "positions": Kind(".text", positions, use_positions),
    "position lines": Kind(
        ".text",
        of("XO./.../...\n.../.../...\n5 1 3\n"),
        lambda path: call("analyze", "tictactoe", "-", "--depth", "1", *SLOW, "--json", typed=path.read_bytes()),
    ),
    "UCI": Kind(".text", UCI, use_uci),
    "GTP": Kind(".text", GTP, use_gtp),
    "typed lines": Kind(".text", LINES, use_lines),
}
"""All kinds of files and inputs, by their names."""


# Cases. -------------------------------------------------------------------------------------------
@functools.cache
def examples_of(kind: str) -> Sequence[bytes]:
    """Return the undamaged examples of a kind."""
    return tuple(KINDS[kind].examples())


def case(kind: str, number: int) -> bytes:
    """Return the data of a case; the cases with the lowest numbers are the undamaged examples."""
    examples = examples_of(kind)
    if number < len(examples):
        return examples[number]
    source = random.Random(zlib.crc32(f"{kind}:{number}".encode()))
    return mutate(source.choice(examples), examples, source)


def main() -> int:
    """Parse the command line, and read the requested cases."""
    parser = argparse.ArgumentParser(prog="python -m torture.readers", description=__doc__)
    parser.add_argument("--seconds", type=float, default=600.0, help="how long (600)")
    parser.add_argument("--first", type=int, default=0, help="the number of the first case of each kind (0)")
    parser.add_argument("--kinds", default=",".join(KINDS), help="some kinds, separated by commas")
    parser.add_argument("--reproduce", metavar="KIND:NUMBER", help="read one case, and print what goes wrong")
    parser.add_argument("--write", metavar="FILE", help="with --reproduce: write the case to a file")
    options = parser.parse_args()
    os.environ["GAMESEARCH_DEBUG"] = "1"  # internal errors are raised
    if options.reproduce:
        kind, _, number = options.reproduce.rpartition(":")
        data = case(kind, int(number))
        if options.write:
            Path(options.write).write_bytes(data)
        failure = failure_of(kind, data)
        print(failure or "nothing is wrong")
        return 1 if failure else 0
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {f"XDG_{name}_HOME": folder for name in ("STATE", "DATA", "CACHE")}
        return read_cases(options.kinds.split(","), options.first, options.seconds)


def read_cases(kinds: Sequence[str], first: int, seconds: float) -> int:
    """Read cases of the given kinds in turn until the time is up; return the exit code."""
    until, number, cases, seen = time.monotonic() + seconds, first, 0, Counter[str]()
    while time.monotonic() < until:
        for kind in kinds:
            cases += 1
            failure = failure_of(kind, case(kind, number))
            if failure:
                place = f"{kind}: {failure.partition(':')[0]} {failure.rpartition('(')[2]}"
                seen[place] += 1
                if seen[place] <= 2:
                    print(f"{failure}\n    --reproduce '{kind}:{number}'", flush=True)
        number += 1
    print(
        f"{cases:,} cases of {len(kinds)} kinds, numbers {first} to {number - 1}; {seen.total()} failures", flush=True
    )
    return 1 if seen else 0


if __name__ == "__main__":
    sys.exit(main())
