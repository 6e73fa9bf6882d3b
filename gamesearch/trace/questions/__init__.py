"""Questions about the decisions of a search, and a quiz that asks some of them.

In a depth-first search, a question is asked after a child of a node is finished and before the search continues. If the
search keeps its tree, a question is asked before a move is followed, a leaf is expanded, or a value is backed up. The
answer depends on the tree at the moment of the question.
"""

import random
from collections.abc import Callable, Iterator, Mapping
from itertools import chain, zip_longest
from typing import Any

from gamesearch.errors import GamesearchError
from gamesearch.trace.answers import Question, Verdict
from gamesearch.trace.events import BELIEFS, COSTS, EXPANSIONS, PLAYOUTS, PROOF, TABLE
from gamesearch.trace.questions.depth_first import depth_first_questions, value
from gamesearch.trace.questions.growing import average, choice, greatest_bound, leaf, most_probable, new_value
from gamesearch.trace.questions.tables import dropped_level, entered_position, size_of_level, table_value
from gamesearch.trace.recording import Recording
from gamesearch.trace.stepping import Stepper

__all__ = ["KINDS", "Quiz", "growing_questions", "questions", "score_words", "value"]

LAST_EVENT = 4_000
"""If the tree grows during the search, a quiz asks only about events up to this number."""
KINDS = (
    "cut", "value", "window", "searched", "leaf", "numbers", "cost", "choice", "average", "stored", "position",
    "decided", "count", "level",
)  # fmt: skip
"""The kinds of questions. A quiz chooses one question of each kind, in this order, and then begins again."""


Asker = Callable[[Stepper, int, dict[str, Any]], Iterator[Question]]
OF_EXPANSIONS: Mapping[str, Asker] = {"expand": leaf, "choose": choice, "revalue": new_value}
ASKERS: Mapping[str, Mapping[str, Asker]] = {
    PLAYOUTS: {"choose": greatest_bound, "count": average},
    BELIEFS: {"choose": choice, "chances": most_probable},
    TABLE: {"enter": entered_position, "revalue": table_value, "level": size_of_level, "drop": dropped_level},
    **dict.fromkeys((EXPANSIONS, PROOF, COSTS), OF_EXPANSIONS),
}
"""For each kind of growing tree and each kind of event, the function that yields questions."""


def questions(recording: Recording) -> Iterator[Question]:
    """All questions about a recording."""
    stepper = Stepper(recording)
    return growing_questions(stepper) if recording.growth else depth_first_questions(stepper)


def growing_questions(stepper: Stepper) -> Iterator[Question]:
    """All questions about the first LAST_EVENT events of a search that keeps its tree."""
    askers = ASKERS[stepper.recording.growth]
    for number, event in enumerate(stepper.recording.events[:LAST_EVENT]):
        if event["event"] in askers:
            yield from askers[event["event"]](stepper, number, event)


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

        Raises GamesearchError if the answer has the wrong form, such as a word instead of a number. The current
        question then stays the same.
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
    """The score of a quiz with `count` questions. If there is a seed, the text also names the option that repeats the
    questions."""
    unanswered = f", {count - answered} not answered" if count > answered else ""
    again = "" if seed is None else f" (--seed {seed} repeats these questions)"
    return f"{right} of {answered} right{unanswered}{again}"


def draw_questions(found: list[Question], source: random.Random, most: int) -> list[Question]:
    """Choose up to `most` questions at random: one question of each kind, then a second one of each kind, and so on. At
    most one question is chosen for each event. Returns the questions in the order of the search."""
    source.shuffle(found)
    kinds = [[each for each in reversed(found) if each.kind == kind] for kind in KINDS]
    chosen: dict[int, Question] = {}
    for question in filter(None, chain.from_iterable(zip_longest(*kinds))):
        if len(chosen) < most:
            chosen.setdefault(question.before, question)
    return [chosen[before] for before in sorted(chosen)]
