"""Describe values and analyses in words: the winner and the distance to the win, or the better player and the
advantage."""

import math
from dataclasses import dataclass
from typing import Any

from gamesearch.algorithms.engine.formatting import plural, typeset, value_text
from gamesearch.algorithms.engine.result import MoveValue, SearchResult, Statistics, Value, as_value, payee, rank_moves
from gamesearch.game import CHANCE, MAX, MIN, Game
from gamesearch.learned.evaluation import evaluation_name, evaluation_text
from gamesearch.notation import player_name
from gamesearch.optional import is_determined, mark_assumed
from gamesearch.play.match import names_winner, number_moves, pays_only_wins, rules_outcome

__all__ = [
    "NEARLY", "Analysis", "MoveWords", "amount", "book_words", "certain_words", "describe_value", "distance_in",
    "evaluation_words", "found_text", "is_played_out", "join_moves", "later", "margin", "number_text", "outcome_words",
    "sorted_moves", "value_heading", "value_words", "winner_words",
]  # fmt: skip

NEARLY = 1e-9
LONGEST = 8
"""A sentence lists at most this number of moves of a line."""
BOUNDS = {"lower": "at least ", "upper": "at most "}


# Values on the scale of their game. ---------------------------------------------------------------
def amount(game: Game, value: float, mark: str = "") -> str:
    """A value with its unit, rounded to two decimals: `12 discs`, `-1 piece`, `0.25 pawns`. `mark` follows the
    number."""
    value = round(value, 2) if game.unit else value
    one = "box" if game.unit == "boxes" else game.unit.removesuffix("s")
    unit = one if abs(value) == 1 else game.unit
    return f"{value_text(value)}{mark}" + (f" {unit}" if unit else "")


def number_text(game: Game, value: Value | None, *, only_ascii: bool = True) -> str:
    """A value in digits. A number with a unit has two decimals, unless it is whole."""
    signed = game.win_or_loss
    if game.unit and isinstance(value, int | float) and math.isfinite(value) and value != int(value):
        text = f"{round(value, 2) + 0.0:{'+' if signed and round(value, 2) > 0 else ''}.2f}"
        return text if only_ascii else typeset(text)
    return value_text(value, signed=signed, only_ascii=only_ascii)


def value_heading(game: Game, whose: int | None = None, *, is_exact: bool = False) -> str:
    """The heading of a column of values: `pawns for White`, or `payoffs` if a value is a payoff for each player.

    If `is_exact` is true, the column contains no estimates. Then the heading has no unit if the game has only wins,
    losses and draws.
    """
    if whose is None and game.payoff_count > 1:
        return "payoffs"
    unit = "" if is_exact and game.win_or_loss else game.unit
    return f"{unit or 'value'} for {player_name(game, whose or MAX)}"


def winner_words(
    game: Game, s: Any, value: Value | None, distance: int | None, whose: int = MAX, *, in_plies: bool = False
) -> str:
    """Name the winner or the loser. If the distance to the end of the game is known, also state the distance. If the
    value is neither a win nor a loss, the text is empty.

    `distance` is in plies from s; 0 means that the game is over. If `in_plies` is true, the text counts plies.
    Otherwise, it counts moves. The text names the winner of a zero-sum game of two players. For all other games,
    `whose` is a player, and the text says whether this player wins or loses.
    """
    if value not in (game.MAXSCORE, game.MINSCORE):
        return ""
    is_won = value == game.MAXSCORE
    if game.players == 2 and game.zero_sum:
        whose, is_won = (MAX if is_won else MIN), True
    if distance == 0:
        return f"{player_name(game, whose)} has {'won' if is_won else 'lost'}"
    if distance and is_won and not in_plies:
        return game.win_text(s, whose, distance)
    soon = f" in {plural(distance, 'ply', 'plies')}" if distance else ""
    if distance and not in_plies:
        soon = f" in {plural(-(-distance // game.players), 'move')}"
    return f"{player_name(game, whose)} {'wins' if is_won else 'loses'}{soon}"


