"""Search a position: value, best line, moves, tree."""

from typing import Any

import click

from gamesearch.algorithms.engine.formatting import plural, seconds_text
from gamesearch.cli import options as cli
from gamesearch.cli.consoles import print_json, print_line
from gamesearch.cli.help import Command
from gamesearch.cli.messages import say
from gamesearch.cli.progress import say_speed, show_progress
from gamesearch.cli.reading import decode_line, format_of, input_lines, read_history, read_position
from gamesearch.cli.recording import RecordingOptions
from gamesearch.commands.solving.analyze.answer import answer_data, answer_position, print_answer
from gamesearch.commands.solving.analyze.sections import Options
from gamesearch.errors import GamesearchError
from gamesearch.game import Game
from gamesearch.notation import line_names, player_name
from gamesearch.play.match import number_moves
from gamesearch.registry import load, specification_of
from gamesearch.support.escaping import json_text

__all__ = ["command"]


# A forced win. ------------------------------------------------------------------------------------
def print_forced_win(game: Game, state: Any, most: int, *, speed: str, is_verbose: bool, as_json: bool) -> int:
    """Search for a forced win in at most `most` moves, and print the win. Return the exit code, which is 1 if no win
    exists."""
    from gamesearch.solvers.proof.mates import forced_win  # imports NumPy, which the other searches do not need

    with show_progress("proving") as monitor:
        found = forced_win(game, state, most, speed=speed, monitor=monitor)
    say_speed(game, speed, found.speed, is_verbose)
    player = game.player(state)
    line = line_names(game, state, found.line)
    if as_json:
        head = {"game": specification_of(game), "position": game.format(state), "asked": most, "mate": found.moves}
        counts = {"nodes": found.nodes, "seconds": found.seconds, "speed": found.speed}
        print_json({**head, "line": line, **counts})
        return 0 if found.moves is not None else 1
    if found.moves is None:
        name = player_name(game, player)
        print_line(f"no mate in {most}: {name} cannot force a win in {plural(most, 'move')} or fewer")
    else:
        won, moves = game.win_text(state, player, 2 * found.moves - 1), number_moves(game, state, found.line)
        print_line(f"{won}: {' '.join(moves)}")
    click.echo(f"by proof numbers, {plural(found.nodes, 'node')}, {seconds_text(found.seconds)}, {found.speed}")
    return 0 if found.moves is not None else 1


# The command. -------------------------------------------------------------------------------------
WITH_MATE = frozenset({"game", "position", "mate", "speed", "only_ascii", "as_json", "verbose"})
"""The parameters that can be combined with --mate."""
RECORDING = ("tree", "plies", "width", "trace", "trace_nodes", "trace_plies", "boards", "pruned", "windows")
"""The parameters of RecordingOptions."""


