"""Questions about the decisions of a search, and a quiz that asks some of these questions.

In a search to a depth, a question is asked after a child of a node is finished, before the search continues. If the
search keeps its tree, a question is asked before a move is followed, a leaf is expanded, or a value is backed up. The
tree at this moment determines the answer.
"""

import math
import random
import re
from collections.abc import Callable, Iterator, Mapping
from itertools import chain, islice, pairwise, zip_longest
from typing import Any

from gamesearch.algorithms.engine.formatting import plural, probability_text
from gamesearch.errors import GamesearchError
from gamesearch.toolkit.derived_games import LEAGUE
from gamesearch.trace.answers import Question, Verdict, is_number, split_numbers
from gamesearch.trace.events import BELIEFS, COSTS, EXPANSIONS, PLAYOUTS, PROOF, TABLE
from gamesearch.trace.node_values import STUCK, is_solved, numbers
from gamesearch.trace.recording import RecordedNode, Recording
from gamesearch.trace.stepping import NodeState, Stepper
from gamesearch.trace.wording.growing_sentences import LONGEST_NOTATION, SENTENCES_OF, why_dropped
from gamesearch.trace.wording.phrases import (
    BOUND_WORDS,
    capital,
    does,
    names_text,
    place_words,
    turn_at,
    weighted_sum,
    window_words,
)
from gamesearch.trace.wording.sentences import sentence

__all__ = ["KINDS", "Quiz", "growing_questions", "questions", "score_words"]

NAMED = 12
"""The greatest number of children of a node, or of leaves of a tree, that a question names."""
LAST_EVENT = 4_000
"""The number of the last event of a growing tree that a quiz may ask about."""
KINDS = (
    "cut", "value", "window", "searched", "leaf", "numbers", "cost", "choice", "average", "stored", "position",
    "decided", "count", "level",
)  # fmt: skip
"""The kinds of questions, in the order in which a quiz takes one question of each kind."""


# Searches to a depth. ----------------------------------------------------------------------
def questions(recording: Recording) -> Iterator[Question]:
    """All questions about a recording."""
    stepper = Stepper(recording)
    if recording.growth:
        yield from growing_questions(stepper)
        return
    prunes = any(event["event"] == "cutoff" for event in recording.events)
    narrows = len({node.window_shown for node in recording.nodes.values()}) > 1
    for node in recording.nodes.values():
        children = recording.children(node)
        if not children or node.is_probe or node.last_event < 0 or recording.hidden_nodes(node):
            continue
        if narrows:
            yield from windows(stepper, node, children)
        if prunes and node.side != "chance":
            yield from is_next_searched(stepper, node, children)
        if is_foreseeable(stepper, node, children):
            yield value(stepper, node, children)


def value(stepper: Stepper, node: RecordedNode, children: list[RecordedNode]) -> Question:
    """Ask for the value that a node backs up."""
    before = children[-1].last_event
    takes, its = does(node.side, "takes"), "their" if node.side == LEAGUE else "its"
    choice = {
        "Max": f"{takes} the greatest value of {its} moves",
        "Min": f"{takes} the least value of {its} moves",
        "chance": f"the values of the outcomes are weighted by their probabilities{weighted_sum(node, children)}",
    }.get(stepper.recording.role(node.side), f"{takes} the move with the greatest payoff for {node.side}")
    rest = ", and the moves that were cut could only make this value " if node.is_cut and node.bound != "exact" else ""
    return Question(
        kind="value",
        before=before,
        text=f"{situation(stepper, node, before)} Now the search leaves this node. Which value does it back up?",
        answer=BOUND_WORDS[node.bound] + node.shown,
        numbers=numbers(node.value),
        reason=choice + (rest and rest + {"lower": "greater", "upper": "smaller"}[node.bound]) + ".",
    )


def is_foreseeable(stepper: Stepper, node: RecordedNode, children: list[RecordedNode]) -> bool:
    """Whether the value of a node follows from the values of its children. A search with a transposition table or with
    clipped values may back up a different value."""
    if node.side != "chance":
        return node.value is not None and stepper.state_of(node.number, node.last_event - 1).value == node.value
    if node.is_cut or any(child.is_probe for child in children):
        return False
    shares = ([(child.chance or 0.0) * number for number in numbers(child.value)] for child in children)
    means = map(sum, zip(*shares, strict=True))
    return all(math.isclose(a, b, abs_tol=1e-9) for a, b in zip(means, numbers(node.value), strict=True))


