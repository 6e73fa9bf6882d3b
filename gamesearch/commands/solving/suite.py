"""Answer test positions with known solutions."""

import json
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from rich.console import RenderResult
from rich.table import Column
from rich.text import Text

from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.engine.formatting import count_text, data_number, plural, seconds_text
from gamesearch.algorithms.engine.result import Limits
from gamesearch.cli import options as cli
from gamesearch.cli.consoles import print_found
from gamesearch.cli.defaults import depth_limit
from gamesearch.cli.help import Command
from gamesearch.cli.messages import say
from gamesearch.cli.progress import show_progress
from gamesearch.errors import GamesearchError, system_reason
from gamesearch.files.whole import read_regular
from gamesearch.learned.evaluation import evaluation_text
from gamesearch.render.tables import plain_table, text_column, view
from gamesearch.render.value_words import number_text
from gamesearch.study.suites import Answer, answers, load_once, read_suite
from gamesearch.support.escaping import visible_data

__all__ = ["command"]


# The view. ----------------------------------------------------------------------------------------
LONGEST_NAME = 60  # the greatest number of characters of a position's name in the table


@view
def suite_view(name: str, algorithm: str, answers: Sequence[Answer], old: Mapping[str, Any] | None) -> RenderResult:
    """Show a table of the answers, the totals, and the differences from the earlier answers in `old`."""
    yield Text(f"{name}: {algorithm}", style="bold")
    yield Text()
    rows = (
        (
            textwrap.shorten(each.problem.name, LONGEST_NAME, placeholder="..."),
            Text("right", style="green") if each.is_right else Text("wrong", style="red"),
            each.move or "none",
            each.problem.expected,
            number_text(load_once(each.problem.game), each.value),
            str(each.depth),
            count_text(each.nodes_to_answer) if each.nodes else "not counted",
            seconds_text(each.seconds_to_answer),
        )
        for each in answers
    )
    columns = [text_column("position"), text_column("result"), text_column("answer"), Column("expected")]
    unit = load_once(answers[0].problem.game).unit if answers else ""
    headings = (f"{unit or 'value'} for side to move", "depth", "nodes to answer", "time to answer")
    columns += [Column(heading, justify="right") for heading in headings]
    yield plain_table(*columns, rows=rows, gap=2)
    yield Text()
    yield Text(totals_sentence(totals_of(answers)), style="bold")
    if old is not None:
        yield Text(f"earlier run: {totals_sentence(old['totals'])} ({old['algorithm']})")
        for each, before in changes(answers, old):
            change = "now right" if each.is_right else "now wrong"
            yield Text(f"{each.problem.name}: {change}, {each.move or 'none'} instead of {before or 'none'}")


def totals_of(answers: Sequence[Answer]) -> dict[str, Any]:
    """The totals of all answers."""
    return {
        "positions": len(answers),
        "right": sum(each.is_right for each in answers),
        "nodes": sum(each.nodes for each in answers),
        "seconds": sum(each.seconds for each in answers),
        "seconds_to_answer": sum(each.seconds_to_answer for each in answers if each.is_right),
    }


def totals_sentence(totals: Mapping[str, Any]) -> str:
    """Describe the totals in words."""
    share = f" ({100 * totals['right'] / totals['positions']:.0f} %)" if totals["positions"] else ""
    return (
        f"{totals['right']} of {plural(totals['positions'], 'position')} right{share}, "
        f"{plural(totals['nodes'], 'node')} in {seconds_text(totals['seconds'])}; "
        f"the right answers were found in {seconds_text(totals['seconds_to_answer'])}"
    )


def changes(answers: Sequence[Answer], old: Mapping[str, Any]) -> Iterator[tuple[Answer, str]]:
    """Yield each answer that has changed from wrong to right or from right to wrong, together with the earlier
    answer."""
    before = {each["position"]: each for each in old["answers"]}
    for each in answers:
        known = before.get(each.problem.position)
        if known is not None and bool(known["right"]) != each.is_right:
            yield each, known["answer"]


def comparison_data(answers: Sequence[Answer], old: Mapping[str, Any]) -> dict[str, Any]:
    """Compare the answers with earlier answers; returns the comparison as JSON."""
    changed = [
        {"name": each.problem.name, "right": each.is_right, "answer": each.move, "before": before}
        for each, before in changes(answers, old)
    ]
    return {"algorithm": old["algorithm"], "totals": old["totals"], "changes": changed}


