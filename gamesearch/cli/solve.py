"""`gamesearch solve`: the exact answer."""

from typing import Any

import click

from gamesearch.algorithms.parts.formatting import plural
from gamesearch.cli.completing import offer_files, offer_games, offer_methods
from gamesearch.cli.consoles import output_console, print_json, status_console
from gamesearch.cli.messages import say
from gamesearch.cli.options import (
    ascii_option,
    force_option,
    json_option,
    plies_option,
    position_argument,
    speed_option,
    trace_nodes_option,
    trace_option,
    verbose_option,
    width_option,
)
from gamesearch.cli.progress import say_speed, watching
from gamesearch.cli.reading import read_position
from gamesearch.cli.traces import refuse_compiled, write_trace
from gamesearch.cli.verdicts import print_verdict
from gamesearch.cli.watched_proof import Seen
from gamesearch.errors import GamesearchError
from gamesearch.game import Game
from gamesearch.play.files import writable_path, write_file
from gamesearch.registry import specification_of
from gamesearch.render.estimate import estimate_data, estimate_sentence
from gamesearch.render.solution import SolutionView, solution_data
from gamesearch.render.tree import TreeView, tree_data
from gamesearch.solvers.databases.answering import solve_by_database
from gamesearch.solvers.effort import effort_for, is_worth_estimating
from gamesearch.solvers.estimate import Estimate, estimated
from gamesearch.solvers.solution import Solution
from gamesearch.solvers.solving import METHODS, solve
from gamesearch.solvers.strategy import strategy_of
from gamesearch.trace.recording import Recording

__all__ = ["command"]


@click.command("solve")
@click.argument("game", metavar="GAME", default="", required=False, shell_complete=offer_games)
@position_argument
@click.option(
    "--method",
    default="auto",
    show_default=True,
    shell_complete=offer_methods,
    help=f"How to solve it: {', '.join(METHODS)}; also proof(search=pn, memory=128), or pn2.",
)
@click.option("--database", metavar="FOLDER", help="Read the answer from what gamesearch database has built there.")
@click.option(
    "--symmetries", is_flag=True, help="Take positions for one that differ by turning or mirroring the board."
)
@click.option("--estimate", "only_estimate", is_flag=True, help="Only say how large it is, and what it would take.")
@click.option(
    "--strategy",
    metavar="FILE",
    shell_complete=offer_files,
    help="Write what to do against every reply, for whoever wins, or for both where nobody does.",
)
@click.option(
    "--check",
    metavar="FILE",
    shell_complete=offer_files,
    help="Check such a file by the rules alone; the exit code is 1 where it does not show what it claims.",
)
@click.option("--tree", is_flag=True, help="Draw the tree of a proof: --method 'proof(search=pn)'.")
@plies_option
@width_option
@trace_option
@trace_nodes_option
@force_option
@speed_option
@ascii_option
@verbose_option
@json_option
@click.pass_context
def command(
    context: click.Context,
    /,
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
    **seen_options: Any,
) -> None:
    """Find the exact value of a position, how far the end is, and all best moves.

    Method auto counts each position once (memo) or goes back from the ends (retrograde), as fits the game.
    Where memo has 11.7 million positions, in about 400 MB, search goes on from them, with a table of 512 MB.
    Chess is solved without the fifty-move rule: small endings, of three men in seconds.
    At a terminal, and with --verbose, it says before it begins with more than a few thousand positions how
    many there may be, by a sample; docs/estimates.md has the errors of such estimates.

    \b
    gamesearch solve tictactoe XX./OO./...
    gamesearch solve nim 3,4,5 --method grundy
    gamesearch solve "connect4(rows=4, columns=5)"
    gamesearch solve chess "8/8/8/3k4/8/8/8/KQ6 w - - 0 1"
    gamesearch solve tictactoe --symmetries
    gamesearch solve tictactoe --estimate
    gamesearch solve tictactoe --strategy tictactoe.jsonl
    gamesearch solve --check tictactoe.jsonl
    gamesearch solve "hex(size=3)" --method "proof(search=pn)" --trace hex.trace
    gamesearch solve "checkers(size=4)" W:W4,5:B1,6 --database endings
    """
    seen = Seen(**seen_options)
    if check is not None:
        if position or seen or strategy is not None or only_estimate:
            raise GamesearchError("--check reads the position from its file: leave out POSITION and other options")
        context.exit(print_verdict(check, game, as_json))
    if not game:
        raise click.UsageError("Missing argument 'GAME'.", context)
    if strategy is not None:
        writable_path(strategy, overwrite=force)
    refuse_compiled(speed, seen.tree, seen.trace)
    seen.check(overwrite=force)
    played, state = read_position(game, position)
    if database is not None:
        if only_estimate or method != "auto" or strategy is not None or symmetries or seen:
            raise GamesearchError(
                "a database has the answer already: leave out --estimate, --method, --strategy, --symmetries, --tree "
                "and --trace"
            )
        print_solution(played, state, solve_by_database(played, state, database), only_ascii, as_json)
        return
    if symmetries and (strategy is not None or only_estimate or seen):
        raise GamesearchError(
            "--strategy, --estimate, --tree and --trace tell positions apart by themselves: leave out --symmetries"
        )
    size = None
    if only_estimate or verbose or status_console().is_terminal:
        size = size_of(played, state, method, speed, only_estimate, as_json)
    if only_estimate:
        return
    tree = None
    if seen:
        with watching("proving") as monitor:
            tree, trace = seen.recorded(played, state, method, monitor)
        if trace is not None:
            write_trace(seen.trace or "", seen.trace_nodes, trace, overwrite=force)
        if seen.trace == "-":
            return
    solution = solved(played, state, method, speed, size, strategy, force, symmetries)
    say_speed(played, speed, solution.speed, verbose)
    print_solution(played, state, solution, only_ascii, as_json, tree, seen)


