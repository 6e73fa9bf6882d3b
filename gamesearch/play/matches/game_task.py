"""The task and the record of one game of a match, both as text, so that any process can play the game."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import groupby
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

from gamesearch.errors import GamesearchError
from gamesearch.support.escaping import json_text, visible_data
from gamesearch.toolkit.bits import mix

__all__ = ["CRASH", "FAILURES", "HANG", "ILLEGAL", "NO_START", "TIME", "GameRecord", "GameTask", "Opening", "Terms"]

LARGEST_SEED = (1 << 31) - 1
CRASH, HANG, ILLEGAL, TIME = "crash", "hang", "illegal move", "time"
FAILURES = (CRASH, HANG, ILLEGAL, TIME)  # after every failure except TIME, the player is started again
NO_START = "cannot be started"  # the first words of `GameRecord.details` if a player crashed before the game began
Side = Annotated[int, 2]
Seconds = Annotated[float, 1e100]  # `fits()` accepts only numbers below the annotation


@dataclass(frozen=True)
class Opening:
    """The opening of a game: a position, moves from this position, and random plies after these moves."""

    position: str = ""  # the position in the notation of the game; empty for the start of the game
    moves: tuple[str, ...] = ()
    plies: int = 0  # the number of random plies; the most balanced of several openings is played
    seed: int = 0  # the seed that decides the random plies


@dataclass(frozen=True)
class Terms:
    """The conditions of every game of a match: how long players may think, and when a game is adjudicated."""

    time: float | None = None  # seconds for each move
    nodes: int | None = None  # nodes for each move
    depth: int | None = None  # depth in plies for each move
    clock: float | None = None  # seconds that each player has for the whole game; None without a clock
    increment: float = 0.0  # seconds that are added after each move
    margin: float = 0.1  # seconds by which a player may exceed its time
    patience: float = 10.0  # the seconds after the end of its time at which a silent player counts as hung
    longest: int = 1000  # the number of plies after which a game counts as a draw
    resign: tuple[int, float] | None = None
    """The pair (moves, value). A side resigns if both players report for `moves` successive moves that this side is
    behind by `value`."""
    draw: tuple[int, float, int] | None = None
    """The triple (moves, value, plies). After `plies` plies or more, a game ends as a draw if both players report
    values near a draw for `moves` successive moves. The values may differ from a draw by at most `value`."""
    speed: str = "auto"
    without_dead: bool = False  # whether random games find dead stones of Go, which are removed at the end

    @property
    def is_limited(self) -> bool:
        """Whether any limit is set."""
        return any(each is not None for each in (self.time, self.nodes, self.depth, self.clock))


@dataclass(frozen=True)
class GameTask:
    """Everything that a process needs to play one game."""

    number: int  # the number of the game in its match, from 0; games 0 and 1 are a pair, and so on
    game: str
    players: tuple[str, str]  # the specification of the player of each side
    labels: tuple[str, str]  # the names of the players in the match
    opening: Opening
    seed: int
    terms: Terms = field(default_factory=Terms)

    @property
    def player_seed(self) -> int:
        """The seed of the players' random decisions. It differs in every game, but the two games of a pair share their
        dice."""
        return mix((self.seed, self.number)) & LARGEST_SEED

    def text(self) -> str:
        """The task as one line of JSON."""
        return json.dumps(asdict(self))  # in ASCII, because the process may read another encoding

    @classmethod
    def read(cls, text: str) -> "GameTask":
        """Parse a task."""
        data = json.loads(text, object_hook=lists_to_tuples)
        return cls(**{**data, "opening": Opening(**data["opening"]), "terms": Terms(**data["terms"])})


@dataclass(frozen=True)
class GameRecord:
    """The record of a game, which may be unfinished. The journal has a line for each record."""

    number: int
    players: tuple[str, str]  # the name of the player of each side
    position: str = ""  # the position in which the game began, in the notation of the game
    opening: tuple[str, ...] = ()  # the moves of the opening
    moves: tuple[str, ...] = ()  # the moves after the opening, including outcomes of chance
    rolls: int = 0  # the number of outcomes of chance among all moves
    winner: Side | None = None  # the side that won; None for a draw
    reason: str = ""  # why the game ended, such as one of FAILURES; empty if the rules ended it
    failed: Side | None = None  # the side that lost by a failure
    details: str = ""  # a description of the failure
    asked: tuple[int, int] = (0, 0)  # the number of moves that each side was asked for
    nodes: tuple[int, int] = (0, 0)
    seconds: tuple[Seconds, Seconds] = (0.0, 0.0)
    has_chance: bool = False  # whether dice or random players decided; if so, the game repeats no other game
    payoff: float | None = None  # the payoff of the first side, if the rules ended a game that counts points

    @property
    def plies(self) -> int:
        """The number of moves that the players made, including the opening."""
        return len(self.opening) + len(self.moves) - self.rolls

    @property
    def pair(self) -> int:
        """The number of the pair to which the game belongs."""
        return self.number // 2

    @property
    def never_started(self) -> str:
        """The name of the player that lost because it could not be started; empty if both players were started."""
        return self.players[self.failed] if self.failed is not None and self.details.startswith(NO_START) else ""

    @property
    def points(self) -> tuple[float, float]:
        """The points of each side: 1 for a win, 1/2 for a draw."""
        return (0.5, 0.5) if self.winner is None else (1.0 - self.winner, float(self.winner))

    def points_of(self, player: str) -> float:
        """The points that one of the two players has scored in the game."""
        return self.points[self.players.index(player)]

    def payoff_of(self, player: str) -> float | None:
        """The payoff of one of the two players."""
        return self.payoff if self.payoff is None or player == self.players[0] else -self.payoff

    def with_failure_of(self, side: int, reason: str, details: str) -> "GameRecord":
        """Return a copy of the record. In the copy, `side` has lost the game because it failed."""
        return replace(self, winner=1 - side, reason=reason, failed=side, details=" ".join(details.split())[:300])

    def text(self) -> str:
        """The record as one line of JSON."""
        return json_text(asdict(self))

    @classmethod
    def read(cls, text: str | bytes) -> "GameRecord":
        """Parse a record; raises ValueError if the text is not a record."""
        data: Any = json.loads(text, object_hook=lists_to_tuples)
        if isinstance(data, dict) and "by_lot" in data:  # the name of the field in older journals
            data["has_chance"] = data.pop("by_lot")
        if not isinstance(data, dict) or not FIELDS.keys() - LATER <= data.keys() <= FIELDS.keys():
            raise GamesearchError("it is not a recorded game")
        wrong = [name for name, value in data.items() if not fits(value, FIELDS[name])]
        if wrong:
            raise GamesearchError(f"the field {wrong[0]} is invalid")
        shown = {name: visible_data(data[name]) for name in ("players", "reason", "details")}
        return cls(**data | shown)


def fits(value: Any, hint: Any) -> bool:
    """Whether decoded JSON has the type of a field. Integers must not be negative, and numbers must be finite."""
    kinds, origin = get_args(hint), get_origin(hint)
    if origin is Annotated:
        return fits(value, kinds[0]) and 0 <= value < kinds[1]
    if origin in (Union, UnionType):
        return any(fits(value, each) for each in kinds)
    if origin is tuple:
        is_tuple = isinstance(value, tuple)
        kinds = kinds[:1] * len(value) if is_tuple and kinds[-1] is Ellipsis else kinds
        return is_tuple and len(value) == len(kinds) and all(map(fits, value, kinds))
    if hint is float:
        return type(value) in (int, float) and abs(value) < 1e100
    return type(value) is int and 0 <= value < 1 << 62 if hint is int else isinstance(value, hint)


FIELDS = get_type_hints(GameRecord, include_extras=True)  # the fields of a record, with their types
LATER = {"rolls", "payoff"}  # fields that older journals do not have


class RepeatedPairs:
    """Recognizes pairs of games that repeat earlier pairs move for move. Deterministic players repeat their games if
    the opening is the same. Repeated pairs are not independent, so intervals, tests and ratings count them only
    once."""

    def __init__(self) -> None:
        self.known_pairs = set[frozenset[Any]]()  # the pairs so far

    def is_repeated(self, games: Sequence[GameRecord]) -> bool:
        """Whether a pair of games repeats an earlier pair; always False for games with dice or random players."""
        if any(game.has_chance for game in games):
            return False
        pair = frozenset(
            (each.players, each.position, each.opening, each.moves, each.winner, each.reason) for each in games
        )
        is_known = pair in self.known_pairs
        self.known_pairs.add(pair)
        return is_known


def pairs_of(records: Iterable[GameRecord]) -> list[list[GameRecord]]:
    """Group the games into pairs, in the order of their numbers; a pair may lack one game."""
    ordered = sorted(records, key=lambda record: record.number)
    return [list(games) for _, games in groupby(ordered, lambda record: record.pair)]


def lists_to_tuples(data: dict[str, Any]) -> dict[str, Any]:
    """Convert the lists of decoded JSON to tuples."""
    return {name: tuple(value) if isinstance(value, list) else value for name, value in data.items()}
