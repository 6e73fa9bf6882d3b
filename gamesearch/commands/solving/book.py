"""Build an opening book for players."""

import contextlib
import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from gamesearch.algorithms.catalog.alphabeta import AlphaBeta
from gamesearch.algorithms.engine.formatting import plural, seconds_text, value_text
from gamesearch.algorithms.engine.result import WHY_STOPPED, Limits, Monitor
from gamesearch.algorithms.engine.runner import Runner
from gamesearch.algorithms.engine.searcher import Searcher
from gamesearch.algorithms.node.table import MEGABYTE, physical_memory
from gamesearch.algorithms.node.workspace import FULL_DEPTH
from gamesearch.cli import options as cli
from gamesearch.cli.consoles import print_found, status_console
from gamesearch.cli.help import Command
from gamesearch.cli.reading import format_of
from gamesearch.compiler import speed_for
from gamesearch.errors import GamesearchError, Interrupted, refuse
from gamesearch.files.books import SUFFIX, Book, Bounds, read_book, write_book
from gamesearch.files.whole import lock_output, refuse_protected
from gamesearch.game import MAX, MIN, NEVER, Game
from gamesearch.notation import player_name, zero_sum_words
from gamesearch.registry import load, specification_of

__all__ = ["BookMaker", "BookProgress", "command"]


# Making a book. -----------------------------------------------------------------------------------
GLANCE = {"compiled": 10, "interpreted": 3}  # the depth of the short searches that order moves
SIDES = {"both": (MAX, MIN), "max": (MAX,), "min": (MIN,)}  # for each --side, the sides with moves


def refuse_unfit(game: Game) -> None:
    """Raise GamesearchError if values of the game are not exact or depend on earlier positions."""
    it = f"no book can be made for {game.name}: it"
    refuse(
        (game.payoff_count > 1, f"no book can be made for {game.name}: books are {zero_sum_words(game)}"),
        (game.chance, f"{it} has chance nodes"),
        (game.repetition != NEVER, f"{it} lets positions repeat, so values depend on earlier positions"),
    )


@dataclass
class BookProgress:
    """The progress in building a book."""

    positions: int = 0  # the number of positions in the book
    searched: int = 0  # the number of positions that were searched to the end of the game in this run
    nodes: int = 0
    seconds: float = 0.0
    stage: str = ""
    is_finished: bool = False