def solved(
    game: Game[Any],
    state: Any,
    method: str,
    speed: str,
    size: Estimate | None,
    strategy: str | None,
    force: bool,
    symmetries: bool,
) -> Solution:
    """Solve a position, and write its strategy if a file is named for it."""
    expected = 0.0 if size is None or size.is_extrapolated else size.positions
    with watching("solving", expected) as monitor:
        solution = solve(
            game, state, method, speed=speed, monitor=monitor, keep=strategy is not None, symmetries=symmetries
        )
        text = "" if strategy is None else strategy_of(solution, monitor)[0]
    if strategy is not None:
        write_file(strategy, text, overwrite=force)
        say(f"{strategy}: {plural(text.count(chr(10)) - 1, 'move')}, which show the value against every reply")
    return solution


def print_solution(
    game: Game[Any],
    state: Any,
    solution: Solution,
    only_ascii: bool,
    as_json: bool,
    tree: Recording | None = None,
    seen: Seen | None = None,
) -> None:
    """Print what was found, and the tree of the proof, if that is to be seen."""
    plies, width = (seen.plies, seen.width) if seen is not None else (0, 1)
    if as_json:
        data = solution_data(game, state, solution, specification_of(game))
        print_json(data if tree is None else data | {"tree": tree_data(tree, plies, width)})
        return
    console = output_console(only_ascii)
    console.print(SolutionView(game, state, solution))
    if tree is not None:
        console.print()
        console.print(TreeView(tree, plies, width))


def size_of(
    game: Game[Any], state: Any, method: str, speed: str, only_estimate: bool, as_json: bool
) -> Estimate | None:
    """The estimated size, which is said where it is no small one, or where that is all that is asked."""
    if game.players > 2 or not is_worth_estimating(game, method):
        if only_estimate:
            raise GamesearchError(
                f"by method {method}, {game.name} is not solved position by position: the number of them tells "
                "nothing; leave out --estimate"
            )
        return None
    size = estimated(game, state)
    effort = effort_for(game, state, method, speed, size)
    if only_estimate and as_json:
        print_json({"game": specification_of(game), "position": game.format(state), **estimate_data(size, effort)})
    elif only_estimate:
        click.echo(estimate_sentence(size, effort))
    elif not size.is_counted:
        say(estimate_sentence(size, effort))
    return size
