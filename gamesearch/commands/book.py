"""`gamesearch book`: an opening book by searches to the end of the game, which players use."""

import contextlib
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import click

from gamesearch.algorithms.engine.formatting import plural, seconds_text, value_text
from gamesearch.algorithms.engine.result import Monitor
from gamesearch.algorithms.node.table import MEGABYTE, physical_memory
from gamesearch.cli.consoles import print_found, status_console
from gamesearch.cli.options import ascii_option, game_argument, json_option, speed_option
from gamesearch.cli.reading import format_of
from gamesearch.errors import Interrupted
from gamesearch.files.books import SUFFIX, Book, Bounds, only_writer, read_book, write_book
from gamesearch.registry import load, specification_of
from gamesearch.solvers.book import SIDES, BookMaker, Made, refuse_unfit

__all__ = ["command"]

USUAL_MEMORY = 1024
"""Megabytes. More is for boards that take minutes: to fill six gigabytes with zeros alone takes ten seconds."""
WRITTEN_EACH = 5.0
"""Seconds between two times that the book is written: a kill costs no more work than this."""


@click.command("book")
@game_argument
@click.option("--to", "name", required=True, metavar="FILE", help="The book, a .json; gone on with where it is.")
@click.option("--plies", type=click.IntRange(1, 60), default=8, show_default=True, metavar="N", help="How far it goes.")
@click.option("--side", type=click.Choice([*SIDES]), default="both", show_default=True, help="Who is prepared.")
@click.option("--exact", is_flag=True, help="Find what each position pays, too, not only who wins.")
@click.option("--time", "seconds", type=click.FloatRange(min=0, min_open=True), metavar="S", help="Stop after so long.")
@click.option(
    "--memory",
    type=click.IntRange(1),
    metavar="MB",
    help="Of the table; by default a gigabyte, or a quarter of all there is.",
)
@click.option("--workers", type=click.IntRange(1, 256), default=1, metavar="N", help="Threads that share the work.")
@speed_option
@ascii_option
@json_option
def command(
    game: str,
    name: str,
    plies: int,
    side: str,
    exact: bool,
    seconds: float | None,
    memory: int | None,
    workers: int,
    speed: str,
    only_ascii: bool,
    as_json: bool,
) -> int:
    """Search early positions of a game to its end, and keep who wins them as an opening book.

    A side that is prepared has a move that keeps what the position is worth to it, against every reply. First it is
    found who wins, then, with --exact, how soon or by how much. Stopped at any moment, the same command goes on.
    Players use the book by their parameter book; docs/how-to/books.md says more.

    \b
    gamesearch book tictactoe --to tictactoe.json --plies 9
    gamesearch book "connect4(rows=4, columns=5)" --to small.json --plies 4 --exact
    gamesearch play "connect4(rows=4, columns=5)" --min "alphabeta(depth=4, book=small.json)"
    """
    played, path = load(game), Path(name).expanduser()
    refuse_unfit(played)
    format_of(name, [SUFFIX], overwrite=True)  # which goes on with what is there
    megabytes = memory or min(USUAL_MEMORY, physical_memory() // MEGABYTE // 4)
    with only_writer(path):
        book = read_book(name, played) if path.exists() else Book(played)
        with keeping(path, book) as listen:
            maker = BookMaker(
                book, plies, exact=exact, memory=megabytes, threads=workers, speed=speed, listen=listen,
                monitor=Monitor(),
            )  # fmt: skip
            made = maker.make(side, seconds)
    start = book.bounds(played.initial())
    bounds = {"lower": plain(start.lower), "upper": plain(start.upper)}
    data = {"game": specification_of(played), "plies": plies, "side": side, "value": bounds, **vars(made)}
    print_found(summary(start, made), lambda: data, as_json, only_ascii)
    return 0 if made.is_finished else 1


@contextlib.contextmanager
def keeping(path: Path, book: Book) -> Iterator[Callable[[Made], None]]:
    """What shows on standard error how far a book is, and writes it every few seconds, and at the end in any case."""
    written = time.monotonic()

    def listen(made: Made) -> None:
        nonlocal written
        status.update(f"{made.stage}: {plural(made.positions, 'position')} in the book; Ctrl-C stops")
        if time.monotonic() > written + WRITTEN_EACH:
            write_book(path, book)
            written = time.monotonic()

    with status_console().status("searching ...; Ctrl-C stops") as status:
        try:
            yield listen
        except (KeyboardInterrupt, Interrupted):
            kept = plural(len(book.positions), "position")
            raise Interrupted(f"interrupted: {path} keeps {kept}, and the same command goes on from there") from None
        finally:
            write_book(path, book)


def summary(start: Bounds, made: Made) -> str:
    """How far the book is, and what it says of the start."""
    how = "" if made.is_finished else "; not finished: the same command goes on"
    searches = plural(made.searched, "search", "searches")
    return (
        f"{plural(made.positions, 'position')}, {searches} now, {made.nodes:,} nodes in "
        f"{seconds_text(made.seconds)}{how}\nthe start: {bounds_text(start)}"
    )


def bounds_text(found: Bounds) -> str:
    """Bounds on the value of a position, for people."""
    if found.lower == found.upper:
        return f"value {value_text(found.lower)}"
    known = [f"at least {value_text(found.lower)}"] if plain(found.lower) is not None else []
    known += [f"at most {value_text(found.upper)}"] if plain(found.upper) is not None else []
    return f"value {' and '.join(known)}" if known else "not decided yet"


def plain(bound: float) -> float | None:
    """A bound for JSON, which has no infinite numbers."""
    return None if bound in (float("inf"), float("-inf")) else bound