def windows(stepper: Stepper, node: RecordedNode, children: list[RecordedNode]) -> Iterator[Question]:
    """Ask for the windows with which the later children of a node are searched."""
    for last, child in pairwise(children):
        window = stepper.state_of(node.number, child.first_event - 1).window
        if window is None or window != child.window or node.side == "chance":
            continue
        alpha, beta = window
        ends = split_numbers(child.window_shown, 2)
        if len(ends) != 2 or not all(map(is_number, ends)):  # a null window can have an end that cannot be typed
            continue
        sides = stepper.recording.sides
        best = ["none yet" if end is None else shown.strip() for end, shown in zip(window, ends, strict=True)]
        yield Question(
            kind="window",
            before=last.last_event,
            text=f"{situation(stepper, node, last.last_event)} With which window is its move {child.move} searched?",
            answer=child.window_shown,
            numbers=(-math.inf if alpha is None else alpha, math.inf if beta is None else beta),
            reason=f"on the path, the best value so far is {best[0]} for {sides[0]} (alpha), "
            f"and {best[1]} for {sides[1]} (beta).",
        )


def is_next_searched(stepper: Stepper, node: RecordedNode, children: list[RecordedNode]) -> Iterator[Question]:
    """Ask whether the next child of a node is searched."""
    for last, child in pairwise(children):
        window = stepper.state_of(node.number, child.first_event - 1).window_shown
        asked = f"{situation(stepper, node, last.last_event)} Will its move {child.move} be searched?"
        reason = f"{window_words(window)}: alpha is still less than beta."
        yield Question("searched", last.last_event, asked, "yes", reason)
    if node.is_cut and node.pruned:
        before = children[-1].last_event
        asked = f"{situation(stepper, node, before)} Will its move {node.pruned[0]} be searched?"
        stepper.go(node.last_event)
        while stepper.event["event"] != "cutoff":
            stepper.back()
        yield Question("cut", before, asked, "no", sentence(stepper))


def situation(stepper: Stepper, node: RecordedNode, before: int) -> str:
    """Sentences that describe a node, its window, and the values of its children after the event `before`."""
    stepper.go(before)
    children = stepper.children(node.number)
    worth = [f"{child.move}{odds(child)} is worth {BOUND_WORDS[child.bound]}{child.shown}" for child in children]
    if len(worth) > NAMED:
        worth = ["...", *worth[-NAMED:]]
    window = f" The search entered this node with {window_words(node.window_shown)}." if node.window_shown else ""
    noun = "outcome" if node.side == "chance" else "move"
    known = f" Its {noun} {worth[0]}." if len(worth) == 1 else f" Its {noun}s: {', '.join(worth)}." if worth else ""
    return f"{turn_at(stepper.recording, node)}.{window}{known}"


def odds(node: RecordedNode) -> str:
    """The probability of an outcome, in brackets; empty for a move."""
    return "" if node.chance is None else f" (probability {probability_text(node.chance)})"


# Searches that keep their tree. ------------------------------------------------------------
def growing_questions(stepper: Stepper) -> Iterator[Question]:
    """All questions about the first LAST_EVENT events of a search that keeps its tree."""
    askers = ASKERS[stepper.recording.growth]
    for number, event in enumerate(stepper.recording.events[:LAST_EVENT]):
        if event["event"] in askers:
            yield from askers[event["event"]](stepper, number, event)


def greatest_bound(stepper: Stepper, number: int, event: dict[str, Any]) -> Iterator[Question]:
    """Ask which move has the greatest upper confidence bound, unless several moves have it."""
    bounds = {name: bound for name, _, bound in event["bounds"]}
    if len(bounds) < 2 or list(bounds.values()).count(bounds.get(event["move"], 0.0)) > 1:
        return
    node = stepper.recording.nodes[event["node"]]
    children = {child.move: stepper.state_of(child.number, number - 1) for child in stepper.recording.children(node)}
    moves = "; ".join(playout_words(name, visits, children.get(name)) for name, visits, _ in event["bounds"])
    shown = ", ".join(f"{name} {bound:g}" for name, bound in bounds.items())
    visits_of = {name: visits for name, visits, _ in event["bounds"]}
    yield Question(
        kind="choice",
        before=number - 1,
        text=f"{turn_at(stepper.recording, node)}: {moves}. {formula(stepper, node, number)}"
        "Which move does the next playout follow?",
        answer=event["move"],
        reason=f"it has the greatest upper confidence bound: {shown}."
        if visits_of[event["move"]]
        else "it is not tried yet, so it is tried first.",
        moves=tuple(bounds),
    )


