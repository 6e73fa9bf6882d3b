"""The standings of a match: the results of each player, and totals of all games."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean, stdev

from gamesearch.play.matches.elo import CERTAINTY, Pairs, Sprt
from gamesearch.play.matches.game_task import FAILURES, TIME, GameRecord, RepeatedPairs, pairs_of
from gamesearch.play.matches.series import Series

__all__ = ["Decision", "Payoffs", "PlayerScore", "Standings", "standings_of"]

# A sequential test ends after this number of repeated pairs in a row. If there are more openings than that, it ends
# after as many repeated pairs as there are openings.
MOST_REPEATED = 50


@dataclass(frozen=True)
class Payoffs:
    """Independent payoffs of a player. For a match, they are the mean payoffs of the pairs: the two games of a pair
    share the opening and the dice, so their payoffs are not independent."""

    values: tuple[float, ...] = ()

    @property
    def mean(self) -> float:
        """The mean payoff of a game; 0 if no game was played."""
        return fmean(self.values) if self.values else 0.0

    @property
    def half_interval(self) -> float | None:
        """Half the width of the 95 % confidence interval of the mean; None if all payoffs are equal."""
        return CERTAINTY * stdev(self.values) / math.sqrt(len(self.values)) if len(set(self.values)) > 1 else None


@dataclass
class PlayerScore:
    """The results of one player."""

    name: str
    wins: int = 0
    draws: int = 0
    losses: int = 0
    pairs: Pairs = field(default_factory=Pairs)  # complete pairs against all opponents, without repetitions
    payoffs: Payoffs = field(default_factory=Payoffs)  # of games that ended by the rules, if payoffs matter
    failures: Counter[str] = field(default_factory=Counter)  # the number of losses by each kind of failure
    moves: int = 0
    nodes: int = 0
    seconds: float = 0.0

    @property
    def games(self) -> int:
        """The number of the player's games."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """The player's points."""
        return self.wins + self.draws / 2

    @property
    def restarts(self) -> int:
        """How often the player was restarted because it crashed, did not answer, or made an illegal move."""
        return sum(count for reason, count in self.failures.items() if reason != TIME)


@dataclass
class Standings:
    """The results of all players, and totals of all games."""

    players: list[PlayerScore]
    games: int = 0
    pairs: int = 0
    repeated: int = 0  # the number of pairs that repeat earlier pairs move for move
    draws: int = 0
    plies: int = 0
    endings: Counter[str] = field(default_factory=Counter)  # the number of games by `GameRecord.reason`
    failures: int = 0

    @property
    def plies_a_game(self) -> float:
        """The mean number of moves in a game, including the opening."""
        return self.plies / self.games if self.games else 0.0


def standings_of(series: Series, records: Iterable[GameRecord]) -> Standings:
    """The standings of a match after the games in `records`."""
    records, repeats = list(records), RepeatedPairs()
    pairs = [games for games in pairs_of(records) if len(games) == 2]
    new_pairs = [games for games in pairs if not repeats.is_repeated(games)]
    return Standings(
        players=[score_of(label, records, new_pairs) for label in series.labels],
        games=len(records),
        pairs=len(pairs),
        repeated=len(pairs) - len(new_pairs),
        draws=sum(record.winner is None for record in records),
        plies=sum(record.plies for record in records),
        endings=Counter(record.reason for record in records),
        failures=sum(record.reason in FAILURES for record in records),
    )


def score_of(name: str, records: Sequence[GameRecord], pairs: Sequence[Sequence[GameRecord]]) -> PlayerScore:
    """The results of one player. `pairs` contains each complete pair of games once."""
    own = [(record, record.players.index(name)) for record in records if name in record.players]
    pairs = [games for games in pairs if name in games[0].players]
    paid = [(first.payoff_of(name), second.payoff_of(name)) for first, second in pairs]
    return PlayerScore(
        name,
        wins=sum(record.winner == side for record, side in own),
        draws=sum(record.winner is None for record, _ in own),
        losses=sum(record.winner == 1 - side for record, side in own),
        pairs=Pairs.of(sum(game.points_of(name) for game in games) for games in pairs),
        payoffs=Payoffs(tuple((one + other) / 2 for one, other in paid if one is not None and other is not None)),
        failures=Counter(record.reason for record, side in own if record.failed == side),
        moves=sum(record.asked[side] for record, side in own),
        nodes=sum(record.nodes[side] for record, side in own),
        seconds=sum(record.seconds[side] for record, side in own),
    )


class Decision:
    """A sequential test of the first player's pairs. The test takes the pairs in the order of their numbers, so the
    number of workers does not matter. It ignores repeated pairs, and ends without a decision after `most_repeated` of
    them in a row."""

    def __init__(self, sprt: Sprt, label: str, openings: int = 0) -> None:
        self.sprt, self.label = sprt, label
        self.most_repeated = max(openings, MOST_REPEATED)
        self.pairs = Pairs()  # the pairs that are not repetitions
        self.followed = self.repeated_in_a_row = 0  # pairs that the test has used, and repeated pairs in a row
        self.repeats = RepeatedPairs()
        self.is_accepted: bool | None = None  # whether elo1 was accepted; None before a decision

    @property
    def is_exhausted(self) -> bool:
        """Whether the test ended because the players only repeated earlier games."""
        return self.repeated_in_a_row >= self.most_repeated

    def follow(self, records: Mapping[int, GameRecord], games: int) -> int | None:
        """Continue the test with the first `games` games; returns the number of pairs after which the test ended, or
        None."""
        while self.is_accepted is None and not self.is_exhausted:
            first = 2 * self.followed
            if first + 1 >= games or first not in records or first + 1 not in records:
                return None
            halves = (records[first], records[first + 1])
            self.followed += 1
            if self.repeats.is_repeated(halves):
                self.repeated_in_a_row += 1
                continue
            self.repeated_in_a_row = 0
            self.pairs = self.pairs.plus(sum(half.points_of(self.label) for half in halves))
            self.is_accepted = self.sprt.verdict(self.pairs)
        return self.followed
