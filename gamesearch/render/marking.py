"""How an algorithm compares with one of ours: a table of positions, and the first node that differs."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import PurePath
from typing import Any

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from gamesearch.algorithms.parts.formatting import all_of, data_number, plural, value_text, window_text
from gamesearch.algorithms.parts.result import Value
from gamesearch.registry import specification_of
from gamesearch.render.tables import table_of_numbers
from gamesearch.study.exercises import Exercise
from gamesearch.study.marking import KINDS, SECONDS, Difference, Event, Marking, Verdict, whose_turn

__all__ = ["MarkingView", "MarkingsView", "marking_data"]

SIBLINGS = 3
"""How many nodes beside those on the path are drawn of each of its nodes."""


class MarkingView:
    """The table, and below it the first node that differs."""

    def __init__(self, marking: Marking) -> None:
        self.marking = marking

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield each part."""
        marking, total = self.marking, len(self.marking.verdicts)
        compared = "value, best move, order of visits" if marking.with_visits else "value and best move"
        yield Text(f"{marking.algorithm} beside {marking.against}: {compared}", style="bold")
        yield Text()
        kinds = [kind for kind in KINDS if any(each.kind == kind for each in marking.verdicts)]
        table = table_of_numbers("", "positions", "agree", *(KINDS[kind] for kind in kinds))
        for group in dict.fromkeys(each.exercise.group for each in marking.verdicts):
            counts = Counter(each.kind for each in marking.verdicts if each.exercise.group == group)
            cells = [counts.total(), counts["agrees"], *(counts[kind] for kind in kinds)]
            table.add_row(Text(group), *(str(count) if count else "-" for count in cells))
        yield table
        yield Text()
        worst = marking.worst
        if worst is None:
            yield Text("the position agrees" if total == 1 else f"{all_of(total)} positions agree", style="green")
            return
        rest = ": --values compares nothing but values and moves, which agree" if kinds == ["visits"] else ""
        yield Text(f"{total - marking.agreeing} of {plural(total, 'position')} differ{rest}", style="red")
        yield Text()
        what = "the first node that differs, of" if worst.difference is not None else "such as"
        yield Text(f"{what} {exercise_words(worst.exercise)}:")
        yield from map(Text, trace_lines(worst))
        yield Text(difference_sentence(worst, marking), style="bold")


class MarkingsView:
    """A line for each of several algorithms."""

    def __init__(self, rows: Sequence[tuple[str, Marking | str]]) -> None:
        self.rows = rows
        """The names, with what came of each, or why it could not be loaded."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the table, and a sentence for each that differs."""
        markings = [found for _, found in self.rows if isinstance(found, Marking)]
        kinds = [kind for kind in KINDS if any(each.kind == kind for found in markings for each in found.verdicts)]
        table = table_of_numbers("", "against", "positions", "agree", *(KINDS[kind] for kind in kinds))
        for name, found in self.rows:
            if isinstance(found, str):
                table.add_row(Text(name), "-", "-", "-", *("-" for _ in kinds))
                continue
            counts = Counter(each.kind for each in found.verdicts)
            cells = [counts.total(), counts["agrees"], *(counts[kind] for kind in kinds)]
            table.add_row(Text(name), Text(found.against), *(str(count) if count else "-" for count in cells))
        yield table
        for name, found in self.rows:
            if isinstance(found, str):
                yield Text(f"\n{name}: {found}")
            elif found.worst is not None:
                where = exercise_words(found.worst.exercise)
                yield Text(f"\n{name}, {where}: {difference_sentence(found.worst, found)}")


def exercise_words(exercise: Exercise) -> str:
    """A position and how deep it is searched, as it can be typed."""
    game, state = exercise.game, exercise.state
    where = "" if state == game.initial() else f" {game.format(state)}"
    return f"{short_name(exercise)}{where}, {'to the end' if exercise.depth is None else f'depth {exercise.depth}'}"


def short_name(exercise: Exercise) -> str:
    """The game of an exercise; a tree typed in is its own name."""
    name = specification_of(exercise.game)
    return str(exercise.game.parameters()["text"]) if name.startswith("tree(text=") else name


# The trace. --------------------------------------------------------------------------------------
def trace_lines(verdict: Verdict) -> Iterator[str]:
    """The path to the node that differs, with what ours has found on the way."""
    difference, exercise = verdict.difference, verdict.exercise
    if difference is None:
        return
    path = place_of(difference)
    events = [*difference.before, *([difference.ours] if difference.ours is not None else [])]
    entered = {event.path: event for event in events if not event.is_leaving}
    left = {event.path: event for event in difference.before if event.is_leaving}
    for length in range(len(path) + 1):
        here = path[:length]
        beside = [each for each in left if length and len(each) == length and each[:-1] == here[:-1] and each != here]
        if len(beside) > SIBLINGS:
            yield f"{'  ' * length}  ... {plural(len(beside) - SIBLINGS, 'node')}"
        for each in beside[-SIBLINGS:]:
            yield f"  {node_line(exercise, entered[each], left[each])}"
        if here in entered:
            yield f"{'>' if here == path else ' '} {node_line(exercise, entered[here])}"
    children = [each for each in left if len(each) == len(path) + 1 and each[:-1] == path]
    if len(children) > SIBLINGS:
        yield f"{'  ' * (len(path) + 1)}  ... {plural(len(children) - SIBLINGS, 'node')}"
    for each in children[-SIBLINGS:]:
        yield f"  {node_line(exercise, entered[each], left[each])}"