def formula(stepper: Stepper, node: RecordedNode, number: int) -> str:
    """The formula of the upper confidence bound before an event; empty if the algorithm is not `mcts`."""
    algorithm = str(stepper.recording.header["algorithm"])
    if not algorithm.startswith("mcts"):
        return ""
    found = re.search(r"\bexploration=([\d.]+)", algorithm)
    visits = stepper.state_of(node.number, number - 1).visits
    least, greatest = stepper.payoffs_before[number]
    reason = "; the average counts as 0.5, because all payoffs so far are equal" if least == greatest else ""
    return (
        f"The bound is {scaled_average(least, greatest, node.side == 'Min')} + C * sqrt(ln({visits}) / playouts of the "
        f"move), with C = {found[1] if found else '1'}{reason}. "
    )


def scaled_average(least: float, greatest: float, is_min: bool) -> str:
    """A formula that scales the average for a player: 0 is the player's worst payoff so far, and 1 the best."""
    if least == greatest:
        return "0.5"
    shift = f" {'+' if least < 0 else '-'} {abs(least):g}" if least else ""
    difference = f"{greatest:g} - average" if is_min else f"average{shift}"
    if greatest - least == 1:
        return difference
    return f"{difference if difference == 'average' else f'({difference})'} / {greatest - least:g}"


def playout_words(name: str, visits: int, known: NodeState | None) -> str:
    """A move with the number of its playouts and their average."""
    if not visits:
        return f"{name}: not tried yet"
    paid = f", average {known.shown}" if known is not None and known.shown else ""
    return f"{name}: {plural(visits, 'playout')}{paid}"


def average(stepper: Stepper, number: int, event: dict[str, Any]) -> Iterator[Question]:
    """Ask for the average of a node after a playout: the node after the first move of the playout or, if the playout
    begins at the root, the root."""
    at = min(1, len(event["path"]) - 1)
    node = stepper.recording.nodes[event["path"][at]]
    before, after = stepper.state_of(node.number, number - 1), stepper.state_of(node.number, number)
    if not before.visits or after.bound != "estimate":
        return
    paid = event["values"][at]
    shown = f"({', '.join(f'{each:g}' for each in paid)})" if isinstance(paid, list) else f"{paid:g}"
    old, new = (f"({each})" if each[:1] in "+-" else each for each in (before.shown, shown))
    total = "" if isinstance(paid, list) else f": ({before.visits} * {old} + {new}) / {after.visits} = {after.shown}"
    had = f"averages {before.shown} over {plural(before.visits, 'playout')}"
    yield Question(
        kind="average",
        before=number - 1,
        text=f"{capital(place_words(stepper.recording, node))} {had}. "
        f"The payoff of the next playout is {shown}. What is the average now?",
        answer=after.shown,
        numbers=numbers(after.value),
        reason=f"the sum of the payoffs of {plural(after.visits, 'playout')}, divided by their number{total}.",
    )


def leaf(stepper: Stepper, number: int, event: dict[str, Any]) -> Iterator[Question]:
    """Ask which leaf is expanded next, if there are few leaves and nothing happened since the last expansion."""
    words, nodes, events = SENTENCES_OF[stepper.recording.growth], stepper.recording.nodes, stepper.recording.events
    before = next(at for at in range(number - 1, -1, -1) if events[at]["event"] != "choose")
    if events[before]["event"] != "expanded":
        return
    stepper.go(before)
    leaves = list(islice((node for node in nodes.values() if is_leaf(stepper, node)), NAMED + 1))
    if not 2 <= len(leaves) <= NAMED:
        return
    named = [f"{each.number} ({line_to(stepper, each)}): {stepper.state_of(each.number).shown}" for each in leaves]
    attacks = f"{stepper.question.attacker} attacks; " if stepper.question.attacker else ""
    yield Question(
        kind="leaf",
        before=before,
        text=f"{turn_at(stepper.recording, stepper.path[0])}; {attacks}{words.leaves}: {'; '.join(named)}. "
        f"Which leaf is {words.kind_of_leaf}expanded next?",
        answer=str(event["node"]),
        reason=words.why_leaf.format(line=line_to(stepper, nodes[event["node"]])),
        moves=tuple(str(each.number) for each in leaves),
    )


