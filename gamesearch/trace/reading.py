"""Read a trace, which is a file with a recorded search.

Reading checks whether each field has the right type, whether the events fit the kind of search, and whether the nodes
in the events exist. So every trace that can be read can also be shown, watched and exported. Unknown fields are
ignored, so that later versions can add fields.
"""

import contextlib
import json
from collections.abc import Callable, Collection, Mapping
from typing import Any

from gamesearch.errors import GamesearchError
from gamesearch.files.whole import read_text
from gamesearch.support.escaping import terminal_text, visible_data
from gamesearch.toolkit.derived_games import COALITION
from gamesearch.trace.events import (
    BELIEFS,
    COSTS,
    EVENTS,
    EXPANSIONS,
    FORMAT,
    GROWING,
    PLAYOUTS,
    PROOF,
    PROOFS,
    TABLE,
    VERSION,
)
from gamesearch.trace.node_values import STUCK
from gamesearch.trace.recording import Recording

__all__ = ["load_recording", "read_recording"]

LARGEST = 4_000_000_000
"""The greatest size of a trace file, in bytes."""


def load_recording(path: str) -> Recording:
    """Read a trace from a file. Raises GamesearchError if the file is not a complete trace."""
    return read_recording(read_text(path, "a trace of gamesearch", LARGEST, note=None), path)


def read_recording(text: str, name: str = "the trace") -> Recording:
    """Parse the text of a trace. Raises GamesearchError if the text is not a complete trace."""
    lines = text.rstrip("\n").split("\n")  # `splitlines` would also split a text at other line breaks
    header = parse_line(lines[0], 1, name)
    if header["event"] != "search" or header.get("format") != FORMAT:
        raise GamesearchError(f"{name} is not a trace of gamesearch: write one with analyze --trace FILE")
    version = header.get("version")
    if type(version) is not int or version < 1:
        raise GamesearchError(f"{name} is not a trace of gamesearch: its version is not a positive integer")
    if version > VERSION:
        raise GamesearchError(
            f"{name} has trace version {version}, but this gamesearch reads only up to {VERSION}: update gamesearch"
        )
    end = parse_line(lines[-1], len(lines), name)
    if end["event"] != "end":
        raise GamesearchError(f"{name} is incomplete: its last line is not the end of the search")
    recording = Recording(header)
    for number, line in enumerate(lines, 1):
        event = parse_line(line, number, name)
        try:
            if number == 1:
                check_header(event)
            elif number < len(lines):
                check_event(event, recording)
                recording.take(event)
            else:
                check_end(event)
                recording.close(event)
        except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
            why = f": {error}" if isinstance(error, InvalidLineError) else ""
            raise GamesearchError(f"{name} is broken at line {number}{why}") from None
    return recording


def parse_line(line: str, number: int, name: str) -> dict[str, Any]:
    """Parse a line of a trace. Raises GamesearchError if the line is not an event."""
    event: Any = None
    with contextlib.suppress(ValueError, RecursionError):
        event = json.loads(line)
    if isinstance(event, dict):
        old_names = [fact for fact in ("event", "kind") if event.get(fact) == "recurrence"]
        event |= dict.fromkeys(old_names, "repetition")
    if not isinstance(event, dict) or not isinstance(event.get("event"), str) or event["event"] not in EVENTS:
        not_a_trace = "is not a trace of gamesearch: line 1 is not an event"
        raise GamesearchError(f"{name} {not_a_trace if number == 1 else f'is broken at line {number}'}")
    return event if line.isprintable() and "\\" not in line else make_visible(event)


def make_visible(event: dict[str, Any]) -> dict[str, Any]:
    """Make the control characters of an event visible. Each text becomes a single line, unless it is a position."""
    found: dict[str, Any] = visible_data(event)
    return found | {"position": terminal_text(event["position"])} if isinstance(event.get("position"), str) else found


