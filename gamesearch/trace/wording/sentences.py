"""Sentences about the events of a search. Each sentence says why the event happened."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from gamesearch.algorithms.engine.formatting import plural, probability_text
from gamesearch.toolkit.derived_games import COALITION
from gamesearch.trace.events import LEFT_OUT, SENTENCES_OF_PURPOSES
from gamesearch.trace.recording import RecordedNode
from gamesearch.trace.stepping import Stepper
from gamesearch.trace.wording.growing_sentences import EXPLAINED, SENTENCES_OF, place_of
from gamesearch.trace.wording.phrases import (
    BOUND_WORDS,
    capital,
    depth_words,
    does,
    effort_words,
    is_closed,
    names_text,
    place_words,
    turn_words,
    value_sentence,
    window_words,
)

__all__ = ["explanations", "sentence", "step_sentence"]

Sentence = Callable[[Stepper, dict[str, Any], RecordedNode], str]

INDENTED = 20
"""The greatest number of plies by which a line is indented."""


def sentence(stepper: Stepper) -> str:
    """The sentence about the current event. If it ends with a question mark after a value, it has no full stop."""
    kind, words = stepper.event["event"], SENTENCES_OF.get(stepper.recording.growth)
    said: Sentence = getattr(words, kind) if words is not None and kind in EXPLAINED else SENTENCES[kind]
    return said(stepper, stepper.event, stepper.node).replace("?.", "?")


def step_sentence(stepper: Stepper, shares: dict[str, Any] | None) -> str:
    """A sentence about the expansion that ends with the current event. `shares` is the last `chances` event, or None
    if there was none. If there was one, a sentence about its probabilities follows."""
    words, event, node = SENTENCES_OF[stepper.recording.growth], stepper.event, stepper.node
    leaf = " ".join(event["line"]) or "the root"
    said = f"Expanded: {leaf}. {words.expanded(stepper, event, node)}"
    return said if shares is None else f"{said} {words.chances(stepper, shares, node)}"


def explanations(stepper: Stepper) -> Iterator[str]:
    """Yield a line for the current event and for each later event. The line contains the number of the node and the
    sentence about the event, and is indented by the ply of the node."""
    while True:
        event, node = stepper.event, stepper.node
        place = f"{'  ' * min(node.ply, INDENTED)}{node.number}: " if "node" in event else ""
        yield place + sentence(stepper)
        if not stepper.next():
            return


def iteration(stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:
    if event["purpose"] == "distance":
        return "The value is known. A second search finds how many plies the win takes."
    depth = depth_words(event["depth"])
    if event["again"]:
        window = f", with {window_words(node.window_shown)}" if node.window_shown else ""
        return f"The root is searched {depth} again{window}."
    if event["number"] == 0:
        return f"{stepper.algorithm} searches {place_of(stepper)}, {depth}."
    return f"Next, the root is searched {depth}."


def enter(stepper: Stepper, _: dict[str, Any], node: RecordedNode) -> str:
    window = f"; {window_words(node.window_shown)}" if node.window_shown and node.side != "end" else ""
    turn = turn_words(node.side)
    if node.parent is None:
        return f"At the root, {turn}{window}."
    if node.chance is not None:
        return f"The outcome {node.move} has probability {probability_text(node.chance)}: {turn}{window}."
    why = SENTENCES_OF_PURPOSES.get(node.purpose, "")
    said = f"{does(stepper.recording.nodes[node.parent].side, 'tries')} {node.move}: {turn}{window}."
    return capital(said) + (f" {why}." if why else "")


def stands(_: Stepper, event: dict[str, Any], node: RecordedNode) -> str:
    return f"{capital(node.side)} can stand pat: make no move and take the evaluation, {event['shown']}."


def probe(_: Stepper, __: dict[str, Any], node: RecordedNode) -> str:
    return f"Star2 probe: only {node.side}'s first move is searched, which gives a bound."


def best(stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:
    before = stepper.state_of(node.number, stepper.at - 1)
    window = ""
    if event["window"] != before.window:
        window = f"; now {window_words(event['window_shown'])}"
        if is_closed(event["window"]):
            window = f"; now {window_words(event['window_shown'])}: alpha >= beta"
    has = f"{capital(does(node.side, 'has'))} {event['shown']} with"
    if before.best is None:
        return f"{has} {'their' if node.side == COALITION else 'its'} first move, {event['move']}{window}."
    return f"{has} {event['move']}, better than {before.shown}{window}."


ANSWERS = {
    "table": "The transposition table has a value for this position",
    "bounds": "The game's own bounds decide the value here",
    "database": "An endgame database has the value of this position",
    "repetition": "This position repeats an earlier position on the path",
    "passed": "A null move (a pass) is enough for a cutoff",
    "predicted": "The estimate or a shallower search predicts a cutoff (reverse futility, ProbCut)",
}
"""Some events give a node a value without a search of its moves. This dictionary contains the reasons."""


def explain_answer(_: Stepper, event: dict[str, Any], node: RecordedNode) -> str:
    """Explain that the value of a node is known without a search of its moves."""
    value = f": {BOUND_WORDS[node.bound]}{node.shown}" if node.shown else ""
    return f"{ANSWERS[event['event']]}{value}; its moves are not searched."


def cutoff(stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:
    """Explain a cutoff: the remaining moves of a node cannot change the result, because an ancestor has a better
    move."""
    pruned, refuted = event["pruned"], event["refuted"]
    noun = "outcome" if node.side == "chance" else "move"
    are = "are" if len(pruned) > 1 else "is"
    cut = f"{plural(len(pruned), noun)} {are} cut ({names_text(pruned)})" if pruned else f"cutoff at the last {noun}"
    if node.side == "chance":
        whatever = "whatever the other outcomes are worth, " if pruned else ""
        return capital(f"{cut}: {whatever}the mean is outside the window {node.window_shown}.")
    has = f"{does(node.side, 'already has')} {stepper.state_of(node.number).shown} here"
    if refuted is None:
        return capital(f"{cut}: {has}, outside the window {node.window_shown}.")
    other = stepper.recording.nodes[refuted["node"]]
    return capital(
        f"{cut}: {has}, but {does(other.side, 'has')} {refuted['shown']} with {refuted['move']} "
        f"at {place_words(stepper.recording, other)}."
    )


ENDS = {
    "end": "The game ends with",
    "assumed": "The payoff here is unknown, and the search assumes",
    "estimate": "The search stops here: the evaluation is",
    "stuck": "Every move would repeat a position, which is forbidden, so the game is a draw:",
}
"""The beginnings of sentences about the values of nodes without children. They depend on the kind of the node."""


def leave(_: Stepper, __: dict[str, Any], node: RecordedNode) -> str:
    value = BOUND_WORDS[node.bound] + node.shown
    if node.kind in ENDS:
        return f"{ENDS['assumed' if node.is_assumed and node.kind == 'end' else node.kind]} {node.shown}."
    if node.kind != "searched":
        return f"The node is worth {value}."
    if node.is_probe:
        return f"The probe is complete: the node is worth {value}."
    if node.side == "chance":
        mean = "the mean of its outcomes, weighted by their probabilities"
        return f"The chance node is worth {value}{', ' + mean if not node.is_cut else ''}."
    backs_up = f"{capital(does(node.side, 'backs'))} up {value}"
    if node.is_cut and node.bound != "exact":
        return f"{backs_up}: the exact value cannot change the result."
    return backs_up + (f", with {node.best}." if node.best is not None else ".")


def end(__: Stepper, event: dict[str, Any], _: RecordedNode) -> str:
    best_move = "" if event["best"] is None else f", the best move is {event['best']}"
    if best_move and event.get("distance_nodes"):
        best_move += ", found by a second search for the fastest win"
    counts = effort_words(event) or f"{plural(event['nodes'], 'node')}, {plural(event['cutoffs'], 'cutoff')}"
    left_out = f", {plural(event['left_out'], 'node')} not recorded" if event["left_out"] else ""
    over = "The search was stopped" if event["stopped"] else "The search is complete"
    return f"{over}: the value is {value_sentence(event)}{best_move} ({counts}{left_out})."


SENTENCES: Mapping[str, Sentence] = {
    "iteration": iteration,
    "enter": enter,
    "probe": probe,
    "best": best,
    **dict.fromkeys(ANSWERS, explain_answer),
    "stands": stands,
    "left_out": lambda _, event, __: f"{event['move']} is skipped: {LEFT_OUT.get(event['why'], event['why'])}.",
    "cutoff": cutoff,
    "leave": leave,
    "end": end,
}
