"""What a move is worth beside the best one, and how it is answered, in words."""

from gamesearch.algorithms.parts.formatting import value_text
from gamesearch.algorithms.parts.result import MoveValue, Value
from gamesearch.game import CHANCE, MAX
from gamesearch.render.analysis import Analysis, outcome_words

__all__ = ["NEARLY", "MoveWords", "joined", "later"]

NEARLY = 1e-9
LONGEST = 8
"""How many moves of a line are named in a sentence."""


class MoveWords:
    """Words for the moves of a position that was searched."""

    def __init__(self, analysis: Analysis) -> None:
        self.analysis, self.result, self.only_ascii = analysis, analysis.found, False

    def name(self, found: MoveValue) -> str:
        """A move as people write it."""
        return self.analysis.game.move_name(self.analysis.state, found.move)

    def number(self, value: Value | None) -> str:
        """A value in digits."""
        return value_text(value, signed=self.analysis.game.win_or_loss, only_ascii=self.only_ascii)

    def words(self, found: MoveValue) -> str:
        """Who wins, and when; empty where that is not what the value says."""
        is_won_or_lost = self.analysis.game.win_or_loss and not self.analysis.is_expected
        return outcome_words(self.analysis, found.value, found.distance) if is_won_or_lost else ""

    def worth(self, found: MoveValue) -> str:
        """What a move is worth, in words or else in digits."""
        return self.words(found) or f"the value is {self.number(found.value)}"

    def verdict(self, found: MoveValue) -> str:
        """How a move compares with the best one, and what it is worth."""
        behind = self.for_mover(self.result.value) - self.for_mover(found.value)
        if abs(behind) <= NEARLY:
            return f"comes to the same{later(found.distance, self.result.distance)}: {self.worth(found)}"
        by = "" if self.words(found) else f" by {value_text(abs(behind), only_ascii=self.only_ascii)}"
        return f"is {'worse' if behind > 0 else 'better'}{by}: {self.worth(found)}"

    def for_mover(self, value: Value | None) -> float:
        """What a value is worth to the player to move."""
        if value is None:
            return 0.0
        if isinstance(value, tuple):
            return value[self.analysis.player or 0]
        return value if self.analysis.player == MAX or self.analysis.game.players > 2 else -value

    def reply(self, found: MoveValue) -> str:
        """How a move is answered, as the end of a sentence."""
        game = self.analysis.game
        after = game.result(self.analysis.state, found.move)
        if game.terminal(after):
            return ", and the game is over"
        if found.line:
            return f", as the answer is {joined(game.line_names(after, found.line))}"
        return ", as chance goes on" if game.player(after) == CHANCE else ""


def later(distance: int | None, best: int | None) -> str:
    """Whether a move comes later or sooner to the same as the best one, as a part of a sentence."""
    if distance is None or best is None or distance == best:
        return ""
    return ", only later" if distance > best else ", sooner"


def joined(names: list[str]) -> str:
    """The moves of a line, the first few of a long one."""
    return " ".join(names[:LONGEST]) + (" ..." if len(names) > LONGEST else "")
