"""Phrases for sentences about a search: players and their verbs, names of moves, values and counts."""

from collections.abc import Mapping, Sequence
from typing import Any

from gamesearch.algorithms.engine.formatting import counts_text, plural, probability_text
from gamesearch.specification import typed_text
from gamesearch.toolkit.derived_games import COALITION
from gamesearch.trace.node_values import numbers
from gamesearch.trace.recording import RecordedNode, Recording

__all__ = [
    "BOUND_WORDS", "PLURALS", "beside", "best_values_words", "capital", "certainty_words", "depth_words", "does",
    "effort_words", "game_and_position", "is_closed", "method_words", "names_text", "narrowed_text", "place_words",
    "short_notation", "statistics_sentence", "turn_at", "turn_words", "value_sentence", "weighted_sum", "window_words",
]  # fmt: skip

LONGEST_NOTATION = 30
"""A sentence contains the notation of a position only if the notation has at most this number of characters."""
BOUND_WORDS = {"": "", "exact": "", "lower": "at least ", "upper": "at most ", "estimate": "about "}
"""The words before a value. They depend on the kind of bound."""
NAMED = 8
"""The greatest number of moves that a sentence names."""
PLURALS = {
    "is": "are", "has": "have", "already has": "already have", "tries": "try", "backs": "back", "takes": "take",
    "follows": "follow",
}  # fmt: skip
"""The plural forms of verbs whose subject is a player."""


def certainty_words(visits: int, interval_shown: str) -> str:
    """Words for how certain a value is: the number of playouts from which it was computed, and its interval. Empty if
    neither is known."""
    return ", ".join(filter(None, (plural(visits, "playout") if visits else "", interval_shown)))


def does(side: str, verb: str) -> str:
    """A player followed by a verb. The verb is in the plural if the player is a coalition of several players.

    >>> does("Max", "has"), does("the others", "has")
    ('Max has', 'the others have')
    """
    return f"{side} {PLURALS[verb] if side == COALITION else verb}"


def window_words(shown: str) -> str:
    """A window as text, with the names alpha and beta.

    >>> window_words("[-inf, 3]")
    'alpha=-inf, beta=3'
    """
    alpha, _, beta = shown.strip("[]").partition(", ")
    return f"alpha={alpha}, beta={beta}"


def best_values_words(best: Sequence[str], sides: Sequence[str]) -> str:
    """The best values of the two sides on the path to a node, which are alpha and beta.

    >>> best_values_words(["3", "none yet"], ["Max", "Min"])
    'the best values so far on the path: 3 for Max (alpha), none yet for Min (beta).'
    """
    return f"the best values so far on the path: {best[0]} for {sides[0]} (alpha), {best[1]} for {sides[1]} (beta)."


def game_and_position(recording: Recording) -> tuple[str, str]:
    """The game and the searched position. If the game is a tree that the user typed, the first text is this tree. If
    the root of the tree was searched, the second text is empty."""
    header = recording.header
    game, position = typed_text(header["game"]), " ".join(header["position"].split())
    return game, "" if game != header["game"] and position == "root" else position


def short_notation(node: RecordedNode) -> str:
    """The notation of a node's position on one line; empty if it is too long for a sentence."""
    text = " ".join(node.position.split())
    return text if len(text) <= LONGEST_NOTATION else ""


def is_closed(window: list[float | int | None] | None) -> bool:
    """Whether alpha >= beta, so that no value lies between them."""
    return window is not None and None not in window and window[0] >= window[1]  # type: ignore[operator]


def narrowed_text(event: Mapping[str, Any]) -> str:
    """The window of a node after an event as text; `(empty)` marks a window that contains no value.

    >>> narrowed_text({"window": [3, 2], "window_shown": "[3, 2]"})
    '[3, 2] (empty)'
    """
    return f"{event['window_shown']}{' (empty)' if is_closed(event['window']) else ''}"


def turn_words(side: str) -> str:
    """Whose turn it is."""
    return {"end": "the game is over", "chance": "chance decides"}.get(side, f"{does(side, 'is')} to move")


def place_words(recording: Recording, node: RecordedNode) -> str:
    """A phrase that names a node by the moves that lead to it."""
    moves = [str(each.move) for each in recording.path(node.number)[1:]]
    if not moves:
        return "the root"
    # Without the word "move", a move such as 3 could be mistaken for the number of a node.
    kind = ("move " if len(moves) == 1 else "moves ") if moves[0].isdigit() else ""
    return f"the node after {kind}{' '.join(moves)}"


def turn_at(recording: Recording, node: RecordedNode) -> str:
    """A sentence, without its period, that says which side is to move at a node. The node is named by the moves that
    lead to it."""
    return f"At {place_words(recording, node)}, {turn_words(node.side)}"


def names_text(names: Sequence[str]) -> str:
    """A list of names as text. If there are more than NAMED names, "..." replaces the others."""
    return ", ".join(names[:NAMED]) + (", ..." if len(names) > NAMED else "")


def beside(numbers: Mapping[str, float], name: str) -> str:
    """A text in brackets that lists all names except `name`, each with its number. If there is no other name, the text
    is empty."""
    others = [f"{other} {number:g}" for other, number in numbers.items() if other != name]
    return f" ({names_text(others)})" if others else ""


def capital(text: str) -> str:
    """A text with its first letter in upper case."""
    return text[:1].upper() + text[1:]


def depth_words(depth: int | None) -> str:
    """The depth of a search in words. A depth of None stands for a search to the end of the game."""
    return "to the end of the game" if depth is None else f"to depth {depth}"


def value_sentence(end: dict[str, Any]) -> str:
    """Words for the value that a search found, or for a bound on this value. `end` is the last line of the trace."""
    return "unknown" if end["value"] is None else BOUND_WORDS[end["bound"]] + end["shown"]


def weighted_sum(node: RecordedNode, children: list[RecordedNode]) -> str:
    """A colon, and the value of a chance node as a weighted sum. Empty if several players have payoffs."""
    if any(each.chance is None or len(numbers(each.value)) != 1 for each in children):
        return ""
    products = (
        f"{probability_text(each.chance or 0)} * {f'({each.shown})' if each.shown[:1] in '+-' else each.shown}"
        for each in children
    )
    return f": {' + '.join(products)} = {node.shown}"


def effort_words(end: dict[str, Any]) -> str:
    """The number of playouts or expansions of a search that keeps its tree, and its number of nodes; empty for other
    searches.

    A search by playouts counts each visit of a position, in the tree and in random games. A search by expansions counts
    the nodes of its tree.
    """
    for name, noun, *counted in (
        ("playouts", "playout", "visit of a position", "visits of positions"),
        ("expansions", "expansion", "node in the tree", "nodes in the tree"),
        ("entries", "value", "node"),
    ):
        if name in end:
            return f"{plural(end[name], noun)}, {plural(end['nodes'], *counted)}"
    return ""


METHODS = {"memo": "memoization", "dynamic_programming": "dynamic programming", "retrograde": "retrograde analysis"}


def method_words(recording: Recording) -> str:
    """The search algorithm and its parameters, or the name of a method that fills a table of values."""
    algorithm = str(recording.header["algorithm"])
    return METHODS.get(algorithm, algorithm)


def statistics_sentence(recording: Recording) -> str:
    """The counts of a search, such as visited nodes, as a sentence."""
    end = recording.end
    if effort := effort_words(end):
        return effort
    return counts_text(end["nodes"], end.get("distance_nodes", 0), end["leaves"], end["cutoffs"], end["table_hits"])
