"""`gamesearch analyze`: search a position; each module of this package is one kind of analysis."""

from typing import Any

import click

from gamesearch.algorithms.engine.formatting import plural, seconds_text
from gamesearch.cli.completing import offer_files, offer_players
from gamesearch.cli.consoles import print_json, print_line
from gamesearch.cli.messages import say
from gamesearch.cli.options import (
    algorithm_option,
    ascii_option,
    boards_option,
    evaluation_option,
    force_option,
    game_argument,
    json_option,
    plies_option,
    position_argument,
    refuse_others,
    speed_option,
    trace_nodes_option,
    trace_option,
    trace_plies_option,
    verbose_option,
    width_option,
)
from gamesearch.cli.progress import say_speed, watching
from gamesearch.cli.reading import format_of, lines_of_input, read_history, read_position, text_of
from gamesearch.cli.recording import RecordingOptions
from gamesearch.commands.analyze.answer import Options, answer_data, answer_position, print_answer
from gamesearch.errors import GamesearchError
from gamesearch.game import Game
from gamesearch.play.match import number_moves
from gamesearch.registry import load, specification_of
from gamesearch.support.escaping import json_text

__all__ = ["command"]


# A forced win. ------------------------------------------------------------------------------------
def print_forced_win(game: Game, state: Any, most: int, *, speed: str, is_verbose: bool, as_json: bool) -> int:
    """Look for a win that the player to move can force in `most` moves, and print it; the exit code, 1 without one."""
    from gamesearch.solvers.proof.mates import forced_win  # with NumPy, which other searches do without

    with watching("proving") as monitor:
        found = forced_win(game, state, most, speed=speed, monitor=monitor)
    say_speed(game, speed, found.speed, is_verbose)
    player = game.player(state)
    line = game.line_names(state, found.line)
    if as_json:
        head = {"game": specification_of(game), "position": game.format(state), "asked": most, "mate": found.moves}
        counts = {"nodes": found.nodes, "seconds": found.seconds, "speed": found.speed}
        print_json({**head, "line": line, **counts})
        return 0 if found.moves is not None else 1
    if found.moves is None:
        name = game.player_name(player)
        print_line(f"no mate in {most}: {name} cannot force a win in {plural(most, 'move')} or fewer")
    else:
        print_line(f"{game.win_text(player, 2 * found.moves - 1)}: {' '.join(number_moves(game, state, found.line))}")
    click.echo(f"by proof numbers, {plural(found.nodes, 'node')}, {seconds_text(found.seconds)}, {found.speed}")
    return 0 if found.moves is not None else 1


# The command. -------------------------------------------------------------------------------------
BESIDE_MATE = frozenset({"game", "position", "mate", "speed", "only_ascii", "as_json", "verbose"})
"""The parameters that --mate allows."""


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
@evaluation_option
@click.option(
    "--depth",
    metavar="PLIES",
    help="How deep to search: plies, or full.  [default: what the game suggests, if nothing else limits the search]",
)
@click.option(
    "--time",
    type=click.FloatRange(min=0, min_open=True),
    metavar="SECONDS",
    help="Stop after this many seconds; algorithms that can deepen do so.",
)
@click.option(
    "--nodes",
    type=click.IntRange(min=1),
    metavar="COUNT",
    help="Stop after this many positions.  [default: 100,000 without -a, --depth, --time, --tree and --trace]",
)
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
@boards_option
@trace_option
@trace_nodes_option
@trace_plies_option
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
def command(game: str, position: str, algorithm: str, **given: Any) -> int:
    """Search a position: its value, the best line, each move's value, the searched tree.

    GAME is such as tictactoe, 'connect4(rows=5)', '[[3,12,8],[2,4,6]]' or ./mygame.py; POSITION is in
    the game's notation, by default the start; '-' reads a position from each line of standard input, and
    answers each as soon as it is searched, with --json by a line of JSON. A line that is not a position is
    reported, and makes the exit code 2.
    """
    recording = RecordingOptions(
        **{
            name: given.pop(name)
            for name in ("tree", "plies", "width", "trace", "trace_nodes", "trace_plies", "boards")
        }
    )
    options = Options(recording, **given)
    if options.mate is not None:
        why = "--mate answers by proof numbers alone"
        refuse_others(why, BESIDE_MATE)
        if position == "-":
            raise GamesearchError(f"{why}: leave out '-' as POSITION")
        speed, is_verbose, as_json = options.speed, options.verbose, options.as_json
        played, state = read_position(game, position)
        return print_forced_win(played, state, options.mate, speed=speed, is_verbose=is_verbose, as_json=as_json)
    refuse_together(options)
    if position == "-":
        for flag, file in (("--trace", recording.trace), ("--to", options.to)):
            if file:
                raise GamesearchError(f"a file is of one position: leave out {flag}, or give the position itself")
        return analyze_lines(load(game), algorithm, options)
    recording.check_trace_file(overwrite=options.force)
    if options.to:
        format_of(options.to, [".svg"], overwrite=options.force)
    answer = answer_position(*read_history(game, position), algorithm, options)
    if recording.prints_trace:
        return answer.code
    if options.as_json:
        print_json(answer_data(answer, options))
    else:
        print_answer(answer, options)
    if options.to:
        from gamesearch.commands.analyze.beliefs import beliefs_svg, believed_moves
        from gamesearch.play.files import write_file

        if believed_moves(answer.analysis):
            write_file(options.to, beliefs_svg(answer.analysis), overwrite=options.force)
    return answer.code


def analyze_lines(game: Game, algorithm: str, options: Options) -> int:
    """Answer the position on each line of standard input as soon as it is read; the exit code.

    A line that is not a position is reported, and makes the exit code 2.
    """
    code, settings = 0, None
    for number, line in lines_of_input():
        try:
            text = text_of(line)
            played, state = game.setup(text)
            answer = answer_position(played, state, played.positions_before(text), algorithm, options, settings)
        except GamesearchError as error:
            sentence = str(error)
            say(f"gamesearch: line {number}: {sentence}")
            if options.as_json:
                click.echo(json_text({"line_number": number, "error": sentence}))
            code = 2
            continue
        settings = answer.settings
        if options.as_json:
            click.echo(json_text({"line_number": number, **answer_data(answer, options)}))
        else:
            if number > 1:
                click.echo()
            print_answer(answer, options)
        if answer.is_interrupted:
            return answer.code
        code = max(code, answer.code)
    return code


def refuse_together(options: Options) -> None:
    """Raise GamesearchError for options that need different searches."""
    if options.against is not None and (options.moves or options.multipv or options.explain):
        raise GamesearchError("--against compares one move with the best: leave out --moves, --multipv and --explain")
    if options.against is not None and options.beliefs:
        raise GamesearchError("--against compares one move with the best: leave out --beliefs")
    if options.recording.boards and not options.recording.tree:
        raise GamesearchError("--boards draws boards in the tree: add --tree")
    if options.to and not options.beliefs:
        raise GamesearchError("--to writes the drawing of --beliefs: add --beliefs")
    others = (("--moves", options.moves), ("--tree", options.recording.tree), ("--trace", options.recording.trace))
    for flag, is_given in others if options.multipv else ():
        if is_given:
            raise GamesearchError(f"--multipv searches the best moves, each by itself: leave out {flag}")