def is_leaf(stepper: Stepper, node: RecordedNode) -> bool:
    """Whether a node of the current tree can be expanded: it has no children, and its value is neither proven nor
    exact."""
    if (
        node.first_event > stepper.at
        or node.same is not None
        or stepper.children(node.number)
        or stepper.recording.path(node.number)[0] is not stepper.path[0]  # the node belongs to the tree of another goal
    ):
        return False
    known = stepper.state_of(node.number)
    return not is_solved(known.value) if isinstance(known.value, list) else known.bound != "exact"


def line_to(stepper: Stepper, node: RecordedNode) -> str:
    """The moves that lead to a node."""
    return " ".join(str(each.move) for each in stepper.recording.path(node.number)[1:]) or "the root"


def choice(stepper: Stepper, number: int, event: dict[str, Any]) -> Iterator[Question]:
    """Ask which move is followed."""
    node = stepper.recording.nodes[event["node"]]
    stepper.go(number - 1)
    children = stepper.children(node.number)
    if not 2 <= len(children) <= NAMED or event["move"] not in {child.move for child in children}:
        return
    if reason := SENTENCES_OF[stepper.recording.growth].reason_for_choice(stepper, event, node):
        moves = "; ".join(move_words(stepper, child) for child in children)
        yield Question(
            kind="choice",
            before=number - 1,
            text=f"{turn_at(stepper.recording, node)}: {moves}. Which move is followed to the next leaf?",
            answer=event["move"],
            reason=reason,
            moves=tuple(str(child.move) for child in children),
        )


def move_words(stepper: Stepper, child: RecordedNode) -> str:
    """A move with its value, and how certain the value is."""
    known = stepper.state_of(child.number)
    sure = "certain" if known.bound == "exact" else known.interval_shown
    return f"{child.move} {known.shown}" + (f" ({sure})" if sure and not isinstance(known.value, list) else "")


def new_value(stepper: Stepper, number: int, event: dict[str, Any]) -> Iterator[Question]:
    """Ask for the value, the numbers or the cost of a node after the values of its moves have changed."""
    node, words = stepper.recording.nodes[event["node"]], SENTENCES_OF[stepper.recording.growth]
    stepper.go(number - 1)
    children = stepper.children(node.number)
    if not 2 <= len(children) <= NAMED or node.side not in ("Max", "Min") or event["value"] == [STUCK]:
        return
    found, attacker = words.back_up(stepper, node), stepper.question.attacker
    if found != numbers(event["value"]):
        return  # some children of the node are not recorded
    were = "numbers were" if words.kind == "numbers" else f"{words.kind} was"
    before = stepper.state_of(node.number)
    had = f"Its {were} {before.shown.removeprefix('cost ')}" if before.value is not None else "It has no value yet"
    had += f"; {attacker} attacks" if attacker else ""
    moves = "; ".join(move_words(stepper, child) for child in children)
    yield Question(
        kind=words.kind,
        before=number - 1,
        text=f"{turn_at(stepper.recording, node)}. {had}. Its moves: {moves}. {words.what}",
        answer=event["shown"].removeprefix("cost "),
        numbers=found,
        reason=words.rule(stepper, node),
    )


def most_probable(stepper: Stepper, number: int, event: dict[str, Any]) -> Iterator[Question]:
    """Ask which move of the root is most probably the best, unless several moves are about equally probable."""
    shares, nodes = event["values"], [stepper.recording.nodes[each] for each in event["path"]]
    stepper.go(number - 1)
    greatest = max(shares)
    if not 2 <= len(nodes) <= NAMED or sum(greatest - share < 0.01 for share in shares) > 1:
        return
    moves = [move_words(stepper, child).partition(", best")[0].removesuffix(")") + ")" for child in nodes]
    chances = [f"{child.move} {100 * share:.0f} %" for child, share in zip(nodes, shares, strict=True)]
    yield Question(
        kind="choice",
        before=number - 1,
        text=f"{turn_at(stepper.recording, stepper.recording.nodes[event['node']])}: {'; '.join(moves)}. "
        "Which move is most probably the best?",
        answer=str(nodes[shares.index(greatest)].move),
        reason=f"its probability is the greatest: {names_text(chances)}.",
        moves=tuple(str(each.move) for each in nodes),
    )


