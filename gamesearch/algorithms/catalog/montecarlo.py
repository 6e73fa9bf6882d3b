"""Monte Carlo search: play many random games after every move, and choose the move with the best average payoff.

B. Abramson 1990, "Expected-outcome: a general model of static evaluation", IEEE Transactions on Pattern Analysis and
Machine Intelligence 12. The parameter `race` decides which move gets the next playout. If it is `none`, all moves get
the same number of playouts. If it is `ucb`, the next playout tries the move with the greatest upper confidence bound
(P. Auer, N. Cesa-Bianchi and P. Fischer 2002, "Finite-time analysis of the multiarmed bandit problem", Machine Learning
47). If it is `halving`, the worse half of the moves is dropped after each round of playouts (Z. Karnin, T. Koren and O.
Somekh 2013, "Almost optimal exploration in multi-armed bandits", ICML: sequential halving).
"""

import math
from array import array
from collections.abc import Collection, Mapping
from typing import Any, ClassVar

from gamesearch.algorithms.engine.result import MoveValue, SearchResult, value_for_player
from gamesearch.algorithms.engine.runner import Runner
from gamesearch.algorithms.node.records import Record, RecordHandle, Rows, float_field, integer_field
from gamesearch.algorithms.node.repetition import note_on_path
from gamesearch.algorithms.node.workspace import FULL_DEPTH, Options, Run
from gamesearch.algorithms.tree_search.playout import Playouts, payoff_of, play_out, stop_at_limit, width_of
from gamesearch.algorithms.tree_search.sampling import (
    PLAYOUTS,
    SamplingAlgorithm,
    SamplingRunner,
    average,
    check_number,
    expected_value,
    interval,
)
from gamesearch.compiler import BorrowedArray, kernel
from gamesearch.errors import GamesearchError
from gamesearch.game import CHANCE, MIN, Game
from gamesearch.specification import nearest
from gamesearch.textbook import sampling

__all__ = ["MonteCarlo", "montecarlo"]

EVENLY, UCB, HALVING = range(3)
RACES = {"none": EVENLY, "ucb": UCB, "halving": HALVING}
"""The values of the parameter `race`."""


class Race(Record):
    """The settings and the state of a race, in which the moves of the root compete for playouts."""

    playouts = integer_field()  # number of playouts; 0 for no limit
    kind = integer_field()  # a value of RACES
    exploration = float_field()  # weight of the exploration term in upper confidence bounds
    made = integer_field()  # number of playouts so far
    quota = integer_field()  # when each move has this number of visits, the worse half is dropped
    least = float_field()  # smallest payoff of a playout so far
    greatest = float_field()


class Arm(Record):
    """A move of the root, seen as an arm of a multiarmed bandit."""

    move = integer_field()
    visits = integer_field()
    is_out = integer_field()  # whether the move was dropped from the race
    total = float_field()  # sum of payoffs: for Max or, if there are more than two players, for the player to move
    squares = float_field()


@kernel
def montecarlo(
    game: Game, s: Any, options: Options, race: Race, arms: Any, totals: Any, playouts: Playouts, run: Run
) -> None:
    """Make playouts of the moves of s until the search stops, or until the number of playouts in `race` is reached.

    `totals` contains the sum of Max's payoffs for each move. If the game has more than two players, `totals` contains
    one sum for each move and each player.
    """
    record, width = playouts.record, width_of(game)
    player = game.player(s)
    note_on_path(game, s, 0, run.path)
    run.counts.nodes += 1
    run.counts.deepest = 1
    while True:
        if run.observer is not None:
            run.observer.reaches(s, 0, 0)
        i = next_arm(player == MIN and width == 1, race, arms, run)
        arm = arms[i]
        run.counts.nodes += 1
        after = game.result(s, arm.move)
        if run.observer is not None:
            run.observer.follows(0, arm.move)
            run.observer.reaches(after, 1, i + 1)
        play_out(game, after, 1, playouts, run)
        if run.observer is not None:
            run.observer.plays_out(1, False, record)
            run.observer.counts(1, record.payoffs)
            run.observer.counts(0, record.payoffs)
        payoff = payoff_of(game, max(player, 0), record)
        for k in range(width):
            totals[i * width + k] += record.payoffs[k]
        arm.visits += 1
        arm.total += payoff
        arm.squares += payoff * payoff
        race.least = min(race.least, payoff) if race.made > 0 else payoff
        race.greatest = max(race.greatest, payoff) if race.made > 0 else payoff
        race.made += 1
        stop_at_limit(options, run)
        if run.counts.stop or race.made == race.playouts:
            break


@kernel
def next_arm(minimizing: bool, race: Race, arms: Any, run: Run) -> int:
    """The move for the next playout. If race=ucb, this is the move with the greatest upper confidence bound; otherwise,
    it is the remaining move with the fewest visits."""
    fewest = fewest_visits(arms)
    if race.kind == UCB and arms[fewest].visits > 0:
        return greatest_bound(minimizing, race, arms, run)
    if race.kind == HALVING and arms[fewest].visits >= race.quota:
        drop_half(minimizing, race, arms, run)
        return fewest_visits(arms)
    return fewest


@kernel
def fewest_visits(arms: Any) -> int:
    """The remaining move with the fewest visits. If there are several such moves, this is the first of them."""
    fewest = -1
    for i in range(len(arms)):
        if not arms[i].is_out and (fewest < 0 or arms[i].visits < arms[fewest].visits):
            fewest = i
    return fewest


