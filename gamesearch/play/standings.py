"""What the finished games of a series come to: scores, pairs, failures, for each player and for all together."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from gamesearch.play.elo import Pairs
from gamesearch.play.game_task import FAILURES, TIME, GameRecord
from gamesearch.play.payoffs import Payoffs
from gamesearch.play.repeats import Repeats
from gamesearch.play.series import Series
from gamesearch.play.sprt import Sprt

__all__ = ["Decision", "Standing", "Standings", "standings_of"]

MOST_REPEATED = 50
"""So many repeated pairs in a row, and one for each opening, and a test ends."""


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
        """How long a game was, on average, without its opening."""
        return self.plies / self.games if self.games else 0.0


def standings_of(series: Series, records: Iterable[GameRecord]) -> Standings:
    """The standings after some games of a series."""
    players = {label: Standing(label) for label in series.labels}
    standings = Standings(list(players.values()))
    first_halves: dict[int, GameRecord] = {}
    repeats = Repeats()
    scored: dict[str, list[float]] = {label: [] for label in players}
    paid: dict[str, list[float]] = {label: [] for label in players}
    for record in records:
        standings.games += 1
        standings.plies += len(record.moves)
        standings.draws += record.winner is None
        standings.endings[record.reason] += 1
        standings.failures += record.reason in FAILURES
        for side, name in enumerate(record.players):
            count(players[name], record, side)
        other = first_halves.setdefault(record.pair, record)
        if other is record:
            continue
        standings.pairs += 1
        if repeats.is_repeated((other, record)):
            standings.repeated += 1
            continue
        for name in record.players:
            scored[name].append(other.points_of(name) + record.points_of(name))
            payoffs = other.payoff_of(name), record.payoff_of(name)
            if payoffs[0] is not None and payoffs[1] is not None:
                paid[name].append((payoffs[0] + payoffs[1]) / 2)
    for name, standing in players.items():
        standing.pairs, standing.payoffs = Pairs.of(scored[name]), Payoffs(tuple(paid[name]))
    return standings


def count(player: Standing, record: GameRecord, side: int) -> None:
    """Add what a player did in a game."""
    player.wins += record.winner == side
    player.draws += record.winner is None
    player.losses += record.winner == 1 - side
    player.moves += record.asked[side]
    player.nodes += record.nodes[side]
    player.seconds += record.seconds[side]
    if record.failed == side:
        player.failures[record.reason] += 1


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