def certain_words(game: Game, value: float) -> str:
    """The words for a value that a search to the end of the game found: the winner, or a draw. Empty if the payoffs of
    the game do not determine a winner."""
    if game.players != 2 or not names_winner(game):
        return ""
    if value == game.draw_value():
        return "a draw"
    words = winner_words(game, None, value, None) if pays_only_wins(game) else ""
    by = margin(game, value)
    return words or (f"{player_name(game, MAX if value > game.draw_value() else MIN)} wins{by}" if by else "")


def margin(game: Game, utility: Value | None) -> str:
    """The margin of a win, such as ` by 12 discs`; empty if the payoff has no unit."""
    if not game.unit or game.win_or_loss or game.MINSCORE != -game.MAXSCORE or not isinstance(utility, int | float):
        return ""
    return f" by {amount(game, abs(utility - game.draw_value()))}"


def outcome_words(
    game: Game,
    s: Any,
    value: Value | None,
    *,
    distance: int | None = None,
    bound: str = "exact",
    is_certain: bool = False,
    whose: int = MAX,
) -> str:
    """Words for the outcome. They say that the game is a draw, or they name the winner and say how soon or by how much
    this player wins. If the value does not determine the outcome, the text is empty.

    If `is_certain` is true, no estimate was used. The value is then the true payoff, or a bound on the true payoff.
    """
    if value is None or isinstance(value, tuple):
        return ""
    decisive = {"lower": (game.MAXSCORE,), "upper": (game.MINSCORE,), "exact": (game.MAXSCORE, game.MINSCORE)}
    if pays_only_wins(game) and (distance is not None or value in decisive.get(bound, ())):
        return winner_words(game, s, value, distance, whose)
    if not is_certain:
        return ""
    if bound == "exact":
        return certain_words(game, value) or (game.value_words(s, value) if game.payoffs_tell_how_soon else "")
    ahead = value - game.draw_value()
    is_won = names_winner(game) and (ahead > 0 if bound == "lower" else ahead < 0)
    return f"{player_name(game, MAX if ahead > 0 else MIN)} wins" if is_won else ""


def describe_value(
    game: Game,
    s: Any,
    value: Value | None,
    *,
    bound: str = "exact",
    whose: int = MAX,
    label: str = "",
    mark: str = "",
    **known: Any,
) -> str:
    """The outcome in words if it is certain. Otherwise, the words say which player is better, the chance of winning, or
    the value for a player.

    `known` contains further arguments for `outcome_words`. If the result is only a number, `label` is put before it,
    and `mark` after it.
    """
    if words := outcome_words(game, s, value, bound=bound, whose=whose, **known):
        return words
    if value is None or isinstance(value, tuple):
        return tuple_words(game, value, label or "value ") + mark
    if bound == "exact" and (words := game.value_words(s, value)):
        return words
    if game.unit and bound == "exact" and game.MINSCORE == -game.MAXSCORE:
        return advantage(game, value, whose)
    chance = game.win_chance(value)
    if chance is not None and not game.unit:
        return f"{BOUNDS.get(bound, '')}{100 * chance:.0f} % chance for {player_name(game, whose)}"
    return f"{label}{BOUNDS.get(bound, '')}{amount(game, value, mark)} for {player_name(game, whose)}"


def found_text(game: Game, s: Any, result: SearchResult, *, is_played: bool = False) -> str:
    """The value that a search found, in words. If `is_played` is true, the best move was already made, and distances
    count from the position after it."""
    whose, distance = payee(game, s), result.distance
    if is_played and result.best is not None:
        s, distance = game.result(s, result.best), None if distance is None else max(0, distance - 1)
    is_certain = result.sees_the_end and not (result.is_assumed or game.chance or result.is_expected)
    is_estimate = result.certainty == "estimate"
    known: dict[str, Any] = {"distance": distance, "bound": result.bound, "is_certain": is_certain, "whose": whose}
    label = f"{'estimate' if is_estimate else 'value'} "
    words = describe_value(game, s, result.value, **known, label=label, mark=result.mark)
    if words == "a draw" and not game.terminal(s):
        return "a draw with best play"
    is_even = words.startswith("estimate ") and result.value == game.draw_value() and not result.is_assumed
    return "even" if is_even else words


