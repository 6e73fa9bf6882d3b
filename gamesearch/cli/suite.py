"""`gamesearch suite`: answer test positions from a file, and count the right answers."""

import json
from pathlib import Path
from typing import Any

import click

from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.engine.formatting import plural
from gamesearch.algorithms.engine.result import Limits
from gamesearch.cli.answer import depth_limit
from gamesearch.cli.consoles import print_found
from gamesearch.cli.messages import say
from gamesearch.cli.options import ascii_option, json_option, speed_option
from gamesearch.cli.progress import watching
from gamesearch.errors import GamesearchError, system_reason
from gamesearch.files.whole import read_regular
from gamesearch.learned.naming import evaluation_text
from gamesearch.render.suite import suite_data, suite_view
from gamesearch.study.suite_files import loaded, read_suite
from gamesearch.study.suites import answers
from gamesearch.support.escaping import visible_data

__all__ = ["command"]

LARGEST = 100_000_000
"""No earlier run is larger (bytes)."""

SECONDS = 1.0
"""How long a position is thought about where nobody says how long, or how deep."""


@click.command(
    "suite",
    epilog="\b\nExamples:\n"
    "  gamesearch suite wac.epd --time 1\n"
    "  gamesearch suite fforum.obf --depth full --workers 2\n"
    "  gamesearch suite wac.epd --nodes 100000 --json > before.json\n"
    "  gamesearch suite wac.epd --nodes 100000 -a ./mine.py --compare before.json\n",
)
@click.argument("file", metavar="FILE")
@click.option(
    "-a",
    "--algorithm",
    default="alphabeta(table=true, deepen=true, order=killer+history)",
    show_default=True,
    help="The algorithm that answers.",
)
@click.option("--game", default="", metavar="GAME", help="Such as 'othello(evaluation=./mine.py)'.")
@click.option("--depth", metavar="PLIES", help="How deep to search: plies, or full.")
@click.option("--time", type=click.FloatRange(min=0, min_open=True), metavar="SECONDS", help="For each.  [default: 1]")
@click.option("--nodes", type=click.IntRange(min=1), metavar="COUNT", help="For each position.")
@click.option("--workers", type=click.IntRange(1, 256), default=1, show_default=True, help="Number of processes.")
@click.option("--compare", "old", metavar="OLD", help="What --json printed in an earlier run.")
@speed_option
@ascii_option
@json_option
def command(
    file: str,
    algorithm: str,
    game: str,
    depth: str | None,
    time: float | None,
    nodes: int | None,
    workers: int,
    old: str | None,
    speed: str,
    only_ascii: bool,
    as_json: bool,
) -> int:
    """Answer the positions of a FILE: EPD of chess (bm, am, dm), OBF of Othello, scores of Connect Four (.txt).

    Each line says whether the answer is right, and the nodes and time after which the algorithm had the move that it
    stayed with. A line that cannot be read is reported and left out. The exit code is 0 if all answers are right, 1 if
    not, and 2 if a line could not be read.
    """
    unreadable: dict[int, str] = {}
    problems = read_suite(file, game, unreadable.__setitem__, say)
    for number, problem in unreadable.items():
        say(f"gamesearch: line {number} of {file} is left out: {problem}")
    before = read_old(old) if old is not None else None
    plies = depth_limit(depth)
    limits = Limits(plies, SECONDS if time is None and nodes is None and plies is None else time, nodes)
    name = load_algorithm(algorithm).specification
    with watching("answering") as monitor:
        found = list(answers(problems, algorithm, limits, speed=speed, workers=workers, monitor=monitor))
    is_estimated = any(each.is_estimate for each in found)
    heading = f"{name} (by {evaluation_text(loaded(problems[0].game))})" if is_estimated else name
    print_found(
        suite_view(file, heading, found, before),
        lambda: suite_data(file, name, found, before, unreadable),
        as_json,
        only_ascii,
    )
    if monitor.interrupted:
        say(f"stopped: {len(found)} of {plural(len(problems), 'position')} answered")
        return 130
    if unreadable:
        return 2
    return 0 if all(each.is_right for each in found) else 1


def read_old(path: str) -> dict[str, Any]:
    """An earlier run; raises GamesearchError where the file is not one."""
    try:
        data = visible_data(json.loads(read_regular(Path(path), LARGEST).decode()))
    except OSError as error:
        raise GamesearchError(f"{path} cannot be read: {system_reason(error)}") from None
    except (ValueError, RecursionError):
        data = None
    if not is_run(data):
        raise GamesearchError(f"{path} is not a run that gamesearch suite --json printed")
    return dict(data)


def is_run(data: Any) -> bool:
    """Whether decoded JSON has all that a comparison needs of an earlier run."""
    try:
        totals, answers = data["totals"], data["answers"]
        return (
            isinstance(data["algorithm"], str)
            and all(is_number(totals[name]) for name in TOTALS)
            and all(isinstance(each["position"], str) and isinstance(each["right"], bool) for each in answers)
            and all(isinstance(each["answer"], str | None) for each in answers)
        )
    except (KeyError, TypeError):
        return False


def is_number(found: Any) -> bool:
    """Whether a total is a number that can be shown."""
    return type(found) in (int, float) and 0 <= found < 1e100


TOTALS = ("positions", "right", "nodes", "seconds", "seconds_to_answer")
"""The totals of a run that a comparison shows."""
