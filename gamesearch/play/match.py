"""A game in progress: the players, the numbered moves so far, the present position and the outcome."""

import copy
import itertools
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gamesearch.algorithms.node.repetition import is_repeated
from gamesearch.errors import GamesearchError
from gamesearch.game import CHANCE, FORBIDDEN, MAX, MIN, Game
from gamesearch.notation import line_names, player_name
from gamesearch.optional import is_determined
from gamesearch.play.players.player import Player, Turn

__all__ = [
    "Match", "Outcome", "counts_payoffs", "label", "move_numbers", "names_winner", "number_moves", "pays_only_wins",
    "random_outcome", "rules_outcome",
]  # fmt: skip


@dataclass(frozen=True)
class Outcome:
    """How a match ended."""

    winner: int | None  # the number of the player who won; None for a draw, or if the payoffs do not decide who won
    reason: str = ""  # `resignation`, `time`, `repetition` or `no move`; empty if the rules ended the game
    utility: float | tuple[float, ...] | None = None  # the known payoff if the game ended by its rules; otherwise None
    is_draw: bool = False


class Match:
    """A game, its players, and its history.

    Moves and outcomes of chance are in one list. After `undo`, `redo` can repeat the moves until another move is made.
    The dice depend on the seed and the number of moves so far, so a move that is taken back and made again rolls the
    same numbers. Random players that have no seed get a seed from the match; the seeds of the sides differ.
    """

    def __init__(self, game: Game, start: Any, players: Sequence[Player] = (), seed: int = 0) -> None:
        """If `players` is empty, the caller chooses all moves."""
        if players and len(players) != game.players:
            raise GamesearchError(f"{game.name} needs {game.players} players, not {len(players)}")
        self.game, self.players, self.seed = game, tuple(players), seed
        self.begin(start, ())

    def begin(self, start: Any, moves: Iterable[int], before: Sequence[Any] = ()) -> None:
        """Begin at a start position and make some legal moves; earlier states in `before` count for repetition."""
        states, played = [start], list(moves)
        for m in played:
            if self.game.has_ended(states[-1]):
                raise GamesearchError(f"the game is over in {self.game.format(states[-1])}, but more moves follow")
            states.append(self.game.result(states[-1], m))
        self.before: tuple[Any, ...] = tuple(before)  # states before the start, which count for repetition
        self.moves: list[int] = played
        self.undone: list[int] = []
        self.states: list[Any] = states
        self.resigned: int | None = None
        self.flagged: int | None = None  # the player who lost on time
        self.known_steps: tuple[int, Any, list[int]] = (0, None, [])  # a cache of `steps` with its position

    def copy(self) -> "Match":
        """Copy the match. The copy has the same players and moves. Later moves in the copy do not change the
        original."""
        copied = copy.copy(self)
        copied.moves, copied.undone, copied.states = [*self.moves], [*self.undone], [*self.states]
        return copied

    # The present state. --------------------------------------------------------------------------
    @property
    def start(self) -> Any:
        """The state in which the match began."""
        return self.states[0]

    @property
    def state(self) -> Any:
        """The present state."""
        return self.states[-1]

    @property
    def past(self) -> list[Any]:
        """All states before the current state, including the states before the match."""
        return [*self.before, *self.states[:-1]]

    @property
    def steps(self) -> list[int]:
        """The legal moves, or the outcomes of chance; empty if the game is over by its rules."""
        count, state, steps = self.known_steps
        if count != len(self.states) or state is not self.state:
            steps = [] if self.game.terminal(self.state) else self.game.steps(self.state, self.past)
            self.known_steps = len(self.states), self.state, steps
        return steps

    @property
    def turn(self) -> int:
        """The number of the player to move; CHANCE at a chance node."""
        return self.game.player(self.state)

    @property
    def player(self) -> Player:
        """The player to move; not defined at a chance node."""
        return self.players[self.turn]

    def player_turn(self) -> Turn:
        """Make the Turn of the player to move."""
        return Turn(self.game, tuple(self.states), tuple(self.moves), seed=self.seed, before=self.before)

    @property
    def needs_seed(self) -> bool:
        """Whether the match uses its seed, for dice or for the moves of a random player."""
        return self.game.chance or any(player.needs_seed for player in self.players)

    @property
    def numbers(self) -> list[int]:
        """For each state, the number of the move that is made in this state, in the usual notation. If the game is
        finished, the last state has the number of the last move."""
        if self.game.terminal(self.state):
            numbers = list(move_numbers(self.game, self.states[:-1]))
            return [*numbers, numbers[-1] if numbers else 1]
        return list(move_numbers(self.game, self.states))

    @property
    def number(self) -> int:
        """The number of the next move in the usual notation; at the end of the game, the number of the last move."""
        return self.numbers[-1]

    @property
    def last_number(self) -> int:
        """The number of the last move that a player made; 0 if no player has moved."""
        made = zip(self.states[:-1], self.numbers, strict=False)
        return max((number for s, number in made if self.game.player(s) != CHANCE), default=0)

    @property
    def has_humans(self) -> bool:
        """Whether any of the players is human."""
        return any(player.is_human for player in self.players)

    @property
    def is_seen_from_above(self) -> bool:
        """Whether to turn the board. This helps if the side at the bottom is not human, but another side is."""
        humans = {number for number, player in enumerate(self.players) if player.is_human}
        return self.game.bottom_player is not None and bool(humans) and self.game.bottom_player not in humans

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, by its rules or for another reason."""
        return self.outcome is not None

    @property
    def is_repeated(self) -> bool:
        """Whether the game is drawn by repetition."""
        return is_repeated(self.game, (*self.before, *self.states))

    @property
    def is_blocked(self) -> bool:
        """Whether the game is drawn because superko forbids every move."""
        if self.game.repetition != FORBIDDEN or self.game.terminal(self.state) or self.steps:
            return False
        return any(True for _ in self.game.moves(self.state))

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended; None if it has not ended."""
        for loser, reason in ((self.flagged, "time"), (self.resigned, "resignation")):
            if loser is not None:
                return Outcome(1 - loser if self.game.players == 2 and names_winner(self.game) else None, reason)
        if self.game.terminal(self.state):
            is_known = is_determined(self.game, self.state)
            return rules_outcome(self.game, self.game.utility(self.state)) if is_known else Outcome(None)
        if self.is_repeated:
            return Outcome(None, "repetition", is_draw=True)
        return Outcome(None, "no move", utility=self.game.draw_value(), is_draw=True) if self.is_blocked else None

    @property
    def final_value(self) -> float | tuple[float, ...] | None:
        """The final value for Max, or a tuple with a value for each player. Resignation and a loss on time also have a
        value. None if the value is unknown."""
        outcome = self.outcome
        if outcome is None or outcome.utility is not None:
            return None if outcome is None else outcome.utility
        if outcome.is_draw:
            return self.game.draw_value()
        return {MAX: self.game.MAXSCORE, MIN: self.game.MINSCORE, None: None}[outcome.winner]

    def move_names(self) -> list[str]:
        """All moves and outcomes of chance so far, as people write them."""
        return [self.game.move_name(s, m) for s, m in zip(self.states, self.moves, strict=False)]

    # Changes. ------------------------------------------------------------------------------------
    def play(self, m: int) -> None:
        """Make a move, or play an outcome of chance."""
        self.advance(m)
        self.undone.clear()

    def roll(self, dice: random.Random | None = None) -> int:
        """Choose, play and return an outcome of chance. If `dice` is None, the outcome depends on the seed of the
        match."""
        dice = random.Random(f"{self.seed}:{len(self.moves)}") if dice is None else dice
        outcome = random_outcome(self.game, self.state, dice)
        self.play(outcome)
        return outcome

    def undo(self) -> int:
        """Take back moves until it is a human's turn again; returns the number of plies, or 0 if no human has moved."""
        for count in range(1, len(self.moves) + 1):
            if self.waits_for_human(self.states[-1 - count]):
                for _ in range(count):
                    self.states.pop()
                    self.undone.append(self.moves.pop())
                return count
        return 0

    def redo(self) -> int:
        """Play again the moves that were taken back, and stop when it is a human's turn; returns the number of
        plies."""
        count = 0
        while self.undone and not (count and self.waits_for_human(self.state)):
            self.advance(self.undone.pop())
            count += 1
        return count

    def swap(self) -> None:
        """Exchange the sides of the two players."""
        if self.game.players != 2:
            raise GamesearchError(
                f"only two players can change sides, but {self.game.name} has {self.game.players} players"
            )
        self.players = self.players[::-1]

    def resign(self) -> None:
        """Let the player to move resign."""
        self.resigned = self.turn

    def advance(self, m: int) -> None:
        """Add a move to the history."""
        self.states.append(self.game.result(self.state, m))
        self.moves.append(m)

    def waits_for_human(self, s: Any) -> bool:
        """Whether a human is to move in a state."""
        player = CHANCE if self.game.terminal(s) else self.game.player(s)
        return player != CHANCE and self.players[player].is_human

    # Files. --------------------------------------------------------------------------------------
    def record(self, headers: Mapping[str, str] | None = None) -> str:
        """Return the match as text in the file format of the game; `headers` adds headers such as the date."""
        headers = {
            **{player_name(self.game, i): player.specification for i, player in enumerate(self.players)},
            **(headers or {}),
        }
        if self.is_repeated or self.is_blocked:  # the last position does not show these draws
            headers["Result"] = "1/2-1/2"
        for loser, how in ((self.flagged, "lost on time"), (self.resigned, "resigned")):
            if loser is not None:
                headers["Termination"] = f"{player_name(self.game, loser)} {how}"
                if self.game.players == 2:
                    headers["Result"] = "0-1" if loser == MAX else "1-0"
        return self.game.record(self.start, self.moves, headers)


