"""`gamesearch analyze`: search a position; the value, the best line, the moves, the searched tree."""

from typing import Any

import click
from click.core import ParameterSource

from gamesearch.cli.answer import Answer, Options, answer_data, answered, print_answer
from gamesearch.cli.completing import offer_files, offer_players
from gamesearch.cli.consoles import print_json
from gamesearch.cli.mates import print_mate
from gamesearch.cli.options import (
    algorithm_option,
    ascii_option,
    force_option,
    game_argument,
    json_option,
    plies_option,
    position_argument,
    speed_option,
    trace_nodes_option,
    trace_option,
    verbose_option,
    width_option,
)
from gamesearch.cli.position_lines import answer_lines, print_json_error, print_json_line
from gamesearch.cli.reading import format_of, read_history
from gamesearch.cli.traces import write_trace
from gamesearch.errors import GamesearchError
from gamesearch.game import Game
from gamesearch.play.files import writable_path, write_file
from gamesearch.registry import load
from gamesearch.render.beliefs import believed_moves
from gamesearch.render.beliefs_svg import beliefs_svg

__all__ = ["command"]


@click.command(
    epilog="\b\nExamples:\n"
    '  gamesearch analyze tictactoe "XX./OX./.OO" --moves\n'
    '  gamesearch analyze "[[3,12,8],[2,4,6],[14,5,2]]" --tree\n'
    "  gamesearch analyze connect4 4453 --depth 6 --explain\n"
    "  gamesearch analyze connect4 4453 --multipv 3 --nodes 100000\n"
    '  gamesearch analyze connect4 4453 -a "alphabeta(table=true, deepen=true)" --time 2\n'
    '  gamesearch analyze tictactoe "XX./OX./.OO" --trace search.trace\n'
    '  gamesearch analyze tictactoe "XX./OX./.OO" --against 6\n'
    '  gamesearch analyze connect4 4453 --depth 6 --beside "alphabeta(depth=2)"\n'
    '  gamesearch analyze chess "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1" --mate 2\n'
    '  gamesearch analyze "[[3,12,8],[2,4,6],[14,5,2]]" -a "beliefs(error=2, leaves=payoffs)" --beliefs\n'
)
@game_argument
@position_argument
@algorithm_option
@click.option("--depth", metavar="PLIES", help="How deep to search: plies, or full.")
@click.option("--time", type=click.FloatRange(min=0, min_open=True), metavar="SECONDS", help="When to stop.")
@click.option("--nodes", type=click.IntRange(min=1), metavar="COUNT", help="How many positions to visit.")
@click.option("--moves", is_flag=True, help="Value each move, best first, in half of --time or --nodes.")
@click.option(
    "--multipv",
    type=click.IntRange(min=1),
    metavar="N",
    help="The N best moves with their values and lines, in one budget.",
)
@click.option("--explain", is_flag=True, help="Say why: the other moves, the evaluation, the value by depth.")
@click.option("--against", metavar="MOVE", help="Why not this move: what it loses, the answer, what follows.")
@click.option(
    "--mate",
    type=click.IntRange(min=1),
    metavar="N",
    help="Prove that the player to move forces a win in at most N moves, or that he cannot (exit code 1).",
)
@click.option("--beliefs", is_flag=True, help="Draw how probable each value of each move is, by -a beliefs.")
@click.option("--to", metavar="FILE", shell_complete=offer_files, help="Write the drawing of --beliefs as SVG, too.")
@click.option("--tree", is_flag=True, help="Draw the searched tree: windows, values, cutoffs.")
@plies_option
@width_option
@trace_option
@trace_nodes_option
@click.option(
    "--beside",
    metavar="PLAYER",
    multiple=True,
    shell_complete=offer_players,
    help="Ask another player, too, such as 'uci(path=stockfish)'; may be repeated.",
)
@force_option
@speed_option
@ascii_option
@json_option
@verbose_option
@click.pass_context
def command(context: click.Context, /, game: str, position: str, algorithm: str, **options: Any) -> None:
    """Search a position: its value, the best line, each move's value, the searched tree.

    GAME is such as tictactoe, 'connect4(rows=5)', '[[3,12,8],[2,4,6]]' or ./mygame.py; POSITION is in
    the game's notation, by default the start; '-' reads a position from each line of standard input, and
    answers each as soon as it is searched, with --json by a line of JSON. A line that is not a position is
    reported, and makes the exit code 2.
    """
    is_chosen = context.get_parameter_source("algorithm") is not ParameterSource.DEFAULT
    asked = Options(**options)
    if asked.mate is not None and is_chosen:
        raise GamesearchError("--mate answers by proof numbers alone: leave out --algorithm")
    if asked.mate is not None:
        context.exit(print_mate(game, position, asked.mate, asked))
    context.exit(analyze(game, position, algorithm if is_chosen else "", asked))


def analyze(game_text: str, position: str, algorithm_text: str, options: Options) -> int:
    """Search and show; the exit code. Without an algorithm, the one that fits the game."""
    refuse_together(options)
    if position == "-":
        for flag, file in (("--trace", options.trace), ("--to", options.to)):
            if file:
                raise GamesearchError(f"a file is of one position: leave out {flag}, or give the position itself")
        return analyze_lines(load(game_text), algorithm_text, options)
    if options.trace and options.trace != "-":
        writable_path(options.trace, overwrite=options.force)
    if options.to:
        format_of(options.to, [".svg"], overwrite=options.force)
    answer = answered(*read_history(game_text, position), algorithm_text, options)
    if answer.trace is not None:
        write_trace(options.trace or "", options.trace_nodes, answer.trace, overwrite=options.force)
        if options.trace == "-":
            return answer.code
    if options.as_json:
        print_json(answer_data(answer, options))
    else:
        print_answer(answer, options)
    if options.to and believed_moves(answer.analysis):
        write_file(options.to, beliefs_svg(answer.analysis), overwrite=options.force)
    return answer.code


def analyze_lines(game: Game[Any], algorithm_text: str, options: Options) -> int:
    """Search the position of each line of standard input, and show each as soon as it is searched; the exit code."""

    def answer(played: Game[Any], state: Any, past: list[Any]) -> tuple[Answer, int]:
        found = answered(played, state, past, algorithm_text, options)
        return found, found.code

    def show_text(number: int, found: Answer) -> None:
        if number > 1:
            click.echo()
        print_answer(found, options)

    def show_json(number: int, found: Answer) -> None:
        print_json_line(number, answer_data(found, options))

    if options.as_json:
        return answer_lines(game, answer, show_json, print_json_error)
    return answer_lines(game, answer, show_text)


def refuse_together(options: Options) -> None:
    """Raise GamesearchError for options that ask for different searches."""
    if options.against is not None and (options.moves or options.multipv or options.explain):
        raise GamesearchError("--against compares one move with the best: leave out --moves, --multipv and --explain")
    if options.against is not None and options.beliefs:
        raise GamesearchError("--against compares one move with the best: leave out --beliefs")
    if options.to and not options.beliefs:
        raise GamesearchError("--to writes the drawing of --beliefs: add --beliefs")
    others = (("--moves", options.moves), ("--tree", options.tree), ("--trace", options.trace))
    for flag, is_given in others if options.multipv else ():
        if is_given:
            raise GamesearchError(f"--multipv searches the best moves, each by itself: leave out {flag}")