# Tables of values. -----------------------------------------------------------------------------
def entered_position(stepper: Stepper, number: int, event: dict[str, Any]) -> Iterator[Question]:
    """Ask about memoization: which position is entered next, and whether it is searched."""
    recording, before = stepper.recording, number - 1
    if recording.header["algorithm"] != "memo" or event["parent"] is None:
        return
    child, parent = recording.nodes[event["node"]], recording.nodes[event["parent"]]
    if not notation(child):
        return
    if recording.events[before]["event"] == "expanded":  # otherwise, the next position is obvious
        yield from next_position(recording, child, parent, before)
    yield from is_searched(stepper, child, parent, before)


def next_position(recording: Recording, child: RecordedNode, parent: RecordedNode, before: int) -> Iterator[Question]:
    """Ask which position is entered next, if the nodes on the path still have several moves to search."""
    coming = [
        (node, [each for each in recording.children(node) if each.first_event > before])
        for node in recording.path(parent.number)
    ]
    choices = tuple(dict.fromkeys(notation(each) for _, nodes in coming for each in nodes))
    if not 2 <= len(choices) <= NAMED or not all(choices):
        return
    named = [
        f"{place_words(recording, node)}: {', '.join(f'{each.move} to {notation(each)}' for each in nodes)}"
        for node, nodes in coming
        if nodes
    ]
    yield Question(
        kind="position",
        before=before,
        text=f"Memoization searches depth first. These nodes on the path still have moves to search: "
        f"{'; '.join(named)}. Which position is entered next?",
        answer=notation(child),
        reason=f"{child.move} is the next move of the deepest node, {place_words(recording, parent)}.",
        moves=choices,
    )


def is_searched(stepper: Stepper, child: RecordedNode, parent: RecordedNode, before: int) -> Iterator[Question]:
    """Ask whether a position is searched, or has its value in the table."""
    recording = stepper.recording
    values = (notation(each) for each in recording.nodes.values() if has_value(stepper, each, before))
    stored = list(islice(values, NAMED + 1))
    if not 0 < len(stored) <= NAMED or not all(stored):
        return
    first = None if child.same is None else recording.nodes.get(child.same)
    yield Question(
        kind="stored",
        before=before,
        text=f"The table has the values of {'; '.join(stored)}. {turn_at(recording, parent)}: {child.move} leads to "
        f"{notation(child)}. Is this position searched?",
        answer="yes" if first is None else "no",
        reason="it is reached for the first time."
        if first is None
        else f"it is the same position as {place_words(recording, first)}.",
    )


def has_value(stepper: Stepper, node: RecordedNode, moment: int) -> bool:
    """Whether the table has the value of a position at a moment; False for nodes that repeat a position."""
    return node.same is None and stepper.state_of(node.number, moment).bound == "exact"


def notation(node: RecordedNode) -> str:
    """The notation of a position on one line; empty if it is too long for a question."""
    text = " ".join(node.position.split())
    return text if len(text) <= LONGEST_NOTATION else ""


def table_value(stepper: Stepper, number: int, event: dict[str, Any]) -> Iterator[Question]:
    """Ask for a new value and, in retrograde analysis, whether the value of a position is decided."""
    yield from new_value(stepper, number, event)
    recording = stepper.recording
    if recording.header["algorithm"] == "memo" or stepper.has_levels:
        return
    nodes = (event["node"], *event.get("same", ()))
    above = (recording.nodes[each].parent for each in nodes)
    for node in (recording.nodes[each] for each in dict.fromkeys(above) if each is not None):
        stepper.go(number)
        children = stepper.children(node.number)
        if not 2 <= len(children) <= NAMED or node.side not in ("Max", "Min") or has_value(stepper, node, number):
            continue
        known = [stepper.state_of(child.number) for child in children]
        least, greatest = (stepper.recording.scale or (None, None))[:2]
        is_won = (greatest if node.side == "Max" else least) in [each.value for each in known if each.bound == "exact"]
        is_decided = is_won or all(each.bound == "exact" for each in known)
        moves = "; ".join(move_words(stepper, child) for child in children)
        yield Question(
            kind="decided",
            before=number,
            text=f"{turn_at(recording, node)}. Its moves: {moves}. Is its value decided?",
            answer="yes" if is_decided else "no",
            reason="a move reaches the best payoff, so the other moves do not matter."
            if is_won
            else "the values of all its moves are known."
            if is_decided
            else f"a move whose value is not known may be better for {node.side}.",
        )