# Checks. ------------------------------------------------------------------------------------------
Check = Callable[[Any], bool]
LARGEST_COUNT, LARGEST_NUMBER = 1 << 62, 1e100
"""Counts must be less than LARGEST_COUNT. The absolute values of other numbers must be less than LARGEST_NUMBER.
If larger numbers were accepted, sums of squares could become infinite."""


def is_text(fact: Any) -> bool:
    """Whether a field contains text."""
    return isinstance(fact, str)


def is_flag(fact: Any) -> bool:
    """Whether a field contains true or false."""
    return isinstance(fact, bool)


def is_count(fact: Any) -> bool:
    """Whether a field contains a whole number that is not negative, such as the number of a node."""
    return type(fact) is int and 0 <= fact < LARGEST_COUNT


def is_number(fact: Any) -> bool:
    """Whether a field contains a finite number."""
    return type(fact) in (int, float) and -LARGEST_NUMBER < fact < LARGEST_NUMBER


def is_value(fact: Any) -> bool:
    """Whether a field contains a value, values of several players, proof numbers, or a cost. Null means infinity."""
    return may_be(is_number)(fact) or (fact and is_list(may_be(is_number))(fact)) or is_cost(fact)


def is_cost(fact: Any) -> bool:
    """Whether a field contains the cost of a proof, as a list with a single element."""
    return isinstance(fact, list) and len(fact) == 1 and (fact[0] == STUCK or may_be(is_count)(fact[0]))


def is_probability(fact: Any) -> bool:
    """Whether a field contains a probability."""
    return is_number(fact) and 0 <= fact <= 1


def is_window(fact: Any) -> bool:
    """Whether a field contains a window: two ends, each a number or null (infinity)."""
    return is_list(may_be(is_number))(fact) and len(fact) == 2


def is_refutation(fact: Any) -> bool:
    """Whether a field contains the reason for a cutoff. The reason consists of an ancestor, its better move, and the
    value of this move."""
    return isinstance(fact, dict) and has_facts(fact, {"node": is_count, "move": is_text, "shown": is_text})


def is_choice(fact: Any) -> bool:
    """Whether a field is a list of three facts about a move: its name, the number of its playouts, and its bound."""
    return isinstance(fact, list) and len(fact) == 3 and is_text(fact[0]) and all(map(is_number, fact[1:]))


def may_be(check: Check) -> Check:
    """A check that accepts null and everything that `check` accepts."""
    return lambda fact: fact is None or check(fact)


def is_list(check: Check) -> Check:
    """A check that accepts a list whose elements all pass a check."""
    return lambda fact: isinstance(fact, list) and all(map(check, fact))


def is_among(known: Collection[str]) -> Check:
    """A check that accepts only the given texts."""
    return lambda fact: isinstance(fact, str) and fact in known


