"""Step through a search, or answer questions about it."""

import contextlib
import random
from pathlib import Path

import click

from gamesearch.algorithms.engine.result import Limits
from gamesearch.api import search
from gamesearch.cli import options as cli
from gamesearch.cli.consoles import output_console, print_line
from gamesearch.cli.defaults import choose_search
from gamesearch.cli.ending import full_screen
from gamesearch.cli.help import Command
from gamesearch.cli.progress import show_progress
from gamesearch.cli.quizzes import AskedQuestion, ask_line_by_line
from gamesearch.cli.reading import is_saved, read_history
from gamesearch.cli.terminal import has_full_screen, has_textual
from gamesearch.errors import GamesearchError
from gamesearch.solvers.proof.watching import proof_to_watch, watch_proof
from gamesearch.solvers.solving import known_method
from gamesearch.support.escaping import json_text
from gamesearch.trace.questions import Quiz
from gamesearch.trace.reading import load_recording
from gamesearch.trace.recorder import Recorder
from gamesearch.trace.recorder.tables import TABLES, record_table
from gamesearch.trace.recording import Recording
from gamesearch.trace.stepping import Stepper
from gamesearch.trace.wording.sentences import explanations

__all__ = ["command"]

SUFFIX = ".trace"


@click.command(
    cls=Command,
    examples=[
        'gamesearch watch "[[3,12,8],[2,4,6],[14,5,2]]"',
        'gamesearch watch tictactoe XX./OO./... -a "minimax(depth=3)"',
        'gamesearch watch "[[3,12,8],[2,4,6],[14,5,2]]" --quiz --seed 7',
        'gamesearch watch connect4 4453 -a "bestfirst(expansions=30)"',
        'gamesearch watch tictactoe XX./OO./... --method "proof(search=pn)"',
        "gamesearch watch nim 4 --method dynamic_programming",
    ],
)
@click.argument("game", metavar="GAME|FILE.trace", default="", shell_complete=cli.offer_games, required=False)
@cli.position_argument
@cli.algorithm_option
@cli.evaluation_option
@click.option(
    "--method",
    metavar="METHOD",
    default="",
    shell_complete=cli.offer_methods,
    help="Watch a solver instead of a search: memo, dynamic_programming (dp), retrograde, proof, or "
    "proof(search=dfpn|pn|pn2|graph).",
)
@click.option("--trace", metavar="FILE", default="", help="Watch a search from a file of analyze or solve.")
@cli.number_option("--trace-nodes", default=10_000, text="Stop the search after this number of nodes.")
@cli.flag_option(
    "--quiz",
    "is_quiz",
    text="Ask a question before each decision. The questions are about values, windows and cutoffs, about moves and "
    "averages of playouts, or about leaves and values of a growing tree.",
)
@click.option("--seed", type=int, metavar="N", help="Seed of the questions.  [default: random]")
@cli.number_option("--questions", default=10, text="Number of questions.")
@cli.windows_option
@cli.ascii_option
@cli.json_option
def command(
    game: str,
    position: str,
    algorithm: str,
    evaluation: str | None,
    method: str,
    trace: str,
    trace_nodes: int,
    is_quiz: bool,
    seed: int | None,
    questions: int,
    windows: str,
    only_ascii: bool,
    as_json: bool,
) -> int:
    """Step through a search, or answer questions about it.

    For each event, the screen shows the reason, the tree and the board; ? lists the keys. GAME and POSITION are written
    as in gamesearch analyze. FILE.trace is a search that analyze --trace or solve --trace has saved. If the output is
    not a terminal, each event is printed as a line, and a quiz reads one answer per line from standard input.
    """
    file = trace or (game if is_trace(game) else "")
    if file and (algorithm or evaluation or position or method or game not in ("", file)):
        raise click.UsageError("a saved trace already contains game, position and algorithm: give only the file")
    if algorithm and method:
        raise click.UsageError("--algorithm and --method exclude each other: leave out one of them")
    if evaluation and method:
        raise click.UsageError("--method does not use an evaluation: leave out --evaluation or --method")
    if not file and not game:
        raise click.UsageError("missing argument 'GAME': name a game, or a file that the option --trace wrote")
    can_step = not as_json and has_full_screen()
    if can_step and not has_textual():
        raise GamesearchError("watch needs Textual for its screen: pip install 'gamesearch[tui]'")
    if windows != "search" and is_quiz:
        raise GamesearchError("--windows would show answers of the quiz: leave out --windows or --quiz")
    if windows != "search" and not can_step:
        raise GamesearchError("--windows needs the full screen, which needs a terminal: leave out --windows")
    recording = (
        load_recording(file) if file else record_search(game, position, algorithm, evaluation, method, trace_nodes)
    )
    seed = random.randrange(10_000) if seed is None else seed
    quiz = Quiz(recording, seed, questions) if is_quiz else None
    if can_step:
        return show_on_screen(recording, quiz, only_ascii, windows)
    if quiz is not None:
        asked = [AskedQuestion(each.text, each.judge, {"text": each.text}) for each in quiz.questions]
        return ask_line_by_line(asked, as_json, quiz.seed)
    for number, line in enumerate(explanations(Stepper(recording)), 1):
        print_line(json_text({"event": number, "sentence": line}) if as_json else line)
    return 0


def is_trace(text: str) -> bool:
    """Whether an argument names a saved search: it ends in .trace, or is the name of a file that is not a game."""
    if text.endswith(SUFFIX):
        return True
    with contextlib.suppress(OSError):  # the text of a tree may be too long for a path
        return "." in text and not text.endswith(".py") and Path(text).is_file() and not is_saved(text)
    return False


def record_search(
    game_text: str, position: str, algorithm_text: str, evaluation: str | None, method: str, most: int
) -> Recording:
    """Record a search of a position or, if `method` is given, a proof of its value. The search stops after `most`
    nodes."""
    game, state, past = read_history(game_text, position)
    if method and known_method(method) in TABLES:
        return record_table(game, state, known_method(method), most)
    if method:
        proof = proof_to_watch(game, state, method)
        recorder = Recorder(game, state, proof, most)
        with show_progress("proving") as monitor:
            return recorder.finish(watch_proof(game, state, proof, recorder, monitor=monitor, nodes=most))
    chosen = choose_search(game, algorithm_text, evaluation, Limits(), is_recorded=True)
    game, algorithm = chosen.game, chosen.algorithm
    recorder = Recorder(game, state, algorithm, most)
    with show_progress() as monitor:
        depth = algorithm.limits(game, Limits()).depth  # a node limit replaces this default
        limits = Limits(depth, nodes=most)
        result = search(game, state, algorithm, limits=limits, monitor=monitor, observer=recorder, past=past)
    return recorder.finish(result)


def show_on_screen(recording: Recording, quiz: Quiz | None, only_ascii: bool, windows: str) -> int:
    """Show a recording or a quiz in full screen; return the exit code."""
    from gamesearch.tui.watch_screen import QuizApp, WatchApp

    is_ascii = output_console(only_ascii).options.ascii_only
    app = WatchApp(recording, is_ascii, windows) if quiz is None else QuizApp(quiz, is_ascii)
    with full_screen():
        app.run()
    if app.failure is not None:
        raise app.failure
    if quiz is not None:
        click.echo(quiz.score)
    return app.return_code or 0
