"""Compute the exact value of a position and its best moves."""

import math
from typing import Any

import click

from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.engine.formatting import data_number, plural, round_roughly, seconds_text, value_text
from gamesearch.algorithms.engine.runner import Runner
from gamesearch.algorithms.node.repetition import is_repeated
from gamesearch.cli import options as cli
from gamesearch.cli.consoles import output_console, print_json, print_line, status_console
from gamesearch.cli.defaults import answer_from_book
from gamesearch.cli.help import Command
from gamesearch.cli.messages import say
from gamesearch.cli.progress import say_speed, show_progress
from gamesearch.cli.reading import read_history
from gamesearch.cli.recording import Recorders, RecordingOptions
from gamesearch.errors import GamesearchError
from gamesearch.files.books import read_book
from gamesearch.files.whole import read_text
from gamesearch.game import Game
from gamesearch.optional import GameWithVariants, LeveledGame
from gamesearch.play.files import writable_path, write_file
from gamesearch.play.players.booked import NO_BOOK
from gamesearch.play.players.loading import best_play
from gamesearch.registry import specification_of
from gamesearch.render.solution import SolutionView, solution_data
from gamesearch.render.trees.tree import TreeView, tree_data
from gamesearch.render.value_words import book_words
from gamesearch.solvers.estimate import Estimate, estimate_size, refuse_if_hopeless
from gamesearch.solvers.proof.watching import proof_to_watch, watch_proof
from gamesearch.solvers.solution import Solution, solution_from, strategy_of
from gamesearch.solvers.solving import (
    METHODS,
    Effort,
    effort_for,
    is_worth_estimating,
    known_method,
    solve,
    solve_by_database,
)
from gamesearch.solvers.verification import Claim, Verdict, game_of, read_claim, read_moves, verify
from gamesearch.toolkit.symmetric_games import fold_symmetries
from gamesearch.trace.recorder.log import EventStore
from gamesearch.trace.recorder.tables import TABLES, record_table
from gamesearch.trace.recording import Recording

__all__ = ["command", "say_book"]


# Estimates. ---------------------------------------------------------------------------------------
MEGABYTE = 1 << 20


def estimate_sentence(estimate: Estimate, effort: Effort) -> str:
    """Describe the size of the game, and the memory and the time for solving it. Also say how uncertain these estimates
    are."""
    if estimate.is_counted:
        positions = f"{estimate.positions:,.0f} positions"
    else:
        positions = f"about {round_roughly(estimate.positions)} positions"
        if estimate.is_extrapolated:
            positions += " (very rough: the true number may be much greater)"
    parts = [positions]
    if math.isfinite(estimate.nodes):
        error = f" (standard error {estimate.nodes_error:.0%})" if math.isfinite(estimate.nodes_error) else ""
        parts.append(f"a tree of about {round_roughly(estimate.nodes)} nodes{error}")
    else:
        parts.append("a tree too large to estimate")
    if not estimate.is_extrapolated:  # extrapolated figures for memory and time would be meaningless
        parts.append(f"{round_roughly(effort.bytes / MEGABYTE)} MB")
        parts += [seconds_text(effort.seconds)] if math.isfinite(effort.seconds) else []
    return f"estimate: {', '.join(parts)}" + (f"; {effort.remark}" if effort.remark else "")


def estimate_data(estimate: Estimate, effort: Effort) -> dict[str, Any]:
    """The estimate as JSON."""
    return {
        "positions": data_number(estimate.positions),
        "is_counted": estimate.is_counted,
        "is_extrapolated": estimate.is_extrapolated,
        "nodes": data_number(estimate.nodes),
        "nodes_error": data_number(estimate.nodes_error),
        "moves": estimate.moves,
        "plies": estimate.plies,
        "method": effort.method,
        "bytes": None if estimate.is_extrapolated else data_number(effort.bytes),
        "seconds": None if estimate.is_extrapolated else data_number(effort.seconds),
    }


# The command. -------------------------------------------------------------------------------------
LARGEST_STRATEGY = 100_000_000  # the greatest size of a strategy file, in bytes


