"""One game of a series as text: what is to be played, and how it went, so that any process can play it."""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import groupby
from typing import Any

from gamesearch.errors import GamesearchError
from gamesearch.support.escaping import json_text, visible_data
from gamesearch.toolkit.bits import mix

__all__ = ["CRASH", "FAILURES", "HANG", "ILLEGAL", "NO_START", "TIME", "GameRecord", "GameTask", "Opening", "Terms"]

LARGEST_SEED = (1 << 31) - 1
CRASH, HANG, ILLEGAL, TIME = "crash", "hang", "illegal move", "time"
FAILURES = (CRASH, HANG, ILLEGAL, TIME)
"""The reasons for which a player loses by its own fault; after each but the last it is started again."""
NO_START = "cannot be started"
"""How the details of a crash begin that came before the game did."""


@dataclass(frozen=True)
class Opening:
    """Where a game begins: a position, moves that are made from it, and then plies at random."""

    position: str = ""
    """As the game reads it; empty for the start of the game."""
    moves: tuple[str, ...] = ()
    plies: int = 0
    """How many plies are drawn by lot, of several such draws the most balanced one."""
    seed: int = 0
    """Decides these plies."""


@dataclass(frozen=True)
class Terms:
    """What holds for every game of a series: how long players may think, and when a game is ended for them."""

    time: float | None = None
    """Seconds a move."""
    nodes: int | None = None
    """Positions a move."""
    depth: int | None = None
    """Plies a move."""
    clock: float | None = None
    """Seconds a player has for the whole game."""
    increment: float = 0.0
    """Seconds it gets back after each move."""
    margin: float = 0.1
    """Seconds by which a player may overstep its time."""
    patience: float = 10.0
    """So many seconds after its time was up, a player that has not answered is taken to hang."""
    longest: int = 1000
    """A game of so many plies is drawn."""
    resign: tuple[int, float] | None = None
    """Both players' values have said for so many moves of each that one is behind by so much: it resigns."""
    draw: tuple[int, float, int] | None = None
    """Both values have been so near to a draw for so many moves of each, after so many plies: a draw."""
    speed: str = "auto"
    without_dead: bool = False
    """Whether what is dead at the end, as random games say, does not count."""

    @property
    def is_limited(self) -> bool:
        """Whether they say how long a player may think about a move."""
        return any(each is not None for each in (self.time, self.nodes, self.depth, self.clock))


@dataclass(frozen=True)
class GameTask:
    """Everything that a process needs to play one game."""

    number: int
    """The number of the game in its series, from 0; two that follow each other are a pair."""
    game: str
    players: tuple[str, str]
    """The specifications of the players, by side."""
    labels: tuple[str, str]
    """What they are called in the series."""
    opening: Opening
    seed: int
    terms: Terms = field(default_factory=Terms)

    @property
    def player_seed(self) -> int:
        """Decides what players do at random: another thing in each game, while the dice are those of the round."""
        return mix((self.seed, self.number)) & LARGEST_SEED

    def text(self) -> str:
        """The task as a line of JSON."""
        return json.dumps(asdict(self))  # the process may read another encoding

    @classmethod
    def read(cls, text: str) -> "GameTask":
        """The task that a text stands for."""
        data = json.loads(text, object_hook=tupled)
        return cls(**{**data, "opening": Opening(**data["opening"]), "terms": Terms(**data["terms"])})