def random_outcome(game: Game, s: Any, dice: random.Random) -> int:
    """Choose an outcome of a chance node at random."""
    outcomes, probabilities = zip(*game.outcomes(s), strict=True)
    found: int = dice.choices(outcomes, probabilities)[0]
    return found


def rules_outcome(game: Game, utility: Any) -> Outcome:
    """Return the outcome of a game that ended by its rules. The outcome has no winner if payoffs do not decide who
    won."""
    if isinstance(utility, tuple):
        best = [player for player, payoff in enumerate(utility) if payoff == max(utility)]
        return Outcome(best[0] if len(best) == 1 else None, utility=tuple(map(float, utility)))
    utility = float(utility)
    if names_winner(game):
        if utility == game.draw_value():
            return Outcome(None, utility=utility, is_draw=True)
        return Outcome(MAX if utility > game.draw_value() else MIN, utility=utility)
    return Outcome(None, utility=utility)


def pays_only_wins(game: Game) -> bool:
    """Whether a payoff says only who won. In such a game, all wins have the same payoff, and all losses have the same
    payoff."""
    return game.win_or_loss or (game.MINSCORE, game.MAXSCORE) == (0, 1)


def counts_payoffs(game: Game) -> bool:
    """Whether a payoff shows who won and also counts something, such as points or discs."""
    return names_winner(game) and not pays_only_wins(game) and not game.payoffs_tell_how_soon