@click.command(
    cls=Command,
    examples=[
        'gamesearch analyze tictactoe "XX./OX./.OO" --moves',
        'gamesearch analyze "[[3,12,8],[2,4,6],[14,5,2]]" --tree',
        "gamesearch analyze connect4 4453 --depth 6 --explain",
        'gamesearch analyze connect4 4453 -a "alphabeta(deepen=true)" --time 2',
        'gamesearch analyze tictactoe "XX./OX./.OO" --why-not 6',
        "gamesearch analyze connect4 4453 --multipv 3 --nodes 100000",
        'gamesearch analyze tictactoe "XX./OX./.OO" --trace search.trace',
        'gamesearch analyze connect4 4453 --depth 6 --ask "alphabeta(depth=2)"',
        'gamesearch analyze chess "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1" --mate 2',
        'gamesearch analyze "[[3,8],4]" -a "beliefs(error=2, leaves=payoffs)" --beliefs',
    ],
    old_names={"--against": "--why-not", "--beside": "--ask"},
)
@cli.game_argument
@cli.position_argument
@cli.algorithm_option
@click.option(
    "--depth",
    metavar="PLIES",
    help="Search depth in plies, or full.  [default: the depth that the game suggests, if no other limit is given]",
)
@cli.seconds_option("--time", text="Stop after this many seconds. Iterative deepening is used if the algorithm has it.")
@cli.number_option(
    "--nodes",
    text="Stop after this many nodes.  [default: 100,000 if -a, --depth, --time, --tree and --trace are not given]",
)
@cli.evaluation_option
@cli.flag_option("--moves", text="Show the value of each move. Half of --time or --nodes is used for this.")
@cli.number_option(
    "--multipv", text="Show the N best moves, each with its best line. The searches share --time or --nodes."
)
@cli.flag_option(
    "--explain", text="Explain the best move: why other moves are worse, the evaluation, the result at each depth."
)
@click.option(
    "--why-not",
    "against",
    metavar="MOVE",
    help="Explain why this move is not best. Shows what the move loses, and the reply.",
)
@cli.number_option("--mate", text="Prove or disprove a forced win in N moves. The exit code is 1 if no win is forced.")
@cli.flag_option("--tree", text="Draw the searched tree. The drawing shows windows, values and cutoffs.")
@cli.plies_option
@cli.width_option
@cli.boards_option
@cli.pruned_option
@cli.windows_option
@cli.trace_option
@cli.trace_nodes_option
@cli.trace_plies_option
@cli.player_option(
    "--ask",
    "beside",
    multiple=True,
    text="Also ask another player, such as 'uci(path=stockfish)'. Can be repeated.",
)
@cli.flag_option("--beliefs", text="Draw each move's value as a probability distribution (needs -a beliefs).")
@cli.svg_option("the distributions of --beliefs")
@cli.force_option
@cli.speed_option
@cli.ascii_option
@cli.verbose_option
@cli.json_option
def command(game: str, position: str, algorithm: str, **given: Any) -> int:
    """Search a position: show its value, the best line, the moves and the tree.

    GAME is, for example, tictactoe, 'connect4(rows=5)', '[[3,12,8],[2,4,6]]' or ./mygame.py. POSITION is in the
    notation of the game; the default is the initial position. If POSITION is '-', the command reads positions from
    standard input, one per line, and analyzes each line immediately; --json then prints each answer as a line of JSON.
    If a line is not a position, the error is reported, and the exit code is 2.
    """
    recording = RecordingOptions(**{name: given.pop(name) for name in RECORDING})
    options = Options(recording, **given)
    if options.mate is not None:
        why = "--mate only proves or disproves a forced win"
        cli.refuse_others(why, WITH_MATE)
        if position == "-":
            raise GamesearchError(f"{why}: leave out '-' as POSITION")
        speed, is_verbose, as_json = options.speed, options.verbose, options.as_json
        played, state = read_position(game, position)
        return print_forced_win(played, state, options.mate, speed=speed, is_verbose=is_verbose, as_json=as_json)
    refuse_together(options)
    if position == "-":
        for flag, file in (("--trace", recording.trace), ("--to", options.to)):
            if file:
                raise GamesearchError(
                    f"{flag} writes a file for one position: leave out {flag}, or give a position instead of '-'"
                )
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
        from gamesearch.commands.solving.analyze.beliefs import beliefs_svg, moves_with_beliefs
        from gamesearch.play.files import write_file

        if moves_with_beliefs(answer.analysis):
            write_file(options.to, beliefs_svg(answer.analysis), overwrite=options.force)
    return answer.code


def analyze_lines(game: Game, algorithm: str, options: Options) -> int:
    """Analyze each line of standard input; return the exit code, which is 2 if a line is not a position."""
    code, settings = 0, None
    for number, line in input_lines():
        try:
            text = decode_line(line)
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
    """Raise GamesearchError if two options exclude each other, or if an option needs another option that was not
    given."""
    drawing = options.recording
    chosen: dict[str, Any] = {"moves": options.moves, "multipv": options.multipv, "explain": options.explain}
    chosen |= {"beliefs": options.beliefs, "tree": drawing.tree, "trace": drawing.trace}
    separate = "--multipv searches the best moves separately"
    compares = "--why-not compares one move with the best move"
    for is_on, why, others in (
        (options.against is not None, compares, ("moves", "multipv", "explain", "beliefs")),
        (options.multipv, separate, ("moves", "tree", "trace")),
    ):
        for name in others:
            if is_on and chosen[name]:
                raise GamesearchError(f"{why}: leave out --{name}")
    adding = {"--boards": drawing.boards, "--pruned": drawing.pruned, "--windows": drawing.windows != "search"}
    for flag, is_on in adding.items():
        if is_on and not drawing.tree:
            raise GamesearchError(f"{flag} changes only the drawing of --tree: add --tree")
    if options.to and not options.beliefs:
        raise GamesearchError("--to draws the distributions of --beliefs: add --beliefs")