def size_of_level(stepper: Stepper, number: int, event: dict[str, Any]) -> Iterator[Question]:
    """Ask how many positions a level has."""
    count, names = event["count"], [notation(stepper.recording.nodes[each]) for each in event["path"]]
    reached = f"games reach {'; '.join(names)}" if names else "games reach none of them"
    unreached = f", but not {count - len(names):,} more" if count > len(names) and names else ""
    yield Question(
        kind="count",
        before=number - 1,
        text=f"Dynamic programming computes level {event['number']} next. How many positions does this level have? "
        "Count a position once for each player to move, even if no game reaches it.",
        answer=f"{count:,}",
        reason=f"{reached}{unreached}.",
        numbers=(float(count),),
    )


def dropped_level(_: Stepper, number: int, event: dict[str, Any]) -> Iterator[Question]:
    """Ask which level can be dropped."""
    if "level" not in event:
        return
    levels = plural(event["reach"], "level")
    yield Question(
        kind="level",
        before=number - 1,
        text=f"Level {event['level'] + event['reach']} is complete, and a move goes down by at most {levels}. Which "
        "level can be dropped now?",
        answer=str(event["level"]),
        reason=why_dropped(event),
        numbers=(float(event["level"]),),
    )


Asker = Callable[[Stepper, int, dict[str, Any]], Iterator[Question]]
OF_EXPANSIONS: Mapping[str, Asker] = {"expand": leaf, "choose": choice, "revalue": new_value}
ASKERS: Mapping[str, Mapping[str, Asker]] = {
    PLAYOUTS: {"choose": greatest_bound, "count": average},
    BELIEFS: {"choose": choice, "chances": most_probable},
    TABLE: {"enter": entered_position, "revalue": table_value, "level": size_of_level, "drop": dropped_level},
    **dict.fromkeys((EXPANSIONS, PROOF, COSTS), OF_EXPANSIONS),
}
"""For each kind of growing tree and each kind of event, the function that yields questions."""


# A quiz. -----------------------------------------------------------------------------------
class Quiz:
    """Randomly chosen questions about a recording, and how many were answered correctly."""

    def __init__(self, recording: Recording, seed: int, most: int = 10) -> None:
        self.recording, self.seed = recording, seed
        self.questions = draw_questions(list(questions(recording)), random.Random(seed), most)
        if not self.questions:
            raise GamesearchError(
                "no questions can be asked about this search, because no node backs up a value from its children"
            )
        self.answered = self.right = 0

    @property
    def question(self) -> Question | None:
        """The question to answer; None after the last question."""
        return self.questions[self.answered] if self.answered < len(self.questions) else None

    def judge(self, given: str) -> Verdict:
        """Judge an answer to the current question, and go on to the next question.

        Raises GamesearchError if the answer has the wrong form, such as a word instead of a number. The question is
        then still the current question.
        """
        verdict = self.questions[self.answered].judge(given)
        self.answered += 1
        self.right += verdict.is_right
        return verdict

    @property
    def score(self) -> str:
        """The score of the quiz, and the option that asks the same questions again."""
        return score_words(self.right, self.answered, len(self.questions), self.seed)


def score_words(right: int, answered: int, count: int, seed: int | None) -> str:
    """The score of a quiz with `count` questions. If there is a seed, also the option that asks the same questions
    again."""
    unanswered = f", {count - answered} not answered" if count > answered else ""
    again = "" if seed is None else f" (--seed {seed} repeats these questions)"
    return f"{right} of {answered} right{unanswered}{again}"


def draw_questions(found: list[Question], source: random.Random, most: int) -> list[Question]:
    """Choose up to `most` questions at random. The kinds take turns, and at most one question is asked at each event.
    Returns the questions in the order of the search."""
    source.shuffle(found)
    kinds = [[each for each in reversed(found) if each.kind == kind] for kind in KINDS]
    chosen: dict[int, Question] = {}
    for question in filter(None, chain.from_iterable(zip_longest(*kinds))):
        if len(chosen) < most:
            chosen.setdefault(question.before, question)
    return [chosen[before] for before in sorted(chosen)]