def advantage(game: Game, value: float, whose: int) -> str:
    """Words that name the player with the advantage, and give the estimated advantage in the unit of the game."""
    if not round(value, 2):
        return "even"
    ahead, chance = whose if value > 0 else 1 - whose, game.win_chance(abs(value))
    by = f"{player_name(game, ahead)} is better by {amount(game, abs(value))}"
    return by if chance is None else f"{by} ({100 * chance:.0f} % chance)"


def tuple_words(game: Game, value: Value | None, label: str) -> str:
    """The value in a game with three or more players: each player's payoff, or each player's chance of winning."""
    if game.estimates_are_chances and isinstance(value, tuple):
        chances = (f"{100 * each:.0f} % for {player_name(game, i)}" for i, each in enumerate(value))
        return f"chances: {', '.join(chances)}"
    return f"{label}{value_text(value)}"


# Analyzed positions. ------------------------------------------------------------------------------
@dataclass(frozen=True)
class Analysis:
    """A position with the result of a search or of an opening book."""

    game: Game
    state: Any
    result: SearchResult | None
    """The result of the search; None if the game is over, because a finished game is not searched."""
    is_expected: bool = False
    """Whether values are expectations, because of dice or a random opponent."""
    with_moves: bool = False
    """Whether the value of each move was requested."""
    with_lines: bool = False
    """Whether the user requested several principal variations by --multipv."""
    stopped: str = ""
    """The reason why the search ended early, as a part of a sentence."""
    book: SearchResult | None = None
    """The answer of the opening book, if the position was searched although it is in the book; otherwise None."""
    uses_bounds: bool = False
    """Whether the search used the game's bounds on the value of each position."""

    @property
    def final_result(self) -> SearchResult:
        """The result of the search. If the game is over, this is a result whose value is the payoff, or None if the
        payoff is unknown."""
        if self.result is not None:
            return self.result
        payoff = as_value(self.game.utility(self.state)) if is_determined(self.game, self.state) else None
        return SearchResult("", payoff, "exact", None, (), Statistics(), distance=0, sees_the_end=True)

    @property
    def is_to_the_end(self) -> bool:
        """Whether the search used no estimate, because all its lines reached a payoff that is known."""
        return self.final_result.sees_the_end and not self.final_result.is_assumed

    @property
    def winner(self) -> int | None:
        """The winner of a finished game. None if the game continues, is a draw, or has payoffs that do not determine a
        winner."""
        if self.result is not None or self.final_result.value is None:
            return None
        return rules_outcome(self.game, self.final_result.value).winner

    @property
    def evaluation(self) -> str | None:
        """The name of the evaluation on which the value is based. This can be `learned`, `simple` (the game's own
        evaluation), `weights`, the name of a file, `random games` or `opening book`. If the value is not based on an
        estimate, the name is None.
        """
        found = self.final_result
        if found.is_from_book:
            return "opening book"
        if found.value is None or found.is_proven or self.result is None:
            return None
        return "random games" if is_played_out(found) else evaluation_name(self.game)

    @property
    def payee(self) -> int:
        """The player for whom the value is given, if the value is a single number."""
        return MAX if self.result is None else payee(self.game, self.state)

    @property
    def player(self) -> int | None:
        """The player to move; None if the game is over."""
        return None if self.result is None else self.game.player(self.state)


def sorted_moves(analysis: Analysis) -> list[MoveValue]:
    """The moves that have a value, best first."""
    found = analysis.final_result
    return rank_moves(analysis.game, analysis.state, found.moves, (found.best,))


def is_played_out(result: SearchResult) -> bool:
    """Whether the value is the average payoff of random games."""
    return result.bound == "estimate" and (not result.moves or any(each.visits for each in result.moves))