BOUNDS = {"exact", "lower", "upper", "estimate"}
KINDS = {
    "searched", "end", "estimate", "table", "bounds", "database", "repetition", "stuck", "passed", "predicted",
    "playouts", "proven", "disproven", "leaf",
}  # fmt: skip
"""The ways in which a node can get its value."""
NODE: Mapping[str, Check] = {"node": is_count}
FOUND: Mapping[str, Check] = {"value": is_value, "shown": is_text, "bound": is_among(BOUNDS)}
ANSWER: Mapping[str, Check] = {**NODE, "lower": may_be(is_number), "upper": may_be(is_number)}
BETTER: Mapping[str, Check] = {
    **NODE, "value": is_value, "shown": is_text, "window": may_be(is_window), "window_shown": is_text,
}  # fmt: skip
PATH: Mapping[str, Check] = {**NODE, "path": is_list(is_count)}
FACTS: Mapping[str, Mapping[str, Check]] = {
    "search": {
        "game": is_text, "position": is_text, "player": is_text, "algorithm": is_text, "names": is_list(is_text),
        "players": is_count,
    },
    "iteration": {"number": is_count, "depth": may_be(is_count), "purpose": is_text, "again": is_flag},
    "enter": {
        **NODE, "parent": may_be(is_count), "ply": is_count, "move": may_be(is_text), "chance": may_be(is_probability),
        "side": is_text, "window": may_be(is_window), "window_shown": is_text, "position": is_text,
        "board": is_list(is_text),
    },
    "probe": NODE,
    "best": {**BETTER, "child": may_be(is_count), "move": is_text},
    "table": ANSWER,
    "bounds": ANSWER,
    "database": ANSWER,
    "passed": ANSWER,
    "predicted": ANSWER,
    "repetition": NODE,
    "stands": BETTER,
    "left_out": {**NODE, "move": is_text, "why": is_text},
    "cutoff": {**NODE, "move": is_text, "pruned": is_list(is_text), "refuted": may_be(is_refutation)},
    "leave": {**NODE, **FOUND, "kind": is_among(KINDS), "nodes": is_count},
    "choose": {**NODE, "move": is_text, "bounds": is_list(is_choice)},
    "playout": {**NODE, "moves": is_list(is_text), "known": is_flag, "value": is_value, "shown": is_text},
    "count": PATH,
    "proven": {**NODE, "lower": is_number, "upper": is_number, "shown": is_text},
    "expand": NODE,
    "revalue": {**NODE, **FOUND},
    "rescale": {**PATH, "error": is_number},
    "settle": {**PATH, "values": is_list(is_cost)},
    "chances": {**PATH, "values": is_list(is_probability)},
    "level": {**PATH, "number": is_count, "count": is_count},
    "drop": {**PATH, "values": is_list(is_number), "kept": is_count},
    "expanded": {**PATH, "line": is_list(is_text), "number": is_count},
    "end": {
        **FOUND, "best": may_be(is_text), "line": is_list(is_text), "stopped": is_text,
        **dict.fromkeys(("nodes", "leaves", "cutoffs", "table_hits", "recorded", "left_out"), is_count),
    },
}  # fmt: skip
"""For each kind of event, the required fields, and a check for each of these fields."""
POSSIBLE: Mapping[str, Check] = {
    "purpose": is_text, "goal_shown": is_text, "least": is_number, "greatest": is_number, "signed": is_flag,
    "deviation": is_number, "playouts": is_count, "expansions": is_count, "entries": is_count, "stopped": is_text,
    "evaluation": is_text, "level": is_count, "reach": is_count, "given": is_text, "assumed": is_flag,
}  # fmt: skip
"""The optional fields of events, with a check for each field."""
OF_SEARCHES = {
    "probe", "table", "bounds", "database", "passed", "predicted", "repetition", "stands", "left_out", "cutoff",
    "leave",
}  # fmt: skip
"""The events of a depth-first search."""
OF_GROWTH: Mapping[str, Collection[str]] = {
    PLAYOUTS: {"choose", "playout", "count", "proven", "left_out"},
    EXPANSIONS: {"choose", "expand", "revalue", "proven", "expanded"},
    BELIEFS: {"choose", "expand", "revalue", "proven", "rescale", "chances", "expanded"},
    PROOF: {"choose", "expand", "revalue", "expanded"},
    TABLE: {"expand", "revalue", "level", "drop", "expanded"},
    COSTS: {"choose", "expand", "revalue", "settle", "expanded"},
}
"""The events that may occur in each kind of growing tree."""


class InvalidLineError(ValueError):
    """Raised if a line of a trace is invalid."""


def has_facts(event: Mapping[str, Any], checks: Mapping[str, Check]) -> bool:
    """Whether an event has all fields of `checks`, each with a valid value."""
    return all(name in event and check(event[name]) for name, check in checks.items())