class BookMaker:
    """Makes or extends a book. After each searched position, `listen` is called with the progress."""

    def __init__(
        self,
        book: Book,
        plies: int,
        *,
        exact: bool = False,
        memory: int = 256,
        threads: int = 1,
        speed: str = "auto",
        listen: Callable[[BookProgress], None] = lambda _: None,
        monitor: Monitor | None = None,
    ) -> None:
        refuse_unfit(book.game)
        self.book, self.game, self.plies, self.exact = book, book.game, plies, exact
        self.speed, self.listen, self.monitor = speed, listen, monitor
        self.algorithm = AlphaBeta(
            "full", table=True, memory=memory, order="game", bounds=True, window="null", threads=threads
        )
        shallow_value = AlphaBeta(GLANCE[speed_for(self.game, speed)], table=True, memory=1, order="game", bounds=True)
        self.glances = Searcher(self.game, shallow_value, speed)
        self.runner: Runner
        self.progress = BookProgress()

    def make(self, sides: str, limit: float | None = None) -> BookProgress:
        """Find the moves of one side or of both sides, for at most `limit` seconds; raises Interrupted after Ctrl-C."""
        with self.open_searcher(limit):
            for is_exact in (False, True)[: 1 + self.exact]:
                for side in SIDES[sides]:
                    self.progress.stage = f"{player_name(self.game, side)}, {'how soon' if is_exact else 'who wins'}"
                    self.prepare(self.game.initial(), side, 0, is_exact, set())
        return self.progress

    def ask(self, s: Any, least: float) -> tuple[bool, BookProgress]:
        """Decide whether the value of a position is at least `least`. Returns the answer, and the progress, which
        contains the number of nodes."""
        with self.open_searcher(None):
            answer = self.decide(s, least, 0)
        return answer, self.progress

    @contextlib.contextmanager
    def open_searcher(self, limit: float | None) -> Iterator[None]:
        """A context in which all searches of positions share one table. After `limit` seconds, the context ends without
        an error."""
        with self.algorithm.runner(self.game, self.speed) as self.runner, self.glances:
            self.runner.start(Limits(time=limit), monitor=self.monitor)
            self.runner.begin(bounds=True)
            with contextlib.suppress(TimeIsUpError):
                yield
                self.progress.is_finished = True
            self.report()

    def report(self) -> None:
        """Report the progress."""
        self.progress.positions, self.progress.nodes = len(self.book.positions), self.runner.nodes_so_far
        self.progress.seconds = self.runner.seconds
        self.listen(self.progress)

    def prepare(self, s: Any, side: int, ply: int, is_exact: bool, done: set[str]) -> None:
        """Find a side's moves in a position, and in all later positions that can arise after these moves."""
        if self.game.terminal(s) or self.book.hash_of(s) in done:
            return
        done.add(self.book.hash_of(s))
        while (least := self.question(self.book.bounds(s), side, is_exact)) is not None:
            self.decide(s, least, ply)
        self.book.note(s, self.book.bounds(s))
        if ply >= self.plies:
            return
        moves = self.book.moves(s)[:1] if self.game.player(s) == side else self.game.steps(s)
        for m in moves:
            self.prepare(self.game.result(s, m), side, ply + 1, is_exact, done)

    def question(self, known: Bounds, side: int, is_exact: bool) -> float | None:
        """The next payoff to test: the next search decides whether the value is at least this payoff. The first test is
        for a win, the second for a draw, and later tests are for payoffs further from a draw. The result is None if the
        known bounds already give the required answer."""
        draw = float(self.game.draw_value())
        win = self.above(draw)
        for least in (win, draw) if side == MAX else (draw, win):
            if known.lower < least <= known.upper:
                return least
        if not is_exact or known.lower == known.upper:
            return None
        return self.above(known.lower) if known.lower >= win else known.upper

    def above(self, value: float) -> float:
        """Return the game's next possible payoff above a value."""
        if self.game.whole_payoffs:
            return math.floor(value) + 1.0
        return float(self.game.MAXSCORE) if self.game.win_or_loss else math.nextafter(value, math.inf)

    def decide(self, s: Any, least: float, ply: int) -> bool:
        """Decide whether the value of a position is at least `least`, and add the answer to the book."""
        known = self.book.bounds(s)
        if known.lower < least <= known.upper:
            found = self.decide_by_search(s, least) if ply >= self.plies else self.decide_by_moves(s, least, ply)
            known = known.narrow(found)
        self.book.note(s, known)
        return known.lower >= least

    def decide_by_moves(self, s: Any, least: float, ply: int) -> Bounds:
        """Decide by the bounds of the children whether the value is at least `least`. Returns bounds from which the
        answer follows."""
        wants = self.game.player(s) == MAX  # if one child has this answer, the position has this answer, too
        after = [self.game.result(s, m) for m in self.game.steps(s)]
        for each in self.promising_children(s, after, least):
            if self.decide(each, least, ply + 1) == wants:
                found = self.book.bounds(each)
                return Bounds(lower=found.lower) if wants else Bounds(upper=found.upper)
        if wants:
            return Bounds(upper=max(self.book.bounds(each).upper for each in after))
        return Bounds(lower=min(self.book.bounds(each).lower for each in after))

    def promising_children(self, s: Any, after: list[Any], least: float) -> list[Any]:
        """Is the value of s at least `least`? Return the children whose known bounds decide this. If there are none,
        return the undecided children in the order of their shallow values."""
        sign = -1 if self.game.player(s) == MAX else 1
        settled, open_ones = list[Any](), dict[str, tuple[float, Any]]()
        for each in after:
            known = self.book.bounds(each)
            if not known.lower < least <= known.upper:
                settled.append(each)
            elif (place := self.book.hash_of(each)) not in open_ones:
                open_ones[place] = sign * self.shallow_value(each), each
        decisive = [each for each in settled if (self.book.bounds(each).lower >= least) == (sign < 0)]
        return decisive or [each for _, each in sorted(open_ones.values(), key=lambda found: found[0])]

    def shallow_value(self, s: Any) -> float:
        """The value that a shallow search finds for a position. The time for compiling it does not count."""
        begun = time.perf_counter()
        found = self.glances.search(s)
        self.runner.leave_out(time.perf_counter() - begun - found.statistics.seconds)
        assert isinstance(found.value, int | float)
        return found.value

    def decide_by_search(self, s: Any, least: float) -> Bounds:
        """Search to the end of the game to decide whether the value is at least `least`. Returns bounds that show
        this."""
        value, _ = self.algorithm.window_search(self.runner, s, math.nextafter(least, -math.inf), least, FULL_DEPTH)
        if self.runner.stopped == "time":
            raise TimeIsUpError
        if self.runner.stopped == "interrupted":
            raise Interrupted("interrupted: the book is saved; the same command continues the work")
        if self.runner.stopped:
            raise GamesearchError(f"{self.game.name} cannot be solved by search: {WHY_STOPPED[self.runner.stopped]}")
        self.progress.searched += 1
        if self.game.whole_payoffs:
            value = math.ceil(value) if value >= least else math.floor(value)
        found = Bounds(lower=value) if value >= least else Bounds(upper=value)
        self.book.note(s, found)
        self.report()
        return found


class TimeIsUpError(Exception):
    """Raised if the time for making a book is up."""


# The command. -------------------------------------------------------------------------------------
USUAL_MEMORY = 1024  # the default size of the table in megabytes; a larger table helps only if a search takes minutes
WRITTEN_EACH = 5.0  # the seconds between two writes of the book, which limit the loss if the process is killed


