"""Count the legal sequences of moves, which tests the rules of a game."""

import contextlib
import functools
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from typing import Any, TypeVar

import click
from rich.console import RenderResult
from rich.text import Text

from gamesearch import compiler
from gamesearch.algorithms.engine.execution import deep_recursion
from gamesearch.algorithms.engine.formatting import count_text, plural, seconds_text, speed_text
from gamesearch.algorithms.engine.thread_pool import search_threads
from gamesearch.cli import options as cli
from gamesearch.cli.consoles import print_found, status_console
from gamesearch.cli.help import Command
from gamesearch.cli.progress import Compilations
from gamesearch.cli.reading import read_history
from gamesearch.game import Game
from gamesearch.registry import specification_of
from gamesearch.render.tables import number_column, plain_table, text_column, view
from gamesearch.study.perft import perft

__all__ = ["command"]

Answer = TypeVar("Answer")


@click.command(
    cls=Command,
    examples=[
        "gamesearch perft tictactoe 9",
        "gamesearch perft chess 3 --divide",
        'gamesearch perft "connect4(rows=4, columns=5)" 6 4453',
    ],
)
@cli.game_argument
@click.argument("depth", type=click.IntRange(0, 999), metavar="DEPTH")
@cli.position_argument
@cli.flag_option("--divide", text="Also print the count for each move of the position.")
@cli.speed_option
@cli.ascii_option
@cli.json_option
def command(game: str, depth: int, position: str, divide: bool, speed: str, only_ascii: bool, as_json: bool) -> None:
    """Count the sequences of exactly DEPTH moves from a position, to test rules.

    Outcomes of chance count as moves. Sequences that end earlier are not counted: the 24,571,056 sequences of
    Othello to depth 10 do not include the 228 games that end at ply 9.
    """
    rules, state, past = read_history(game, position)
    counts: dict[int, int] = {}
    with report_compilation(rules, speed):
        run_in_thread(
            lambda: perft(rules, state, 0, speed=speed)
        )  # compile or load the code before the time is measured
        started = time.perf_counter()
        if divide:
            counts = run_in_thread(lambda: count_by_move(rules, state, past, depth, speed))
        total = (
            sum(counts.values())
            if counts
            else run_in_thread(lambda: perft(rules, state, depth, speed=speed, past=past))
        )
        seconds = time.perf_counter() - started
    moves = tuple((rules.move_name(state, move), nodes) for move, nodes in counts.items())
    data = {"game": specification_of(rules), "position": rules.format(state), "depth": depth, "nodes": total}
    data |= {"seconds": seconds}
    if divide:
        data["moves"] = [{"move": name, "nodes": nodes} for name, nodes in moves]
    print_found(leaf_count_view(depth, total, moves, seconds), lambda: data, as_json, only_ascii)


def count_by_move(game: Game, state: Any, past: list[Any], depth: int, speed: str) -> dict[int, int]:
    """Return the number of leaves below each move; an empty dictionary if the game is over or `depth` is 0. `past`
    contains the earlier positions."""
    if depth == 0 or game.terminal(state):
        return {}
    return {
        move: perft(game, game.result(state, move), depth - 1, speed=speed, past=[*past, state])
        for move in game.steps(state, past)
    }


def run_in_thread(work: Callable[[], Answer]) -> Answer:
    """Call a function in a thread, so that Ctrl-C ends the command even while compiled code runs."""
    answer = Future[Answer]()

    def run() -> None:
        try:
            with deep_recursion():
                answer.set_result(work())
        except BaseException as error:  # the thread that waits for the answer raises the error again
            answer.set_exception(error)

    done = search_threads.run(run)
    while not done.is_set:
        done.wait(0.1)
    return answer.result()


@contextlib.contextmanager
def report_compilation(game: Game, speed: str) -> Iterator[None]:
    """A context manager that reports progress on standard error: the rules are being compiled, or the count is
    running."""
    console = status_console()

    compilations = Compilations(functools.partial(console.print, style="dim"))
    is_compiled = compiler.speed_for(game, speed) == "compiled"
    told = compiler.compilations(compilations.note, lambda _: None) if is_compiled else contextlib.nullcontext()
    with console.status("counting ...; Ctrl-C stops"), told:
        yield
    compilations.note("")


@view
def leaf_count_view(depth: int, nodes: int, moves: Sequence[tuple[str, int]], seconds: float) -> RenderResult:
    """Show the total number of leaves and the speed. With --divide, also show the number of leaves after each move."""
    if moves:
        rows = ((name, count_text(count)) for name, count in moves)
        yield plain_table(text_column("move", "bold"), number_column("leaves"), rows=rows)
        yield Text()
    yield Text.assemble((plural(nodes, "leaf", "leaves"), "bold"), f" at depth {depth}")
    yield Text(f"{seconds_text(seconds)}, {speed_text(nodes, seconds, 'leaves')}", style="dim")