@kernel
def greatest_bound(minimizing: bool, race: Race, arms: Any, run: Run) -> int:
    """The move with the greatest upper confidence bound. Payoffs are scaled to the range from 0 to 1."""
    scale, best, greatest = max(race.greatest - race.least, 1e-300), 0, -math.inf
    for i in range(len(arms)):
        arm = arms[i]
        mean = (arm.total / arm.visits - race.least) / scale
        bound = race.exploration * math.sqrt(2 * math.log(race.made) / arm.visits)
        bound += 1 - mean if minimizing else mean
        if run.observer is not None:
            run.observer.weighs(arm.move, arm.visits, bound)
        if bound > greatest:
            best, greatest = i, bound
    return best


@kernel
def drop_half(minimizing: bool, race: Race, arms: Any, run: Run) -> None:
    """Drop the worse half of the remaining moves, and set the number of visits for the next round."""
    left = 0
    for i in range(len(arms)):
        if not arms[i].is_out:
            left += 1
    stay = (left + 1) // 2
    while left > stay:
        worst = -1
        for i in range(len(arms)):
            if not arms[i].is_out and (worst < 0 or is_worse(minimizing, arms[i], arms[worst])):
                worst = i
        arms[worst].is_out = 1
        if run.observer is not None:
            run.observer.prune_move(0, arms[worst].move, "race")
        left -= 1
    race.quota += visits_of_a_round(race.playouts, len(arms), left)


@kernel
def is_worse(minimizing: bool, arm: Arm, other: Arm) -> bool:
    """Whether the other move has an average payoff that is at least as good for the player to move."""
    ahead = arm.total / arm.visits - other.total / other.visits
    return bool(ahead >= 0 if minimizing else ahead <= 0)


@kernel
def visits_of_a_round(playouts: int, arms: int, left: int) -> int:
    """The number of playouts that each remaining move gets in a round. All rounds get equal numbers of playouts."""
    rounds = 1
    while 1 << rounds < arms:
        rounds += 1
    return playouts if left == 1 else max(1, playouts // rounds // left)


class MonteCarlo(SamplingAlgorithm):
    """Plays random games after each move, and compares their average payoffs, which have 95 % confidence intervals.

    At a chance node, the averages are weighted by the probabilities of the outcomes.
    """

    name = "montecarlo"
    summary = "average payoff of random games after each move"
    source = "Abramson 1990; Auer, Cesa-Bianchi & Fischer 2002; Karnin, Koren & Somekh 2013"
    textbook = staticmethod(sampling.flat_monte_carlo)
    choices: ClassVar[Mapping[str, Collection[str]]] = {**SamplingAlgorithm.choices, "race": RACES}
    parameter_help: ClassVar[Mapping[str, str]] = {
        **SamplingAlgorithm.parameter_help,
        "race": "which moves get more playouts: none (all moves get the same number), ucb (moves with high "
        "upper confidence bounds), or halving (the better half of the moves after each round; needs playouts)",
        "exploration": "the weight of the exploration term that race=ucb adds to the average of a move",
    }

    def __init__(
        self,
        playouts: int = 0,
        time: float = 0.0,
        policy: str = "uniform",
        temperature: float = 0.25,
        plies: int = 0,
        race: str = "none",
        exploration: float = 1.0,
        seed: int | str = "",
    ) -> None:
        if race not in RACES:
            raise GamesearchError(f"race {race!r} is unknown: {nearest(race, RACES)}")
        self.set_sampling(playouts, time, policy, temperature, plies, seed)
        self.race, self.exploration = race, check_number("exploration", exploration)

    def search(self, runner: Runner, state: Any) -> SearchResult:
        """Make playouts of every move, and average the payoffs."""
        assert isinstance(runner, SamplingRunner)
        game, most = runner.game, self.repetition_limit(runner, self.playouts, PLAYOUTS)
        if self.race == "halving" and not most:
            raise GamesearchError("race=halving needs the total number of playouts: give playouts=")
        moves = game.steps(state, runner.past)
        arms, totals = Arm.rows(len(moves)), array("d", bytes(8 * len(moves) * width_of(game)))
        arms["move"] = moves
        runner.begin(FULL_DEPTH, "playouts")

        def arguments() -> tuple[Any, ...]:
            is_compiled = runner.speed == "compiled"
            self.write_settings(runner.playouts, game, state, len(runner.past))
            race, quota = RecordHandle(Race, is_compiled), visits_of_a_round(most, len(moves), len(moves))
            race.write(playouts=most, kind=RACES[self.race], exploration=self.exploration, quota=quota)
            rows = BorrowedArray(arms) if is_compiled else Rows(arms)
            return game, state, runner.options, race.record, rows, totals, runner.playouts.arguments, runner.run

        runner.execute(montecarlo, arguments)
        return self.average_payoffs(runner, state, arms, totals)

    def average_payoffs(self, runner: Runner, state: Any, arms: Any, totals: Any) -> SearchResult:
        """Make the result. The value is the average payoff of the best move, or of all outcomes if the root is a chance
        node."""
        game, player, width = runner.game, runner.game.player(state), width_of(runner.game)
        moves, ranks = [], []
        for i, (move, visits, is_out, total, squares) in enumerate(arms.tolist()):
            if visits:
                value = average(game, totals[i * width : (i + 1) * width], visits)
                within = interval((float(game.MINSCORE), float(game.MAXSCORE)), total, squares, visits)
                moves.append(MoveValue(move, value, visits=visits, interval=within))
                worth = value_for_player(player, value)
                ranks.append((not is_out, visits, worth) if self.race == "ucb" else (not is_out, worth, visits))
        best = moves[max(range(len(moves)), key=ranks.__getitem__)]
        return SearchResult(
            algorithm=self.specification,
            value=expected_value(dict(game.outcomes(state)), moves) if player == CHANCE else best.value,
            bound="estimate",
            best=None if player == CHANCE else best.move,
            line=() if player == CHANCE else (best.move,),
            statistics=runner.statistics(),
            moves=tuple(moves),
            stopped=runner.stopped,
        )
