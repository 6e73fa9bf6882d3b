"""Find bugs in your algorithm: compare it with a built-in algorithm."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import takewhile
from pathlib import PurePath
from typing import Any

import click
from rich.console import RenderResult
from rich.text import Text

from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.engine.formatting import all_of, data_number, plural, value_text, window_text
from gamesearch.algorithms.engine.result import Value
from gamesearch.cli.consoles import print_found
from gamesearch.cli.help import Command
from gamesearch.cli.options import ascii_option, flag_option, json_option, number_option
from gamesearch.cli.progress import show_progress
from gamesearch.errors import GamesearchError
from gamesearch.game import CHANCE
from gamesearch.notation import line_names, player_name
from gamesearch.registry import specification_of
from gamesearch.render.boards.board import BoardView
from gamesearch.render.tables import table_of_numbers, view
from gamesearch.specification import is_typed_tree, typed_text
from gamesearch.study.differences import Difference, Event
from gamesearch.study.exercises import Exercise
from gamesearch.study.marking import (
    FACETS,
    KINDS,
    MORE_NODES,
    MOST_UNFINISHED,
    SECONDS,
    TIMES_NODES,
    Marking,
    Verdict,
    mark,
)
from gamesearch.toolkit.pictures import picture

__all__ = ["command"]


# The view. ----------------------------------------------------------------------------------------
REMEMBERS = (
    "the results agree if this search runs again in a new copy of your code, so it probably uses random numbers, or "
    "keeps data from earlier searches, for example in a global variable or a mutable default argument"
)
TOO_LONG = (
    f"too long: the search reached its limit, which is {SECONDS:g} s, or {MORE_NODES:,} nodes plus {TIMES_NODES} times "
    f"the nodes of the built-in algorithm. After {MOST_UNFINISHED} such searches, the remaining positions are skipped."
)
SIBLINGS = 3  # the greatest number of siblings to print for each node of the path to the first difference


@view
def marking_view(marking: Marking) -> RenderResult:
    """Show a table of the results, and below it the first node at which the searches differ."""
    verdicts, total, worst = marking.verdicts, len(marking.verdicts), marking.worst
    compared = ", ".join(FACETS[each] for each in marking.compared)
    yield Text(f"{marking.algorithm} compared with {marking.against}: {compared}", style="bold")
    yield Text()
    kinds = kinds_of(verdicts)
    groups = dict.fromkeys(each.exercise.group for each in verdicts)
    rows = ((group, *counts([each for each in verdicts if each.exercise.group == group], kinds)) for group in groups)
    yield table_of_numbers("tested on", "positions", "agree", *(KINDS[kind] for kind in kinds), rows=rows)
    if "unfinished" in kinds:
        yield Text(f"\n{TOO_LONG}")
    if marking.omitted:
        yield Text(
            f"\nleft out, because this algorithm assumes that the players alternate: {' and '.join(marking.omitted)}. "
            f'--game "{marking.omitted[0]}" shows what happens if a player can move twice in a row.'
        )
    yield Text()
    if worst is None:
        yield Text("the position agrees" if total == 1 else f"{all_of(total)} positions agree", style="green")
        return
    rest = " only in the order of visits; --values ignores this order" if kinds == ["visits"] else ""
    yield Text(f"{total - marking.agreeing} of {plural(total, 'position')} differ{rest}", style="red")
    yield Text()
    what = "first node that differs, in" if worst.difference is not None else "for example"
    game, where, row = worst.exercise.game, exercise_words(worst.exercise), worst.exercise.group
    yield Text(f"{what} {where}" + (":" if where.startswith(row.removesuffix(")")) else f" (row: {row}):"))
    if not is_typed_tree(typed_text(specification_of(game))):
        yield BoardView(picture(game, worst.exercise.state))
        yield Text()
    yield from map(Text, trace_lines(worst))
    yield Text(difference_sentence(worst, marking), style="bold")
    if marking.remembers:
        yield Text(REMEMBERS)


@view
def markings_view(rows: Sequence[tuple[str, Marking | str]]) -> RenderResult:
    """Show a line for each algorithm with its results, or with the reason why the algorithm could not be loaded."""
    kinds = kinds_of([each for _, found in rows if isinstance(found, Marking) for each in found.verdicts])
    columns = ("against", "positions", "agree", *(KINDS[kind] for kind in kinds))
    unknown = ["-"] * len(columns)
    cells = (
        (name, *(unknown if isinstance(found, str) else (found.against, *counts(found.verdicts, kinds))))
        for name, found in rows
    )
    yield table_of_numbers("algorithm", *columns, rows=cells)
    if "unfinished" in kinds:
        yield Text(f"\n{TOO_LONG}")
    for name, found in rows:
        if isinstance(found, str):
            yield Text(f"\n{name}: {found}")
        elif found.worst is not None:
            where = exercise_words(found.worst.exercise)
            rest = f"; {REMEMBERS}" if found.remembers else ""
            yield Text(f"\n{name}, {where}: {difference_sentence(found.worst, found)}{rest}")


def kinds_of(verdicts: Sequence[Verdict]) -> list[str]:
    """Return the kinds of differences that occur in the verdicts."""
    return [kind for kind in KINDS if any(each.kind == kind for each in verdicts)]


def counts(verdicts: Sequence[Verdict], kinds: Sequence[str]) -> list[str]:
    """Count all positions, the positions that agree, and the positions with each kind of difference."""
    found = Counter(each.kind for each in verdicts)
    return [str(count or "-") for count in (found.total(), found["agrees"], *(found[kind] for kind in kinds))]


def exercise_words(exercise: Exercise) -> str:
    """Describe an exercise (one of the compared searches) by its game, its position and its depth."""
    game, state = exercise.game, exercise.state
    where = "" if state == game.initial() else f" {game.format(state)}"
    how_deep = "to the end" if exercise.depth is None else f"depth {exercise.depth}"
    return f"{typed_text(specification_of(game))}{where}, {how_deep}"


# The trace. --------------------------------------------------------------------------------------
def trace_lines(verdict: Verdict) -> Iterator[str]:
    """Yield a line for each node of the path to the first difference. Some siblings of these nodes also have a line,
    which shows their value. The lines contain windows if the built-in algorithm narrows windows."""
    difference, exercise = verdict.difference, verdict.exercise
    if difference is None:
        return
    path, has_windows = place_of(difference), load_algorithm(verdict.ours.algorithm).narrows_windows
    events = [*difference.before, *([difference.ours] if difference.ours is not None else [])]
    entered = {event.path: event for event in events if not event.is_leaving}
    left = {event.path: event for event in difference.before if event.is_leaving}
    for length in range(len(path) + 2):
        here, above = path[:length], path[: max(0, length - 1)]
        siblings = [each for each in left if len(each) == length and each[:-1] == above and each != here]
        if len(siblings) > SIBLINGS:
            yield f"{'  ' * length}  ... {plural(len(siblings) - SIBLINGS, 'node')}"
        for each in siblings[-SIBLINGS:]:
            yield f"  {node_line(exercise, entered[each], left[each], has_windows)}"
        if here in entered and len(here) == length:  # other paths lead to nodes below the first difference
            yield f"{'>' if here == path else ' '} {node_line(exercise, entered[here], None, has_windows)}"


def node_line(exercise: Exercise, entered: Event, left: Event | None, has_window: bool) -> str:
    """Describe a node by its move and its player. If `has_window` is true, add its window. If the search has left the
    node, the line also contains its value."""
    path = entered.path
    name = line_names(exercise.game, exercise.state, path)[-1] if path else "root"
    value = f" = {value_shown(exercise, left.value)}" if left is not None else ""
    turn = whose_turn(exercise, path)
    window = window_words(exercise, entered) if has_window else ""
    return f"{'  ' * len(path)}{name}  {turn}{window}{value}"


def whose_turn(exercise: Exercise, path: Sequence[int]) -> str:
    """The side to move at the node after a path: Max, Min, another player, chance, or `end`."""
    game, s = exercise.game, exercise.state
    for move in path:
        s = game.result(s, move)
    if game.terminal(s):
        return "end"
    player = game.player(s)
    if player == CHANCE:
        return "chance"
    return player_name(game, player) if game.players > 2 else ("Max", "Min")[player]


def window_words(exercise: Exercise, event: Event) -> str:
    """Format the window of a node, with a leading space; empty if the node has no window."""
    if event.alpha is None or event.beta is None:
        return ""
    return " " + window_text(exercise.game, event.alpha, event.beta)


def value_shown(exercise: Exercise, value: Value | None) -> str:
    """Format a value, such as +1 for a win."""
    return value_text(value, signed=exercise.game.win_or_loss)


def place_of(difference: Difference) -> tuple[int, ...]:
    """The path of the node at which two searches first differ."""
    ours, theirs = difference.ours, difference.theirs
    if ours is None or theirs is None:
        return ()
    same = takewhile(lambda moves: moves[0] == moves[1], zip(ours.path, theirs.path, strict=False))
    return tuple(move for move, _ in same)


# The sentence. -----------------------------------------------------------------------------------
def difference_sentence(verdict: Verdict, marking: Marking) -> str:
    """Return a sentence that describes the first difference between the two searches."""
    mine, other = PurePath(marking.algorithm.partition("(")[0]).name, marking.against.partition("(")[0]
    exercise, found = verdict.exercise, verdict.theirs
    if verdict.kind == "error":
        return verdict.message
    if verdict.kind == "unfinished" and found is not None:
        least = f"{found.statistics.nodes:,} nodes" if found.stopped == "nodes" else f"{SECONDS:g} s"
        visited = f"{other} visits {verdict.ours.statistics.nodes:,} nodes"
        return f"{mine} was stopped after {least}; {visited}: does your search end?"
    if verdict.difference is not None and verdict.difference.theirs is not None:
        return difference_words(exercise, verdict.difference, mine, other)
    assert found is not None
    if verdict.kind == "move" and found.best is not None and verdict.ours.best is not None:
        played, better = (exercise.game.move_name(exercise.state, each) for each in (found.best, verdict.ours.best))
        return f"{mine} plays {played}, which is worth less than {better}, the move of {other}"
    values = [value_shown(exercise, each.value) for each in (found, verdict.ours)]
    return f"{mine} finds the value {values[0]}, {other} {values[1]}"


def difference_words(exercise: Exercise, difference: Difference, mine: str, other: str) -> str:
    """Describe in a sentence the first step at which two searches differ."""
    ours, theirs = difference.ours, difference.theirs
    assert theirs is not None
    node = node_words(exercise, place_of(difference))
    if ours is None:
        return f"{mine} continues with {node_words(exercise, theirs.path)}, but {other} has finished"
    if ours.path == theirs.path and ours.is_leaving and theirs.is_leaving:
        values = [value_shown(exercise, each.value) for each in (theirs, ours)]
        return f"{mine} returns {values[0]} for {node}, {other} {values[1]}"
    if ours.path == theirs.path and not ours.is_leaving and not theirs.is_leaving:
        windows = [window_words(exercise, each).strip() for each in (theirs, ours)]
        return f"{mine} searches {node} with the window {windows[0]}, {other} with {windows[1]}"
    return f"at {node}, {mine} {step_words(exercise, theirs)}, {other} {step_words(exercise, ours)}"


def step_words(exercise: Exercise, event: Event) -> str:
    """Describe a step of a search in words. In a step, the search begins, continues with a move, or stops with a
    value."""
    if not event.is_leaving:
        return f"continues with {line_names(exercise.game, exercise.state, event.path)[-1]}" if event.path else "begins"
    value = event.value
    is_cut = event.alpha is not None and event.beta is not None and not isinstance(value, tuple) and value is not None
    if is_cut and not event.alpha < value < event.beta:  # type: ignore[operator]
        return f"stops because {value_shown(exercise, value)} is outside the window{window_words(exercise, event)}"
    return f"stops with {value_shown(exercise, value)}"


def node_words(exercise: Exercise, path: Sequence[int]) -> str:
    """The name of a node in a sentence: the moves that lead to the node."""
    return f"node {' '.join(line_names(exercise.game, exercise.state, path))}" if path else "the root"


# As data. ----------------------------------------------------------------------------------------
def marking_data(marking: Marking) -> dict[str, Any]:
    """The results of all exercises as JSON."""
    worst = marking.worst
    return {
        "algorithm": marking.algorithm,
        "against": marking.against,
        "compared": list(marking.compared),
        "positions": len(marking.verdicts),
        "agree": marking.agreeing,
        "omitted": list(marking.omitted),
        "remembers": marking.remembers,
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
    """The result of one exercise as JSON."""
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


# The command. -------------------------------------------------------------------------------------
@click.command(
    cls=Command,
    examples=[
        "gamesearch check ./mine.py",
        "gamesearch check ./mine.py --against 'minimax(depth=4)'",
        "gamesearch check ./mine.py --game 'kalah(pits=3, seeds=2)'",
        "gamesearch check ./*.py --json",
    ],
)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--against",
    default="",
    metavar="ALGORITHM",
    help="Compare with this algorithm, such as 'minimax(depth=4)'.  [default: the built-in algorithm that finds the "
    "same values]",
)
@flag_option("--values", "only_values", text="Compare only values and moves, not the order of visits.")
@click.option(
    "--game", "games", multiple=True, metavar="GAME", help="Compare the algorithms on this game. Can be repeated."
)
@number_option("--seed", least=0, default=1, text="Seed of random trees and positions.")
@ascii_option
@json_option
def command(
    files: tuple[str, ...],
    against: str,
    only_values: bool,
    games: tuple[str, ...],
    seed: int,
    only_ascii: bool,
    as_json: bool,
) -> int:
    """Find bugs in your algorithm: compare it with a built-in algorithm on small games and random trees.

    The command compares values, best moves, and the order in which nodes are visited. Wrong cutoffs change this order,
    so they are also found. The output names the first node at which the two algorithms differ. An algorithm that
    handles chance nodes is also compared on trees with chance nodes. An algorithm for several players, such as max^n,
    is compared on trees for three players. If you give several files, the output has a line for each file. The exit
    code is 0 if all algorithms agree, 1 if a result differs, 2 if a file contains no algorithm.
    docs/how-to/own-algorithm.md explains how to write an algorithm.
    """
    rows: list[tuple[str, Marking | str]] = []
    with show_progress("checking") as monitor:
        for name in files:
            monitor.stage = name
            try:
                found: Marking | str = mark(name, against, games, only_values=only_values, seed=seed, monitor=monitor)
            except GamesearchError as error:
                if len(files) == 1:
                    raise
                found = str(error)
            rows.append((name, found))
    data = [{"algorithm": name, "error": each} if isinstance(each, str) else marking_data(each) for name, each in rows]
    only = rows[0][1]
    view = marking_view(only) if len(rows) == 1 and isinstance(only, Marking) else markings_view(rows)
    print_found(view, lambda: data[0] if len(data) == 1 else data, as_json, only_ascii)
    if monitor.interrupted:
        return 130
    return max(2 if isinstance(each, str) else int(each.worst is not None) for _, each in rows)
