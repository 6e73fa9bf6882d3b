"""The answers to a test suite: a line for each position, and totals, beside those of an earlier run."""

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.console import RenderResult
from rich.table import Column
from rich.text import Text

from gamesearch.algorithms.engine.formatting import count_text, data_number, plural, seconds_text, value_text
from gamesearch.render.tables import number_column, plain_table, text_column
from gamesearch.render.view import view
from gamesearch.study.suites import Answer

__all__ = ["suite_data", "suite_view"]

LONGEST_NAME = 60
"""The most characters of a position's name in the table."""


@view
def suite_view(name: str, algorithm: str, answers: Sequence[Answer], old: Mapping[str, Any] | None) -> RenderResult:
    """The table and the totals, and what is otherwise than before."""
    yield Text(f"{name}: {algorithm}", style="bold")
    yield Text()
    rows = (
        (
            textwrap.shorten(each.problem.name, LONGEST_NAME, placeholder="..."),
            Text("right", style="green") if each.is_right else Text("wrong", style="red"),
            each.move or "none",
            each.problem.expected,
            value_text(each.value),
            str(each.depth),
            count_text(each.nodes_to_answer) if each.nodes else "not counted",
            seconds_text(each.seconds_to_answer),
        )
        for each in answers
    )
    columns = [text_column("position"), text_column(), text_column("answer"), Column("known")]
    columns += map(number_column, ("value", "depth", "nodes to it", "time to it"))
    yield plain_table(*columns, rows=rows, gap=2)
    yield Text()
    yield Text(totals_sentence(totals_of(answers)), style="bold")
    if old is not None:
        yield Text(f"before: {totals_sentence(old['totals'])} ({old['algorithm']})")
        for each, before in changes(answers, old):
            change = "right now" if each.is_right else "wrong now"
            yield Text(f"{each.problem.name}: {change}, {each.move or 'none'} instead of {before or 'none'}")


def totals_of(answers: Sequence[Answer]) -> dict[str, Any]:
    """The sums."""
    return {
        "positions": len(answers),
        "right": sum(each.is_right for each in answers),
        "nodes": sum(each.nodes for each in answers),
        "seconds": sum(each.seconds for each in answers),
        "seconds_to_answer": sum(each.seconds_to_answer for each in answers if each.is_right),
    }


def totals_sentence(totals: Mapping[str, Any]) -> str:
    """The sums in words."""
    share = f" ({100 * totals['right'] / totals['positions']:.0f} %)" if totals["positions"] else ""
    return (
        f"{totals['right']} of {plural(totals['positions'], 'position')} right{share}, "
        f"{plural(totals['nodes'], 'node')} in {seconds_text(totals['seconds'])}; "
        f"the right answers were found in {seconds_text(totals['seconds_to_answer'])}"
    )


def changes(answers: Sequence[Answer], old: Mapping[str, Any]) -> Iterator[tuple[Answer, str]]:
    """Each answer that is right now and was not, or the other way round, and what was answered before."""
    before = {each["position"]: each for each in old["answers"]}
    for each in answers:
        known = before.get(each.problem.position)
        if known is not None and bool(known["right"]) != each.is_right:
            yield each, known["answer"]


def comparison_data(answers: Sequence[Answer], old: Mapping[str, Any]) -> dict[str, Any]:
    """An earlier run beside this one as JSON says it."""
    changed = [
        {"name": each.problem.name, "right": each.is_right, "answer": each.move, "before": before}
        for each, before in changes(answers, old)
    ]
    return {"algorithm": old["algorithm"], "totals": old["totals"], "changes": changed}


def suite_data(
    name: str,
    algorithm: str,
    answers: Sequence[Answer],
    old: Mapping[str, Any] | None = None,
    unreadable: Mapping[int, str] | None = None,
) -> dict[str, Any]:
    """All answers, and the lines that could not be read, in JSON, which `--compare` reads."""
    return {
        **({} if old is None else {"before": comparison_data(answers, old)}),
        "suite": name,
        "algorithm": algorithm,
        "totals": totals_of(answers),
        "unreadable": [{"line": number, "error": problem} for number, problem in (unreadable or {}).items()],
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
                "depth": each.depth,
                "nodes": each.nodes,
                "seconds": each.seconds,
                "nodes_to_answer": each.nodes_to_answer,
                "seconds_to_answer": each.seconds_to_answer,
                "stopped": each.stopped,
            }
            for each in answers
        ],
    }


def loss(answer: Answer) -> float | None:
    """How much worse the move is than the best, where the file values it."""
    values = answer.problem.values
    worth = values.get(answer.move.casefold())
    return None if worth is None else max(values.values()) - worth
