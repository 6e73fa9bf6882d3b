"""What the finished games of a series come to: scores, pairs, failures, for each player and for all together."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean, stdev

from gamesearch.play.matches.elo import CERTAINTY, Pairs, Sprt
from gamesearch.play.matches.game_task import FAILURES, TIME, GameRecord, Repeats, pairs_of
from gamesearch.play.matches.series import Series

__all__ = ["Decision", "Payoffs", "Standing", "Standings", "standings_of"]

MOST_REPEATED = 50
"""So many repeated pairs in a row, and one for each opening, and a test ends."""


@dataclass(frozen=True)
class Payoffs:
    """What pairs of games paid a player: points, discs or seeds, where payoffs count something.

    The two games of a pair share opening and dice, with sides changed: much of what dice decide cancels out between
    them, and what is left is not independent. So the mean of a pair is one number, and the error follows from how pairs
    differ.
    """

    pairs: tuple[float, ...] = ()
    """The mean of the two games of each pair."""

    @property
    def mean(self) -> float:
        """What a game paid, on average; 0 where none was played."""
        return fmean(self.pairs) if self.pairs else 0.0

    @property
    def half_interval(self) -> float | None:
        """So far to both sides of the mean lies that of very many games, with 95 %; None for less than two pairs."""
        return CERTAINTY * stdev(self.pairs) / math.sqrt(len(self.pairs)) if len(self.pairs) > 1 else None


@dataclass
class Standing:
    """What one player did."""

    name: str
    wins: int = 0
    draws: int = 0
    losses: int = 0
    pairs: Pairs = field(default_factory=Pairs)
    """Its complete pairs, against whomever, without repeated ones."""
    payoffs: Payoffs = field(default_factory=Payoffs)
    """What those of them paid it that the rules ended, where payoffs count something."""
    failures: Counter[str] = field(default_factory=Counter)
    """How often it lost by each of FAILURES."""
    moves: int = 0
    nodes: int = 0
    seconds: float = 0.0

    @property
    def games(self) -> int:
        """How many games it finished."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """What it scored."""
        return self.wins + self.draws / 2

    @property
    def restarts(self) -> int:
        """How often it was started again, after it crashed, hung, or answered an illegal move."""
        return sum(count for reason, count in self.failures.items() if reason != TIME)


@dataclass
class Standings:
    """The players, and what all games have in common."""

    players: list[Standing]
    games: int = 0
    pairs: int = 0
    repeated: int = 0
    """How many of the pairs are earlier ones again, move for move."""
    draws: int = 0
    plies: int = 0
    endings: Counter[str] = field(default_factory=Counter)
    """How often games ended for each reason; the empty one is the rules."""
    failures: int = 0

    @property
    def plies_a_game(self) -> float:
        """How many moves the players made in a game, on average, its opening included."""
        return self.plies / self.games if self.games else 0.0


def standings_of(series: Series, records: Iterable[GameRecord]) -> Standings:
    """The standings after some games of a series."""
    records, repeats = list(records), Repeats()
    pairs = [games for games in pairs_of(records) if len(games) == 2]
    new_pairs = [games for games in pairs if not repeats.is_repeated(games)]
    return Standings(
        players=[standing_of(label, records, new_pairs) for label in series.labels],
        games=len(records),
        pairs=len(pairs),
        repeated=len(pairs) - len(new_pairs),
        draws=sum(record.winner is None for record in records),
        plies=sum(record.plies for record in records),
        endings=Counter(record.reason for record in records),
        failures=sum(record.reason in FAILURES for record in records),
    )


def standing_of(name: str, records: Sequence[GameRecord], pairs: Sequence[Sequence[GameRecord]]) -> Standing:
    """What one player did in the games of all, and in the pairs that count."""
    own = [(record, record.players.index(name)) for record in records if name in record.players]
    pairs = [games for games in pairs if name in games[0].players]
    paid = [(first.payoff_of(name), second.payoff_of(name)) for first, second in pairs]
    return Standing(
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
    """Follows a test of the first player's pairs, in the order of their numbers, without repeated ones.

    It goes by this order and not by that in which games were finished, so that it does not depend on how many workers
    there are. It ends without a decision where nothing new is played: after `most_repeated` pairs in a row that were
    repeated.
    """

    def __init__(self, sprt: Sprt, label: str, openings: int = 0) -> None:
        self.sprt, self.label = sprt, label
        self.most_repeated = max(openings, MOST_REPEATED)
        self.pairs = Pairs()
        """The pairs that count."""
        self.followed = self.repeated_in_a_row = 0
        """How many pairs were looked at, and how many of them, up to the last one, were repeated."""
        self.repeats = Repeats()
        self.is_accepted: bool | None = None
        """Whether the test accepted that the player is stronger; None while it is open."""

    @property
    def is_exhausted(self) -> bool:
        """Whether the players only repeat their games."""
        return self.repeated_in_a_row >= self.most_repeated

    def follow(self, records: Mapping[int, GameRecord], games: int) -> int | None:
        """After how many pairs the test ended, among so many games; None while it goes on."""
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