@click.command(
    cls=Command,
    examples=[
        "gamesearch solve tictactoe XX./OO./...",
        "gamesearch solve nim 3,4,5 --method grundy",
        'gamesearch solve "connect4(rows=4, columns=5)"',
        'gamesearch solve chess "8/8/8/3k4/8/8/8/KQ6 w - - 0 1"',
        "gamesearch solve tictactoe --symmetries",
        "gamesearch solve tictactoe --estimate",
        "gamesearch solve tictactoe --strategy tictactoe.jsonl",
        "gamesearch solve --verify tictactoe.jsonl",
        "gamesearch solve nim 4 --method dynamic_programming --trace nim.trace",
        'gamesearch solve "hex(size=3)" --method "proof(search=pn)" --trace hex.trace',
        'gamesearch solve "checkers(size=4)" W:W4,5:B1,6 --database endings',
    ],
    old_names={"--check": "--verify"},
)
@click.argument("game", metavar="GAME", default="", required=False, shell_complete=cli.offer_games)
@cli.position_argument
@click.option(
    "--method",
    default="auto",
    show_default=True,
    shell_complete=cli.offer_methods,
    help=f"One of {', '.join(METHODS)}. Methods can have parameters: proof(search=pn, memory=128).",
)
@cli.flag_option("--symmetries", text="Search only one of several symmetric positions.")
@cli.flag_option("--estimate", "only_estimate", text="Only estimate the size of the game and the effort.")
@cli.file_option(
    "--strategy", text="Write a winning strategy to FILE. If the value is a draw, FILE has moves for both sides."
)
@cli.file_option(
    "--verify",
    "check",
    text="Verify the strategy in FILE by the rules of its game. The exit code is 1 if the strategy is wrong.",
)
@click.option("--database", metavar="FOLDER", help="Read the value from an endgame database.")
@cli.flag_option(
    "--tree", text="Draw the tree of a proof (--method 'proof(search=pn)') or of memoization (--method memo)."
)
@cli.plies_option
@cli.width_option
@cli.windows_option
@cli.trace_option
@cli.trace_nodes_option
@cli.force_option
@cli.speed_option
@cli.ascii_option
@cli.verbose_option
@cli.json_option
def command(
    game: str,
    position: str,
    method: str,
    database: str | None,
    symmetries: bool,
    only_estimate: bool,
    strategy: str | None,
    check: str | None,
    force: bool,
    speed: str,
    only_ascii: bool,
    verbose: bool,
    as_json: bool,
    **recording_options: Any,
) -> int:
    """Compute the exact value of a position, the distance to the end, and all best moves.

    The method auto searches to the end of the game and stores the value of each position (memo). If positions can
    repeat, auto works backward from the ends of the game (retrograde). If memo has stored 11.7 million positions (about
    400 MB), alpha-beta with a table of 512 MB takes over. Evaluations are never used. If an opening book contains the
    exact values, auto reads them from the book. If the book contains only a bound, the command first prints the bound.
    Small endings of chess can be solved, without the fifty-move rule.

    If the game is large and the output is a terminal, or if --verbose is given, the command first estimates the number
    of positions from a sample (docs/reference/estimates.md lists the errors of such estimates). The command refuses to
    solve a game that is far too large for the machine's memory. If it has not made an estimate before, it makes one
    after about a million positions.
    """
    recording = RecordingOptions(**recording_options)
    if check is not None:
        if position or recording.records_search or strategy is not None or only_estimate:
            raise GamesearchError("--verify reads the position from its file: leave out POSITION and other options")
        return print_verdict(check, game, as_json)
    if not game:
        raise click.UsageError("Missing argument 'GAME'.", click.get_current_context())
    if strategy is not None:
        writable_path(strategy, overwrite=force)
    if recording.windows != "search" and not recording.tree:
        raise GamesearchError("--windows changes only the drawing of --tree: add --tree")
    recording.refuse_recording_compiled(speed)
    recording.check_trace_file(overwrite=force)
    played, state, past = read_history(game, position)
    is_drawn = is_repeated(played, (*past, state))
    if strategy is not None and (is_drawn or played.terminal(state)):
        raise GamesearchError("the game is over, so there is no strategy: give an earlier POSITION")
    if database is not None:
        if only_estimate or method != "auto" or strategy is not None or symmetries or recording.records_search:
            raise GamesearchError(
                "--database already contains the value: leave out --estimate, --method, --strategy, --symmetries, "
                "--tree and --trace"
            )
        found = solve_by_database(played, state, database, past)
        return print_solution(played, state, found, only_ascii, as_json, recording)
    if symmetries and (strategy is not None or only_estimate or recording.records_search):
        raise GamesearchError(
            "--strategy, --estimate, --tree and --trace do not use symmetries: leave out --symmetries"
        )
    tree = record_proof(played, state, method, recording, overwrite=force) if recording.records_search else None
    if recording.prints_trace:
        return 0
    size = None
    is_over = is_drawn or played.terminal(state)
    if only_estimate or ((verbose or status_console().is_terminal) and not is_over):
        counted = fold_symmetries(played) if symmetries else played
        size = size_of(counted, state, method, speed, only_estimate, as_json)
    if only_estimate:
        return 0
    if method == "auto" and strategy is None and not symmetries and not recording.records_search and not is_over:
        known = solve_by_book(played, state)
        if known is not None:
            return print_solution(played, state, known, only_ascii, as_json, recording)
    say_book(played, state)
    expected = 0.0 if size is None or size.is_extrapolated else size.positions
    keep = strategy is not None
    with show_progress("solving", expected) as monitor:
        found = solve(played, state, method, speed=speed, monitor=monitor, keep=keep, symmetries=symmetries, past=past)
        text = strategy_of(found, monitor)[0] if keep else ""
    if strategy is not None:
        write_file(strategy, text, overwrite=force)
        moves = text.count("\n") - 1
        proves = "proves" if moves == 1 else "prove"
        say(f"{strategy} contains {plural(moves, 'move')} that {proves} the value against every reply")
    say_speed(played, speed, found.speed, verbose)
    return print_solution(played, state, found, only_ascii, as_json, recording, tree)


