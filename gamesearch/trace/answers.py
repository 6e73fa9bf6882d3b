"""Questions about a search, with the correct answers. A question checks whether a student's answer has the right form,
and whether the answer is correct."""

import re
from dataclasses import dataclass
from fractions import Fraction

from gamesearch.errors import GamesearchError

__all__ = ["NAMED", "Question", "Verdict"]

EXAMPLES = 4
"""If an answer is not a move, the error message names at most this number of moves."""
NAMED = 12
"""A question lists at most this number of items, such as the children of a node."""
CLOSE = 0.006
"""The greatest accepted error of a number in an answer. A number with two correct decimals is accepted."""
CHOICES = {
    "choice": "one of the moves",
    "position": "one of the positions",
    "leaf": "the number of a leaf",
    "option": "the letter of an option",
}
"""For each kind of question that has a list of possible answers, the end of the message "ANSWER is not ...: enter
..."."""
YES_OR_NO = ("yes", "y", "no", "n")
YES_OR_NO_KINDS = ("searched", "cut", "stored", "decided")
"""The kinds of questions whose answer is yes or no."""
END_NAME = re.compile(r"(alpha|beta|α|β)\s*[=:]?")
"""The name of a bound of a window: alpha or beta."""
THOUSANDS = re.compile(r"(?<=\d)[,_ ](?=\d{3})")
"""A character between groups of digits."""
SEPARATOR = re.compile(r";|\.{2,}|…|\b(?:to|and)\b", re.IGNORECASE)
"""A separator of numbers, other than a comma or a space."""
NUMBER = re.compile(r"-?(inf|[0-9]+/0*[1-9][0-9]*|([0-9]+\.?[0-9]*|\.[0-9]+)(e-?[0-9]{1,3})?)(in[0-9]+)?")
"""A pattern for the result of `simplify_number`, such as -3, 7/2, or 1in5 (a win in 5 plies)."""


@dataclass(frozen=True)
class Verdict:
    """The verdict on an answer to a question."""

    is_right: bool
    text: str
    answer: str = ""
    reason: str = ""


@dataclass(frozen=True)
class Question:
    """A question with its answer."""

    kind: str
    """The kind of question.

    - A depth-first search: `value` asks for a value, and `window` for a window. `searched` and `cut` both ask whether
      a child is searched; the answer to `searched` is yes, and the answer to `cut` is no.
    - A growing tree: `choice` asks which move is followed, and `leaf` asks which leaf is expanded. Three kinds ask
      about a node: `average` for its average after a playout, `numbers` for its proof and disproof numbers, and `cost`
      for its cost in a proof on a graph.
    - A table of values: `stored` asks whether the table contains a position, `position` which position is entered next,
      `decided` whether a value is decided, `count` how many positions a level has, `level` which level is dropped.
    """
    before: int
    """The number of the event after which the question is asked."""
    text: str
    answer: str
    reason: str
    numbers: tuple[float, ...] = ()
    """The answer as numbers; empty if the answer is not a number, a window or a value."""
    moves: tuple[str, ...] = ()
    """All possible answers, if the answer is a move or the number of a leaf; otherwise empty."""
    within: float = CLOSE
    """The greatest accepted error of a number."""

    def input_error(self, given: str) -> str:
        """An error message if an answer has the wrong form, such as a word instead of a number; otherwise empty."""
        text, count = given.strip(), len(self.numbers)
        if self.kind in YES_OR_NO_KINDS:
            return "" if text.lower() in YES_OR_NO else f"{text!r} is neither yes nor no: enter y or n"
        if self.kind == "word":
            return "" if text in self.moves else f"{text!r} is not a possible answer: enter {' or '.join(self.moves)}"
        if self.kind in CHOICES:
            *names, last = self.moves[:EXAMPLES]
            known = " or ".join(filter(None, (", ".join(names), last)))
            if len(self.moves) > EXAMPLES:
                known = f"one, such as {', '.join((*names, last))}"
            return "" if text in self.moves else f"{text!r} is not {CHOICES[self.kind]}: enter {known}"
        parts = self.split(text)
        if len(parts) == count and all(map(is_number, parts)):
            return ""
        if self.kind == "window":
            return f"{text!r} is not a window: enter alpha and beta, such as [-2, 7]"
        if count > 1:
            return f"{text!r} is not a value: enter {count} numbers, such as ({', '.join('123456789'[:count])})"
        return f"{text!r} is not a value: enter a number, such as 3, -1 or 7/2"

    def accepts(self, given: str) -> bool:
        """Whether an answer is correct."""
        if self.kind in YES_OR_NO_KINDS:
            return given.strip().lower() in (self.answer, self.answer[:1])
        if self.kind == "word" or self.kind in CHOICES:
            return given.strip() == self.answer
        parts, wanted = ([simplify_number(part) for part in self.split(text)] for text in (given, self.answer))
        if len(wanted) != len(parts):  # the answer in the trace has a different number of parts
            wanted = [""] * len(parts)
        return len(parts) == len(self.numbers) and all(
            part == text or is_close(part, number, self.within)
            for part, text, number in zip(parts, wanted, self.numbers, strict=True)
        )

    def split(self, text: str) -> list[str]:
        """Split an answer into its numbers. Digits of a count may be grouped, as in 1,365."""
        text = THOUSANDS.sub("", text) if self.kind == "count" else text
        return split_numbers(text, len(self.numbers))

    def judge(self, given: str) -> Verdict:
        """Judge an answer. Raises GamesearchError if the answer has the wrong form, such as a word instead of a
        number."""
        if error := self.input_error(given):
            raise GamesearchError(error)
        return self.verdict(self.accepts(given))

    def verdict(self, is_right: bool) -> Verdict:
        """The verdict for a right or a wrong answer. The verdict contains the right answer and its reason."""
        text = f"{'Right' if is_right else 'Wrong'}. The answer is {self.solution}"
        return Verdict(is_right, text, self.answer, self.reason)

    @property
    def solution(self) -> str:
        """The answer and, if there is one, the reason."""
        return f"{self.answer}: {self.reason}" if self.reason else f"{self.answer}."


