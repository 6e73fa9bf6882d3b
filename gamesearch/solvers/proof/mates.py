"""Use proof numbers to find forced wins in a given number of moves, such as mate in 3.

Chess positions can repeat, so a proof could be circular. Here, the number of remaining plies is part of the position
and decreases with each move, so no position repeats. Draws by repetition can be ignored: no position repeats in a
shortest forced win, because every position is nearer to the win than the previous position. Some rules count moves,
such as the fifty-move rule. A key contains `gamesearch.game.Game.progress`, so positions with different counts have
different keys.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from gamesearch.algorithms.engine.result import Monitor
from gamesearch.algorithms.engine.runner import Runner
from gamesearch.errors import GamesearchError, refuse
from gamesearch.game import FORBIDDEN, MAX, Game
from gamesearch.notation import zero_sum_words
from gamesearch.solvers.proof.search import ProofSearch, prover_for

__all__ = ["ForcedWin", "LimitedGame", "forced_win"]

DRAWN, WON = 1, 2  # the indexes of a draw and of Max's win in the payoffs (-1, 0, 1) of a limited game


class LimitedPosition(NamedTuple):
    """A position and the number of remaining plies."""

    state: Any
    left: int


class LimitedGame(Game[LimitedPosition]):
    """A game with a limited number of plies. If no plies remain, the game is drawn. A win pays 1 and a loss -1."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.name = game.name  # type: ignore[misc]  # usually a class attribute; here, the name of the limited game
        self.interpreted_because = game.interpreted_because
        self.worth_compiling = game.worth_compiling

    def initial(self) -> LimitedPosition:
        """The initial position of the game, with a limit of one ply."""
        return LimitedPosition(self.game.initial(), 1)

    def player(self, s: LimitedPosition) -> int:
        """Whose turn it is."""
        return self.game.player(s.state)

    def moves(self, s: LimitedPosition) -> Iterator[int]:
        """Yield the moves of the position."""
        return self.game.moves(s.state)

    def result(self, s: LimitedPosition, m: int) -> LimitedPosition:
        """The position after a move. The number of remaining plies is smaller by one."""
        return LimitedPosition(self.game.result(s.state, m), s.left - 1)

    def terminal(self, s: LimitedPosition) -> bool:
        """Whether the game is over, or no ply is left."""
        return s.left == 0 or self.game.terminal(s.state)

    def utility(self, s: LimitedPosition) -> float:
        """1 if Max has won, -1 if Min has won, otherwise 0."""
        if not self.game.terminal(s.state):
            return 0.0
        payoff, even = self.game.utility(s.state), self.game.draw_value()
        return 1.0 if payoff > even else -1.0 if payoff < even else 0.0

    def key(self, s: LimitedPosition) -> Any:
        """A key consists of the position, the counts that the rules need, and the number of remaining plies."""
        return self.game.key(s.state), self.game.progress(s.state), s.left


@dataclass(frozen=True)
class ForcedWin:
    """The result of a search for a win that the player to move can force."""

    moves: int | None
    """The least number of moves of a forced win; None if no win can be forced within the limit."""
    line: tuple[int, ...]  # the moves of the win against the longest defense; empty if no win was found
    nodes: int
    seconds: float
    speed: str


def forced_win(game: Game, state: Any, most: int, *, speed: str = "auto", monitor: Monitor | None = None) -> ForcedWin:
    """Search for a forced win of the player to move. This player may make up to `most` moves.

    Sides alternate, so the win takes at most 2 * `most` - 1 plies. Raises GamesearchError if the game is unsuitable or
    over, and Interrupted after Ctrl-C.

    >>> from gamesearch import load
    >>> game = load("nim(heaps=1-2)")
    >>> forced_win(game, game.initial(), 2, speed="interpreted").moves
    2
    """
    is_for_points = not game.win_or_loss and not game.payoffs_tell_how_soon
    refuse(
        (game.players != 2 or game.payoff_count > 1, f"forced wins are {zero_sum_words(game)}"),
        (game.chance, f"{game.name} has chance nodes, so a win cannot be forced"),
        (
            game.repetition == FORBIDDEN,
            f"moves of {game.name} depend on earlier positions, which proof-number search does not support",
        ),
        (is_for_points, f"{game.name} is played for points, not for a fast win: use `gamesearch solve`"),
        (most < 1, f"the number of moves must be at least 1, not {most}"),
    )
    if game.terminal(state):
        raise GamesearchError(f"the game is over in {game.format(state)!r}: there is nothing to win")
    runner = Runner(LimitedGame(game), speed, monitor=monitor)
    runner.begin()
    prover, side = prover_for(runner, ProofSearch()), game.player(state)

    def wins(s: LimitedPosition) -> bool:
        return s.left >= 0 and prover.can_get(s, WON if side == MAX else DRAWN) == (side == MAX)

    moves = next((n for n in range(1, most + 1) if wins(LimitedPosition(state, 2 * n - 1))), None)
    line, s = list[int](), LimitedPosition(state, 2 * moves - 1 if moves else 0)
    while not runner.game.terminal(s):  # `side` wins within the remaining plies, and the other side delays the win
        after = {move: runner.game.result(s, move) for move in runner.game.steps(s)}
        if game.player(s.state) == side:
            chosen = next(move for move, each in after.items() if wins(each))
        else:
            slow = (move for move, each in after.items() if not wins(each._replace(left=each.left - 2)))
            chosen = next(slow, next(iter(after)))
        line.append(chosen)
        s = after[chosen]
    return ForcedWin(moves, tuple(line), int(runner.counts.nodes), runner.seconds, runner.speed)