def check_facts(event: Mapping[str, Any], checks: Mapping[str, Check]) -> None:
    """Raise ValueError, with the name of the field, if a field is missing or invalid."""
    for name, check in checks.items():
        if name not in event or not check(event[name]):
            raise InvalidLineError(f"its {name} is missing or invalid")


def check_header(header: Mapping[str, Any]) -> None:
    """Raise ValueError if the first line of a trace does not describe the search."""
    check_facts(
        {"evaluation": "", "zero_sum": True, **header},
        {**FACTS["search"], "evaluation": POSSIBLE["evaluation"], "zero_sum": is_flag},
    )
    names = header["names"]
    if len(names) != header["players"] or len(names) < 2:
        raise InvalidLineError("each player must have a name, and at least two players are needed")
    if header["player"] not in ("Max", "Min", "chance", COALITION, *names):
        raise InvalidLineError("the name of the player to move is unknown")


def check_event(event: Mapping[str, Any], recording: Recording) -> None:
    """Raise ValueError if an event cannot be the next event of a recording."""
    kind, nodes = event["event"], recording.nodes
    check_facts(event, FACTS[kind])
    check_facts(event, {name: POSSIBLE[name] for name in event.keys() & POSSIBLE.keys()})
    if kind == "iteration":
        check_iteration(event, recording)
        return
    growth = recording.growth
    if kind not in (*(OF_GROWTH[growth] if growth else OF_SEARCHES), "enter", "best"):
        raise InvalidLineError("this event does not occur in this kind of search")
    if kind == "enter":
        check_new_node(event, recording)
        return
    if not all(number in nodes for number in (event["node"], *event.get("path", ()))):
        raise InvalidLineError("this node does not exist")
    if "path" in event:
        check_path(event, recording)
    check_relations(event, recording)


def check_iteration(event: Mapping[str, Any], recording: Recording) -> None:
    """Raise ValueError if an event that begins a search of the root is invalid."""
    purpose, before = event["purpose"], recording.iterations
    if any(each.number == event["number"] for each in before):
        raise InvalidLineError("two iterations have the same number")
    if before and purpose != before[-1].purpose and (recording.growth or purpose in GROWING):
        if not {purpose, before[-1].purpose} <= set(PROOFS):
            raise InvalidLineError("one search cannot grow two kinds of trees")
    if purpose in GROWING and purpose not in PROOFS:
        if not {"least", "greatest", "signed"} <= event.keys() or event["least"] > event["greatest"]:
            raise InvalidLineError("the trace of a growing tree must contain the least and the greatest payoff")
    if purpose in PROOFS and not is_text(event.get("goal_shown")):
        raise InvalidLineError("a proof needs a goal")
    if event.get("attacker", "") not in ("", "Max", "Min") or (purpose == COSTS) != bool(event.get("attacker")):
        raise InvalidLineError("a search by costs must have an attacker, and other searches must not have an attacker")


def check_new_node(event: Mapping[str, Any], recording: Recording) -> None:
    """Raise ValueError if the event of a new node contradicts the events before it."""
    nodes, header, parent = recording.nodes, recording.header, event["parent"]
    if event["node"] in nodes or not recording.iterations:
        raise InvalidLineError("a node is entered twice or before the search begins")
    if (parent is None) != (event["move"] is None) or (parent is not None and parent not in nodes):
        raise InvalidLineError("the parent or the move of a node is missing or unknown")
    if parent is None and recording.iterations[-1].root is not None:
        raise InvalidLineError("an iteration has two roots")
    if parent is not None and (event["ply"] < nodes[parent].ply or nodes[parent].side == "end"):
        raise InvalidLineError("a node is below the end of a game, or its ply is too small")
    has_names = not recording.growth or recording.payoff_count > 1
    sides = ("Max", "Min", "chance", "end", *((*header["names"], COALITION) if has_names else ()))
    if event["side"] not in sides:
        raise InvalidLineError("the name of the player to move is unknown")
    if (event["chance"] is not None) != (parent is not None and nodes[parent].side == "chance"):
        raise InvalidLineError("outcomes of a chance node must have a probability, and moves must not")
    same, is_expanded = event.get("same"), recording.growth not in ("", PLAYOUTS)
    if same is not None and not (is_expanded and is_count(same) and same in nodes):
        raise InvalidLineError("the node in the field 'same' does not exist")
    if ("value" in event) != is_expanded or (is_expanded and not is_worth(event, recording)):
        raise InvalidLineError("new nodes must have a valid value if the search expands leaves, and no value if not")