@dataclass(frozen=True)
class GameRecord:
    """How a game of a series went, or how far it has come: a line of the journal."""

    number: int
    players: tuple[str, str]
    """What the players are called, by side."""
    position: str = ""
    """Where the game began, as the game writes it."""
    opening: tuple[str, ...] = ()
    """The moves that were made for the players."""
    moves: tuple[str, ...] = ()
    """The moves after these; what chance did is among them."""
    rolls: int = 0
    """How many of all these moves are outcomes of chance."""
    winner: int | None = None
    """The side that won; None for a draw."""
    reason: str = ""
    """Why the game ended, one of FAILURES among others; empty where the rules ended it."""
    failed: int | None = None
    """The side that lost by a failure."""
    details: str = ""
    """What is known of the failure."""
    asked: tuple[int, int] = (0, 0)
    """How many moves each side was asked for."""
    nodes: tuple[int, int] = (0, 0)
    seconds: tuple[float, float] = (0.0, 0.0)
    by_lot: bool = False
    """Whether lots decided anything: dice, or a player who draws; two such games are never one game played again."""
    payoff: float | None = None
    """What the rules paid the first side, where payoffs count something; None where something else ended the game."""

    @property
    def plies(self) -> int:
        """How many moves the players made, including the opening."""
        return len(self.opening) + len(self.moves) - self.rolls

    @property
    def pair(self) -> int:
        """The number of the pair that the game is one half of."""
        return self.number // 2

    @property
    def never_started(self) -> str:
        """Who lost the game because it could not be started; empty where nobody did."""
        return self.players[self.failed] if self.failed is not None and self.details.startswith(NO_START) else ""

    @property
    def points(self) -> tuple[float, float]:
        """What each side scored: 1 for a win, a half for a draw."""
        return (0.5, 0.5) if self.winner is None else (1.0 - self.winner, float(self.winner))

    def points_of(self, player: str) -> float:
        """What one of the two players scored."""
        return self.points[self.players.index(player)]

    def payoff_of(self, player: str) -> float | None:
        """What the rules paid one of the two players."""
        return self.payoff if self.payoff is None or player == self.players[0] else -self.payoff

    def lost_by(self, side: int, reason: str, details: str) -> "GameRecord":
        """The record of a game that a side lost by its own fault."""
        return replace(self, winner=1 - side, reason=reason, failed=side, details=" ".join(details.split())[:300])

    def text(self) -> str:
        """The record as a line of JSON."""
        return json_text(asdict(self))

    @classmethod
    def read(cls, text: str | bytes) -> "GameRecord":
        """The record that a text stands for; raises ValueError if it is none."""
        data: Any = json.loads(text, object_hook=tupled)
        if not isinstance(data, dict) or not FACTS.keys() - LATER <= data.keys() <= FACTS.keys():
            raise GamesearchError("it is not the record of a game")
        wrong = [name for name, fact in data.items() if not FACTS[name](fact)]
        if wrong:
            raise GamesearchError(f"its {wrong[0]} cannot be right")
        shown = {name: visible_data(data[name]) for name in ("players", "reason", "details")}
        return cls(**data | shown)


def is_count(fact: Any) -> bool:
    """Whether a fact is a whole number from 0 on."""
    return type(fact) is int and 0 <= fact < 1 << 62


def is_finite(fact: Any) -> bool:
    """Whether a fact is a finite number."""
    return type(fact) in (int, float) and abs(fact) < 1e100


def is_side(fact: Any) -> bool:
    """Whether a fact is a side, or None for neither."""
    return fact is None or (type(fact) is int and fact in (0, 1))


def is_text(fact: Any) -> bool:
    """Whether a fact is a text."""
    return isinstance(fact, str)


def are(each: Callable[[Any], bool], count: int | None = None) -> Callable[[Any], bool]:
    """A check of several facts of one kind, of a number that may be given."""
    return lambda facts: isinstance(facts, tuple) and count in (None, len(facts)) and all(map(each, facts))


FACTS: dict[str, Callable[[Any], bool]] = {
    "number": is_count,
    "players": are(is_text, 2),
    "position": is_text,
    "opening": are(is_text),
    "moves": are(is_text),
    "rolls": is_count,
    "winner": is_side,
    "reason": is_text,
    "failed": is_side,
    "details": is_text,
    "asked": are(is_count, 2),
    "nodes": are(is_count, 2),
    "seconds": are(lambda fact: is_finite(fact) and fact >= 0, 2),
    "by_lot": lambda fact: isinstance(fact, bool),
    "payoff": lambda fact: fact is None or is_finite(fact),
}
"""The facts of a game in a line of a journal, with a check of each."""
LATER = {"rolls", "payoff"}
"""Facts that were added to the format later: older journals do not have them."""


class Repeats:
    """Recognises pairs of games that were played before, move for move: they tell nothing new of the players.

    Two players who draw nothing by lot play the same game from the same opening again. Such games are not independent,
    and a pair of them counts once in whatever rests on that: intervals, tests and ratings.
    """

    def __init__(self) -> None:
        self.seen = set[frozenset[Any]]()
        """The pairs that were looked at, in the order of their numbers."""

    def is_repeated(self, games: Sequence[GameRecord]) -> bool:
        """Whether a pair is an earlier one again, which it can be only where nothing was drawn by lot."""
        if any(game.by_lot for game in games):
            return False
        pair = frozenset(
            (each.players, each.position, each.opening, each.moves, each.winner, each.reason) for each in games
        )
        is_known = pair in self.seen
        self.seen.add(pair)
        return is_known


def pairs_of(records: Iterable[GameRecord]) -> list[list[GameRecord]]:
    """The games of each pair, in the order of their numbers; one alone where the other half is missing."""
    ordered = sorted(records, key=lambda record: record.number)
    return [list(games) for _, games in groupby(ordered, lambda record: record.pair)]


def tupled(data: dict[str, Any]) -> dict[str, Any]:
    """Decoded JSON with tuples, which JSON has as lists."""
    return {name: tuple(value) if isinstance(value, list) else value for name, value in data.items()}