def value_words(analysis: Analysis, *, only_ascii: bool = True) -> str:
    """The value of a position, its meaning, and its certainty."""
    game, found = analysis.game, analysis.final_result
    if found.value is None:
        return "unknown" if found.stopped or analysis.result is None else "none: this algorithm computes no value"
    number = number_text(game, found.value, only_ascii=only_ascii) + found.mark
    if isinstance(found.value, tuple):
        payoffs = (f"{player_name(game, i)} {value_text(each)}{found.mark}" for i, each in enumerate(found.value))
        words = ", ".join(payoffs)
        end = f": {ended_words(game, found.value)}" if analysis.winner is not None else certainty_words(analysis, words)
        return f"{number}  {words}{end}"
    if analysis.result is None and (words := ended_words(game, found.value)):
        return f"{number}  {words}"
    is_certain = found.is_from_book or (analysis.is_to_the_end and not analysis.is_expected)
    words = describe_value(
        game,
        analysis.state,
        found.value,
        distance=found.distance,
        bound=found.bound,
        is_certain=is_certain,
        whose=analysis.payee,
        mark=found.mark,
    )
    size = amount(game, abs(found.value))
    has_number = (
        f"{amount(game, found.value, found.mark)} for " in words or (game.unit and size in words) or words == "even"
    )
    return ("" if has_number or found.bound in BOUNDS else f"{number}  ") + words + certainty_words(analysis, words)


def distance_in(game: Game, s: Any, value: Value | None, counted: int | None) -> int | None:
    """The number of plies to a win, as the search counted them. If the search did not count plies, the payoff may
    determine their number. None if it is not known."""
    return game.plies_to_win(s, value) if counted is None and isinstance(value, int | float) else counted


def book_words(game: Game, s: Any, found: SearchResult) -> str:
    """The answer of an opening book: the outcome, a best move, and the value in digits."""
    number, _, words = value_words(Analysis(game, s, found)).rpartition("  ")
    remark = "; an earlier win counts more" if game.payoffs_tell_how_soon and found.value != game.draw_value() else ""
    value = f" (exact value {number}{remark})" if number else ""
    return f"{words} with best move {game.move_name(s, found.line[0])}{value}"


def certainty_words(analysis: Analysis, words: str) -> str:
    """Words that follow a value in a sentence, and say how certain this value is. `words` is the value in words."""
    game, found = analysis.game, analysis.final_result
    if words == "a draw":
        return " with best play"
    if is_played_out(found):
        return ", the average of random games"
    is_won = found.value in (game.MAXSCORE, game.MINSCORE) and not analysis.is_expected
    is_estimate = not analysis.is_to_the_end and found.bound not in BOUNDS and not (game.win_or_loss and is_won)
    if analysis.is_expected:
        return ", an estimate of the expected value" if is_estimate else ", the expected value"
    return ", an estimate" if is_estimate else ""


def ended_words(game: Game, payoff: Value | None) -> str:
    """The result of a finished game: the winner and the margin, or a draw. If the payoff does not say who won, the text
    is empty."""
    outcome = rules_outcome(game, payoff)
    if outcome.winner is not None:
        return f"{player_name(game, outcome.winner)} has won{margin(game, payoff)}"
    return "a draw" if outcome.is_draw else ""


def evaluation_words(analysis: Analysis) -> str:
    """The name of the evaluation, with its features if it is simple; empty if the value is not based on an estimate."""
    name = analysis.evaluation
    if name in (None, "random games", "opening book"):
        return name or ""
    return evaluation_text(analysis.game) + (" and the game's bounds" if has_more_bounds(analysis) else "")


def has_more_bounds(analysis: Analysis) -> bool:
    """Whether the search used bounds on values, but the text about the evaluation does not mention these bounds. If so,
    a sentence must mention them."""
    game = analysis.game
    is_named = analysis.evaluation in game.shipped_evaluations
    return analysis.uses_bounds and is_named and type(game).bounds is not Game.bounds