def check_path(event: Mapping[str, Any], recording: Recording) -> None:
    """Raise ValueError if an event about several nodes lacks a valid value for one of them."""
    path, kind, count = event["path"], event["event"], recording.payoff_count
    if len(set(path)) < len(path) or (not path and kind in ("count", "expanded")):
        raise InvalidLineError("a path is empty or contains a node twice")
    if kind in ("expanded", "level"):
        return
    values = event.get("values")
    if not isinstance(values, list) or len(values) != len(path):
        raise InvalidLineError("there must be one value for each node")
    fits: Mapping[str, Check] = {
        "count": is_number if count == 1 else lambda paid: is_list(is_number)(paid) and len(paid) == count,
        "rescale": lambda belief: is_list(is_number)(belief) and len(belief) == 2,
    }
    if kind in fits and not all(map(fits[kind], values)):
        raise InvalidLineError("a value has the wrong form for this search")
    if kind == "chances" and not all(recording.nodes[number].value_history for number in path):
        raise InvalidLineError("a node has no value yet")


def check_relations(event: Mapping[str, Any], recording: Recording) -> None:
    """Raise ValueError if an event contradicts the recorded nodes. For example, the best child must be a child of the
    node."""
    kind, nodes, node = event["event"], recording.nodes, recording.nodes[event["node"]]
    if "value" in event and not recording.growth and not has_a_value_for_each(event, recording):
        raise InvalidLineError("there must be one value for each player")
    if kind == "best" and event["child"] is not None:
        if event["child"] not in nodes or nodes[event["child"]].parent != node.number:
            raise InvalidLineError("the best child is not a child of the node")
    elif kind == "cutoff" and event["refuted"] is not None:
        ancestors = [each.number for each in recording.path(node.number)[:-1]]
        if event["refuted"]["node"] not in ancestors:
            raise InvalidLineError("the refuting node is not an ancestor")
    elif kind == "revalue":
        same = event.get("same", [])
        if not is_worth(event, recording) or not is_list(is_count)(same) or not nodes.keys() >= set(same):
            raise InvalidLineError("the value or the field 'same' is invalid")
    elif kind == "leave" and node.last_event >= 0:
        raise InvalidLineError("a node is left twice")


def has_a_value_for_each(event: Mapping[str, Any], recording: Recording) -> bool:
    """Whether a value has the form that the game needs. It can be a number for Max, or a list with a number for each
    player. None is always allowed."""
    value, count = event["value"], recording.payoff_count
    if value is None or count == 1:
        return value is None or is_number(value)
    return is_list(is_number)(value) and len(value) == count


def is_worth(event: Mapping[str, Any], recording: Recording) -> bool:
    """Whether the value in an event is valid for this kind of growing tree."""
    value, length = event.get("value"), {PROOF: 2, COSTS: 1}.get(recording.growth)
    if not has_facts(event, FOUND):
        return False
    if recording.growth == TABLE:
        return is_number(value) if event["bound"] == "exact" else value is None
    return is_number(value) if length is None else isinstance(value, list) and len(value) == length


def check_end(end: Mapping[str, Any]) -> None:
    """Raise ValueError if the last line of a trace does not contain the result of the search."""
    check_facts({"stopped": "", **end}, FACTS["end"])
    check_facts(end, {name: POSSIBLE[name] for name in end.keys() & POSSIBLE.keys()})