def solve_by_book(game: Game, state: Any) -> Solution | None:
    """Return the solution from the opening book; None if the book lacks the exact value of a move."""
    name = best_play(game).book
    if name == NO_BOOK or game.terminal(state):
        return None
    book = read_book(name, game)
    bounds = {s: book.bounds(s) for s in (state, *(game.result(state, move) for move in game.steps(state)))}
    if any(each.lower != each.upper for each in bounds.values()):
        return None
    size = sum(map(len, book.layers.values()))
    runner = Runner(game, "interpreted")
    return solution_from(
        runner, state, "book", lambda s: (bounds[s].lower, None), positions=size, kept=size, bytes=size
    )


def say_book(game: Game, state: Any) -> None:
    """Report the answer of the opening book, because solving the position may take a long time."""
    best = best_play(game)
    if game.terminal(state) or best.book == NO_BOOK:
        return
    found = answer_from_book(game, state, best.book, load_algorithm(best.algorithm))
    if found is None or found.best is None:
        return
    say(f"opening book: {book_words(game, state, found)}; solving the position for its value and all best moves ...")


def record_proof(
    game: Game, state: Any, method: str, recording: RecordingOptions, *, overwrite: bool
) -> Recording | None:
    """Record how a proof grows or how a table of values is filled. Return the recording if its tree is drawn."""
    name = known_method(method)
    if name in TABLES:
        return record_values(game, state, name, recording, overwrite)
    asked = proof_to_watch(game, state, method)
    with (
        Recorders(recording, game, state, asked, overwrite=overwrite) as recorders,
        show_progress("proving") as monitor,
    ):
        assert recorders.observer is not None
        return recorders.finish(watch_proof(game, state, asked, recorders.observer, monitor=monitor))


def record_values(game: Game, state: Any, table: str, recording: RecordingOptions, overwrite: bool) -> Recording | None:
    """Record how a table of values is filled; return the tree to draw."""
    found = None
    with recording.trace_file(overwrite=overwrite) as file:
        if file is not None:
            found = record_table(game, state, table, recording.trace_nodes, EventStore(recording.trace_nodes, file))
            recording.say_recorded(found.end)
    return record_table(game, state, table, recording.trace_nodes) if recording.tree else None


