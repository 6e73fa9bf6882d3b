"""The questions of lessons. A question is posed for an instance (a game and a position), and its answer is computed.

A field `ask` names the kind of question. Some kinds are about a node, which is given by the moves that lead to it:

- `value b a`: the value of a node, by the textbook's algorithm or by the algorithm in the field `algorithm`
- `negamax b`: the value of a node from the point of view of the player to move
- `searched b c`: whether the algorithm visits a node
- `window b`: the window with which the search enters a node
- `visits b`: the number of playouts through a node
- `nodes`, `leaves`, `cutoffs`: the counts of a search
- `quiz cut`: a question that `gamesearch watch --quiz` asks; other kinds are `value`, `window` and so on
- `move`: a best move; `winner`: who wins if both play perfectly; `turn`: whose turn it is
- `moves`: the number of moves
- `estimate`: the evaluation of the position, or the estimate of the algorithm's search; `grundy`: its Grundy number
- `json KEY`: an entry in the JSON output of the command in the field `command`, such as `value` or `moves.0.value`
- `choice`: one of several options
"""

import contextlib
import json
import random
import re
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from gamesearch.algorithms.engine.formatting import value_text
from gamesearch.errors import GamesearchError
from gamesearch.lessons.instances import (
    FieldError,
    UnclearError,
    blame,
    draw_instance,
    locate,
    read_instance,
    split_words,
)
from gamesearch.lessons.lesson import Question
from gamesearch.lessons.question_kinds import ASKED, Answer, count
from gamesearch.play.sessions.commands import read_move
from gamesearch.specification import nearest
from gamesearch.trace import answers

__all__ = ["PosedQuestion", "RunCommand", "pose", "pose_all"]

TRIES = 100
"""The greatest number of random instances that are generated to find one with a clear answer."""
BALANCING_TRIES = 25
"""The search for an instance with a different winner ends after this number of random instances."""
LETTERS = "abcdefgh"
VERB = re.compile(r" +(wins( in \d+ \w+)?|to move)\.?$", re.IGNORECASE)
"""Commands print these words after the name of a player, as in "Max wins in 6 moves"."""

RunCommand = Callable[[str], str]
"""A function that runs a command of gamesearch and returns its output."""


@dataclass(frozen=True)
class PosedQuestion:
    """A question about one instance, and the answer to this question."""

    prompt: str
    """The text of the question, in Markdown."""
    question: answers.Question
    """The question in the form of a quiz, with the answer and its reason. This object judges the student's answer."""
    on: str = ""
    """The game and the position, as on the command line."""
    options: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    """The other right answers, in addition to the answer of `question`. For example, several moves may be equally
    good."""
    reasons: tuple[str, ...] = ()
    """For each option, the reason why it is right or wrong."""
    explanation: str = ""

    def judge(self, given: str) -> answers.Verdict:
        """Judge an answer. Raises GamesearchError if the answer is of the wrong kind."""
        question, text = self.question, given.strip()
        if question.kind == "option":
            text = text.rstrip(".)")
        if question.kind == "word":
            text = VERB.sub("", text)
        if question.kind in ("option", "word", "choice"):
            text = next((each for each in question.moves if each.casefold() == text.casefold()), text)
        if question.kind == "choice":
            text = self.move_in_other_spelling(text) or text
        if question.kind == "text":
            is_right = text.casefold() in (each.casefold() for each in question.moves)
        else:
            is_right = question.judge(text).is_right or text in self.also
            if text in self.also:
                question = replace(question, answer=text)
        said = question.verdict(is_right).text
        if question.kind == "option":
            chosen = f"{text}: {self.reasons[question.moves.index(text)] or question.reason}"
            said = f"Right. The answer is {chosen}"
            if not is_right:
                said = f"Wrong. {chosen}\nThe answer is {question.solution}"
        said += f"\n{self.explanation}" if self.explanation else ""
        return answers.Verdict(is_right, said, question.answer, self.reason)

    def move_in_other_spelling(self, text: str) -> str:
        """Read `text` as `gamesearch play` does, and return the name of the move, such as `a3` for `3` in Nim with one
        heap. The result is empty if `text` is already the name of a move in the question, or if no move in the question
        fits `text`."""
        if text not in self.question.moves:
            with contextlib.suppress(GamesearchError):
                game, state = read_instance(self.on)
                name = game.move_name(state, read_move(game, state, text))
                return name if name in self.question.moves else ""
        return ""

    @property
    def solution(self) -> str:
        """A sentence that states the answer and its reason, followed by the explanation."""
        return "\n".join(filter(None, (f"The answer is {self.question.solution}", self.explanation)))

    @property
    def reason(self) -> str:
        """The computed reason for the answer, followed by the explanation in the lesson."""
        return " ".join(filter(None, (self.question.reason, self.explanation)))


# Posing. -----------------------------------------------------------------------------------------
def pose(question: Question, seed: int | None = None, run: RunCommand | None = None) -> PosedQuestion:
    """Pose the first instance of a question or, if a seed is given, a random instance.

    If the question has a command, `run` runs it. If the answer cannot be computed, raises GamesearchError with the line
    of the faulty field.
    """
    with locate(question, "ask"):
        return pose_or_fail(question, seed, run)


