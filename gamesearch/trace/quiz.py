"""Questions about a search before each of its decisions: what is the value, the window, and is it cut?

A question is asked when a child of a node is done, before the search draws its conclusion from that.
Only what follows from the tree so far is asked.
"""

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, pairwise, zip_longest

from gamesearch.algorithms.engine.formatting import probability_text
from gamesearch.errors import GamesearchError
from gamesearch.toolkit.derived_games import LEAGUE
from gamesearch.trace.growing_questions import growing_questions
from gamesearch.trace.question import Question, numbers, parted
from gamesearch.trace.recording import RecordedNode, Recording
from gamesearch.trace.sentences import sentence
from gamesearch.trace.stepping import Stepper
from gamesearch.trace.words import BOUND_WORDS, does, turn_at

__all__ = ["Question", "Quiz", "Verdict", "questions"]

NAMED = 12
"""How many of a node's children a question names."""
KINDS = ("cut", "value", "window", "searched", "leaf", "numbers", "cost", "choice", "average")
"""The kinds of questions, in the order in which they are drawn."""


@dataclass(frozen=True)
class Verdict:
    """What there is to say to an answer."""

    is_right: bool
    text: str


class Quiz:
    """Some questions about a recording, drawn with a seed, and how many were answered right."""

    def __init__(self, recording: Recording, seed: int, most: int = 10) -> None:
        self.recording, self.seed = recording, seed
        self.questions = drawn(list(questions(recording)), random.Random(seed), most)
        if not self.questions:
            raise GamesearchError("there is nothing to ask about this search: no node of it has a value to back up")
        self.answered = self.right = 0

    @property
    def question(self) -> Question | None:
        """The question to answer; None after the last."""
        return self.questions[self.answered] if self.answered < len(self.questions) else None

    def judge(self, given: str) -> Verdict:
        """Take an answer to the question, and go on to the next.

        Raises GamesearchError for an answer of the wrong kind, such as a word where a number is asked for: then
        the question stays.
        """
        question = self.questions[self.answered]
        if misread := question.misread(given):
            raise GamesearchError(misread)
        is_right = question.accepts(given)
        self.answered += 1
        self.right += is_right
        return Verdict(is_right, f"{'Right' if is_right else 'Wrong'}, {question.answer}: {question.reason}")

    @property
    def score(self) -> str:
        """How it went, and how to be asked the same again."""
        left = len(self.questions) - self.answered
        unanswered = f", {left} not answered" if left else ""
        return f"{self.right} of {self.answered} right{unanswered} (--seed {self.seed} asks the same again)"


def drawn(found: list[Question], source: random.Random, most: int) -> list[Question]:
    """Some of the questions, the kinds in turn, at most one for each event, in the order of the search."""
    source.shuffle(found)
    kinds = [[each for each in reversed(found) if each.kind == kind] for kind in KINDS]
    chosen: dict[int, Question] = {}
    for question in filter(None, chain.from_iterable(zip_longest(*kinds))):
        if len(chosen) < most:
            chosen.setdefault(question.before, question)
    return [chosen[before] for before in sorted(chosen)]


def questions(recording: Recording) -> Iterator[Question]:
    """All that can be asked about a recording."""
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
            yield from searched(stepper, node, children)
        if is_foreseeable(stepper, node, children):
            yield value(stepper, node, children)


def value(stepper: Stepper, node: RecordedNode, children: list[RecordedNode]) -> Question:
    """What a node backs up."""
    before = children[-1].last_event
    takes, its = does(node.side, "takes"), "their" if node.side == LEAGUE else "its"
    choice = {
        "Max": f"{takes} the greatest of what {its} moves bring",
        "Min": f"{takes} the least of what {its} moves bring",
        "chance": "the values of the outcomes are weighed by their probabilities",
    }.get(stepper.recording.role(node.side), f"{takes} what pays {node.side} most")
    rest = ", and the moves that were cut can only make it " if node.is_cut and node.bound != "exact" else ""
    return Question(
        kind="value",
        before=before,
        text=f"{situation(stepper, node, before)} The node is left now: what value does it back up?",
        answer=BOUND_WORDS[node.bound] + node.shown,
        numbers=numbers(node.value),
        reason=choice + (rest and rest + {"lower": "more", "upper": "less"}[node.bound]) + ".",
    )


def is_foreseeable(stepper: Stepper, node: RecordedNode, children: list[RecordedNode]) -> bool:
    """Whether the value of a node is what its children say; a table or a clipped window may say more."""
    if node.side != "chance":
        return node.value is not None and stepper.known(node.number, node.last_event - 1).value == node.value
    if node.is_cut or any(child.is_probe for child in children):
        return False
    shares = ([(child.chance or 0.0) * number for number in numbers(child.value)] for child in children)
    means = map(sum, zip(*shares, strict=True))
    return all(math.isclose(a, b, abs_tol=1e-9) for a, b in zip(means, numbers(node.value), strict=True))


def windows(stepper: Stepper, node: RecordedNode, children: list[RecordedNode]) -> Iterator[Question]:
    """The windows that a node's later children are searched with."""
    for last, child in pairwise(children):
        window = stepper.known(node.number, child.first_event - 1).window
        if window is None or window != child.window or node.side == "chance":
            continue
        alpha, beta = window
        ends = parted(child.window_shown, 2)
        if len(ends) != 2:
            continue
        sides = zip(stepper.recording.sides, window, ends, strict=True)
        sure = [f"{side} of {'nothing yet' if end is None else shown.strip()}" for side, end, shown in sides]
        yield Question(
            kind="window",
            before=last.last_event,
            text=f"{situation(stepper, node, last.last_event)} Next is {child.move}: with what window?",
            answer=child.window_shown,
            numbers=(-math.inf if alpha is None else alpha, math.inf if beta is None else beta),
            reason=f"its ends are what each is sure of on the path: {', '.join(sure)}.",
        )


def searched(stepper: Stepper, node: RecordedNode, children: list[RecordedNode]) -> Iterator[Question]:
    """Whether a node's next child is searched."""
    for last, child in pairwise(children):
        window = stepper.known(node.number, child.first_event - 1).window_shown
        asked = f"{situation(stepper, node, last.last_event)} Is the next move, {child.move}, searched too?"
        reason = f"the window {window} is still open, alpha is less than beta."
        yield Question("searched", last.last_event, asked, "yes", reason)
    if node.is_cut and node.pruned:
        before = children[-1].last_event
        asked = f"{situation(stepper, node, before)} Is the next move, {node.pruned[0]}, searched too?"
        stepper.go(node.last_event)
        while stepper.event["event"] != "cutoff":
            stepper.back()
        yield Question("cut", before, asked, "no", sentence(stepper))


def situation(stepper: Stepper, node: RecordedNode, before: int) -> str:
    """A node and what its children brought, after an event."""
    stepper.go(before)
    children = stepper.children(node.number)
    brought = [f"{child.move}{odds(child)} {BOUND_WORDS[child.bound]}{child.shown}" for child in children]
    window = f", window {node.window_shown} on entering" if node.window_shown else ""
    if len(brought) > NAMED:
        brought = ["...", *brought[-NAMED:]]
    return f"{turn_at(node)}{window}" + (f": {', '.join(brought)}." if brought else ".")


def odds(node: RecordedNode) -> str:
    """The probability of an outcome."""
    return "" if node.chance is None else f" (probability {probability_text(node.chance)})"