def print_solution(
    game: Game,
    state: Any,
    solution: Solution,
    only_ascii: bool,
    as_json: bool,
    recording: RecordingOptions,
    tree: Recording | None = None,
) -> int:
    """Print a solution and, if it was recorded, the tree of the proof; return the exit code."""
    if as_json:
        data = solution_data(game, state, solution, specification_of(game))
        print_json(data if tree is None else data | {"tree": tree_data(tree, recording.plies, recording.width)})
        return 0
    console = output_console(only_ascii)
    console.print(SolutionView(game, state, solution))
    if tree is not None:
        console.print()
        console.print(TreeView(tree, recording.plies, recording.width, windows=recording.windows))
    return 0


def size_of(game: Game, state: Any, method: str, speed: str, only_estimate: bool, as_json: bool) -> Estimate | None:
    """Estimate the size of the game, and print the estimate if the game is large or `only_estimate` is true. Returns
    None if the time to solve the game does not depend on its size."""
    if game.payoff_count > 1 or not is_worth_estimating(game, method):
        if only_estimate:
            raise GamesearchError(
                f"the method `{method}` does not solve {game.name} position by position, so the number of positions "
                "cannot be estimated: leave out --estimate"
            )
        return None
    with status_console().status("estimating the number of positions ...; Ctrl-C stops"):
        size = estimate_size(game, state)
    effort = effort_for(game, state, method, speed, size)
    if not only_estimate:
        by_levels = effort.method == "dynamic_programming" and isinstance(game, LeveledGame)
        if not by_levels:  # solving by levels keeps only some levels in memory
            refuse_if_hopeless(size, effort.bytes)
        if not size.is_counted:
            say(estimate_sentence(size, effort))
    elif as_json:
        print_json({"game": specification_of(game), "position": game.format(state), **estimate_data(size, effort)})
    else:
        click.echo(estimate_sentence(size, effort))
    return size if math.isfinite(effort.seconds) else None


# A strategy in a file. -----------------------------------------------------------------------------
def print_verdict(name: str, given: str, as_json: bool) -> int:
    """Verify the strategy in a file, print the verdict and return the exit code. `given` is the game that the user
    named, or empty."""
    text = read_text(name, "a strategy", LARGEST_STRATEGY)
    claim = read_claim(text, name)
    game, state = game_of(claim, name, given)
    verdict = verify(game, state, claim, read_moves(text, name, game))
    if as_json:
        print_json(verdict_data(claim, verdict))
    elif verdict.reason:
        print_line(f"{name} does not prove its claim: {verdict.reason}")
    else:
        print_line(
            f"{name} is correct: {claim_sentence(game, state, claim)}; {plural(verdict.positions, 'position')} visited"
        )
    return 1 if verdict.reason else 0


def claim_sentence(game: Game, state: Any, claim: Claim) -> str:
    """Describe the claim of a strategy: the value of its position, and the player whose moves prove this value."""
    shown = {game.MAXSCORE: "proved by Max's moves", game.MINSCORE: "proved by Min's moves"}
    who = shown.get(
        claim.value, "Max's moves prove that the value is at least this, and Min's moves prove that it is at most this"
    )
    within = f" within {claim.error:g}" if claim.error else ""
    plies = f", in {plural(claim.plies, 'ply', 'plies')} at most" if claim.plies is not None else ""
    note = (
        f", {game.for_solving(state)[2]}" if isinstance(game, GameWithVariants) and game.for_solving(state)[2] else ""
    )
    return f"{claim.game} {claim.position} is worth {value_text(claim.value)}{within}{plies} ({who}){note}"


def verdict_data(claim: Claim, verdict: Verdict) -> dict[str, Any]:
    """The verdict as JSON."""
    facts = {"holds": not verdict.reason, "reason": verdict.reason, "positions": verdict.positions}
    return vars(claim) | {"value": data_number(claim.value)} | facts
