"""Ask the questions of a quiz as lines of text or of JSON, in a terminal or through a pipe."""

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gamesearch.cli.consoles import print_line
from gamesearch.cli.reading import line_of_input
from gamesearch.errors import GamesearchError
from gamesearch.support.escaping import json_text
from gamesearch.trace.answers import Verdict
from gamesearch.trace.questions import score_words

__all__ = ["AskedQuestion", "ask_line_by_line", "verdict_data"]


@dataclass(frozen=True)
class AskedQuestion:
    """A question of a quiz."""

    text: str
    judge: Callable[[str], Verdict]  # judges an answer; raises GamesearchError if it is of the wrong kind
    data: Mapping[str, Any]  # the question as JSON


def ask_line_by_line(questions: Sequence[AskedQuestion], as_json: bool, seed: int | None) -> int:
    """Ask questions; each line of input is an answer or the word `skip`. Returns 1 if a question was not answered.

    A line that cannot be read is reported and does not count as an answer. In a terminal, the next line answers the
    same question. In a file or a pipe, each line is for one question, so the next line answers the next question. If
    `as_json` is true, each question is printed as a line of JSON. A second line of JSON contains the answer and its
    verdict. The last line contains the score.
    """
    show = (lambda _, facts: print_line(json_text(facts))) if as_json else (lambda text, _: print_line(text))
    count, verdicts = len(questions), list[Verdict]()
    for number, question in enumerate(questions, 1):
        show(f"{number} of {count}\n{question.text}", {"question": number, "of": count, **question.data})
        given, verdict = read_answer(question, show)
        if given is None:
            break
        if verdict is None:
            continue
        show(verdict.text, verdict_data(given, verdict))
        verdicts.append(verdict)
    right, answered = sum(each.is_right for each in verdicts), len(verdicts)
    facts = {"right": right, "answered": answered, "questions": count, "seed": seed}
    show(score_words(right, answered, count, seed), facts)
    return 0 if answered == count else 1


def verdict_data(given: str, verdict: Verdict) -> dict[str, Any]:
    """An answer and its verdict as JSON."""
    return {"given": given, "right": verdict.is_right, "answer": verdict.answer, "reason": verdict.reason}


def read_answer(
    question: AskedQuestion, show: Callable[[str, dict[str, Any]], None]
) -> tuple[str | None, Verdict | None]:
    """Return the next answer (None at the end of the input), and the verdict on it (None if there is no answer)."""
    while line := line_of_input():
        given = line.strip()
        try:
            return given, None if given.casefold() == "skip" else question.judge(given)
        except GamesearchError as error:
            show(str(error), {"error": str(error)})
            if not sys.stdin.isatty():
                return given, None
    return None, None