def suite_data(
    name: str, algorithm: str, answers: Sequence[Answer], old: Mapping[str, Any] | None, unreadable: Mapping[int, str]
) -> dict[str, Any]:
    """All answers and unreadable lines as JSON; `--compare` reads this format."""
    return {
        **({} if old is None else {"before": comparison_data(answers, old)}),
        "suite": name,
        "algorithm": algorithm,
        "totals": totals_of(answers),
        "unreadable": [{"line": number, "error": problem} for number, problem in unreadable.items()],
        "answers": [
            {
                "name": each.problem.name,
                "game": each.problem.game,
                "position": each.problem.position,
                "known": each.problem.expected,
                "answer": each.move,
                "right": each.is_right,
                "value": data_number(each.value),
                "loss": loss(each),
                **{name: getattr(each, name) for name in COUNTED},
            }
            for each in answers
        ],
    }


COUNTED = ("depth", "nodes", "seconds", "nodes_to_answer", "seconds_to_answer", "stopped")
"""The attributes of an answer that are written to JSON under the same names."""


def loss(answer: Answer) -> float | None:
    """How much value the chosen move loses; None if the file contains no value for the move."""
    values = answer.problem.values
    worth = values.get(answer.move.casefold())
    return None if worth is None else max(values.values()) - worth


# The command. -------------------------------------------------------------------------------------
LARGEST = 100_000_000  # the greatest size, in bytes, of a file for --compare

SECONDS = 1.0  # seconds for each position if none of --time, --nodes and --depth is given


@click.command(
    cls=Command,
    examples=[
        "gamesearch suite wac.epd --time 1",
        "gamesearch suite fforum.obf --depth full --workers 2",
        "gamesearch suite wac.epd --nodes 100000 --json > before.json",
        "gamesearch suite wac.epd --nodes 100000 -a ./mine.py --compare before.json",
    ],
)
@click.argument("file", metavar="FILE")
@cli.engine_option("Algorithm.", "alphabeta(table=true, deepen=true, order=killer+history)")
@click.option("--game", default="", metavar="GAME", help="Use this game, such as 'othello(evaluation=./mine.py)'.")
@click.option("--depth", metavar="PLIES", help="Search depth in plies, or full.")
@cli.seconds_option("--time", text="Time limit for each position, in seconds.  [default: 1]")
@cli.number_option("--nodes", text="Node limit for each position.")
@cli.workers_option
@click.option(
    "--compare", "old", metavar="OLD", help="Compare with earlier answers. OLD is a file that --json has printed."
)
@cli.speed_option
@cli.ascii_option
@cli.json_option
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
    """Answer the test positions of a FILE and count the right answers.

    FILE contains chess positions in EPD (with bm, am or dm), Othello positions in OBF, or Connect Four positions with
    scores (.txt). The table shows whether each answer is right, and after how many nodes and seconds the algorithm
    found its final move. A line that cannot be read is reported and skipped. The exit code is 0 if all answers are
    right, 1 if not, and 2 if a line could not be read.
    """
    unreadable: dict[int, str] = {}
    problems = read_suite(file, game, unreadable.__setitem__, say)
    for number, problem in unreadable.items():
        say(f"gamesearch: line {number} of {file} is skipped: {problem}")
    before = read_old(old) if old is not None else None
    plies = depth_limit(depth)
    limits = Limits(plies, SECONDS if time is None and nodes is None and plies is None else time, nodes)
    name = load_algorithm(algorithm).specification
    with show_progress("answering") as monitor:
        found = list(answers(problems, algorithm, limits, speed=speed, workers=workers, monitor=monitor))
    is_estimated = any(each.is_estimate for each in found)
    heading = f"{name} (by {evaluation_text(load_once(problems[0].game))})" if is_estimated else name
    print_found(
        suite_view(file, heading, found, before),
        lambda: suite_data(file, name, found, before, unreadable),
        as_json,
        only_ascii,
    )
    if monitor.interrupted:
        say(f"interrupted: {len(found)} of {plural(len(problems), 'position')} answered")
        return 130
    if unreadable:
        return 2
    return 0 if all(each.is_right for each in found) else 1


def read_old(path: str) -> dict[str, Any]:
    """Read earlier answers; raises GamesearchError if the file was not written by `suite --json`."""
    try:
        data = visible_data(json.loads(read_regular(Path(path), LARGEST).decode()))
    except OSError as error:
        raise GamesearchError(f"{path} cannot be read: {system_reason(error)}") from None
    except (ValueError, RecursionError):
        data = None
    if not is_run(data):
        raise GamesearchError(f"{path} was not printed by gamesearch suite --json")
    return dict(data)


def is_run(data: Any) -> bool:
    """Whether decoded JSON contains everything that a comparison needs."""
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


TOTALS = ("positions", "right", "nodes", "seconds", "seconds_to_answer")  # the totals that a comparison shows