def bound_words(analysis: Analysis, found: MoveValue) -> str:
    """Words for a move whose value is a bound from `Game.bounds` instead of an estimate; otherwise empty."""
    if not has_more_bounds(analysis):
        return ""
    game, s = analysis.game, analysis.state
    least, greatest = zip(*map(game.bounds, (s, game.result(s, found.move))), strict=True)
    if found.value in greatest:
        return "at most this, by the game's bounds"
    return "at least this, by the game's bounds" if found.value in least else ""


class MoveWords:
    """Words for the moves of an analyzed position."""

    def __init__(self, analysis: Analysis) -> None:
        self.analysis, self.result, self.only_ascii = analysis, analysis.final_result, False

    def name(self, found: MoveValue) -> str:
        """The name of a move."""
        return self.analysis.game.move_name(self.analysis.state, found.move)

    def number(self, value: Value | None) -> str:
        """The digits of a value."""
        return number_text(self.analysis.game, value, only_ascii=self.only_ascii)

    def number_after(self, found: MoveValue) -> str:
        """The digits of the value of a move."""
        game, state = self.analysis.game, self.analysis.state
        return mark_assumed(game, game.result(state, found.move), self.number(found.value))

    def digits(self, number: float) -> str:
        """Write a number that is not the value of a position, such as a difference of values."""
        return value_text(number, only_ascii=self.only_ascii)

    def words(self, found: MoveValue) -> str:
        """Say who wins after a move, and how soon. If this is not known, the text is empty."""
        analysis, game = self.analysis, self.analysis.game
        if analysis.is_expected:
            return ""
        words = outcome_words(
            game,
            analysis.state,
            found.value,
            distance=found.distance,
            is_certain=analysis.is_to_the_end,
            whose=analysis.payee,
        )
        return "draw" if words == "a draw" else words or bound_words(analysis, found)

    def worth(self, found: MoveValue) -> str:
        """The value of a move in words."""
        game = self.analysis.game
        if words := self.words(found):
            return words
        if game.unit and not isinstance(found.value, tuple):
            return describe_value(game, self.analysis.state, found.value, whose=self.analysis.payee)
        return f"the value is {self.number_after(found)}"

    def verdict(self, found: MoveValue) -> str:
        """Words for the value of a move, compared with the value of the best move."""
        behind = self.for_mover(self.result.value) - self.for_mover(found.value)
        if abs(behind) <= NEARLY:
            return f"has the same value{later(found.distance, self.result.distance)}: {self.worth(found)}"
        by = "" if self.words(found) else f" by {amount(self.analysis.game, abs(behind))}"
        return f"is {'worse' if behind > 0 else 'better'}{by}: {self.worth(found)}"

    def for_mover(self, value: Value | None) -> float:
        """A value from the point of view of the player to move."""
        if value is None:
            return 0.0
        if isinstance(value, tuple):
            return value[self.analysis.player or 0]
        return value if self.analysis.player == MAX or self.analysis.game.payoff_count > 1 else -value

    def reply(self, found: MoveValue) -> str:
        """The end of a sentence about a move: the reply to the move."""
        game = self.analysis.game
        after = game.result(self.analysis.state, found.move)
        if game.terminal(after):
            return ", and the game is over"
        if found.line:
            line = number_moves(game, self.analysis.state, (found.move, *found.line), skip=1)
            return f"; the reply is {line[0]}" + (f", followed by {join_moves(line[1:])}" if line[1:] else "")
        return ", and chance decides" if game.player(after) == CHANCE else ""


def later(distance: int | None, best: int | None) -> str:
    """`, but later` or `, but sooner` for a move with the same result as the best move; empty if the distance is also
    the same."""
    if distance is None or best is None or distance == best:
        return ""
    return ", but later" if distance > best else ", but sooner"


def join_moves(names: list[str]) -> str:
    """Join the names of at most LONGEST moves with spaces; `...` stands for further moves."""
    return " ".join(names[:LONGEST]) + (" ..." if len(names) > LONGEST else "")