def node_line(exercise: Exercise, entered: Event, left: Event | None = None) -> str:
    """A node with its window, and the value that it was left with."""
    path = entered.path
    name = exercise.game.line_names(exercise.state, path)[-1] if path else "root"
    value = f" = {shown(exercise, left.value)}" if left is not None else ""
    turn = whose_turn(exercise, path)
    return f"{'  ' * len(path)}{name}  {turn}{window_words(exercise, entered)}{value}"


def window_words(exercise: Exercise, event: Event) -> str:
    """The window of a node, with a blank before it; nothing where it has none."""
    if event.alpha is None or event.beta is None:
        return ""
    return " " + window_text(exercise.game, event.alpha, event.beta)


def shown(exercise: Exercise, value: Value | None) -> str:
    """A value as people read it."""
    return value_text(value, signed=exercise.game.win_or_loss)


def place_of(difference: Difference) -> tuple[int, ...]:
    """The node where two searches part."""
    ours, theirs = difference.ours, difference.theirs
    if ours is None or theirs is None:
        return ()
    length = 0
    while length < min(len(ours.path), len(theirs.path)) and ours.path[length] == theirs.path[length]:
        length += 1
    return ours.path[:length]


# The sentence. -----------------------------------------------------------------------------------
def difference_sentence(verdict: Verdict, marking: Marking) -> str:
    """What the first difference is."""
    mine, other = PurePath(marking.algorithm.partition("(")[0]).name, marking.against
    exercise, found = verdict.exercise, verdict.theirs
    if verdict.kind == "error":
        return verdict.message
    if verdict.kind == "unfinished" and found is not None:
        least = f"{found.statistics.nodes:,} nodes" if found.stopped == "nodes" else f"{SECONDS:g} s"
        return f"{mine} was stopped after {least}, where {other} visits {verdict.ours.statistics.nodes:,}: does it end?"
    if verdict.difference is not None and verdict.difference.theirs is not None:
        return parting(exercise, verdict.difference, mine, other)
    assert found is not None
    if verdict.kind == "move" and found.best is not None and verdict.ours.best is not None:
        played, better = (exercise.game.move_name(exercise.state, each) for each in (found.best, verdict.ours.best))
        return f"{mine} plays {played}, which is worth less than {better}, the move of {other}"
    return f"{mine} finds {shown(exercise, found.value)}, {other} {shown(exercise, verdict.ours.value)}"


def parting(exercise: Exercise, difference: Difference, mine: str, other: str) -> str:
    """What each of two searches does where they part."""
    ours, theirs = difference.ours, difference.theirs
    assert theirs is not None
    node = node_words(exercise, place_of(difference))
    if ours is None:
        return f"{mine} goes on with {node_words(exercise, theirs.path)} when {other} is done"
    if ours.path == theirs.path and ours.is_leaving and theirs.is_leaving:
        return f"{mine} returns {shown(exercise, theirs.value)} for {node}, {other} {shown(exercise, ours.value)}"
    if ours.path == theirs.path and not ours.is_leaving and not theirs.is_leaving:
        windows = [window_words(exercise, each).strip() for each in (theirs, ours)]
        return f"{mine} searches {node} in the window {windows[0]}, {other} in {windows[1]}"
    return f"at {node}, {mine} {step_words(exercise, theirs)}, {other} {step_words(exercise, ours)}"


def step_words(exercise: Exercise, event: Event) -> str:
    """What a search does next."""
    if not event.is_leaving:
        return f"goes on with {exercise.game.line_names(exercise.state, event.path)[-1]}" if event.path else "begins"
    value = event.value
    is_cut = event.alpha is not None and event.beta is not None and not isinstance(value, tuple) and value is not None
    if is_cut and not event.alpha < value < event.beta:  # type: ignore[operator]
        return f"stops, as {shown(exercise, value)} is outside{window_words(exercise, event)}"
    return f"stops with {shown(exercise, value)}"


def node_words(exercise: Exercise, path: Sequence[int]) -> str:
    """A node by the moves that lead to it."""
    return f"node {' '.join(exercise.game.line_names(exercise.state, path))}" if path else "the root"


# As data. ----------------------------------------------------------------------------------------
def marking_data(marking: Marking) -> dict[str, Any]:
    """What came of all exercises, as JSON says it."""
    worst = marking.worst
    return {
        "algorithm": marking.algorithm,
        "against": marking.against,
        "compared": ["value", "move", *(["visits"] if marking.with_visits else [])],
        "positions": len(marking.verdicts),
        "agree": marking.agreeing,
        "differ": {kind: sum(each.kind == kind for each in marking.verdicts) for kind in KINDS},
        "first": None
        if worst is None
        else {
            **verdict_data(worst),
            "difference": difference_sentence(worst, marking),
            "trace": list(trace_lines(worst)),
        },
        "verdicts": [verdict_data(each) for each in marking.verdicts],
    }


def verdict_data(verdict: Verdict) -> dict[str, Any]:
    """One exercise and what came of it."""
    exercise, theirs = verdict.exercise, verdict.theirs
    return {
        "game": specification_of(exercise.game),
        "position": exercise.game.format(exercise.state),
        "depth": exercise.depth,
        "verdict": verdict.kind,
        "message": verdict.message,
        "value": data_number(theirs.value) if theirs is not None else None,
        "expected": data_number(verdict.ours.value),
        "nodes": theirs.statistics.nodes if theirs is not None else None,
        "expected_nodes": verdict.ours.statistics.nodes,
    }