@click.command(
    cls=Command,
    examples=[
        "gamesearch book tictactoe --to tictactoe.json --plies 9",
        'gamesearch book "connect4(rows=4,columns=5)" --to small.json --plies 4 --exact',
        'gamesearch play "connect4(rows=4,columns=5)" --min "pvs(book=small.json)"',
    ],
    old_names={"--workers": "--threads"},
)
@cli.game_argument
@cli.file_option("--to", "name", required=True, text="File of the book (.json). An existing book is extended.")
@cli.number_option("--plies", most=60, default=8, text="Depth of the book in plies.")
@click.option(
    "--side", type=click.Choice([*SIDES]), default="both", show_default=True, help="Side for which the book has moves."
)
@cli.flag_option("--exact", text="Find the exact value of each position, not only the winner.")
@cli.seconds_option("--time", "seconds", text="Stop after this many seconds.")
@click.option(
    "--memory",
    type=click.IntRange(1),
    metavar="MB",
    help="Size of the transposition table.  [default: 1024, or a quarter of the computer's memory if that is less]",
)
@cli.threads_option
@cli.speed_option
@cli.ascii_option
@cli.json_option
def command(
    game: str,
    name: str,
    plies: int,
    side: str,
    exact: bool,
    seconds: float | None,
    memory: int | None,
    threads: int,
    speed: str,
    only_ascii: bool,
    as_json: bool,
) -> int:
    """Build an opening book: search early positions to the end of the game and store their values.

    After every reply of the opponent, the book has a move that keeps the value of the position. The command first finds
    which side wins from each position. If --exact is given, the command then finds out how soon, or by how much, this
    side wins. If you stop the command, run it again to continue. An algorithm plays by the book if its parameters
    contain book=FILE; see docs/how-to/books.md.
    """
    played, path = load(game), Path(name).expanduser()
    refuse_unfit(played)
    format_of(name, [SUFFIX], overwrite=True)  # an existing book is extended
    refuse_protected(path)
    megabytes = memory or min(USUAL_MEMORY, physical_memory() // MEGABYTE // 4)
    with lock_output(path, "building"):
        book = read_book(name, played) if path.exists() else Book(played)
        refuse((bool(book.layers), f"{name} stores whole layers and cannot be extended: name another file"))
        with save_regularly(path, book) as listen:
            maker = BookMaker(
                book, plies, exact=exact, memory=megabytes, threads=threads, speed=speed, listen=listen,
                monitor=Monitor(),
            )  # fmt: skip
            progress = maker.make(side, seconds)
    start = book.bounds(played.initial())
    bounds = {"lower": plain(start.lower), "upper": plain(start.upper)}
    data = {"game": specification_of(played), "plies": plies, "side": side, "value": bounds, **vars(progress)}
    print_found(summary(start, progress), lambda: data, as_json, only_ascii)
    return 0 if progress.is_finished else 1


@contextlib.contextmanager
def save_regularly(path: Path, book: Book) -> Iterator[Callable[[BookProgress], None]]:
    """Use this context manager in a `with` statement: it yields a function. The function shows the progress on standard
    error, and regularly writes the book to its file."""
    written = time.monotonic()

    def listen(progress: BookProgress) -> None:
        nonlocal written
        status.update(f"{progress.stage}: {plural(progress.positions, 'position')} in the book; Ctrl-C stops")
        if time.monotonic() > written + WRITTEN_EACH:
            write_book(path, book)
            written = time.monotonic()

    with status_console().status("searching ...; Ctrl-C stops") as status:
        try:
            yield listen
        except (KeyboardInterrupt, Interrupted):
            kept = plural(len(book.positions), "position")
            raise Interrupted(f"interrupted: {kept} saved in {path}; the same command continues the work") from None
        finally:
            write_book(path, book)


def summary(start: Bounds, progress: BookProgress) -> str:
    """Describe the progress of the book, and the bounds on the value of the initial position."""
    how = "" if progress.is_finished else "; not finished: the same command continues the work"
    searches = plural(progress.searched, "search", "searches")
    return (
        f"{plural(progress.positions, 'position')} in the book; {searches} with {plural(progress.nodes, 'node')} in "
        f"{seconds_text(progress.seconds)}{how}\ninitial position: {bounds_text(start)}"
    )


def bounds_text(found: Bounds) -> str:
    """Describe in words the bounds on the value of a position."""
    if found.lower == found.upper:
        return f"value {value_text(found.lower)}"
    known = [f"at least {value_text(found.lower)}"] if plain(found.lower) is not None else []
    known += [f"at most {value_text(found.upper)}"] if plain(found.upper) is not None else []
    return f"value {' and '.join(known)}" if known else "value not known yet"


def plain(bound: float) -> float | None:
    """A bound for JSON; None if it is infinite."""
    return None if bound in (float("inf"), float("-inf")) else bound
