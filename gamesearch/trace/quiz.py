"""A quiz about a recorded search: randomly chosen questions about the search, and the score."""

import random
from dataclasses import dataclass
from itertools import chain, zip_longest

from gamesearch.errors import GamesearchError
from gamesearch.trace.questions import Question, questions
from gamesearch.trace.recording import Recording

__all__ = ["Quiz", "Verdict"]

KINDS = ("cut", "value", "window", "searched", "leaf", "numbers", "cost", "choice", "average")
"""The kinds of questions, in the order in which the quiz chooses them."""


@dataclass(frozen=True)
class Verdict:
    """The verdict on an answer to a question."""

    is_right: bool
    text: str


class Quiz:
    """Randomly chosen questions about a recording, and how many were answered correctly."""

    def __init__(self, recording: Recording, seed: int, most: int = 10) -> None:
        self.recording, self.seed = recording, seed
        self.questions = draw_questions(list(questions(recording)), random.Random(seed), most)
        if not self.questions:
            raise GamesearchError(
                "there are no questions about this search, because no node backs up a value from its children"
            )
        self.answered = self.right = 0

    @property
    def question(self) -> Question | None:
        """The question to answer; None after the last question."""
        return self.questions[self.answered] if self.answered < len(self.questions) else None

    def judge(self, given: str) -> Verdict:
        """Judge an answer to the question, and go on to the next question.

        Raises GamesearchError, and keeps the question, if the answer is of the wrong kind, such as a word instead of a
        number.
        """
        question = self.questions[self.answered]
        if misread := question.input_error(given):
            raise GamesearchError(misread)
        is_right = question.accepts(given)
        self.answered += 1
        self.right += is_right
        return Verdict(is_right, f"{'Right' if is_right else 'Wrong'}, {question.answer}: {question.reason}")

    @property
    def score(self) -> str:
        """The score, and the option that asks the same questions again."""
        left = len(self.questions) - self.answered
        unanswered = f", {left} not answered" if left else ""
        return f"{self.right} of {self.answered} right{unanswered} (--seed {self.seed} repeats these questions)"


def draw_questions(found: list[Question], source: random.Random, most: int) -> list[Question]:
    """Choose up to `most` questions, of all kinds in turn, at most one for each event; returns them in search order."""
    source.shuffle(found)
    kinds = [[each for each in reversed(found) if each.kind == kind] for kind in KINDS]
    chosen: dict[int, Question] = {}
    for question in filter(None, chain.from_iterable(zip_longest(*kinds))):
        if len(chosen) < most:
            chosen.setdefault(question.before, question)
    return [chosen[before] for before in sorted(chosen)]
