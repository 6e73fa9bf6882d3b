"""An analyzed position, and words for its value and its moves."""

from dataclasses import dataclass
from typing import Any

from gamesearch.algorithms.engine.formatting import value_text
from gamesearch.algorithms.engine.result import MoveValue, SearchResult, Statistics, Value, as_value, payee, rank_moves
from gamesearch.game import CHANCE, MAX, MIN, Game
from gamesearch.learned.evaluation import evaluation_name, evaluation_text
from gamesearch.play.match import names_winner, number_moves, rules_outcome
from gamesearch.render.player_names import chance_words, margin, player_text, winner_words

__all__ = [
    "NEARLY",
    "Analysis",
    "MoveWords",
    "bound_words",
    "evaluation_words",
    "is_played_out",
    "joined",
    "later",
    "sorted_moves",
    "value_words",
]

ESTIMATE = "an estimate: the search did not see the end"
NEARLY = 1e-9
LONGEST = 8
"""The most moves of a line that a sentence names."""


@dataclass(frozen=True)
class Analysis:
    """A position with the result of a search or of an opening book."""

    game: Game
    state: Any
    result: SearchResult | None
    """None if the game is over, so that nothing was searched."""
    is_to_the_end: bool = True
    """Whether the search saw the end of the game in every line, so that no estimate is in its value."""
    is_expected: bool = False
    """Whether values are expectations, because of dice or a random opponent."""
    with_moves: bool = False
    """Whether the value of each move was requested."""
    with_lines: bool = False
    """Whether only the best moves with their lines were requested."""
    stopped: str = ""
    """The reason why the search ended early, as a clause."""
    is_from_book: bool = False
    """Whether the answer is from an opening book."""

    @property
    def found(self) -> SearchResult:
        """The result, or the payoff of a finished game."""
        if self.result is not None:
            return self.result
        payoff = as_value(self.game.utility(self.state))
        return SearchResult("", payoff, "exact", None, (), Statistics(), distance=0, sees_the_end=True)

    @property
    def winner(self) -> int | None:
        """Who won a finished game; None for a draw, for payoffs that name no winner, and if the game goes on."""
        return None if self.result is not None else rules_outcome(self.game, self.found.value).winner

    @property
    def evaluation(self) -> str | None:
        """Which evaluation the value is from: `learned`, `simple` (the game's own), `weights`, the name of a file,
        `random games` or `opening book`; None if no estimate decides the value.
        """
        found = self.found
        if self.is_from_book:
            return "opening book"
        if found.value is None or found.is_proven or self.result is None:
            return None
        return "random games" if is_played_out(found) else evaluation_name(self.game)

    @property
    def payee(self) -> int:
        """The player whose payoff a single number is."""
        return MAX if self.result is None else payee(self.game, self.state)

    @property
    def player(self) -> int | None:
        """The player to move; None if the game is over."""
        return None if self.result is None else self.game.player(self.state)


def sorted_moves(analysis: Analysis) -> list[MoveValue]:
    """The moves that have a value, best first."""
    found = analysis.found
    return rank_moves(analysis.game, analysis.state, found.moves, (found.best,))


def is_played_out(result: SearchResult) -> bool:
    """Whether the value is an average of games played out."""
    return result.bound == "estimate" and (not result.moves or any(each.visits for each in result.moves))


def value_words(analysis: Analysis) -> str:
    """The meaning of the value in words."""
    game, found = analysis.game, analysis.found
    if isinstance(found.value, tuple):
        paid = ", ".join(f"{game.player_name(i)} {value_text(each)}" for i, each in enumerate(found.value))
        return f"{paid}: {ended_words(game, found.value)}" if analysis.winner is not None else paid
    if analysis.result is None and (words := ended_words(game, found.value)):
        return words
    whose = f"for {player_text(game, analysis.payee)}"
    if is_played_out(found):
        return f"{whose}, an average of games played out"
    if game.win_or_loss and not analysis.is_expected:
        words = outcome_words(analysis, found.value, found.distance)
        if words == "draw":
            return "a draw with best play"
        return words or on_its_scale(analysis, found.value) + ESTIMATE
    expected = "expected " if analysis.is_expected else ""
    if analysis.is_to_the_end or found.value is None:
        return f"{expected}{whose}"
    return f"{expected}{on_its_scale(analysis, found.value) or f'{whose}, '}{ESTIMATE}"