def split_numbers(text: str, count: int) -> list[str]:
    """Split an answer that consists of `count` numbers. Several numbers are separated by commas, semicolons, dots,
    words or spaces. The ends of a window may be named `alpha` and `beta`.

    >>> split_numbers("[-inf, 3]", 2), split_numbers("-inf..3", 2), split_numbers("beta=3 alpha=-inf", 2)
    (['-inf', ' 3'], ['-inf', '3'], ['-inf', '3'])
    """
    inside = text.strip().strip("[](){}")
    if count == 1:
        return inside.split(",")
    inside = SEPARATOR.sub(",", inside).casefold()
    first, *named = END_NAME.split(inside)
    if named and not first.strip():
        return [end.strip(" ,") for _, end in sorted(zip(named[::2], named[1::2], strict=True))]
    return inside.split(",") if "," in inside else inside.split()


def is_number(text: str) -> bool:
    """Whether a text is a number, possibly with the signs and words that `simplify_number` removes."""
    return NUMBER.fullmatch(simplify_number(text)) is not None


def simplify_number(text: str) -> str:
    """Remove everything that does not change a number: words, signs such as + and =, and spaces that do
    not separate digits.

    >>> simplify_number("at least + 3"), simplify_number("7 / 2"), simplify_number("2 3")
    ('3', '7/2', '2 3')
    """
    text = text.lower().replace("−", "-").replace("–", "-").replace("∞", "inf").replace("infinity", "inf")
    for idle in ("at least", "at most", "<=", ">=", "≤", "≥", "=", "+", "?"):
        text = text.replace(idle, "")
    return re.sub(r"(?<![0-9.]) | (?![0-9.])", "", " ".join(text.split()))


def is_close(text: str, number: float, within: float) -> bool:
    """Whether a text is a number that differs from `number` by at most `within`."""
    if not NUMBER.fullmatch(text):  # a Fraction of 1e999999999 would have a billion digits
        return False
    try:
        given = float(text) if "inf" in text else float(Fraction(text))
    except (ValueError, OverflowError):
        return False
    return given == number or abs(given - number) <= within or is_rounded(text, given, number)


def is_rounded(text: str, given: float, number: float) -> bool:
    """Whether a text gives `number`, rounded to two or more significant digits. False if the number has at most two
    decimals, because such a number needs no rounding."""
    whole, _, decimals = text.lstrip("-").partition(".")
    digits = (whole + decimals).lstrip("0")
    return (
        decimals.isdecimal()
        and len(digits) > 1
        and number != round(number, 2)
        and round(number, len(decimals)) == given
    )