def names_winner(game: Game) -> bool:
    """Whether every payoff of a two-player game decides who won. If payoffs are points, Max wins if the payoff is
    positive."""
    return pays_only_wins(game) or game.payoffs_tell_how_soon or game.MINSCORE == -game.MAXSCORE


# Move numbers as people write them: for each move, or for each round, as in `1. e4 e5 2. Nf3`. --------------------
def move_numbers(game: Game, states: Iterable[Any], first: int | None = None) -> Iterator[int]:
    """Yield the move number of each state of an unfinished game. A chance node has the number of the move before it.
    The first number is `first`. If `first` is None, the first state determines the number."""
    before, number = CHANCE, first
    for s in states:
        number = game.first_number(s) if number is None else number
        player = game.player(s)
        if player != CHANCE:
            if before != CHANCE and (player <= before or not game.numbers_rounds):
                number += 1
            before = player
        yield number


def label(game: Game, number: int, player: int) -> str:
    """The number in front of a move; an ellipsis stands for earlier moves of the same round.

    >>> from gamesearch.registry import load
    >>> label(load("chess"), 3, 0), label(load("chess"), 3, 1), label(load("tictactoe"), 2, 1)
    ('3.', '3...', '2.')
    """
    return f"{number}..." if game.numbers_rounds and player > 0 else f"{number}."


def number_moves(game: Game, s: Any, line: Sequence[int], number: int | None = None, skip: int = 0) -> list[str]:
    """Return the moves of a line as people write them. The text of a move includes its number if the game numbers
    rounds.

    `number` is the number of the first move; by default, the state determines this number. The first `skip` moves are
    left out.

    >>> from gamesearch.registry import load
    >>> chess = load("chess")
    >>> line = [12 | 28 << 6, 52 | 36 << 6, 6 | 21 << 6]
    >>> [" ".join(number_moves(chess, chess.initial(), line, skip=skip)) for skip in (0, 1)]
    ['1. e4 e5 2. Nf3', '1... e5 2. Nf3']
    """
    names = line_names(game, s, line)
    if not game.numbers_rounds:
        return names[skip:]
    states = list(itertools.accumulate(line, game.result, initial=s))[:-1]
    shown, is_first = list[str](), True
    for state, name, own in list(zip(states, names, move_numbers(game, states, number), strict=True))[skip:]:
        player = game.player(state)
        has_label = player != CHANCE and (is_first or player == 0)
        shown.append(f"{label(game, own, player)} {name}" if has_label else name)
        is_first = is_first and player == CHANCE
    return shown