def pose_or_fail(question: Question, seed: int | None, run: RunCommand | None) -> PosedQuestion:
    """Pose a question as `pose` does, but do not name the line of the faulty field in error messages."""
    if question.ask == "choice":
        return pose_choice(question, seed)
    source = random.Random(seed or 0)  # without a seed, the question is always the same
    if seed is None or not question.again:
        with blame("on"):
            if question.on or question.ask.partition(" ")[0] != "json":
                read_instance(question.on)
        return pose_instance(question, question.on, source, run)
    posed: dict[str, PosedQuestion] = {}
    for attempt in range(TRIES):
        with blame("again"):
            on = draw_instance(question, source)
            read_instance(on)
        try:
            found = pose_instance(question, on, source, run)
        except UnclearError as error:
            reason = str(error)
            continue
        posed.setdefault(found.question.answer, found)
        # In some games, the same player wins nearly all positions. To make both answers equally likely, draw one
        # instance for each winner, and then choose one of the two instances.
        if question.ask != "winner" or len(posed) > 1 or attempt >= BALANCING_TRIES:
            break
    if not posed:
        raise FieldError(f"none of {TRIES} random instances has a clear answer; in the last, {reason}", "again")
    return source.choice(list(posed.values()))


def pose_all(questions: Sequence[Question], source: random.Random, run: RunCommand) -> list[PosedQuestion]:
    """Pose questions about random instances. Questions about the same instance stay together."""
    found, drawn = list[PosedQuestion](), dict[tuple[str, str, str], str]()
    for question in questions:
        place = (question.on, question.again, question.numbers)
        seed, posed = source.randrange(1 << 30), None
        if place in drawn:
            with contextlib.suppress(UnclearError):  # this question has no clear answer for the instance
                posed = pose(replace(question, on=drawn[place], again=""), seed, run)
        found.append(posed or pose(question, seed, run))
        if question.again:
            drawn[place] = found[-1].on
    return found


def pose_instance(question: Question, on: str, source: random.Random, run: RunCommand | None) -> PosedQuestion:
    """Pose a question about an instance."""
    kind, _, rest = question.ask.partition(" ")
    if kind == "json":
        found, also = from_command(question, rest, on, run)
    elif kind in ASKED:
        found, also = ASKED[kind](question, rest.split(), on, source)
    else:
        raise GamesearchError(
            f"{question.ask!r} is not a kind of question: {nearest(kind, (*ASKED, 'json', 'choice'))}"
        )
    if kind == "json" and question.explanation:
        found = replace(found, reason="")
    prompt, explanation = (
        text.replace("{on}", on.replace('"', "")) for text in (question.prompt, question.explanation)
    )
    prompt += f"\n\n{found.text}" if found.text else ""
    if question.within and len(found.numbers) == 1:
        number, is_share, _ = question.within.partition("%")
        found = replace(found, within=float(number) * (abs(found.numbers[0]) / 100 if is_share else 1))
        prompt += f"\n\n(An answer within {question.within} is right.)"
    return PosedQuestion(prompt, found, on, also=also, explanation=explanation)


def pose_choice(question: Question, seed: int | None) -> PosedQuestion:
    """Pose a question with options; the seed determines their order."""
    options = list(question.options)
    if seed is not None:
        random.Random(seed).shuffle(options)
    letters = LETTERS[: len(options)]
    right = [letter for letter, option in zip(letters, options, strict=True) if option.is_right]
    reason = next(option.reason for option in options if option.is_right)
    found = answers.Question("option", 0, "", right[0], reason, moves=tuple(letters))
    return PosedQuestion(
        question.prompt,
        found,
        question.on,
        options=tuple(option.text for option in options),
        also=tuple(right[1:]),
        reasons=tuple(option.reason for option in options),
        explanation=question.explanation,
    )


# Questions about the output of a command. --------------------------------------------------------
def from_command(question: Question, key: str, on: str, run: RunCommand | None) -> Answer:
    """The answer to `json KEY`: an entry in the JSON output of a command. If the entry is a list, each of its elements
    is a right answer."""
    if run is None or not question.command:
        raise FieldError(
            "a question 'json KEY' needs a field 'command', such as: gamesearch solve nim 3,4,5 --json", "command"
        )
    line = question.command.replace("{on}", shlex.join(split_words(on)) if on else "")
    with blame("command"):
        output = run(line)
    try:
        found: Any = json.loads(output)
    except ValueError:
        raise FieldError(f"the output of {line} is not JSON: add --json", "command") from None
    for part in key.split("."):
        try:
            found = found[int(part) if isinstance(found, list) else part]
        except (KeyError, IndexError, ValueError, TypeError):
            hint = f": {nearest(part, found)}" if isinstance(found, dict) else ""
            raise GamesearchError(f"the output of {line} has no `{key}`{hint}") from None
    reason = f"`{line}` prints the answer."
    if isinstance(found, bool) or found is None:
        return answers.Question("searched", 0, "", "yes" if found else "no", reason), ()
    if isinstance(found, int):
        return count(found, reason)
    if isinstance(found, float):
        shown = value_text(found, only_ascii=True)
        return answers.Question("value", 0, "", shown, reason, numbers=(found,)), ()
    words = tuple(map(str, found)) if isinstance(found, list) else (str(found),)
    if not words:
        raise UnclearError(f"`{key}` is empty in the output of {line}")
    return answers.Question("text", 0, "", words[0], reason, moves=words), words[1:]