def bound_words(analysis: Analysis) -> str:
    """The meaning of a lower or upper bound: the winner, if that is certain, else an estimate on the game's scale."""
    game, found = analysis.game, analysis.found
    if isinstance(found.value, tuple) or found.value is None:
        return ""
    if found.value == {"lower": game.MAXSCORE, "upper": game.MINSCORE}.get(found.bound):
        return winner_words(game, found.value, found.distance, analysis.payee)
    if not analysis.is_from_book or not names_winner(game):
        return on_its_scale(analysis, found.value).removesuffix(", ")
    draw = game.draw_value()
    if found.bound == "lower" and found.value > draw:
        return f"{game.player_name(MAX)} wins"
    return f"{game.player_name(MIN)} wins" if found.bound == "upper" and found.value < draw else ""


def ended_words(game: Game, payoff: Value | None) -> str:
    """Who won a finished game, and by how much, or that it is drawn; empty if the payoffs name no winner."""
    outcome = rules_outcome(game, payoff)
    if outcome.winner is not None:
        return f"{game.player_name(outcome.winner)} has won{margin(game, payoff)}"
    return "a draw" if outcome.is_draw else ""


def evaluation_words(analysis: Analysis) -> str:
    """The name of the evaluation, with the features of a simple one; empty if no estimate decides the value."""
    name = analysis.evaluation
    return name or "" if name in (None, "random games", "opening book") else evaluation_text(analysis.game)


def on_its_scale(analysis: Analysis, value: Value | None) -> str:
    """An estimate as a chance or in the unit of the game, with the player; empty if the game has neither."""
    game = analysis.game
    if value is None or isinstance(value, tuple):
        return ""
    if words := game.value_words(analysis.state, value) or chance_words(game, value, analysis.payee):
        return f"{game.unit}, {words}, " if game.unit else f"{words}, "
    return f"{game.unit} for {player_text(game, analysis.payee)}, " if game.unit else ""


def outcome_words(analysis: Analysis, value: Value | None, distance: int | None) -> str:
    """The winner of a game of wins and losses, and how soon; empty if the value is an estimate."""
    game = analysis.game
    if analysis.is_to_the_end and value == game.draw_value():
        return "draw"
    return winner_words(game, value, distance, analysis.payee)


class MoveWords:
    """Words for the moves of an analyzed position."""

    def __init__(self, analysis: Analysis) -> None:
        self.analysis, self.result, self.only_ascii = analysis, analysis.found, False

    def name(self, found: MoveValue) -> str:
        """The name of a move."""
        return self.analysis.game.move_name(self.analysis.state, found.move)

    def number(self, value: Value | None) -> str:
        """A value in digits."""
        return value_text(value, signed=self.analysis.game.win_or_loss, only_ascii=self.only_ascii)

    def digits(self, number: float) -> str:
        """A number other than a value."""
        return value_text(number, only_ascii=self.only_ascii)

    def words(self, found: MoveValue) -> str:
        """The winner and the distance; empty if the value does not determine them."""
        is_won_or_lost = self.analysis.game.win_or_loss and not self.analysis.is_expected
        return outcome_words(self.analysis, found.value, found.distance) if is_won_or_lost else ""

    def worth(self, found: MoveValue) -> str:
        """The value of a move in words, or else in digits."""
        return self.words(found) or f"the value is {self.number(found.value)}"

    def verdict(self, found: MoveValue) -> str:
        """A comparison of a move with the best one, and its value."""
        behind = self.for_mover(self.result.value) - self.for_mover(found.value)
        if abs(behind) <= NEARLY:
            return f"comes to the same{later(found.distance, self.result.distance)}: {self.worth(found)}"
        by = "" if self.words(found) else f" by {self.digits(abs(behind))}"
        return f"is {'worse' if behind > 0 else 'better'}{by}: {self.worth(found)}"

    def for_mover(self, value: Value | None) -> float:
        """A value from the point of view of the player to move."""
        if value is None:
            return 0.0
        if isinstance(value, tuple):
            return value[self.analysis.player or 0]
        return value if self.analysis.player == MAX or self.analysis.game.payoff_count > 1 else -value

    def reply(self, found: MoveValue) -> str:
        """The reply to a move, as the end of a sentence."""
        game = self.analysis.game
        after = game.result(self.analysis.state, found.move)
        if game.terminal(after):
            return ", and the game is over"
        if found.line:
            line = number_moves(game, self.analysis.state, (found.move, *found.line), skip=1)
            return f", as the answer is {joined(line)}"
        return ", as chance goes on" if game.player(after) == CHANCE else ""


def later(distance: int | None, best: int | None) -> str:
    """Whether a move reaches the same result later or sooner than the best one, as a part of a sentence."""
    if distance is None or best is None or distance == best:
        return ""
    return ", only later" if distance > best else ", sooner"


def joined(names: list[str]) -> str:
    """The moves of a line, the first few of a long one."""
    return " ".join(names[:LONGEST]) + (" ..." if len(names) > LONGEST else "")
